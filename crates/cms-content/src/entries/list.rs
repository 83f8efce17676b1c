//! List entries.

use cms_domain::{
    access::{Access, Visibility},
    collection::{Collection, Index},
    entry::Status,
    field::{FieldNames, filter::FieldFilters},
    id::UserId,
    issue::Issue,
    locale::Locale,
    page::{Cursor, PageSize},
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Door, Error,
    failures::{COLLECTION, Failures, PAGED},
    input::Later,
    operation::{Http, Operation, Tool},
    topics::{Subject, Topic},
};
use cms_storage::{DateField, DateRange, ListQuery, Page, Position, Sort};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    LATER,
    dates::DateBound,
    format::Format,
    item::Item,
    listed::{self, Listed},
    wanted::{Included, Wanted},
};
use crate::{Content, schema_cache};

/// List entries of a collection.
///
/// Callers who may read drafts see all entries outside of the trash, with filters and orders by field acting on what they see.
/// All others see published values of published entries.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListEntries {
    /// The collection.
    pub collection: CollectionSlug,
    /// Where to go on: `nextCursor` of the page before, with the same order and filters.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
    /// Only entries of this status. `scheduled` means waiting to become public; a published entry with a schedule is `published`.
    pub status: Option<Status>,
    /// What to sort by: `createdAt`, `updatedAt`, `publishedAt`, `scheduledAt`, `slug`, `status`, `locale`, or an indexed field.
    /// Entries without the value sort lowest. `createdAt` when left out.
    pub order_by: Option<String>,
    /// Direction; `desc` when left out.
    #[serde(default)]
    pub order: Order,
    /// Only entries of this locale.
    pub locale: Option<Locale>,
    /// Only entries of this author.
    pub author_id: Option<UserId>,
    /// Which date `dateFrom` and `dateTo` bound.
    pub date_field: Option<ListDate>,
    /// Only entries whose date is this one or later.
    pub date_from: Option<DateBound>,
    /// Only entries whose date is this one or earlier.
    pub date_to: Option<DateBound>,
    /// Only entries whose fields pass: each filter names an indexed field.
    #[serde(default)]
    pub field_filters: FieldFilters,
    /// Whether to count the entries of all pages.
    #[serde(default)]
    pub include_total: bool,
    /// The fields whose values are wanted, with commas between them: `title,summary`. All of them when left out, none when empty.
    pub fields: Option<FieldNames>,
    /// Reference fields, with commas between them, whose entries are to come along in `included`.
    pub include: Option<FieldNames>,
    /// How rich text is written: as a list of blocks, or as Markdown in a text. What Markdown cannot say is in it as a block of JSON in a fence.
    #[serde(default)]
    pub format: Format,
}

/// Direction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Order {
    /// The lowest first.
    Asc,
    /// The highest first.
    #[default]
    Desc,
}

/// A date that a list can be bounded by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum ListDate {
    /// When the entry was created.
    CreatedAt,
    /// When readers last saw a change.
    UpdatedAt,
    /// The publication date; entries without one are not listed.
    PublishedAt,
}

/// A page of entries.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryPage {
    /// The entries.
    pub items: Vec<Listed>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// The number of entries of all pages; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Whether there are more than `total`, which is where counting ended; only when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_capped: Option<bool>,
    /// The entries that those of the page refer to in the fields that `include` names, by their ids, as far as the caller may see them. Only when
    /// asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub included: Option<Included>,
}

/// What a page has besides its entries, in bytes: a cursor, mostly, and what a door puts around it.
const AROUND: usize = 512;

impl Operation for ListEntries {
    const ID: &'static str = "content.list";
    const ACCESS: Access = Access::Reader;
    const HTTP: Http = Http::get("listContent", "/content/{collection}").cached(&[Subject::Schema, Subject::Entries, Subject::Entry]);
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[COLLECTION, PAGED, &[Code::IndexBuilding, Code::UnindexedFilter]];
    const LATER: Later = LATER;
    type Output = EntryPage;

