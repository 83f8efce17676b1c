//! List the entries in the trash.

use cms_domain::{
    access::Access,
    collection::Collection,
    entry::{Entry, Status},
    id::{EntryId, UserId},
    json::JsonObject,
    locale::Locale,
    page::{Cursor, PageSize},
    rev::Rev,
    slug::{CollectionSlug, EntrySlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures, PAGED},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{READ_DRAFTS, item::values};
use crate::schema_cache;

/// List the entries of a collection that are in the trash, the last one deleted first.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListTrashed {
    /// The collection.
    pub collection: CollectionSlug,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// A page of entries in the trash.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrashPage {
    /// The entries.
    pub items: Vec<TrashedItem>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// An entry in the trash.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrashedItem {
    /// Identifies the entry.
    pub id: EntryId,
    /// Collection of the entry.
    #[serde(rename = "type")]
    pub collection: CollectionSlug,
    /// Last part of the entry's address, which stays taken.
    pub slug: Option<EntrySlug>,
    /// Where the entry will stand when it is restored.
    pub status: Status,
    /// Field values of the newest content.
    pub data: JsonObject,
    /// Who owns the entry.
    pub author_id: Option<UserId>,
    /// Language of the entry.
    pub locale: Locale,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When readers last saw a change.
    pub updated_at: Timestamp,
    /// The publication date.
    pub published_at: Option<Timestamp>,
    /// When the entry was moved to the trash.
    pub deleted_at: Option<Timestamp>,
    /// Names this state of the entry.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl Operation for ListTrashed {
    const ID: &'static str = "content.list_trashed";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listTrashedContent", "/content/{collection}/trash");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[COLLECTION, PAGED];
    type Output = TrashPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TrashPage, Error> {
        let collection = schema_cache::collection(cx, &self.collection).await?;
        let list = format!("content.list_trashed {}", collection.id);
        let after = self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let page = cx.read().entries().list_trashed(collection.id, self.limit.get(), after.as_ref()).await?;
        let next_cursor = page.next.map(|next| Cursor::seal(&list, &next)).transpose()?;
        let items = page.items.into_iter().map(|entry| trashed(&collection, entry)).collect::<Result<_, _>>()?;
        Ok(TrashPage { items, next_cursor })
    }
}

fn trashed(collection: &Collection, entry: Entry) -> Result<TrashedItem, Error> {
    let rev = entry.rev();
    let document = entry.draft.unwrap_or(entry.live);
    Ok(TrashedItem {
        id: entry.id,
        collection: collection.slug.clone(),
        slug: document.slug,
        status: entry.lifecycle.status,
        data: values(collection, document.data)?,
        author_id: entry.author,
        locale: entry.locale,
        created_at: entry.created_at,
        updated_at: entry.updated_at,
        published_at: entry.lifecycle.published_at,
        deleted_at: entry.lifecycle.deleted_at,
        rev,
    })
}
