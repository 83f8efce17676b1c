//! The token endpoint (RFC 6749, 3.2): one operation, whatever is exchanged.

use cms_domain::access::Access;
use cms_frame::{
    Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};

use super::{
    Answer, FaultCode, SCOPE,
    answer::{self, Stop, bounded, refuse, required},
    client::GrantType,
    device, exchange, origin, refresh,
    token_request::{IssueToken, Tokens},
};

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
    // Whatever is exchanged, and before anything is spent.
    origin::check_resource(cx, asked.resource.as_deref())?;
    bounded(asked.scope.as_deref(), SCOPE, "scope has at most 2000 characters")?;
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
