//! What stands in for connections to PostgreSQL where the feature `postgres` is left out: there are none, and opening a database says so.
#![expect(clippy::unused_async, reason = "what it stands in for waits")]

use std::convert::Infallible;

use sea_orm::{ExecResult, QueryResult, Statement};

use crate::{Error, StoreOptions, db};

/// Says that this program has SQLite alone.
pub(crate) async fn open(_: &StoreOptions) -> Result<db::Inner, Error> {
    Err(Error::LeftOut)
}

/// Nobody announces anything.
pub(crate) struct Announcements(Infallible);

impl Announcements {
    pub(crate) async fn listen(&self) -> Result<Listener, Error> {
        match self.0 {}
    }
}

/// Hears what other servers announce. There is none without the feature `postgres`.
pub struct Listener(Infallible);

impl Listener {
    /// Who announced something.
    pub async fn heard(&mut self) -> Result<Option<String>, Error> {
        match self.0 {}
    }
}

/// No connections.
#[derive(Clone)]
pub(crate) struct Pool(Infallible);

impl Pool {
    pub(crate) fn load(&self) -> crate::PoolLoad {
        match self.0 {}
    }

    pub(crate) async fn begin(&self) -> Result<Transaction, Error> {
        match self.0 {}
    }

    pub(crate) async fn begin_snapshot(&self) -> Result<Transaction, Error> {
        match self.0 {}
    }

    pub(crate) async fn execute(&self, _: Statement) -> Result<ExecResult, Error> {
        match self.0 {}
    }

    pub(crate) async fn one(&self, _: Statement) -> Result<Option<QueryResult>, Error> {
        match self.0 {}
    }

    pub(crate) async fn all(&self, _: Statement) -> Result<Vec<QueryResult>, Error> {
        match self.0 {}
    }

    pub(crate) async fn announce(&self, _: &str) -> Result<(), Error> {
        match self.0 {}
    }

    pub(crate) async fn close(&self) {
        match self.0 {}
    }
}

/// No transaction.
pub(crate) struct Transaction(Infallible);

impl Transaction {
    pub(crate) async fn execute(&self, _: Statement) -> Result<ExecResult, Error> {
        match self.0 {}
    }

    pub(crate) async fn one(&self, _: Statement) -> Result<Option<QueryResult>, Error> {
        match self.0 {}
    }

    pub(crate) async fn all(&self, _: Statement) -> Result<Vec<QueryResult>, Error> {
        match self.0 {}
    }

    pub(crate) async fn hold(&self, _: &[&[u8]], _: bool, _: Option<&str>) -> Result<Option<i64>, Error> {
        match self.0 {}
    }

    pub(crate) async fn commit(&self, _: Option<Statement>) -> Result<(), Error> {
        match self.0 {}
    }
}
