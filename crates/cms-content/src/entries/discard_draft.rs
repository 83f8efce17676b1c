//! Drop the pending draft of a published entry.

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
    EDIT,
    item::ItemAnswer,
    target::{Guard, Target},
};

/// Drop the pending draft of a published entry.
///
/// The published version stays as it is. Without a pending draft there is nothing to do.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DiscardDraft {
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

impl Operation for DiscardDraft {
    const ID: &'static str = "content.discard_draft";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("discardDraft", "/content/{collection}/{id}/discard-draft").query(&["locale"]);
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[ENTRY, GUARDED];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        prepared.command(cx, Command::DiscardDraft, EntryAction::DraftDiscarded).await?;
        prepared.answer(cx)
    }
}
