//! Take an entry out of the trash.

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
use serde::{Deserialize, Serialize};

use super::{
    EDIT,
    item::{Item, ItemAnswer},
    target::{Guard, Target},
};

/// Take an entry out of the trash.
///
/// It stands where it stood: an entry that was published is public again. A schedule whose time has passed meanwhile is
/// cancelled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestoreEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to restore the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

/// The entry is out of the trash.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Restored {
    /// Always true.
    pub restored: bool,
    /// The entry.
    pub item: Item,
    /// Names this state of the entry.
    #[serde(rename = "_rev", skip_serializing_if = "Option::is_none")]
    pub rev: Option<Rev>,
}

impl Operation for RestoreEntry {
    const ID: &'static str = "content.restore";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("restoreContent", "/content/{collection}/{id}/restore").query(&["locale"]);
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, GUARDED];
    type Output = Restored;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Restored, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Only).await?;
        prepared.command(cx, Command::Restore, EntryAction::Restored).await?;
        let ItemAnswer { item, rev } = prepared.answer(cx)?;
        Ok(Restored { restored: true, item, rev })
    }
}
