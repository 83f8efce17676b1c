//! Connections to PostgreSQL.
//!
//! There is a pool for each [`Purpose`], so that nobody waits for what they do not use: reads for writes that wait for each other, or the
//! background for requests. Whatever is sent has an end: a statement, a wait for a lock, a transaction that nobody goes on
//! with. So has the wait for a database that is gone without a word ([`ANSWERS_WITHIN`]). When nobody waits for an answer any more, its
//! connection stays taken until the answer is there, or is closed, which PostgreSQL notices and gives up ([`CHECK`]): what nobody
//! waits for counts as what it costs. A connection that comes back is not tried out, as sqlx's pool would do with each: only one that
//! was idle for long, or that failed.

use std::{fmt::Write, mem, sync::Arc, time::Duration};

use deadpool::{
    Runtime,
    managed::{self, Metrics, PoolError, RecycleError, RecycleResult, Timeouts},
};
use sea_orm::{
    DatabaseConnection, ExecResult, QueryResult, Statement, Values,
    sqlx::{
        self, AssertSqlSafe, ConnectOptions, Connection, Executor,
        postgres::{PgConnectOptions, PgConnection, PgListener, PgPoolOptions, PgQueryResult, PgRow},
    },
};
use sea_query_sqlx::SqlxValues;
use sha2::{Digest, Sha256};
use tokio::{runtime::Handle, sync::Mutex, time::timeout};

use crate::{
    Backend, Error, StoreOptions,
    db::{self, ACQUIRE_TIMEOUT, BACKGROUND, FOLLOWER, MIGRATED, STATEMENTS, WATCH},
    executor,
};

/// How long the making of a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a connection may be idle before it is tried out: firewalls drop idle ones silently.
const TRY_AFTER: Duration = Duration::from_secs(30);
/// How long a connection that is tried out may take to answer. Those that were dropped are tried one after another.
const TRIED_WITHIN: Duration = Duration::from_secs(1);
/// How much longer than a statement may take one waits for its answer: a host that vanished ends nothing, and does not say so either.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// How long an answer that nobody waits for any more is waited for before its connection is closed.
const LINGER: Duration = Duration::from_secs(1);
/// How long a snapshot may be left alone: what reads it may wait for a disk, and whoever forgot it keeps PostgreSQL from tidying up.
const SNAPSHOT_IDLE: Duration = Duration::from_mins(10);
/// How often PostgreSQL looks whether anybody still waits for the statement that it runs.
const CHECK: Duration = Duration::from_secs(1);
/// How often one looks whether connections that are to be closed are done.
const CLOSING: Duration = Duration::from_millis(5);
/// How long a transaction waits for a collection that another one changes the fields of, or for those who write its entries.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a request that writes waits for a row while it has a connection, of which there are few: whoever needs longer gives it to others,
/// and comes again.
const SHORTLY: Duration = Duration::from_millis(250);
/// The same while its transaction holds a collection: whoever wants to change the fields waits for it, and everybody who comes later waits for
/// them. Longer than any of our transactions holds a row.
const BRIEFLY: Duration = Duration::from_millis(100);

/// What connections are used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Requests that read.
    Reads,
    /// Requests that write.
    Writes,
    /// Tasks, beside requests.
    Background,
    /// Short looks: of the follower and of the health check.
    Watch,
}

impl Purpose {
    /// How long a statement may take. A request is given up after a minute; a batch of the background is made to take less than a second.
    const fn statement_timeout(self) -> Duration {
        match self {
            Self::Reads | Self::Writes => Duration::from_secs(30),
            Self::Background => Duration::from_mins(2),
            Self::Watch => Duration::from_secs(5),
        }
    }

    /// How long a statement waits for a row that another transaction holds. Whoever waits has a connection that others need.
    const fn lock_timeout(self) -> Duration {
        match self {
            Self::Writes => SHORTLY,
            Self::Reads | Self::Watch => Duration::from_secs(3),
            Self::Background => Duration::from_secs(10),
        }
    }

