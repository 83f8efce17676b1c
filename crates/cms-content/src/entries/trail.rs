//! What the audit log says of entries: what became public or ceased to be, what was planned, and what was thrown away. Drafts that are
//! saved leave no line: their revisions tell.

use cms_domain::{collection::Collection, entry::Entry, event::EntryAction};
use cms_frame::{Cx, Error, audit_line};
use serde_json::{Map, Value, json};

/// What a line says of a change of an entry's state, if it is one that leaves a line.
pub(super) fn state(cx: &mut Cx<'_>, collection: &Collection, before: &Entry, after: &Entry, action: EntryAction) -> Result<(), Error> {
    match action {
        EntryAction::Created | EntryAction::Saved | EntryAction::DraftDiscarded => return Ok(()),
        EntryAction::Published
        | EntryAction::Unpublished
        | EntryAction::Scheduled
        | EntryAction::Unscheduled
        | EntryAction::Trashed
        | EntryAction::Restored
        | EntryAction::Removed => {}
    }
    let (from, to) = (&before.lifecycle, &after.lifecycle);
    let details = audit_line::changes([
        ("status", json!(from.status), json!(to.status)),
        ("publishedAt", json!(from.published_at), json!(to.published_at)),
        ("scheduledAt", json!(from.scheduled_at), json!(to.scheduled_at)),
        ("unpublishAt", json!(from.unpublish_at), json!(to.unpublish_at)),
        ("deletedAt", json!(from.deleted_at), json!(to.deleted_at)),
    ]);
    entry(cx, collection, after, details)
}

/// What a line says of an entry besides where it is.
pub(super) fn entry(cx: &mut Cx<'_>, collection: &Collection, entry: &Entry, mut details: Map<String, Value>) -> Result<(), Error> {
    details.insert("collection".to_owned(), json!(collection.slug));
    details.insert("locale".to_owned(), json!(entry.locale));
    let working = entry.working();
    let members = working.data.members(collection)?;
    let slug = working.slug.as_ref().map(cms_domain::slug::EntrySlug::as_str);
    let label = collection.title_of(&members).or(slug);
    cx.audit_named("entry", entry.id, label, &Value::Object(details));
    Ok(())
}
