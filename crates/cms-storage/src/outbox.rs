//! The outbox: what happened, written with what it tells of.
//!
//! It is read in two ways. Whoever remembers things wants to hear of every change soon, in any order ([`OutboxReader::news`]). Whoever keeps
//! something in step wants every event once, in the order in which transactions ended ([`OutboxReader::read_after`]).

use cms_domain::{event::Event, time::Timestamp};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};

use self::entity::{Column, Entity, Model};
use crate::{
    Error,
    column::Stored,
    executor::Executor,
    expiry,
    row::{Row, at_most, time_value},
    statement::Batch,
};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "outbox")]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        pub(super) seq: i64,
        pub(super) xid: i64,
        pub(super) at: Stored<Timestamp>,
        pub(super) event: String,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// How far a follower has read. The default is the beginning.
///
/// PostgreSQL gives serial numbers in another order than transactions end in, so that a number alone could pass over an
/// event that shows up late. The number of the transaction goes first, and readers stop before the oldest transaction that
/// still runs: nothing shows up behind them. SQLite runs one transaction at a time; there the first number is always zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct OutboxPosition {
    pub(crate) xid: i64,
    pub(crate) seq: i64,
}

/// What a reader of news has seen. On PostgreSQL a snapshot: the transactions that had ended, and so were visible, when it was taken.
/// On SQLite the number of the last event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    what: String,
    /// Since when the database has been running: another machine that took over may count transactions once more.
    since: String,
}

/// What happened since somebody looked.
#[derive(Debug)]
pub struct News {
    /// What has been seen with these.
    pub seen: Seen,
    /// The database's clock.
    pub now: Timestamp,
    /// What happened, in no particular order.
    pub events: Vec<Event>,
    /// Whether that is all. It is not at the first look; when more happened than was asked for; when an event is none that this program
    /// knows; and when the database is not where it was, as after a restore.
    pub complete: bool,
}

/// Reads the outbox.
#[derive(Clone, Copy)]
pub struct OutboxReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// The outbox.
    pub fn outbox(self) -> OutboxReader<'a> {
        OutboxReader::new(self.executor())
    }
}

