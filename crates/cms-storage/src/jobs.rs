//! Jobs: who does which, how far each is, and what of it failed.
//!
//! A server claims a job for a while and says again and again that it is at it. Whoever claims a job counts its claims up, and all that is written of
//! one is guarded by that number: who was stopped, or believed dead, writes nothing more.

use cms_domain::{
    access::{Permit, to},
    id::{EntryId, Id, JobId, UserId},
    job::{JobCommand, JobState},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, Condition, EntityName, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set, UpdateMany,
    sea_query::{Expr, ExprTrait, LockBehavior, LockType, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error, bulk,
    column::{Storable, Stored},
    executor::Executor,
    expiry,
    row::{at_most, time_value},
};

mod entity {
    use cms_domain::{
        id::{JobId, UserId},
        job::JobState,
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "jobs")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<JobId>,
        pub(super) kind: String,
        pub(super) version: i32,
        pub(super) input: String,
        pub(super) name: Option<String>,
        pub(super) asked_by: Option<Stored<UserId>>,
        pub(super) priority: i16,
        pub(super) state: Stored<JobState>,
        pub(super) done: i64,
        pub(super) total: Option<i64>,
        pub(super) note: Option<String>,
        pub(super) errors: i64,
        pub(super) checkpoint: Option<String>,
        pub(super) result: Option<String>,
        pub(super) error: Option<String>,
        pub(super) attempts: i32,
        pub(super) claim: i64,
        pub(super) node: Option<String>,
        pub(super) due_at: Option<Stored<Timestamp>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) started_at: Option<Stored<Timestamp>>,
        pub(super) finished_at: Option<Stored<Timestamp>>,
        pub(super) acts_for: Option<String>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as errors know it. A restored site asks again for what is to be done.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>().unique("jobs_name", &[Column::Name], crate::Constraint::JobName).transient()
}

/// What failed of jobs, item by item.
mod failed_item {
    use cms_domain::id::{EntryId, JobId};
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "job_errors")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) job_id: Stored<JobId>,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) number: i64,
        pub(super) item: String,
        pub(super) message: String,
        pub(super) entry_id: Option<Stored<EntryId>>,
        pub(super) code: Option<String>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl Storable for JobState {
    type Raw = String;

    fn to_raw(&self) -> String {
        self.as_str().to_owned()
    }

    fn of_raw(raw: String) -> Option<Self> {
        raw.parse().ok()
    }
}

/// A job that is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Identifies it.
    pub id: JobId,
    /// What sort of work it is.
    pub kind: &'static str,
    /// The version of its input.
    pub version: i32,
    /// Its input, in JSON.
    pub input: String,
    /// Of the jobs of one name one is under way. None: there may be any number.
    pub name: Option<String>,
    /// Who asked for it; none where the server did.
    pub asked_by: Option<UserId>,
    /// Whom it does what it does for, and how they came, in JSON; none where the server itself does it.
    pub acts_for: Option<String>,
    /// Lower ones go first.
    pub priority: i16,
    /// Where it begins, in JSON; none: at the beginning.
    pub checkpoint: Option<String>,
    /// How much of it is done already.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
    /// When it was asked for, and from when on it is done.
    pub created_at: Timestamp,
}

/// A job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredJob {
    /// Identifies it.
    pub id: JobId,
    /// What sort of work it is.
    pub kind: String,
    /// The version of its input.
    pub version: i32,
    /// Its input, in JSON.
    pub input: String,
    /// Who asked for it; none where the server did.
    pub asked_by: Option<UserId>,
    /// How far it is.
    pub state: JobState,
    /// How much of it is done.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
    /// What it is at.
    pub note: Option<String>,
    /// How many of its items failed.
    pub errors: u64,
    /// Where to go on, in JSON; none at the beginning.
    pub checkpoint: Option<String>,
    /// What came of it, in JSON.
    pub result: Option<String>,
    /// Why it failed, or its last attempt did.
    pub error: Option<String>,
    /// How often in a row it was tried without getting on.
    pub attempts: i32,
    /// Names the attempt: nobody else's has the number.
    pub claim: i64,
    /// The server that does it, or did.
    pub node: Option<String>,
    /// When whoever finds it may take it.
    pub due_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it was first begun.
    pub started_at: Option<Timestamp>,
    /// When it ended, well or not.
    pub finished_at: Option<Timestamp>,
    /// Whom it does what it does for, and how they came, in JSON; none where the server itself does it.
    pub acts_for: Option<String>,
}