    /// How long a transaction may be left alone. One whose server sleeps, or was cut off, holds up those who want its rows.
    const fn idle_timeout(self) -> Duration {
        match self {
            Self::Reads | Self::Writes | Self::Watch => Duration::from_secs(10),
            Self::Background => Duration::from_mins(1),
        }
    }

    /// How long the answer to a statement is waited for.
    const fn answer_timeout(self) -> Duration {
        self.statement_timeout().saturating_add(ANSWERS_WITHIN)
    }

    /// What PostgreSQL is told. Compiling a plan takes longer than any of our statements.
    fn settings(self) -> [(&'static str, u128); 5] {
        [
            ("jit", 0),
            ("statement_timeout", self.statement_timeout().as_millis()),
            ("lock_timeout", self.lock_timeout().as_millis()),
            ("idle_in_transaction_session_timeout", self.idle_timeout().as_millis()),
            ("client_connection_check_interval", CHECK.as_millis()),
        ]
    }
}

/// Opens a database.
pub(crate) async fn open(options: &StoreOptions) -> Result<db::Inner, Error> {
    let pooled = options.transaction_pooling;
    let connect = self::options(&options.url, pooled)?;
    let one = PgPoolOptions::new().max_connections(1).acquire_timeout(ACQUIRE_TIMEOUT).idle_timeout(MIGRATED);
    let migrations = DatabaseConnection::from(one.connect_lazy_with(connect.clone()));
    // Asked here, so that a database that cannot be used says so at once.
    let schema = Box::pin(schema(&connect)).await?;
    let pool = |purpose, size| Pool::new(&connect, pooled, &schema, purpose, size).map(executor::Pool::Postgres);
    let size = |size: u32| usize::try_from(size.max(1)).unwrap_or(usize::MAX);
    Ok(db::Inner {
        backend: Backend::Postgres,
        readers: pool(Purpose::Reads, size(options.max_readers))?,
        writer: pool(Purpose::Writes, size(options.max_writers))?,
        background: pool(Purpose::Background, BACKGROUND)?,
        watch: pool(Purpose::Watch, WATCH)?,
        follower: pool(Purpose::Watch, FOLLOWER)?,
        migrations,
        announcements: (!pooled).then_some(Announcements(connect, schema)),
        _temporary: None,
    })
}

/// Options for connections of any kind.
fn options(url: &str, pooled: bool) -> Result<PgConnectOptions, Error> {
    let mut options = url.parse::<PgConnectOptions>()?.disable_statement_logging();
    if options.get_application_name().is_none() {
        options = options.application_name("cms");
    }
    // A pooler would hand the connection to others with the statements prepared on it, and takes no settings along.
    Ok(if pooled { options.statement_cache_capacity(0).extra_float_digits(None) } else { options.statement_cache_capacity(STATEMENTS) })
}

/// The schema that a connection works in.
async fn schema(options: &PgConnectOptions) -> Result<String, Error> {
    let mut connection = options.connect().await?;
    let answer = send(&mut connection, text("SELECT current_schema()"), Ask::Script, false, ANSWERS_WITHIN).await?;
    let schema = answer.rows.first().map_or(Ok(None), |row| row.try_get_by_index::<Option<String>>(0))?;
    schema.ok_or_else(|| Error::backend("the search path of the database names no schema that is there"))
}

/// Makes connections, and tries out those that were idle.
#[derive(Debug)]
struct Maker(PgConnectOptions);

impl managed::Manager for Maker {
    type Type = PgConnection;
    type Error = Error;

    async fn create(&self) -> Result<PgConnection, Error> {
        Ok(self.0.connect().await?)
    }

