//! Files that wait in the database: what is imported until it is in, what was exported until it is fetched. They come and go in parts, so that
//! nobody who writes waits for a whole one.

use cms_domain::{
    id::{FileId, JobId, UserId},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set,
    sea_query::{Expr, ExprTrait},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, column::Stored, executor::Executor};

mod entity {
    use cms_domain::{
        id::{FileId, JobId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "files")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<FileId>,
        pub(super) owner: Option<Stored<UserId>>,
        pub(super) job_id: Option<Stored<JobId>>,
        pub(super) bytes: i64,
        pub(super) lines: i64,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What files are made of.
mod part {
    use cms_domain::id::FileId;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "file_parts")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) file_id: Stored<FileId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) bytes: Vec<u8>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Lines of files that are set aside, to be read again.
mod line {
    use cms_domain::id::FileId;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "file_lines")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) file_id: Stored<FileId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) begins: i64,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// How many parts, or lines that were set aside, one transaction removes: a few megabytes, so that a writer waits for some milliseconds.
const PARTS: i64 = 64;
const LINES: i64 = 2000;

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFile {
    /// Identifies it.
    pub id: FileId,
    /// Whose it is; nobody's where the server made it.
    pub owner: Option<UserId>,
    /// The job that reads or writes it; none while it arrives.
    pub job: Option<JobId>,
    /// How long it is.
    pub bytes: u64,
    /// How many line ends it has.
    pub lines: u64,
    /// When it was begun.
    pub created_at: Timestamp,
    /// When it is nobody's any more, and goes.
    pub expires_at: Timestamp,
}

/// A line of a file that is set aside, to be read again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLine {
    /// Which one, from 1.
    pub number: u64,
    /// Where it begins.
    pub begins: u64,
}

/// Reads files.
#[derive(Clone, Copy)]
pub struct FileReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Files.
    pub fn files(self) -> FileReader<'a> {
        FileReader { executor: self.executor() }
    }
}

impl FileReader<'_> {
    /// A file, if it has not expired.
    pub async fn get(self, id: FileId, now: Timestamp) -> Result<Option<StoredFile>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).filter(stands(now))).await
    }

    /// The file that a job reads or writes, if it has not expired.
    pub async fn of_job(self, job: JobId, now: Timestamp) -> Result<Option<StoredFile>, Error> {
        self.executor.find(Entity::find().filter(Column::JobId.eq(Stored(job))).filter(stands(now))).await
    }

    /// Whether a file has expired that is not removed yet.
    pub async fn any_expired(self, now: Timestamp) -> Result<bool, Error> {
        Ok(Entity::find().filter(Column::ExpiresAt.lte(Stored(now))).one(&self.executor).await?.is_some())
    }

    /// All files, the oldest first, those that expired and are not removed yet included: there are few.
    pub async fn all(self) -> Result<Vec<StoredFile>, Error> {
        self.executor.list(Entity::find().order_by_asc(Column::Id)).await
    }

    /// A part of a file, from 0.
    pub async fn part(self, id: FileId, number: u64) -> Result<Option<Vec<u8>>, Error> {
        let part = part::Entity::find_by_id((Stored(id), signed(number))).one(&self.executor).await?;
        Ok(part.map(|part| part.bytes))
    }

    /// The next line that was set aside behind one, or the last one before it.
    pub async fn line(self, id: FileId, beside: u64, before: bool) -> Result<Option<FileLine>, Error> {
        let lines = line::Entity::find().filter(line::Column::FileId.eq(Stored(id)));
        let (lines, beside) = (lines.limit(1), signed(beside));
        self.executor
            .find(if before {
                lines.filter(line::Column::Number.lt(beside)).order_by_desc(line::Column::Number)
            } else {
                lines.filter(line::Column::Number.gt(beside)).order_by_asc(line::Column::Number)
            })
            .await
    }
}

fn stands(now: Timestamp) -> Expr {
    Column::ExpiresAt.gt(Stored(now))
}

/// Writes files.
#[derive(Clone, Copy)]
pub struct FileWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Files.
    pub fn files(&self) -> FileWriter<'_> {
        FileWriter { executor: self.executor() }
    }
}

