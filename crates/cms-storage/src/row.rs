//! Columns to domain values and back.

use std::str::FromStr;

use cms_domain::{id::Id, time::Timestamp};
use sea_orm::{QueryResult, TryGetable, Value, prelude::Uuid};

use crate::Error;

/// An id as a value of a statement.
pub(crate) fn id_value<K>(id: Id<K>) -> Value {
    Uuid::from_bytes(id.to_bytes()).into()
}

/// An id that may be missing as a value of a statement.
pub(crate) fn optional_id_value<K>(id: Option<Id<K>>) -> Value {
    id.map(|id| Uuid::from_bytes(id.to_bytes())).into()
}

/// An instant as a value of a statement.
pub(crate) fn time_value(at: Timestamp) -> Value {
    at.milliseconds().into()
}

/// An instant that may be missing as a value of a statement.
pub(crate) fn optional_time_value(at: Option<Timestamp>) -> Value {
    at.map(Timestamp::milliseconds).into()
}

/// How many rows a statement of an entity answers with at most. Drivers count in signed numbers, and panic at one that is none.
pub(crate) fn at_most(limit: usize) -> u64 {
    i64::try_from(limit).unwrap_or(i64::MAX).unsigned_abs()
}

/// Reads the columns of a row.
pub(crate) trait Row {
    /// A column as it is stored.
    fn read<T: TryGetable>(&self, column: &str) -> Result<T, Error>;

    /// An id.
    fn read_id<K>(&self, column: &str) -> Result<Id<K>, Error> {
        Ok(Id::from_bytes(self.read::<Uuid>(column)?.into_bytes()))
    }

    /// An id that may be missing.
    fn read_optional_id<K>(&self, column: &str) -> Result<Option<Id<K>>, Error> {
        Ok(self.read::<Option<Uuid>>(column)?.map(|uuid| Id::from_bytes(uuid.into_bytes())))
    }

    /// An instant.
    fn read_time(&self, column: &str) -> Result<Timestamp, Error> {
        self.read(column).map(Timestamp::from_milliseconds)
    }

    /// An instant that may be missing.
    fn read_optional_time(&self, column: &str) -> Result<Option<Timestamp>, Error> {
        Ok(self.read::<Option<i64>>(column)?.map(Timestamp::from_milliseconds))
    }

    /// Text that a domain type parses.
    fn parse<T: FromStr>(&self, table: &'static str, column: &'static str, id: impl ToString) -> Result<T, Error> {
        self.read::<String>(column)?.parse().map_err(|_| corrupt(table, column, id))
    }
}

impl Row for QueryResult {
    fn read<T: TryGetable>(&self, column: &str) -> Result<T, Error> {
        Ok(self.try_get("", column)?)
    }
}

/// The error for a stored value that this program does not write.
pub(crate) fn corrupt(table: &'static str, column: &'static str, id: impl ToString) -> Error {
    Error::Corrupt { table, column, id: id.to_string() }
}
