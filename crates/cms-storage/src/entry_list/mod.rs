//! Lists of entries: what one can ask for, and pages of answers.

mod clip;
mod plan;
#[cfg(test)]
mod plan_tests;
mod position;
mod query;
mod sql;
#[cfg(test)]
mod tests;

use cms_domain::{
    access::Visibility,
    collection::{Collection, Index, IndexId},
    entry::{DateField, Status},
    field::filter::FieldKeys,
    id::UserId,
    locale::Locale,
    slug::FieldSlug,
    time::Timestamp,
};

pub use position::Position;

/// What a list is sorted by. Ties are broken by when the entries were created, then by their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// When the entry was created.
    #[default]
    CreatedAt,
    /// When readers last saw a change.
    UpdatedAt,
    /// The publication date; entries without one come first.
    PublishedAt,
    /// The planned date; entries without one come first.
    ScheduledAt,
    /// The published slug; entries without one come first.
    Slug,
    /// The status, then the locale.
    Status,
    /// The locale.
    Locale,
    /// A field, through its index.
    Field(IndexId),
}

/// Dates from one instant to another, both included. Entries without the date are not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateRange {
    /// Which date.
    pub field: DateField,
    /// The first instant.
    pub from: Option<Timestamp>,
    /// The last instant.
    pub to: Option<Timestamp>,
}

/// What a list asks for. Entries in the trash are never in it.
#[derive(Debug, Clone)]
pub struct ListQuery<'a> {
    /// The collection, whose indexes answer filters and sorts by field.
    pub collection: &'a Collection,
    /// Which values are looked at, and whether only published entries are.
    pub visibility: Visibility,
    /// The order.
    pub sort: Sort,
    /// Whether the order is reversed, ties included.
    pub descending: bool,
    /// The most items of the page.
    pub limit: usize,
    /// Where the page before ended.
    pub after: Option<Position>,
    /// Only entries of a status.
    pub status: Option<Status>,
    /// Only entries of a locale.
    pub locale: Option<Locale>,
    /// Only entries of an author.
    pub author: Option<UserId>,
    /// Only entries of a time.
    pub dates: Option<DateRange>,
    /// Only entries with one of these keys, for each of the fields.
    pub fields: Vec<FieldKeys>,
    /// The most rows that are looked at for a page where no index finds the rows of the list alone.
    pub budget: i64,
}

impl<'a> ListQuery<'a> {
    /// The most rows that a list looks at for a page, unless it is told otherwise. A row that is looked up elsewhere takes SQLite six
    /// microseconds and PostgreSQL seven (measured): a search that finds nothing ends within a quarter of a second.
    pub const BUDGET: i64 = 30_000;

    /// Everything in a collection that is visible, the newest first.
    pub fn new(collection: &'a Collection, visibility: Visibility, limit: usize) -> Self {
        Self {
            collection,
            visibility,
            sort: Sort::CreatedAt,
            descending: true,
            limit,
            after: None,
            status: None,
            locale: None,
            author: None,
            dates: None,
            fields: Vec::new(),
            budget: Self::BUDGET,
        }
    }
}

/// What would let a list be found that looks at too many rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// An index over these fields, in this order. The last may be a date of the entry.
    Declare(Vec<FieldSlug>),
    /// This index, once it is built.
    Wait(Index),
    /// No index: fewer filters, or another order.
    Narrow,
}

/// A page of a list.
#[derive(Debug)]
pub struct Page<T> {
    /// The entries, in order.
    pub items: Vec<T>,
    /// Where the page ends, when there is more.
    pub next: Option<Position>,
    /// How the page was found, in short; for the log line of a slow list.
    pub plan: String,
}

impl<T> Page<T> {
    /// The same page with something else made of each entry.
    pub fn try_map<U, E>(self, make: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let Self { items, next, plan } = self;
        Ok(Page { items: items.into_iter().map(make).collect::<Result<_, _>>()?, next, plan })
    }

    fn empty(plan: impl Into<String>) -> Self {
        Self { items: Vec::new(), next: None, plan: plan.into() }
    }
}

/// How many entries a list has in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// The number; a lower bound when it is not exact.
    pub n: u64,
    /// Whether counting went to the end.
    pub exact: bool,
}
