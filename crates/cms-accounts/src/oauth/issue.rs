//! Makes tokens for what was granted, and ends what must not go on.

use cms_auth::token::NewToken;
use cms_domain::{
    access::{Permit, Scopes, to},
    event::Event,
    id::{GrantId, UserId},
    user::User,
};
use cms_frame::{Cx, Error};
use cms_storage::{StoredClient, StoredGrant, TokenKind};
use serde_json::json;

use super::{
    ACCESS_LIFE, FaultCode, REFRESH_LIFE,
    answer::{Stop, refuse},
    client::GrantType,
    scopes,
    token_request::Tokens,
};
use crate::vouched;

/// What a user granted, and an application is about to get.
pub(crate) struct Granted {
    /// Whose rights.
    pub(super) user: UserId,
    /// What was approved.
    pub(super) scopes: Scopes,
    /// The resource that the application named.
    pub(super) resource: Option<String>,
}

/// Makes a grant and its first tokens. The user and their role are looked up again: much can happen between a click and a request.
pub(super) async fn begin(cx: &mut Cx<'_>, id: GrantId, client: &StoredClient, granted: Granted) -> Result<Tokens, Stop> {
    let now = cx.now();
    let permit = vouched::by(&granted, to::Account(granted.user))?;
    let user = enabled(cx.read().users().by_id(granted.user).await?)?;
    let scopes = scopes::held_to(&granted.scopes, client.scopes.as_ref(), user.role);
    if scopes.is_empty() {
        return refuse(FaultCode::InvalidScope, "the role of the user no longer allows any of the scopes");
    }
    let grant = StoredGrant {
        id,
        client: client.id.clone(),
        user: user.id,
        scopes,
        resource: granted.resource,
        created_at: now,
        last_used_at: None,
    };
    let tx = cx.tx().await?;
    tx.oauth_grants().insert(&permit, &grant).await?;
    tx.oauth_clients().used(&client.id, now).await?;
    Ok(tokens(cx, &permit, client, &grant, &grant.scopes).await?)
}

/// New tokens of a grant, for the scopes that are left of it.
pub(super) async fn tokens(
    cx: &mut Cx<'_>,
    permit: &Permit<to::Account>,
    client: &StoredClient,
    grant: &StoredGrant,
    scopes: &Scopes,
) -> Result<Tokens, Error> {
    let now = cx.now();
    let end = super::end(&cx.options().policies, grant.created_at);
    let access_end = now.after(ACCESS_LIFE).min(end);
    let access = NewToken::make(cx.product().access_token_prefix.as_str())?;
    let may_refresh = GrantType::RefreshToken.is_of(client);
    let refresh = may_refresh.then(|| NewToken::make(cx.product().refresh_token_prefix.as_str())).transpose()?;
    let tx = cx.tx().await?;
    tx.oauth_grants().insert_token(permit, grant.id, TokenKind::Access, &access.hash, now, access_end).await?;
    if let Some(refresh) = &refresh {
        tx.oauth_grants().insert_token(permit, grant.id, TokenKind::Refresh, &refresh.hash, now, now.after(REFRESH_LIFE).min(end)).await?;
    }
    cx.audit_as(Some(grant.user), "oauth_grant", grant.id, &json!({ "client": client.id, "scopes": scopes }));
    Ok(Tokens {
        access_token: access.text,
        token_type: "Bearer",
        expires_in: now.until(access_end).as_secs(),
        refresh_token: refresh.map(|refresh| refresh.text),
        scope: scopes::text(scopes),
    })
}

/// The user, if they may still act.
pub(super) fn enabled(user: Option<User>) -> Result<User, Stop> {
    match user {
        Some(user) if !user.disabled => Ok(user),
        _ => refuse(FaultCode::InvalidGrant, "the account is disabled"),
    }
}

/// Ends a grant whose secret came a second time: either this or the first sender stole it, and nobody can tell which
/// (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
pub(super) async fn end_stolen(cx: &mut Cx<'_>, id: GrantId) -> Result<(), Error> {
    if let Some(user) = cx.tx().await?.oauth_grants().delete(id).await? {
        cx.emit(Event::SignedOut { user });
        cx.audit_as(None, "oauth_grant", id, &json!({ "user": user, "ended": "a code or refresh token was used twice" }));
    }
    Ok(())
}
