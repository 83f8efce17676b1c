//! How the background tasks are doing.

use cms_domain::time::Timestamp;
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, time_value},
};

/// How a task is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskState {
    /// Its name.
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
    /// The server that ran it last.
    pub node: Option<String>,
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

    /// Every task that ever began, by name.
    pub async fn all(self) -> Result<Vec<TaskState>, Error> {
        const ALL: &str = "SELECT name, last_started_at, last_finished_at, last_succeeded_at, last_error, attempts, node FROM task_state";
        let mut tasks = self.executor.all(ALL).await?.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        tasks.sort_by(|a, b| a.name.cmp(&b.name));
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
        const STARTED: &str = "INSERT INTO task_state (name, node, last_started_at, attempts) VALUES ($1, $2, $3, 0) \
            ON CONFLICT (name) DO UPDATE SET node = $2, last_started_at = $3";
        self.executor.execute((STARTED, [name.into(), node.into(), time_value(now)])).await?;
        Ok(())
    }

    /// Notes that a task ended well.
    pub async fn finished(self, name: &str, now: Timestamp) -> Result<(), Error> {
        const FINISHED: &str =
            "UPDATE task_state SET last_finished_at = $2, last_succeeded_at = $2, last_error = NULL, attempts = 0 WHERE name = $1";
        self.executor.execute((FINISHED, [name.into(), time_value(now)])).await?;
        Ok(())
    }

    /// Notes that a task failed.
    pub async fn failed(self, name: &str, error: &str, now: Timestamp) -> Result<(), Error> {
        const FAILED: &str = "UPDATE task_state SET last_finished_at = $2, last_error = $3, attempts = attempts + 1 WHERE name = $1";
        self.executor.execute((FAILED, [name.into(), time_value(now), error.into()])).await?;
        Ok(())
    }
}

fn read(row: &QueryResult) -> Result<TaskState, Error> {
    Ok(TaskState {
        name: row.read("name")?,
        last_started_at: row.read_optional_time("last_started_at")?,
        last_finished_at: row.read_optional_time("last_finished_at")?,
        last_succeeded_at: row.read_optional_time("last_succeeded_at")?,
        last_error: row.read("last_error")?,
        attempts: row.read("attempts")?,
        node: row.read("node")?,
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
                tx.tasks().failed("prune", "no disk", fixtures::at(n + 1)).await.unwrap();
            }
            let failed = TaskState {
                name: "prune".to_owned(),
                last_started_at: Some(fixtures::at(3)),
                last_finished_at: Some(fixtures::at(4)),
                last_succeeded_at: None,
                last_error: Some("no disk".to_owned()),
                attempts: 2,
                node: Some("a".to_owned()),
            };
            assert_eq!(tx.reader().tasks().all().await.unwrap(), std::slice::from_ref(&failed));
            tx.tasks().finished("prune", fixtures::at(5)).await.unwrap();
            let at = Some(fixtures::at(5));
            let well = TaskState { last_finished_at: at, last_succeeded_at: at, last_error: None, attempts: 0, ..failed };
            assert_eq!(tx.reader().tasks().all().await.unwrap(), [well]);
        }
    }
}
