//! The database: opening it.

use std::{sync::Arc, time::Duration};

use sea_orm::{
    DatabaseConnection, DbErr, RuntimeErr,
    sqlx::{ConnectOptions as _, sqlite as driver},
};
use tempfile::TempDir;

use crate::{
    Error, Reader, Snapshot, Tx,
    executor::{Executor, Pool, Transaction},
    postgres::{self, Announcements, Listener},
    sqlite,
};

/// How long a statement waits for another process that writes to the same SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a caller waits for a connection before it is told that the database is busy.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long the connection that migrations run on is kept.
pub(crate) const MIGRATED: Duration = Duration::from_secs(10);
/// How many prepared statements a connection keeps. The server has about 150 that are constant; lists add some.
pub(crate) const STATEMENTS: usize = 400;
/// How many rows of SQLite may wait to be taken: more than a page has, so that its thread is never stopped in the middle of one.
const ROWS: usize = 256;
/// Page cache of each SQLite connection. There is no memory map: each connection would count the whole file as its own.
const CACHE: &str = "-8000";
/// How many pages SQLite's log may hold before a commit copies them into the file: 16 MB, so that a busy writer seldom waits.
const CHECKPOINT: &str = "4000";
/// How many connections the tasks have for themselves: more than ever work at once for long.
pub(crate) const BACKGROUND: usize = 4;
/// How many connections there are for short looks, of the health check and of who watches: one that waits for a table holds up the other.
pub(crate) const WATCH: usize = 2;
/// How many connections the follower has: what others withdrew is to be known whatever else goes on.
pub(crate) const FOLLOWER: usize = 1;

/// How to open a store.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// `sqlite:path`, `sqlite::memory:` for a database that goes with the store, or `postgres://user:password@host/name`, for which
    /// the crate has the feature `postgres`.
    pub url: String,
    /// When a commit on SQLite is on disk.
    pub sqlite_synchronous: Synchronous,
    /// How many connections read for requests.
    pub max_readers: u32,
    /// How many connections write to PostgreSQL for requests; SQLite has one. Besides, the background has eight of its own.
    pub max_writers: u32,
    /// Whether a pooler in transaction mode, such as PgBouncer, stands before PostgreSQL. Then nothing is prepared, and other
    /// servers are heard a little later.
    pub transaction_pooling: bool,
}

impl StoreOptions {
    /// The options that suit most: eight connections that read, and eight that write.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), sqlite_synchronous: Synchronous::Normal, max_readers: 8, max_writers: 8, transaction_pooling: false }
    }
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
    purpose: Use,
}

/// Who uses the store: each has connections that the others do not wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Requests,
    Background,
    Watch,
    Follower,
}

/// How many connections of a kind are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolLoad {
    /// How many are in use.
    pub used: usize,
    /// How many there may be.
    pub size: usize,
    /// How many callers wait for one.
    pub waiting: usize,
}

impl From<deadpool::Status> for PoolLoad {
    fn from(status: deadpool::Status) -> Self {
        Self { used: status.size.saturating_sub(status.available), size: status.max_size, waiting: status.waiting }
    }
}

pub(crate) struct Inner {
    pub(crate) backend: Backend,
    pub(crate) readers: Pool,
    pub(crate) writer: Pool,
    /// Reads beside requests; on PostgreSQL it writes too.
    pub(crate) background: Pool,
    /// Looks whether the database answers, and how its tables and tasks are.
    pub(crate) watch: Pool,
    /// Reads what others did.
    pub(crate) follower: Pool,
    /// Where to hear what other servers announce; none where nothing is announced.
    pub(crate) announcements: Option<Announcements>,
    /// What migrations run on: opened when they are, and closed a while later.
    pub(crate) migrations: DatabaseConnection,
    /// Where the database of `sqlite::memory:` lives; removed with the store.
    pub(crate) _temporary: Option<TempDir>,
}

impl Store {
    /// Opens a database. A SQLite file is made when it is missing; tables are made by [`Store::migrate`].
    pub async fn open(options: &StoreOptions) -> Result<Self, Error> {
        let inner = if options.url.starts_with("sqlite:") { sqlite(options).await? } else { postgres::open(options).await? };
        Ok(Self { inner: Arc::new(inner), purpose: Use::Requests })
    }

    /// What migrations run on.
    pub(crate) fn migrating(&self) -> &DatabaseConnection {
        &self.inner.migrations
    }

