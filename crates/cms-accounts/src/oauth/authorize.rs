//! A user decides what an application asks for (RFC 6749, 4.1.1 and 4.1.2).

use cms_auth::token::NewToken;
use cms_domain::access::{Access, Actor, Permission, Scopes, to};
use cms_frame::{
    Code, Cx, Error,
    failures::Failures,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::StoredCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{CODE_LIFE, Fault, FaultCode, request::DescribeAuthorization, scopes};
use crate::notices::{self, Notice};

/// Begin what an application asks for.
///
/// For the address that applications send browsers to. An application or an address that is not known is an error, and the
/// browser stays here: whoever made that request may be anybody.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct BeginAuthorization(pub DescribeAuthorization);

/// What becomes of the request.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuthorizationBegun {
    /// Where to send the browser because the application is at fault; null when the user is to be asked.
    pub redirect: Option<String>,
}

impl Operation for BeginAuthorization {
    const ID: &'static str = "oauth.begin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::ASK);
    type Output = AuthorizationBegun;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuthorizationBegun, Error> {
        let Self(request) = self;
        let client = request.client(cx).await?;
        match request.check(cx, &client) {
            Ok(_) => Ok(AuthorizationBegun { redirect: None }),
            // Anybody can register an application and send people through here to an address of theirs, with a request that is
            // wrong on purpose. Nobody is sent there before they decide to be (RFC 9700, 4.11.2).
            Err(fault) if client.registered => Err(fault.into()),
            Err(fault) => Ok(AuthorizationBegun { redirect: Some(request.redirect_fault(cx, &fault)) }),
        }
    }
}

/// What a user decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The application gets what is named.
    #[default]
    Approve,
    /// It gets nothing.
    Deny,
}

/// Decide what an application asks for.
///
/// What is granted is what was asked for, what the user left in, and what their role and the application's registration
/// allow: all of these at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecideAuthorization {
    /// What the application asks for: the parameters of its request.
    pub request: DescribeAuthorization,
    /// What the user left in of it. Nothing needs to be named to deny.
    #[serde(default)]
    pub scopes: Scopes,
    /// What the user decided.
    pub action: Decision,
}

/// The answer is on its way.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AuthorizationDecided {
    /// Where to send the browser.
    pub redirect: String,
}

impl Operation for DecideAuthorization {
    const ID: &'static str = "oauth.decide";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("decideAuthorization", "/oauth/authorize").internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::FOLLOW);
    const FAILURES: Failures = &[&[Code::ReauthenticationRequired]];
    type Output = AuthorizationDecided;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AuthorizationDecided, Error> {
        let Self { request, scopes, action } = self;
        let client = request.client(cx).await?;
        let Actor::User(caller) = cx.actor() else { return Err(Error::new(Code::NotAuthenticated)) };
        let (user, role) = (caller.user, caller.role);
        let refused = match (request.check(cx, &client), action) {
            (_, Decision::Deny) => Fault::new(FaultCode::AccessDenied, "the user denied it"),
            (Err(fault), Decision::Approve) => fault,
            (Ok(asked), Decision::Approve) => {
                let left: Scopes = asked.intersection(&scopes).copied().collect();
                let granted = scopes::held_to(&left, client.scopes.as_ref(), role);
                if granted.is_empty() {
                    Fault::new(FaultCode::InvalidScope, "the user left none of the scopes in, or may grant none of them")
                } else {
                    // What it gets outlives the session by a year.
                    cx.require_recent_proof().await?;
                    let code = NewToken::make("")?;
                    let now = cx.now();
                    let stored = StoredCode {
                        client: client.id.clone(),
                        user,
                        redirect_uri: request.redirect_uri.clone(),
                        scopes: granted,
                        challenge: request.code_challenge.clone().unwrap_or_default(),
                        resource: request.resource.clone(),
                        created_at: now,
                        expires_at: now.after(CODE_LIFE),
                    };
                    let permit = cx.permit(to::Account(user))?;
                    cx.tx().await?.oauth_codes().insert(&permit, &code.hash, &stored).await?;
                    cx.audit("oauth_client", &client.id, &json!({ "approved": stored.scopes }));
                    notices::tell(cx, user, Notice::Granted(&client.name)).await?;
                    return Ok(AuthorizationDecided { redirect: request.redirect(cx, [("code", code.text.as_str())]) });
                }
            }
        };
        cx.audit("oauth_client", &client.id, &json!({ "refused": refused.error }));
        Ok(AuthorizationDecided { redirect: request.redirect_fault(cx, &refused) })
    }
}
