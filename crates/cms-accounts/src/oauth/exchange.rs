//! Exchanges an authorization code for tokens (RFC 6749, 4.1.3).

use cms_auth::token;
use cms_frame::Cx;
use cms_storage::StoredCode;

use super::{
    FaultCode,
    answer::{Stop, refuse, required},
    client::{self, GrantType},
    issue::{self, Granted},
    pkce,
    token_request::{IssueToken, Tokens},
};

/// Exchanges a code. Whoever sends it spends it, right or wrong: a code that others have seen is no proof any more.
pub(super) async fn run(cx: &mut Cx<'_>, asked: &IssueToken) -> Result<Tokens, Stop> {
    let client = client::of_request(cx, asked.client_id.as_deref(), GrantType::AuthorizationCode).await?;
    let code = required(asked.code.as_deref(), "code is missing")?;
    let verifier = required(asked.code_verifier.as_deref(), "code_verifier is missing: every request proves who began it")?;
    if !token::is_plausible("", code) {
        return not_good();
    }
    let (hash, id) = (token::hash(code), cx.new_id());
    let Some(approved) = cx.tx().await?.oauth_codes().spend(&hash, id).await? else {
        if let Some(given) = cx.tx().await?.oauth_codes().spent_for(&hash).await? {
            issue::end_stolen(cx, given).await?;
        }
        return not_good();
    };
    let StoredCode { client: sent_to, user, redirect_uri, scopes, challenge, resource, expires_at, .. } = approved;
    let same_address = asked.redirect_uri.as_ref().is_none_or(|asked| *asked == redirect_uri);
    if expires_at <= cx.now() || sent_to != client.id || !same_address || !pkce::proves(verifier, &challenge) {
        return not_good();
    }
    let resource = match (resource, asked.resource.clone()) {
        (Some(granted), Some(asked)) if granted != asked => {
            return refuse(FaultCode::InvalidTarget, "the code was granted for another resource");
        }
        (granted, asked) => granted.or(asked),
    };
    issue::begin(cx, id, &client, Granted { user, scopes, resource }).await
}

/// One answer whatever was wrong: whoever tries what they found learns nothing.
fn not_good<T>() -> Result<T, Stop> {
    refuse(FaultCode::InvalidGrant, "the code is not good: it is unknown, used, expired, or for another client, address or verifier")
}
