//! Reading: what repositories read with, and reads that all see the same moment.

use crate::{
    Error,
    executor::{Executor, Pool, Transaction},
    sqlite,
};

/// Hands out the repositories that read: each adds itself here, in its own file.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    pub(crate) fn executor(self) -> Executor<'a> {
        self.executor
    }

    /// Whether it reads in a transaction, and so perhaps what is not committed.
    pub fn in_transaction(self) -> bool {
        matches!(self.executor, Executor::Transaction(_))
    }
}

/// A transaction that only reads. All its reads see the moment at which it began.
pub struct Snapshot {
    transaction: Transaction,
}

impl Snapshot {
    pub(crate) async fn begin(pool: &Pool) -> Result<Self, Error> {
        let transaction = match pool {
            Pool::Sqlite(pool) => Transaction::Sqlite(pool.begin(sqlite::Purpose::Read).await?),
            Pool::Postgres(pool) => Transaction::Postgres(Box::pin(pool.begin_snapshot()).await?),
        };
        // Both databases fix the moment at the first read, not at the beginning.
        Executor::Transaction(&transaction).one("SELECT 1 FROM content_types LIMIT 1").await?;
        Ok(Self { transaction })
    }

    /// Reads of that moment.
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(Executor::Transaction(&self.transaction))
    }
}
