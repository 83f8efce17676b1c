//! What is planned for entries and what became of them, by when it happens.

use std::{cmp::Ordering, collections::HashMap};

use cms_domain::{
    entry::{Entry, Status},
    id::{CollectionId, EntryId, UserId},
    locale::Locale,
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, QueryResult,
    sea_query::{Alias, Asterisk, Expr, ExprTrait, IntoIden, Order, Query, SelectStatement, UnionType},
};

use super::{
    EntryReader,
    row::{
        entity::{Column, Entity},
        status_number,
    },
    walk::{Checks, Walk, Walked},
};
use crate::{
    Error,
    column::Stored,
    row::{Row, corrupt, id_value, time_value},
};

/// What happens to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Happening {
    /// It, or its pending draft, becomes public on schedule.
    Publish,
    /// It is taken off the public site on schedule.
    Unpublish,
    /// It is public since its publication date.
    Published,
}

impl Happening {
    /// Every one, in the order of those that happen at the same moment.
    pub const ALL: [Self; 3] = [Self::Publish, Self::Unpublish, Self::Published];

    fn number(self) -> i32 {
        match self {
            Self::Publish => 0,
            Self::Unpublish => 1,
            Self::Published => 2,
        }
    }

    fn of(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|happening| happening.number() == number)
    }

    /// The column that says when.
    fn column(self) -> Column {
        match self {
            Self::Publish => Column::ScheduledAt,
            Self::Unpublish => Column::UnpublishAt,
            Self::Published => Column::PublishedAt,
        }
    }
}

/// Where something that happens is among all of it: when, what, and to which entry.
pub type HappeningAt = (Timestamp, Happening, EntryId);

/// What is asked for of what happens.
#[derive(Debug, Clone)]
pub struct CalendarQuery<'a> {
    /// Only what happens then or later.
    pub from: Timestamp,
    /// Only what happens earlier.
    pub to: Timestamp,
    /// What of it.
    pub what: &'a [Happening],
    /// Only entries of these collections; of all that there are without it.
    pub collections: Option<&'a [CollectionId]>,
    /// Only entries of a locale.
    pub locale: Option<&'a Locale>,
    /// Only entries of an author.
    pub author: Option<UserId>,
    /// Where the page before ended.
    pub after: Option<HappeningAt>,
    /// The most of it in a page.
    pub limit: usize,
}

/// A page of what happens.
#[derive(Debug)]
pub struct CalendarPage {
    /// What happens, the earliest first.
    pub items: Vec<HappeningAt>,
    /// The entries that it happens to, whole. One that is gone by now is not among them.
    pub entries: HashMap<EntryId, Entry>,
    /// Where the page ends, when there may be more.
    pub next: Option<HappeningAt>,
}

impl EntryReader<'_> {
    /// A page of what happens to entries outside of the trash, the earliest first. So many rows are looked at and no more: where few of them are what is asked
    /// for, the page is short, and says where to go on.
    pub async fn calendar(self, query: &CalendarQuery<'_>) -> Result<CalendarPage, Error> {
        let Walked { places, entries, next } = self.walked(query).await?;
        Ok(CalendarPage { items: places, entries: entries.into_iter().map(|entry| (entry.id, entry)).collect(), next })
    }
}

/// Names of what is selected.
const AT: &str = "at";
const WHAT: &str = "what";

impl CalendarQuery<'_> {
    /// What of one kind happens, behind where the page before ended, in the order of its index.
    fn of_kind(&self, what: Happening) -> SelectStatement {
        let at = what.column();
        let mut arm = Query::select();
        arm.columns([Column::Id, Column::CollectionId, Column::Status, Column::Locale, Column::AuthorId]).from(Entity);
        arm.expr_as(Expr::col(at), Alias::new(AT)).expr_as(Expr::value(what.number()), Alias::new(WHAT));
        arm.and_where(Column::DeletedAt.is_null()).and_where(at.is_not_null());
        arm.and_where(at.gte(Stored(self.from))).and_where(at.lt(Stored(self.to)));
        if what == Happening::Published {
            arm.and_where(Column::Status.eq(status_number(Status::Published)));
        }
        if let Some((ended, last, id)) = self.after {
            arm.and_where(match what.cmp(&last) {
                Ordering::Less => at.gt(Stored(ended)),
                Ordering::Equal => Expr::tuple([Expr::col(at), Expr::col(Column::Id)])
                    .gt(Expr::tuple([Expr::val(time_value(ended)), Expr::val(id_value(id))])),
                Ordering::Greater => at.gte(Stored(ended)),
            });
        }
        arm
    }
}