    async fn recycle(&self, connection: &mut PgConnection, metrics: &Metrics) -> RecycleResult<Error> {
        if metrics.last_used() < TRY_AFTER {
            return Ok(());
        }
        connection.ping().await.map_err(|error| RecycleError::Backend(error.into()))
    }
}

type Object = managed::Object<Maker>;

/// Connections that are made when they are first needed, and kept. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Pool(Arc<Inner>);

struct Inner {
    connections: managed::Pool<Maker>,
    /// Whether a pooler stands between, which gives each transaction a connection of its choice.
    pooled: bool,
    /// What a transaction begins with, behind its `BEGIN`.
    preamble: String,
    /// How long an answer is waited for.
    patience: Duration,
    /// Where the tables are.
    schema: String,
}

impl Pool {
    /// At most `size` connections.
    fn new(options: &PgConnectOptions, pooled: bool, schema: &str, purpose: Purpose, size: usize) -> Result<Self, Error> {
        let settings = purpose.settings();
        let mut preamble = String::new();
        let options = if pooled {
            for (name, value) in settings {
                // Writing to a string does not fail.
                let _ = write!(preamble, "; SET LOCAL {name} = {value}");
            }
            options.clone()
        } else {
            options.clone().options(settings)
        };
        let timeouts = Timeouts { wait: Some(ACQUIRE_TIMEOUT), create: Some(CONNECT_TIMEOUT), recycle: Some(TRIED_WITHIN) };
        let builder = managed::Pool::builder(Maker(options)).max_size(size).timeouts(timeouts).runtime(Runtime::Tokio1);
        let connections = builder.build().map_err(Error::backend)?;
        let patience = purpose.answer_timeout();
        Ok(Self(Arc::new(Inner { connections, pooled, preamble, patience, schema: schema.to_owned() })))
    }

    /// How many connections are in use, how many there may be, and how many callers wait for one.
    pub(crate) fn load(&self) -> crate::PoolLoad {
        self.0.connections.status().into()
    }

    async fn get(&self) -> Result<Object, Error> {
        self.0.connections.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            PoolError::Timeout(managed::TimeoutType::Wait) => Error::Waited,
            PoolError::Timeout(_) => Error::unreachable("the database did not answer in time"),
            error => Error::backend(error),
        })
    }

    /// Begins a transaction, along with its first statement.
    pub(crate) async fn begin(&self) -> Result<Transaction, Error> {
        self.begin_with(format!("BEGIN{}", self.0.preamble), self.0.patience).await
    }

    /// Begins a transaction that only reads, all of it as of one moment, and takes as long as it takes.
    pub(crate) async fn begin_snapshot(&self) -> Result<Transaction, Error> {
        let idle = SNAPSHOT_IDLE.as_millis();
        let settings = format!("SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = {idle}");
        let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY{}; {settings}", self.0.preamble);
        self.begin_with(begin, Duration::MAX).await
    }

    async fn begin_with(&self, begin: String, patience: Duration) -> Result<Transaction, Error> {
        let connection = Some(self.get().await?);
        Ok(Transaction { pool: self.clone(), begin, patience, open: Mutex::new(Open { connection, stage: Stage::Before }) })
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<ExecResult, Error> {
        Ok(self.run(statement, Ask::Count).await?.done.into())
    }

    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<QueryResult>, Error> {
        Ok(self.run(statement, Ask::First).await?.rows.pop())
    }

    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<QueryResult>, Error> {
        Ok(self.run(statement, Ask::All).await?.rows)
    }

    /// Runs a statement outside of any transaction. On a connection that turns out to be broken it is run again: what is run here reads.
    async fn run(&self, statement: Statement, ask: Ask) -> Result<Answer, Error> {
        if self.0.pooled {
            // A pooler may give the parts of one statement to two connections, unless they are in a transaction.
            let transaction = self.begin().await?;
            let answer = transaction.open.lock().await.run(&transaction, statement, ask).await?;
            if let Err(error) = transaction.commit(None).await {
                tracing::debug!(%error, "a transaction that read did not end well: what it read is as good");
            }
            return Ok(answer);
        }
        match self.attempt(statement.clone(), ask).await {
            Err(Error::Unreachable(_)) => {
                self.forget();
                self.attempt(statement, ask).await
            }
            answer => answer,
        }
    }

    async fn attempt(&self, statement: Statement, ask: Ask) -> Result<Answer, Error> {
        let mut lease = Lease(Some(self.get().await?));
        let connection = lease.0.as_mut().ok_or_else(|| Error::backend("no connection"))?;
        let answer = send(connection, statement, ask, true, self.0.patience).await;
        let connection = lease.0.take();
        if matches!(answer, Err(Error::Unreachable(_))) {
            drop(connection.map(Object::take));
        }
        answer
    }

    /// Lets go of connections that nobody uses: when one is broken, the others likely are.
    fn forget(&self) {
        drop(self.0.connections.retain(|_, _| false));
    }

    /// Ends the connections, each once what it does is done: whoever asks for one from now on is refused.
    pub(crate) async fn close(&self) {
        let connections = &self.0.connections;
        connections.close();
        while connections.status().size > 0 {
            tokio::time::sleep(CLOSING).await;
        }
    }

    /// A number that names something to hold: the same on every server, another in every schema.
    fn key(&self, parts: &[&[u8]]) -> i64 {
        let mut name = Sha256::new().chain_update(&self.0.schema);
        for part in parts {
            name = name.chain_update([0]).chain_update(part);
        }
        let name: [u8; 32] = name.finalize().into();
        name.first_chunk().map_or(0, |bytes| i64::from_be_bytes(*bytes))
    }
}

