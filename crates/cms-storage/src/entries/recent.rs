//! The entries of all collections, the one that changed last first.

use cms_domain::{
    access::Visibility,
    entry::{Entry, Status},
    id::{CollectionId, EntryId, UserId},
    locale::Locale,
    time::Timestamp,
};

use sea_orm::{
    ColumnTrait, QueryResult,
    sea_query::{Expr, ExprTrait, Order, Query, SelectStatement},
};

use super::{
    EntryReader,
    read::Filled,
    row::{
        entity::{Column, Entity},
        status_number,
    },
};
use crate::{
    Error,
    column::Stored,
    row::{Row, at_most, id_value, time_value},
};

/// How many entries are looked at for a page where each is checked for something: first some, of which most pages can be made, then so many and no more. A row
/// that is looked up takes some seven microseconds, so that is less than a twentieth of a second. It is also few enough for PostgreSQL to walk the index of
/// a large table rather than to sort all of it.
const LOOKED_AT: [u64; 2] = [500, MOST];
const MOST: u64 = 5_000;

/// What is asked for of all entries outside of the trash.
#[derive(Debug, Clone, Default)]
pub struct RecentQuery<'a> {
    /// Only entries of a status.
    pub status: Option<Status>,
    /// Only entries of a locale.
    pub locale: Option<&'a Locale>,
    /// Only entries of an author.
    pub author: Option<UserId>,
    /// Only entries of these collections; of all that there are without it.
    pub collections: Option<&'a [CollectionId]>,
    /// Only entries that changed then or later.
    pub from: Option<Timestamp>,
    /// Only entries that changed then or earlier.
    pub to: Option<Timestamp>,
    /// Where the page before ended.
    pub after: Option<(Timestamp, EntryId)>,
    /// The most entries of the page.
    pub limit: usize,
}

/// A page of entries.
#[derive(Debug)]
pub struct RecentPage {
    /// The entries, whole.
    pub items: Vec<Entry>,
    /// Where the page ends, when there may be more.
    pub next: Option<(Timestamp, EntryId)>,
}

impl EntryReader<'_> {
    /// A page of the entries of all collections, by when readers last saw a change; those of collections that are gone are among them as long as they are
    /// there. So many are looked at and no more: where few of them are what is asked for, the page is short, and says where to go on.
    pub async fn recent(self, query: &RecentQuery<'_>) -> Result<RecentPage, Error> {
        let mut found = Vec::new();
        if query.is_checked() {
            for looked_at in LOOKED_AT {
                found = self.found(&query.checked(looked_at)).await?;
                if found.len() > query.limit {
                    break;
                }
            }
        } else {
            found = self.found(query.walk().limit(query.rows())).await?;
        }
        let goes_on = found.len() > query.limit;
        found.truncate(query.limit);
        let next = match found.last() {
            Some(last) if goes_on => Some(*last),
            _ if query.is_checked() => self.last_looked_at(query).await?,
            _ => None,
        };
        let ids: Vec<EntryId> = found.iter().map(|(_, id)| *id).collect();
        let Filled { items, cut_at } = self.page_by_ids(Visibility::Working, &ids).await?;
        let cut = cut_at.and_then(|cut_at| ids.iter().position(|id| *id == cut_at));
        let next = cut.map_or(next, |cut| found.get(cut.wrapping_sub(1)).copied());
        Ok(RecentPage { items, next })
    }

    async fn found(self, select: &SelectStatement) -> Result<Vec<(Timestamp, EntryId)>, Error> {
        self.executor.all(select).await?.iter().map(|row| Ok((read_at(row)?, row.read_id("id")?))).collect()
    }

    /// Where to go on behind all that was looked at; none where that was everything.
    async fn last_looked_at(self, query: &RecentQuery<'_>) -> Result<Option<(Timestamp, EntryId)>, Error> {
        let row = self.executor.one(&*query.walk().limit(1).offset(MOST - 1)).await?;
        row.map(|row| Ok((read_at(&row)?, row.read_id("id")?))).transpose()
    }
}

