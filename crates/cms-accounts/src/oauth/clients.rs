//! The applications that may ask users for access, as an admin manages them.

use cms_domain::{
    access::{Access, Permission, Scope, Scopes, to},
    event::Event,
    page::{Cursor, PageSize},
    patch::Patch,
    rev::Rev,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, PAGED, STALE, THING},
    must_be_current,
    operation::{Http, Operation, Proof, Tool},
    page::{Page, Paging},
};
use cms_storage::StoredClient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    client::{COMMAND_LINE, GrantType, REDIRECT_URIS, check_name, distinct, names},
    redirect_uri,
};

const MANAGE: Access = Access::Account(Permission::AuthManageConnections);
/// Who looks at applications and ends them: also a program.
const TAKE_BACK: Access = Access::Needs(Scope::Admin, Permission::AuthManageConnections);

/// An application that may ask users for access.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OAuthClientView {
    /// What it calls itself in every request.
    pub id: String,
    /// What users are shown.
    pub name: String,
    /// Where browsers may be sent with an answer.
    pub redirect_uris: Vec<String>,
    /// How it gets tokens.
    pub grant_types: Vec<String>,
    /// What it may ask for at most; null for anything.
    pub scopes: Option<Scopes>,
    /// Whether it registered itself.
    pub registered: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When a user last granted it something.
    pub last_used_at: Option<Timestamp>,
    /// Names this state: send it with a change, and the change is refused if somebody else was faster.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl From<StoredClient> for OAuthClientView {
    fn from(client: StoredClient) -> Self {
        let rev = client.rev();
        let StoredClient { id, name, redirect_uris, grant_types, scopes, registered, created_at, updated_at, last_used_at } = client;
        Self { id, name, redirect_uris, grant_types, scopes, registered, created_at, updated_at, last_used_at, rev }
    }
}

/// List the applications that may ask users for access.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListOAuthClients {
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl Operation for ListOAuthClients {
    const ID: &'static str = "oauth_client.list";
    const ACCESS: Access = TAKE_BACK;
    const HTTP: Http = Http::get("listOAuthClients", "/admin/oauth-clients").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<OAuthClientView>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<OAuthClientView>, Error> {
        let paging = Paging::new(Self::ID, self.limit);
        let after: Option<String> = paging.after(self.cursor)?;
        let clients = cx.read().oauth_clients().list(after.as_deref(), paging.rows()).await?;
        Ok(paging.page(clients, |last| last.id.clone())?.map(OAuthClientView::from))
    }
}

/// Create an application that may ask users for access.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "id": "app", "name": "App", "redirectUris": ["https://app.example/done"] }))]
pub struct CreateOAuthClient {
    /// What it calls itself in every request: letters, digits and `-._~:/`.
    #[schemars(length(min = 1, max = 255), regex(pattern = r"^[A-Za-z0-9\-._~:/]+$"))]
    pub id: String,
    /// What users are shown.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// Where browsers may be sent with an answer: `https`, or `http` on the machine itself, where any port will do.
    #[schemars(length(max = 20))]
    #[serde(default)]
    pub redirect_uris: Vec<String>,
    /// How it gets tokens; with codes and refresh tokens unless it is said.
    #[schemars(length(min = 1, max = 3))]
    pub grant_types: Option<Vec<GrantType>>,
    /// What it may ask for at most; anything without.
    #[schemars(length(min = 1))]
    pub scopes: Option<Scopes>,
}

/// Rules that hold for every application that an admin makes or changes.
fn check(name: Option<&str>, redirect_uris: Option<&[String]>, needs_uri: bool, scopes: Option<&Scopes>) -> Result<(), Error> {
    if let Some(Err(problem)) = name.map(check_name) {
        return Err(Error::issue("name", "INVALID_VALUE", problem));
    }
    for (n, uri) in redirect_uris.into_iter().flatten().enumerate() {
        redirect_uri::check(uri).map_err(|problem| Error::issue(&format!("redirectUris.{n}"), "INVALID_VALUE", problem))?;
    }
    if redirect_uris.is_some_and(|uris| uris.len() > REDIRECT_URIS) {
        return Err(Error::issue("redirectUris", "TOO_MANY", "has at most 20 addresses"));
    }
    if needs_uri && redirect_uris.is_some_and(<[_]>::is_empty) {
        return Err(Error::issue("redirectUris", "TOO_FEW", "names at least one address: the application asks for codes"));
    }
    if scopes.is_some_and(Scopes::is_empty) {
        return Err(Error::issue("scopes", "TOO_FEW", "names at least one scope, or is null"));
    }
    Ok(())
}

impl Operation for CreateOAuthClient {
    const ID: &'static str = "oauth_client.create";
    const ACCESS: Access = MANAGE;
    const HTTP: Http = Http::post("createOAuthClient", "/admin/oauth-clients").created().internal();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[STALE];
    type Output = OAuthClientView;

