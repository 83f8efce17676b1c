//! Looking at entries: what they use is written down as it is now.

use std::collections::BTreeSet;

use cms_domain::{
    collection::Collection,
    entry::Entry,
    id::{CollectionId, EntryId},
    media_uses,
};
use cms_frame::{Cx, Error};
use cms_storage::{CoverageStatus, UsageCoverage, UsedMedia};

use super::index;

/// Writes down which files some entries of a collection use, and says how many of them could not be read. The transaction holds what is known of the
/// collection (`UsageCoverageWriter::hold`): of two who look, the one who writes later has read later.
pub(super) async fn look(cx: &mut Cx<'_>, collection: CollectionId, ids: &[EntryId]) -> Result<u64, Error> {
    let tx = cx.tx().await?;
    let mut used = BTreeSet::new();
    let mut unreadable = 0;
    // Of a collection that is gone nothing is used any more.
    if let Some(known) = tx.reader().collections().by_id(collection).await? {
        for entry in tx.reader().entries().whole(ids).await?.iter().filter(|entry| entry.collection == collection) {
            if let Ok(found) = used_by(&known, entry) {
                used.extend(found);
            } else {
                tracing::warn!(entry = %entry.id, "what is stored of this entry cannot be read, and so it is not known which files it uses: `cms doctor` says more");
                unreadable += 1;
            }
        }
    }
    tx.media_usage().replace(collection, ids, &used).await?;
    Ok(unreadable)
}

/// The files that an entry uses: in what is public, and in what is staged.
fn used_by(collection: &Collection, entry: &Entry) -> Result<BTreeSet<UsedMedia>, serde_json::Error> {
    let counts = entry.lifecycle.deleted_at.is_none();
    let mut used = BTreeSet::new();
    for document in entry.contents() {
        used.extend(media_uses::uses(collection, document)?.into_iter().map(|found| UsedMedia {
            entry: entry.id,
            media: found.media,
            counts,
        }));
    }
    Ok(used)
}

/// Looks through a collection at once if it has no more entries than are `left`, which then are fewer; otherwise a job does. Says what is known then.
pub(super) async fn through(cx: &mut Cx<'_>, collection: &Collection, left: &mut u64) -> Result<UsageCoverage, Error> {
    let (id, now) = (collection.id, cx.now());
    let held = cx.tx().await?.usage_coverage().hold(id, now).await?;
    let begun = UsageCoverage { status: CoverageStatus::Stale, begun_at: now, ended_at: None, ..held };
    let totals = cx.read().entries().totals(id).await?;
    if (totals.entries + totals.trashed).unsigned_abs() > *left {
        cx.tx().await?.usage_coverage().set(&begun).await?;
        cx.enqueue(index::indexed(id)).await?;
        return Ok(begun);
    }
    let (mut last, mut entries, mut failed) = (None, 0, 0);
    loop {
        let ids = cx.read().entries().ids_of(id, last, index::BATCH).await?;
        entries += ids.len() as u64;
        failed += look(cx, id, &ids).await?;
        match ids.last() {
            Some(id) if ids.len() == index::BATCH => last = Some(*id),
            _ => break,
        }
    }
    *left = left.saturating_sub(entries);
    looked_through(cx, begun, media_uses::looked_at(collection), entries, failed).await
}

/// Writes down that all entries of a collection are looked through.
pub(super) async fn looked_through(
    cx: &mut Cx<'_>,
    held: UsageCoverage,
    looks_at: String,
    entries: u64,
    failed: u64,
) -> Result<UsageCoverage, Error> {
    let status = if failed == 0 { CoverageStatus::Complete } else { CoverageStatus::Partial };
    let coverage = UsageCoverage { status, looks_at, entries, failed, ended_at: Some(cx.now()), ..held };
    cx.tx().await?.usage_coverage().set(&coverage).await?;
    Ok(coverage)
}