impl Walk for CalendarQuery<'_> {
    type Place = HappeningAt;

    fn limit(&self) -> usize {
        self.limit
    }

    fn checks(&self) -> Checks<'_> {
        Checks { status: None, locale: self.locale, author: self.author, collections: self.collections }
    }

    fn walk(&self, most: u64) -> SelectStatement {
        let mut arms = self.what.iter().map(|what| {
            let mut arm = self.of_kind(*what);
            arm.order_by(what.column(), Order::Asc).order_by(Column::Id, Order::Asc).limit(most);
            // SQLite takes an arm with an order of its own from a subquery alone.
            let mut bounded = Query::select();
            bounded.column(Asterisk).from_subquery(arm, "arm");
            bounded
        });
        let mut union = arms.next().unwrap_or_else(Query::select);
        for arm in arms {
            union.union(UnionType::All, arm);
        }
        let mut all = Query::select();
        all.column(Asterisk).from_subquery(union, "happening");
        Self::in_order(&mut all);
        all.limit(most);
        all
    }

    fn in_order(select: &mut SelectStatement) {
        for column in [AT, WHAT] {
            select.order_by(Alias::new(column).into_iden(), Order::Asc);
        }
        select.order_by(Column::Id, Order::Asc);
    }

    fn place(row: &QueryResult) -> Result<HappeningAt, Error> {
        let id = row.read_id("id")?;
        let what = Happening::of(row.read(WHAT)?).ok_or_else(|| corrupt("entries", WHAT, id))?;
        Ok((row.read_time(AT)?, what, id))
    }

    fn id((_, _, id): HappeningAt) -> EntryId {
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

    /// Entries that are planned, will end and were published, several of them at the same moment.
    async fn planned(store: &Store) -> (crate::Tx, Vec<(i64, Happening, u128, bool)>) {
        let tx = store.write().await.unwrap();
        let mut expected = Vec::new();
        for c in [1, 2] {
            tx.collections().insert(&permit(), &collection(c, if c == 1 { "posts" } else { "pages" })).await.unwrap();
        }
        for n in 1..=60_u128 {
            let is_page = n % 2 == 1;
            let collection = if is_page { collection(2, "pages") } else { collection(1, "posts") };
            let mut entry = entry(n, &collection);
            let time = i64::try_from(n).unwrap() / 4;
            entry.author = (n % 5 == 0).then(|| UserId::from_parts(1, 1));
            if n % 3 > 0 {
                entry.lifecycle.status = Status::Published;
                entry.lifecycle.published_at = Some(at(time));
                expected.push((time, Happening::Published, n, is_page));
            } else {
                // A date without a publication is nobody's news.
                entry.lifecycle.published_at = Some(at(time));
            }
            if n % 4 == 0 {
                entry.lifecycle.scheduled_at = Some(at(time + 1));
                expected.push((time + 1, Happening::Publish, n, is_page));
            }
            if n % 6 == 1 {
                entry.lifecycle.unpublish_at = Some(at(time + 2));
                expected.push((time + 2, Happening::Unpublish, n, is_page));
            }
            if n % 7 == 0 {
                entry.lifecycle.deleted_at = Some(at(99));
                expected.retain(|(_, _, of, _)| *of != n);
            }
            tx.entries().insert(&permit(), &collection, &entry, None).await.unwrap();
        }
        expected.sort_unstable_by_key(|(time, what, n, _)| (*time, *what, *n));
        (tx, expected)
    }

    async fn all(tx: &crate::Tx, mut query: CalendarQuery<'_>) -> Vec<(i64, Happening, u128)> {
        let mut found = Vec::new();
        loop {
            let page = tx.reader().entries().calendar(&query).await.unwrap();
            for (time, what, id) in page.items {
                assert!(page.entries.contains_key(&id), "its entry comes along");
                let seconds = (time.milliseconds() - at(0).milliseconds()) / (at(1).milliseconds() - at(0).milliseconds());
                found.push((seconds, what, u128::from_be_bytes(id.to_bytes()) & 0xffff));
            }
            query.after = page.next;
            if query.after.is_none() {
                return found;
            }
        }
    }

    both! {
        async fn pages_one_after_the_other_are_all_that_happens_the_earliest_first(store: Store) {
            let (tx, expected) = planned(&store).await;
            let query = CalendarQuery {
                from: at(2), to: at(12), what: &Happening::ALL, collections: None, locale: None, author: None, after: None, limit: 3,
            };
            let within = |(time, _, _, _): &&(i64, Happening, u128, bool)| (2..12).contains(time);
            let strip = |(time, what, n, _): &(i64, Happening, u128, bool)| (*time, *what, *n);
            let everything: Vec<_> = expected.iter().filter(within).map(strip).collect();
            assert!(everything.len() > 30);
            for limit in [1, 3, 100] {
                assert_eq!(all(&tx, CalendarQuery { limit, ..query.clone() }).await, everything, "{limit} in a page");
            }
            for what in Happening::ALL {
                let of_it: Vec<_> = expected.iter().filter(within).filter(|one| one.1 == what).map(strip).collect();
                assert_eq!(all(&tx, CalendarQuery { what: &[what], ..query.clone() }).await, of_it);
            }
            let pages = [collection(2, "pages").id];
            let of_pages: Vec<_> = expected.iter().filter(within).filter(|one| one.3).map(strip).collect();
            assert_eq!(all(&tx, CalendarQuery { collections: Some(&pages), ..query.clone() }).await, of_pages);
            let of_author: Vec<_> = expected.iter().filter(within).filter(|one| one.2 % 5 == 0).map(strip).collect();
            assert_eq!(all(&tx, CalendarQuery { author: Some(UserId::from_parts(1, 1)), ..query }).await, of_author);
        }
    }
}
