//! Entries in lists: to be written, or written already and still as they were.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::Entry,
    field::FieldNames,
    id::{EntryId, RevisionId},
};
use cms_frame::{Cx, Error};
use cms_storage::{Count, EntryStamp, EntryView, Page};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use twox_hash::XxHash3_128;

use super::{item::Item, wanted::Wanted};
use crate::{Content, finished::Piece};

/// An entry in a list.
#[derive(Debug)]
pub enum Listed {
    /// To be written.
    Item(Box<Item>),
    /// Written, as the caller sees it.
    Written(Written),
}

/// An entry that was written.
#[derive(Debug)]
pub struct Written {
    stamp: EntryStamp,
    json: Arc<RawValue>,
}

impl Listed {
    /// The entry; none where it is written already, as it may be at doors that answer in bytes, and never for callers from inside of the program.
    pub fn into_item(self) -> Option<Item> {
        match self {
            Self::Item(item) => Some(*item),
            Self::Written(_) => None,
        }
    }

    /// How many bytes it takes, where it is written already.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Item(_) => 0,
            Self::Written(written) => written.json.get().len(),
        }
    }
}

impl Serialize for Listed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Item(item) => item.serialize(serializer),
            Self::Written(written) => written.json.serialize(serializer),
        }
    }
}

impl JsonSchema for Listed {
    fn inline_schema() -> bool {
        Item::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        Item::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Item::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Item::json_schema(generator)
    }
}

/// A page of entries, of which those alone are read that nobody wrote yet as they are now. None when an editor's list was overtaken: what
/// changed meanwhile may not be what the list asks for any more, a draft among drafts.
pub(super) async fn finished(
    cx: &Cx<'_>,
    collection: &Collection,
    page: Page<EntryStamp>,
    wanted: Wanted<'_>,
) -> Result<Option<Page<Listed>>, Error> {
    let (shown_by, shown_to) = (shown_by(collection, wanted), cx.visibility());
    let piece = |stamp: &EntryStamp| Piece { state: XxHash3_128::oneshot(&stamp_bytes(stamp)), shown_by, shown_to };
    let kept = &Content::of(cx.cms()).finished;
    let known: Vec<_> = page.items.iter().map(|stamp| kept.get(&piece(stamp))).collect();
    let unknown = page.items.iter().zip(&known).filter(|(_, json)| json.is_none()).map(|(stamp, _)| stamp.id);
    let mut read = HashMap::new();
    for (stamp, item) in items(cx, collection, &unknown.collect::<Vec<_>>()).await? {
        if shown_to == Visibility::Working && !page.items.contains(&stamp) {
            return Ok(None);
        }
        let json: Arc<RawValue> = to_raw_value(&wanted.of(collection, item)?)?.into();
        kept.put(piece(&stamp), &json);
        read.insert(stamp.id, Written { stamp, json });
    }
    // One that the caller does not see any more by the time it is read is left out, as if it had been asked for a moment later.
    let written = page.items.into_iter().zip(known).filter_map(|(stamp, json)| match json {
        Some(json) => Some(Written { stamp, json }),
        None => read.remove(&stamp.id),
    });
    Ok(Some(Page { items: written.map(Listed::Written).collect(), next: page.next, plan: page.plan }))
}

/// Entries by their ids, in the state in which they are and as the caller sees them.
async fn items(cx: &Cx<'_>, collection: &Collection, ids: &[EntryId]) -> Result<Vec<(EntryStamp, Item)>, Error> {
    let (entries, visibility) = (cx.read().entries(), cx.visibility());
    let published = |entry: EntryView| Ok((entry.stamp(), Item::of(collection, entry)?));
    let working = |entry: Entry| Ok((EntryStamp::of(&entry, visibility), Item::new(collection, entry, visibility)?));
    match visibility {
        Visibility::Published => entries.published(ids).await?.into_iter().map(published).collect(),
        Visibility::Working => entries.visible(visibility, ids).await?.into_iter().map(working).collect(),
    }
}

/// Names what says how entries are shown.
fn shown_by(collection: &Collection, wanted: Wanted<'_>) -> u128 {
    let fields = wanted.fields.map_or("*", FieldNames::as_str);
    XxHash3_128::oneshot(format!("{} {} {:?} {fields}", collection.id, collection.version, wanted.format).as_bytes())
}

/// Names what a page shows, where all of its entries are written.
pub(super) fn page_signature(collection: &Collection, page: &Page<Listed>, total: Option<Count>) -> Option<u128> {
    let stamp = |item: &Listed| match item {
        Listed::Written(written) => Some(written.stamp),
        Listed::Item(_) => None,
    };
    let stamps: Option<Vec<_>> = page.items.iter().map(stamp).collect();
    Some(signature(collection, &stamps?, &format!("{:?} {total:?}", page.next)))
}

/// Names what is shown of entries of a collection, and what more is said of them. It need not withstand anyone: nobody chooses what it is made of.
pub(super) fn signature(collection: &Collection, entries: &[EntryStamp], more: &str) -> u128 {
    let mut text = format!("{} {} {more} ", collection.id, collection.version).into_bytes();
    text.extend(entries.iter().flat_map(stamp_bytes));
    XxHash3_128::oneshot(&text)
}

fn stamp_bytes(EntryStamp { id, version, updated_at, live_revision, attempts }: &EntryStamp) -> [u8; 52] {
    let mut bytes = [0; 52];
    bytes[..16].copy_from_slice(&id.to_bytes());
    bytes[16..24].copy_from_slice(&version.to_be_bytes());
    bytes[24..32].copy_from_slice(&updated_at.milliseconds().to_be_bytes());
    bytes[32..48].copy_from_slice(&live_revision.map_or([0; 16], RevisionId::to_bytes));
    bytes[48..].copy_from_slice(&attempts.to_be_bytes());
    bytes
}
