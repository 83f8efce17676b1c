//! The database: opening it.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DbErr, RuntimeErr, TransactionTrait,
    sqlx::{ConnectOptions as _, sqlite as driver},
};
use tempfile::TempDir;

use crate::{
    Error, Reader, Snapshot, Tx,
    executor::{Executor, Pool, Transaction},
    sqlite,
};

/// How long a statement waits for another process that writes to the same SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a caller waits for a connection before it is told that the database is busy.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a connection to PostgreSQL may be idle before it is tried out: firewalls drop idle ones silently.
const TRY_AFTER: Duration = Duration::from_secs(30);
/// How long the connection to SQLite that migrations run on is kept.
const MIGRATED: Duration = Duration::from_secs(10);
/// How many prepared statements a connection keeps. The server has about 150 that are constant; lists add some.
const STATEMENTS: usize = 400;
/// How many rows of SQLite may wait to be taken: more than a page has, so that its thread is never stopped in the middle of one.
const ROWS: usize = 256;
/// Page cache of each SQLite connection. There is no memory map: each connection would count the whole file as its own.
const CACHE: &str = "-8000";
/// How many pages SQLite's log may hold before a commit copies them into the file: 16 MB, so that a busy writer seldom waits.
const CHECKPOINT: &str = "4000";
/// Compiling a plan takes longer than any of our statements. A transaction that its server forgot, or that lost its server,
/// ends after five minutes, because it would hold back everyone who reads the outbox.
const POSTGRES_SETTINGS: [(&str, &str); 2] = [("jit", "off"), ("idle_in_transaction_session_timeout", "300000")];

/// How to open a store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// `sqlite:path`, `sqlite::memory:` for a database that goes with the store, or `postgres://user:password@host/name`.
    pub url: String,
    /// When a commit on SQLite is on disk.
    pub sqlite_synchronous: Synchronous,
    /// How many connections read from SQLite, beside the one that writes; how many PostgreSQL has in all.
    pub max_readers: u32,
}

/// When a commit on SQLite is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// Soon after: survives the end of the process at any moment; the last commits may be lost with the power.
    #[default]
    Normal,
    /// Before it is acknowledged: survives a loss of power.
    Full,
}

/// Which database it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

impl Backend {
    /// Whether write transactions run side by side, so that one can lose against another.
    pub const fn has_concurrent_writers(self) -> bool {
        matches!(self, Self::Postgres)
    }
}

/// The database. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    backend: Backend,
    readers: Pool,
    writer: Pool,
    /// What migrations run on: opened when they are, and closed a while later.
    migrations: DatabaseConnection,
    /// Where the database of `sqlite::memory:` lives; removed with the store.
    _temporary: Option<TempDir>,
}

impl Store {
    /// Opens a database. A SQLite file is made when it is missing; tables are made by [`Store::migrate`].
    pub async fn open(options: &StoreOptions) -> Result<Self, Error> {
        let inner = if options.url.starts_with("sqlite:") { sqlite(options).await? } else { postgres(options).await? };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// What migrations run on.
    pub(crate) fn migrating(&self) -> &DatabaseConnection {
        &self.inner.migrations
    }

    /// Reads, each of what is committed at its moment.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(Executor::Pool(&self.inner.readers))
    }

    /// Reads that all see the same moment.
    pub async fn snapshot(&self) -> Result<Snapshot, Error> {
        Snapshot::begin(&self.inner.readers).await
    }

    /// Begins to write. On SQLite there is one writer at a time; others wait here.
    pub async fn write(&self) -> Result<Tx, Error> {
        let transaction = match &self.inner.writer {
            Pool::Sqlite(pool) => Transaction::Sqlite(pool.begin("BEGIN IMMEDIATE").await?),
            Pool::Postgres(pool) => Transaction::Postgres(pool.begin().await?),
        };
        Ok(Tx::new(transaction))
    }

    /// Which database it is.
    pub fn backend(&self) -> Backend {
        self.inner.backend
    }

    /// Ends all connections, once what they do is done.
    pub async fn close(&self) {
        // Readers go first, so that the last connection to a SQLite file is one that may tidy its log.
        let pools = [
            self.inner.migrations.close_by_ref().await.map_err(Error::from),
            self.inner.readers.close().await,
            self.inner.writer.close().await,
        ];
        for error in pools.into_iter().filter_map(Result::err) {
            tracing::warn!(%error, "a database connection did not close");
        }
    }
}

async fn sqlite(options: &StoreOptions) -> Result<Inner, Error> {
    let (url, temporary) = if options.url == "sqlite::memory:" {
        let folder = tempfile::tempdir().map_err(Error::backend)?;
        (format!("sqlite:{}", folder.path().join("memory.db").display()), Some(folder))
    } else {
        (options.url.clone(), None)
    };
    let synchronous = match options.sqlite_synchronous {
        Synchronous::Normal => driver::SqliteSynchronous::Normal,
        Synchronous::Full => driver::SqliteSynchronous::Full,
    };
    let common = url.parse::<driver::SqliteConnectOptions>().map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
    let common = common
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .statement_cache_capacity(STATEMENTS)
        .row_buffer_size(ROWS)
        .pragma("cache_size", CACHE)
        .disable_statement_logging();
    // The writer goes first: it makes the file and turns the log on, which readers may not.
    let writing = common
        .clone()
        .create_if_missing(true)
        .journal_mode(driver::SqliteJournalMode::Wal)
        .synchronous(synchronous)
        .pragma("wal_autocheckpoint", CHECKPOINT);
    let migrations = driver::SqlitePoolOptions::new().max_connections(1).idle_timeout(MIGRATED).connect_lazy_with(writing.clone());
    let writer = sqlite::Pool::open(writing, 1, ACQUIRE_TIMEOUT).await?;
    let max_readers = usize::try_from(options.max_readers.max(1)).unwrap_or(usize::MAX);
    let readers = sqlite::Pool::open(common.pragma("query_only", "ON"), max_readers, ACQUIRE_TIMEOUT).await?;
    Ok(Inner {
        backend: Backend::Sqlite,
        readers: Pool::Sqlite(Arc::new(readers)),
        writer: Pool::Sqlite(Arc::new(writer)),
        migrations: migrations.into(),
        _temporary: temporary,
    })
}

async fn postgres(options: &StoreOptions) -> Result<Inner, Error> {
    let mut connect = ConnectOptions::new(&options.url);
    connect
        .max_connections(options.max_readers.max(2))
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire_if_idle_for(TRY_AFTER)
        .sqlx_logging(false)
        .record_stmt_in_spans(false)
        .map_sqlx_postgres_opts(|options| options.statement_cache_capacity(STATEMENTS).options(POSTGRES_SETTINGS));
    let migrations = Database::connect(connect).await?;
    let pool = Pool::Postgres(migrations.clone());
    Ok(Inner { backend: Backend::Postgres, readers: pool.clone(), writer: pool, migrations, _temporary: None })
}
