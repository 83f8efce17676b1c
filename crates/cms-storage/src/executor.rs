//! Where statements run: on a connection of a pool, or in a transaction.

use std::sync::Arc;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, QueryResult, Statement, StatementBuilder, Value, Values,
};

use crate::{Error, sqlite};

/// Connections to the database. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(Arc<sqlite::Pool>),
    Postgres(DatabaseConnection),
}

impl Pool {
    /// Ends the connections, each once what it does is done.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => Ok(pool.close_by_ref().await?),
        }
    }
}

/// A transaction. Dropped without a commit, it never happened.
pub(crate) enum Transaction {
    Sqlite(sqlite::Transaction),
    Postgres(DatabaseTransaction),
}

impl Transaction {
    /// Runs a last statement, if there is one, and makes everything last.
    pub(crate) async fn commit(self, last: Option<impl Sql>) -> Result<(), Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit(last.map(|last| last.statement(DbBackend::Sqlite))).await,
            Self::Postgres(transaction) => {
                if let Some(last) = last {
                    transaction.execute_raw(last.statement(DbBackend::Postgres)).await?;
                }
                Ok(transaction.commit().await?)
            }
        }
    }
}

/// Runs statements and maps their errors. One type instead of a parameter on everything above it.
#[derive(Clone, Copy)]
pub(crate) enum Executor<'a> {
    /// Each statement on whichever connection is free.
    Pool(&'a Pool),
    /// Each statement in one transaction.
    Transaction(&'a Transaction),
}

/// A statement that is ready, or text with values, or one that is built for the database at hand.
///
/// Text numbers its values `$1`, `$2` and so on, which both databases read; constant text is prepared once a connection.
pub(crate) trait Sql {
    fn statement(self, backend: DbBackend) -> Statement;
}

impl Sql for Statement {
    fn statement(self, _: DbBackend) -> Statement {
        self
    }
}

impl Sql for &str {
    fn statement(self, backend: DbBackend) -> Statement {
        Statement::from_string(backend, self)
    }
}

impl<const N: usize> Sql for (&str, [Value; N]) {
    fn statement(self, db_backend: DbBackend) -> Statement {
        Statement { sql: self.0.to_owned(), values: Some(Values(self.1.into())), db_backend }
    }
}

impl<T: Into<String>> Sql for (T, Vec<Value>) {
    fn statement(self, db_backend: DbBackend) -> Statement {
        Statement { sql: self.0.into(), values: Some(Values(self.1)), db_backend }
    }
}

impl<S: StatementBuilder> Sql for &S {
    fn statement(self, backend: DbBackend) -> Statement {
        self.build(&backend)
    }
}

impl Executor<'_> {
    /// Which database it is.
    pub(crate) fn backend(self) -> DbBackend {
        match self {
            Self::Pool(Pool::Sqlite(_)) | Self::Transaction(Transaction::Sqlite(_)) => DbBackend::Sqlite,
            Self::Pool(Pool::Postgres(_)) | Self::Transaction(Transaction::Postgres(_)) => DbBackend::Postgres,
        }
    }

    /// Whether it is PostgreSQL.
    pub(crate) fn is_postgres(self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    /// Runs a statement and counts the rows it touched.
    pub(crate) async fn execute(self, sql: impl Sql) -> Result<u64, Error> {
        let statement = sql.statement(self.backend());
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.execute(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Ok(pool.execute_raw(statement).await?.rows_affected()),
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.execute(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Ok(transaction.execute_raw(statement).await?.rows_affected()),
        }
    }

    /// The first row of an answer.
    pub(crate) async fn one(self, sql: impl Sql) -> Result<Option<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.one(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Ok(pool.query_one_raw(statement).await?),
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.one(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Ok(transaction.query_one_raw(statement).await?),
        }
    }

    /// All rows of an answer.
    pub(crate) async fn all(self, sql: impl Sql) -> Result<Vec<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.all(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Ok(pool.query_all_raw(statement).await?),
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.all(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Ok(transaction.query_all_raw(statement).await?),
        }
    }
}
