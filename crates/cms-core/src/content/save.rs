//! Saving an entry's content: staged or at once, with a revision, and nothing at all when nothing changed.

use cms_domain::{
    collection::Support,
    entry::{Command, Document, Entry, Status},
    event::EntryAction,
    id::UserId,
    patch::Patch,
    time::Timestamp,
};

use super::{
    change::{Changed, Held},
    history, siblings,
};
use crate::{Cx, Error};

/// What is saved.
#[derive(Debug)]
pub(super) struct Save {
    /// The content, whole.
    pub(super) document: Document,
    /// Who owns the entry. Not content: never staged.
    pub(super) author: Patch<UserId>,
    /// The publication date. Not content: never staged.
    pub(super) published_at: Patch<Timestamp>,
    /// Whether nobody asked for it, so that the next one may take its place in the history.
    pub(super) autosave: bool,
}

impl Save {
    /// Content alone.
    pub(super) fn of(document: Document) -> Self {
        Self { document, author: Patch::Keep, published_at: Patch::Keep, autosave: false }
    }

    /// Saves. A save that changes nothing writes nothing.
    pub(super) async fn apply(self, cx: &mut Cx<'_>, held: &mut Held) -> Result<(), Error> {
        let before = &held.entry;
        let mut changed = if self.document == *before.working() {
            let entry = Entry { version: before.version + 1, schedule_failure: None, ..before.clone() };
            Changed { entry, public: false, revision: None }
        } else {
            let command = Command::Save { stage: held.collection.supports(Support::Drafts) };
            let Some(mut changed) = held.obey(command, Some(self.document.clone()), cx.now())? else { return Ok(()) };
            changed.revision =
                history::record(cx, &held.permit, &held.collection, &mut changed.entry, &self.document, self.autosave).await?;
            changed
        };
        let content_is_public = changed.public;
        let entry = &mut changed.entry;
        self.author.apply(&mut entry.author);
        self.published_at.apply(&mut entry.lifecycle.published_at);
        if entry.author != before.author || entry.lifecycle.published_at != before.lifecycle.published_at {
            entry.updated_at = cx.now();
            changed.public |= entry.lifecycle.status == Status::Published;
        } else if self.document == *before.working() {
            return Ok(());
        }
        held.store(cx, changed, EntryAction::Saved).await?;
        if content_is_public { siblings::spread(cx, held).await } else { Ok(()) }
    }
}