    fn check(&self) -> Result<(), Error> {
        let bounded = self.date_from.is_some() || self.date_to.is_some();
        if bounded && self.date_field.is_none() {
            return Err(Error::issue("dateField", "REQUIRED", "says which date `dateFrom` and `dateTo` bound"));
        }
        Ok(())
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<EntryPage, Error> {
        let collection = schema_cache::collection(cx, &self.collection).await?;
        cx.shows(Topic::Entries(collection.id));
        let wanted = Wanted { fields: self.fields.as_ref(), include: self.include.as_ref(), format: self.format };
        wanted.check(&collection)?;
        let (mut query, list) = self.query(cx, &collection)?;
        let after: Option<Position> =
            self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        if after.as_ref().is_some_and(|after| !after.fits(query.sort)) {
            return Err(Error::new(Code::InvalidCursor));
        }
        query.after = after;
        let (page, included) = page(cx, &collection, &query, wanted).await?;
        tracing::debug!(page.plan, "listed");
        let total = if self.include_total { Some(cx.read().entries().count(&query).await?) } else { None };
        cx.sign(|| listed::page_signature(&collection, &page, total));
        Ok(EntryPage {
            items: page.items,
            next_cursor: page.next.map(|next| Cursor::seal(&list, &next)).transpose()?,
            total: total.map(|total| total.n),
            total_capped: total.map(|total| !total.exact),
            included,
        })
    }

    fn length(page: &EntryPage) -> usize {
        AROUND + page.items.iter().map(|item| item.length() + 1).sum::<usize>()
    }
}

/// A page, as the caller may see it, and what comes along.
async fn page(
    cx: &Cx<'_>,
    collection: &Collection,
    query: &ListQuery<'_>,
    wanted: Wanted<'_>,
) -> Result<(Page<Listed>, Option<Included>), Error> {
    let entries = cx.read().entries();
    // Who calls from inside of the program asks for entries, and not for bytes.
    if cx.door() != Door::Local && wanted.include.is_none() && Content::of(cx.cms()).finished.keeps() {
        let stamps = entries.list_stamps(query).await?;
        if let Some(page) = listed::finished(cx, collection, stamps, wanted).await? {
            return Ok((page, None));
        }
    }
    let page = match query.visibility {
        Visibility::Published => entries.list_published(query).await?.try_map(|entry| Item::of(collection, entry))?,
        Visibility::Working => entries.list(query).await?.try_map(|entry| Item::new(collection, entry, query.visibility))?,
    };
    let included = wanted.included(cx, page.items.iter().map(|item| &item.data)).await?;
    Ok((page.try_map(|item| Ok::<_, Error>(Listed::Item(Box::new(wanted.of(collection, item)?))))?, included))
}

impl ListEntries {
    /// What is asked of storage, and the description of the list that its cursors are bound to.
    pub(super) fn query<'a>(&self, cx: &Cx<'_>, collection: &'a Collection) -> Result<(ListQuery<'a>, String), Error> {
        let visibility = cx.visibility();
        let locale = self.locale.as_ref().map(|locale| cx.locale(Some(locale))).transpose()?;
        for (slug, _) in self.field_filters.iter() {
            collection.index_of(slug.as_str()).map_or(Ok(()), ready)?;
        }
        let under = |issues: Vec<Issue>| issues.into_iter().map(|issue| issue.under("fieldFilters")).collect();
        let fields = self.field_filters.keys(collection).map_err(|issues| Error::invalid(under(issues)))?;
        // Whoever sees published entries only is not told that there are others.
        let status = if visibility == Visibility::Published { Some(Status::Published) } else { self.status };
        let order_by = self.order_by.as_deref().unwrap_or("createdAt");
        let list = json!([
            "content.list",
            collection.id,
            visibility == Visibility::Working,
            order_by,
            self.order,
            status,
            locale,
            self.author_id,
            self.date_field,
            self.date_from.map(|bound| bound.to_string()),
            self.date_to.map(|bound| bound.to_string()),
            self.field_filters,
        ]);
        let query = ListQuery {
            sort: sort(collection, order_by, visibility)?,
            descending: self.order == Order::Desc,
            status,
            locale,
            author: self.author_id,
            dates: self.dates(),
            fields,
            budget: cx.options().list_budget,
            ..ListQuery::new(collection, visibility, self.limit.get())
        };
        Ok((query, list.to_string()))
    }

    pub(super) fn dates(&self) -> Option<DateRange> {
        let (from, to) = (self.date_from.map(DateBound::first), self.date_to.map(DateBound::last));
        let field = match self.date_field.filter(|_| from.is_some() || to.is_some())? {
            ListDate::CreatedAt => DateField::CreatedAt,
            ListDate::UpdatedAt => DateField::UpdatedAt,
            ListDate::PublishedAt => DateField::PublishedAt,
        };
        Some(DateRange { field, from, to })
    }
}

/// What a list is sorted by.
fn sort(collection: &Collection, order_by: &str, visibility: Visibility) -> Result<Sort, Error> {
    let refuse = |code, message: String| Err(Error::issue("orderBy", code, message));
    match order_by {
        "createdAt" => return Ok(Sort::CreatedAt),
        "updatedAt" => return Ok(Sort::UpdatedAt),
        "publishedAt" => return Ok(Sort::PublishedAt),
        // The order would tell of schedules.
        "scheduledAt" if visibility == Visibility::Published => {
            return refuse("NOT_ALLOWED", "schedules are for callers who may read drafts".to_owned());
        }
        "scheduledAt" => return Ok(Sort::ScheduledAt),
        "slug" => return Ok(Sort::Slug),
        "status" => return Ok(Sort::Status),
        "locale" => return Ok(Sort::Locale),
        _ => {}
    }
    let Some(field) = collection.field(order_by) else {
        return refuse("UNKNOWN_FIELD", collection.no_field(order_by));
    };
    if !field.kind.is_sortable() {
        return refuse("FIELD_NOT_SORTABLE", format!("a {} field has no order", field.kind.field_type().name()));
    }
    let Some(index) = collection.index_of(order_by) else {
        return refuse("FIELD_NOT_INDEXED", "is not indexed; mark the field as indexed to sort by it".to_owned());
    };
    ready(index)?;
    Ok(Sort::Field(index.id))
}

/// Refuses an index that does not know every entry yet.
fn ready(index: &Index) -> Result<(), Error> {
    if index.is_ready() {
        return Ok(());
    }
    Err(Error::new(Code::IndexBuilding).details(json!({ "fields": index.fields, "index": index.state })))
}
