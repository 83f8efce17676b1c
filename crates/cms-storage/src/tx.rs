//! A write transaction. Dropped without a commit, it never happened.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cms_domain::{
    event::Event,
    id::{EntryId, UserId},
    time::Timestamp,
};

use crate::{
    AuditLine, Error, Reader,
    accounts::audit,
    executor::{Executor, Transaction},
    locks, outbox,
    statement::Batch,
};

/// A write transaction. It hands out the repositories that write: each adds itself here, in its own file.
pub struct Tx {
    transaction: Transaction,
    /// What goes to the database along with the commit, because nobody reads before then what becomes of it.
    last: Mutex<Batch>,
}

impl Tx {
    pub(crate) fn new(transaction: Transaction) -> Self {
        let last = Mutex::new(Batch::new(Executor::Transaction(&transaction)));
        Self { transaction, last }
    }

    fn last(&self) -> MutexGuard<'_, Batch> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line to the audit log, along with the commit.
    pub fn note(&self, line: &AuditLine) {
        audit::insert(&mut self.last(), line);
    }

    /// Extends the edit lock that a user holds, if they do, along with the commit.
    pub fn extend_lock(&self, entry: EntryId, user: UserId, now: Timestamp, expires_at: Timestamp) {
        locks::extend(&mut self.last(), entry, user, now, expires_at);
    }

