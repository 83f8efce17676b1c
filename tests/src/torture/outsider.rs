//! Somebody else at the database: holds rows, cuts connections, and looks what the servers left open.

use std::{error::Error, time::Duration};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement};
use tokio::time::sleep;
use url::Url;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// How many connections are cut at once: some of a server's, or of several servers'.
const CUT: u32 = 4;
/// How long a transaction of a server may have been open when nobody asks for anything any more, in seconds.
const LEFT_OPEN: u32 = 5;

/// The database, as somebody else than the servers reaches it.
#[derive(Debug, Clone)]
pub(super) struct Outsider {
    url: String,
    /// What the servers call themselves at PostgreSQL.
    servers: String,
}

impl Outsider {
    pub(super) fn new(url: String, servers: String) -> Self {
        Self { url, servers }
    }

    /// One connection: what is begun on it is ended on it.
    async fn connect(&self) -> Result<DatabaseConnection> {
        let mut options = ConnectOptions::new(&self.url);
        options.max_connections(1).sqlx_logging(false);
        Ok(Database::connect(options).await?)
    }

    /// Does a statement.
    pub(super) async fn execute(&self, statement: &str) -> Result<()> {
        let connection = self.connect().await?;
        connection.execute_unprepared(statement).await?;
        Ok(connection.close().await?)
    }

    /// Does a statement in a transaction that stays open for a while, and changes nothing.
    pub(super) async fn hold(&self, statement: &str, lasts: Duration) -> Result<()> {
        let connection = self.connect().await?;
        connection.execute_unprepared("BEGIN").await?;
        connection.execute_unprepared(statement).await?;
        sleep(lasts).await;
        connection.execute_unprepared("ROLLBACK").await?;
        Ok(connection.close().await?)
    }

    /// Another database of the same PostgreSQL.
    pub(super) fn elsewhere(&self) -> Result<Self> {
        let mut url = Url::parse(&self.url)?;
        let other = if url.path() == "/postgres" { "/template1" } else { "/postgres" };
        url.set_path(other);
        // The schema of the site is not there.
        url.set_query(None);
        Ok(Self { url: url.into(), servers: self.servers.clone() })
    }

    /// Cuts connections of the servers.
    pub(super) async fn cut(&self) -> Result<()> {
        let victims = format!("SELECT pid FROM pg_stat_activity WHERE application_name = '{}' ORDER BY random() LIMIT {CUT}", self.servers);
        self.execute(&format!("SELECT pg_terminate_backend(pid) FROM ({victims}) AS victims")).await
    }

    /// Transactions that the servers left open, each with what it did last. None on SQLite, where whoever writes is seen by all others.
    pub(super) async fn left_open(&self) -> Result<Vec<String>> {
        let connection = self.connect().await?;
        if connection.get_database_backend() == DbBackend::Sqlite {
            return Ok(Vec::new());
        }
        let query = format!(
            "SELECT state || ' since ' || xact_start || ': ' || query AS open FROM pg_stat_activity \
             WHERE application_name = '{}' AND xact_start < clock_timestamp() - interval '{LEFT_OPEN} s'",
            self.servers
        );
        let rows = connection.query_all_raw(Statement::from_string(DbBackend::Postgres, query)).await?;
        let open = rows.iter().map(|row| row.try_get("", "open")).collect::<std::result::Result<_, _>>()?;
        connection.close().await?;
        Ok(open)
    }
}
