//! What a user may do, and whether they are locked out: the one place that changes it, and knows the rules.

use cms_domain::{
    access::{Permission, Refusal},
    event::Event,
    id::UserId,
    user::{Role, User},
};

use super::notices;
use crate::{Code, Cx, Error};

/// A user before and after a change.
pub(crate) struct Changed {
    /// As they were.
    pub(crate) before: User,
    /// As they are now.
    pub(crate) after: User,
}

/// Changes a user for somebody who manages users.
///
/// Nobody changes their own role or locks themselves out, and at least one admin is left who is not locked out. Of two admins
/// who demote each other at once, one is too late. An address that somebody else put there is not confirmed. Whoever is locked out
/// loses all that opens the site to them but their ways to sign in; being let in again gives none of it back.
pub(crate) async fn change(cx: &mut Cx<'_>, id: UserId, change: impl FnOnce(&mut User)) -> Result<Changed, Error> {
    let permit = cx.permit(Permission::UsersManage)?;
    let (actor, now) = (cx.actor().user(), cx.now());
    let tx = cx.tx().await?;
    let users = tx.users();
    // Admins first, and in one order: transactions that take several users do not wait for each other crosswise.
    let admins = users.take_admins().await?;
    if actor.is_some_and(|actor| !admins.contains(&actor)) {
        // They were one when the request came in.
        return Err(Refusal::Permission(Permission::UsersManage).into());
    }
    let before = users.take(id).await?.ok_or_else(no_user)?;
    let mut after = before.clone();
    change(&mut after);
    if after == before {
        return Ok(Changed { before, after });
    }
    if actor == Some(id) && (after.role != before.role || after.disabled) {
        return Err(Error::new(Code::SelfRoleChange));
    }
    if is_admin(&before) && !is_admin(&after) && admins.iter().all(|admin| *admin == id) {
        return Err(Error::new(Code::LastAdmin));
    }
    if after.email != before.email {
        after.email_verified = false;
        tx.links().delete_for_user(id, &before.email).await?;
    }
    after.updated_at = now;
    users.update(&permit, &after).await?;
    if after.disabled != before.disabled {
        // Also when they are let in again: what began while they were being locked out must not come to life.
        users.revoke_all(&permit, &before).await?;
        cx.emit(Event::SignedOut { user: id });
    }
    cx.emit(Event::User { user: id });
    notices::tell_of_change(cx, &before, &after).await?;
    Ok(Changed { before, after })
}

fn is_admin(user: &User) -> bool {
    user.role == Role::Admin && !user.disabled
}

/// There is no user with the id.
pub(crate) fn no_user() -> Error {
    Error::with(Code::NotFound, "there is no such user")
}