/// A connection whose answer is on its way. Dropped then, nobody is left who would read it.
struct Lease(Option<Object>);

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut connection) = self.0.take() else { return };
        let Ok(runtime) = Handle::try_current() else {
            drop(Object::take(connection));
            return;
        };
        // Whoever asks and leaves, again and again, would have the database work on more than there are connections.
        drop(runtime.spawn(async move {
            if !matches!(timeout(LINGER, connection.ping()).await, Ok(Ok(()))) {
                drop(Object::take(connection));
            }
        }));
    }
}

/// A transaction. Dropped without a commit, it never happened.
pub(crate) struct Transaction {
    pool: Pool,
    begin: String,
    /// How long an answer is waited for.
    patience: Duration,
    open: Mutex<Open>,
}

struct Open {
    /// Gone once the transaction is.
    connection: Option<Object>,
    stage: Stage,
}

/// How far a transaction is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing was sent.
    Before,
    /// Begun.
    Begun,
    /// A statement is on its way, or nobody waited for its answer.
    Unclear,
    /// A statement failed: nothing of the transaction will last.
    Failed,
    /// Committed.
    Done,
}

impl Transaction {
    pub(crate) async fn execute(&self, statement: Statement) -> Result<ExecResult, Error> {
        Ok(self.open.lock().await.run(self, statement, Ask::Count).await?.done.into())
    }

    pub(crate) async fn one(&self, statement: Statement) -> Result<Option<QueryResult>, Error> {
        Ok(self.open.lock().await.run(self, statement, Ask::First).await?.rows.pop())
    }

    pub(crate) async fn all(&self, statement: Statement) -> Result<Vec<QueryResult>, Error> {
        Ok(self.open.lock().await.run(self, statement, Ask::All).await?.rows)
    }

