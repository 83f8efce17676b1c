//! The server's word for people who are nobody yet, or need not be anybody, by what they brought. Nowhere else does this area act as the server.

use cms_domain::access::{Actor, Permit, Purpose, to};
use cms_frame::Error;
use cms_storage::{GrantToken, Link, StoredClient};

use crate::{enter_by_provider::Told, oauth::Granted, passkey_sign_in::Signature, registration::Registered};

/// What the server gives its word by, and what for. Nobody has one before it was checked, and those that are good once are spent then.
pub(crate) trait Evidence<P> {}

/// Its secret was sent to somebody, and came back.
impl Evidence<to::Account> for Link {}
/// A passkey that signed what it was asked to.
impl Evidence<to::Account> for Signature {}
/// A new passkey, made for the purpose that lets it and the account be made: an invitation, a sign-up, the setup.
impl Evidence<to::Account> for Registered {}
impl Evidence<to::ManageUsers> for Registered {}
/// The word of a provider, for whom the site lets in.
impl Evidence<to::Account> for Told {}
impl Evidence<to::ManageUsers> for Told {}
/// What a user granted, by a code that was spent.
impl Evidence<to::Account> for Granted {}
/// A refresh token that was spent.
impl Evidence<to::Account> for GrantToken {}
/// An application that describes itself gets nothing by being known: users decide what they grant it.
impl Evidence<to::ManageConnections> for StoredClient {}

/// Permits what somebody brought the evidence for.
pub(crate) fn by<P: Purpose>(_: &impl Evidence<P>, purpose: P) -> Result<Permit<P>, Error> {
    Ok(Actor::System.permit(purpose)?)
}

/// Permits the server to note something for itself, whoever asks: nobody else writes settings.
pub(crate) fn note() -> Result<Permit<to::KeepSettings>, Error> {
    Ok(Actor::System.permit(to::KeepSettings)?)
}
