//! The lease on an entry: for a few minutes it tells editors who is at work there. It never replaces `_rev`.

use std::time::Duration;

use cms_domain::{
    collection::Collection,
    entry::Entry,
    id::{EntryId, UserId},
    time::Timestamp,
    user::User,
};
use cms_frame::{Code, Cx, Door, Error};
use cms_storage::EditLock;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// How long a lease is held unless it is extended.
pub const LIFE: Duration = Duration::from_mins(7);

/// Who holds a lease, and how long.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The user.
    pub user_id: UserId,
    /// The user's name, or address where there is no name.
    pub user_name: String,
    /// When the lease was taken.
    pub acquired_at: Timestamp,
    /// When the lease ends unless it is extended.
    pub expires_at: Timestamp,
}

impl Holder {
    /// Who holds a lease, whose name is known.
    pub(super) fn of(held: &EditLock, user_name: &str) -> Self {
        Self { user_id: held.user, user_name: user_name.to_owned(), acquired_at: held.acquired_at, expires_at: held.expires_at }
    }
}

/// Whether leases bind the caller: they bind editors, who come by the REST door. Agents are not subject to them.
pub(super) fn binds(cx: &Cx<'_>) -> bool {
    cx.door() == Door::Rest
}

/// Refuses a change while another user holds the lease, if it is by whom leases bind.
pub(super) async fn admit(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
    if binds(cx) { heed(cx, collection, entry).await } else { Ok(()) }
}

/// Refuses a change while another user holds the lease.
pub(super) async fn heed(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
    if !collection.edit_locking {
        return Ok(());
    }
    match current(cx, entry.id).await? {
        Some(held) if Some(held.user) != cx.actor().user() => Err(locked(cx, &held).await?),
        _ => Ok(()),
    }
}

/// Extends the lease of a caller who holds it.
pub(super) async fn extend(cx: &mut Cx<'_>, collection: &Collection, entry: EntryId) -> Result<(), Error> {
    let now = cx.now();
    let Some(user) = cx.actor().user().filter(|_| collection.edit_locking) else { return Ok(()) };
    cx.tx().await?.extend_lock(entry, user, now, now.after(LIFE));
    Ok(())
}

/// The lease on an entry, if it has not ended.
pub(super) async fn current(cx: &Cx<'_>, entry: EntryId) -> Result<Option<EditLock>, Error> {
    Ok(cx.read().locks().get(entry, cx.now()).await?)
}

/// Who holds a lease, by name.
pub(super) async fn holder(cx: &Cx<'_>, held: &EditLock) -> Result<Holder, Error> {
    let user = cx.read().users().by_id(held.user).await?;
    Ok(Holder::of(held, user.as_ref().map(User::known_as).unwrap_or_default()))
}

/// The refusal that names the holder.
pub(super) async fn locked(cx: &Cx<'_>, held: &EditLock) -> Result<Error, Error> {
    Ok(Error::new(Code::EntryLocked).details(json!({ "holder": holder(cx, held).await? })))
}