    /// Holds what some bytes name until the transaction ends, alone or beside others who do not hold it alone, and waits for rows only briefly
    /// from then on. Then may ask for a number with an expression without values. In one way to the database. Whoever comes waits behind those
    /// who wait already, whatever they want.
    pub(crate) async fn hold(&self, name: &[&[u8]], alone: bool, then: Option<&str>) -> Result<Option<i64>, Error> {
        let function = if alone { "pg_advisory_xact_lock" } else { "pg_advisory_xact_lock_shared" };
        let (patience, after) = (PATIENCE.as_millis(), BRIEFLY.as_millis());
        let (key, then) = (self.pool.key(name), then.unwrap_or("NULL"));
        // Each statement sees what is committed when it begins: the last one what the holders before have done.
        let script =
            format!("SET LOCAL lock_timeout = {patience}; SELECT {function}({key}); SET LOCAL lock_timeout = {after}; SELECT {then}");
        let mut open = self.open.lock().await;
        if open.stage == Stage::Before {
            open.begin(self, &format!("{}; {script}", self.begin)).await?.number()
        } else {
            open.run(self, text(&script), Ask::Script).await?.number()
        }
    }

    /// Runs a last statement, if there is one, and makes everything last.
    pub(crate) async fn commit(&self, last: Option<Statement>) -> Result<(), Error> {
        let mut open = self.open.lock().await;
        if let Some(last) = last {
            open.run(self, last, Ask::Count).await?;
        } else if open.stage == Stage::Before {
            return Ok(());
        }
        // Whoever is not answered does not know whether it is stored.
        open.run(self, text("COMMIT"), Ask::Script).await.map_err(|error| match error {
            Error::Unreachable(error) => Error::Unsure(error),
            error => error,
        })?;
        open.stage = Stage::Done;
        drop(open.connection.take());
        Ok(())
    }
}

impl Open {
    async fn run(&mut self, transaction: &Transaction, statement: Statement, ask: Ask) -> Result<Answer, Error> {
        if self.stage == Stage::Before {
            self.begin(transaction, &transaction.begin).await?;
        }
        let connection = self.connection.as_mut().ok_or_else(over)?;
        if mem::replace(&mut self.stage, Stage::Unclear) != Stage::Begun {
            return Err(over());
        }
        let answer = send(connection, statement, ask, !transaction.pool.0.pooled, transaction.patience).await;
        self.stage = stage_after(&answer);
        answer
    }

    /// Begins, with what else is in the text. Nothing was done yet: on a connection that turns out to be broken, it is begun on another one.
    async fn begin(&mut self, transaction: &Transaction, begin: &str) -> Result<Answer, Error> {
        self.stage = Stage::Unclear;
        let patience = transaction.patience;
        let mut answer = send(self.connection.as_mut().ok_or_else(over)?, text(begin), Ask::Script, false, patience).await;
        if matches!(answer, Err(Error::Unreachable(_))) {
            drop(self.connection.take().map(Object::take));
            transaction.pool.forget();
            let another = self.connection.insert(transaction.pool.get().await?);
            answer = send(another, text(begin), Ask::Script, false, patience).await;
        }
        self.stage = stage_after(&answer);
        answer
    }
}

fn over() -> Error {
    Error::backend("the transaction is over")
}

/// How far a transaction is after a statement.
fn stage_after(answer: &Result<Answer, Error>) -> Stage {
    match answer {
        Ok(_) => Stage::Begun,
        // The connection is closed, as one is whose answer nobody waited for.
        Err(Error::Unreachable(_)) => Stage::Unclear,
        Err(_) => Stage::Failed,
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Open { connection, stage } = self.open.get_mut();
        let Some(mut connection) = connection.take() else { return };
        match (*stage, Handle::try_current()) {
            (Stage::Before | Stage::Done, _) => {}
            (Stage::Begun | Stage::Failed, Ok(runtime)) => drop(runtime.spawn(async move {
                if let Err(error) = send(&mut connection, text("ROLLBACK"), Ask::Script, false, ANSWERS_WITHIN).await {
                    tracing::debug!(%error, "a transaction could not be rolled back: its connection is closed");
                    drop(Object::take(connection));
                }
            })),
            (Stage::Unclear, _) | (_, Err(_)) => drop(Object::take(connection)),
        }
    }
}

fn text(sql: &str) -> Statement {
    Statement::from_string(sea_orm::DbBackend::Postgres, sql)
}

