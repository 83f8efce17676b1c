//! Who has which entry open: a row for each entry and event stream of a person, good for a short while unless it is written again.

use cms_domain::{
    id::{EntryId, StreamId, UserId},
    time::Timestamp,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set, sea_query::OnConflict};

use self::entity::{ActiveModel, Column, Entity, Model};
use crate::{
    Error, Reader, Tx,
    column::Stored,
    executor::Executor,
    expiry,
    row::{at_most, time_value},
    tables::Table,
};

mod entity {
    use cms_domain::{
        id::{EntryId, StreamId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "entry_watchers")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) entry_id: Stored<EntryId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) stream_id: Stored<StreamId>,
        pub(super) user_id: Stored<UserId>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it. Archives do not have it: nobody is there any more who was when one was made.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// Somebody has an entry open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Watcher {
    /// The entry.
    pub entry: EntryId,
    /// Who has it open.
    pub user: UserId,
}

/// Reads who has entries open.
#[derive(Clone, Copy)]
pub struct WatcherReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Who has which entry open.
    pub fn watchers(self) -> WatcherReader<'a> {
        WatcherReader { executor: self.executor() }
    }
}

impl WatcherReader<'_> {
    /// Who but one user has some entries open, each once for an entry, from up to `limit` streams.
    pub async fn of(self, entries: &[EntryId], but: Option<UserId>, now: Timestamp, limit: usize) -> Result<Vec<Watcher>, Error> {
        let mut there =
            Entity::find().filter(Column::EntryId.is_in(entries.iter().copied().map(Stored))).filter(Column::ExpiresAt.gt(Stored(now)));
        if let Some(user) = but {
            there = there.filter(Column::UserId.ne(Stored(user)));
        }
        // In the order of their key, so that the same ones are found as long as all stay.
        let there = there.order_by_asc(Column::EntryId).order_by_asc(Column::StreamId).limit(at_most(limit));
        let mut watchers: Vec<Watcher> = self.executor.list(there).await?;
        watchers.sort_unstable();
        watchers.dedup();
        Ok(watchers)
    }
}

/// Writes who has entries open, which the system keeps for itself.
#[derive(Clone, Copy)]
pub struct WatcherWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Who has which entry open.
    pub fn watchers(&self) -> WatcherWriter<'_> {
        WatcherWriter { executor: self.executor() }
    }
}

impl WatcherWriter<'_> {
    /// Notes that a user has entries open in a stream, and until when that is believed, whatever was noted before.
    pub async fn note(self, stream: StreamId, user: UserId, entries: &[EntryId], until: Timestamp) -> Result<(), Error> {
        if entries.is_empty() {
            return Ok(());
        }
        let rows = entries.iter().map(|entry| ActiveModel {
            entry_id: Set(Stored(*entry)),
            stream_id: Set(Stored(stream)),
            user_id: Set(Stored(user)),
            expires_at: Set(Stored(until)),
        });
        let again = OnConflict::columns([Column::EntryId, Column::StreamId]).update_column(Column::ExpiresAt).to_owned();
        Entity::insert_many(rows).on_conflict(again).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Removes up to `limit` rows that are not believed any more, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "entry_watchers", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

impl From<Model> for Watcher {
    fn from(row: Model) -> Self {
        Self { entry: row.entry_id.0, user: row.user_id.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn entry(n: u128) -> EntryId {
        EntryId::from_parts(1, n)
    }

    fn stream(n: u128) -> StreamId {
        StreamId::from_parts(1, n)
    }

    fn watcher(n: u128, user: u128) -> Watcher {
        Watcher { entry: entry(n), user: fixtures::user(user).id }
    }

    /// Notes that users have entries open in streams, until a second.
    async fn note(store: &Store, all: &[(u128, u128, &[u128], i64)]) {
        let tx = store.write().await.unwrap();
        for (in_stream, user, entries, until) in all {
            let entries: Vec<_> = entries.iter().copied().map(entry).collect();
            tx.watchers().note(stream(*in_stream), fixtures::user(*user).id, &entries, fixtures::at(*until)).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    async fn there(store: &Store, entries: &[u128], but: Option<u128>, now: i64) -> Vec<Watcher> {
        let entries: Vec<_> = entries.iter().copied().map(entry).collect();
        store.reader().watchers().of(&entries, but.map(|user| fixtures::user(user).id), fixtures::at(now), 100).await.unwrap()
    }

    both! {
        async fn whoever_has_an_entry_open_is_found_once_in_however_many_streams(store: Store) {
            note(&store, &[(1, 1, &[1, 2], 45), (2, 1, &[1], 45), (3, 2, &[1], 45), (4, 3, &[3], 45)]).await;
            assert_eq!(there(&store, &[1, 2], None, 0).await, [watcher(1, 1), watcher(1, 2), watcher(2, 1)]);
        }

        async fn nobody_finds_themselves(store: Store) {
            note(&store, &[(1, 1, &[1], 45), (2, 1, &[1], 45), (3, 2, &[1], 45)]).await;
            assert_eq!(there(&store, &[1], Some(1), 0).await, [watcher(1, 2)]);
        }

        async fn whoever_is_not_noted_again_is_gone_when_the_time_is_over(store: Store) {
            note(&store, &[(1, 1, &[1, 2], 45), (2, 2, &[1], 45)]).await;
            note(&store, &[(1, 1, &[1], 60)]).await;
            assert_eq!(there(&store, &[1, 2], None, 45).await, [watcher(1, 1)]);
            assert_eq!(there(&store, &[1, 2], None, 60).await, []);
        }

        async fn a_stream_that_ends_ends_its_own_rows_alone(store: Store) {
            note(&store, &[(1, 1, &[1], 45), (2, 1, &[1, 2], 45)]).await;
            note(&store, &[(2, 1, &[1, 2], 3)]).await;
            assert_eq!(there(&store, &[1, 2], None, 3).await, [watcher(1, 1)]);
        }

        async fn no_more_streams_are_looked_at_than_asked_for_and_always_the_same(store: Store) {
            note(&store, &[(3, 3, &[1], 45), (1, 1, &[1], 45), (2, 2, &[1], 45)]).await;
            let found = store.reader().watchers().of(&[entry(1)], None, fixtures::at(0), 2).await.unwrap();
            assert_eq!(found, [watcher(1, 1), watcher(1, 2)]);
        }

        async fn nothing_is_noted_of_no_entry(store: Store) {
            note(&store, &[(1, 1, &[], 45)]).await;
            assert_eq!(there(&store, &[1], None, 0).await, []);
        }

        async fn pruning_leaves_whoever_is_there(store: Store) {
            note(&store, &[(1, 1, &[1], 45), (2, 2, &[1], 3)]).await;
            let tx = store.write().await.unwrap();
            assert_eq!(tx.watchers().prune(fixtures::at(3), 100).await.unwrap(), 1);
            tx.commit().await.unwrap();
            assert_eq!(there(&store, &[1], None, 3).await, [watcher(1, 1)]);
        }
    }
}
