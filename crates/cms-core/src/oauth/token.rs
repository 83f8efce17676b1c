//! The token endpoint (RFC 6749, 3.2): one operation, whatever is exchanged.

use cms_domain::access::Access;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Answer, FaultCode,
    answer::{self, Stop, refuse},
    client::GrantType,
    device, exchange, refresh,
};
use crate::{
    Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};

/// Exchange a code, a refresh token or a device code for tokens.
///
/// The request and the answer are those of RFC 6749, 4.1.3 and 6, and of RFC 8628, 3.4.
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct IssueToken {
    /// What is exchanged.
    pub grant_type: Option<String>,
    /// The application.
    pub client_id: Option<String>,
    /// The authorization code.
    pub code: Option<String>,
    /// Where the code was sent. It may be left out, as in OAuth 2.1: the verifier proves more.
    pub redirect_uri: Option<String>,
    /// The secret behind the challenge of the authorization request.
    pub code_verifier: Option<String>,
    /// The refresh token.
    pub refresh_token: Option<String>,
    /// The device code.
    pub device_code: Option<String>,
    /// At a refresh: no more than was granted. The answer says what is given.
    pub scope: Option<String>,
    /// The resource that the tokens are for.
    pub resource: Option<String>,
}

/// Tokens (RFC 6749, 5.1).
#[derive(Clone, Serialize, JsonSchema)]
pub struct Tokens {
    /// Goes with requests, as `Authorization: Bearer <token>`.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// For how many seconds the access token is good.
    pub expires_in: u64,
    /// Good once, for new tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// What the access token is good for.
    pub scope: String,
}

impl Operation for IssueToken {
    const ID: &'static str = "oauth.token";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    // Ten programs that wait behind one address, each asking every five seconds.
    const LIMIT: Option<Limit> = Some(Limit::a_minute(120));
    type Output = Answer<Tokens>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Answer<Tokens>, Error> {
        answer::answer(issue(cx, &self).await)
    }
}

async fn issue(cx: &mut Cx<'_>, asked: &IssueToken) -> Result<Tokens, Stop> {
    match GrantType::named(required(asked.grant_type.as_deref(), "grant_type is missing")?) {
        Some(GrantType::AuthorizationCode) => exchange::run(cx, asked).await,
        Some(GrantType::RefreshToken) => refresh::run(cx, asked).await,
        Some(GrantType::DeviceCode) => device::exchange(cx, asked).await,
        None => refuse(
            FaultCode::UnsupportedGrantType,
            "grant_type is authorization_code, refresh_token or urn:ietf:params:oauth:grant-type:device_code",
        ),
    }
}

/// A parameter that a request cannot do without.
pub(super) fn required<'a>(parameter: Option<&'a str>, missing: &'static str) -> Result<&'a str, Stop> {
    parameter.map_or_else(|| refuse(FaultCode::InvalidRequest, missing), Ok)
}
