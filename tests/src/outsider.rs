//! Somebody else at the database of a site: holds rows, cuts connections, and looks what the servers left open.

use std::{
    error::Error,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use tokio::time::sleep;
use url::Url;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How long to wait for others who write to SQLite: servers that are stopped in the middle of it, one after the other.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many connections are cut at once: some of a server's, or of several servers'.
const CUT: u32 = 4;

/// The database of a site, as somebody else than its servers reaches it.
#[derive(Debug, Clone)]
pub struct Outsider {
    url: String,
    /// What the servers call themselves at PostgreSQL.
    servers: String,
}

impl Outsider {
    pub(crate) fn new(url: String) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self { url, servers: format!("cms-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)) }
    }

    /// The address of the database under which servers are known to this one.
    ///
    /// # Errors
    /// When the address of the database is none.
    pub fn servers_url(&self) -> Result<String> {
        let mut url = Url::parse(&self.url)?;
        if url.scheme() != "sqlite" {
            url.query_pairs_mut().append_pair("application_name", &self.servers);
        }
        Ok(url.into())
    }

    /// One connection: what is begun on it is ended on it.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn connect(&self) -> Result<DatabaseConnection> {
        let mut options = ConnectOptions::new(&self.url);
        options.max_connections(1).sqlx_logging(false);
        let connection = Database::connect(options).await?;
        if self.url.starts_with("sqlite:") {
            connection.execute_unprepared(&format!("PRAGMA busy_timeout = {}", PATIENCE.as_millis())).await?;
        }
        Ok(connection)
    }

    /// Does a statement.
    ///
    /// # Errors
    /// When the database cannot be reached, or refuses it.
    pub async fn execute(&self, statement: &str) -> Result<()> {
        let connection = self.connect().await?;
        connection.execute_unprepared(statement).await?;
        Ok(connection.close().await?)
    }

    /// Does a statement in a transaction that stays open for a while, and changes nothing.
    pub(crate) async fn hold(&self, statement: &str, lasts: Duration) -> Result<()> {
        let connection = self.connect().await?;
        connection.execute_unprepared("BEGIN").await?;
        connection.execute_unprepared(statement).await?;
        sleep(lasts).await;
        connection.execute_unprepared("ROLLBACK").await?;
        Ok(connection.close().await?)
    }

    /// Another database of the same PostgreSQL.
    ///
    /// # Errors
    /// When the address of the database is none.
    pub fn elsewhere(&self) -> Result<Self> {
        let mut url = Url::parse(&self.url)?;
        let other = if url.path() == "/postgres" { "/template1" } else { "/postgres" };
        url.set_path(other);
        // The schema of the site is not there.
        url.set_query(None);
        Ok(Self { url: url.into(), servers: self.servers.clone() })
    }

    /// Cuts connections of the servers. Answers how many.
    pub(crate) async fn cut(&self) -> Result<usize> {
        let victims = format!("SELECT pid FROM pg_stat_activity WHERE application_name = '{}' ORDER BY random() LIMIT {CUT}", self.servers);
        let cut = format!("SELECT pg_terminate_backend(pid)::text AS text FROM ({victims}) AS victims");
        Ok(self.texts(cut).await?.len())
    }

    /// Transactions that the servers have had open for so long, each with what it did last. None on SQLite, where whoever writes is seen by
    /// all others.
    ///
    /// # Errors
    /// When the database cannot be asked, and when no server is connected, as then nothing is known.
    pub async fn left_open(&self, at_least: Duration) -> Result<Vec<String>> {
        if Url::parse(&self.url)?.scheme() == "sqlite" {
            return Ok(Vec::new());
        }
        let of = format!("FROM pg_stat_activity WHERE application_name = '{}'", self.servers);
        if self.texts(format!("SELECT pid::text AS text {of}")).await?.is_empty() {
            return Err(format!("no server is connected as `{}`", self.servers).into());
        }
        self.texts(format!(
            "SELECT state || ' since ' || xact_start || ': ' || query AS text {of} AND xact_start < clock_timestamp() - interval '{} ms'",
            at_least.as_millis()
        ))
        .await
    }

    /// What a query finds in its column `text`.
    pub(crate) async fn texts(&self, query: String) -> Result<Vec<String>> {
        let connection = self.connect().await?;
        let rows = connection.query_all_raw(Statement::from_string(connection.get_database_backend(), query)).await?;
        let texts = rows.iter().map(|row| row.try_get("", "text")).collect::<std::result::Result<_, _>>()?;
        connection.close().await?;
        Ok(texts)
    }
}
