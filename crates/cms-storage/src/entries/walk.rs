//! Entries of all collections in an order that an index has, of which those are found that pass some checks.

use std::collections::HashSet;

use cms_domain::{
    access::Visibility,
    entry::{Entry, Status},
    id::{CollectionId, EntryId, UserId},
    locale::Locale,
};
use sea_orm::{
    QueryResult,
    sea_query::{Asterisk, Expr, ExprTrait, Query, SelectStatement},
};

use super::{
    EntryReader,
    read::Filled,
    row::{entity::Column, status_number},
};
use crate::{
    Error,
    row::{at_most, id_value},
};

/// How many entries are looked at for a page where each is checked for something: first some, of which most pages can be made, then so many and no more. A row
/// that is looked up takes some seven microseconds, so that is less than a twentieth of a second. It is also few enough for PostgreSQL to walk the index of
/// a large table rather than to sort all of it.
const LOOKED_AT: [u64; 2] = [500, MOST];
const MOST: u64 = 5_000;

/// What each entry on the way is checked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Checks<'a> {
    pub(super) status: Option<Status>,
    pub(super) locale: Option<&'a Locale>,
    pub(super) author: Option<UserId>,
    pub(super) collections: Option<&'a [CollectionId]>,
}

/// A walk over entries.
pub(super) trait Walk {
    /// Where an entry is in the order.
    type Place: Copy;

    /// The most entries of a page.
    fn limit(&self) -> usize;

    /// What the entries on the way are checked for.
    fn checks(&self) -> Checks<'_>;

    /// So many steps of the way from where the page before ended: in its order, and with the columns that place and checks need.
    fn walk(&self, most: u64) -> SelectStatement;

    /// Puts rows into the order.
    fn in_order(select: &mut SelectStatement);

    /// Reads the place of a row.
    fn place(row: &QueryResult) -> Result<Self::Place, Error>;

    /// The entry at a place.
    fn id(place: Self::Place) -> EntryId;
}

/// A page of a walk.
#[derive(Debug)]
pub(super) struct Walked<P> {
    /// The places, in their order.
    pub(super) places: Vec<P>,
    /// The entries at these places, each once, whole; one that is gone by now is not among them.
    pub(super) entries: Vec<Entry>,
    /// Where the next page begins, if there may be one.
    pub(super) next: Option<P>,
}

impl EntryReader<'_> {
    /// A page of a walk. So many entries are looked at and no more: where few of them pass, the page is short.
    pub(super) async fn walked<W: Walk>(self, walk: &W) -> Result<Walked<W::Place>, Error> {
        let (checks, limit) = (walk.checks(), walk.limit());
        let mut found = Vec::new();
        if checks.any() {
            for looked_at in LOOKED_AT {
                found = self.places::<W>(&checked(walk, checks, looked_at)).await?;
                if found.len() > limit {
                    break;
                }
            }
        } else {
            found = self.places::<W>(&walk.walk(rows(limit))).await?;
        }
        let goes_on = found.len() > limit;
        found.truncate(limit);
        let mut next = match found.last() {
            Some(last) if goes_on => Some(*last),
            _ if checks.any() => self.last_looked_at(walk).await?,
            _ => None,
        };
        // An entry may stand at more than one place.
        let mut seen = HashSet::new();
        let ids: Vec<EntryId> = found.iter().map(|place| W::id(*place)).filter(|id| seen.insert(*id)).collect();
        let Filled { items, cut_at } = self.page_by_ids(Visibility::Working, &ids).await?;
        if let Some(cut) = cut_at.and_then(|cut_at| found.iter().position(|place| W::id(*place) == cut_at)) {
            found.truncate(cut);
            next = found.last().copied();
        }
        Ok(Walked { places: found, entries: items, next })
    }

    async fn places<W: Walk>(self, select: &SelectStatement) -> Result<Vec<W::Place>, Error> {
        self.executor.all(select).await?.iter().map(W::place).collect()
    }

    /// Where to go on behind all that was looked at; none where that was everything.
    async fn last_looked_at<W: Walk>(self, walk: &W) -> Result<Option<W::Place>, Error> {
        let row = self.executor.one(&*walk.walk(MOST).limit(1).offset(MOST - 1)).await?;
        row.as_ref().map(W::place).transpose()
    }
}

impl Checks<'_> {
    fn any(self) -> bool {
        self.status.is_some() || self.locale.is_some() || self.author.is_some() || self.collections.is_some()
    }
}

/// How many rows are read for a page: one more than it has says whether there is another page.
fn rows(limit: usize) -> u64 {
    at_most(limit).saturating_add(1)
}

/// Those of the first entries that pass. What is looked at is bounded before it is checked.
fn checked<W: Walk>(walk: &W, checks: Checks<'_>, looked_at: u64) -> SelectStatement {
    let mut checked = Query::select();
    checked.column(Asterisk).from_subquery(walk.walk(looked_at), "w");
    checked.and_where_option(checks.status.map(|status| Expr::col(Column::Status).eq(status_number(status))));
    checked.and_where_option(checks.locale.map(|locale| Expr::col(Column::Locale).eq(locale.as_str())));
    checked.and_where_option(checks.author.map(|author| Expr::col(Column::AuthorId).eq(id_value(author))));
    checked.and_where_option(checks.collections.map(|all| Expr::col(Column::CollectionId).is_in(all.iter().copied().map(id_value))));
    W::in_order(&mut checked);
    checked.limit(rows(walk.limit()));
    checked
}
