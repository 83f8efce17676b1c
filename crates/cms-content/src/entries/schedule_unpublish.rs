//! Take an entry off the public site at a later time.

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
    Cx, Error,
    failures::{ENTRY, FEATURE, Failures, GUARDED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PUBLISH,
    change::Prepared,
    item::ItemAnswer,
    target::{Guard, Target, supported},
};

/// Take an entry off the public site at a later time.
///
/// It becomes a draft then, as if it had been unpublished, and keeps its content and its publication date. Only what is published
/// or scheduled can have such a time, which is later than that of a scheduled publication; unpublishing the entry before ends it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScheduleUnpublish {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// When to unpublish, in the future. Never where it is null or left out.
    pub unpublish_at: Option<Timestamp>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to change the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for ScheduleUnpublish {
    const ID: &'static str = "content.schedule_unpublish";
    const ACCESS: Access = PUBLISH;
    const HTTP: Http = Http::put("scheduleUnpublish", "/content/{collection}/{id}/unpublish-at").query(&["locale"]);
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[ENTRY, GUARDED, FEATURE];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        plan_end(cx, &mut prepared, self.unpublish_at).await?;
        prepared.answer(cx)
    }
}

/// Plans when an entry stops being public, or that it does not.
pub(super) async fn plan_end(cx: &mut Cx<'_>, prepared: &mut Prepared, at: Option<Timestamp>) -> Result<(), Error> {
    let action = if at.is_some() {
        supported(&prepared.collection, Support::Scheduling)?;
        EntryAction::Scheduled
    } else {
        EntryAction::Unscheduled
    };
    prepared.command(cx, Command::PlanEnd { at }, action).await
}
