//! The job that changes many entries: each in one transaction with how far the job is then, so that whatever is killed, each is changed once.

use std::{collections::BTreeMap, time::Duration};

use cms_domain::{
    access::Access,
    id::{EntryId, JobId},
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error, Kind,
    jobs::{Job, Order, Stride, Work},
};
use cms_storage::{BulkEntry, Position, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    EDIT,
    bulk::BulkFilter,
    bulk_change::{Action, Done, One},
};
use crate::schema_cache;

/// How many entries one step looks at that it leaves as they are.
const AT_ONCE: usize = 50;
/// When a step ends that left all entries as they are so far: hooks that refuse may take their time, and whoever stops a job waits for none of them.
const LONG: Duration = Duration::from_secs(1);

/// Wanted: many entries changed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct BulkChange {
    pub(super) collection: CollectionSlug,
    /// Whether other users' leases keep entries from being changed.
    pub(super) heeds_locks: bool,
    pub(super) what: What,
}

/// What is done to the entries.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum What {
    /// The same to each of those that were named, or that a filter finds.
    Change {
        action: Action,
        filter: Option<Box<BulkFilter>>,
        /// As what entries were seen; those that have another version by then stay as they are.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        versions: BTreeMap<EntryId, i64>,
    },
    /// The opposite of what another job did to each.
    Undo { job: JobId },
}

impl Order for BulkChange {
    const KIND: &'static str = "content.bulk";
    const TITLE: &'static str = "Change many entries";
}

/// What came of a bulk change so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkSummary {
    /// How many entries were changed.
    pub changed: u64,
    /// How many stood already as they were to stand.
    pub skipped: u64,
    /// How many could not be changed.
    pub failed: u64,
    /// Of how many that were changed the change can be taken back.
    pub undoable: u64,
}

/// Where to go on.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct At {
    /// Whether the entries are all found.
    found_all: bool,
    /// Behind which entry others are to be found.
    position: Option<Position>,
    /// How many entries were found.
    entries: u64,
    /// The number of the one that was looked at last.
    passed: u64,
    pub(super) summary: BulkSummary,
    /// The versions of entries that changed along with others: they are as they were seen, but for what the job did to them itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    followed: BTreeMap<EntryId, i64>,
}

impl At {
    /// So many entries are known from the beginning.
    pub(super) fn all_found(entries: u64) -> Self {
        Self { found_all: true, entries, ..Self::default() }
    }
}

/// Changes many entries.
pub(super) struct ChangeJob;

impl Job for ChangeJob {
    type Order = BulkChange;
    type Checkpoint = At;
    // What it takes to do anything at all. What each entry asks for is looked at there.
    const ACCESS: Access = EDIT;

    async fn step(&self, work: Work<BulkChange, At>, cx: &mut Cx<'_>) -> Result<Stride<At>, Error> {
        let Work { job, order, at, .. } = work;
        match &order.what {
            What::Change { action, filter: Some(filter), .. } if !at.found_all => {
                let found = find(cx, job, &order.collection, *action, filter, at).await;
                // Jobs fail with what any operation can fail with.
                found.map_err(|error| if passes_by(&error) { error } else { Error::with(Code::ValidationError, error.message()) })
            }
            _ => Run { cx, job, order: &order, at, failed: Vec::new() }.step().await,
        }
    }
}

/// Whether it is not an entry that is in the way: the job is tried again, or whoever asked for it may not go on. A hook that fails of one entry may do
/// well with the others.
fn passes_by(error: &Error) -> bool {
    let is_hooks = error.code() == Code::HookFailed;
    error.may_pass() && !is_hooks || error.code().kind() == Kind::Unauthenticated
}

/// Finds the next entries, and keeps which they are.
async fn find(
    cx: &mut Cx<'_>,
    job: JobId,
    collection: &CollectionSlug,
    action: Action,
    filter: &BulkFilter,
    mut at: At,
) -> Result<Stride<At>, Error> {
    let known = schema_cache::collection(cx, collection).await?;
    let (found, next) = filter.find(cx, &known, action, at.position.take()).await?;
    cx.tx().await?.bulk().add(job, at.entries, &found).await?;
    at.entries += found.len() as u64;
    (at.found_all, at.position) = (next.is_none(), next);
    let entries = at.entries;
    Ok(Stride::to(at, 0).of(entries).note(collection.as_str()))
}

/// One step over entries.
struct Run<'r, 'c> {
    cx: &'r mut Cx<'c>,
    job: JobId,
    order: &'r BulkChange,
    at: At,
    failed: Vec<(EntryId, String, Error)>,
}

