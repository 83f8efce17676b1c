//! Revisions: one for each save that changed something, with its author.

use std::time::Duration;

use cms_domain::{
    collection::{Collection, Support},
    entry::{Document, Entry, Status},
    id::UserId,
};
use cms_frame::{Cx, Error};
use cms_storage::Revision;

use super::change::Kept;

/// How long autosaves of one author go on to replace the same revision. History keeps at least one state in that time.
const AUTOSAVE_WINDOW: Duration = Duration::from_mins(10);

/// What keeps what was saved, to be written with the entry, which is pointed at it: as its live one when the save is public, otherwise as its
/// newest. None when nothing is kept.
pub(super) async fn record(
    cx: &Cx<'_>,
    author: Option<UserId>,
    collection: &Collection,
    entry: &mut Entry,
    document: &Document,
    autosave: bool,
) -> Result<Option<Kept>, Error> {
    if !collection.supports(Support::Revisions) {
        return Ok(None);
    }
    let now = cx.now();
    if autosave
        && let Some(newest) = newest(cx, entry).await?
        && newest.autosave
        && newest.author == author
        && newest.created_at.after(AUTOSAVE_WINDOW) > now
    {
        return Ok(Some(Kept::Instead(Revision { document: document.clone(), updated_at: now, ..newest })));
    }
    let revision = Revision {
        id: cx.new_id(),
        collection: collection.id,
        entry: entry.id,
        document: document.clone(),
        author,
        autosave,
        created_at: now,
        updated_at: now,
    };
    if entry.lifecycle.status == Status::Published && entry.draft.is_none() {
        entry.live_revision = Some(revision.id);
        entry.draft_revision = None;
    } else {
        entry.draft_revision = Some(revision.id);
    }
    Ok(Some(Kept::New(revision)))
}

/// The newest revision, unless it is live.
async fn newest(cx: &Cx<'_>, entry: &Entry) -> Result<Option<Revision>, Error> {
    match entry.draft_revision {
        Some(id) => Ok(cx.read().revisions().get(id).await?),
        None => Ok(None),
    }
}
