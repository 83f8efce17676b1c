//! Connections to a SQLite file.
//!
//! SQLite runs in a thread of its own for each connection, and each way there and back costs more than most statements do. sqlx's pool
//! goes there once more whenever a connection comes back, to ask whether it is alive; its transactions go there to begin and to
//! end, and wait for each other twice. A connection inside of this process has no way to die, so these are pooled without a question,
//! and a transaction begins and ends along with its first and its last statement. Transactions that wait for each other commit together, which
//! `line.rs` does. `docs/benchmarks.md` has what that saves.

use std::{mem, time::Duration};

use sea_orm::{
    ExecResult, QueryResult, Statement, Values,
    sqlx::{
        self, AssertSqlSafe, ConnectOptions, Connection, Sqlite,
        sqlite::{SqliteConnectOptions, SqliteConnection},
    },
};
use sea_query_sqlx::SqlxValues;
use tokio::{runtime::Handle, sync::Mutex};

use crate::Error;

mod line;
#[cfg(test)]
mod tests;

use line::{BEGIN_PART, Lease, Line, Part};

/// Connections that are made when they are first needed, and kept.
pub(crate) struct Pool {
    options: SqliteConnectOptions,
    line: Line,
}

/// What a transaction is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To read what is there at one moment.
    Read,
    /// To write, and to commit together with others who wait.
    Write,
    /// To write and commit apart from others, because it may take long.
    WriteAlone,
}

impl Pool {
    /// At most `size` connections, and callers who wait for one at most so long. The first is made at once, and says whether the file
    /// can be used.
    pub(crate) async fn open(options: SqliteConnectOptions, size: usize, wait: Duration) -> Result<Self, Error> {
        let pool = Self { options, line: Line::new(size, wait) };
        drop(pool.get().await?);
        Ok(pool)
    }

    /// A connection that nobody else uses.
    async fn get(&self) -> Result<Lease, Error> {
        if let Some(free) = self.line.free() {
            return Ok(free);
        }
        if self.line.has_room() {
            self.line.add(self.options.connect().await?);
        }
        self.line.next().await
    }

    /// Begins a transaction.
    pub(crate) async fn begin(&self, purpose: Purpose) -> Result<Transaction, Error> {
        let mut lease = self.get().await?;
        if purpose == Purpose::WriteAlone {
            lease = lease.settled().await?;
        }
        let joined = lease.has_group();
        Ok(Transaction { purpose, open: Mutex::new(Open { part: Some(Part { lease, joined }), stage: Stage::Before }) })
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<ExecResult, Error> {
        self.run(statement, execute).await
    }

    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<QueryResult>, Error> {
        self.run(statement, one).await
    }

    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<QueryResult>, Error> {
        self.run(statement, all).await
    }

    async fn run<T>(
        &self,
        statement: Statement,
        run: impl AsyncFnOnce(&mut SqliteConnection, Statement) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut asked = Asked(Some(self.get().await?));
        let connection = asked.0.as_mut().ok_or_else(|| Error::backend("no connection"))?;
        let result = run(connection, statement).await;
        drop(asked.0.take());
        result
    }

    /// How many connections are in use, how many there may be, and how many callers wait for one.
    pub(crate) fn load(&self) -> crate::PoolLoad {
        self.line.load()
    }

    /// Ends the connections, each once what it does is done.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        while self.line.size() > 0 {
            let connection = self.line.next().await?.settled().await?.discard();
            connection.close().await.map_err(Error::backend)?;
        }
        self.line.close();
        Ok(())
    }
}

/// A connection that was asked something.
struct Asked(Option<Lease>);

impl Drop for Asked {
    fn drop(&mut self) {
        // Nobody waits for the answer any more, and SQLite may be long about it.
        if let Some(lease) = self.0.take() {
            give_back(lease, "SELECT 1");
        }
    }
}

/// Has SQLite finish what it does, and a last statement, before the connection goes back to the others.
fn give_back(mut lease: Lease, last: &'static str) {
    match Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(async move {
            if let Err(error) = execute(&mut lease, text(last)).await {
                tracing::debug!(%error, last, "the last statement of a connection failed");
            }
        })),
        // Closing the connection ends everything.
        Err(_) => drop(lease.discard()),
    }
}

/// A transaction. Dropped without a commit, it never happened.
pub(crate) struct Transaction {
    purpose: Purpose,
    open: Mutex<Open>,
}

struct Open {
    /// Gone once the transaction is.
    part: Option<Part>,
    stage: Stage,
}

/// How far a transaction is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent.
    Before,
    /// Begun.
    Begun,
    /// A statement is on its way; or it failed, and may have ended the transaction; or nobody waited for its answer.
    Unclear,
    /// Committed.
    Done,
}