/// How far a job is, as whoever does it says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobProgress {
    /// Where to go on, in JSON.
    pub checkpoint: Option<String>,
    /// How much is done.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
    /// What it is at.
    pub note: Option<String>,
    /// How many items failed so far.
    pub errors: u64,
}

/// An item of a job that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedItem {
    /// Its place among those of the job that failed, from 1 on.
    pub number: u64,
    /// Which one, in words that whoever reads it understands: the line of a file, say.
    pub item: String,
    /// Why.
    pub message: String,
    /// The entry that it is, if it is one.
    pub entry: Option<EntryId>,
    /// Why, as programs read it.
    pub code: Option<String>,
}

/// Which jobs are listed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobFilter {
    /// Those in this state.
    pub state: Option<JobState>,
    /// Those of this kind.
    pub kind: Option<String>,
    /// Those that were asked for before this one.
    pub before: Option<JobId>,
}

/// Reads jobs.
#[derive(Clone, Copy)]
pub struct JobReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Jobs.
    pub fn jobs(self) -> JobReader<'a> {
        JobReader::new(self.executor())
    }
}

impl<'a> JobReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// A job.
    pub async fn get(self, id: JobId) -> Result<Option<StoredJob>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id))).await
    }

    /// Jobs, the one that was asked for last first.
    pub async fn list(self, filter: &JobFilter, limit: usize) -> Result<Vec<StoredJob>, Error> {
        let mut select = Entity::find().order_by_desc(Column::Id).limit(at_most(limit));
        if let Some(state) = filter.state {
            select = select.filter(Column::State.eq(Stored(state)));
        }
        if let Some(kind) = &filter.kind {
            select = select.filter(Column::Kind.eq(kind));
        }
        if let Some(before) = filter.before {
            select = select.filter(Column::Id.lt(Stored(before)));
        }
        self.executor.list(select).await
    }

    /// The jobs that are not over, the oldest first.
    pub async fn open(self, limit: usize) -> Result<Vec<StoredJob>, Error> {
        let open = Entity::find().filter(Column::FinishedAt.is_null());
        self.executor.list(open.order_by_asc(Column::Id).limit(at_most(limit))).await
    }

    /// How many jobs of a kind are not over that one person asked for.
    pub async fn open_of(self, kind: &str, user: UserId) -> Result<u64, Error> {
        let open = Entity::find().filter(Column::FinishedAt.is_null());
        self.executor.count(open.filter(Column::Kind.eq(kind)).filter(Column::AskedBy.eq(Stored(user)))).await.map(i64::unsigned_abs)
    }

    /// When the next job may be claimed, whoever knows its kind; none when none waits.
    pub async fn next_due(self) -> Result<Option<Timestamp>, Error> {
        let due = Entity::find().select_only().column_as(Column::DueAt.min(), "due_at").filter(Column::DueAt.is_not_null());
        let due = due.into_tuple::<Option<Stored<Timestamp>>>().one(&self.executor).await?;
        Ok(due.flatten().map(|due| due.0))
    }

    /// The job of a name that was asked for last.
    pub async fn last_named(self, name: &str) -> Result<Option<StoredJob>, Error> {
        self.executor.find(Entity::find().filter(Column::Name.eq(name)).order_by_desc(Column::Id).limit(1)).await
    }

    /// Whether a job is under way whose name ends in an id.
    pub(crate) async fn is_about<K>(self, id: Id<K>) -> Result<bool, Error> {
        let named = Entity::find().filter(Column::Name.ends_with(format!(":{id}"))).filter(Column::FinishedAt.is_null());
        Ok(self.executor.count(named).await? > 0)
    }

    /// What failed of a job behind a number, in its order.
    pub async fn failed_items(self, id: JobId, after: u64, limit: usize) -> Result<Vec<FailedItem>, Error> {
        let behind = failed_item::Column::Number.gt(signed(after));
        let items = failed_item::Entity::find().filter(failed_item::Column::JobId.eq(Stored(id))).filter(behind);
        self.executor.list(items.order_by_asc(failed_item::Column::Number).limit(at_most(limit))).await
    }
}

