//! Saving an entry's content: staged or at once, with a revision, and nothing at all when nothing changed.

use cms_domain::{
    collection::Support,
    entry::{Command, Document, Entry, Status},
    event::EntryAction,
    id::UserId,
    patch::Patch,
    time::Timestamp,
};
use cms_frame::{Cx, Error};

use super::{
    change::{Changed, Prepared},
    history, siblings,
};

/// What is saved.
#[derive(Debug)]
pub(super) struct Save {
    /// The content, whole.
    pub(super) document: Document,
    /// Who owns the entry. Not content: never staged.
    pub(super) author: Patch<UserId>,
    /// The publication date. Staged with the content.
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
    pub(super) async fn apply(self, cx: &mut Cx<'_>, prepared: &mut Prepared) -> Result<(), Error> {
        let before = &prepared.entry;
        let (is_edited, is_dated) = (self.document != *before.working(), changes(self.published_at, before.lifecycle.working_date()));
        let is_given_away = changes(self.author, before.author);
        if !(is_edited || is_dated || is_given_away) {
            return Ok(());
        }
        let mut changed = if is_edited || is_dated {
            let command = Command::Save { stage: prepared.collection.supports(Support::Drafts), date: self.published_at };
            let Some(changed) = prepared.obey(command, Some(self.document.clone()), cx.now())? else { return Ok(()) };
            changed
        } else {
            let entry = Entry { version: before.version + 1, schedule_failure: None, ..before.clone() };
            Changed { entry, public: false, kept: None }
        };
        if is_edited {
            changed.kept =
                history::record(cx, prepared.permit.user(), &prepared.collection, &mut changed.entry, &self.document, self.autosave)
                    .await?;
        }
        let content_is_public = changed.public;
        if is_given_away {
            self.author.apply(&mut changed.entry.author);
            changed.entry.updated_at = cx.now();
            changed.public |= changed.entry.lifecycle.status == Status::Published;
        }
        prepared.store(cx, changed, EntryAction::Saved).await?;
        if content_is_public { siblings::spread(cx, prepared).await } else { Ok(()) }
    }
}

/// Whether a value becomes another one.
fn changes<T: Copy + PartialEq>(patch: Patch<T>, value: Option<T>) -> bool {
    let mut after = value;
    patch.apply(&mut after);
    after != value
}