    fn check(&self) -> Result<(), Error> {
        let grants = self.grant_types.as_deref().unwrap_or(&GrantType::UNLESS_NAMED);
        let needs_uri = grants.contains(&GrantType::AuthorizationCode);
        check(Some(&self.name), Some(&self.redirect_uris), needs_uri, self.scopes.as_ref())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<OAuthClientView, Error> {
        let now = cx.now();
        let client = StoredClient {
            id: self.id,
            name: self.name,
            redirect_uris: distinct(self.redirect_uris),
            grant_types: names(self.grant_types.as_deref().unwrap_or(&GrantType::UNLESS_NAMED)),
            scopes: self.scopes,
            registered: false,
            created_at: now,
            updated_at: now,
            last_used_at: None,
        };
        let permit = cx.permit(to::ManageConnections)?;
        if client.id == COMMAND_LINE || !cx.tx().await?.oauth_clients().insert(&permit, &client).await? {
            return Err(Error::with(Code::Conflict, "there is an application with this id"));
        }
        cx.audit(
            "oauth_client",
            &client.id,
            &json!({ "name": client.name, "redirectUris": client.redirect_uris, "scopes": client.scopes }),
        );
        Ok(client.into())
    }
}

async fn existing(cx: &Cx<'_>, id: &str) -> Result<StoredClient, Error> {
    cx.read().oauth_clients().by_id(id).await?.ok_or_else(unknown)
}

fn unknown() -> Error {
    Error::with(Code::NotFound, "there is no such application")
}

/// Get an application that may ask users for access.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetOAuthClient {
    /// The application.
    pub id: String,
}

impl Operation for GetOAuthClient {
    const ID: &'static str = "oauth_client.get";
    const ACCESS: Access = TAKE_BACK;
    const HTTP: Http = Http::get("getOAuthClient", "/admin/oauth-clients/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = OAuthClientView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<OAuthClientView, Error> {
        Ok(existing(cx, &self.id).await?.into())
    }
}

/// Change an application that may ask users for access.
///
/// What it may ask for is what its tokens are good for, from now on: scopes that it loses end at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateOAuthClient {
    /// The application.
    pub id: String,
    /// What users are shown.
    #[schemars(length(min = 1, max = 100))]
    pub name: Option<String>,
    /// Where browsers may be sent with an answer.
    #[schemars(length(max = 20))]
    pub redirect_uris: Option<Vec<String>>,
    /// What it may ask for at most; null for anything.
    #[serde(default)]
    pub scopes: Patch<Scopes>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
}

impl Operation for UpdateOAuthClient {
    const ID: &'static str = "oauth_client.update";
    const ACCESS: Access = MANAGE;
    const HTTP: Http = Http::put("updateOAuthClient", "/admin/oauth-clients/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[THING, STALE];
    type Output = OAuthClientView;

    fn check(&self) -> Result<(), Error> {
        check(self.name.as_deref(), self.redirect_uris.as_deref(), false, self.scopes.as_set())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<OAuthClientView, Error> {
        let known = cx.tx().await?.oauth_clients().lock(&self.id).await?;
        let mut client = known.ok_or_else(unknown)?;
        must_be_current(self.rev.as_ref(), &client.rev())?;
        check(None, self.redirect_uris.as_deref(), GrantType::AuthorizationCode.is_of(&client), None)?;
        client.name = self.name.unwrap_or(client.name);
        client.redirect_uris = self.redirect_uris.map_or(client.redirect_uris, distinct);
        self.scopes.apply(&mut client.scopes);
        client.updated_at = cx.now().later_than(client.updated_at);
        let permit = cx.permit(to::ManageConnections)?;
        cx.tx().await?.oauth_clients().update(&permit, &client).await?;
        cx.emit(Event::Application { client: client.id.clone() });
        cx.audit(
            "oauth_client",
            &client.id,
            &json!({ "name": client.name, "redirectUris": client.redirect_uris, "scopes": client.scopes }),
        );
        Ok(client.into())
    }
}

/// Remove an application.
///
/// What users granted it ends at once, and its tokens with it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteOAuthClient {
    /// The application.
    pub id: String,
}

/// The application is gone.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OAuthClientDeleted {
    /// Always true.
    pub deleted: bool,
}

impl Operation for DeleteOAuthClient {
    const ID: &'static str = "oauth_client.delete";
    const ACCESS: Access = TAKE_BACK;
    const HTTP: Http = Http::delete("deleteOAuthClient", "/admin/oauth-clients/{id}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING];
    type Output = OAuthClientDeleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<OAuthClientDeleted, Error> {
        let permit = cx.permit(to::ManageConnections)?;
        if !cx.tx().await?.oauth_clients().delete(&permit, &self.id).await? {
            return Err(unknown());
        }
        cx.emit(Event::Application { client: self.id.clone() });
        cx.audit("oauth_client", &self.id, &serde_json::Value::Null);
        Ok(OAuthClientDeleted { deleted: true })
    }
}
