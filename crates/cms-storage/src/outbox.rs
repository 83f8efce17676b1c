//! The outbox: what happened, written with what it tells of, read in the order in which transactions ended.

use cms_domain::{event::Event, time::Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, time_value},
    statement::Text,
};

/// How far a follower has read. The default is the beginning.
///
/// PostgreSQL gives serial numbers in another order than transactions end in, so that a number alone could pass over an
/// event that shows up late. The number of the transaction goes first, and readers stop before the oldest transaction that
/// still runs: nothing shows up behind them. SQLite runs one transaction at a time; there the first number is always zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct OutboxPosition {
    xid: i64,
    seq: i64,
}

/// Reads the outbox.
#[derive(Clone, Copy)]
pub struct OutboxReader<'a> {
    executor: Executor<'a>,
}

impl<'a> OutboxReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Events behind a position, each with its own.
    pub async fn read_after(self, position: OutboxPosition, limit: usize) -> Result<Vec<(OutboxPosition, Event)>, Error> {
        const SQLITE: &str = "SELECT xid, seq, event FROM outbox WHERE seq > $1 ORDER BY seq LIMIT $2";
        const POSTGRES: &str = "SELECT xid, seq, event FROM outbox WHERE (xid, seq) > ($1, $2) \
            AND xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint ORDER BY xid, seq LIMIT $3";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = if self.executor.is_postgres() {
            self.executor.all((POSTGRES, [position.xid.into(), position.seq.into(), limit.into()])).await?
        } else {
            self.executor.all((SQLITE, [position.seq.into(), limit.into()])).await?
        };
        let read = |row: &sea_orm::QueryResult| {
            let position = OutboxPosition { xid: row.read("xid")?, seq: row.read("seq")? };
            let event = serde_json::from_str(&row.read::<String>("event")?).map_err(|_| corrupt("outbox", "event", position.seq))?;
            Ok((position, event))
        };
        rows.iter().map(read).collect()
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

/// Writes the outbox.
#[derive(Clone, Copy)]
pub struct OutboxWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> OutboxWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Removes events that are older than every follower needs.
    pub async fn prune(self, before: Timestamp) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM outbox WHERE at < $1", [time_value(before)])).await
    }
}

/// The statements that add events, in their order.
pub(crate) fn inserts(events: &[Event], now: Timestamp) -> Result<Vec<Text>, Error> {
    let insert = |events: &[Event]| {
        let mut text = Text::new("INSERT INTO outbox (at, event) VALUES ");
        for (n, event) in events.iter().enumerate() {
            let event = serde_json::to_string(event).map_err(Error::backend)?;
            text.bind_row(n, [time_value(now), event.into()]);
        }
        Ok(text)
    };
    events.chunks(200).map(insert).collect()
}

#[cfg(test)]
mod tests {
    use cms_domain::id::UserId;

    use super::*;
    use crate::{Backend, Store, both, fixtures};

    fn event(n: u128) -> Event {
        Event::User { user: UserId::from_parts(1, n) }
    }

    /// Reads behind `position` until `n` events have come: what other tests do on the same server may hold readers back.
    async fn read(store: &Store, position: OutboxPosition, n: usize) -> Vec<(OutboxPosition, Event)> {
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
        async fn events_are_read_once_and_in_order(store: Store) {
            push(&store, &[event(1), event(2)], 1).await;
            push(&store, &[event(3)], 2).await;
            let all = read(&store, OutboxPosition::default(), 3).await;
            assert_eq!(all.iter().map(|(_, event)| event.clone()).collect::<Vec<_>>(), [event(1), event(2), event(3)]);
            let rest = read(&store, all[0].0, 2).await;
            assert_eq!(rest, all[1..]);
            assert_eq!(store.reader().outbox().read_after(all[2].0, 100).await.unwrap(), []);
        }

        async fn an_event_that_shows_up_late_is_not_passed_over(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let slow = store.write().await.unwrap();
            for text in inserts(&[event(1)], fixtures::at(1)).unwrap() {
                slow.executor().execute(text).await.unwrap();
            }
            push(&store, &[event(2)], 1).await;
            let early = store.reader().outbox().read_after(OutboxPosition::default(), 100).await.unwrap();
            assert_eq!(early, [], "the second event waits for the first transaction");
            slow.commit().await.unwrap();
            let events: Vec<_> = read(&store, OutboxPosition::default(), 2).await.into_iter().map(|(_, event)| event).collect();
            assert_eq!(events, [event(1), event(2)]);
        }

        async fn the_head_is_behind_what_was_pruned(store: Store) {
            push(&store, &[event(1)], 1).await;
            read(&store, OutboxPosition::default(), 1).await;
            let tx = store.write().await.unwrap();
            assert_eq!(tx.outbox().prune(fixtures::at(2)).await.unwrap(), 1);
            tx.commit().await.unwrap();
            let head = store.reader().outbox().head().await.unwrap();
            push(&store, &[event(2)], 3).await;
            let events = read(&store, head, 1).await;
            assert_eq!(events.into_iter().map(|(_, event)| event).collect::<Vec<_>>(), [event(2)]);
        }
    }
}
