//! Connections to a SQLite file.
//!
//! SQLite runs in a thread of its own for each connection, and each way there and back costs more than most statements do. sqlx's pool
//! goes there once more whenever a connection comes back, to ask whether it is alive; its transactions go there to begin and to
//! end, and wait for each other twice. A connection inside of this process has no way to die, so these are pooled without a question,
//! and a transaction begins and ends along with its first and its last statement. `docs/benchmarks.md` has what that saves.

use std::{mem, time::Duration};

use deadpool::{
    Runtime,
    unmanaged::{self, Object, PoolConfig, PoolError},
};
use sea_orm::{
    QueryResult, Statement, Values,
    sqlx::{
        self, AssertSqlSafe, ConnectOptions, Connection, Sqlite,
        sqlite::{SqliteConnectOptions, SqliteConnection},
    },
};
use sea_query_sqlx::SqlxValues;
use tokio::{runtime::Handle, sync::Mutex};

use crate::Error;

/// Connections that are made when they are first needed, and kept.
pub(crate) struct Pool {
    options: SqliteConnectOptions,
    connections: unmanaged::Pool<SqliteConnection>,
}

impl Pool {
    /// At most `size` connections, and callers who wait for one at most so long. The first is made at once, and says whether the file
    /// can be used.
    pub(crate) async fn open(options: SqliteConnectOptions, size: usize, wait: Duration) -> Result<Self, Error> {
        let config = PoolConfig { max_size: size, timeout: Some(wait), runtime: Some(Runtime::Tokio1) };
        let pool = Self { options, connections: unmanaged::Pool::from_config(&config) };
        drop(pool.get().await?);
        Ok(pool)
    }

    /// A connection that nobody else uses.
    async fn get(&self) -> Result<Object<SqliteConnection>, Error> {
        if let Ok(free) = self.connections.try_get() {
            return Ok(free);
        }
        let status = self.connections.status();
        if status.size < status.max_size {
            let another = self.options.connect().await?;
            // Others may have made the last ones meanwhile; then this one is not needed.
            drop(self.connections.try_add(another));
        }
        self.connections.get().await.map_err(|error| match error {
            PoolError::Timeout => Error::Waited,
            error => Error::backend(error),
        })
    }

    /// Begins a transaction: `BEGIN` or `BEGIN IMMEDIATE`.
    pub(crate) async fn begin(&self, begin: &'static str) -> Result<Transaction, Error> {
        let connection = Some(self.get().await?);
        Ok(Transaction { begin, open: Mutex::new(Open { connection, stage: Stage::Before }) })
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<u64, Error> {
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
        let mut lease = Lease(Some(self.get().await?));
        let connection = lease.0.as_mut().ok_or_else(|| Error::backend("no connection"))?;
        let result = run(connection, statement).await;
        drop(lease.0.take());
        result
    }

    /// How many connections are in use, how many there may be, and how many callers wait for one.
    pub(crate) fn load(&self) -> crate::PoolLoad {
        self.connections.status().into()
    }

    /// Ends the connections, each once what it does is done.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        while self.connections.status().size > 0 {
            let connection = self.connections.remove().await.map_err(Error::backend)?;
            connection.close().await.map_err(Error::backend)?;
        }
        self.connections.close();
        Ok(())
    }
}

/// A connection in use.
struct Lease(Option<Object<SqliteConnection>>);

impl Drop for Lease {
    fn drop(&mut self) {
        // Nobody waits for the answer any more, and SQLite may be long about it.
        if let Some(connection) = self.0.take() {
            give_back(connection, "SELECT 1");
        }
    }
}

/// Has SQLite finish what it does, and a last statement, before the connection goes back to the others.
fn give_back(mut connection: Object<SqliteConnection>, last: &'static str) {
    match Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(async move {
            if let Err(error) = execute(&mut connection, text(last)).await {
                tracing::debug!(%error, last, "the last statement of a connection failed");
            }
        })),
        // Closing the connection ends everything.
        Err(_) => drop(Object::take(connection)),
    }
}

/// A transaction. Dropped without a commit, it never happened.
pub(crate) struct Transaction {
    begin: &'static str,
    open: Mutex<Open>,
}

