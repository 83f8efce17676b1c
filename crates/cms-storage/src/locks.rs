//! Edit locks: leases on entries. They warn editors of each other and never replace the guard of an entry's version.

use cms_domain::{
    id::{EntryId, UserId},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, Set,
    sea_query::{ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error,
    column::{Stored, unreadable},
    executor::Executor,
    expiry,
    row::{id_value, time_value},
    statement::Batch,
};

mod entity {
    use cms_domain::{
        id::{EntryId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "edit_locks")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) entry_id: Stored<EntryId>,
        pub(super) user_id: Stored<UserId>,
        pub(super) token: Option<String>,
        pub(super) acquired_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

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

impl<'a> crate::Reader<'a> {
    /// Edit locks.
    pub fn locks(self) -> LockReader<'a> {
        LockReader::new(self.executor())
    }
}

impl<'a> LockReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The lock on an entry that has not expired.
    pub async fn get(self, entry: EntryId, now: Timestamp) -> Result<Option<EditLock>, Error> {
        self.executor.find(Entity::find_by_id(Stored(entry)).filter(Column::ExpiresAt.gt(Stored(now)))).await
    }

    /// The locks on some entries that have not expired.
    pub async fn of(self, entries: &[EntryId], now: Timestamp) -> Result<Vec<EditLock>, Error> {
        let entries = entries.iter().copied().map(Stored);
        self.executor.list(Entity::find().filter(Column::EntryId.is_in(entries)).filter(Column::ExpiresAt.gt(Stored(now)))).await
    }
}

/// Writes edit locks.
#[derive(Clone, Copy)]
pub struct LockWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Edit locks.
    pub fn locks(&self) -> LockWriter<'_> {
        LockWriter::new(self.executor())
    }
}

impl<'a> LockWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Takes an entry that nobody holds at `wanted.acquired_at`, or extends the lock of the same user, whose session keeps it.
    /// Answers with the lock that is in force afterwards: somebody else's when they hold the entry.
    pub async fn acquire(self, wanted: &EditLock) -> Result<EditLock, Error> {
        // As text: what is kept of the lock that is there depends on it, column by column.
        const ACQUIRE: &str = "INSERT INTO edit_locks AS held (entry_id, user_id, token, acquired_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
            ON CONFLICT (entry_id) DO UPDATE SET user_id = $2, expires_at = $5, \
            token = CASE WHEN held.expires_at > $4 THEN coalesce(held.token, $3) ELSE $3 END, \
            acquired_at = CASE WHEN held.expires_at > $4 THEN held.acquired_at ELSE $4 END \
            WHERE held.expires_at <= $4 OR held.user_id = $2 \
            RETURNING entry_id, user_id, token, acquired_at, expires_at";
        if let Some(row) = self.executor.one((ACQUIRE, values(wanted))).await? {
            return Ok(entity::Model::from_query_result(&row, "").map_err(unreadable::<Entity>)?.into());
        }
        // Somebody else's, and gone if they released it just now; then the caller may try again.
        self.executor.find(Entity::find_by_id(Stored(wanted.entry))).await?.ok_or(Error::Busy)
    }

    /// Takes an entry, whoever holds it.
    pub async fn take_over(self, wanted: &EditLock) -> Result<(), Error> {
        let lock = ActiveModel {
            entry_id: Set(Stored(wanted.entry)),
            user_id: Set(Stored(wanted.user)),
            token: Set(wanted.token.clone()),
            acquired_at: Set(Stored(wanted.acquired_at)),
            expires_at: Set(Stored(wanted.expires_at)),
        };
        let held = [Column::UserId, Column::Token, Column::AcquiredAt, Column::ExpiresAt];
        let instead = OnConflict::column(Column::EntryId).update_columns(held).to_owned();
        Entity::insert(lock).on_conflict(instead).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Gives an entry back. Says whether the user held it, in the session that the token names.
    pub async fn release(self, entry: EntryId, user: UserId, token: Option<&str>) -> Result<bool, Error> {
        let own_session = Column::Token.is_null().or(Column::Token.eq(token.map(str::to_owned)));
        let release = Entity::delete_by_id(Stored(entry)).filter(Column::UserId.eq(Stored(user))).filter(own_session);
        Ok(release.exec(&self.executor).await?.rows_affected > 0)
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

impl From<entity::Model> for EditLock {
    fn from(row: entity::Model) -> Self {
        Self { entry: row.entry_id.0, user: row.user_id.0, token: row.token, acquired_at: row.acquired_at.0, expires_at: row.expires_at.0 }
    }
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
