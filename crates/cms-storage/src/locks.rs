//! Edit locks: leases on entries. They warn editors of each other and never replace the guard of an entry's version.

use cms_domain::{
    id::{EntryId, UserId},
    time::Timestamp,
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, id_value, time_value},
    statement::Batch,
};

/// Who holds an entry, and until when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditLock {
    /// The entry.
    pub entry: EntryId,
    /// Who edits it.
    pub user: UserId,
    /// Names the session that edits it, so that another one of the same user cannot release the lock.
    pub token: Option<String>,
    /// Since when.
    pub acquired_at: Timestamp,
    /// Until when, unless it is extended.
    pub expires_at: Timestamp,
}

/// Reads edit locks.
#[derive(Clone, Copy)]
pub struct LockReader<'a> {
    executor: Executor<'a>,
}

impl<'a> LockReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The lock on an entry that has not expired.
    pub async fn get(self, entry: EntryId, now: Timestamp) -> Result<Option<EditLock>, Error> {
        const GET: &str =
            "SELECT entry_id, user_id, token, acquired_at, expires_at FROM edit_locks WHERE entry_id = $1 AND expires_at > $2";
        self.executor.one((GET, [id_value(entry), time_value(now)])).await?.as_ref().map(read).transpose()
    }
}

/// Writes edit locks.
#[derive(Clone, Copy)]
pub struct LockWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> LockWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Takes an entry that nobody holds at `wanted.acquired_at`, or extends the lock of the same user, whose session keeps it.
    /// Answers with the lock that is in force afterwards: somebody else's when they hold the entry.
    pub async fn acquire(self, wanted: &EditLock) -> Result<EditLock, Error> {
        const ACQUIRE: &str = "INSERT INTO edit_locks AS held (entry_id, user_id, token, acquired_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
            ON CONFLICT (entry_id) DO UPDATE SET user_id = $2, expires_at = $5, \
            token = CASE WHEN held.expires_at > $4 THEN coalesce(held.token, $3) ELSE $3 END, \
            acquired_at = CASE WHEN held.expires_at > $4 THEN held.acquired_at ELSE $4 END \
            WHERE held.expires_at <= $4 OR held.user_id = $2 \
            RETURNING entry_id, user_id, token, acquired_at, expires_at";
        const HELD: &str = "SELECT entry_id, user_id, token, acquired_at, expires_at FROM edit_locks WHERE entry_id = $1";
        if let Some(row) = self.executor.one((ACQUIRE, values(wanted))).await? {
            return read(&row);
        }
        // Somebody else's, and gone if they released it just now; then the caller may try again.
        let row = self.executor.one((HELD, [id_value(wanted.entry)])).await?;
        read(&row.ok_or(Error::Busy)?)
    }

    /// Takes an entry, whoever holds it.
    pub async fn take_over(self, wanted: &EditLock) -> Result<(), Error> {
        const TAKE_OVER: &str = "INSERT INTO edit_locks (entry_id, user_id, token, acquired_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
            ON CONFLICT (entry_id) DO UPDATE SET user_id = $2, token = $3, acquired_at = $4, expires_at = $5";
        self.executor.execute((TAKE_OVER, values(wanted))).await?;
        Ok(())
    }

    /// Gives an entry back. Says whether the user held it, in the session that the token names.
    pub async fn release(self, entry: EntryId, user: UserId, token: Option<&str>) -> Result<bool, Error> {
        const RELEASE: &str = "DELETE FROM edit_locks WHERE entry_id = $1 AND user_id = $2 AND (token IS NULL OR token = $3)";
        Ok(self.executor.execute((RELEASE, [id_value(entry), id_value(user), token.map(str::to_owned).into()])).await? > 0)
    }

    /// Removes up to `limit` locks that have expired, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "edit_locks", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

/// Extends the lock that a user holds, if they do.
pub(crate) fn extend(batch: &mut Batch, entry: EntryId, user: UserId, now: Timestamp, expires_at: Timestamp) {
    let text = batch.begin("UPDATE edit_locks SET expires_at = ").bind(time_value(expires_at));
    text.push(" WHERE entry_id = ").bind(id_value(entry)).push(" AND user_id = ").bind(id_value(user));
    text.push(" AND expires_at > ").bind(time_value(now));
}

