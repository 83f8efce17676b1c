//! Publish an entry at a later time.

use cms_domain::{
    access::Access,
    collection::Support,
    entry::Command,
    event::EntryAction,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{ENTRY, FEATURE, Failures, GUARDED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PUBLISH,
    change::Prepared,
    draft,
    item::ItemAnswer,
    siblings,
    target::{Guard, Target, supported},
};

/// Publish an entry at a later time.
///
/// An entry that is not public becomes `scheduled`. A published one stays public, and its pending draft will be published. The
/// content must be fit to be published now, so that it does not fail when nobody looks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScheduleEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// When to publish; in the future.
    pub scheduled_at: Timestamp,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to schedule the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for ScheduleEntry {
    const ID: &'static str = "content.schedule";
    const ACCESS: Access = PUBLISH;
    const HTTP: Http = Http::post("scheduleContent", "/content/{collection}/{id}/schedule").query(&["locale"]);
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[ENTRY, GUARDED, FEATURE, &[Code::SlugConflict]];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        schedule(cx, &mut prepared, self.scheduled_at).await?;
        prepared.answer(cx)
    }
}

/// Plans a publication, of content that is fit for it.
pub(super) async fn schedule(cx: &mut Cx<'_>, prepared: &mut Prepared, at: Timestamp) -> Result<(), Error> {
    supported(&prepared.collection, Support::Scheduling)?;
    let Some(changed) = prepared.obey(Command::Schedule { at }, None, cx.now())? else { return Ok(()) };
    let planned = draft::ready(cx, &prepared.collection, &prepared.entry).await?;
    siblings::must_reach(cx, prepared, &planned).await?;
    prepared.store(cx, changed, EntryAction::Scheduled).await
}