/// What is wanted of an answer.
#[derive(Clone, Copy)]
enum Ask {
    /// How many rows were touched.
    Count,
    /// The first row.
    First,
    /// All rows.
    All,
    /// All rows of several statements without values, in one way to the database.
    Script,
}

/// What the database answered.
#[derive(Default)]
struct Answer {
    /// How many rows were touched.
    done: PgQueryResult,
    rows: Vec<QueryResult>,
}

impl Answer {
    /// The number in the last row.
    fn number(&self) -> Result<Option<i64>, Error> {
        self.rows.last().map_or(Ok(None), |row| Ok(row.try_get_by_index(0)?))
    }
}

/// Sends a statement, which is `kept` prepared, or several, and waits for the answer.
async fn send(connection: &mut PgConnection, statement: Statement, ask: Ask, kept: bool, patience: Duration) -> Result<Answer, Error> {
    let answer = timeout(patience, ask_for(connection, statement, ask, kept)).await;
    answer.unwrap_or_else(|_| Err(Error::unreachable("the database did not answer in time")))
}

async fn ask_for(connection: &mut PgConnection, statement: Statement, ask: Ask, kept: bool) -> Result<Answer, Error> {
    let values = SqlxValues(statement.values.unwrap_or_else(|| Values(Vec::new())));
    let text = AssertSqlSafe(statement.sql);
    let rows: Vec<PgRow> = match ask {
        Ask::Script => connection.fetch_all(text).await?,
        Ask::All => connection.fetch_all(sqlx::query_with(text, values).persistent(kept)).await?,
        Ask::First => connection.fetch_optional(sqlx::query_with(text, values).persistent(kept)).await?.into_iter().collect(),
        Ask::Count => {
            let done = connection.execute(sqlx::query_with(text, values).persistent(kept)).await?;
            return Ok(Answer { done, ..Answer::default() });
        }
    };
    Ok(Answer { rows: rows.into_iter().map(QueryResult::from).collect(), ..Answer::default() })
}

/// Where to hear what other servers announce.
pub(crate) struct Announcements(PgConnectOptions, String);

impl Announcements {
    pub(crate) async fn listen(&self) -> Result<Listener, Error> {
        let Self(options, schema) = self;
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(CONNECT_TIMEOUT).connect_lazy_with(options.clone());
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.listen(&channel(schema)).await?;
        Ok(Listener(listener))
    }
}

/// Hears what other servers announce. Connects again by itself.
pub struct Listener(PgListener);

impl Listener {
    /// Who announced something; none when the connection was lost, so that something may have been missed.
    pub async fn heard(&mut self) -> Result<Option<String>, Error> {
        Ok(self.0.try_recv().await?.map(|notification| notification.payload().to_owned()))
    }
}

/// The channel of the servers whose tables are in a schema. A name that is too long is one that PostgreSQL refuses.
fn channel(schema: &str) -> String {
    const LONGEST: usize = 63;
    let mut channel = format!("cms {schema}");
    channel.truncate(channel.floor_char_boundary(LONGEST));
    channel
}

impl Pool {
    /// Tells the servers on this database that something happened, and who says so.
    pub(crate) async fn announce(&self, who: &str) -> Result<(), Error> {
        let values = Values(vec![channel(&self.0.schema).into(), who.into()]);
        let notify =
            Statement { sql: "SELECT pg_notify($1, $2)".to_owned(), values: Some(values), db_backend: sea_orm::DbBackend::Postgres };
        self.one(notify).await.map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn connections_are_called_what_the_address_calls_them() {
        let name = |url| super::options(url, false).unwrap().get_application_name().map(str::to_owned);
        assert_eq!(name("postgres://localhost/cms?application_name=site-1").as_deref(), Some("site-1"));
        assert_eq!(name("postgres://localhost/cms").as_deref(), Some("cms"));
    }
}
