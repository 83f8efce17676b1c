//! A user's accounts at providers: see them, add one, remove one.

use std::collections::BTreeMap;

use cms_domain::{
    access::{Access, Permission, to},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Limit, Operation, Proof, Tool},
};
use cms_storage::StoredConnection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    Services,
    enter_by_provider::Purpose,
    provider_sign_in::{self, Begin, BegunSignIn, ReturnPath},
    providers::Providers,
    vouched, ways,
};

/// List the caller's accounts at sign-in providers.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListConnections {}

/// An account at a provider that signs in the user.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConnectionView {
    /// The provider, as it is called now.
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

/// What the provider of a connected account is called: now, if the site still has it.
fn name(providers: &Providers, connection: &StoredConnection) -> String {
    providers.of(connection).map_or_else(|| connection.provider.clone(), |provider| provider.id().to_owned())
}

impl Operation for ListConnections {
    const ID: &'static str = "connection.list";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("listConnections", "/auth/connections").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = ConnectionList;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionList, Error> {
        let found = cx.read().connections().for_user(cx.account()?).await?;
        let providers = &Services::of(cx.cms()).providers;
        let items = found.into_iter().map(|connection| ConnectionView {
            label: providers.of(&connection).map(|provider| provider.label().to_owned()),
            provider: name(providers, &connection),
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
    const HTTP: Http = Http::post("beginConnection", "/auth/connections/{provider}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::BEGIN);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[&[Code::ProviderNotFound]];
    type Output = BegunSignIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BegunSignIn, Error> {
        let user = cx.account()?;
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
    const HTTP: Http = Http::delete("removeConnection", "/auth/connections/{provider}/{account}").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[THING, &[Code::LastSignInMethod]];
    type Output = ConnectionRemoved;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionRemoved, Error> {
        let user = cx.account()?;
        // Nobody adds or removes a way to sign in of this user until the end: of two that are the last, one stays.
        cx.tx().await?.passkeys().hold(user).await?;
        let all = cx.read().connections().for_user(user).await?;
        let providers = &Services::of(cx.cms()).providers;
        let is_this = |known: &&StoredConnection| name(providers, known) == self.provider && known.account == self.account;
        let this: Vec<_> = all.iter().filter(is_this).map(|known| known.id).collect();
        if this.is_empty() {
            return Err(Error::with(Code::NotFound, "you have no such connection"));
        }
        let permit = cx.permit(to::Account(user))?;
        for id in this {
            cx.tx().await?.connections().delete(&permit, id).await?;
        }
        if !ways::has_any(cx, user).await? {
            return Err(Error::new(Code::LastSignInMethod));
        }
        cx.audit("connection", &self.account, &json!({ "provider": self.provider }));
        Ok(ConnectionRemoved { success: true })
    }
}

/// Under which name it is kept that connections from before were given their issuers.
const ADOPTED: &str = "connections_adopted";

/// Gives connections that were made when issuers were not kept yet the issuer of the provider that has their name now. Counts them.
///
/// A database sees this once, for all its providers at the same time: at the first start of a server, or, where a host program never
/// asks for it, at the first return from a provider. Whoever is put under a name later may be somebody else, and gets nobody's
/// connections; whose provider was missing that once connects again.
pub(crate) async fn adopt(cx: &mut Cx<'_>) -> Result<u64, Error> {
    if cx.read().settings().get(ADOPTED).await?.is_some() {
        return Ok(0);
    }
    let providers = Services::of(cx.cms()).providers.clone();
    let tx = cx.tx().await?;
    if !tx.settings().claim(&vouched::note()?, ADOPTED, "1").await? {
        return Ok(0);
    }
    let mut adopted = 0;
    for provider in providers.iter() {
        adopted += tx.connections().adopt(provider.id(), &provider.issuer()).await?;
    }
    Ok(adopted)
}

/// Give connections from before issuers were kept the issuers of the providers that there are.
///
/// Once: asked again, it changes nothing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdoptConnections {}

/// What was adopted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ConnectionsAdopted {
    /// How many connections have an issuer from now on.
    pub adopted: u64,
}

impl Operation for AdoptConnections {
    const ID: &'static str = "connection.adopt";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = ConnectionsAdopted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ConnectionsAdopted, Error> {
        let adopted = adopt(cx).await?;
        if adopted > 0 {
            cx.audit("connection", "", &json!({ "adopted": adopted }));
        }
        Ok(ConnectionsAdopted { adopted })
    }
}
