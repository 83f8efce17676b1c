//! A user's accounts at providers: see them, add one, remove one.

use std::collections::BTreeMap;

use cms_domain::{
    access::{Access, Permission},
    id::UserId,
    time::Timestamp,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    enter_by_provider::Purpose,
    provider_sign_in::{self, Begin, BegunSignIn, ReturnPath},
    ways,
};
use crate::{
    Code, Cx, Error,
    operation::{Http, Limit, Operation, Proof, Tool},
};

/// List the caller's accounts at sign-in providers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListConnections {}

/// An account at a provider that signs in the user.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// The provider.
    pub provider: String,
    /// What people call the provider; null when the site does not have it any more.
    pub label: Option<String>,
    /// The account there.
    pub account: String,
    /// The address that the provider told last.
    pub email: Option<String>,
    /// The name that the provider told last.
    pub name: Option<String>,
    /// When it was connected.
    pub created_at: Timestamp,
    /// When it last signed in the user.
    pub last_used_at: Option<Timestamp>,
}

/// A user's accounts at providers.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConnectionList {
    /// The accounts, the oldest first.
    pub items: Vec<ConnectionView>,
}

fn caller(cx: &Cx<'_>) -> Result<UserId, Error> {
    cx.actor().user().ok_or_else(|| Error::new(Code::NotAuthenticated))
}

impl Operation for ListConnections {
    const ID: &'static str = "connection.list";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listConnections", "/auth/connections").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = ConnectionList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionList, Error> {
        let found = cx.read().connections().for_user(caller(cx)?).await?;
        let providers = &cx.cms().services().providers;
        let items = found.into_iter().map(|connection| ConnectionView {
            label: providers.get(&connection.provider).ok().map(|provider| provider.label().to_owned()),
            provider: connection.provider,
            account: connection.account,
            email: connection.email,
            name: connection.name,
            created_at: connection.created_at,
            last_used_at: connection.last_used_at,
        });
        Ok(ConnectionList { items: items.collect() })
    }
}

/// Begin to connect an account at a provider.
///
/// The browser goes to the address; when it comes back, the account signs in the caller from then on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginConnection {
    /// The provider.
    #[schemars(length(max = 32))]
    pub provider: String,
    /// Path and query of the page that the browser ends at. The default is the admin application.
    #[serde(rename = "return")]
    pub return_to: Option<ReturnPath>,
    /// What was filled into the provider's form.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
}

impl Operation for BeginConnection {
    const ID: &'static str = "connection.begin";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("beginConnection", "/auth/connections/{provider}").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const PROOF: Proof = Proof::Recent;
    type Output = BegunSignIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BegunSignIn, Error> {
        let user = caller(cx)?;
        let begin = Begin { provider: &self.provider, purpose: Purpose::Connect, return_to: self.return_to, fields: self.fields };
        provider_sign_in::begin(cx, Some(user), begin).await
    }
}

/// Remove one of the caller's accounts at a provider.
///
/// It does not sign them in any more. The last way to sign in stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemoveConnection {
    /// The provider.
    pub provider: String,
    /// The account there.
    pub account: String,
}

/// The account is not connected any more.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConnectionRemoved {
    /// Always true.
    pub success: bool,
}

impl Operation for RemoveConnection {
    const ID: &'static str = "connection.remove";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("removeConnection", "/auth/connections/{provider}/{account}").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = ConnectionRemoved;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionRemoved, Error> {
        let user = caller(cx)?;
        let tx = cx.tx().await?;
        // Nobody adds or removes a way to sign in of this user until the end: of two that are the last, one stays.
        tx.passkeys().hold(user).await?;
        if !tx.connections().delete(user, &self.provider, &self.account).await? {
            return Err(Error::with(Code::NotFound, "you have no such connection"));
        }
        if ways::of(cx.cms(), cx.read(), user).await?.is_empty() {
            return Err(Error::new(Code::LastSignInMethod));
        }
        cx.audit("connection", &self.account, &json!({ "provider": self.provider }));
        Ok(ConnectionRemoved { success: true })
    }
}
