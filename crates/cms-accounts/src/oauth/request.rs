//! What an application asks of a user, through their browser (RFC 6749, 4.1.1).

use cms_domain::access::{Access, Actor, Permission, Scopes};
use cms_frame::{
    Code, Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::StoredClient;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    CLIENT_ID, Fault, FaultCode, RESOURCE, SCOPE,
    client::GrantType,
    origin, pkce, redirect_uri,
    scopes::{self, ScopeView},
};

/// The longest state of an application, which goes back in an address: room for whatever applications put there, and no more than browsers
/// take with the rest.
const STATE: usize = 4_096;
/// The longest word that could mean something: a response type, a method, a challenge of 43 characters.
const WORD: usize = 255;

/// Describe what an application asks for.
///
/// For the page on which a user decides. The members are the parameters of the authorization request.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "AuthorizationRequest")]
pub struct DescribeAuthorization {
    /// The application.
    #[schemars(length(min = 1, max = CLIENT_ID))]
    pub client_id: String,
    /// Where the answer goes; one that the application registered.
    #[schemars(length(min = 1, max = redirect_uri::LONGEST))]
    pub redirect_uri: String,
    /// Always `code`.
    #[schemars(length(max = WORD))]
    pub response_type: Option<String>,
    /// The base64url of the SHA-256 of the application's secret (RFC 7636).
    #[schemars(length(max = WORD))]
    pub code_challenge: Option<String>,
    /// `S256`, which it is unless it says otherwise.
    #[schemars(length(max = WORD))]
    pub code_challenge_method: Option<String>,
    /// Goes back with the answer as it is.
    #[schemars(length(max = STATE))]
    pub state: Option<String>,
    /// What the application asks for: scopes with spaces between them.
    #[schemars(length(max = SCOPE))]
    pub scope: Option<String>,
    /// The resource that it wants to use (RFC 8707).
    #[schemars(length(max = RESOURCE))]
    pub resource: Option<String>,
}

/// Who an application is.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ClientSummary {
    /// What it calls itself in every request.
    pub id: String,
    /// What it calls itself to people. Nobody vouches for it.
    pub name: String,
}

/// An application that asks somebody to let it in.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AskingClient {
    /// What it calls itself in every request.
    pub id: String,
    /// What it calls itself to people. Nobody vouches for it.
    pub name: String,
    /// Whether it registered itself: then nobody here has ever looked at it. An admin added the others.
    pub registered: bool,
}

impl From<StoredClient> for AskingClient {
    fn from(client: StoredClient) -> Self {
        Self { id: client.id, name: client.name, registered: client.registered }
    }
}

/// What an application asks for.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuthorizationView {
    /// The application.
    pub client: AskingClient,
    /// Where the answer goes. What an application calls itself can be made up; where its users are sent cannot.
    pub redirect_host: String,
    /// The resource that it wants to use.
    pub resource: Option<String>,
    /// What it asks for.
    pub scopes: Vec<ScopeView>,
    /// For how many seconds it would have that at most, unless the user takes it back.
    pub lasts: u64,
}

impl DescribeAuthorization {
    /// The application, when the request names one and an address that it registered. Only then may anything be sent there.
    pub(super) async fn client(&self, cx: &Cx<'_>) -> Result<StoredClient, Error> {
        let client = cx.read().oauth_clients().by_id(&self.client_id).await?;
        let client = client.ok_or_else(|| Error::issue("client_id", "UNKNOWN_CLIENT", "names no application that is known here"))?;
        if client.redirect_uris.iter().any(|registered| redirect_uri::admits(registered, &self.redirect_uri)) {
            Ok(client)
        } else {
            Err(Error::issue("redirect_uri", "NOT_REGISTERED", "is none that the application registered"))
        }
    }

    /// What the application may ask for of what it asks for, unless the request is at fault.
    pub(super) fn check(&self, cx: &Cx<'_>, client: &StoredClient) -> Result<Scopes, Fault> {
        let fault = |code, description| Err(Fault::new(code, description));
        if !GrantType::AuthorizationCode.is_of(client) {
            return fault(FaultCode::UnauthorizedClient, "the client may not ask for codes");
        }
        match self.response_type.as_deref() {
            Some("code") => {}
            Some(_) => return fault(FaultCode::UnsupportedResponseType, "response_type is code"),
            None => return fault(FaultCode::InvalidRequest, "response_type is missing"),
        }
        if self.code_challenge_method.as_deref().is_some_and(|method| method != pkce::METHOD) {
            return fault(FaultCode::InvalidRequest, "code_challenge_method is S256");
        }
        if !self.code_challenge.as_deref().is_some_and(pkce::is_challenge) {
            return fault(FaultCode::InvalidRequest, "code_challenge is missing, or not 43 characters of base64url");
        }
        if self.resource.as_deref().is_some_and(|resource| !origin::is_ours(cx, resource)) {
            return fault(FaultCode::InvalidTarget, "resource is none of this server");
        }
        let asked = scopes::of_client(&scopes::asked(self.scope.as_deref(), &cx.cms().catalog().scopes()), client.scopes.as_ref());
        if asked.is_empty() {
            return fault(FaultCode::InvalidScope, "none of the scopes is known here, or none may be asked for by the client");
        }
        Ok(asked)
    }

    /// Where to send the browser with an answer: with the state of the request, and with who answers (RFC 9207, 2).
    pub(super) fn redirect<'a>(&'a self, cx: &Cx<'_>, answer: impl IntoIterator<Item = (&'static str, &'a str)>) -> String {
        let issuer = origin::issuer(cx.product(), &origin::of(cx));
        let state = self.state.as_deref().map(|state| ("state", state));
        let answer: Vec<_> = answer.into_iter().chain(state).collect();
        redirect_uri::with_answer(&self.redirect_uri, answer.into_iter().chain([("iss", issuer.as_str())]))
    }

    /// Where to send the browser with a fault (RFC 6749, 4.1.2.1).
    pub(super) fn redirect_fault(&self, cx: &Cx<'_>, fault: &Fault) -> String {
        self.redirect(cx, [("error", fault.error.as_str()), ("error_description", fault.error_description)])
    }
}

impl Operation for DescribeAuthorization {
    const ID: &'static str = "oauth.describe_request";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::get("describeAuthorization", "/oauth/authorize/request").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::ASK);
    type Output = AuthorizationView;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuthorizationView, Error> {
        let client = self.client(cx).await?;
        let asked = self.check(cx, &client)?;
        let Actor::User(caller) = cx.actor() else { return Err(Error::new(Code::NotAuthenticated)) };
        Ok(AuthorizationView {
            redirect_host: redirect_uri::host(&self.redirect_uri),
            scopes: scopes::views(&asked, caller.role),
            resource: self.resource,
            client: client.into(),
            lasts: cx.options().policies.grant_absolute.as_secs(),
        })
    }
}
