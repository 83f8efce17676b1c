//! What is asked of the token endpoint, and what it gives.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
