//! Telling people by mail of changes to what opens their account: the one place that decides whom, when, and how often.
//!
//! Nobody switches these letters off for themselves, or whoever has their session would do it first. They hold no secret.

use std::time::Duration;

use cms_domain::{
    access::Actor,
    id::UserId,
    user::{Email, User},
};
use cms_frame::{Cx, Error, operation::Limit};

use crate::{
    Services,
    mail::{
        self,
        letters::Writer,
        notices::{Origin, Told, place},
    },
};

pub(crate) use crate::mail::notices::Notice;

/// How many letters of one sort somebody gets in an hour: nobody does anything of it oftener, and a stolen session fills no post box. The
/// last one says that it is the last.
const LETTERS: Limit = Limit { times: 10, within: Duration::from_hours(1) };

/// Tells the owner of an account what happened to it, once the operation succeeded. Of a change of address both addresses are told.
pub(crate) async fn tell(cx: &mut Cx<'_>, user: UserId, notice: Notice<'_>) -> Result<(), Error> {
    if Services::of(cx.cms()).mail.is_none() || !cx.options().policies.security_notices {
        return Ok(());
    }
    let now = cx.now();
    let tx = cx.tx().await?;
    let Some(owner) = tx.reader().users().by_id(user).await? else { return Ok(()) };
    // Counted with the operation: what did not happen is not told of.
    let (count, _) = tx.rate_limits().count(&format!("notice {} {user}", notice.sort()), LETTERS.within, now).await?;
    if count > i64::from(LETTERS.times) {
        tracing::warn!(%user, notice = notice.sort(), "a user is not told of a change: they were told of too many");
        return Ok(());
    }
    let origin = match cx.actor() {
        Actor::System => Origin::Operator,
        Actor::User(caller) if caller.user != user => Origin::Admin,
        Actor::User(_) | Actor::Anonymous => Origin::Here(place(cx.client())),
    };
    let page = cx.product().admin_page("account/security");
    let told = Told { notice, at: now, origin, page, last: count == i64::from(LETTERS.times) };
    let writer = Writer::of(cx).await?;
    for to in addresses(&owner, notice) {
        mail::post_afterwards(cx, writer.notice(to, &told)?);
    }
    Ok(())
}

/// Tells of what changed of a user that decides how their account opens and what it opens.
pub(crate) async fn tell_of_change(cx: &mut Cx<'_>, before: &User, after: &User) -> Result<(), Error> {
    if after.email != before.email {
        tell(cx, after.id, Notice::AddressChanged { from: &before.email, to: &after.email }).await?;
    }
    if after.role != before.role {
        tell(cx, after.id, Notice::RoleChanged { from: before.role, to: after.role }).await?;
    }
    Ok(())
}

/// Where the letters go. Addresses that stand for none get none.
fn addresses(owner: &User, notice: Notice<'_>) -> Vec<Email> {
    let before = match notice {
        Notice::AddressChanged { from, .. } => Some(from.clone()),
        _ => None,
    };
    before.into_iter().chain([owner.email.clone()]).filter(|email| !email.is_placeholder()).collect()
}