impl<'a> OutboxReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// What became visible since `seen`, at most `limit` events: also of transactions that began long before it, and whatever other transactions
    /// are still open. Without `seen`, only where to go on from.
    pub async fn news(self, seen: Option<&Seen>, limit: usize) -> Result<News, Error> {
        // A transaction is visible now and was not then if it began after the snapshot, or if it is one of those that were open. The order
        // makes PostgreSQL walk the index whatever it believes of the table.
        const POSTGRES: &str = "SELECT pg_current_snapshot()::text AS seen, extract(epoch FROM pg_postmaster_start_time())::text AS since, \
            pg_snapshot_xmax(pg_current_snapshot()) >= pg_snapshot_xmax($1::text::pg_snapshot) AS follows, \
            (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, o.event \
            FROM (SELECT 1) AS one LEFT JOIN (SELECT event FROM ( \
            (SELECT event FROM outbox WHERE xid >= pg_snapshot_xmax($1::text::pg_snapshot)::text::bigint ORDER BY xid, seq LIMIT $2) \
            UNION ALL SELECT e.event FROM pg_snapshot_xip($1::text::pg_snapshot) AS open(xid) CROSS JOIN LATERAL \
            (SELECT event FROM outbox WHERE outbox.xid = open.xid::text::bigint ORDER BY xid, seq LIMIT $2) AS e) AS found LIMIT $2) AS o ON true";
        const SQLITE: &str = "SELECT CAST(head.seq AS text) AS seen, '' AS since, head.seq >= CAST($1 AS integer) AS follows, \
            CAST(unixepoch('subsec') * 1000 AS integer) AS now, o.event \
            FROM (SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0) AS seq) AS head \
            LEFT JOIN (SELECT event FROM outbox WHERE seq > CAST($1 AS integer) ORDER BY seq LIMIT $2) AS o ON true";
        // Behind everything there ever will be: nothing is told, and it does not follow. An outbox that cannot be read is found out all the same.
        const NOWHERE: [&str; 2] = ["9223372036854775807", "9223372036854775807:9223372036854775807:"];
        let postgres = self.executor.is_postgres();
        let what = seen.map_or(NOWHERE[usize::from(postgres)], |seen| &seen.what);
        // One more than is wanted says whether there is more.
        let most = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1);
        let rows = self.executor.all((if postgres { POSTGRES } else { SQLITE }, [what.into(), most.into()])).await?;
        let first = rows.first().ok_or_else(|| Error::backend("the outbox does not answer"))?;
        let now_seen = Seen { what: first.read("seen")?, since: first.read("since")? };
        let follows = first.read("follows")? && seen.is_none_or(|seen| seen.since == now_seen.since);
        let (mut events, mut complete) = (Vec::new(), follows && rows.len() <= limit);
        for row in &rows {
            let Some(text) = row.read::<Option<String>>("event")? else { continue };
            let event = known(&text);
            complete &= event.is_some();
            events.extend(event);
        }
        Ok(News { seen: now_seen, now: first.read_time("now")?, events, complete })
    }

    /// Events behind a position, each with its own. None stands for one that this program does not know: whoever keeps something in step is
    /// out of step behind it, and builds it anew.
    pub async fn read_after(self, position: OutboxPosition, limit: usize) -> Result<Vec<(OutboxPosition, Option<Event>)>, Error> {
        const OLDEST_OPEN: &str = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";
        let mut behind = self.behind(position);
        if self.executor.is_postgres() {
            behind = behind.filter(Column::Xid.into_expr().lt(Expr::cust(OLDEST_OPEN)));
        }
        let rows: Vec<Model> = self.executor.list(behind.order_by_asc(Column::Seq).limit(at_most(limit))).await?;
        Ok(rows.into_iter().map(|row| (OutboxPosition { xid: row.xid, seq: row.seq }, known(&row.event))).collect())
    }

    /// What can be read behind a position, in no particular order: also what [`read_after`](Self::read_after) still passes over, as older transactions
    /// are open. None stands for an event that this program does not know.
    pub async fn read_all_after(self, position: OutboxPosition, limit: usize) -> Result<Vec<Option<Event>>, Error> {
        let rows: Vec<Model> = self.executor.list(self.behind(position).order_by_asc(Column::Seq).limit(at_most(limit))).await?;
        Ok(rows.into_iter().map(|row| known(&row.event)).collect())
    }

    /// What is behind a position, and on PostgreSQL by the transactions that did it.
    fn behind(self, position: OutboxPosition) -> Select<Entity> {
        if !self.executor.is_postgres() {
            return Entity::find().filter(Column::Seq.gt(position.seq));
        }
        let place = Expr::tuple([Column::Xid.into_expr(), Column::Seq.into_expr()]);
        Entity::find().filter(place.gt(Expr::tuple([Expr::val(position.xid), Expr::val(position.seq)]))).order_by_asc(Column::Xid)
    }

    /// The position before everything that happened at `at` or later. What happened a little earlier may be behind it as well.
    pub async fn before(self, at: Timestamp) -> Result<OutboxPosition, Error> {
        let head = self.head().await?;
        let since = Entity::find().select_only().columns([Column::Xid, Column::Seq]).filter(Column::At.gte(Stored(at)));
        let first = since.order_by_asc(Column::Xid).order_by_asc(Column::Seq).into_tuple::<(i64, i64)>().one(&self.executor).await?;
        Ok(first.map_or(head, |(xid, seq)| head.min(OutboxPosition { xid, seq: seq - 1 })))
    }

    /// The position behind everything that can be read now, also when it was pruned.
    pub async fn head(self) -> Result<OutboxPosition, Error> {
        const SQLITE: &str = "SELECT seq AS n FROM sqlite_sequence WHERE name = 'outbox'";
        const POSTGRES: &str = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS n";
        let postgres = self.executor.is_postgres();
        let row = self.executor.one(if postgres { POSTGRES } else { SQLITE }).await?;
        let n: i64 = row.map_or(Ok(0), |row| row.read("n"))?;
        Ok(if postgres { OutboxPosition { xid: n - 1, seq: i64::MAX } } else { OutboxPosition { xid: 0, seq: n } })
    }
}

