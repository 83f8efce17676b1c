//! What hooks of the host say of a change of content before it is made, and what they are told of one that was.

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::{Document, Entry},
    event::{EntryAction, Event},
    field::validate,
};
use cms_frame::{
    Cx, Error,
    hooks::{Hook, Proposal},
};
use cms_storage::{Reader, Trash};
use serde_json::{Map, Value, json};

use crate::Content;

/// Before content is saved that somebody wrote, copied or took back: the collection, whether the entry is new, and of its content the id, locale,
/// slug and those fields that the hook asked for. A patch is checked as any input is. What is imported is taken as it is, and no hook is asked: admins alone may import.
pub const BEFORE_SAVE: &str = "content:beforeSave";
/// Before an entry goes to the trash: its collection and id. Nothing is there to patch.
pub const BEFORE_DELETE: &str = "content:beforeDelete";
/// After content was saved, or an entry was made: the collection, whether the entry was new, and its content as `content:beforeSave` is shown it, with its status. The
/// pending draft, where there is one.
pub const AFTER_SAVE: &str = "content:afterSave";
/// After an entry went to the trash, or was removed for ever (`permanent`): its collection and id.
pub const AFTER_DELETE: &str = "content:afterDelete";
/// After an entry was published, by somebody or because its time had come: its collection, and the content that is published.
pub const AFTER_PUBLISH: &str = "content:afterPublish";
/// After an entry was taken off the public site: its collection and content.
pub const AFTER_UNPUBLISH: &str = "content:afterUnpublish";
/// After an entry was taken out of the trash: its collection and content.
pub const AFTER_RESTORE: &str = "content:afterRestore";
/// After the publication of an entry was planned: its collection and content.
pub const AFTER_SCHEDULE: &str = "content:afterSchedule";
/// After the publication of an entry was called off: its collection and content.
pub const AFTER_UNSCHEDULE: &str = "content:afterUnschedule";

/// The moments after a change.
pub(crate) const AFTER: [&str; 7] =
    [AFTER_SAVE, AFTER_DELETE, AFTER_PUBLISH, AFTER_UNPUBLISH, AFTER_RESTORE, AFTER_SCHEDULE, AFTER_UNSCHEDULE];

/// The moment that a change of an entry is. What drops a draft saves nothing.
fn moment(action: EntryAction) -> Option<&'static str> {
    match action {
        EntryAction::Created | EntryAction::Saved => Some(AFTER_SAVE),
        EntryAction::Published => Some(AFTER_PUBLISH),
        EntryAction::Unpublished => Some(AFTER_UNPUBLISH),
        EntryAction::Scheduled => Some(AFTER_SCHEDULE),
        EntryAction::Unscheduled => Some(AFTER_UNSCHEDULE),
        EntryAction::Trashed | EntryAction::Removed => Some(AFTER_DELETE),
        EntryAction::Restored => Some(AFTER_RESTORE),
        EntryAction::DraftDiscarded => None,
    }
}

/// What a hook is told of a change that was made. Nothing where the entry is gone since: of that, `content:afterDelete` tells.
pub(crate) async fn told(content: &Content, rows: Reader<'_>, hook: &Hook, event: &Event) -> Result<Option<Proposal>, Error> {
    let Event::Entry { collection, entry, action, .. } = event else { return Ok(None) };
    let Some(moment) = moment(*action) else { return Ok(None) };
    let Some(collection) = content.schema.by_id(rows, *collection).await? else { return Ok(None) };
    if !hook.is_asked(moment, collection.slug.as_str()) {
        return Ok(None);
    }
    if moment == AFTER_DELETE {
        let permanent = *action == EntryAction::Removed;
        return Ok(Some(proposal([("collection", json!(collection.slug)), ("id", json!(entry)), ("permanent", json!(permanent))])));
    }
    let Some(entry) = rows.entries().get(Visibility::Working, *entry, Trash::Include).await? else { return Ok(None) };
    let document = if moment == AFTER_PUBLISH { &entry.live } else { entry.working() };
    let mut shown = shown(hook, &entry, document, &document.data.members(&collection)?);
    shown["status"] = json!(entry.lifecycle.status);
    let mut told = proposal([("collection", json!(collection.slug)), ("content", shown)]);
    if moment == AFTER_SAVE {
        told.insert("isNew".to_owned(), json!(*action == EntryAction::Created));
    }
    Ok(Some(told))
}

/// Content as a hook is shown it: with those fields that it asked for.
fn shown(hook: &Hook, entry: &Entry, document: &Document, data: &Map<String, Value>) -> Value {
    let data: Map<_, _> = data.iter().filter(|(field, _)| hook.sees(field)).map(|(field, value)| (field.clone(), value.clone())).collect();
    json!({ "id": entry.id, "locale": entry.locale, "slug": document.slug, "data": data })
}

/// The content of an entry as hooks change it; nothing where they leave it as it is.
pub(super) async fn before_save(
    cx: &Cx<'_>,
    collection: &Collection,
    about: About<'_>,
    content: &Document,
) -> Result<Option<Document>, Error> {
    let mut changed: Option<Document> = None;
    for hook in cx.hooks(BEFORE_SAVE, collection.slug.as_str()) {
        let content = changed.as_ref().unwrap_or(content);
        let base = content.data.members(collection)?;
        let shown = shown(&hook, about.entry, content, &base);
        let proposal = proposal([("collection", json!(collection.slug)), ("isNew", json!(about.is_new)), ("content", shown)]);
        let Some(patch) = cx.ask(&hook, &proposal).await? else { continue };
        match validate::patch(collection, &base, patch) {
            Ok(data) => changed = Some(Document { data: data.into_json_over(collection, &content.data)?, ..content.clone() }),
            Err(issues) => hook.failed(&format!("its patch does not fit: {}", json!(issues)))?,
        }
    }
    Ok(changed)
}

/// Lets hooks change the content of an entry that will be new.
pub(super) async fn change(cx: &Cx<'_>, collection: &Collection, entry: &mut Entry) -> Result<(), Error> {
    if let Some(changed) = before_save(cx, collection, About { entry, is_new: true }, &entry.live).await? {
        entry.live = changed;
    }
    Ok(())
}

/// Asks whether an entry may go to the trash.
pub(super) async fn before_delete(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
    for hook in cx.hooks(BEFORE_DELETE, collection.slug.as_str()) {
        let proposal = proposal([("collection", json!(collection.slug)), ("id", json!(entry.id)), ("permanent", json!(false))]);
        if cx.ask(&hook, &proposal).await?.is_some() {
            hook.failed("it answered with a patch, and there is nothing to patch")?;
        }
    }
    Ok(())
}

/// Whose content it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct About<'a> {
    /// The entry, as it will be when it is new.
    pub(super) entry: &'a Entry,
    /// Whether it is new.
    pub(super) is_new: bool,
}

fn proposal(members: impl IntoIterator<Item = (&'static str, Value)>) -> Proposal {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
