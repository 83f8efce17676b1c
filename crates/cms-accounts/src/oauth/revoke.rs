//! Gives tokens back (RFC 7009).

use cms_auth::token;
use cms_domain::{access::Access, event::Event};
use cms_frame::{
    Cx, Error,
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::TokenKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    Answer, FaultCode,
    answer::{self, Stop, refuse, required},
};

/// Revoke a token.
///
/// An access token ends alone; with a refresh token everything ends that was granted with it. A token that is not known is no
/// error: it is as gone as its sender wants it (RFC 7009, 2.2).
#[derive(Clone, Default, Deserialize, JsonSchema)]
pub struct RevokeGrantedToken {
    /// The token.
    pub token: Option<String>,
    /// What sort of token its sender thinks it is. Every sort is looked for anyway.
    pub token_type_hint: Option<String>,
    /// The application. Whoever has the token may leave it out; another one's is refused.
    pub client_id: Option<String>,
}

/// The token is gone.
#[derive(Clone, Serialize, JsonSchema)]
pub struct TokenRevoked {}

impl Operation for RevokeGrantedToken {
    const ID: &'static str = "oauth.revoke";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(Limit::ASK);
    type Output = Answer<TokenRevoked>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Answer<TokenRevoked>, Error> {
        answer::answer(revoke(cx, &self).await)
    }
}

async fn revoke(cx: &mut Cx<'_>, asked: &RevokeGrantedToken) -> Result<TokenRevoked, Stop> {
    let sent = required(asked.token.as_deref(), "token is missing")?;
    let hash = token::hash(sent);
    for kind in [TokenKind::Refresh, TokenKind::Access] {
        let Some(held) = cx.tx().await?.reader().oauth_grants().token(&hash, kind).await? else { continue };
        if asked.client_id.as_ref().is_some_and(|client| *client != held.grant.client) {
            return refuse(FaultCode::UnauthorizedClient, "the token is of another client");
        }
        let grants = cx.tx().await?.oauth_grants();
        match kind {
            TokenKind::Refresh => grants.delete(held.grant.id).await?.is_some(),
            TokenKind::Access => grants.delete_token(&hash).await?,
        };
        cx.emit(Event::SignedOut { user: held.user.id });
        let whole = kind == TokenKind::Refresh;
        cx.audit_as(Some(held.user.id), "oauth_grant", held.grant.id, &json!({ "client": held.grant.client, "whole": whole }));
        break;
    }
    Ok(TokenRevoked {})
}