/// Writes jobs.
#[derive(Clone, Copy)]
pub struct JobWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Jobs.
    pub fn jobs(&self) -> JobWriter<'_> {
        JobWriter::new(self.executor())
    }
}

impl<'a> JobWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a job. Says whether it was added: one of its name may be under way.
    pub async fn insert(self, job: &NewJob) -> Result<bool, Error> {
        let row = ActiveModel {
            id: Set(Stored(job.id)),
            kind: Set(job.kind.to_owned()),
            version: Set(job.version),
            input: Set(job.input.clone()),
            name: Set(job.name.clone()),
            asked_by: Set(job.asked_by.map(Stored)),
            acts_for: Set(job.acts_for.clone()),
            priority: Set(job.priority),
            state: Set(Stored(JobState::Queued)),
            checkpoint: Set(job.checkpoint.clone()),
            done: Set(signed(job.done)),
            total: Set(job.total.map(signed)),
            errors: Set(0),
            attempts: Set(0),
            claim: Set(0),
            due_at: Set(Some(Stored(job.created_at))),
            created_at: Set(Stored(job.created_at)),
            ..ActiveModel::default()
        };
        let unless_under_way = OnConflict::new().do_nothing().to_owned();
        Ok(Entity::insert(row).on_conflict(unless_under_way).exec_without_returning(&self.executor).await? > 0)
    }

    /// The job of a name that is under way.
    pub async fn by_name(self, name: &str) -> Result<Option<StoredJob>, Error> {
        self.executor.find(Entity::find().filter(Column::Name.eq(name)).filter(Column::FinishedAt.is_null())).await
    }

    /// Takes the next job that is due, of kinds up to the versions that are known. Of servers that ask at once each gets another one. It is this
    /// server's until `until`.
    pub async fn claim(self, node: &str, kinds: &[(&str, i32)], now: Timestamp, until: Timestamp) -> Result<Option<StoredJob>, Error> {
        let known = kinds
            .iter()
            .fold(Condition::any(), |known, (kind, version)| known.add(Column::Kind.eq(*kind).and(Column::Version.lte(*version))));
        let next = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::DueAt.lte(Stored(now)))
            .filter(known)
            .order_by_asc(Column::Priority)
            .order_by_asc(Column::DueAt)
            .limit(1)
            .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
            .into_query();
        let claimed = ActiveModel {
            state: Set(Stored(JobState::Running)),
            node: Set(Some(node.to_owned())),
            due_at: Set(Some(Stored(until))),
            ..ActiveModel::default()
        };
        let began = Expr::col(Column::StartedAt).if_null(Stored(now));
        // The query is asked once, and not for each row that it is compared with.
        let claim =
            Entity::update_many().set(claimed).col_expr(Column::StartedAt, began).filter(Expr::col(Column::Id).eq(Expr::from(next)));
        self.executor.change(count_up(count_up(claim, Column::Claim), Column::Attempts)).await
    }

    /// Says that a job is still at work. False when it is somebody else's by now, or nobody's.
    pub async fn renew(self, id: JobId, claim: i64, until: Timestamp) -> Result<bool, Error> {
        let renewed = ActiveModel { due_at: Set(Some(Stored(until))), ..ActiveModel::default() };
        self.write(held(id, claim).set(renewed)).await
    }

    /// Notes how far a job is, which got on. False when it is somebody else's by now, or nobody's.
    pub async fn advance(self, id: JobId, claim: i64, progress: JobProgress, until: Timestamp) -> Result<bool, Error> {
        let advanced = ActiveModel { attempts: Set(0), error: Set(None), due_at: Set(Some(Stored(until))), ..how_far(progress) };
        self.write(held(id, claim).set(advanced)).await
    }

    /// Notes that a job ended well. False when it is somebody else's by now, or nobody's.
    pub async fn finish(self, id: JobId, claim: i64, progress: JobProgress, result: Option<String>, now: Timestamp) -> Result<bool, Error> {
        let finished = ActiveModel {
            state: Set(Stored(JobState::Done)),
            result: Set(result),
            error: Set(None),
            due_at: Set(None),
            finished_at: Set(Some(Stored(now))),
            ..how_far(progress)
        };
        self.write(held(id, claim).set(finished)).await
    }

    /// Notes that an attempt failed: the job is tried again later, or given up. False when it is somebody else's by now, or nobody's.
    pub async fn fail(self, id: JobId, claim: i64, error: &str, again_at: Option<Timestamp>, now: Timestamp) -> Result<bool, Error> {
        let state = if again_at.is_some() { JobState::Queued } else { JobState::Failed };
        let failed = ActiveModel {
            state: Set(Stored(state)),
            error: Set(Some(error.to_owned())),
            due_at: Set(again_at.map(Stored)),
            finished_at: Set(again_at.is_none().then_some(Stored(now))),
            ..ActiveModel::default()
        };
        // One that got on before it failed begins to count.
        let attempts = Expr::case(Expr::col(Column::Attempts).eq(0), 1).finally(Expr::col(Column::Attempts));
        self.write(held(id, claim).set(failed).col_expr(Column::Attempts, attempts.into())).await
    }

    /// Gives a job back that somebody else may go on with at once. False when it is somebody else's already, or nobody's.
    pub async fn release(self, id: JobId, claim: i64, now: Timestamp) -> Result<bool, Error> {
        let released = ActiveModel {
            state: Set(Stored(JobState::Queued)),
            attempts: Set(0),
            due_at: Set(Some(Stored(now))),
            ..ActiveModel::default()
        };
        self.write(held(id, claim).set(released)).await
    }

    /// Does what somebody wants with a job, and answers with what it is then; none where it is in no state for it.
    pub async fn command(
        self,
        _: &Permit<to::ManageJobs>,
        id: JobId,
        command: JobCommand,
        now: Timestamp,
    ) -> Result<Option<StoredJob>, Error> {
        self.commanded(id, command, now).await
    }

    /// Ends a job, and answers with what it is then; none where it is over.
    pub async fn end(self, _: &Permit<to::EndJob>, id: JobId, now: Timestamp) -> Result<Option<StoredJob>, Error> {
        self.commanded(id, JobCommand::Cancel, now).await
    }

    async fn commanded(self, id: JobId, command: JobCommand, now: Timestamp) -> Result<Option<StoredJob>, Error> {
        let to = command.leads_to();
        let states = command.allowed_in().iter().copied().map(Stored);
        let changed = ActiveModel {
            state: Set(Stored(to)),
            due_at: Set((to == JobState::Queued).then_some(Stored(now))),
            finished_at: Set(to.is_over().then_some(Stored(now))),
            attempts: Set(0),
            ..ActiveModel::default()
        };
        let job = Entity::update_many().filter(Column::Id.eq(Stored(id))).filter(Column::State.is_in(states));
        self.executor.change(job.set(changed)).await
    }

    /// Says whom a job does what it does for from now on.
    pub async fn act_for(self, _: &Permit<to::ManageJobs>, id: JobId, acts_for: Option<String>) -> Result<(), Error> {
        let now = ActiveModel { acts_for: Set(acts_for), ..ActiveModel::default() };
        Entity::update_many().filter(Column::Id.eq(Stored(id))).set(now).exec(&self.executor).await?;
        Ok(())
    }

    /// What is under way for somebody goes on for them by what they come with from now on.
    pub async fn act_on(self, _: &Permit<to::Account>, before: &str, after: &str) -> Result<(), Error> {
        let now = ActiveModel { acts_for: Set(Some(after.to_owned())), ..ActiveModel::default() };
        let theirs = Entity::update_many().filter(Column::FinishedAt.is_null()).filter(Column::ActsFor.eq(before));
        theirs.set(now).exec(&self.executor).await?;
        Ok(())
    }

    /// Adds items of a job that failed.
    pub async fn add_failed_items(self, id: JobId, items: Vec<FailedItem>) -> Result<(), Error> {
        let rows = items.into_iter().map(|item| failed_item::ActiveModel {
            job_id: Set(Stored(id)),
            number: Set(signed(item.number)),
            item: Set(item.item),
            message: Set(item.message),
            entry_id: Set(item.entry.map(Stored)),
            code: Set(item.code),
        });
        failed_item::Entity::insert_many(rows).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Forgets up to `limit` jobs that were over before an instant, and says how many rows that were.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        let of_old_ones = "job_id IN (SELECT id FROM jobs WHERE finished_at < $1)";
        for belongings in [failed_item::Entity.table_name(), bulk::TABLE] {
            let items = expiry::remove(self.executor, belongings, of_old_ones, vec![time_value(before)], limit).await?;
            if items >= limit as u64 {
                return Ok(items);
            }
        }
        expiry::remove(self.executor, "jobs", "finished_at < $1", vec![time_value(before)], limit).await
    }

    async fn write(self, update: UpdateMany<Entity>) -> Result<bool, Error> {
        Ok(update.exec(&self.executor).await?.rows_affected > 0)
    }
}

