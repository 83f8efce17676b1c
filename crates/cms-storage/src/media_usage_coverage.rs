//! How far it is known which files the entries of each collection use.

use cms_domain::{id::CollectionId, time::Timestamp};
use sea_orm::{EntityTrait, QueryOrder, QuerySelect, Set, sea_query::OnConflict};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, Reader, Tx, collections::definition::collection, column::Stored, executor::Executor, tables::Table};

mod entity {
    use cms_domain::{id::CollectionId, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "media_usage_coverage")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) collection_id: Stored<CollectionId>,
        /// [`super::CoverageStatus`]
        pub(super) status: i16,
        pub(super) looks_at: String,
        pub(super) entries: i64,
        pub(super) failed: i64,
        pub(super) begun_at: Stored<Timestamp>,
        pub(super) ended_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as errors know it. It is derived.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// How far the entries of a collection are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverageStatus {
    /// They are being looked through.
    Running,
    /// All are.
    Complete,
    /// All are, and some could not be read.
    Partial,
    /// They could not be looked through.
    Failed,
    /// They were, and there is something else to look at by now.
    Stale,
    /// Another release wrote down something that this one does not know.
    Unknown,
}

impl CoverageStatus {
    fn number(self) -> i16 {
        match self {
            Self::Running => 1,
            Self::Complete => 2,
            Self::Partial => 3,
            Self::Failed => 4,
            Self::Stale => 5,
            Self::Unknown => 0,
        }
    }

    fn of(number: i16) -> Self {
        [Self::Running, Self::Complete, Self::Partial, Self::Failed, Self::Stale]
            .into_iter()
            .find(|status| status.number() == number)
            .unwrap_or(Self::Unknown)
    }
}

/// How far the files that the entries of a collection use are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageCoverage {
    /// The collection.
    pub collection: CollectionId,
    /// How far.
    pub status: CoverageStatus,
    /// What was looked at of its entries.
    pub looks_at: String,
    /// How many entries were looked through.
    pub entries: u64,
    /// How many of them could not be read.
    pub failed: u64,
    /// When that began.
    pub begun_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// Reads how far usage is known.
#[derive(Clone, Copy)]
pub struct UsageCoverageReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// How far the usage of files is known.
    pub fn usage_coverage(self) -> UsageCoverageReader<'a> {
        UsageCoverageReader { executor: self.executor() }
    }
}

impl UsageCoverageReader<'_> {
    /// Of every collection that there is, and of those that were and whose rows are still there.
    pub async fn all(self) -> Result<Vec<UsageCoverage>, Error> {
        self.executor.list(Entity::find().order_by_asc(Column::CollectionId)).await
    }

    /// The status of every collection that there is; none where its entries were never looked through.
    pub async fn statuses(self) -> Result<Vec<Option<CoverageStatus>>, Error> {
        let there: Vec<Stored<CollectionId>> =
            collection::Entity::find().select_only().column(collection::Column::Id).into_tuple().all(&self.executor).await?;
        let known = self.all().await?;
        Ok(there.into_iter().map(|id| known.iter().find(|coverage| coverage.collection == id.0).map(|coverage| coverage.status)).collect())
    }
}

/// Writes how far usage is known.
#[derive(Clone, Copy)]
pub struct UsageCoverageWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// How far the usage of files is known.
    pub fn usage_coverage(&self) -> UsageCoverageWriter<'_> {
        UsageCoverageWriter { executor: self.executor() }
    }
}

impl UsageCoverageWriter<'_> {
    /// Holds what is known of a collection until the transaction ends: nobody else looks through its entries meanwhile. None where nothing is known yet: then it
    /// is written down that its entries are to be looked through.
    pub async fn hold(self, collection: CollectionId, now: Timestamp) -> Result<UsageCoverage, Error> {
        let row = ActiveModel {
            collection_id: Set(Stored(collection)),
            status: Set(CoverageStatus::Stale.number()),
            looks_at: Set(String::new()),
            entries: Set(0),
            failed: Set(0),
            begun_at: Set(Stored(now)),
            ended_at: Set(None),
        };
        let unless_known = OnConflict::column(Column::CollectionId).do_nothing().to_owned();
        Entity::insert(row).on_conflict(unless_known).exec_without_returning(&self.executor).await?;
        let held = self.executor.find(Entity::find_by_id(Stored(collection)).lock_exclusive()).await?;
        held.ok_or_else(|| Error::backend("what is known of the usage of files is gone in the same transaction"))
    }

    /// Writes down what is known of a collection, which the transaction holds.
    pub async fn set(self, coverage: &UsageCoverage) -> Result<(), Error> {
        let row = ActiveModel {
            collection_id: Set(Stored(coverage.collection)),
            status: Set(coverage.status.number()),
            looks_at: Set(coverage.looks_at.clone()),
            entries: Set(i64::try_from(coverage.entries).unwrap_or(i64::MAX)),
            failed: Set(i64::try_from(coverage.failed).unwrap_or(i64::MAX)),
            begun_at: Set(Stored(coverage.begun_at)),
            ended_at: Set(coverage.ended_at.map(Stored)),
        };
        Entity::update(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Forgets a collection that is gone.
    pub async fn forget(self, collection: CollectionId) -> Result<(), Error> {
        Entity::delete_by_id(Stored(collection)).exec(&self.executor).await?;
        Ok(())
    }
}

impl From<entity::Model> for UsageCoverage {
    fn from(row: entity::Model) -> Self {
        Self {
            collection: row.collection_id.0,
            status: CoverageStatus::of(row.status),
            looks_at: row.looks_at,
            entries: row.entries.unsigned_abs(),
            failed: row.failed.unsigned_abs(),
            begun_at: row.begun_at.0,
            ended_at: row.ended_at.map(|at| at.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures::at};

    both! {
        async fn what_is_known_of_a_collection_is_held_changed_and_forgotten(store: Store) {
            let id = CollectionId::from_parts(3, 1);
            let tx = store.write().await.unwrap();
            let fresh = tx.usage_coverage().hold(id, at(1)).await.unwrap();
            assert_eq!((fresh.status, fresh.looks_at.as_str(), fresh.ended_at), (CoverageStatus::Stale, "", None));
            let done = UsageCoverage { status: CoverageStatus::Complete, looks_at: "a".to_owned(), entries: 3, ended_at: Some(at(2)), ..fresh };
            tx.usage_coverage().set(&done).await.unwrap();
            assert_eq!(tx.usage_coverage().hold(id, at(9)).await.unwrap(), done);
            assert_eq!(tx.reader().usage_coverage().statuses().await.unwrap(), [], "there is no such collection");
            tx.usage_coverage().forget(id).await.unwrap();
            assert_eq!(tx.reader().usage_coverage().all().await.unwrap(), []);
        }
    }
}
