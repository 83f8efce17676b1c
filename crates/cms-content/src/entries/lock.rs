//! Edit locks: taking, seeing and giving back the lease on an entry.

use cms_domain::{
    access::Access,
    bounded::Bounded,
    collection::Collection,
    locale::Locale,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{ENTRY, Failures},
    operation::{Http, Operation, Tool},
};
use cms_storage::{EditLock, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    EDIT, READ_DRAFTS,
    lease::{self, Holder},
    target::Target,
};

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

impl Operation for GetLock {
    const ID: &'static str = "content.get_lock";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("getEntryLock", "/content/{collection}/{id}/lock");
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY];
    type Output = LockState;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LockState, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        let lease = lease::current(cx, entry.id).await?;
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
    const FAILURES: Failures = &[ENTRY, &[Code::EntryLocked]];
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
            expires_at: now.after(lease::LIFE),
        };
        let locks = cx.tx().await?.locks();
        if self.takeover {
            locks.take_over(&wanted).await?;
            return state(cx, &collection, Some(wanted)).await;
        }
        let held = locks.acquire(&wanted).await?;
        if held.user != user {
            return Err(lease::locked(cx, &held).await?);
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
    const FAILURES: Failures = &[ENTRY];
    type Output = LockState;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LockState, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.lock(cx, Trash::Exclude).await?;
        let held = lease::current(cx, entry.id).await?;
        // Whoever holds it can always give it back, also when the entry is not theirs to change any more.
        if held.is_none_or(|held| Some(held.user) != cx.actor().user()) {
            cx.permit_owned(&entry)?;
        }
        if let Some(user) = cx.actor().user() {
            cx.tx().await?.locks().release(entry.id, user, self.token.as_ref().map(SessionToken::as_str)).await?;
        }
        let left = lease::current(cx, entry.id).await?;
        state(cx, &collection, left).await
    }
}

async fn state(cx: &Cx<'_>, collection: &Collection, held: Option<EditLock>) -> Result<LockState, Error> {
    if !collection.edit_locking {
        return Ok(LockState { enabled: false, held_by_caller: false, holder: None });
    }
    let held_by_caller = held.as_ref().is_some_and(|held| Some(held.user) == cx.actor().user());
    let holder = match &held {
        Some(held) => Some(lease::holder(cx, held).await?),
        None => None,
    };
    Ok(LockState { enabled: true, held_by_caller, holder })
}
