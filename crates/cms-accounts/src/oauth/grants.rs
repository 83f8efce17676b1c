//! Connected applications: what a user granted, and takes back.

use cms_domain::{
    access::{Access, Permission, Scope, Scopes, to},
    event::Event,
    id::GrantId,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error, Policies, audit_line,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::StoredGrant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::request::ClientSummary;

/// List the applications that the caller let in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListGrants {}

/// What a user granted to an application.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GrantView {
    /// Identifies the grant.
    pub id: GrantId,
    /// The application.
    pub client: ClientSummary,
    /// What it may do.
    pub scopes: Scopes,
    /// The resource that it was granted for, if the application named one.
    pub resource: Option<String>,
    /// When it was granted.
    pub created_at: Timestamp,
    /// When the application last used it, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it ends, however often it is used.
    pub expires_at: Timestamp,
}

impl GrantView {
    /// A grant, with the name of the application.
    pub fn new(policies: &Policies, grant: StoredGrant, name: String) -> Self {
        let expires_at = super::end(policies, grant.created_at);
        let StoredGrant { id, client, user: _, scopes, resource, created_at, last_used_at } = grant;
        Self { id, client: ClientSummary { id: client, name }, scopes, resource, created_at, last_used_at, expires_at }
    }
}

/// What the caller granted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GrantList {
    /// The grants, the latest first.
    pub items: Vec<GrantView>,
}

impl Operation for ListGrants {
    const ID: &'static str = "oauth.list_grants";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listGrants", "/oauth/grants").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = GrantList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<GrantList, Error> {
        let grants = cx.read().oauth_grants().for_user(cx.account()?, usize::MAX).await?;
        let policies = &cx.options().policies;
        Ok(GrantList { items: grants.into_iter().map(|(grant, name)| GrantView::new(policies, grant, name)).collect() })
    }
}

/// Take back some of what the caller granted to an application.
///
/// Its tokens lose the scopes that are not named, at once. Nothing is added: for that the application asks again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NarrowGrant {
    /// The grant.
    pub id: GrantId,
    /// What is left of it: at least one of the scopes that it has, and no other.
    #[schemars(length(min = 1))]
    pub scopes: Scopes,
}

impl Operation for NarrowGrant {
    const ID: &'static str = "oauth.narrow_grant";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::patch("narrowGrant", "/oauth/grants/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = GrantView;

    fn check(&self) -> Result<(), Error> {
        if self.scopes.is_empty() {
            return Err(Error::issue("scopes", "TOO_FEW", "names at least one scope: to leave none, take the whole grant back"));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<GrantView, Error> {
        let user = cx.account()?;
        let grants = cx.tx().await?.reader().oauth_grants().for_user(user, usize::MAX).await?;
        let found = grants.into_iter().find(|(grant, _)| grant.id == self.id);
        let (grant, name) = found.ok_or_else(none_such)?;
        if !self.scopes.is_subset(&grant.scopes) {
            return Err(Error::issue("scopes", "NOT_GRANTED", "names scopes that the application does not have: it has to ask for them"));
        }
        if self.scopes != grant.scopes {
            let permit = cx.permit(to::Account(user))?;
            if !cx.tx().await?.oauth_grants().narrow(&permit, &grant, &self.scopes).await? {
                return Err(Error::new(Code::Busy));
            }
            // It could not make preview links any more.
            if !self.scopes.iter().any(|scope| scope.covers(Scope::ContentWrite)) {
                cx.tx().await?.previews().delete_by_grant(&permit, self.id).await?;
            }
            cx.emit(Event::SignedOut { user });
            let details = audit_line::changes([("scopes", json!(grant.scopes), json!(self.scopes))]);
            cx.audit("oauth_grant", self.id, &Value::Object(details));
        }
        Ok(GrantView::new(&cx.options().policies, StoredGrant { scopes: self.scopes, ..grant }, name))
    }
}

/// Somebody else's grant is as good as none.
fn none_such() -> Error {
    Error::with(Code::NotFound, "you have granted no such thing")
}

/// Take back what the caller granted to an application.
///
/// Its tokens stop working at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RevokeGrant {
    /// The grant.
    pub id: GrantId,
}

/// The grant is taken back.
#[derive(Debug, Serialize, JsonSchema)]
pub struct GrantRevoked {
    /// Always true.
    pub revoked: bool,
}

impl Operation for RevokeGrant {
    const ID: &'static str = "oauth.revoke_grant";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("revokeGrant", "/oauth/grants/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = GrantRevoked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<GrantRevoked, Error> {
        let user = cx.account()?;
        let permit = cx.permit(to::Account(user))?;
        let client = cx.tx().await?.oauth_grants().delete_own(&permit, self.id).await?.ok_or_else(none_such)?;
        cx.emit(Event::SignedOut { user });
        cx.audit("oauth_grant", self.id, &json!({ "client": client }));
        Ok(GrantRevoked { revoked: true })
    }
}
