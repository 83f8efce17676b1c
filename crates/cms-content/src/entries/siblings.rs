//! Translations share the values of fields that are not translatable: from the first, and again whenever one is published.

use std::collections::BTreeMap;

use cms_domain::{
    access::{Permit, to},
    collection::Collection,
    entry::{Document, Entry, Status},
    event::{EntryAction, Event},
    field::{Field, ValidJson},
    id::{EntryId, UserId},
    slug::FieldSlug,
};
use cms_frame::{Cx, Error};
use serde_json::{Map, Value, json};

use super::{
    EDIT, PUBLISH,
    change::{Kept, Prepared, conflict},
    history, trail,
};

/// Gives a new translation the values that it shares with the entry it translates.
pub(super) fn inherit(collection: &Collection, source: &Entry, data: &mut Map<String, Value>) -> Result<(), Error> {
    // The live values: a staged value of the source is not everyone's before it is published.
    let mut values = source.live.data.members(collection)?;
    for name in shared(collection).map(|field| field.slug.as_str()) {
        match values.remove(name) {
            Some(value) => data.insert(name.to_owned(), value),
            None => data.shift_remove(name),
        };
    }
    Ok(())
}

/// Gives a new translation, which has these values, what of them is stored in former types.
pub(super) fn share(collection: &Collection, source: &Entry, document: &mut Document) -> Result<(), Error> {
    if let Some(data) = document.data.sharing(shared(collection), &source.live.data)? {
        document.data = data;
    }
    Ok(())
}

/// Gives the translations of an entry, whose live content just changed, the values that they share with it. Each must be one that the caller
/// may change, and keeps a revision of what it is from then on.
pub(super) async fn spread(cx: &mut Cx<'_>, prepared: &Prepared) -> Result<(), Error> {
    let collection = &prepared.collection;
    if !are_shared(cx, collection) {
        return Ok(());
    }
    let values = &prepared.entry.live.data;
    let mut others: Vec<_> = others(cx, &prepared.entry).await?.into_iter().map(|entry| entry.id).collect();
    // Whoever publishes two translations at once meets the other in the same order.
    others.sort_unstable();
    for id in others {
        let Some(before) = cx.tx().await?.entries().lock(id).await? else { continue };
        let Some(mut after) = follow(collection, &before, values)? else { continue };
        let permit = permit(cx, &before)?;
        let public = after.live != before.live && before.lifecycle.status == Status::Published;
        if public || before.lifecycle.status != Status::Published {
            after.updated_at = cx.now();
        }
        let kept = if after.live == before.live { None } else { keep(cx, permit.user(), collection, &mut after).await? };
        let added = kept.as_ref().and_then(Kept::added);
        let stored = cx.tx().await?.entries().update(&permit, collection, &before, &after, added).await;
        stored.map_err(|error| conflict(collection, error))?;
        if public {
            trail::entry(cx, collection, &after, Map::from_iter([("sharedFrom".to_owned(), json!(prepared.entry.id))]))?;
        }
        cx.emit(Event::of_entry(Some(&before), &after, EntryAction::Saved, public));
    }
    Ok(())
}

/// Refuses to plan a publication that would change translations which the caller may not change: when it is due, nobody asks any more.
pub(super) async fn must_reach(cx: &Cx<'_>, prepared: &Prepared, document: &Document) -> Result<(), Error> {
    for (translation, _) in reached(cx, &prepared.collection, &prepared.entry, document).await? {
        permit(cx, &translation)?;
    }
    Ok(())
}

/// The translations that get other values once a document of the entry is public, each with the fields that change.
pub(super) async fn reached(
    cx: &Cx<'_>,
    collection: &Collection,
    entry: &Entry,
    document: &Document,
) -> Result<Vec<(Entry, Vec<FieldSlug>)>, Error> {
    if !are_shared(cx, collection) {
        return Ok(Vec::new());
    }
    let mut reached = Vec::new();
    for other in others(cx, entry).await? {
        let fields = other.live.data.differing(shared(collection), &document.data)?;
        if !fields.is_empty() {
            reached.push((other, fields.into_iter().map(|field| field.slug.clone()).collect()));
        }
    }
    Ok(reached)
}

/// The versions of the other translations of an entry, where they share values with it.
pub(super) async fn versions(cx: &Cx<'_>, prepared: &Prepared) -> Result<BTreeMap<EntryId, i64>, Error> {
    if !are_shared(cx, &prepared.collection) {
        return Ok(BTreeMap::new());
    }
    let others = cx.read().entries().group_versions(&prepared.entry).await?;
    Ok(others.into_iter().collect())
}

/// Whether translations of a collection's entries share values.
pub(super) fn are_shared(cx: &Cx<'_>, collection: &Collection) -> bool {
    cx.options().locales.several() && shared(collection).next().is_some()
}

async fn others(cx: &Cx<'_>, entry: &Entry) -> Result<Vec<Entry>, Error> {
    let mut group = cx.read().entries().group_members(entry.group).await?;
    group.retain(|other| other.id != entry.id);
    Ok(group)
}

/// Proof that the caller may change a translation: as somebody who publishes it where its content was approved, or else as somebody who
/// edits it.
fn permit(cx: &Cx<'_>, translation: &Entry) -> Result<Permit<to::ChangeContent>, Error> {
    let access = if translation.lifecycle.is_approved() { PUBLISH } else { EDIT };
    cx.permit_to(access, translation).map_err(|error| {
        let message = format!(
            "this changes a value that all translations share, and you may not change the one in `{}`: ask somebody who may",
            translation.locale
        );
        Error::with(error.code(), message).details(json!({ "translation": translation.id, "locale": translation.locale }))
    })
}

/// The revision of a translation that follows, which is pointed at it.
async fn keep(cx: &Cx<'_>, author: Option<UserId>, collection: &Collection, after: &mut Entry) -> Result<Option<Kept>, Error> {
    let live = after.live.clone();
    let mut alone = Entry { draft: None, ..after.clone() };
    let kept = history::record(cx, author, collection, &mut alone, &live, false).await?;
    after.live_revision = alone.live_revision;
    if after.draft.is_none() {
        after.draft_revision = alone.draft_revision;
    }
    Ok(kept)
}

/// A translation with the shared values; none when it has them already.
fn follow(collection: &Collection, before: &Entry, values: &ValidJson) -> Result<Option<Entry>, Error> {
    // A draft has a value of its own, or the one that is live: with nothing to change there, nothing changes in it.
    let Some(data) = before.live.data.sharing(shared(collection), values)? else { return Ok(None) };
    let mut after = before.clone();
    after.live.data = data;
    if let Some(draft) = &mut after.draft {
        // A draft follows where it had not gone its own way; an edit of a shared value stays an edit.
        let staged = before.live.data.differing(shared(collection), &draft.data)?;
        let following = shared(collection).filter(|field| !staged.iter().any(|staged| staged.id == field.id));
        if let Some(data) = draft.data.sharing(following, values)? {
            draft.data = data;
        }
    }
    after.version += 1;
    after.schedule_failure = None;
    Ok(Some(after))
}

fn shared(collection: &Collection) -> impl Iterator<Item = &Field> {
    collection.fields.iter().filter(|field| !field.translatable)
}