impl Run<'_, '_> {
    /// Entries up to one that is changed: that is stored together with how far the job is then.
    async fn step(mut self) -> Result<Stride<At>, Error> {
        let mut is_over = false;
        for _ in 0..AT_ONCE {
            let Some(next) = self.next().await? else {
                is_over = true;
                break;
            };
            self.at.passed = next.number;
            match self.change(&next).await {
                Ok(Some(done)) => {
                    self.keep(next, &done).await?;
                    break;
                }
                Ok(None) => {
                    self.cx.start_over();
                    self.at.summary.skipped += 1;
                }
                Err(error) if passes_by(&error) => return Err(error),
                Err(error) => {
                    // Nothing is left of it, and others have their turn.
                    self.cx.start_over();
                    self.at.summary.failed += 1;
                    let named = self.named(next.entry).await?;
                    self.failed.push((next.entry, named, error));
                }
            }
            if self.cx.now().until(self.cx.cms().now()) > LONG {
                break;
            }
        }
        let BulkSummary { changed, skipped, failed, .. } = self.at.summary;
        let done = changed + skipped + failed;
        let mut stride = if is_over { Stride::end(done).result(self.result()) } else { Stride::to(self.at, done) };
        for (entry, named, error) in self.failed {
            stride.failed(named, error.message()).of(entry).with(error.code());
        }
        Ok(stride.note(self.order.collection.as_str()))
    }

    async fn next(&self) -> Result<Option<BulkEntry>, Error> {
        let bulk = self.cx.read().bulk();
        Ok(match &self.order.what {
            What::Change { .. } => bulk.next(self.job, self.at.passed, false).await?,
            What::Undo { job } => bulk.next(*job, self.at.passed, true).await?,
        })
    }

    async fn change(&mut self, next: &BulkEntry) -> Result<Option<Done>, Error> {
        let one = One { collection: &self.order.collection, entry: next.entry, heeds_locks: self.order.heeds_locks };
        match &self.order.what {
            // What it takes to change an entry is not to be a part of every step.
            What::Change { action, versions, .. } => {
                let followed = &self.at.followed;
                let expected = |entry: &EntryId| followed.get(entry).or_else(|| versions.get(entry)).copied();
                let Some((done, mut along)) = Box::pin(one.change(self.cx, *action, expected(&next.entry))).await? else { return Ok(None) };
                along.retain(|translation, version| expected(translation) == Some(*version - 1));
                self.at.followed.append(&mut along);
                Ok(Some(done))
            }
            What::Undo { .. } => {
                let done = serde_json::from_str(next.change.as_deref().unwrap_or_default())?;
                Box::pin(one.undo(self.cx, &done)).await
            }
        }
    }

    /// Counts an entry that was changed, and keeps what is needed to take that back.
    async fn keep(&mut self, entry: BulkEntry, done: &Done) -> Result<(), Error> {
        self.at.summary.changed += 1;
        if !done.can_be_undone() {
            return Ok(());
        }
        self.at.summary.undoable += 1;
        let (job, change) = (self.job, serde_json::to_string(done)?);
        let bulk = self.cx.tx().await?.bulk();
        match self.order.what {
            What::Change { .. } => bulk.note(job, entry.number, change).await?,
            What::Undo { .. } => bulk.add_changed(job, BulkEntry { change: Some(change), ..entry }).await?,
        }
        Ok(())
    }

    /// What an entry is called, for people.
    async fn named(&self, id: EntryId) -> Result<String, Error> {
        let Ok(collection) = schema_cache::collection(self.cx, &self.order.collection).await else { return Ok(id.to_string()) };
        let Some(entry) = self.cx.read().entries().get(self.cx.visibility(), id, Trash::Include).await? else { return Ok(id.to_string()) };
        let members = entry.working().data.members(&collection)?;
        Ok(collection.title_of(&members).map_or_else(|| id.to_string(), str::to_owned))
    }

    fn result(&self) -> Value {
        let BulkSummary { changed, skipped, failed, undoable } = self.at.summary;
        let (action, undoes) = match &self.order.what {
            What::Change { action, .. } => (action.name(), None),
            What::Undo { job } => ("undo", Some(job)),
        };
        json!({
            "collection": self.order.collection, "action": action, "undoes": undoes,
            "changed": changed, "skipped": skipped, "failed": failed, "undoable": undoable,
        })
    }
}
