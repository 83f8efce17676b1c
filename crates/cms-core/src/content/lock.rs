//! Edit locks: a lease of a few minutes that tells editors who is at work on an entry. It never replaces `_rev`.

use std::time::Duration;

use cms_domain::{
    access::Access,
    bounded::Bounded,
    collection::Collection,
    entry::Entry,
    id::{EntryId, UserId},
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_storage::{EditLock, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{EDIT, READ_DRAFTS, target::Target};
use crate::{
    Code, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};

/// How long a lease is held unless it is extended.
pub const LEASE: Duration = Duration::from_mins(7);
/// Names an editing session.
pub type SessionToken = Bounded<1, 200>;

/// Show who is editing an entry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetLock {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
}

/// Who is editing an entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LockState {
    /// Whether the collection has edit locks.
    pub enabled: bool,
    /// Whether the caller holds the lease.
    pub held_by_caller: bool,
    /// Who holds the lease; null when nobody does.
    pub holder: Option<Holder>,
}

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

impl Operation for GetLock {
    const ID: &'static str = "content.get_lock";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("getEntryLock", "/content/{collection}/{id}/lock");
    const TOOL: Tool = Tool::Hidden;
    type Output = LockState;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LockState, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        let lease = lease(cx, entry.id).await?;
        state(cx, &collection, lease).await
    }
}

/// Take the edit lease of an entry, or extend it.
///
/// The lease is held for 7 minutes. Each save by its holder extends it, and so does taking it again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcquireLock {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Names one editing session, so that another tab of the same user cannot release the lease.
    pub token: Option<SessionToken>,
    /// Whether to replace the lease of another user or session.
    #[serde(default)]
    pub takeover: bool,
}

impl Operation for AcquireLock {
    const ID: &'static str = "content.acquire_lock";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("acquireEntryLock", "/content/{collection}/{id}/lock").query(&["locale"]);
    const TOOL: Tool = Tool::Hidden;
    type Output = LockState;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LockState, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        cx.permit_owned(&entry)?;
        let Some(user) = cx.actor().user().filter(|_| collection.edit_locking) else {
            return state(cx, &collection, None).await;
        };
        let now = cx.now();
        let wanted = EditLock {
            entry: entry.id,
            user,
            token: self.token.map(SessionToken::into_string),
            acquired_at: now,
            expires_at: now.after(LEASE),
        };
        let locks = cx.tx().await?.locks();
        if self.takeover {
            locks.take_over(&wanted).await?;
            return state(cx, &collection, Some(wanted)).await;
        }
        let held = locks.acquire(&wanted).await?;
        if held.user != user {
            return Err(locked(cx, &held).await?);
        }
        state(cx, &collection, Some(held)).await
    }
}

/// Give the edit lease of an entry back.
///
/// Only its holder can, and only with the token that it was taken with. Without a lease there is nothing to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReleaseLock {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// The token that the lease was taken with, if it was taken with one.
    pub token: Option<SessionToken>,
}

impl Operation for ReleaseLock {
    const ID: &'static str = "content.release_lock";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::delete("releaseEntryLock", "/content/{collection}/{id}/lock");
    const TOOL: Tool = Tool::Hidden;
    type Output = LockState;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LockState, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        cx.permit_owned(&entry)?;
        if let Some(user) = cx.actor().user() {
            cx.tx().await?.locks().release(entry.id, user, self.token.as_ref().map(SessionToken::as_str)).await?;
        }
        let left = lease(cx, entry.id).await?;
        state(cx, &collection, left).await
    }
}

/// Refuses a change while another user holds the lease. Leases bind the editors at the REST door; agents are not subject to them.
pub(super) async fn admit(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
    if cx.door() != Door::Rest || !collection.edit_locking {
        return Ok(());
    }
    match lease(cx, entry.id).await? {
        Some(held) if Some(held.user) != cx.actor().user() => Err(locked(cx, &held).await?),
        _ => Ok(()),
    }
}

/// Extends the lease of a caller who holds it.
pub(super) async fn extend(cx: &mut Cx<'_>, collection: &Collection, entry: EntryId) -> Result<(), Error> {
    let now = cx.now();
    let Some(user) = cx.actor().user().filter(|_| collection.edit_locking) else { return Ok(()) };
    cx.tx().await?.locks().extend(entry, user, now, now.after(LEASE)).await?;
    Ok(())
}

/// The lease on an entry, if it has not ended.
async fn lease(cx: &Cx<'_>, entry: EntryId) -> Result<Option<EditLock>, Error> {
    Ok(cx.read().locks().get(entry, cx.now()).await?)
}

async fn holder(cx: &Cx<'_>, held: &EditLock) -> Result<Holder, Error> {
    let user = cx.read().users().by_id(held.user).await?;
    let user_name = user.map(|user| user.name.unwrap_or_else(|| user.email.as_str().to_owned())).unwrap_or_default();
    Ok(Holder { user_id: held.user, user_name, acquired_at: held.acquired_at, expires_at: held.expires_at })
}

async fn locked(cx: &Cx<'_>, held: &EditLock) -> Result<Error, Error> {
    Ok(Error::new(Code::EntryLocked).details(json!({ "holder": holder(cx, held).await? })))
}

async fn state(cx: &Cx<'_>, collection: &Collection, held: Option<EditLock>) -> Result<LockState, Error> {
    if !collection.edit_locking {
        return Ok(LockState { enabled: false, held_by_caller: false, holder: None });
    }
    let held_by_caller = held.as_ref().is_some_and(|held| Some(held.user) == cx.actor().user());
    let holder = match &held {
        Some(held) => Some(holder(cx, held).await?),
        None => None,
    };
    Ok(LockState { enabled: true, held_by_caller, holder })
}
