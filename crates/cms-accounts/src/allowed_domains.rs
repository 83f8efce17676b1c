//! Domains whose people may make accounts themselves.

use cms_domain::{
    access::{Access, Permission, Scope, to},
    rev::Rev,
    time::Timestamp,
    user::{Email, MailDomain, Role},
};
use cms_frame::{
    Code, Cx, Error, audit_line,
    failures::{Failures, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Proof, Tool},
};
use cms_storage::AllowedDomain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The role that somebody with this address may make an account with themselves; none when nobody of the domain may.
pub(crate) async fn domain_role(cx: &Cx<'_>, email: &Email) -> Result<Option<Role>, Error> {
    let domain = cx.read().allowed_domains().of(email).await?;
    Ok(domain.filter(|domain| domain.enabled).map(|domain| domain.default_role))
}

/// A domain whose people may make accounts themselves.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllowedDomainView {
    /// What is behind the `@` of their addresses. Domains below it are others.
    pub domain: MailDomain,
    /// The role of their accounts.
    pub default_role: Role,
    /// The role's name.
    pub role_name: &'static str,
    /// Whether they may at present.
    pub enabled: bool,
    /// When the domain was added.
    pub created_at: Timestamp,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl From<AllowedDomain> for AllowedDomainView {
    fn from(stored: AllowedDomain) -> Self {
        let rev = stored.rev();
        let AllowedDomain { domain, default_role, enabled, created_at, updated_at: _ } = stored;
        Self { domain, default_role, role_name: default_role.name(), enabled, created_at, rev }
    }
}

/// A domain as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AllowedDomainChanged {
    /// Always true.
    pub success: bool,
    /// The domain.
    pub domain: AllowedDomainView,
}

/// List the domains whose people may make accounts themselves.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListAllowedDomains {}

/// Domains whose people may make accounts themselves.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AllowedDomainList {
    /// Every domain, by name; a site has at most a few dozen.
    pub items: Vec<AllowedDomainView>,
}

impl Operation for ListAllowedDomains {
    const ID: &'static str = "allowed_domain.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::AuthManageConnections);
    const HTTP: Http = Http::get("listAllowedDomains", "/admin/allowed-domains").replaced_by_gateway();
    const TOOL: Tool = Tool::Hidden;
    type Output = AllowedDomainList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AllowedDomainList, Error> {
        let domains = cx.read().allowed_domains().all().await?;
        Ok(AllowedDomainList { items: domains.into_iter().map(AllowedDomainView::from).collect() })
    }
}

/// Let the people of a domain make accounts themselves.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "domain": "example.net", "defaultRole": 30 }))]
pub struct AddAllowedDomain {
    /// What is behind the `@` of their addresses. Domains below it are not meant.
    pub domain: MailDomain,
    /// The role of their accounts.
    pub default_role: Role,
}

impl Operation for AddAllowedDomain {
    const ID: &'static str = "allowed_domain.create";
    const ACCESS: Access = Access::Account(Permission::AuthManageConnections);
    const HTTP: Http = Http::post("createAllowedDomain", "/admin/allowed-domains").replaced_by_gateway().created();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[&[Code::Conflict]];
    type Output = AllowedDomainChanged;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AllowedDomainChanged, Error> {
        let permit = cx.permit(to::ManageConnections)?;
        let now = cx.now();
        let domain =
            AllowedDomain { domain: self.domain, default_role: self.default_role, enabled: true, created_at: now, updated_at: now };
        if !cx.tx().await?.allowed_domains().insert(&permit, &domain).await? {
            return Err(Error::with(Code::Conflict, "this domain is in the list already: change it there"));
        }
        cx.audit("allowed_domain", &domain.domain, &json!({ "defaultRole": domain.default_role }));
        Ok(AllowedDomainChanged { success: true, domain: domain.into() })
    }
}

/// Change a domain whose people may make accounts themselves.
///
/// What is left out stays. Accounts that were made stay as they are. An access token can switch a domain off and lower its role; to let
/// more people in, or with a higher role, needs a session, or the answer is `SESSION_REQUIRED`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateAllowedDomain {
    /// The domain.
    pub domain: MailDomain,
    /// Whether they may at present.
    pub enabled: Option<bool>,
    /// The role of accounts that are made from now on.
    pub default_role: Option<Role>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateAllowedDomain {
    const ID: &'static str = "allowed_domain.update";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::AuthManageConnections);
    const HTTP: Http = Http::put("updateAllowedDomain", "/admin/allowed-domains/{domain}").replaced_by_gateway();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, STALE, &[Code::SessionRequired, Code::ReauthenticationRequired]];
    type Output = AllowedDomainChanged;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AllowedDomainChanged, Error> {
        if self.enabled == Some(true) || self.default_role.is_some() {
            cx.require_recent_proof().await?;
        }
        let permit = cx.permit(to::ManageConnections)?;
        let before = cx.tx().await?.allowed_domains().lock(&self.domain).await?.ok_or_else(|| no_domain(&self.domain))?;
        must_be_current(self.rev.as_ref(), &before.rev())?;
        if self.default_role > Some(before.default_role) || (self.enabled == Some(true) && !before.enabled) {
            cx.actor().in_person()?;
        }
        let now = cx.now();
        let domains = cx.tx().await?.allowed_domains();
        let domain = AllowedDomain {
            default_role: self.default_role.unwrap_or(before.default_role),
            enabled: self.enabled.unwrap_or(before.enabled),
            updated_at: now.later_than(before.updated_at),
            ..before.clone()
        };
        domains.update(&permit, &domain).await?;
        let details = audit_line::changes([
            ("enabled", json!(before.enabled), json!(domain.enabled)),
            ("defaultRole", json!(before.default_role), json!(domain.default_role)),
        ]);
        cx.audit("allowed_domain", &domain.domain, &Value::Object(details));
        Ok(AllowedDomainChanged { success: true, domain: domain.into() })
    }
}

/// Remove a domain whose people may make accounts themselves.
///
/// Accounts that were made stay as they are.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteAllowedDomain {
    /// The domain.
    pub domain: MailDomain,
}

/// The domain is removed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AllowedDomainDeleted {
    /// Always true.
    pub success: bool,
}

impl Operation for DeleteAllowedDomain {
    const ID: &'static str = "allowed_domain.delete";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::AuthManageConnections);
    const HTTP: Http = Http::delete("deleteAllowedDomain", "/admin/allowed-domains/{domain}").replaced_by_gateway();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = AllowedDomainDeleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AllowedDomainDeleted, Error> {
        let permit = cx.permit(to::ManageConnections)?;
        if !cx.tx().await?.allowed_domains().delete(&permit, &self.domain).await? {
            return Err(no_domain(&self.domain));
        }
        cx.audit("allowed_domain", &self.domain, &Value::Null);
        Ok(AllowedDomainDeleted { success: true })
    }
}

fn no_domain(domain: &MailDomain) -> Error {
    Error::with(Code::NotFound, format!("the domain `{domain}` is not in the list"))
}