/// An event, if this program knows its kind.
fn known(text: &str) -> Option<Event> {
    let event = serde_json::from_str(text);
    event.inspect_err(|error| tracing::info!(%error, "an event is of a kind that this version does not know")).ok()
}

/// Writes the outbox.
#[derive(Clone, Copy)]
pub struct OutboxWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// The outbox.
    pub fn outbox(&self) -> OutboxWriter<'_> {
        OutboxWriter::new(self.executor())
    }
}

impl<'a> OutboxWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Removes up to `limit` events that are older than every follower needs, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "outbox", "at < $1", vec![time_value(before)], limit).await
    }
}

/// Adds events, in their order.
pub(crate) fn insert(batch: &mut Batch, events: &[Event], now: Timestamp) -> Result<(), Error> {
    for events in events.chunks(Batch::ROWS) {
        let text = batch.begin("INSERT INTO outbox (at, event) VALUES ");
        for (n, event) in events.iter().enumerate() {
            let event = serde_json::to_string(event).map_err(Error::backend)?;
            text.bind_row(n, [time_value(now), event.into()]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use cms_domain::id::UserId;

    use super::*;
    use crate::{Backend, Store, both, fixtures};

    async fn told(store: &Store, seen: &mut Option<Seen>) -> (Vec<Event>, bool) {
        let news = store.reader().outbox().news(seen.as_ref(), 10).await.unwrap();
        *seen = Some(news.seen);
        (news.events, news.complete)
    }

    fn event(n: u128) -> Event {
        Event::User { user: UserId::from_parts(1, n) }
    }

    /// Reads behind `position` until `n` events have come: what other tests do on the same server may hold readers back.
    async fn read(store: &Store, position: OutboxPosition, n: usize) -> Vec<(OutboxPosition, Option<Event>)> {
        for _ in 0..500 {
            let events = store.reader().outbox().read_after(position, 100).await.unwrap();
            if events.len() >= n {
                return events;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{n} events did not come");
    }

    async fn push(store: &Store, events: &[Event], at: i64) {
        let tx = store.write().await.unwrap();
        tx.commit_with(events, fixtures::at(at)).await.unwrap();
    }

    both! {
        async fn news_are_told_once_and_the_first_look_tells_where_to_begin(store: Store) {
            push(&store, &[event(1)], 1).await;
            let mut seen = None;
            assert_eq!(told(&store, &mut seen).await, (Vec::new(), false));
            assert_eq!(told(&store, &mut seen).await, (Vec::new(), true));
            push(&store, &[event(2), event(3)], 2).await;
            push(&store, &[event(4)], 3).await;
            assert_eq!(told(&store, &mut seen).await, (vec![event(2), event(3), event(4)], true));
            assert_eq!(told(&store, &mut seen).await, (Vec::new(), true));
        }

        async fn news_do_not_wait_for_transactions_that_are_open(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let mut seen = None;
            let open = store.write().await.unwrap();
            open.settings().set(&fixtures::permit(), "open", "1").await.unwrap();
            told(&store, &mut seen).await;
            push(&store, &[event(1)], 1).await;
            assert_eq!(told(&store, &mut seen).await, (vec![event(1)], true));
            open.commit_with(&[event(2)], fixtures::at(2)).await.unwrap();
            assert_eq!(told(&store, &mut seen).await, (vec![event(2)], true), "what was open then is told once it is there");
            assert_eq!(told(&store, &mut seen).await, (Vec::new(), true));
        }

        async fn news_that_cannot_all_be_told_are_not_complete(store: Store) {
            let mut seen = None;
            told(&store, &mut seen).await;
            push(&store, &(0..11).map(event).collect::<Vec<_>>(), 1).await;
            assert!(!told(&store, &mut seen).await.1, "more than was asked for");
            let tx = store.write().await.unwrap();
            let text = r#"INSERT INTO outbox (at, event) VALUES (2, '{"type":"from_the_future"}')"#;
            tx.executor().execute(text).await.unwrap();
            tx.commit().await.unwrap();
            push(&store, &[event(12)], 3).await;
            assert_eq!(told(&store, &mut seen).await, (vec![event(12)], false), "what is not known hides nothing");
            let far = if store.backend() == Backend::Sqlite { "900000" } else { "900000000000:900000000000:" };
            let mut elsewhere = seen.clone().map(|seen| Seen { what: far.to_owned(), ..seen });
            assert!(!told(&store, &mut elsewhere).await.1, "the database is not where it was");
            assert_eq!(told(&store, &mut elsewhere).await, (Vec::new(), true));
            let mut taken_over = seen.map(|seen| Seen { since: "another machine's".to_owned(), ..seen });
            assert!(!told(&store, &mut taken_over).await.1, "another machine counts transactions anew");
            assert_eq!(told(&store, &mut taken_over).await, (Vec::new(), true));
        }

        async fn events_are_read_once_and_in_order(store: Store) {
            push(&store, &[event(1), event(2)], 1).await;
            push(&store, &[event(3)], 2).await;
            let all = read(&store, OutboxPosition::default(), 3).await;
            assert_eq!(all.iter().filter_map(|(_, event)| event.clone()).collect::<Vec<_>>(), [event(1), event(2), event(3)]);
            let rest = read(&store, all[0].0, 2).await;
            assert_eq!(rest, all[1..]);
            assert_eq!(store.reader().outbox().read_after(all[2].0, 100).await.unwrap(), []);
        }

        async fn an_event_that_shows_up_late_is_not_passed_over(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let slow = store.write().await.unwrap();
            let mut batch = Batch::new(slow.executor());
            insert(&mut batch, &[event(1)], fixtures::at(1)).unwrap();
            batch.run(slow.executor()).await.unwrap();
            push(&store, &[event(2)], 1).await;
            let early = store.reader().outbox().read_after(OutboxPosition::default(), 100).await.unwrap();
            assert_eq!(early, [], "the second event waits for the first transaction");
            slow.commit().await.unwrap();
            let events: Vec<_> = read(&store, OutboxPosition::default(), 2).await.into_iter().map(|(_, event)| event).collect();
            assert_eq!(events, [Some(event(1)), Some(event(2))]);
        }

        async fn an_event_that_is_not_known_stops_nobody_and_is_not_passed_over_unseen(store: Store) {
            push(&store, &[event(1)], 1).await;
            let tx = store.write().await.unwrap();
            tx.executor().execute(r#"INSERT INTO outbox (at, event) VALUES (2, '{"type":"from_the_future"}')"#).await.unwrap();
            tx.commit().await.unwrap();
            push(&store, &[event(2)], 3).await;
            let events: Vec<_> = read(&store, OutboxPosition::default(), 3).await.into_iter().map(|(_, event)| event).collect();
            assert_eq!(events, [Some(event(1)), None, Some(event(2))]);
        }

        async fn the_head_is_behind_what_was_pruned(store: Store) {
            push(&store, &[event(1)], 1).await;
            read(&store, OutboxPosition::default(), 1).await;
            let tx = store.write().await.unwrap();
            assert_eq!(tx.outbox().prune(fixtures::at(2), 100).await.unwrap(), 1);
            tx.commit().await.unwrap();
            let head = store.reader().outbox().head().await.unwrap();
            push(&store, &[event(2)], 3).await;
            let events = read(&store, head, 1).await;
            assert_eq!(events.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [Some(event(2))]);
        }
    }
}