impl Transaction {
    pub(crate) async fn execute(&self, statement: Statement) -> Result<ExecResult, Error> {
        let mut open = self.open.lock().await;
        if open.stage == Stage::Before {
            // Alone: SQLite counts the rows of the statement before for a statement that changes none.
            let begin = text(self.begin(&open));
            open.run(begin, execute).await?;
        }
        open.run(statement, execute).await
    }

    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<QueryResult>, Error> {
        let mut open = self.open.lock().await;
        let statement = self.beginning(&open, statement);
        open.run(statement, one).await
    }

    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<QueryResult>, Error> {
        let mut open = self.open.lock().await;
        let statement = self.beginning(&open, statement);
        open.run(statement, all).await
    }

    fn begin(&self, open: &Open) -> &'static str {
        match self.purpose {
            Purpose::Read => "BEGIN",
            _ if open.part.as_ref().is_some_and(|part| part.joined) => BEGIN_PART,
            _ => "BEGIN IMMEDIATE",
        }
    }

    /// A statement, behind the beginning if nothing was sent yet.
    fn beginning(&self, open: &Open, mut statement: Statement) -> Statement {
        if open.stage == Stage::Before {
            statement.sql = format!("{};\n{}", self.begin(open), statement.sql);
        }
        statement
    }

    /// Runs a last statement, if there is one, and makes everything last.
    pub(crate) async fn commit(&self, last: Option<Statement>) -> Result<(), Error> {
        let mut open = self.open.lock().await;
        if open.stage == Stage::Before && last.is_none() {
            return Ok(());
        }
        let last = last.map(|last| self.beginning(&open, last));
        let part = open.part.as_ref().ok_or_else(over)?;
        let leaves = self.purpose == Purpose::Write && part.lease.may_wait_for_others();
        if leaves || part.joined {
            let part = open.take()?;
            drop(open);
            return part.end(last, leaves).await;
        }
        open.run(followed(last, "COMMIT"), execute).await?;
        open.stage = Stage::Done;
        Ok(())
    }
}

/// A last statement, if there is one, and what goes along behind it.
fn followed(last: Option<Statement>, end: &'static str) -> Statement {
    match last {
        Some(mut last) => {
            last.sql.push_str(";\n");
            last.sql.push_str(end);
            last
        }
        None => text(end),
    }
}

impl Open {
    /// Runs a statement that may have the beginning in front of it. Nothing follows a failure that SQLite may have answered with a
    /// rollback: it would run outside of the transaction.
    async fn run<T>(
        &mut self,
        statement: Statement,
        run: impl AsyncFnOnce(&mut SqliteConnection, Statement) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let part = self.part.as_mut().ok_or_else(over)?;
        let before = mem::replace(&mut self.stage, Stage::Unclear);
        if matches!(before, Stage::Unclear | Stage::Done) {
            return Err(over());
        }
        let result = run(&mut part.lease, statement).await;
        if matches!((&result, before), (Ok(_), _) | (Err(Error::Conflict(_)), Stage::Begun)) {
            self.stage = Stage::Begun;
        }
        result
    }

    /// What is to end, unless that is unclear.
    fn take(&mut self) -> Result<Part, Error> {
        if matches!(self.stage, Stage::Unclear | Stage::Done) {
            return Err(over());
        }
        let part = self.part.take().ok_or_else(over)?;
        self.stage = Stage::Done;
        Ok(part)
    }
}

fn over() -> Error {
    Error::backend("the transaction is over")
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Open { part, stage } = self.open.get_mut();
        if matches!(stage, Stage::Before | Stage::Done) {
            return;
        }
        if let Some(part) = part.take() {
            part.abandon();
        }
    }
}

fn text(sql: &str) -> Statement {
    Statement::from_string(sea_orm::DbBackend::Sqlite, sql)
}

fn query(statement: Statement) -> sqlx::query::Query<'static, Sqlite, SqlxValues> {
    let values = statement.values.unwrap_or_else(|| Values(Vec::new()));
    sqlx::query_with(AssertSqlSafe(statement.sql), SqlxValues(values))
}

async fn execute(connection: &mut SqliteConnection, statement: Statement) -> Result<ExecResult, Error> {
    Ok(query(statement).execute(connection).await?.into())
}

async fn one(connection: &mut SqliteConnection, statement: Statement) -> Result<Option<QueryResult>, Error> {
    let row = query(statement).fetch_optional(connection).await?;
    Ok(row.map(QueryResult::from))
}

async fn all(connection: &mut SqliteConnection, statement: Statement) -> Result<Vec<QueryResult>, Error> {
    let rows = query(statement).fetch_all(connection).await?;
    Ok(rows.into_iter().map(QueryResult::from).collect())
}
