//! Whether a user can sign in at all.

use cms_domain::user::User;

use crate::{Cx, Error};

/// Whether a user has a way to sign in, disabled or not: a passkey, an account at a provider that the site has, or mail. Behind a gateway
/// everybody has one, which is not ours to end.
pub(super) async fn has_any(cx: &Cx<'_>, user: &User) -> Result<bool, Error> {
    let services = cx.cms().services();
    if services.gateway.is_some() || (services.mail.is_some() && !user.email.is_placeholder()) {
        return Ok(true);
    }
    if !cx.read().passkeys().for_user(user.id).await?.is_empty() {
        return Ok(true);
    }
    let connections = cx.read().connections().for_user(user.id).await?;
    Ok(connections.iter().any(|connection| services.providers.of(connection).is_some()))
}
