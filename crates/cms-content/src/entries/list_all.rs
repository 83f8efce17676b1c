//! List the entries of all collections.

use cms_domain::{
    access::Access,
    collection::Collection,
    entry::{Entry, Status},
    id::{EntryId, UserId},
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
use cms_storage::RecentQuery;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    READ_DRAFTS,
    across::{self, Known, Names},
    dates::DateBound,
};

/// List the entries of all collections, the one that changed last first.
///
/// It is by when readers last saw a change, and for entries that are not public by when they were last saved. Each entry is shown with its collection and what
/// names it, without its fields. A page may be shorter than asked for, and even empty, though there are more: the list goes on as long as there is a
/// `nextCursor`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListAll {
    /// Where to go on: `nextCursor` of the page before, with the same filters.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
    /// Only entries of these collections, with commas between them: `posts,pages`.
    pub collections: Option<Names>,
    /// Only entries of this status. `scheduled` means waiting to become public; a published entry with a schedule is `published`.
    pub status: Option<Status>,
    /// Only entries of this locale.
    pub locale: Option<Locale>,
    /// Only entries of this author.
    pub author_id: Option<UserId>,
    /// Only entries that changed then or later.
    pub date_from: Option<DateBound>,
    /// Only entries that changed then or earlier.
    pub date_to: Option<DateBound>,
}

/// A page of entries of several collections.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AllPage {
    /// The entries.
    pub items: Vec<AnyEntry>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// An entry among those of all collections.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AnyEntry {
    /// Identifies the entry.
    pub id: EntryId,
    /// Collection of the entry.
    #[serde(rename = "type")]
    pub collection: CollectionSlug,
    /// What names it in its newest content: the value of the title field of its collection, or else of `title` or `name`.
    pub title: Option<String>,
    /// Last part of the entry's address, in its newest content.
    pub slug: Option<EntrySlug>,
    /// Where the entry stands. A published entry with a pending draft or a schedule is `published`.
    pub status: Status,
    /// Whether a draft of the published entry is pending.
    pub has_draft: bool,
    /// Who owns the entry.
    pub author_id: Option<UserId>,
    /// Language of the entry.
    pub locale: Locale,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When readers last saw a change. Saving a draft of a published entry does not count.
    pub updated_at: Timestamp,
    /// The publication date.
    pub published_at: Option<Timestamp>,
    /// When the entry, or its pending draft, will be published.
    pub scheduled_at: Option<Timestamp>,
    /// When the entry will be taken off the public site again.
    pub unpublish_at: Option<Timestamp>,
    /// Names this state of the entry.
    #[serde(rename = "_rev")]
    pub rev: Rev,
}

impl Operation for ListAll {
    const ID: &'static str = "content.list_all";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listAllContent", "/content");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[COLLECTION, PAGED];
    type Output = AllPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<AllPage, Error> {
        let collections = across::collections(cx, self.collections.as_ref()).await?;
        let locale = self.locale.as_ref().map(|locale| cx.locale(Some(locale))).transpose()?;
        let (from, to) = (self.date_from.map(DateBound::first), self.date_to.map(DateBound::last));
        let list = json!([Self::ID, collections, self.status, locale, self.author_id, from, to]).to_string();
        let after = self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let query = RecentQuery {
            status: self.status,
            locale: locale.as_ref(),
            author: self.author_id,
            collections: collections.as_deref(),
            from,
            to,
            after,
            limit: self.limit.get(),
        };
        let page = cx.read().entries().recent(&query).await?;
        let mut known = Known::default();
        let mut items = Vec::with_capacity(page.items.len());
        for entry in &page.items {
            items.extend(known.entry(cx, entry).await?);
        }
        Ok(AllPage { items, next_cursor: page.next.map(|next| Cursor::seal(&list, &next)).transpose()? })
    }
}

/// What names an entry in its newest content.
pub(crate) fn title(collection: &Collection, entry: &Entry) -> Result<Option<String>, Error> {
    Ok(collection.title_of(&entry.working().data.members(collection)?).map(str::to_owned))
}

impl AnyEntry {
    pub(super) fn of(collection: &Collection, entry: &Entry) -> Result<Self, Error> {
        let working = entry.working();
        let title = title(collection, entry)?;
        Ok(Self {
            id: entry.id,
            collection: collection.slug.clone(),
            title,
            slug: working.slug.clone(),
            status: entry.lifecycle.status,
            has_draft: entry.lifecycle.has_draft,
            author_id: entry.author,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            published_at: entry.lifecycle.working_date(),
            scheduled_at: entry.lifecycle.scheduled_at,
            unpublish_at: entry.lifecycle.unpublish_at,
            rev: entry.rev(),
            locale: entry.locale.clone(),
        })
    }
}
