//! Changing an entry: what a command makes of it, one guarded update, one event.

use std::sync::Arc;

use cms_domain::{
    access::{Permit, to},
    collection::Collection,
    entry::{Command, Content, Document, Entry, Status, TransitionError},
    event::{EntryAction, Event},
    time::Timestamp,
};
use cms_frame::{Code, Cx, Error};
use cms_storage::{Constraint, Revision};
use serde_json::json;

use super::{format::Format, hooks, item::ItemAnswer, references, siblings, trail};
use crate::schema_cache;

/// An entry as the invocation read it, with the proof of what the caller may do to it. Until it is written nobody waits for the invocation: a
/// change is merged, checked and shown to hooks before the transaction begins, which fails if others were faster.
#[derive(Debug)]
pub(super) struct Prepared<P = to::ChangeContent> {
    /// Its collection.
    pub(super) collection: Arc<Collection>,
    /// The entry as it now is.
    pub(super) entry: Entry,
    /// Proof of what the caller may do to it.
    pub(super) permit: Permit<P>,
    /// Whether the transaction holds what the change was prepared by.
    is_held: bool,
}

/// What a command makes of an entry.
#[derive(Debug)]
pub(super) struct Changed {
    /// The entry afterwards.
    pub(super) entry: Entry,
    /// Whether what the public sees may differ.
    pub(super) public: bool,
    /// What the history keeps of it.
    pub(super) kept: Option<Kept>,
}

/// What the history keeps of a save.
#[derive(Debug)]
pub(super) enum Kept {
    /// A revision of its own.
    New(Revision),
    /// An autosave, in the place of the one before.
    Instead(Revision),
}

impl Kept {
    /// The revision that is added to the history.
    pub(super) fn added(&self) -> Option<&Revision> {
        match self {
            Self::New(revision) => Some(revision),
            Self::Instead(_) => None,
        }
    }
}

impl<P> Prepared<P> {
    /// An entry as it was read.
    pub(super) fn of(collection: Arc<Collection>, entry: Entry, permit: Permit<P>) -> Self {
        Self { collection, entry, permit, is_held: false }
    }

    /// The same entry with the proof of something else.
    pub(super) fn with<Q>(self, permit: Permit<Q>) -> Prepared<Q> {
        let Self { collection, entry, permit: _, is_held } = self;
        Prepared { collection, entry, permit, is_held }
    }

    /// Begins to write: until the transaction ends the collection stays as it is, and nobody else changes what the entry's translations share.
    pub(super) async fn hold(&mut self, cx: &mut Cx<'_>) -> Result<(), Error> {
        if self.is_held {
            return Ok(());
        }
        schema_cache::hold(cx, &self.collection).await?;
        if siblings::are_shared(cx, &self.collection) {
            // Before any row, which others of them may want.
            cx.tx().await?.entries().hold_group(self.entry.group).await?;
        }
        self.is_held = true;
        Ok(())
    }

    /// The answer to what was done.
    pub(super) fn answer(self, cx: &Cx<'_>) -> Result<ItemAnswer, Error> {
        self.answer_in(cx, Format::Json)
    }

    /// The same with rich text as it was asked for.
    pub(super) fn answer_in(self, cx: &Cx<'_>, format: Format) -> Result<ItemAnswer, Error> {
        let ItemAnswer { item, rev } = ItemAnswer::new(&self.collection, self.entry, cx.visibility())?;
        Ok(ItemAnswer { item: item.written(format, &self.collection)?, rev })
    }
}