struct Open {
    /// Gone once the transaction is.
    connection: Option<Object<SqliteConnection>>,
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
    pub(crate) async fn execute(&self, statement: Statement) -> Result<u64, Error> {
        let mut open = self.open.lock().await;
        if open.stage == Stage::Before {
            // Alone: SQLite counts the rows of the statement before for a statement that changes none.
            open.run(text(self.begin), execute).await?;
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

    /// A statement, behind the beginning if nothing was sent yet.
    fn beginning(&self, open: &Open, mut statement: Statement) -> Statement {
        if open.stage == Stage::Before {
            statement.sql = format!("{};\n{}", self.begin, statement.sql);
        }
        statement
    }

    /// Runs a last statement, if there is one, and makes everything last.
    pub(crate) async fn commit(&self, last: Option<Statement>) -> Result<(), Error> {
        let mut open = self.open.lock().await;
        let end = match last {
            Some(last) => {
                let mut end = self.beginning(&open, last);
                end.sql.push_str(";\nCOMMIT");
                end
            }
            None if open.stage == Stage::Before => return Ok(()),
            None => text("COMMIT"),
        };
        open.run(end, execute).await?;
        open.stage = Stage::Done;
        Ok(())
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
        let over = || Error::backend("the transaction is over");
        let connection = self.connection.as_mut().ok_or_else(over)?;
        let before = mem::replace(&mut self.stage, Stage::Unclear);
        if matches!(before, Stage::Unclear | Stage::Done) {
            return Err(over());
        }
        let result = run(connection, statement).await;
        if matches!((&result, before), (Ok(_), _) | (Err(Error::Conflict(_)), Stage::Begun)) {
            self.stage = Stage::Begun;
        }
        result
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Open { connection, stage } = self.open.get_mut();
        if matches!(stage, Stage::Before | Stage::Done) {
            return;
        }
        if let Some(connection) = connection.take() {
            // Fails if the transaction had not begun, or if SQLite had rolled it back itself.
            give_back(connection, "ROLLBACK");
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

async fn execute(connection: &mut SqliteConnection, statement: Statement) -> Result<u64, Error> {
    Ok(query(statement).execute(connection).await?.rows_affected())
}

async fn one(connection: &mut SqliteConnection, statement: Statement) -> Result<Option<QueryResult>, Error> {
    let row = query(statement).fetch_optional(connection).await?;
    Ok(row.map(QueryResult::from))
}

async fn all(connection: &mut SqliteConnection, statement: Statement) -> Result<Vec<QueryResult>, Error> {
    let rows = query(statement).fetch_all(connection).await?;
    Ok(rows.into_iter().map(QueryResult::from).collect())
}

#[cfg(test)]
mod tests {
    use std::{path::Path, time::Duration};

    use tokio::time::timeout;

    use crate::{Store, StoreOptions};

    async fn open(folder: &Path) -> Store {
        let url = format!("sqlite:{}", folder.join("cms.db").display());
        let store = Store::open(&StoreOptions { max_readers: 2, ..StoreOptions::new(url) }).await.unwrap();
        store.migrate().await.unwrap();
        store
    }

    async fn set(store: &Store, name: &str) {
        let tx = store.write().await.unwrap();
        tx.settings().set(name, "1").await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn has(store: &Store, name: &str) -> bool {
        store.reader().settings().get(name).await.unwrap().is_some()
    }

    #[tokio::test]
    async fn a_writer_that_gives_up_while_another_program_writes_leaves_nothing_open() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [open(folder.path()).await, open(folder.path()).await];
        let busy = other.write().await.unwrap();
        busy.settings().set("other", "1").await.unwrap();
        let waiting = async {
            let tx = one.write().await.unwrap();
            tx.settings().set("given up", "1").await
        };
        timeout(Duration::from_millis(200), waiting).await.unwrap_err();
        busy.commit().await.unwrap();
        // Neither program keeps the other from writing afterwards.
        for store in [&one, &other, &one] {
            timeout(Duration::from_secs(5), set(store, "after")).await.unwrap();
        }
        assert!(has(&one, "other").await && has(&one, "after").await && !has(&one, "given up").await);
    }

    #[tokio::test]
    async fn a_transaction_whose_first_statement_fails_writes_nothing_more() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let tx = store.write().await.unwrap();
        tx.executor().one("SELECT nothing FROM nowhere").await.unwrap_err();
        tx.settings().set("outside", "1").await.unwrap_err();
        tx.commit().await.unwrap_err();
        assert!(!has(&store, "outside").await);
        timeout(Duration::from_secs(5), set(&store, "after")).await.unwrap();
    }

    #[tokio::test]
    async fn a_transaction_goes_on_after_a_statement_that_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let tx = store.write().await.unwrap();
        tx.settings().set("before", "1").await.unwrap();
        tx.executor().execute("INSERT INTO settings (name, value) SELECT name, value FROM settings").await.unwrap_err();
        tx.settings().set("after", "1").await.unwrap();
        tx.commit().await.unwrap();
        assert!(has(&store, "before").await && has(&store, "after").await);
    }

    #[tokio::test]
    async fn a_reader_that_gives_up_keeps_no_other_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let long = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) SELECT count(*) FROM n";
        timeout(Duration::from_millis(100), store.reader().executor().one(long)).await.unwrap_err();
        for _ in 0..4 {
            timeout(Duration::from_secs(2), has(&store, "a")).await.unwrap();
        }
    }

    #[tokio::test]
    async fn the_first_statement_counts_its_own_rows() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        set(&store, "a").await;
        let tx = store.write().await.unwrap();
        assert_eq!(tx.executor().execute("DELETE FROM settings WHERE name = 'b'").await.unwrap(), 0);
        assert_eq!(tx.executor().execute("DELETE FROM settings WHERE name = 'a'").await.unwrap(), 1);
    }

    #[tokio::test]
    async fn closing_waits_for_what_is_being_done_and_tidies_the_log() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path()).await;
        let tx = store.write().await.unwrap();
        tx.settings().set("late", "1").await.unwrap();
        let closing = tokio::spawn({
            let store = store.clone();
            async move { store.close().await }
        });
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(!closing.is_finished());
        tx.commit().await.unwrap();
        closing.await.unwrap();
        assert!(!folder.path().join("cms.db-wal").exists());
        assert!(store.write().await.is_err(), "a closed store does not open again");
        assert!(has(&open(folder.path()).await, "late").await);
    }
}
