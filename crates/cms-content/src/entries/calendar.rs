//! What is planned for entries and what became public, by when it happens.

use std::{collections::BTreeSet, str::FromStr, time::Duration};

use cms_domain::{
    access::Access,
    bounded::Bounded,
    id::{EntryId, UserId},
    locale::Locale,
    page::{Cursor, PageSize},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures, PAGED},
    operation::{Http, Operation, Tool},
};
use cms_storage::{CalendarQuery, Happening};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    READ_DRAFTS,
    across::{self, Known, Names},
    list_all::AnyEntry,
};

/// How long the time may be that is asked for: a quarter of a year with the weeks that it begins and ends in.
const LONGEST: Duration = Duration::from_hours(100 * 24);

/// List what happens to entries within a time, the earliest first.
///
/// Publications and endings that are planned, and what became public then and still is: the same entry may be there for each of them. A page may be shorter
/// than asked for, and even empty, though there are more: the list goes on as long as there is a `nextCursor`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListCalendar {
    /// Only what happens then or later.
    pub from: Timestamp,
    /// Only what happens earlier; at most 100 days after `from`.
    pub to: Timestamp,
    /// What of it, with commas between: `publish,unpublish`. Everything without it.
    pub kinds: Option<Bounded<1, 100>>,
    /// Only entries of these collections, with commas between them: `posts,pages`.
    pub collections: Option<Names>,
    /// Only entries of this locale.
    pub locale: Option<Locale>,
    /// Only entries of this author.
    pub author_id: Option<UserId>,
    /// Where to go on: `nextCursor` of the page before, with the same filters.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// A page of what happens.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarPage {
    /// What happens, the earliest first.
    pub items: Vec<CalendarItem>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

/// Something that happens to an entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CalendarItem {
    /// What happens.
    pub kind: CalendarKind,
    /// When it happens.
    pub at: Timestamp,
    /// The entry that it happens to.
    pub entry: AnyEntry,
}

/// What happens to an entry: `publish`, it or its pending draft becomes public on schedule; `unpublish`, it is taken off the public site on schedule;
/// `published`, it is public since its publication date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CalendarKind {
    /// It, or its pending draft, becomes public on schedule.
    Publish,
    /// It is taken off the public site on schedule.
    Unpublish,
    /// It is public since its publication date.
    Published,
}

impl From<Happening> for CalendarKind {
    fn from(happening: Happening) -> Self {
        match happening {
            Happening::Publish => Self::Publish,
            Happening::Unpublish => Self::Unpublish,
            Happening::Published => Self::Published,
        }
    }
}

impl From<CalendarKind> for Happening {
    fn from(kind: CalendarKind) -> Self {
        match kind {
            CalendarKind::Publish => Self::Publish,
            CalendarKind::Unpublish => Self::Unpublish,
            CalendarKind::Published => Self::Published,
        }
    }
}

impl FromStr for CalendarKind {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            "publish" => Ok(Self::Publish),
            "unpublish" => Ok(Self::Unpublish),
            "published" => Ok(Self::Published),
            _ => Err("is none of publish, unpublish and published"),
        }
    }
}

impl Operation for ListCalendar {
    const ID: &'static str = "content.calendar";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("listCalendar", "/calendar");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[COLLECTION, PAGED];
    type Output = CalendarPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<CalendarPage, Error> {
        if self.to <= self.from {
            return Err(Error::issue("to", "INVALID_VALUE", "must be later than `from`"));
        }
        if self.to > self.from.after(LONGEST) {
            return Err(Error::issue("to", "INVALID_VALUE", "must be at most 100 days after `from`"));
        }
        let kinds = self.kinds()?;
        let what: Vec<Happening> = kinds.iter().copied().map(Into::into).collect();
        let collections = across::collections(cx, self.collections.as_ref()).await?;
        let locale = self.locale.as_ref().map(|locale| cx.locale(Some(locale))).transpose()?;
        let list = json!([Self::ID, self.from, self.to, kinds, collections, locale, self.author_id]).to_string();
        let after: Option<Place> = self.cursor.map(|cursor| cursor.open(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let query = CalendarQuery {
            from: self.from,
            to: self.to,
            what: &what,
            collections: collections.as_deref(),
            locale: locale.as_ref(),
            author: self.author_id,
            after: after.map(|(at, kind, id)| (at, kind.into(), id)),
            limit: self.limit.get(),
        };
        let page = cx.read().entries().calendar(&query).await?;
        let mut known = Known::default();
        let mut items = Vec::with_capacity(page.items.len());
        for (at, what, id) in page.items {
            let Some(entry) = page.entries.get(&id) else { continue };
            items.extend(known.entry(cx, entry).await?.map(|entry| CalendarItem { kind: what.into(), at, entry }));
        }
        let next: Option<Place> = page.next.map(|(at, what, id)| (at, what.into(), id));
        let next_cursor = next.map(|next| Cursor::seal(&list, &next)).transpose()?;
        Ok(CalendarPage { items, next_cursor })
    }
}

/// Where a page ends.
type Place = (Timestamp, CalendarKind, EntryId);

impl ListCalendar {
    /// What is asked for, each once.
    fn kinds(&self) -> Result<BTreeSet<CalendarKind>, Error> {
        let Some(kinds) = &self.kinds else { return Ok(Happening::ALL.map(Into::into).into()) };
        let named = kinds.as_str().split(',').map(str::trim);
        named.map(|name| name.parse().map_err(|error| Error::issue("kinds", "INVALID_VALUE", format!("`{name}` {error}")))).collect()
    }
}
