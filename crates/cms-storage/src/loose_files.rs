//! Objects of the store that no item has: they are written down before there is one, taken by the item that gets them, and removed when nobody did.

use cms_domain::time::Timestamp;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set, sea_query::OnConflict};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, Reader, Tx, column::Stored, executor::Executor, row::at_most, tables::Table};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "loose_files")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) object_key: String,
        pub(super) due_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as errors know it. Archives hold no objects, and none that nobody has.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// Reads which objects no item has.
#[derive(Clone, Copy)]
pub struct LooseFileReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Objects that no item has.
    pub fn loose_files(self) -> LooseFileReader<'a> {
        LooseFileReader { executor: self.executor() }
    }
}

impl LooseFileReader<'_> {
    /// The keys of those that are to be removed by now, those that wait longest first, so many at most.
    pub async fn due(self, now: Timestamp, limit: usize) -> Result<Vec<String>, Error> {
        let due = Entity::find().filter(Column::DueAt.lte(Stored(now))).order_by_asc(Column::DueAt).limit(at_most(limit));
        let rows: Vec<entity::Model> = self.executor.list(due).await?;
        Ok(rows.into_iter().map(|row| row.object_key).collect())
    }
}

/// Writes down which objects no item has.
#[derive(Clone, Copy)]
pub struct LooseFileWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Objects that no item has.
    pub fn loose_files(&self) -> LooseFileWriter<'_> {
        LooseFileWriter { executor: self.executor() }
    }
}

impl LooseFileWriter<'_> {
    /// Nobody has an object, or will have the one that is about to be there, and it goes at a time unless somebody takes it. One that is written down
    /// already goes at that time instead.
    pub async fn note(self, key: &str, due_at: Timestamp) -> Result<(), Error> {
        let row = ActiveModel { object_key: Set(key.to_owned()), due_at: Set(Stored(due_at)) };
        let again = OnConflict::column(Column::ObjectKey).update_column(Column::DueAt).to_owned();
        Entity::insert(row).on_conflict(again).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Takes an object for somebody who has it from now on. False when it is too late, or it was taken.
    pub async fn take(self, key: &str, now: Timestamp) -> Result<bool, Error> {
        let taken = Entity::delete_many().filter(Column::ObjectKey.eq(key)).filter(Column::DueAt.gt(Stored(now)));
        Ok(taken.exec(&self.executor).await?.rows_affected == 1)
    }

    /// An object was removed. One that is not due, as it was written down again meanwhile, stays written down.
    pub async fn forget(self, key: &str, now: Timestamp) -> Result<(), Error> {
        let gone = Entity::delete_many().filter(Column::ObjectKey.eq(key)).filter(Column::DueAt.lte(Stored(now)));
        gone.exec(&self.executor).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Store, both, fixtures::at};

    both! {
        async fn what_nobody_takes_in_time_is_to_be_removed(store: Store) {
            let tx = store.write().await.unwrap();
            for (key, due) in [("b", 20), ("a", 10), ("c", 30)] {
                tx.loose_files().note(key, at(due)).await.unwrap();
            }
            let due = async |now, limit| tx.reader().loose_files().due(at(now), limit).await.unwrap();
            assert_eq!(due(9, 9).await, [""; 0]);
            assert_eq!(due(20, 9).await, ["a", "b"]);
            assert_eq!(due(30, 1).await, ["a"]);
            tx.loose_files().forget("a", at(10)).await.unwrap();
            tx.loose_files().forget("c", at(10)).await.unwrap();
            assert_eq!(due(40, 9).await, ["b", "c"], "what is not due stays");
        }

        async fn an_object_is_taken_once_and_in_time(store: Store) {
            let tx = store.write().await.unwrap();
            tx.loose_files().note("a", at(10)).await.unwrap();
            assert!(!tx.loose_files().take("a", at(10)).await.unwrap(), "it is due");
            tx.loose_files().note("a", at(20)).await.unwrap();
            assert!(tx.loose_files().take("a", at(10)).await.unwrap());
            assert!(!tx.loose_files().take("a", at(10)).await.unwrap(), "somebody has it");
            assert!(!tx.loose_files().take("b", at(10)).await.unwrap());
        }
    }
}
