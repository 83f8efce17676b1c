//! How the background tasks of each server are doing.

use cms_domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set, UpdateMany,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, column::Stored, executor::Executor, expiry, row::time_value};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "node_tasks")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) node: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) name: String,
        pub(super) last_started_at: Stored<Timestamp>,
        pub(super) last_finished_at: Option<Stored<Timestamp>>,
        pub(super) last_succeeded_at: Option<Stored<Timestamp>>,
        pub(super) last_error: Option<String>,
        pub(super) attempts: i32,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// How a task of a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskState {
    /// The server: named anew whenever it starts.
    pub node: String,
    /// The task's name.
    pub name: String,
    /// When it last began.
    pub last_started_at: Option<Timestamp>,
    /// When it last ended, well or not.
    pub last_finished_at: Option<Timestamp>,
    /// When it last ended well.
    pub last_succeeded_at: Option<Timestamp>,
    /// Why it last failed; none once it has ended well again.
    pub last_error: Option<String>,
    /// How many times in a row it failed.
    pub attempts: i32,
}

/// Reads the state of tasks.
#[derive(Clone, Copy)]
pub struct TaskReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Background tasks.
    pub fn tasks(self) -> TaskReader<'a> {
        TaskReader::new(self.executor())
    }
}

impl<'a> TaskReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The tasks of all servers of which something was heard, by name and server.
    pub async fn all(self) -> Result<Vec<TaskState>, Error> {
        self.executor.list(Entity::find().order_by_asc(Column::Name).order_by_asc(Column::Node)).await
    }
}

/// Writes the state of tasks.
#[derive(Clone, Copy)]
pub struct TaskWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Background tasks.
    pub fn tasks(&self) -> TaskWriter<'_> {
        TaskWriter::new(self.executor())
    }
}

impl<'a> TaskWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Notes that a task begins on a server.
    pub async fn started(self, name: &str, node: &str, now: Timestamp) -> Result<(), Error> {
        let task = ActiveModel {
            node: Set(node.to_owned()),
            name: Set(name.to_owned()),
            last_started_at: Set(Stored(now)),
            attempts: Set(0),
            ..ActiveModel::default()
        };
        let again = OnConflict::columns([Column::Node, Column::Name]).update_column(Column::LastStartedAt).to_owned();
        Entity::insert(task).on_conflict(again).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Notes that a task ended well.
    pub async fn finished(self, name: &str, node: &str, now: Timestamp) -> Result<(), Error> {
        let well = ActiveModel {
            last_finished_at: Set(Some(Stored(now))),
            last_succeeded_at: Set(Some(Stored(now))),
            last_error: Set(None),
            attempts: Set(0),
            ..ActiveModel::default()
        };
        task(name, node).set(well).exec(&self.executor).await?;
        Ok(())
    }

    /// Notes that a task failed.
    pub async fn failed(self, name: &str, node: &str, error: &str, now: Timestamp) -> Result<(), Error> {
        let failed =
            ActiveModel { last_finished_at: Set(Some(Stored(now))), last_error: Set(Some(error.to_owned())), ..ActiveModel::default() };
        let once_more = Expr::col(Column::Attempts).add(1);
        task(name, node).set(failed).col_expr(Column::Attempts, once_more).exec(&self.executor).await?;
        Ok(())
    }

    /// Forgets the tasks of a server that stops.
    pub async fn stopped(self, node: &str) -> Result<(), Error> {
        Entity::delete_many().filter(Column::Node.eq(node)).exec(&self.executor).await?;
        Ok(())
    }

    /// Forgets up to `limit` tasks of servers of which nothing was heard since, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "node_tasks", "last_started_at < $1", vec![time_value(before)], limit).await
    }
}

/// Changes a task of a server.
fn task(name: &str, node: &str) -> UpdateMany<Entity> {
    Entity::update_many().filter(Column::Name.eq(name)).filter(Column::Node.eq(node))
}

impl From<entity::Model> for TaskState {
    fn from(row: entity::Model) -> Self {
        Self {
            node: row.node,
            name: row.name,
            last_started_at: Some(row.last_started_at.0),
            last_finished_at: row.last_finished_at.map(|at| at.0),
            last_succeeded_at: row.last_succeeded_at.map(|at| at.0),
            last_error: row.last_error,
            attempts: row.attempts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    both! {
        async fn a_task_that_fails_is_counted_until_it_ends_well(store: Store) {
            let tx = store.write().await.unwrap();
            for n in [1, 3] {
                tx.tasks().started("prune", "a", fixtures::at(n)).await.unwrap();
                tx.tasks().failed("prune", "a", "no disk", fixtures::at(n + 1)).await.unwrap();
            }
            tx.tasks().started("prune", "b", fixtures::at(4)).await.unwrap();
            tx.tasks().finished("prune", "b", fixtures::at(4)).await.unwrap();
            let failed = TaskState {
                node: "a".to_owned(),
                name: "prune".to_owned(),
                last_started_at: Some(fixtures::at(3)),
                last_finished_at: Some(fixtures::at(4)),
                last_succeeded_at: None,
                last_error: Some("no disk".to_owned()),
                attempts: 2,
            };
            let states = tx.reader().tasks().all().await.unwrap();
            assert_eq!(states.iter().map(|state| (state.node.as_str(), state.attempts)).collect::<Vec<_>>(), [("a", 2), ("b", 0)]);
            assert_eq!(states[0], failed, "a server that is well does not speak for one that is not");
            tx.tasks().stopped("b").await.unwrap();
            tx.tasks().finished("prune", "a", fixtures::at(5)).await.unwrap();
            let at = Some(fixtures::at(5));
            let well = TaskState { last_finished_at: at, last_succeeded_at: at, last_error: None, attempts: 0, ..failed };
            assert_eq!(tx.reader().tasks().all().await.unwrap(), [well]);
        }

        async fn a_server_that_is_not_heard_of_is_forgotten_and_no_other(store: Store) {
            let tx = store.write().await.unwrap();
            for (node, at) in [("killed", 1), ("running", 2)] {
                tx.tasks().started("prune", node, fixtures::at(at)).await.unwrap();
            }
            assert_eq!(tx.tasks().prune(fixtures::at(2), 10).await.unwrap(), 1);
            let left = tx.reader().tasks().all().await.unwrap();
            assert_eq!(left.iter().map(|task| task.node.as_str()).collect::<Vec<_>>(), ["running"]);
        }
    }
}
