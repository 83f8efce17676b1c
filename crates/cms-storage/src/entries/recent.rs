//! The entries of all collections, the one that changed last first.

use cms_domain::{
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
    row::entity::{Column, Entity},
    walk::{Checks, Walk, Walked},
};
use crate::{
    Error,
    column::Stored,
    row::{Row, id_value, time_value},
};

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
        let Walked { entries, next, .. } = self.walked(query).await?;
        Ok(RecentPage { items: entries, next })
    }
}

impl Walk for RecentQuery<'_> {
    type Place = (Timestamp, EntryId);

    fn limit(&self) -> usize {
        self.limit
    }

    fn checks(&self) -> Checks<'_> {
        // What an index finds by itself need not be checked.
        let collections = self.collections.filter(|all| self.author.is_some() || all.len() != 1);
        Checks { status: self.status, locale: self.locale, author: None, collections }
    }

    fn walk(&self, most: u64) -> SelectStatement {
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
        Self::in_order(&mut walk);
        walk.limit(most);
        walk
    }

    fn in_order(select: &mut SelectStatement) {
        select.order_by(Column::UpdatedAt, Order::Desc).order_by(Column::Id, Order::Desc);
    }

    fn place(row: &QueryResult) -> Result<Self::Place, Error> {
        Ok((Timestamp::from_milliseconds(row.read("updated_at")?), row.read_id("id")?))
    }

    fn id((_, id): Self::Place) -> EntryId {
        id
    }
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