/// A job as long as it is whose who claimed it.
fn held(id: JobId, claim: i64) -> UpdateMany<Entity> {
    let running = Column::State.eq(Stored(JobState::Running));
    Entity::update_many().filter(Column::Id.eq(Stored(id))).filter(Column::Claim.eq(claim)).filter(running)
}

fn count_up(update: UpdateMany<Entity>, column: Column) -> UpdateMany<Entity> {
    update.col_expr(column, Expr::col(column).add(1))
}

fn how_far(progress: JobProgress) -> ActiveModel {
    ActiveModel {
        checkpoint: Set(progress.checkpoint),
        done: Set(signed(progress.done)),
        total: Set(progress.total.map(signed)),
        note: Set(progress.note),
        errors: Set(signed(progress.errors)),
        ..ActiveModel::default()
    }
}

/// Counts are kept in signed numbers, which are larger than anything that is counted.
fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl From<entity::Model> for StoredJob {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            kind: row.kind,
            version: row.version,
            input: row.input,
            asked_by: row.asked_by.map(|user| user.0),
            state: row.state.0,
            done: row.done.unsigned_abs(),
            total: row.total.map(i64::unsigned_abs),
            note: row.note,
            errors: row.errors.unsigned_abs(),
            checkpoint: row.checkpoint,
            result: row.result,
            error: row.error,
            attempts: row.attempts,
            claim: row.claim,
            node: row.node,
            due_at: row.due_at.map(|at| at.0),
            created_at: row.created_at.0,
            started_at: row.started_at.map(|at| at.0),
            finished_at: row.finished_at.map(|at| at.0),
            acts_for: row.acts_for,
        }
    }
}

