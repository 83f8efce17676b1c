//! Where statements run: on a connection of a pool, or in a transaction.

use std::sync::Arc;

use sea_orm::{
    ConnectionTrait, DbBackend, DbErr, DeleteMany, EntityTrait, ExecResult, PaginatorTrait, QueryResult, Select, SelectTwoRequired,
    Statement, StatementBuilder, UpdateMany, Value, Values, prelude::async_trait::async_trait,
};

use crate::{
    Error,
    column::{unreadable, unreadable_of_two},
    postgres,
    row::Row,
    sqlite,
};

/// Connections to the database. Cheap to clone.
#[derive(Clone)]
pub(crate) enum Pool {
    Sqlite(Arc<sqlite::Pool>),
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "there is none without the feature"))]
    Postgres(postgres::Pool),
}

impl Pool {
    /// Ends the connections, each once what it does is done.
    pub(crate) async fn close(&self) -> Result<(), Error> {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => {
                pool.close().await;
                Ok(())
            }
        }
    }

    /// How many connections are in use, how many there may be, and how many callers wait for one.
    pub(crate) fn load(&self) -> crate::PoolLoad {
        match self {
            Self::Sqlite(pool) => pool.load(),
            Self::Postgres(pool) => pool.load(),
        }
    }
}

/// A transaction. Dropped without a commit, it never happened.
pub(crate) enum Transaction {
    Sqlite(sqlite::Transaction),
    Postgres(postgres::Transaction),
}

impl Transaction {
    /// Runs a last statement, if there is one, and makes everything last.
    pub(crate) async fn commit(self, last: Option<impl Sql>) -> Result<(), Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit(last.map(|last| last.statement(DbBackend::Sqlite))).await,
            Self::Postgres(transaction) => Box::pin(transaction.commit(last.map(|last| last.statement(DbBackend::Postgres)))).await,
        }
    }
}

/// Runs statements and maps their errors. One type instead of a parameter on everything above it. What waits for PostgreSQL is on the heap:
/// what it needs is not to be a part of everything that waits for a row.
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

    /// Holds what some bytes name until the transaction ends, alone or beside others who do not hold it alone. Then may ask for a number
    /// with an expression without values, which sees what the holders before have done. On SQLite a transaction that writes is alone.
    pub(crate) async fn hold(self, name: &[&[u8]], alone: bool, then: Option<&str>) -> Result<Option<i64>, Error> {
        if let Self::Transaction(Transaction::Postgres(transaction)) = self {
            return Box::pin(transaction.hold(name, alone, then)).await;
        }
        let Some(then) = then else { return Ok(None) };
        self.one(format!("SELECT {then} AS n").as_str()).await?.map_or(Ok(None), |row| row.read("n"))
    }

    /// Runs a statement and counts the rows it touched.
    pub(crate) async fn execute(self, sql: impl Sql) -> Result<u64, Error> {
        Ok(self.run(sql.statement(self.backend())).await?.rows_affected())
    }

    async fn run(self, statement: Statement) -> Result<ExecResult, Error> {
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.execute(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Box::pin(pool.execute(statement)).await,
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.execute(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Box::pin(transaction.execute(statement)).await,
        }
    }

    /// The first row of an answer.
    pub(crate) async fn one(self, sql: impl Sql) -> Result<Option<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.one(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Box::pin(pool.one(statement)).await,
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.one(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Box::pin(transaction.one(statement)).await,
        }
    }

    /// All rows of an answer.
    pub(crate) async fn all(self, sql: impl Sql) -> Result<Vec<QueryResult>, Error> {
        let statement = sql.statement(self.backend());
        match self {
            Self::Pool(Pool::Sqlite(pool)) => pool.all(statement).await,
            Self::Pool(Pool::Postgres(pool)) => Box::pin(pool.all(statement)).await,
            Self::Transaction(Transaction::Sqlite(transaction)) => transaction.all(statement).await,
            Self::Transaction(Transaction::Postgres(transaction)) => Box::pin(transaction.all(statement)).await,
        }
    }

    /// The first row of an entity that is selected, as what it means.
    pub(crate) async fn find<E: EntityTrait, T: From<E::Model>>(self, select: Select<E>) -> Result<Option<T>, Error> {
        Ok(select.one(&self).await.map_err(unreadable::<E>)?.map(T::from))
    }

    /// All rows of an entity that are selected, as what they mean.
    pub(crate) async fn list<E: EntityTrait, T: From<E::Model>>(self, select: Select<E>) -> Result<Vec<T>, Error> {
        Ok(select.all(&self).await.map_err(unreadable::<E>)?.into_iter().map(T::from).collect())
    }

    /// The row of an entity that is changed, as what it means then.
    pub(crate) async fn change<E: EntityTrait, T: From<E::Model>>(self, update: UpdateMany<E>) -> Result<Option<T>, Error> {
        Ok(update.exec_with_returning(&self).await.map_err(unreadable::<E>)?.into_iter().next().map(T::from))
    }

    /// The row of an entity that is removed, as what it meant. Of several who remove it at once one gets it.
    pub(crate) async fn take<E: EntityTrait, T: From<E::Model>>(self, delete: DeleteMany<E>) -> Result<Option<T>, Error> {
        Ok(delete.exec_with_returning(&self).await.map_err(unreadable::<E>)?.into_iter().next().map(T::from))
    }

    /// How many rows of an entity are selected.
    pub(crate) async fn count<E: EntityTrait<Model: Sync>>(self, select: Select<E>) -> Result<i64, Error> {
        Ok(i64::try_from(select.count(&self).await?).unwrap_or(i64::MAX))
    }

    /// All rows of an entity that are selected with the rows of another one that they belong to, as what they mean.
    pub(crate) async fn list_both<E, F, T, U>(self, select: SelectTwoRequired<E, F>) -> Result<Vec<(T, U)>, Error>
    where
        E: EntityTrait,
        F: EntityTrait,
        T: From<E::Model>,
        U: From<F::Model>,
    {
        let found = select.all(&self).await.map_err(unreadable_of_two::<E, F>)?;
        Ok(found.into_iter().map(|(first, second)| (first.into(), second.into())).collect())
    }

    /// The first row of an entity that is selected with the row of another one that it belongs to, as what they mean.
    pub(crate) async fn find_both<E, F, T, U>(self, select: SelectTwoRequired<E, F>) -> Result<Option<(T, U)>, Error>
    where
        E: EntityTrait,
        F: EntityTrait,
        T: From<E::Model>,
        U: From<F::Model>,
    {
        let found = select.one(&self).await.map_err(unreadable_of_two::<E, F>)?;
        Ok(found.map(|(first, second)| (first.into(), second.into())))
    }
}

/// What sea-orm runs the statements of entities on. Errors come out of it as they went in.
#[async_trait]
impl ConnectionTrait for Executor<'_> {
    fn get_database_backend(&self) -> DbBackend {
        self.backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        Ok(self.run(statement).await?)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        Ok(self.run(sql.statement(self.backend())).await?)
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        Ok(self.one(statement).await?)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        Ok(self.all(statement).await?)
    }

    /// Both databases know `RETURNING`.
    fn support_returning(&self) -> bool {
        true
    }
}
