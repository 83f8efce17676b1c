//! Update an entry.

use cms_domain::{
    access::{Access, Permission},
    entry::{Command, Entry},
    event::EntryAction,
    id::UserId,
    locale::Locale,
    patch::Patch,
    rev::Rev,
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{CONTENT, ENTRY, Failures, GUARDED, HOOKED},
    input::Later,
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    EDIT, LATER, PUBLISH,
    create::SaveStatus,
    draft::Edit,
    format::Format,
    item::ItemAnswer,
    lease, publish,
    save::Save,
    seo::SeoPatch,
    target::{Guard, Target},
};

/// Update an entry.
///
/// Only what is given changes. An edit of a published entry is staged, whole, until it is published; the published version
/// stays as it is. In collections without drafts it is public at once. A save that changes nothing writes nothing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateEntry {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Field values to change; null clears a field, fields that are left out stay.
    pub data: Option<Map<String, Value>>,
    /// How rich text is sent and answered. With `markdown`, a text for a field of rich text is Markdown; a list of blocks passes as it is. Blocks that say what
    /// they said stay as they were stored.
    /// What a field cannot hold is refused, with the line that it is in.
    pub format: Option<Format>,
    /// Last part of the entry's address; null clears it. Staged like the fields.
    #[serde(default)]
    pub slug: Patch<EntrySlug>,
    /// What search engines are told; only where the collection has SEO. Staged like the fields.
    pub seo: Option<SeoPatch>,
    /// Where the entry stands afterwards: the change is published, or the entry is taken off the public site, in the same
    /// transaction. Needs the permission to publish the entry.
    pub status: Option<SaveStatus>,
    /// Who owns the entry, at once; needs the permission to edit anyone's entries.
    #[serde(default)]
    pub author_id: Patch<UserId>,
    /// Publication date; needs the permission to publish anyone's entries. Staged like the fields.
    #[serde(default)]
    pub published_at: Patch<Timestamp>,
    /// Whether this is an autosave, which takes the place of the caller's last one in the history.
    #[serde(default)]
    pub skip_revision: bool,
    /// Revision last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to change the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for UpdateEntry {
    const ID: &'static str = "content.update";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::put("updateContent", "/content/{collection}/{id}").query(&["locale"]);
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT, HOOKED];
    const LATER: Later = LATER;
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        if !self.published_at.is_keep() {
            cx.permit(Permission::ContentPublishAny)?;
        }
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        if self.status.is_some() {
            cx.permit_to(PUBLISH, &prepared.entry)?;
        }
        check_author(cx, &prepared.entry, self.author_id).await?;
        let mut data = self.data.unwrap_or_default();
        let format = self.format.unwrap_or_default();
        if format == Format::Markdown {
            format.read(&prepared.collection, &prepared.entry.working().data.members(&prepared.collection)?, &mut data)?;
        }
        let edit = Edit { data, slug: self.slug, seo: self.seo, ..Edit::default() };
        let document = edit.apply(cx, &prepared.collection, &prepared.entry).await?;
        let document = prepared.ask_hooks(cx, document).await?;
        let save = Save { document, author: self.author_id, published_at: self.published_at, autosave: self.skip_revision };
        save.apply(cx, &mut prepared).await?;
        lease::extend(cx, &prepared.collection, prepared.entry.id).await?;
        match self.status {
            None => {}
            Some(SaveStatus::Published) => publish::publish(cx, &mut prepared, Command::Publish { date: None }).await?,
            Some(SaveStatus::Draft) => prepared.command(cx, Command::Unpublish, EntryAction::Unpublished).await?,
        }
        prepared.answer_in(cx, format)
    }
}

/// A new owner needs the permission to edit anyone's entries, and to exist.
pub(super) async fn check_author(cx: &Cx<'_>, entry: &Entry, change: Patch<UserId>) -> Result<(), Error> {
    let mut author = entry.author;
    change.apply(&mut author);
    if author == entry.author {
        return Ok(());
    }
    cx.permit(Permission::ContentEditAny)?;
    match author {
        Some(id) => must_exist(cx, id).await,
        None => Ok(()),
    }
}

/// Refuses an owner who does not exist.
pub(super) async fn must_exist(cx: &Cx<'_>, author: UserId) -> Result<(), Error> {
    if cx.read().users().by_id(author).await?.is_some() {
        return Ok(());
    }
    Err(Error::issue("authorId", "UNKNOWN_USER", "there is no such user"))
}
