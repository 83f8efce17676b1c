//! Revisions of an entry: listed, read, and brought back.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use cms_domain::{
    access::Access,
    collection::Collection,
    entry::{Entry, Seo},
    id::{EntryId, RevisionId, UserId},
    json::JsonObject,
    locale::Locale,
    page::{Cursor, PageSize},
    patch::Patch,
    rev::Rev,
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, CONTENT, ENTRY, Failures, GUARDED, HOOKED, PAGED, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::{Revision, Trash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    EDIT, READ_DRAFTS,
    draft::{Aside, Edit},
    item::{ItemAnswer, values},
    lease,
    save::Save,
    target::{Guard, Target},
};
use crate::schema_cache;

/// List the revisions of an entry, the newest first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListRevisions {
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// Entry id or slug.
    pub id: IdOrSlug,
    /// Locale in which the slug is looked up.
    pub locale: Option<Locale>,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// A page of revisions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionPage {
    /// The revisions.
    pub items: Vec<RevisionView>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// The number of revisions of all pages.
    pub total: u64,
}

/// What was saved at one time.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RevisionView {
    /// Identifies the revision. Later ones have greater ids.
    pub id: RevisionId,
    /// Collection of the entry.
    pub collection: CollectionSlug,
    /// The entry.
    pub entry_id: EntryId,
    /// Field values.
    pub data: JsonObject,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// What search engines are told; only where the collection has SEO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seo: Option<Seo>,
    /// Who saved; null when it was the server itself.
    pub author_id: Option<UserId>,
    /// The name of whoever saved, or the address where they have none; null when it was the server itself.
    pub author_name: Option<String>,
    /// Whether nobody asked for the save.
    pub autosave: bool,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// When it was saved last; later than `createdAt` for autosaves only.
    pub updated_at: Timestamp,
}

impl Operation for ListRevisions {
    const ID: &'static str = "revision.list";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listRevisions", "/content/{collection}/{id}/revisions").internal();
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[ENTRY, PAGED];
    type Output = RevisionPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RevisionPage, Error> {
        let target = Target { collection: &self.collection, id: &self.id, locale: self.locale.as_ref() };
        let (collection, entry) = target.find(cx).await?;
        let list = format!("revision.list {}", entry.id);
        let after: Option<RevisionId> =
            self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let page = cx.read().revisions().list(entry.id, self.limit.get(), after).await?;
        let next_cursor = page.next.map(|next| Cursor::seal(&list, &next)).transpose()?;
        let total = cx.read().revisions().count(entry.id).await?;
        let names = names(cx, &page.items).await?;
        let items = page.items.into_iter().map(|revision| view(&collection, revision, &names)).collect::<Result<_, _>>()?;
        Ok(RevisionPage { items, next_cursor, total })
    }
}

/// Get a revision.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetRevision {
    /// The revision.
    pub revision_id: RevisionId,
}

/// One revision.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RevisionAnswer {
    /// The revision.
    pub item: RevisionView,
}

impl Operation for GetRevision {
    const ID: &'static str = "revision.get";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("getRevision", "/revisions/{revisionId}").internal();
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, COLLECTION];
    type Output = RevisionAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<RevisionAnswer, Error> {
        let revision = find(cx, self.revision_id).await?;
        let collection = collection(cx, &revision).await?;
        let names = names(cx, std::slice::from_ref(&revision)).await?;
        Ok(RevisionAnswer { item: view(&collection, revision, &names)? })
    }
}

/// Restore a revision.
///
/// What was saved then becomes the working copy: of a published entry a draft, which is public once it is published. Values of
/// fields that no longer exist are left out.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestoreRevision {
    /// The revision.
    pub revision_id: RevisionId,
    /// Revision token of the entry last read; a stale one is refused.
    #[serde(rename = "_rev")]
    pub rev: Option<Rev>,
    /// Whether to change the entry though another user is editing it.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for RestoreRevision {
    const ID: &'static str = "revision.restore";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("restoreRevision", "/revisions/{revisionId}/restore").internal();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT, HOOKED];
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let revision = find(cx, self.revision_id).await?;
        let collection = collection(cx, &revision).await?;
        let target = Target { collection: &collection.slug, id: &IdOrSlug::Id(revision.entry), locale: None };
        let guard = Guard { rev: self.rev.as_ref(), override_lock: self.override_lock };
        let mut prepared = target.prepare(cx, guard, Trash::Exclude).await?;
        let edit = edit(&prepared.collection, &prepared.entry, &revision)?;
        let mut document = edit.apply(cx, &prepared.collection, &prepared.entry).await?;
        if prepared.collection.has_seo {
            document.seo = revision.document.seo;
        }
        let document = prepared.ask_hooks(cx, document).await?;
        Save::of(document).apply(cx, &mut prepared).await?;
        lease::extend(cx, &prepared.collection, prepared.entry.id).await?;
        prepared.answer(cx)
    }
}

/// What has to change for an entry's values and slug to be what a revision says.
fn edit(collection: &Collection, entry: &Entry, revision: &Revision) -> Result<Edit, Error> {
    let mut old = revision.document.data.members(collection)?;
    let now = entry.working().data.members(collection)?;
    let mut data = Map::new();
    for field in &collection.fields {
        let name = field.slug.as_str();
        match (old.shift_remove(name), now.get(name)) {
            (Some(value), present) if present != Some(&value) => data.insert(name.to_owned(), value),
            // A field that became required since then keeps what it has.
            (None, Some(_)) if !field.required => data.insert(name.to_owned(), Value::Null),
            _ => None,
        };
    }
    let slug = revision.document.slug.clone().map_or(Patch::Clear, Patch::Set);
    Ok(Edit { data, slug, seo: None, aside: Aside::Of(revision.document.data.clone()) })
}

async fn find(cx: &Cx<'_>, id: RevisionId) -> Result<Revision, Error> {
    cx.read().revisions().get(id).await?.ok_or_else(|| Error::with(Code::NotFound, format!("there is no revision `{id}`")))
}

/// The collection that a revision's entry belongs to.
async fn collection(cx: &Cx<'_>, revision: &Revision) -> Result<Arc<Collection>, Error> {
    let collection = schema_cache::collection_by_id(cx, revision.collection).await?;
    collection.ok_or_else(|| Error::with(Code::CollectionNotFound, "the collection of the revision is not registered"))
}

/// What those who saved are known as: they need not own any entry.
async fn names(cx: &Cx<'_>, revisions: &[Revision]) -> Result<BTreeMap<UserId, String>, Error> {
    let authors: BTreeSet<_> = revisions.iter().filter_map(|revision| revision.author).collect();
    let users = cx.read().users().by_ids(authors).await?;
    Ok(users.into_iter().map(|user| (user.id, user.known_as().to_owned())).collect())
}

fn view(collection: &Collection, revision: Revision, names: &BTreeMap<UserId, String>) -> Result<RevisionView, Error> {
    let Revision { id, entry, document, author, autosave, created_at, updated_at, .. } = revision;
    Ok(RevisionView {
        id,
        collection: collection.slug.clone(),
        entry_id: entry,
        data: values(collection, document.data)?,
        slug: document.slug,
        seo: collection.has_seo.then_some(document.seo),
        author_id: author,
        author_name: author.and_then(|author| names.get(&author).cloned()),
        autosave,
        created_at,
        updated_at,
    })
}
