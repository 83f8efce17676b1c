//! Cancel a scheduled publication.

use cms_domain::{
    access::Access,
    entry::Command,
    event::EntryAction,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Cx, Error,
    failures::{ENTRY, Failures, GUARDED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PUBLISH,
    item::ItemAnswer,
    target::{Guard, Target},
};

/// Cancel a scheduled publication.
///
/// An entry that is not public becomes a draft again. Without a schedule there is nothing to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UnscheduleEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to change the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for UnscheduleEntry {
    const ID: &'static str = "content.unschedule";
    const ACCESS: Access = PUBLISH;
    const HTTP: Http = Http::delete("unscheduleContent", "/content/{collection}/{id}/schedule");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[ENTRY, GUARDED];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        prepared.command(cx, Command::Unschedule, EntryAction::Unscheduled).await?;
        prepared.answer(cx)
    }
}