fn values(lock: &EditLock) -> [sea_orm::Value; 5] {
    [id_value(lock.entry), id_value(lock.user), lock.token.clone().into(), time_value(lock.acquired_at), time_value(lock.expires_at)]
}

fn read(row: &QueryResult) -> Result<EditLock, Error> {
    Ok(EditLock {
        entry: row.read_id("entry_id")?,
        user: row.read_id("user_id")?,
        token: row.read("token")?,
        acquired_at: row.read_time("acquired_at")?,
        expires_at: row.read_time("expires_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn lock(user: u128, token: Option<&str>, from: i64) -> EditLock {
        EditLock {
            entry: EntryId::from_parts(1, 1),
            user: fixtures::user(user).id,
            token: token.map(str::to_owned),
            acquired_at: fixtures::at(from),
            expires_at: fixtures::at(from + 7),
        }
    }

    both! {
        async fn somebody_elses_lock_stays_in_force(store: Store) {
            let tx = store.write().await.unwrap();
            let first = lock(1, Some("a"), 0);
            assert_eq!(tx.locks().acquire(&first).await.unwrap(), first);
            assert_eq!(tx.locks().acquire(&lock(2, None, 6)).await.unwrap(), first);
        }

        async fn an_expired_lock_goes_to_whoever_asks(store: Store) {
            let tx = store.write().await.unwrap();
            tx.locks().acquire(&lock(1, Some("a"), 0)).await.unwrap();
            let second = lock(2, Some("b"), 7);
            assert_eq!(tx.locks().acquire(&second).await.unwrap(), second);
        }

        async fn acquiring_again_extends_the_lock_of_the_first_session(store: Store) {
            let tx = store.write().await.unwrap();
            tx.locks().acquire(&lock(1, Some("a"), 0)).await.unwrap();
            let extended = EditLock { acquired_at: fixtures::at(0), ..lock(1, Some("a"), 5) };
            assert_eq!(tx.locks().acquire(&lock(1, Some("b"), 5)).await.unwrap(), extended);
        }

        async fn taking_over_replaces_a_lock(store: Store) {
            let tx = store.write().await.unwrap();
            tx.locks().acquire(&lock(1, Some("a"), 0)).await.unwrap();
            let second = lock(2, None, 1);
            tx.locks().take_over(&second).await.unwrap();
            assert_eq!(tx.reader().locks().get(second.entry, fixtures::at(2)).await.unwrap(), Some(second));
        }

        async fn only_the_session_that_holds_a_lock_releases_it(store: Store) {
            let tx = store.write().await.unwrap();
            let held = lock(1, Some("a"), 0);
            tx.locks().acquire(&held).await.unwrap();
            for (user, token) in [(1, Some("b")), (1, None), (2, Some("a"))] {
                assert!(!tx.locks().release(held.entry, fixtures::user(user).id, token).await.unwrap());
            }
            assert!(tx.locks().release(held.entry, held.user, Some("a")).await.unwrap());
            assert_eq!(tx.reader().locks().get(held.entry, fixtures::at(1)).await.unwrap(), None);
        }

        async fn only_a_lock_in_force_is_extended_and_only_its_own_users(store: Store) {
            let held = lock(1, None, 0);
            let tx = store.write().await.unwrap();
            tx.locks().acquire(&held).await.unwrap();
            tx.commit().await.unwrap();
            let until = async |user: UserId, now: i64, expires: i64| {
                let tx = store.write().await.unwrap();
                tx.extend_lock(held.entry, user, fixtures::at(now), fixtures::at(expires));
                tx.commit().await.unwrap();
                store.reader().locks().get(held.entry, fixtures::at(1)).await.unwrap().unwrap().expires_at
            };
            assert_eq!(until(held.user, 3, 10).await, fixtures::at(10));
            assert_eq!(until(fixtures::user(2).id, 3, 99).await, fixtures::at(10));
            assert_eq!(until(held.user, 10, 99).await, fixtures::at(10));
        }

        async fn pruning_leaves_locks_in_force(store: Store) {
            let tx = store.write().await.unwrap();
            tx.locks().acquire(&lock(1, None, 0)).await.unwrap();
            assert_eq!(tx.locks().prune(fixtures::at(6), 100).await.unwrap(), 0);
            assert_eq!(tx.locks().prune(fixtures::at(7), 100).await.unwrap(), 1);
        }
    }
}