    /// The same database for what goes on beside requests: it waits for no connection that a request uses.
    #[must_use]
    pub fn in_background(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), purpose: Use::Background }
    }

    /// The same database for short looks that must not wait for requests: whether it answers, and how its tables and tasks are.
    #[must_use]
    pub fn on_watch(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), purpose: Use::Watch }
    }

    /// The same database for whoever follows what others did, and waits for nobody.
    #[must_use]
    pub fn following(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), purpose: Use::Follower }
    }

    fn reading(&self) -> &Pool {
        match self.purpose {
            Use::Requests => &self.inner.readers,
            Use::Background => &self.inner.background,
            Use::Watch => &self.inner.watch,
            Use::Follower => &self.inner.follower,
        }
    }

    /// Reads, each of what is committed at its moment.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(Executor::Pool(self.reading()))
    }

    /// Reads that all see the same moment.
    pub async fn snapshot(&self) -> Result<Snapshot, Error> {
        Snapshot::begin(self.reading()).await
    }

    /// Begins to write. On SQLite there is one writer at a time; others wait here, and requests that wait commit together with those before
    /// them. What goes on in the background commits alone.
    pub async fn write(&self) -> Result<Tx, Error> {
        let purpose = if self.purpose == Use::Requests { sqlite::Purpose::Write } else { sqlite::Purpose::WriteAlone };
        let has_its_own = self.purpose != Use::Requests && self.backend() == Backend::Postgres;
        let transaction = match if has_its_own { self.reading() } else { &self.inner.writer } {
            Pool::Sqlite(pool) => Transaction::Sqlite(pool.begin(purpose).await?),
            Pool::Postgres(pool) => Transaction::Postgres(Box::pin(pool.begin()).await?),
        };
        Ok(Tx::new(transaction))
    }

    /// Which database it is.
    pub fn backend(&self) -> Backend {
        self.inner.backend
    }

    /// The kinds of connections, and how many of each are in use.
    pub fn load(&self) -> [(&'static str, PoolLoad); 5] {
        let Inner { readers, writer, background, watch, follower, .. } = &*self.inner;
        [("read", readers), ("write", writer), ("background", background), ("watch", watch), ("follower", follower)]
            .map(|(name, pool)| (name, pool.load()))
    }

    /// Tells other servers on the same database that something happened, in the name of this one. None is told on SQLite.
    pub async fn announce(&self, who: &str) -> Result<(), Error> {
        match (&self.inner.watch, &self.inner.announcements) {
            (Pool::Postgres(pool), Some(_)) => Box::pin(pool.announce(who)).await,
            _ => Ok(()),
        }
    }

    /// Listens to what other servers announce; none where nothing is announced.
    pub async fn listen(&self) -> Result<Option<Listener>, Error> {
        match &self.inner.announcements {
            Some(announcements) => Box::pin(announcements.listen()).await.map(Some),
            None => Ok(None),
        }
    }

    /// Ends all connections, once what they do is done.
    pub async fn close(&self) {
        // Readers go first, so that the last connection to a SQLite file is one that may tidy its log.
        let pools = [
            self.inner.migrations.close_by_ref().await.map_err(Error::from),
            self.inner.readers.close().await,
            self.inner.background.close().await,
            self.inner.watch.close().await,
            self.inner.follower.close().await,
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
    let common = common.pragma("query_only", "ON");
    let background = sqlite::Pool::open(common.clone(), BACKGROUND, ACQUIRE_TIMEOUT).await?;
    let watch = sqlite::Pool::open(common.clone(), WATCH, ACQUIRE_TIMEOUT).await?;
    let follower = sqlite::Pool::open(common.clone(), FOLLOWER, ACQUIRE_TIMEOUT).await?;
    let readers = sqlite::Pool::open(common, max_readers, ACQUIRE_TIMEOUT).await?;
    Ok(Inner {
        backend: Backend::Sqlite,
        readers: Pool::Sqlite(Arc::new(readers)),
        writer: Pool::Sqlite(Arc::new(writer)),
        background: Pool::Sqlite(Arc::new(background)),
        watch: Pool::Sqlite(Arc::new(watch)),
        follower: Pool::Sqlite(Arc::new(follower)),
        announcements: None,
        migrations: migrations.into(),
        _temporary: temporary,
    })
}