impl Prepared {
    /// What a command would make of the entry; nothing when there is nothing to do. `saved` is the content of a save.
    pub(super) fn obey(&self, command: Command, saved: Option<Document>, now: Timestamp) -> Result<Option<Changed>, Error> {
        let before = &self.entry;
        let Some(change) = before.lifecycle.apply(command, now).map_err(refuse)? else { return Ok(None) };
        let mut entry = before.clone();
        entry.version += 1;
        entry.lifecycle = change.to;
        // Whatever failed on schedule, this change may have mended.
        entry.schedule_failure = None;
        // The date tells readers of a change that they can see; an entry that is not public has no other readers than editors.
        let seen = change.public || before.lifecycle.status != Status::Published;
        if seen && !matches!(command, Command::Trash | Command::Restore) {
            entry.updated_at = now;
        }
        match change.content {
            Content::Keep => {}
            Content::Replace => {
                entry.draft = None;
                entry.live = saved.unwrap_or(entry.live);
            }
            Content::Stage => entry.draft = saved,
            Content::Promote => entry.live = entry.draft.take().unwrap_or(entry.live),
            Content::DropDraft => {
                entry.draft = None;
                entry.draft_revision = None;
            }
        }
        match command {
            Command::Publish { .. } | Command::PublishDue { .. } => {
                entry.live_revision = entry.draft_revision.take().or(entry.live_revision);
            }
            // However it came to be public no more.
            _ if before.lifecycle.status == Status::Published && entry.lifecycle.status != Status::Published => {
                entry.draft_revision = entry.draft_revision.or(entry.live_revision.take());
            }
            _ => {}
        }
        Ok(Some(Changed { entry, public: change.public, kept: None }))
    }

    /// Obeys a command that has nothing to say about the content.
    pub(super) async fn command(&mut self, cx: &mut Cx<'_>, command: Command, action: EntryAction) -> Result<(), Error> {
        match self.obey(command, None, cx.now())? {
            Some(changed) => self.store(cx, changed, action).await,
            None => Ok(()),
        }
    }

    /// The content of a save as the hooks of the host leave it. They are not asked about a save that changes nothing.
    pub(super) async fn ask_hooks(&self, cx: &Cx<'_>, document: Document) -> Result<Document, Error> {
        if document == *self.entry.working() {
            return Ok(document);
        }
        let about = hooks::About { entry: &self.entry, is_new: false };
        Ok(hooks::before_save(cx, &self.collection, about, &document).await?.unwrap_or(document))
    }

    /// Writes a changed entry and tells what was done.
    pub(super) async fn store(&mut self, cx: &mut Cx<'_>, changed: Changed, action: EntryAction) -> Result<(), Error> {
        let Changed { entry, public, kept } = changed;
        self.hold(cx).await?;
        references::must_exist(cx, &self.collection, Some(self.entry.working()), entry.working()).await?;
        let tx = cx.tx().await?;
        let added = kept.as_ref().and_then(Kept::added);
        let stored = tx.entries().update(&self.permit, &self.collection, &self.entry, &entry, added).await;
        stored.map_err(|error| conflict(&self.collection, error))?;
        if let Some(Kept::Instead(revision)) = &kept {
            tx.revisions().update(&self.permit, revision).await?;
        }
        trail::state(cx, &self.collection, &self.entry, &entry, action)?;
        cx.emit(Event::of_entry(Some(&self.entry), &entry, action, public));
        self.entry = entry;
        Ok(())
    }
}

/// Why a command is not obeyed, for the caller.
pub(super) fn refuse(error: TransitionError) -> Error {
    match error {
        TransitionError::DateRequired => Error::issue("publishedAt", "REQUIRED", error.to_string()),
        TransitionError::NotInFuture => Error::issue("scheduledAt", "PAST", "must be in the future"),
        TransitionError::EndNotInFuture => Error::issue("unpublishAt", "PAST", "must be in the future"),
        TransitionError::EndsFirst => Error::issue("unpublishAt", "TOO_SMALL", error.to_string()),
        TransitionError::NeverPublic => Error::issue("unpublishAt", "NOT_ALLOWED", error.to_string()),
        TransitionError::Trashed | TransitionError::NotTrashed => Error::with(Code::NotFound, error.to_string()),
        TransitionError::NotDue => Error::with(Code::Conflict, error.to_string()),
    }
}

/// Names the field in the way of a write, where storage only knows its id.
pub(super) fn conflict(collection: &Collection, error: cms_storage::Error) -> Error {
    if matches!(error, cms_storage::Error::Stale) {
        return Error::overtaken();
    }
    let cms_storage::Error::Conflict(Constraint::UniqueField { register }) = error else { return error.into() };
    let Some(field) = collection.fields.iter().find(|field| field.register.id == register) else { return error.into() };
    let message = format!("another entry of this collection and locale has this value in the field `{}`", field.slug);
    Error::with(Code::UniqueConflict, message).details(json!({ "field": field.slug, "path": format!("data.{}", field.slug) }))
}
