//! Translations share the values of fields that are not translatable: from the first, and again whenever one is published.

use cms_domain::{
    collection::Collection,
    entry::{Entry, Status},
    event::{EntryAction, Event},
    field::Field,
    json::JsonObject,
};
use serde_json::{Map, Value};

use super::change::{Held, conflict};
use crate::{Cx, Error};

/// Gives a new translation the values that it shares with the entry it translates.
pub(super) fn inherit(collection: &Collection, source: &Entry, data: &mut Map<String, Value>) -> Result<(), Error> {
    // The live values: a staged value of the source is not everyone's before it is published.
    let values = source.live.data.members()?;
    for field in shared(collection) {
        copy(field, &values, data);
    }
    Ok(())
}

/// Gives the translations of an entry, whose live content just changed, the values that they share with it.
pub(super) async fn spread(cx: &mut Cx<'_>, held: &Held) -> Result<(), Error> {
    let collection = &held.collection;
    if !cx.options().locales.several() || shared(collection).next().is_none() {
        return Ok(());
    }
    let values = held.entry.live.data.members()?;
    let mut others: Vec<_> = cx.read().entries().group_members(held.entry.group).await?.into_iter().map(|entry| entry.id).collect();
    others.retain(|id| *id != held.entry.id);
    // Whoever publishes two translations at once meets the other in the same order.
    others.sort_unstable();
    for id in others {
        let Some(before) = cx.tx().await?.entries().lock(id).await? else { continue };
        let Some(mut after) = follow(collection, &before, &values)? else { continue };
        let public = after.live != before.live && before.lifecycle.status == Status::Published;
        if public || before.lifecycle.status != Status::Published {
            after.updated_at = cx.now();
        }
        let stored = cx.tx().await?.entries().update(&held.permit, collection, &before, &after, None).await;
        stored.map_err(|error| conflict(collection, error))?;
        cx.emit(Event::Entry { collection: collection.id, entry: id, action: EntryAction::Saved, public });
    }
    Ok(())
}

/// A translation with the shared values; none when it has them already.
fn follow(collection: &Collection, before: &Entry, values: &Map<String, Value>) -> Result<Option<Entry>, Error> {
    let old = before.live.data.members()?;
    let mut live = old.clone();
    for field in shared(collection) {
        copy(field, values, &mut live);
    }
    let mut after = before.clone();
    if live != old {
        after.live.data = JsonObject::new(&live)?;
    }
    if let Some(draft) = &mut after.draft {
        let staged = draft.data.members()?;
        let mut data = staged.clone();
        // A draft follows where it had not gone its own way; an edit of a shared value stays an edit.
        for field in shared(collection).filter(|field| staged.get(field.slug.as_str()) == old.get(field.slug.as_str())) {
            copy(field, values, &mut data);
        }
        if data != staged {
            draft.data = JsonObject::new(&data)?;
        }
    }
    if after == *before {
        return Ok(None);
    }
    after.version += 1;
    after.schedule_failure = None;
    Ok(Some(after))
}

fn shared(collection: &Collection) -> impl Iterator<Item = &Field> {
    collection.fields.iter().filter(|field| !field.translatable)
}

fn copy(field: &Field, from: &Map<String, Value>, to: &mut Map<String, Value>) {
    match from.get(field.slug.as_str()) {
        Some(value) => {
            to.insert(field.slug.as_str().to_owned(), value.clone());
        }
        None => {
            to.shift_remove(field.slug.as_str());
        }
    }
}
