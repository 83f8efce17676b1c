//! Builds and drops indexes: batch by batch, so that editors and readers never wait long. Also sees to it that somebody does what changes of the model
//! left to do.

use std::time::Duration;

use cms_content::{Content, schema::unfinished::ResumeChanges};
use cms_domain::{
    access::{Access, Actor},
    collection::IndexId,
    event::Event,
    id::CollectionId,
};
use cms_frame::{
    Cms, Code, Cx, Door, Error,
    failures::{Failures, STALE},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};
use crate::rows::Rows;

/// How many entries one transaction works on. A writer waits for less than a quarter of a second.
const BATCH: usize = 500;
/// How many rows of a dropped index one transaction removes.
const ROWS: usize = 5000;

/// Does the next batch of whatever is to be done first.
#[derive(Default)]
pub(super) struct ReindexFields;

impl Task for ReindexFields {
    const NAME: &'static str = "reindex_fields";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let collections = Rows::of(cms).reader().collections();
        // One that fails waits for the others.
        if let Some(work) = collections.indexes_to_build().await?.into_iter().min_by_key(|work| (work.attempts, work.id)) {
            build(cms, work.collection, work.id.0).await?;
        } else if let Some(IndexId(index)) = collections.indexes_to_drop().await?.first() {
            cms.invoke(&Actor::System, Door::Local, DropIndex { index: *index }).await?;
        } else {
            cms.invoke(&Actor::System, Door::Local, ResumeChanges {}).await?;
            return Ok(Outcome::Done);
        }
        Ok(Outcome::More)
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(Duration::from_secs(30))
    }

    async fn woken(cms: &Cms) {
        Content::of(cms).work().notified().await;
    }
}

async fn build(cms: &Cms, collection: CollectionId, index: i32) -> Result<(), Error> {
    let built = cms.invoke(&Actor::System, Door::Local, BuildIndex { collection, index }).await;
    if let Err(error) = &built {
        let failure = NoteIndexFailure { index, error: error.message().to_owned() };
        cms.invoke(&Actor::System, Door::Local, failure).await?;
    }
    built.map(|_| ())
}

/// Add the next entries to an index, and let lists use it after the last ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BuildIndex {
    /// The collection.
    pub collection: CollectionId,
    /// The index.
    pub index: i32,
}

/// How a batch of work ended.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BatchDone {
    /// Whether it was the last one.
    pub last: bool,
}

impl Operation for BuildIndex {
    const ID: &'static str = "schema.build_index";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[STALE, &[Code::UniqueConflict]];
    type Output = BatchDone;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BatchDone, Error> {
        let id = IndexId(self.index);
        let tx = cx.tx().await?;
        // Another server may be at the same index: each batch begins where the last one ended, whoever did it.
        tx.collections().hold_alone(self.collection).await?;
        let rows = tx.reader().collections();
        let work = rows.indexes_to_build().await?.into_iter().find(|work| work.id == id);
        let collection = rows.by_id(self.collection).await?;
        let index = collection.as_ref().and_then(|collection| collection.indexes.iter().find(|index| index.id == id));
        let (Some(work), Some(collection), Some(index)) = (work, &collection, index) else { return Ok(BatchDone { last: true }) };
        let progress = tx.entries().index_batch(collection, index, work.cursor, BATCH).await?;
        match progress.last {
            Some(last) if progress.entries == BATCH as u64 => {
                let done = work.done.saturating_add_unsigned(progress.entries);
                tx.collections().set_index_progress(id, last, done).await?;
                Ok(BatchDone { last: false })
            }
            _ => {
                tx.collections().set_index_ready(self.collection, id).await?;
                cx.emit(Event::Schema { collection: self.collection });
                Ok(BatchDone { last: true })
            }
        }
    }
}

/// Note why an attempt to build an index failed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteIndexFailure {
    /// The index.
    pub index: i32,
    /// Why.
    pub error: String,
}

impl Operation for NoteIndexFailure {
    const ID: &'static str = "schema.note_index_failure";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[STALE];
    type Output = BatchDone;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BatchDone, Error> {
        cx.tx().await?.collections().set_index_failed(IndexId(self.index), &self.error).await?;
        Ok(BatchDone { last: false })
    }
}

/// Remove the next rows of an index that is no longer used, and the index after the last ones.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DropIndex {
    /// The index.
    pub index: i32,
}

impl Operation for DropIndex {
    const ID: &'static str = "schema.drop_index";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[STALE];
    type Output = BatchDone;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BatchDone, Error> {
        let id = IndexId(self.index);
        let tx = cx.tx().await?;
        if !tx.collections().hold_dropped(id).await? {
            return Ok(BatchDone { last: true });
        }
        let last = tx.entries().drop_index_batch(id, ROWS).await? == 0;
        if last {
            tx.collections().delete_index(id).await?;
        }
        Ok(BatchDone { last })
    }
}
