//! Exchanges a refresh token for new tokens, and for its successor (RFC 6749, 6).
//!
//! Each is good once (RFC 9700, 4.14.2). There is no window in which a used one is taken again: a thief who is quick could
//! use it as well as a client whose answer was lost. That client asks its user again.

use cms_auth::token;
use cms_domain::access::to;
use cms_frame::Cx;
use cms_storage::TokenKind;

use super::{
    FaultCode,
    answer::{Stop, refuse, required},
    client::{self, GrantType},
    issue, scopes,
    token_request::{IssueToken, Tokens},
};
use crate::vouched;

/// Exchanges a refresh token.
pub(super) async fn run(cx: &mut Cx<'_>, asked: &IssueToken) -> Result<Tokens, Stop> {
    let client = client::of_request(cx, asked.client_id.as_deref(), GrantType::RefreshToken).await?;
    let sent = required(asked.refresh_token.as_deref(), "refresh_token is missing")?;
    if !token::is_plausible(cx.product().refresh_token_prefix.as_str(), sent) {
        return not_good();
    }
    let (hash, now) = (token::hash(sent), cx.now());
    let Some(held) = cx.tx().await?.reader().oauth_grants().token(&hash, TokenKind::Refresh).await? else { return not_good() };
    let end = held.expires_at.min(super::end(&cx.options().policies, held.grant.created_at));
    if held.grant.client != client.id || end <= now {
        return not_good();
    }
    if held.user.disabled {
        // The grant sleeps: enabling its user decides whether it wakes.
        return not_good();
    }
    if held.spent_at.is_some() {
        issue::end_stolen(cx, held.grant.id).await?;
        return not_good();
    }
    // What else is wrong with a request costs nobody their token.
    if asked.scope.as_deref().is_some_and(|scope| !scopes::asked(Some(scope), &held.grant.scopes).is_subset(&held.grant.scopes)) {
        return refuse(FaultCode::InvalidScope, "a refresh token gives no more than was granted");
    }
    if asked.resource.is_some() && held.grant.resource.is_some() && asked.resource != held.grant.resource {
        return refuse(FaultCode::InvalidTarget, "the grant is for another resource");
    }
    let scopes = scopes::held_to(&held.grant.scopes, client.scopes.as_ref(), held.user.role);
    if scopes.is_empty() {
        return refuse(FaultCode::InvalidScope, "the role of the user no longer allows any of the scopes");
    }
    // Another request may have been quicker since.
    if !cx.tx().await?.oauth_grants().spend(&hash, now).await? {
        issue::end_stolen(cx, held.grant.id).await?;
        return not_good();
    }
    let permit = vouched::by(&held, to::Account(held.user.id))?;
    Ok(issue::tokens(cx, &permit, &client, &held.grant, &scopes).await?)
}

/// One answer whatever was wrong.
fn not_good<T>() -> Result<T, Stop> {
    refuse(FaultCode::InvalidGrant, "the refresh token is not good: it is unknown, used, expired or revoked, or for another client")
}
