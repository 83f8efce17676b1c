//! What a bulk change does to one entry, and how that is taken back.

use std::collections::BTreeMap;

use cms_domain::{
    access::{Access, Permit, to},
    entry::{Command, Entry, Status},
    event::EntryAction,
    id::{EntryId, UserId},
    patch::Patch,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{Code, Cx, Error};
use cms_storage::Trash;
use serde::{Deserialize, Serialize};

use super::{
    DELETE, EDIT, PUBLISH, change::Prepared, hooks, lease, publish::publish, save::Save, schedule::schedule, schedule_unpublish::plan_end,
    siblings, target::Target, update::check_author,
};

/// What is done to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Action {
    Publish,
    Unpublish,
    Schedule { at: Timestamp },
    Unschedule,
    Trash,
    Restore,
    SetAuthor { author: UserId },
}

/// The part of an entry that bulk changes change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct State {
    status: Status,
    has_draft: bool,
    scheduled_at: Option<Timestamp>,
    /// Changes that were made before there was such a time did not know it.
    #[serde(default)]
    unpublish_at: Option<Timestamp>,
    is_trashed: bool,
    author: Option<UserId>,
}

/// What was done to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Done {
    before: State,
    after: State,
    /// The version that it left.
    version: i64,
}

impl State {
    fn of(entry: &Entry) -> Self {
        let lifecycle = &entry.lifecycle;
        Self {
            status: lifecycle.status,
            has_draft: lifecycle.has_draft,
            scheduled_at: lifecycle.scheduled_at,
            unpublish_at: lifecycle.unpublish_at,
            is_trashed: lifecycle.deleted_at.is_some(),
            author: entry.author,
        }
    }
}

impl Action {
    /// What people and programs call it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Publish => "publish",
            Self::Unpublish => "unpublish",
            Self::Schedule { .. } => "schedule",
            Self::Unschedule => "unschedule",
            Self::Trash => "trash",
            Self::Restore => "restore",
            Self::SetAuthor { .. } => "set_author",
        }
    }

    /// Who may do it, as the operation on one entry says.
    pub(super) const fn access(self) -> Access {
        match self {
            Self::Publish | Self::Unpublish | Self::Schedule { .. } | Self::Unschedule => PUBLISH,
            Self::Trash => DELETE,
            Self::Restore | Self::SetAuthor { .. } => EDIT,
        }
    }

    /// Whether an entry stands already as it would stand then.
    fn is_done(self, state: &State) -> bool {
        match self {
            Self::Publish => state.status == Status::Published && !state.has_draft && state.scheduled_at.is_none(),
            Self::Unpublish => state.status == Status::Draft,
            Self::Schedule { at } => state.scheduled_at == Some(at),
            Self::Unschedule => state.scheduled_at.is_none(),
            Self::Trash => state.is_trashed,
            Self::Restore => !state.is_trashed,
            Self::SetAuthor { author } => state.author == Some(author),
        }
    }

    /// Does it, as the operation on one entry does.
    async fn apply(self, cx: &mut Cx<'_>, prepared: &mut Prepared) -> Result<(), Error> {
        match self {
            Self::Publish => publish(cx, prepared, Command::Publish { date: None }).await,
            Self::Unpublish => prepared.command(cx, Command::Unpublish, EntryAction::Unpublished).await,
            Self::Schedule { at } => schedule(cx, prepared, at).await,
            Self::Unschedule => prepared.command(cx, Command::Unschedule, EntryAction::Unscheduled).await,
            Self::Trash => {
                hooks::before_delete(cx, &prepared.collection, &prepared.entry).await?;
                prepared.command(cx, Command::Trash, EntryAction::Trashed).await
            }
            Self::Restore => prepared.command(cx, Command::Restore, EntryAction::Restored).await,
            Self::SetAuthor { author } => give(cx, prepared, Patch::Set(author)).await,
        }
    }
}

/// Gives an entry another owner, or none.
async fn give(cx: &mut Cx<'_>, prepared: &mut Prepared, author: Patch<UserId>) -> Result<(), Error> {
    check_author(cx, &prepared.entry, author).await?;
    let document = prepared.entry.working().clone();
    Save { author, ..Save::of(document) }.apply(cx, prepared).await
}

/// Translations that changed along with an entry, and the versions that they have since.
pub(super) type Along = BTreeMap<EntryId, i64>;

/// An entry that a bulk change is at.
#[derive(Debug, Clone, Copy)]
pub(super) struct One<'a> {
    /// Its collection.
    pub(super) collection: &'a CollectionSlug,
    /// Its id.
    pub(super) entry: EntryId,
    /// Whether other users' leases keep it from being changed.
    pub(super) heeds_locks: bool,
}