impl FileWriter<'_> {
    /// Keeps others from beginning a file until the transaction ends, so that those that are there can be counted.
    pub async fn hold(self) -> Result<(), Error> {
        self.executor.hold(&[b"files"], true, None).await.map(drop)
    }

    /// Begins a file, which is empty.
    pub async fn insert(self, file: &StoredFile) -> Result<(), Error> {
        let row = ActiveModel {
            id: Set(Stored(file.id)),
            owner: Set(file.owner.map(Stored)),
            job_id: Set(file.job.map(Stored)),
            bytes: Set(0),
            lines: Set(0),
            created_at: Set(Stored(file.created_at)),
            expires_at: Set(Stored(file.expires_at)),
        };
        Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Adds a part with so many line ends, and has the file last until `until`. False when it has expired: nothing is written.
    pub async fn append(
        self,
        id: FileId,
        number: u64,
        bytes: Vec<u8>,
        lines: u64,
        (now, until): (Timestamp, Timestamp),
    ) -> Result<bool, Error> {
        let longer = Entity::update_many()
            .set(ActiveModel { expires_at: Set(Stored(until)), ..ActiveModel::default() })
            .col_expr(Column::Bytes, Expr::col(Column::Bytes).add(signed(bytes.len() as u64)))
            .col_expr(Column::Lines, Expr::col(Column::Lines).add(signed(lines)))
            .filter(Column::Id.eq(Stored(id)))
            .filter(stands(now));
        if longer.exec(&self.executor).await?.rows_affected == 0 {
            return Ok(false);
        }
        let row = part::ActiveModel { file_id: Set(Stored(id)), number: Set(signed(number)), bytes: Set(bytes) };
        part::Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(true)
    }

    /// Gives a file that nobody has to a job, until `until`. None when it has expired, or somebody has it.
    pub async fn give(self, id: FileId, job: JobId, (now, until): (Timestamp, Timestamp)) -> Result<Option<StoredFile>, Error> {
        let given = ActiveModel { job_id: Set(Some(Stored(job))), expires_at: Set(Stored(until)), ..ActiveModel::default() };
        let free = Entity::update_many().filter(Column::Id.eq(Stored(id))).filter(Column::JobId.is_null()).filter(stands(now));
        self.executor.change(free.set(given)).await
    }

    /// Nobody needs a file any more.
    pub async fn expire(self, id: FileId, now: Timestamp) -> Result<(), Error> {
        self.expire_where(Column::Id.eq(Stored(id)), now).await
    }

    /// Nobody needs the file of a job any more.
    pub async fn expire_of_job(self, job: JobId, now: Timestamp) -> Result<(), Error> {
        self.expire_where(Column::JobId.eq(Stored(job)), now).await
    }

    async fn expire_where(self, which: Expr, now: Timestamp) -> Result<(), Error> {
        let expired = ActiveModel { expires_at: Set(Stored(now)), ..ActiveModel::default() };
        Entity::update_many().set(expired).filter(which).filter(stands(now)).exec(&self.executor).await?;
        Ok(())
    }

    /// Sets a line aside.
    pub async fn note_line(self, id: FileId, line: FileLine) -> Result<(), Error> {
        let row = line::ActiveModel { file_id: Set(Stored(id)), number: Set(signed(line.number)), begins: Set(signed(line.begins)) };
        line::Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// A line is done that was set aside.
    pub async fn forget_line(self, id: FileId, number: u64) -> Result<(), Error> {
        line::Entity::delete_by_id((Stored(id), signed(number))).exec(&self.executor).await?;
        Ok(())
    }

    /// Removes a little of a file that nobody needs, and says whether anything is left of it.
    pub async fn remove_some(self, id: FileId) -> Result<bool, Error> {
        let (of_part, of_line) = (part::Column::FileId.eq(Stored(id)), line::Column::FileId.eq(Stored(id)));
        let parts = part::Entity::find().select_only().column(part::Column::Number).filter(of_part.clone());
        let first: Option<i64> = parts.order_by_asc(part::Column::Number).limit(1).into_tuple().one(&self.executor).await?;
        if let Some(first) = first {
            let next = part::Column::Number.lt(first.saturating_add(PARTS));
            part::Entity::delete_many().filter(of_part).filter(next).exec(&self.executor).await?;
            return Ok(true);
        }
        let lines = line::Entity::find().select_only().column(line::Column::Number).filter(of_line.clone());
        let first: Option<i64> = lines.order_by_asc(line::Column::Number).limit(1).into_tuple().one(&self.executor).await?;
        if let Some(first) = first {
            let next = line::Column::Number.lt(first.saturating_add(LINES));
            line::Entity::delete_many().filter(of_line).filter(next).exec(&self.executor).await?;
            return Ok(true);
        }
        Entity::delete_by_id(Stored(id)).exec(&self.executor).await?;
        Ok(false)
    }

    /// Removes a little of what has expired, and says whether there may be more.
    pub async fn prune(self, now: Timestamp) -> Result<bool, Error> {
        let expired = Entity::find().filter(Column::ExpiresAt.lte(Stored(now))).order_by_asc(Column::ExpiresAt).limit(1);
        let Some(file) = self.executor.find::<Entity, StoredFile>(expired).await? else { return Ok(false) };
        self.remove_some(file.id).await?;
        Ok(true)
    }
}

/// Counts are kept in signed numbers, which are larger than anything that is counted.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl From<entity::Model> for StoredFile {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            owner: row.owner.map(|owner| owner.0),
            job: row.job_id.map(|job| job.0),
            bytes: row.bytes.unsigned_abs(),
            lines: row.lines.unsigned_abs(),
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        }
    }
}

