//! Publish an entry.

use cms_domain::{
    access::{Access, Permission},
    entry::Command,
    event::EntryAction,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{CONTENT, ENTRY, Failures, GUARDED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    PUBLISH,
    change::Prepared,
    draft, history,
    item::ItemAnswer,
    siblings,
    target::{Guard, Target},
};

/// Publish an entry.
///
/// The newest content becomes public, whole: field values, slug and SEO. All of it is checked first, and every problem is
/// reported. A schedule is fulfilled by it. Publishing again keeps the publication date.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PublishEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Publication date to record; needs the permission to publish anyone's entries.
    pub published_at: Option<Timestamp>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to publish the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for PublishEntry {
    const ID: &'static str = "content.publish";
    const ACCESS: Access = PUBLISH;
    const HTTP: Http = Http::post("publishContent", "/content/{collection}/{id}/publish").query(&["locale"]);
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        if self.published_at.is_some() {
            cx.permit(Permission::ContentPublishAny)?;
        }
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        publish(cx, &mut prepared, Command::Publish { date: self.published_at }).await?;
        prepared.answer(cx)
    }
}

/// Makes the working copy public, in obedience to a command that publishes.
pub(super) async fn publish(cx: &mut Cx<'_>, prepared: &mut Prepared, command: Command) -> Result<(), Error> {
    let Some(mut changed) = prepared.obey(command, None, cx.now())? else { return Ok(()) };
    changed.entry.live = draft::ready(cx, &prepared.collection, &prepared.entry).await?;
    if changed.entry.live_revision.is_none() {
        // The collection did not keep revisions when the entry was saved.
        let live = changed.entry.live.clone();
        changed.kept = history::record(cx, prepared.permit.user(), &prepared.collection, &mut changed.entry, &live, false).await?;
    }
    prepared.store(cx, changed, EntryAction::Published).await?;
    siblings::spread(cx, prepared).await
}