impl One<'_> {
    /// Does something to the entry, if it has the version yet that it was seen with; nothing where it stands already as it would stand then. Says which
    /// translations changed along.
    pub(super) async fn change(self, cx: &mut Cx<'_>, action: Action, seen: Option<i64>) -> Result<Option<(Done, Along)>, Error> {
        let id = IdOrSlug::Id(self.entry);
        let target = Target { collection: self.collection, id: &id, locale: None };
        let (collection, entry) = target.read(cx, Trash::Include).await?;
        let before = State::of(&entry);
        let permit = cx.permit_to(action.access(), &entry)?;
        if action.is_done(&before) {
            return Ok(None);
        }
        if before.is_trashed && action != Action::Restore {
            return Err(target.not_found(Trash::Exclude));
        }
        if seen.is_some_and(|seen| seen != entry.version) {
            return Err(Error::with(Code::Conflict, "it was changed since it was listed"));
        }
        let mut prepared = self.prepared(cx, Prepared::of(collection, entry, permit)).await?;
        // Who named no version is not told of others.
        let were = if seen.is_some() { siblings::versions(cx, &prepared).await? } else { Along::new() };
        action.apply(cx, &mut prepared).await?;
        let mut along = if were.is_empty() { Along::new() } else { siblings::versions(cx, &prepared).await? };
        along.retain(|translation, version| were.get(translation).is_some_and(|was| was + 1 == *version));
        Ok(Some((Done::to(before, &prepared.entry), along)))
    }

    /// Takes back what was done to the entry; nothing where it stands already as it stood before.
    pub(super) async fn undo(self, cx: &mut Cx<'_>, done: &Done) -> Result<Option<Done>, Error> {
        let id = IdOrSlug::Id(self.entry);
        let target = Target { collection: self.collection, id: &id, locale: None };
        let (collection, entry) = target.read(cx, Trash::Include).await?;
        let before = State::of(&entry);
        if before == done.before {
            return Ok(None);
        }
        let permit = done.permit(cx, &entry)?;
        if before != done.after || done.publishes() && entry.version != done.version {
            return Err(Error::with(Code::Conflict, "it was changed since: what others did to it is not taken back"));
        }
        let mut prepared = self.prepared(cx, Prepared::of(collection, entry, permit)).await?;
        done.take_back(cx, &mut prepared).await?;
        Ok(Some(Done::to(before, &prepared.entry)))
    }

    async fn prepared(self, cx: &Cx<'_>, prepared: Prepared) -> Result<Prepared, Error> {
        if self.heeds_locks {
            lease::heed(cx, &prepared.collection, &prepared.entry).await?;
        }
        Ok(prepared)
    }
}

impl Done {
    fn to(before: State, entry: &Entry) -> Self {
        Self { before, after: State::of(entry), version: entry.version }
    }

    /// Whether it can be taken back. A staged edit that became the content cannot become one again: what it took the place of is in the history.
    pub(super) const fn can_be_undone(&self) -> bool {
        self.before.has_draft == self.after.has_draft
    }

    /// Whether taking it back makes content public. That must be what was public before.
    fn publishes(&self) -> bool {
        self.before.status == Status::Published && self.after.status != Status::Published
    }

    /// Proof that the caller may do all that it takes to take it back.
    fn permit(&self, cx: &Cx<'_>, entry: &Entry) -> Result<Permit<to::ChangeContent>, Error> {
        let (before, after) = (&self.before, &self.after);
        let is_about_publication = before.status != after.status || before.scheduled_at != after.scheduled_at;
        // What went to the trash, or came out of it, may have lost a plan on the way.
        if before.is_trashed == after.is_trashed && is_about_publication {
            return cx.permit_to(PUBLISH, entry);
        }
        cx.permit_to(if before.is_trashed && !after.is_trashed { DELETE } else { EDIT }, entry)
    }

    /// Does the opposite of what was done.
    async fn take_back(&self, cx: &mut Cx<'_>, prepared: &mut Prepared) -> Result<(), Error> {
        let (before, after) = (&self.before, &self.after);
        match (before.is_trashed, after.is_trashed) {
            (true, false) => return Action::Trash.apply(cx, prepared).await,
            (false, true) => return Action::Restore.apply(cx, prepared).await,
            _ => {}
        }
        if before.author != after.author {
            return give(cx, prepared, before.author.map_or(Patch::Clear, Patch::Set)).await;
        }
        match (before.status == Status::Published, after.status == Status::Published) {
            (true, false) => Action::Publish.apply(cx, prepared).await?,
            (false, true) => Action::Unpublish.apply(cx, prepared).await?,
            _ => {}
        }
        match before.scheduled_at {
            Some(at) if at <= cx.now() => {
                let message = format!("it was planned to be published at {at}, which has passed");
                return Err(Error::issue("scheduledAt", "PAST", message));
            }
            Some(at) => Action::Schedule { at }.apply(cx, prepared).await?,
            None => Action::Unschedule.apply(cx, prepared).await?,
        }
        match before.unpublish_at.filter(|end| *end > cx.now()) {
            Some(end) => plan_end(cx, prepared, Some(end)).await,
            None => Ok(()),
        }
    }
}
