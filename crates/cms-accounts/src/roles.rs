//! What a user may do, and whether they are locked out: the one place that changes it, and knows the rules.

use cms_domain::{
    access::{Permission, Refusal, to},
    event::Event,
    id::UserId,
    user::{Role, User},
};
use cms_frame::{Code, Cx, Error};
use serde_json::{Value, json};

use crate::{endings, notices};

/// A user before and after a change.
pub(crate) struct Changed {
    /// As they were.
    pub(crate) before: User,
    /// As they are now.
    pub(crate) after: User,
}

impl Changed {
    /// Whether they are disabled, before and after, for the audit log.
    pub(crate) fn disabled(&self) -> Value {
        json!({ "disabled": { "from": self.before.disabled, "to": self.after.disabled } })
    }
}

/// Changes a user for somebody who manages users.
///
/// Nobody changes their own role or locks themselves out, and at least one admin is left who is not locked out. Of two admins
/// who demote each other at once, one is too late. An address that somebody else put there is not confirmed. Who is disabled is signed out
/// everywhere; what programs hold of theirs, and what they had sent to others, sleeps, and ends when they are enabled again. What
/// somebody had sent to others ends with the role that let them send it. A program may take access away, but not widen it.
pub(crate) async fn change(cx: &mut Cx<'_>, id: UserId, change: impl FnOnce(&mut User)) -> Result<Changed, Error> {
    let change = |user: &mut User| {
        change(user);
        Ok(())
    };
    change_and(cx, id, Slept::Ends, change).await
}

/// What becomes of what slept while a user was disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slept {
    /// It ends when they are enabled.
    Ends,
    /// It wakes.
    Wakes,
}

/// The same, for somebody who says what becomes of what slept, and may refuse the change when they see the user.
pub(crate) async fn change_and(
    cx: &mut Cx<'_>,
    id: UserId,
    slept: Slept,
    change: impl FnOnce(&mut User) -> Result<(), Error>,
) -> Result<Changed, Error> {
    let (permit, account) = (cx.permit(to::ManageUsers)?, cx.permit(to::Account(id))?);
    let (actor, now) = (cx.actor().user(), cx.now());
    let (admins, before) = lock(cx, id).await?;
    let mut after = before.clone();
    change(&mut after)?;
    if after == before {
        return Ok(Changed { before, after });
    }
    if widens(&before, &after) {
        cx.actor().in_person()?;
    }
    if actor == Some(id) && (after.role != before.role || after.disabled) {
        return Err(Error::new(Code::SelfRoleChange));
    }
    if is_admin(&before) && !is_admin(&after) && admins.iter().all(|admin| *admin == id) {
        return Err(Error::new(Code::LastAdmin));
    }
    if after.email != before.email {
        after.email_verified = false;
        cx.tx().await?.links().delete_for_user(&account, &before.email).await?;
    }
    after.updated_at = now.later_than(before.updated_at);
    cx.tx().await?.users().update(&permit, &after).await?;
    if after.disabled != before.disabled {
        // Also when they are let in again: what began while they were being locked out must not come to life.
        endings::suspend(cx, &account, &before).await?;
        if !after.disabled && slept == Slept::Ends {
            endings::end_sleeping(cx, &account).await?;
        }
    }
    if after.role < before.role && after.role < Permission::UsersInvite.least_role() {
        // Only who may invite and manage users makes links for others, whatever the link gives.
        cx.tx().await?.links().delete_by_inviter(&account).await?;
    }
    cx.emit(Event::User { user: id });
    notices::tell_of_change(cx, &before, &after).await?;
    Ok(Changed { before, after })
}

/// A user, and before them the admins who are not locked out, for somebody who manages users: nobody makes any of them anything else
/// before the transaction ends.
pub(crate) async fn lock(cx: &mut Cx<'_>, id: UserId) -> Result<(Vec<UserId>, User), Error> {
    let actor = cx.actor().user();
    let users = cx.tx().await?.users();
    // Admins first, and in one order: transactions that take several users do not wait for each other crosswise.
    let admins = users.lock_admins().await?;
    if actor.is_some_and(|actor| !admins.contains(&actor)) {
        // They were one when the request came in.
        return Err(Refusal::Permission(Permission::UsersManage).into());
    }
    let user = users.lock(id).await?.ok_or_else(no_user)?;
    Ok((admins, user))
}

/// Refuses a caller who lost a permission since their request came in. Nobody takes it from them before the transaction ends.
pub(crate) async fn caller_still_may(cx: &mut Cx<'_>, permission: Permission) -> Result<(), Error> {
    let Some(id) = cx.actor().user() else {
        cx.permit(permission)?;
        return Ok(());
    };
    let caller = cx.tx().await?.users().lock(id).await?;
    if caller.is_some_and(|caller| holds(&caller, permission)) { Ok(()) } else { Err(Refusal::Permission(permission).into()) }
}

/// Whether a user, as they are now, may do something.
pub(crate) fn holds(user: &User, permission: Permission) -> bool {
    !user.disabled && user.role >= permission.least_role()
}

/// Whether a change gives somebody more access than they had. An address is a way to sign in: whoever sets it may be letting in anybody.
fn widens(before: &User, after: &User) -> bool {
    after.role > before.role || (before.disabled && !after.disabled) || after.email != before.email
}

fn is_admin(user: &User) -> bool {
    user.role == Role::Admin && !user.disabled
}

/// There is no user with the id.
pub fn no_user() -> Error {
    Error::with(Code::NotFound, "there is no such user")
}