impl From<line::Model> for FileLine {
    fn from(row: line::Model) -> Self {
        Self { number: row.number.unsigned_abs(), begins: row.begins.unsigned_abs() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures::at};

    fn file(n: u128) -> StoredFile {
        let owner = Some(UserId::from_parts(1, 1));
        StoredFile { id: FileId::from_parts(1, n), owner, job: None, bytes: 0, lines: 0, created_at: at(1), expires_at: at(10) }
    }

    both! {
        async fn a_file_grows_by_parts_until_it_has_expired(store: Store) {
            let (file, job) = (file(1), JobId::from_parts(1, 1));
            let tx = store.write().await.unwrap();
            tx.files().hold().await.unwrap();
            tx.files().insert(&file).await.unwrap();
            assert!(tx.files().append(file.id, 0, b"a\nb".to_vec(), 1, (at(2), at(12))).await.unwrap());
            assert!(tx.files().append(file.id, 1, b"\n".to_vec(), 1, (at(11), at(20))).await.unwrap());
            assert!(!tx.files().append(file.id, 2, b"late".to_vec(), 0, (at(20), at(30))).await.unwrap());
            let read = tx.reader().files();
            assert_eq!(read.part(file.id, 0).await.unwrap().as_deref(), Some(&b"a\nb"[..]));
            assert_eq!(read.part(file.id, 2).await.unwrap(), None);
            let given = tx.files().give(file.id, job, (at(12), at(40))).await.unwrap().unwrap();
            assert_eq!(given, StoredFile { job: Some(job), bytes: 4, lines: 2, expires_at: at(40), ..file.clone() });
            assert_eq!(tx.files().give(file.id, job, (at(12), at(40))).await.unwrap(), None, "somebody has it");
            assert_eq!(read.of_job(job, at(39)).await.unwrap(), Some(given));
            assert_eq!(read.get(file.id, at(40)).await.unwrap(), None);
        }

        async fn what_has_expired_goes_bit_by_bit_and_nothing_else_does(store: Store) {
            let (gone, kept) = (file(1), file(2));
            let tx = store.write().await.unwrap();
            for file in [&gone, &kept] {
                tx.files().insert(file).await.unwrap();
                for number in 0..70 {
                    assert!(tx.files().append(file.id, number, vec![1], 0, (at(1), at(10))).await.unwrap());
                }
                tx.files().note_line(file.id, FileLine { number: 7, begins: 1 }).await.unwrap();
            }
            tx.files().expire(gone.id, at(5)).await.unwrap();
            let mut steps = 0;
            while tx.files().prune(at(5)).await.unwrap() {
                steps += 1;
            }
            assert_eq!(steps, 4, "parts in two steps, then its lines, then the file");
            assert_eq!(tx.reader().files().all().await.unwrap(), [StoredFile { bytes: 70, ..kept.clone() }]);
            assert!(tx.reader().files().part(kept.id, 69).await.unwrap().is_some());
        }

        async fn lines_that_were_set_aside_are_found_in_both_directions(store: Store) {
            let file = file(1);
            let tx = store.write().await.unwrap();
            tx.files().insert(&file).await.unwrap();
            let line = |number| FileLine { number, begins: 10 * number };
            for number in [3, 5, 9] {
                tx.files().note_line(file.id, line(number)).await.unwrap();
            }
            let read = tx.reader().files();
            assert_eq!(read.line(file.id, 3, false).await.unwrap(), Some(line(5)));
            assert_eq!(read.line(file.id, 9, true).await.unwrap(), Some(line(5)));
            tx.files().forget_line(file.id, 5).await.unwrap();
            assert_eq!(read.line(file.id, 9, true).await.unwrap(), Some(line(3)));
            assert_eq!(read.line(file.id, 9, false).await.unwrap(), None);
        }
    }
}
