//! The entries that bulk changes are over: which ones, in which order, and what was done to each.

use cms_domain::id::{EntryId, JobId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, Reader, Tx, column::Stored, executor::Executor, tables::Table};

mod entity {
    use cms_domain::id::{EntryId, JobId};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "bulk_entries")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) job_id: Stored<JobId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) entry_id: Stored<EntryId>,
        pub(super) change: Option<String>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it. Like the jobs that it belongs to, it is not in archives.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// The name of the table, for whoever forgets jobs.
pub(crate) const TABLE: &str = "bulk_entries";

/// An entry that a bulk change is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BulkEntry {
    /// Its place among those of the job, from 1 on.
    pub number: u64,
    /// The entry.
    pub entry: EntryId,
    /// What was done to it, in JSON, where that can be undone.
    pub change: Option<String>,
}

/// Reads what bulk changes are over.
#[derive(Clone, Copy)]
pub struct BulkReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// What bulk changes are over.
    pub fn bulk(self) -> BulkReader<'a> {
        BulkReader { executor: self.executor() }
    }
}

impl BulkReader<'_> {
    /// The first entry of a job behind a number; of those alone, where that is asked, to which something was done that can be undone.
    pub async fn next(self, job: JobId, after: u64, only_changed: bool) -> Result<Option<BulkEntry>, Error> {
        let mut behind = Entity::find().filter(Column::JobId.eq(Stored(job))).filter(Column::Number.gt(signed(after)));
        if only_changed {
            behind = behind.filter(Column::Change.is_not_null());
        }
        self.executor.find(behind.order_by_asc(Column::Number).limit(1)).await
    }
}

/// Writes what bulk changes are over. It belongs to the jobs, which the system keeps for itself.
#[derive(Clone, Copy)]
pub struct BulkWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// What bulk changes are over.
    pub fn bulk(&self) -> BulkWriter<'_> {
        BulkWriter { executor: self.executor() }
    }
}

impl BulkWriter<'_> {
    /// Adds entries to those of a job, behind so many.
    pub async fn add(self, job: JobId, behind: u64, entries: &[EntryId]) -> Result<(), Error> {
        let rows: Vec<_> = (behind + 1..).zip(entries).map(|(number, entry)| row(job, number, *entry, None)).collect();
        if !rows.is_empty() {
            Entity::insert_many(rows).exec_without_returning(&self.executor).await?;
        }
        Ok(())
    }

    /// Adds an entry to those of a job, with what was done to it.
    pub async fn add_changed(self, job: JobId, entry: BulkEntry) -> Result<(), Error> {
        let row = row(job, entry.number, entry.entry, entry.change);
        Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Notes what was done to an entry of a job.
    pub async fn note(self, job: JobId, number: u64, change: String) -> Result<(), Error> {
        let noted = ActiveModel { change: Set(Some(change)), ..ActiveModel::default() };
        let one = Entity::update_many().filter(Column::JobId.eq(Stored(job))).filter(Column::Number.eq(signed(number)));
        one.set(noted).exec(&self.executor).await?;
        Ok(())
    }
}

fn row(job: JobId, number: u64, entry: EntryId, change: Option<String>) -> ActiveModel {
    ActiveModel { job_id: Set(Stored(job)), number: Set(signed(number)), entry_id: Set(Stored(entry)), change: Set(change) }
}

/// Numbers are kept signed, which is more than any job counts to.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl From<entity::Model> for BulkEntry {
    fn from(row: entity::Model) -> Self {
        Self { number: row.number.unsigned_abs(), entry: row.entry_id.0, change: row.change }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both};

    const JOB: fn(u128) -> JobId = |n| JobId::from_parts(1, n);
    const ENTRY: fn(u128) -> EntryId = |n| EntryId::from_parts(2, n);

    both! {
        async fn the_entries_of_a_job_come_in_their_order_and_those_of_others_do_not(store: Store) {
            let tx = store.write().await.unwrap();
            tx.bulk().add(JOB(1), 0, &[ENTRY(9), ENTRY(1)]).await.unwrap();
            tx.bulk().add(JOB(2), 0, &[ENTRY(5)]).await.unwrap();
            tx.bulk().add(JOB(1), 2, &[ENTRY(3)]).await.unwrap();
            tx.bulk().add(JOB(1), 3, &[]).await.unwrap();
            let (mut found, mut at) = (Vec::new(), 0);
            while let Some(next) = tx.reader().bulk().next(JOB(1), at, false).await.unwrap() {
                at = next.number;
                found.push((next.number, next.entry));
            }
            assert_eq!(found, [(1, ENTRY(9)), (2, ENTRY(1)), (3, ENTRY(3))]);
        }

        async fn what_was_done_to_an_entry_is_found_and_what_was_not_is_passed_over(store: Store) {
            let tx = store.write().await.unwrap();
            tx.bulk().add(JOB(1), 0, &[ENTRY(1), ENTRY(2), ENTRY(3)]).await.unwrap();
            tx.bulk().note(JOB(1), 2, "{}".to_owned()).await.unwrap();
            let changed = BulkEntry { number: 2, entry: ENTRY(2), change: Some("{}".to_owned()) };
            assert_eq!(tx.reader().bulk().next(JOB(1), 0, true).await.unwrap(), Some(changed.clone()));
            assert_eq!(tx.reader().bulk().next(JOB(1), 2, true).await.unwrap(), None);
            tx.bulk().add_changed(JOB(2), changed.clone()).await.unwrap();
            assert_eq!(tx.reader().bulk().next(JOB(2), 0, true).await.unwrap(), Some(changed));
        }
    }
}
