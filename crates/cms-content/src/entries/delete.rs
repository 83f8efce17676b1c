//! Move an entry to the trash.

use cms_domain::{
    access::Access,
    entry::Command,
    event::EntryAction,
    id::EntryId,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{
    Cx, Error,
    failures::{ENTRY, Failures, GUARDED, HOOKED},
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    DELETE, hooks,
    target::{Guard, Target},
};

/// Move an entry to the trash.
///
/// It is no longer public, and keeps its slug. It can be restored until it is removed for ever.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to delete the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

/// The entry is gone from where it was.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DeletedEntry")]
pub struct Deleted {
    /// Always true.
    pub deleted: bool,
    /// The entry.
    pub id: EntryId,
    /// Names the state of the entry in the trash; absent when it was removed for ever.
    #[serde(rename = "_rev", skip_serializing_if = "Option::is_none")]
    pub rev: Option<Rev>,
}

impl Operation for DeleteEntry {
    const ID: &'static str = "content.delete";
    const ACCESS: Access = DELETE;
    const HTTP: Http = Http::delete("deleteContent", "/content/{collection}/{id}");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[ENTRY, GUARDED, HOOKED];
    type Output = Deleted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Deleted, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        hooks::before_delete(cx, &prepared.collection, &prepared.entry).await?;
        prepared.command(cx, Command::Trash, EntryAction::Trashed).await?;
        Ok(Deleted { deleted: true, id: prepared.entry.id, rev: Some(prepared.entry.rev()) })
    }
}
