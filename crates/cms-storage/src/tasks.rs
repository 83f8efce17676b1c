//! How the background tasks of each server are doing.

use cms_domain::time::Timestamp;
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, time_value},
};

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

impl<'a> TaskReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The tasks of all servers of which something was heard, by name and server.
    pub async fn all(self) -> Result<Vec<TaskState>, Error> {
        const ALL: &str = "SELECT node, name, last_started_at, last_finished_at, last_succeeded_at, last_error, attempts FROM node_tasks";
        let mut tasks = self.executor.all(ALL).await?.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        tasks.sort_by(|a, b| (&a.name, &a.node).cmp(&(&b.name, &b.node)));
        Ok(tasks)
    }
}

/// Writes the state of tasks.
#[derive(Clone, Copy)]
pub struct TaskWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> TaskWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Notes that a task begins on a server.
    pub async fn started(self, name: &str, node: &str, now: Timestamp) -> Result<(), Error> {
        const STARTED: &str = "INSERT INTO node_tasks (node, name, last_started_at, attempts) VALUES ($2, $1, $3, 0) \
            ON CONFLICT (node, name) DO UPDATE SET last_started_at = $3";
        self.executor.execute((STARTED, [name.into(), node.into(), time_value(now)])).await?;
        Ok(())
    }

    /// Notes that a task ended well.
    pub async fn finished(self, name: &str, node: &str, now: Timestamp) -> Result<(), Error> {
        const FINISHED: &str = "UPDATE node_tasks SET last_finished_at = $3, last_succeeded_at = $3, last_error = NULL, attempts = 0 \
            WHERE name = $1 AND node = $2";
        self.executor.execute((FINISHED, [name.into(), node.into(), time_value(now)])).await?;
        Ok(())
    }

    /// Notes that a task failed.
    pub async fn failed(self, name: &str, node: &str, error: &str, now: Timestamp) -> Result<(), Error> {
        const FAILED: &str =
            "UPDATE node_tasks SET last_finished_at = $3, last_error = $4, attempts = attempts + 1 WHERE name = $1 AND node = $2";
        self.executor.execute((FAILED, [name.into(), node.into(), time_value(now), error.into()])).await?;
        Ok(())
    }

    /// Forgets the tasks of a server that stops.
    pub async fn stopped(self, node: &str) -> Result<(), Error> {
        self.executor.execute(("DELETE FROM node_tasks WHERE node = $1", [node.into()])).await?;
        Ok(())
    }

    /// Forgets up to `limit` tasks of servers of which nothing was heard since, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "node_tasks", "last_started_at < $1", vec![time_value(before)], limit).await
    }
}

fn read(row: &QueryResult) -> Result<TaskState, Error> {
    Ok(TaskState {
        node: row.read("node")?,
        name: row.read("name")?,
        last_started_at: row.read_optional_time("last_started_at")?,
        last_finished_at: row.read_optional_time("last_finished_at")?,
        last_succeeded_at: row.read_optional_time("last_succeeded_at")?,
        last_error: row.read("last_error")?,
        attempts: row.read("attempts")?,
    })
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
