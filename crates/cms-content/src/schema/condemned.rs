//! The content of collections that were deleted. Nobody finds it any more; it goes a few entries at a time, and what refers to it with it.

use std::collections::BTreeSet;

use cms_domain::{
    access::to,
    collection::Collection,
    field::{Field, FieldKind, OnDelete},
    id::{CollectionId, EntryId},
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::entries::permanent_delete::{NAMED, take_out};

/// How many entries one transaction removes: a writer waits for less than a tenth of a second.
pub(super) const BATCH: usize = 200;
/// Of how many other entries one transaction takes references to them out.
const REFERRERS: u64 = 50;

/// Wanted: nothing left of a collection that was deleted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ContentGone {
    collection: CollectionId,
    /// What it was called; none where only its content says that there was one.
    slug: Option<CollectionSlug>,
}

impl Order for ContentGone {
    const KIND: &'static str = "content.remove_entries";
    const TITLE: &'static str = "Remove the entries of a deleted collection";
}

/// Asks for the content of a collection that was deleted to be removed.
pub(super) fn gone(collection: CollectionId, slug: Option<CollectionSlug>) -> Wanted<ContentGone> {
    Wanted::new(ContentGone { collection, slug }).only(collection)
}

/// Removes content.
pub(super) struct RemoveContent;

impl Job for RemoveContent {
    type Order = ContentGone;
    /// The last entry that went: PostgreSQL would look at those that went before over and over.
    type Checkpoint = Option<EntryId>;

    async fn step(&self, work: Work<ContentGone, Option<EntryId>>, cx: &mut Cx<'_>) -> Result<Stride<Option<EntryId>>, Error> {
        let permit = cx.permit(to::ManageSchema)?;
        let id = work.order.collection;
        let tx = cx.tx().await?;
        if !tx.reader().collections().condemned().await?.contains(&id) {
            return Ok(Stride::end(work.done));
        }
        let ids = tx.reader().entries().ids_of(id, work.at, BATCH).await?;
        let referrers = tx.reader().entries().referrers_of(id, &ids, REFERRERS).await?;
        let (mut done, named) = (work.done, work.order.slug);
        let next = if referrers.is_empty() {
            tx.entries().remove_all(&permit, &ids).await?;
            done += ids.len() as u64;
            if ids.len() < BATCH {
                tx.collections().forget(&permit, id).await?;
                None
            } else {
                Some(ids.last().copied())
            }
        } else {
            take_out(cx, &referrers, &BTreeSet::from_iter(ids)).await?;
            Some(work.at)
        };
        let stride = next.map_or_else(|| Stride::end(done), |next| Stride::to(next, done));
        Ok(match named {
            Some(named) => stride.note(named.as_str()),
            None => stride,
        })
    }
}

/// Refuses to delete a collection that another one's field keeps: because it says so, or because it must not be empty.
pub(super) async fn must_not_be_kept(cx: &Cx<'_>, target: &Collection) -> Result<(), Error> {
    let mut kept = Vec::new();
    for other in cx.read().collections().all().await?.iter().filter(|other| other.id != target.id) {
        for field in other.references() {
            let Some(any) = keeps(field, target) else { continue };
            let entries = cx.read().entries().held_by(target.id, field.id, any, (NAMED - kept.len()) as u64).await?;
            kept.extend(entries.into_iter().map(|id| json!({ "collection": other.slug, "id": id, "field": field.slug })));
            if kept.len() >= NAMED {
                break;
            }
        }
    }
    if kept.is_empty() {
        return Ok(());
    }
    let message = format!("references keep entries of the collection `{}`: take them out first", target.slug);
    Err(Error::with(Code::Referenced, message).details(json!({ "references": kept })))
}

/// Whether a field may keep what it refers to in a collection, and whether any reference does, or only the last one of an entry.
fn keeps(field: &Field, target: &Collection) -> Option<bool> {
    let FieldKind::Reference(rules) = &field.kind else { return None };
    if rules.collection.as_ref().is_some_and(|slug| *slug != target.slug) {
        return None;
    }
    let restricts = rules.on_delete == OnDelete::Restrict;
    (restricts || field.required).then_some(restricts)
}
