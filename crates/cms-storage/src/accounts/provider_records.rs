//! What sign-in providers keep: each has a place of its own, with collections of values under keys.

use cms_domain::time::Timestamp;

use sea_orm::{
    ColumnTrait, Condition, EntityTrait, QueryFilter, Set,
    sea_query::{ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, column::Stored, executor::Executor, expiry, row::time_value};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "provider_records")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) provider: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) collection: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) key: String,
        pub(super) value: String,
        pub(super) expires_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What is under a key.
fn under(provider: &str, collection: &str, key: &str) -> Condition {
    Condition::all().add(Column::Provider.eq(provider)).add(Column::Collection.eq(collection)).add(Column::Key.eq(key))
}

/// Reads what providers keep.
#[derive(Clone, Copy)]
pub struct ProviderRecordReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// What providers keep.
    pub fn provider_records(self) -> ProviderRecordReader<'a> {
        ProviderRecordReader::new(self.executor())
    }
}

impl<'a> ProviderRecordReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The value under a key, unless its time is over.
    pub async fn get(self, provider: &str, collection: &str, key: &str, now: Timestamp) -> Result<Option<String>, Error> {
        let open = Column::ExpiresAt.is_null().or(Column::ExpiresAt.gt(Stored(now)));
        let found = Entity::find().filter(under(provider, collection, key)).filter(open).one(&self.executor).await?;
        Ok(found.map(|record| record.value))
    }

    /// How many values a provider keeps, those included whose time is over.
    pub async fn count(self, provider: &str) -> Result<i64, Error> {
        self.executor.count(Entity::find().filter(Column::Provider.eq(provider))).await
    }
}

/// Writes what providers keep.
#[derive(Clone, Copy)]
pub struct ProviderRecordWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// What providers keep.
    pub fn provider_records(&self) -> ProviderRecordWriter<'_> {
        ProviderRecordWriter::new(self.executor())
    }
}

impl<'a> ProviderRecordWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Keeps a value under a key, instead of what was there.
    pub async fn put(self, provider: &str, collection: &str, key: &str, value: &str, expires_at: Option<Timestamp>) -> Result<(), Error> {
        let record = ActiveModel {
            provider: Set(provider.to_owned()),
            collection: Set(collection.to_owned()),
            key: Set(key.to_owned()),
            value: Set(value.to_owned()),
            expires_at: Set(expires_at.map(Stored)),
        };
        let key = [Column::Provider, Column::Collection, Column::Key];
        let instead = OnConflict::columns(key).update_columns([Column::Value, Column::ExpiresAt]).to_owned();
        Entity::insert(record).on_conflict(instead).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Takes the value under a key, unless its time is over. Of several that try, one gets it.
    pub async fn take(self, provider: &str, collection: &str, key: &str, now: Timestamp) -> Result<Option<String>, Error> {
        let taken: Option<entity::Model> = self.executor.take(Entity::delete_many().filter(under(provider, collection, key))).await?;
        Ok(taken.filter(|record| record.expires_at.is_none_or(|at| at.0 > now)).map(|record| record.value))
    }

    /// Removes up to `limit` values whose time is over, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "provider_records", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

#[cfg(test)]
mod tests {
    use crate::{Store, both, fixtures};

    both! {
        async fn each_provider_has_a_place_of_its_own(store: Store) {
            let tx = store.write().await.unwrap();
            let records = tx.provider_records();
            records.put("a", "states", "k", "1", None).await.unwrap();
            records.put("a", "states", "k", "2", None).await.unwrap();
            records.put("b", "states", "k", "3", None).await.unwrap();
            let read = tx.reader().provider_records();
            assert_eq!(read.get("a", "states", "k", fixtures::at(0)).await.unwrap().as_deref(), Some("2"));
            assert_eq!(read.get("a", "other", "k", fixtures::at(0)).await.unwrap(), None);
            assert_eq!(read.count("a").await.unwrap(), 1);
            assert_eq!(records.take("b", "states", "k", fixtures::at(0)).await.unwrap().as_deref(), Some("3"));
            assert_eq!(records.take("b", "states", "k", fixtures::at(0)).await.unwrap(), None);
        }

        async fn what_is_over_is_gone(store: Store) {
            let tx = store.write().await.unwrap();
            let records = tx.provider_records();
            for key in ["k", "l"] {
                records.put("a", "states", key, "1", Some(fixtures::at(5))).await.unwrap();
            }
            assert_eq!(tx.reader().provider_records().get("a", "states", "k", fixtures::at(4)).await.unwrap().as_deref(), Some("1"));
            assert_eq!(tx.reader().provider_records().get("a", "states", "k", fixtures::at(5)).await.unwrap(), None);
            assert_eq!(records.take("a", "states", "k", fixtures::at(5)).await.unwrap(), None);
            assert_eq!(records.prune(fixtures::at(5), 100).await.unwrap(), 1);
        }
    }
}