impl RecentQuery<'_> {
    /// Whether an index finds more than is asked for.
    fn is_checked(&self) -> bool {
        let is_one = matches!(self.collections, None | Some([_]));
        self.status.is_some() || self.locale.is_some() || !is_one || self.author.is_some() && self.collections.is_some()
    }

    /// How many rows are read for a page: one more than it has says whether there is another page.
    fn rows(&self) -> u64 {
        at_most(self.limit).saturating_add(1)
    }

    /// The entries in their order, as an index has them.
    fn walk(&self) -> SelectStatement {
        let mut walk = Query::select();
        walk.columns([Column::Id, Column::UpdatedAt, Column::CollectionId, Column::Status, Column::Locale]).from(Entity);
        walk.and_where(Column::DeletedAt.is_null());
        if let Some(author) = self.author {
            walk.and_where(Column::AuthorId.eq(Stored(author)));
        } else if let Some([collection]) = self.collections {
            walk.and_where(Column::CollectionId.eq(Stored(*collection)));
        }
        walk.and_where_option(self.from.map(|from| Column::UpdatedAt.gte(Stored(from))));
        walk.and_where_option(self.to.map(|to| Column::UpdatedAt.lte(Stored(to))));
        if let Some((at, id)) = self.after {
            let place = Expr::tuple([Expr::col(Column::UpdatedAt), Expr::col(Column::Id)]);
            walk.and_where(place.lt(Expr::tuple([Expr::val(time_value(at)), Expr::val(id_value(id))])));
        }
        walk.order_by(Column::UpdatedAt, Order::Desc).order_by(Column::Id, Order::Desc);
        walk
    }

    /// Those of the first entries that are asked for. What is looked at is bounded before it is checked.
    fn checked(&self, looked_at: u64) -> SelectStatement {
        let mut first = self.walk();
        first.limit(looked_at);
        let mut checked = Query::select();
        checked.columns([Column::Id, Column::UpdatedAt]).from_subquery(first, "w");
        checked.and_where_option(self.status.map(|status| Expr::col(Column::Status).eq(status_number(status))));
        checked.and_where_option(self.locale.map(|locale| Expr::col(Column::Locale).eq(locale.as_str())));
        checked.and_where_option(self.collections.map(|all| Expr::col(Column::CollectionId).is_in(all.iter().copied().map(id_value))));
        checked.order_by(Column::UpdatedAt, Order::Desc).order_by(Column::Id, Order::Desc).limit(self.rows());
        checked
    }
}

fn read_at(row: &QueryResult) -> Result<Timestamp, Error> {
    Ok(Timestamp::from_milliseconds(row.read("updated_at")?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store, both,
        fixtures::{at, collection, entry, permit},
    };

    async fn with_entries(store: &Store, n: u128) -> crate::Tx {
        let tx = store.write().await.unwrap();
        for c in [1, 2] {
            tx.collections().insert(&permit(), &collection(c, if c == 1 { "posts" } else { "pages" })).await.unwrap();
        }
        for n in 1..=n {
            let collection = collection(1 + n % 2, if n % 2 == 0 { "posts" } else { "pages" });
            let mut entry = entry(n, &collection);
            entry.updated_at = at(i64::try_from(n).unwrap() / 3);
            entry.author = (n % 5 == 0).then(|| UserId::from_parts(1, 1));
            tx.entries().insert(&permit(), &collection, &entry, None).await.unwrap();
        }
        tx
    }

    async fn all(tx: &crate::Tx, query: RecentQuery<'_>) -> Vec<u128> {
        let (mut found, mut query) = (Vec::new(), query);
        loop {
            let page = tx.reader().entries().recent(&query).await.unwrap();
            found.extend(page.items.iter().map(|entry| u128::from_be_bytes(entry.id.to_bytes()) & 0xffff));
            query.after = page.next;
            if query.after.is_none() {
                return found;
            }
        }
    }

    both! {
        async fn pages_one_after_the_other_are_all_entries_the_last_change_first(store: Store) {
            let tx = with_entries(&store, 40).await;
            let query = RecentQuery { limit: 7, ..RecentQuery::default() };
            assert_eq!(all(&tx, query.clone()).await, (1..=40).rev().collect::<Vec<_>>());
            let posts = [collection(1, "posts").id];
            let of_one = RecentQuery { collections: Some(&posts), ..query.clone() };
            assert_eq!(all(&tx, of_one).await, (1..=40).rev().filter(|n| n % 2 == 0).collect::<Vec<_>>());
            let of_author = RecentQuery { author: Some(UserId::from_parts(1, 1)), ..query.clone() };
            assert_eq!(all(&tx, of_author).await, (1..=40).rev().filter(|n| n % 5 == 0).collect::<Vec<_>>());
            let dated = RecentQuery { from: Some(at(2)), to: Some(at(3)), ..query.clone() };
            assert_eq!(all(&tx, dated).await, (6..=11).rev().collect::<Vec<_>>());
            let both = [collection(1, "posts").id, collection(2, "pages").id];
            assert_eq!(all(&tx, RecentQuery { collections: Some(&both), ..query.clone() }).await, (1..=40).rev().collect::<Vec<_>>());
            let published = RecentQuery { status: Some(Status::Published), ..query };
            assert_eq!(all(&tx, published).await, [0; 0]);
        }
    }
}
