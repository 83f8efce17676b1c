//! Looking through all entries of a collection for files.

use cms_domain::{
    id::{CollectionId, EntryId},
    media_uses,
};
use cms_frame::{
    Cx, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
};
use cms_storage::{CoverageStatus, UsageCoverage};
use serde::{Deserialize, Serialize};

use super::look;

/// How many entries one transaction looks at. Nobody who writes entries waits for it; on SQLite a writer waits for less than a tenth of a second.
pub(super) const BATCH: usize = 200;

/// Wanted: what the entries of a collection use.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UsageIndexed {
    collection: CollectionId,
}

impl Order for UsageIndexed {
    const KIND: &'static str = "media.index_usage";
    const TITLE: &'static str = "Look through entries for files";
}

/// Asks for the entries of a collection to be looked through.
pub(super) fn indexed(collection: CollectionId) -> Wanted<UsageIndexed> {
    Wanted::new(UsageIndexed { collection }).only(collection)
}

/// How far it is.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Indexed {
    last: Option<EntryId>,
    /// What is looked at; none at the beginning.
    looks_at: Option<String>,
    failed: u64,
}

/// Looks through entries.
pub struct IndexUsage;

impl Job for IndexUsage {
    type Order = UsageIndexed;
    type Checkpoint = Indexed;

    async fn step(&self, work: Work<UsageIndexed, Indexed>, cx: &mut Cx<'_>) -> Result<Stride<Indexed>, Error> {
        let (id, now) = (work.order.collection, cx.now());
        let tx = cx.tx().await?;
        let held = tx.usage_coverage().hold(id, now).await?;
        let Some(collection) = tx.reader().collections().by_id(id).await? else {
            tx.usage_coverage().forget(id).await?;
            return Ok(Stride::end(work.done));
        };
        let looks_at = media_uses::looked_at(&collection);
        let note = collection.slug.to_string();
        if work.at.looks_at.as_ref() != Some(&looks_at) {
            // It begins, or there is something else to look at by now.
            let total = tx.reader().entries().totals(id).await?;
            let coverage = UsageCoverage {
                status: CoverageStatus::Running,
                looks_at: looks_at.clone(),
                entries: 0,
                failed: 0,
                begun_at: now,
                ended_at: None,
                ..held
            };
            tx.usage_coverage().set(&coverage).await?;
            let total = (total.entries + total.trashed).unsigned_abs();
            return Ok(Stride::to(Indexed { looks_at: Some(looks_at), ..Indexed::default() }, 0).of(total).note(note));
        }
        let ids = tx.reader().entries().ids_of(id, work.at.last, BATCH).await?;
        let done = work.done + ids.len() as u64;
        let failed = work.at.failed + look::look(cx, id, &ids).await?;
        match ids.last() {
            Some(last) if ids.len() == BATCH => {
                Ok(Stride::to(Indexed { last: Some(*last), looks_at: Some(looks_at), failed }, done).note(note))
            }
            _ => {
                look::looked_through(cx, held, looks_at, done, failed).await?;
                Ok(Stride::end(done).of(done).note(note))
            }
        }
    }
}
