//! Publish and unpublish what is due: what the scheduler does to one entry, and what it notes when that fails.

use cms_domain::{
    access::{Access, to},
    entry::{Command, ScheduleFailure},
    event::EntryAction,
    id::EntryId,
    slug::IdOrSlug,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{CONTENT, ENTRY, Failures, GUARDED, STALE},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{change::Prepared, publish, target::Target};
use crate::schema_cache;

/// Publish an entry that is due.
///
/// Does nothing when something else was planned meanwhile, or when another server was faster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublishDue {
    /// The entry.
    pub entry: EntryId,
    /// The instant that was planned.
    pub planned: Timestamp,
}

/// The entry is public.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PublishedDue {
    /// The entry.
    pub id: EntryId,
}

impl Operation for PublishDue {
    const ID: &'static str = "content.publish_due";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT];
    type Output = PublishedDue;

    async fn run(self, cx: &mut Cx<'_>) -> Result<PublishedDue, Error> {
        let mut prepared = due(cx, self.entry).await?;
        publish::publish(cx, &mut prepared, Command::PublishDue { planned: self.planned }).await?;
        Ok(PublishedDue { id: self.entry })
    }
}

/// Unpublish an entry whose end has come.
///
/// Does nothing when something else was planned meanwhile, or when another server was faster.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnpublishDue {
    /// The entry.
    pub entry: EntryId,
    /// The instant that was planned.
    pub planned: Timestamp,
}

/// The entry is not public any more.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UnpublishedDue {
    /// The entry.
    pub id: EntryId,
}

impl Operation for UnpublishDue {
    const ID: &'static str = "content.unpublish_due";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT];
    type Output = UnpublishedDue;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UnpublishedDue, Error> {
        let mut prepared = due(cx, self.entry).await?;
        prepared.command(cx, Command::UnpublishDue { planned: self.planned }, EntryAction::Unpublished).await?;
        Ok(UnpublishedDue { id: self.entry })
    }
}

/// An entry whose time has come, to change it.
async fn due(cx: &mut Cx<'_>, entry: EntryId) -> Result<Prepared, Error> {
    let permit = cx.permit(to::ChangeContent)?;
    let visibility = cx.visibility();
    let not_due = || Error::with(Code::Conflict, "nothing is due");
    let found = cx.read().entries().get(visibility, entry, Trash::Exclude).await?.ok_or_else(not_due)?;
    let collection = schema_cache::collection_by_id(cx, found.collection).await?;
    let collection = collection.ok_or_else(|| Error::with(Code::CollectionNotFound, "the collection of the entry is not registered"))?;
    let target = Target { collection: &collection.slug, id: &IdOrSlug::Id(entry), locale: None };
    let (collection, entry) = target.read(cx, Trash::Exclude).await?;
    Ok(Prepared::of(collection, entry, permit))
}

/// Note that publishing an entry on schedule failed.
///
/// Not a change of the entry: its version stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteScheduleFailure {
    /// The entry.
    pub entry: EntryId,
    /// The instant that was planned.
    pub planned: Timestamp,
    /// What failed, and when to try again.
    pub failure: ScheduleFailure,
}

/// What became of the note.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NotedFailure {
    /// Whether it was taken: not when the plan changed meanwhile, or when another server noted this attempt.
    pub noted: bool,
}

impl Operation for NoteScheduleFailure {
    const ID: &'static str = "content.note_schedule_failure";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY, STALE];
    type Output = NotedFailure;

    async fn run(self, cx: &mut Cx<'_>) -> Result<NotedFailure, Error> {
        let noted = cx.tx().await?.entries().record_schedule_failure(self.entry, self.planned, &self.failure).await?;
        Ok(NotedFailure { noted })
    }
}