    pub(crate) fn executor(&self) -> Executor<'_> {
        Executor::Transaction(&self.transaction)
    }

    /// Reads what is committed and what this transaction wrote.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self.executor())
    }

    /// Makes everything that was written last. On SQLite it may wait for others, to commit with them.
    pub async fn commit(self) -> Result<(), Error> {
        let Self { transaction, last } = self;
        let mut texts = last.into_inner().unwrap_or_else(PoisonError::into_inner).into_texts();
        let last = texts.pop();
        for text in texts {
            Executor::Transaction(&transaction).execute(text).await?;
        }
        transaction.commit(last).await
    }

    /// Adds events to the outbox, and makes everything last: on SQLite in one way to the database.
    pub async fn commit_with(self, events: &[Event], now: Timestamp) -> Result<(), Error> {
        outbox::insert(&mut self.last(), events, now)?;
        self.commit().await
    }

    /// Runs a last statement, and makes everything last.
    #[cfg(test)]
    pub(crate) async fn commit_behind(self, last: &str) -> Result<(), Error> {
        self.transaction.commit(Some(last)).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::{Backend, Error, Store, both, fixtures};

    both! {
        async fn a_transaction_that_is_dropped_never_happened(store: Store) {
            let tx = store.write().await.unwrap();
            tx.settings().set(&fixtures::permit(), "a", "1").await.unwrap();
            drop(tx);
            assert_eq!(store.reader().settings().get("a").await.unwrap(), None);
            store.write().await.unwrap().commit().await.unwrap();
        }

        async fn nobody_else_sees_what_is_not_committed(store: Store) {
            let tx = store.write().await.unwrap();
            tx.settings().set(&fixtures::permit(), "a", "1").await.unwrap();
            assert_eq!(tx.reader().settings().get("a").await.unwrap().as_deref(), Some("1"));
            assert_eq!(store.reader().settings().get("a").await.unwrap(), None);
            tx.commit().await.unwrap();
            assert_eq!(store.reader().settings().get("a").await.unwrap().as_deref(), Some("1"));
        }

        async fn many_writers_at_once_all_get_their_turn_and_see_their_commit_from_elsewhere(store: Store) {
            let write = |n: usize| {
                let store = store.clone();
                tokio::spawn(async move {
                    let tx = store.write().await.unwrap();
                    tx.settings().set(&fixtures::permit(), &n.to_string(), "1").await.unwrap();
                    tx.commit().await.unwrap();
                    assert!(store.reader().settings().get(&n.to_string()).await.unwrap().is_some());
                })
            };
            for writer in (0..64).map(write).collect::<Vec<_>>() {
                writer.await.unwrap();
            }
            let row = store.reader().executor().one("SELECT count(*) AS n FROM settings").await.unwrap().unwrap();
            assert_eq!(crate::row::Row::read::<i64>(&row, "n").unwrap(), 64);
        }

        async fn of_two_that_wait_for_each_other_one_gives_way(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let [one, two] = [store.write().await.unwrap(), store.write().await.unwrap()];
            one.settings().set(&fixtures::permit(), "a", "1").await.unwrap();
            two.settings().set(&fixtures::permit(), "b", "2").await.unwrap();
            let crossed = tokio::join!(
                async {
                    let result = one.settings().set(&fixtures::permit(), "b", "1").await;
                    drop(one);
                    result
                },
                async {
                    // Who begins to wait at the same moment gives way at the same moment, and each comes again by chance.
                    tokio::time::sleep(Duration::from_millis(120)).await;
                    let result = two.settings().set(&fixtures::permit(), "a", "2").await;
                    drop(two);
                    result
                }
            );
            assert!(matches!(crossed, (Err(Error::Waited), Ok(()))), "{crossed:?}");
        }

        async fn a_collection_that_is_held_does_not_change(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let collection = fixtures::collection(1, "posts");
            let tx = store.write().await.unwrap();
            tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
            tx.commit().await.unwrap();

            let [one, other, schema] = [store.write().await.unwrap(), store.write().await.unwrap(), store.write().await.unwrap()];
            assert_eq!(one.collections().hold(collection.id).await.unwrap(), Some(1));
            assert_eq!(other.collections().hold(collection.id).await.unwrap(), Some(1));
            let change = tokio::spawn(async move {
                schema.collections().hold_alone(collection.id).await.unwrap();
                schema.collections().set_leftovers(collection.id, true).await.unwrap();
                schema.commit().await.unwrap();
            });
            tokio::time::sleep(Duration::from_millis(200)).await;
            assert!(!change.is_finished());
            drop((one, other));
            change.await.unwrap();
        }

        async fn whoever_waits_to_hold_a_collection_alone_is_not_overtaken(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let id = fixtures::collection(1, "posts").id;
            let [one, schema, late] = [store.write().await.unwrap(), store.write().await.unwrap(), store.write().await.unwrap()];
            one.collections().hold(id).await.unwrap();
            let order = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
            let note = |name: &'static str| {
                let order = order.clone();
                move || order.lock().unwrap().push(name)
            };
            let (change, after) = (note("change"), note("after"));
            let change = tokio::spawn(async move {
                schema.collections().hold_alone(id).await.unwrap();
                change();
                schema.commit().await.unwrap();
            });
            tokio::time::sleep(Duration::from_millis(200)).await;
            let after = tokio::spawn(async move {
                late.collections().hold(id).await.unwrap();
                after();
            });
            tokio::time::sleep(Duration::from_millis(200)).await;
            assert!(!change.is_finished() && !after.is_finished());
            drop(one);
            change.await.unwrap();
            after.await.unwrap();
            assert_eq!(*order.lock().unwrap(), ["change", "after"]);
        }

        async fn whoever_waits_for_a_row_for_too_long_is_told_and_gives_the_connection_back(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let [holder, other] = [store.write().await.unwrap(), store.write().await.unwrap()];
            holder.settings().set(&fixtures::permit(), "a", "1").await.unwrap();
            assert!(matches!(other.settings().set(&fixtures::permit(), "a", "2").await, Err(Error::Waited)));
            drop(other);
            for _ in 0..8 {
                let tx = store.write().await.unwrap();
                tx.settings().set(&fixtures::permit(), "b", "1").await.unwrap();
                tx.commit().await.unwrap();
            }
        }

        async fn a_statement_that_nobody_waits_for_any_more_ends(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let asleep = "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(29)%' AND state = 'active'";
            let sleeping = async |n: i64| {
                for _ in 0..100 {
                    let row = store.reader().executor().one(asleep).await.unwrap().unwrap();
                    if crate::row::Row::read::<i64>(&row, "n").unwrap() == n {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                panic!("not {n} sleep");
            };
            for _ in 0..2 {
                let reading = tokio::spawn({
                    let store = store.clone();
                    async move { store.reader().executor().one("SELECT pg_sleep(29)::text").await.map(|_| ()) }
                });
                sleeping(1).await;
                reading.abort();
                sleeping(0).await;
            }
        }

        async fn readers_that_leave_again_and_again_do_not_make_the_database_work_on_more_than_they_have_connections_for(store: Store) {
            const ACTIVE: &str = "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(27)%' AND state = 'active'";
            if store.backend() == Backend::Sqlite {
                return;
            }
            let connections = store.load()[0].1.size;
            // Making connections takes a while, and is over when it matters.
            let mut warm = tokio::task::JoinSet::new();
            for _ in 0..connections {
                let store = store.clone();
                warm.spawn(async move { store.reader().executor().one("SELECT pg_sleep(0.2)::text").await.map(|_| ()) });
            }
            warm.join_all().await;
            let mut most = 0;
            for _ in 0..40 {
                let reading = tokio::spawn({
                    let store = store.clone();
                    async move { store.reader().executor().one("SELECT pg_sleep(27)::text").await.map(|_| ()) }
                });
                tokio::time::sleep(Duration::from_millis(40)).await;
                reading.abort();
                let row = store.on_watch().reader().executor().one(ACTIVE).await.unwrap().unwrap();
                most = most.max(crate::row::Row::read::<i64>(&row, "n").unwrap());
            }
            // As many as are still waited for, and as many whose end PostgreSQL has not noticed yet.
            assert!((1..=2 * i64::try_from(connections).unwrap()).contains(&most), "{most} with {connections} connections");
        }

        async fn a_connection_that_is_cut_is_replaced(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let cut = async |other: &str| {
                let text = format!(
                    "SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'cms' \
                     AND query LIKE '%{other}%'"
                );
                store.on_watch().reader().executor().one(text.as_str()).await.unwrap();
            };
            store.reader().executor().one("SELECT 'cut me 1'").await.unwrap();
            cut("cut me 1").await;
            store.reader().executor().one("SELECT 1").await.unwrap();
            let tx = store.write().await.unwrap();
            tx.executor().one("SELECT 'cut me 2'").await.unwrap();
            cut("cut me 2").await;
            assert!(matches!(tx.settings().set(&fixtures::permit(), "a", "1").await, Err(Error::Unreachable(_))));
            assert!(tx.commit().await.is_err(), "what is over is not stored");
            let tx = store.write().await.unwrap();
            tx.settings().set(&fixtures::permit(), "a", "1").await.unwrap();
            tx.executor().one("SELECT 'cut me 3'").await.unwrap();
            cut("cut me 3").await;
            assert!(matches!(tx.commit().await, Err(Error::Unsure(_))), "nobody knows");
            let tx = store.write().await.unwrap();
            tx.settings().set(&fixtures::permit(), "b", "1").await.unwrap();
            tx.commit().await.unwrap();
        }

        async fn a_collection_that_one_holds_alone_is_not_held_by_others(store: Store) {
            if store.backend() == Backend::Sqlite {
                return;
            }
            let collection = fixtures::collection(1, "posts");
            let tx = store.write().await.unwrap();
            tx.collections().insert(&fixtures::permit(), &collection).await.unwrap();
            tx.commit().await.unwrap();

            let [schema, content] = [store.write().await.unwrap(), store.write().await.unwrap()];
            schema.collections().hold_alone(collection.id).await.unwrap();
            let waiting = tokio::spawn(async move { content.collections().hold(collection.id).await.unwrap() });
            schema.collections().set_leftovers(collection.id, true).await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
            assert!(!waiting.is_finished());
            schema.commit().await.unwrap();
            assert_eq!(waiting.await.unwrap(), Some(2), "what comes after sees the change");
        }
    }
}
