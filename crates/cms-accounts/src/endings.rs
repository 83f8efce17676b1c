//! What ends when somebody is to be out: sessions, what these began, and what was handed out.
//!
//! Whoever ends a session does not trust whoever has it. So nothing that it began may be finished without it.

use cms_domain::{
    access::{Permit, to},
    event::Event,
    id::SessionId,
    user::User,
};
use cms_frame::{Cx, Error};
use cms_storage::LinkKind;

/// How much ended with sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SignedOut {
    /// How many sessions.
    pub(crate) sessions: u64,
    /// How many addresses that waited to be confirmed.
    pub(crate) addresses: u64,
}

/// Signs a user out everywhere but in one session, and ends what sessions of theirs began.
pub(crate) async fn sign_out(cx: &mut Cx<'_>, permit: &Permit<to::Account>, but: Option<SessionId>) -> Result<SignedOut, Error> {
    // Whoever asks for another address takes the user as well: of the two the later one sees what the earlier one did.
    cx.tx().await?.users().lock(permit.account()).await?;
    let sessions = cx.tx().await?.sessions().delete_all(permit, but).await?;
    let addresses = begun(cx, permit).await?;
    Ok(SignedOut { sessions, addresses })
}

/// Ends what sessions of a user began and somebody could finish without them: an address that waits to be confirmed, applications
/// and devices that were approved and have not fetched their tokens, and whatever a browser was asked. Counts the addresses.
///
/// What is finished stays: passkeys, connections, access tokens and applications are in lists, where each can be ended. So does the
/// link to refuse another address, because it takes nothing but access away.
pub(crate) async fn begun(cx: &mut Cx<'_>, permit: &Permit<to::Account>) -> Result<u64, Error> {
    let user = permit.account();
    let tx = cx.tx().await?;
    let addresses = tx.links().delete_kind_for_user(permit, LinkKind::EmailChange).await?;
    tx.oauth_grants().delete_approved(permit).await?;
    tx.challenges().delete_for_user(user).await?;
    cx.emit(Event::SignedOut { user });
    Ok(addresses)
}

/// Has a user be out until they are let in again: ends sessions, what these began, and links that were sent to them. Access tokens, what
/// applications were granted, preview links, and links that they had sent to others sleep meanwhile: whoever reads one asks whether its user is disabled.
pub(crate) async fn suspend(cx: &mut Cx<'_>, permit: &Permit<to::Account>, user: &User) -> Result<(), Error> {
    sign_out(cx, permit, None).await?;
    cx.tx().await?.links().delete_for_user(permit, &user.email).await?;
    Ok(())
}

/// Ends what sleeps while a user is disabled.
pub(crate) async fn end_sleeping(cx: &mut Cx<'_>, permit: &Permit<to::Account>) -> Result<(), Error> {
    let tx = cx.tx().await?;
    tx.tokens().delete_all(permit).await?;
    tx.oauth_grants().delete_for_user(permit).await?;
    tx.links().delete_by_inviter(permit).await?;
    tx.previews().delete_by_maker(permit).await?;
    cx.emit(Event::SignedOut { user: permit.account() });
    Ok(())
}