impl From<failed_item::Model> for FailedItem {
    fn from(row: failed_item::Model) -> Self {
        Self {
            number: row.number.unsigned_abs(),
            item: row.item,
            message: row.message,
            entry: row.entry_id.map(|entry| entry.0),
            code: row.code,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Store, Tx, both,
        fixtures::{self, at},
    };

    const KINDS: &[(&str, i32)] = &[("test", 1)];

    fn job(n: u128) -> NewJob {
        NewJob {
            id: JobId::from_parts(1, n),
            kind: "test",
            version: 1,
            input: "{}".to_owned(),
            name: None,
            asked_by: None,
            acts_for: None,
            priority: 0,
            checkpoint: None,
            done: 0,
            total: None,
            created_at: at(1),
        }
    }

    async fn with(store: &Store, jobs: &[NewJob]) -> Tx {
        let tx = store.write().await.unwrap();
        for job in jobs {
            assert!(tx.jobs().insert(job).await.unwrap());
        }
        tx
    }

    async fn claim(tx: &Tx, node: &str, now: i64) -> Option<StoredJob> {
        tx.jobs().claim(node, KINDS, at(now), at(now + 10)).await.unwrap()
    }

    both! {
        async fn a_job_is_claimed_once_until_whoever_has_it_is_not_heard_of(store: Store) {
            let tx = with(&store, &[job(1)]).await;
            assert_eq!(claim(&tx, "a", 0).await, None, "it is not due yet");
            let first = claim(&tx, "a", 1).await.unwrap();
            assert_eq!((first.state, first.node.as_deref(), first.claim, first.attempts), (JobState::Running, Some("a"), 1, 1));
            assert_eq!(claim(&tx, "b", 10).await, None);
            assert!(tx.jobs().renew(first.id, first.claim, at(20)).await.unwrap());
            assert_eq!(claim(&tx, "b", 11).await, None);
            let second = claim(&tx, "b", 20).await.unwrap();
            assert_eq!((second.node.as_deref(), second.claim, second.attempts, second.started_at), (Some("b"), 2, 2, first.started_at));
            let progress = JobProgress { done: 1, ..JobProgress::default() };
            assert!(!tx.jobs().renew(first.id, first.claim, at(40)).await.unwrap());
            assert!(!tx.jobs().advance(first.id, first.claim, progress.clone(), at(40)).await.unwrap());
            assert!(!tx.jobs().finish(first.id, first.claim, progress.clone(), None, at(21)).await.unwrap());
            assert!(!tx.jobs().fail(first.id, first.claim, "no", None, at(21)).await.unwrap());
            assert!(!tx.jobs().release(first.id, first.claim, at(21)).await.unwrap());
            assert!(tx.jobs().advance(second.id, second.claim, progress, at(40)).await.unwrap());
            let known = tx.reader().jobs().get(second.id).await.unwrap().unwrap();
            assert_eq!((known.done, known.attempts), (1, 0), "who gets on is not tired of trying");
        }

        async fn jobs_are_claimed_by_priority_and_age_and_only_where_they_are_known(store: Store) {
            let mut jobs: Vec<_> = (1..=5).map(job).collect();
            (jobs[1].priority, jobs[2].kind, jobs[3].version) = (-1, "unknown", 2);
            jobs[4].created_at = at(0);
            let tx = with(&store, &jobs).await;
            let mut claimed = Vec::new();
            while let Some(job) = claim(&tx, "a", 1).await {
                claimed.push(job.id);
            }
            assert_eq!(claimed, [jobs[1].id, jobs[4].id, jobs[0].id]);
        }

        async fn of_one_name_one_job_is_under_way(store: Store) {
            let named = |n| NewJob { name: Some("purge".to_owned()), ..job(n) };
            let tx = with(&store, &[named(1)]).await;
            assert!(!tx.jobs().insert(&named(2)).await.unwrap());
            assert_eq!(tx.jobs().by_name("purge").await.unwrap().map(|job| job.id), Some(named(1).id));
            tx.jobs().command(&fixtures::permit(), named(1).id, JobCommand::Cancel, at(2)).await.unwrap().unwrap();
            assert_eq!(tx.jobs().by_name("purge").await.unwrap(), None);
            assert!(tx.jobs().insert(&named(2)).await.unwrap());
        }

        async fn who_was_stopped_writes_nothing_more(store: Store) {
            let tx = with(&store, &[job(1)]).await;
            let known = claim(&tx, "a", 1).await.unwrap();
            let (id, jobs) = (known.id, tx.jobs());
            let paused = jobs.command(&fixtures::permit(), id, JobCommand::Pause, at(2)).await.unwrap().unwrap();
            assert_eq!((paused.state, paused.due_at), (JobState::Paused, None));
            assert!(!jobs.advance(id, known.claim, JobProgress::default(), at(9)).await.unwrap());
            assert_eq!(claim(&tx, "a", 100).await, None);
            assert_eq!(jobs.command(&fixtures::permit(), id, JobCommand::Pause, at(3)).await.unwrap(), None);
            assert_eq!(jobs.command(&fixtures::permit(), id, JobCommand::Resume, at(3)).await.unwrap().unwrap().state, JobState::Queued);
            let again = claim(&tx, "a", 3).await.unwrap();
            assert!(!jobs.finish(id, known.claim, JobProgress::default(), None, at(4)).await.unwrap(), "that was another attempt");
            assert!(jobs.finish(id, again.claim, JobProgress::default(), Some("1".to_owned()), at(4)).await.unwrap());
            let over = tx.reader().jobs().get(id).await.unwrap().unwrap();
            assert_eq!((over.state, over.result.as_deref(), over.finished_at, over.due_at), (JobState::Done, Some("1"), Some(at(4)), None));
            for command in [JobCommand::Pause, JobCommand::Resume, JobCommand::Cancel, JobCommand::Retry] {
                assert_eq!(jobs.command(&fixtures::permit(), id, command, at(5)).await.unwrap(), None, "{command:?}");
            }
        }

        async fn a_job_that_failed_is_tried_again_from_where_it_was(store: Store) {
            let tx = with(&store, &[job(1)]).await;
            let (known, jobs) = (claim(&tx, "a", 1).await.unwrap(), tx.jobs());
            let id = known.id;
            let progress = JobProgress { checkpoint: Some("7".to_owned()), done: 7, total: Some(9), note: Some("so far".to_owned()), errors: 1 };
            assert!(jobs.advance(id, known.claim, progress, at(9)).await.unwrap());
            assert!(jobs.fail(id, known.claim, "no disk", Some(at(5)), at(2)).await.unwrap());
            assert_eq!(claim(&tx, "a", 4).await, None);
            let second = claim(&tx, "a", 5).await.unwrap();
            assert_eq!((second.checkpoint.as_deref(), second.done, second.error.as_deref()), (Some("7"), 7, Some("no disk")));
            assert!(jobs.fail(id, second.claim, "still no disk", None, at(6)).await.unwrap());
            let failed = tx.reader().jobs().get(id).await.unwrap().unwrap();
            assert_eq!((failed.state, failed.error.as_deref(), failed.finished_at), (JobState::Failed, Some("still no disk"), Some(at(6))));
            let retried = jobs.command(&fixtures::permit(), id, JobCommand::Retry, at(7)).await.unwrap().unwrap();
            assert_eq!((retried.state, retried.finished_at, retried.attempts), (JobState::Queued, None, 0));
            assert_eq!(claim(&tx, "a", 7).await.unwrap().checkpoint.as_deref(), Some("7"));
        }

        async fn jobs_are_listed_the_last_one_first_and_forgotten_when_they_were_over_for_long(store: Store) {
            let tx = with(&store, &[job(1), job(2), job(3)]).await;
            let rows = tx.reader().jobs();
            let ids = |jobs: Vec<StoredJob>| jobs.into_iter().map(|job| job.id).collect::<Vec<_>>();
            let all = JobFilter::default();
            assert_eq!(ids(rows.list(&all, 2).await.unwrap()), [job(3).id, job(2).id]);
            assert_eq!(ids(rows.list(&JobFilter { before: Some(job(2).id), ..all.clone() }, 2).await.unwrap()), [job(1).id]);
            let entry = EntryId::from_parts(1, 1);
            let line = FailedItem { number: 1, item: "line 7".to_owned(), message: "no title".to_owned(), entry: None, code: None };
            let failed = FailedItem { number: 2, entry: Some(entry), code: Some("NOT_FOUND".to_owned()), ..line.clone() };
            tx.jobs().add_failed_items(job(1).id, vec![line.clone(), failed.clone()]).await.unwrap();
            tx.bulk().add(job(1).id, 0, &[entry]).await.unwrap();
            assert_eq!(rows.failed_items(job(1).id, 0, 10).await.unwrap(), [line, failed.clone()]);
            assert_eq!(rows.failed_items(job(1).id, 1, 10).await.unwrap(), [failed]);
            for n in [1, 2] {
                tx.jobs().command(&fixtures::permit(), job(n).id, JobCommand::Cancel, at(n.try_into().unwrap())).await.unwrap().unwrap();
            }
            assert_eq!(ids(rows.open(10).await.unwrap()), [job(3).id]);
            assert_eq!(ids(rows.list(&JobFilter { state: Some(JobState::Cancelled), ..all.clone() }, 9).await.unwrap()), [job(2).id, job(1).id]);
            assert_eq!(ids(rows.list(&JobFilter { kind: Some("other".to_owned()), ..all.clone() }, 9).await.unwrap()), []);
            assert_eq!(tx.jobs().prune(at(2), 10).await.unwrap(), 1);
            assert_eq!(ids(rows.list(&all, 9).await.unwrap()), [job(3).id, job(2).id]);
            assert_eq!(rows.failed_items(job(1).id, 0, 10).await.unwrap(), []);
            assert_eq!(tx.reader().bulk().next(job(1).id, 0, false).await.unwrap(), None);
        }

        async fn servers_that_ask_at_once_get_different_jobs(store: Store) {
            let jobs: Vec<_> = (1..=20).map(job).collect();
            with(&store, &jobs).await.commit().await.unwrap();
            let server = |n: usize| {
                let store = store.clone();
                tokio::spawn(async move {
                    let mut claimed = Vec::new();
                    loop {
                        let tx = store.write().await.unwrap();
                        let Some(job) = claim(&tx, &n.to_string(), 1).await else { break };
                        tx.commit().await.unwrap();
                        claimed.push(job.id);
                    }
                    claimed
                })
            };
            let mut claimed = Vec::new();
            for server in (0..4).map(server).collect::<Vec<_>>() {
                claimed.extend(server.await.unwrap());
            }
            claimed.sort();
            assert_eq!(claimed, jobs.iter().map(|job| job.id).collect::<Vec<_>>());
        }
    }
}
