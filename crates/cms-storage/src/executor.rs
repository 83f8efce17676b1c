//! Where statements run: on a connection of a pool, or in a transaction.

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, QueryResult, Statement, StatementBuilder, Value, Values,
};

use crate::Error;

/// Runs statements and maps their errors. One type instead of a parameter on everything above it.
#[derive(Clone, Copy)]
pub(crate) enum Executor<'a> {
    /// Each statement on whichever connection is free.
    Pool(&'a DatabaseConnection),
    /// Each statement in one transaction.
    Transaction(&'a DatabaseTransaction),
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
            Self::Pool(connection) => connection.get_database_backend(),
            Self::Transaction(transaction) => transaction.get_database_backend(),
        }
    }

    /// Whether it is PostgreSQL.
    pub(crate) fn is_postgres(self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    /// Runs a statement and counts the rows it touched.
    pub(crate) async fn execute(self, sql: impl Sql) -> Result<u64, Error> {
        let statement = sql.statement(self.backend());
        let done = match self {
            Self::Pool(connection) => connection.execute_raw(statement).await,
            Self::Transaction(transaction) => transaction.execute_raw(statement).await,
        };
        Ok(done?.rows_affected())
    }

    /// The first row of an answer.
    pub(crate) async fn one(self, sql: impl Sql) -> Result<Option<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        let row = match self {
            Self::Pool(connection) => connection.query_one_raw(statement).await,
            Self::Transaction(transaction) => transaction.query_one_raw(statement).await,
        };
        Ok(row?)
    }

    /// All rows of an answer.
    pub(crate) async fn all(self, sql: impl Sql) -> Result<Vec<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        let rows = match self {
            Self::Pool(connection) => connection.query_all_raw(statement).await,
            Self::Transaction(transaction) => transaction.query_all_raw(statement).await,
        };
        Ok(rows?)
    }
}
