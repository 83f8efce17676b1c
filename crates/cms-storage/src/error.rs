//! Errors, mapped from the database's in one place.

use std::{fmt, sync::Arc};

use cms_domain::id::FieldId;
use sea_orm::{DbErr, RuntimeErr, SqlErr, sqlx};

use crate::{Remedy, tables};

/// Why rows could not be read or written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The write would break a rule that the database keeps.
    #[error("the write conflicts with another row: {0}")]
    Conflict(Constraint),
    /// The row changed since it was read.
    #[error("the row changed since it was read")]
    Stale,
    /// Others were in the way; the same work may succeed when it is tried again at once.
    #[error("the database is busy")]
    Busy,
    /// Others are in the way, and stayed there for as long as one waits.
    #[error("the database is busy: somebody else held what was needed for too long")]
    Waited,
    /// There is no room for what was to be stored.
    #[error("the disk of the database is full")]
    Full(#[source] BackendError),
    /// The database could not be reached, or the connection to it broke. Nothing was stored.
    #[error("the database cannot be reached")]
    Unreachable(#[source] BackendError),
    /// The connection broke while everything was being stored: nobody knows whether it was.
    #[error("the connection broke while the change was being stored: it may be stored or not")]
    Unsure(#[source] BackendError),
    /// No index serves the list, and it would look at more rows than it may.
    #[error("the list looks at too many rows")]
    Unindexed(Remedy),
    /// A stored value is none that this program writes.
    #[error("row `{id}` of the table {table} holds what cannot be read in {column}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row.
        id: String,
    },
    /// The address is not of SQLite, and the program can use nothing else.
    #[error(
        "this program can use SQLite alone, at an address that begins with `sqlite:`: for PostgreSQL, build it with the feature `postgres` of `cms-storage`"
    )]
    LeftOut,
    /// The database failed.
    #[error("the database failed")]
    Backend(#[source] BackendError),
}

/// A rule that the database keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// No two entries of a collection and a locale have the same slug.
    EntrySlug,
    /// A translation group has one entry a locale.
    EntryTranslation,
    /// No two entries of a locale have the same value in a unique field.
    UniqueField {
        /// [`cms_domain::field::Register::id`] of the field.
        register: FieldId,
    },
    /// No two collections have the same slug.
    CollectionSlug,
    /// No two fields of a collection have the same slug.
    FieldSlug,
    /// No two users have the same address.
    UserEmail,
    /// No two passkeys have the same credential.
    PasskeyCredential,
    /// Of the jobs of one name one is under way.
    JobName,
    /// No two rows have the same values in a unique index, which has this name.
    Unique(&'static str),
    /// What a row refers to exists.
    Reference,
    /// Another one; only a fault in this program breaks it.
    Other,
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EntrySlug => f.write_str("entry slug"),
            Self::EntryTranslation => f.write_str("entry translation"),
            Self::UniqueField { register } => write!(f, "register of unique values {register}"),
            Self::CollectionSlug => f.write_str("collection slug"),
            Self::FieldSlug => f.write_str("field slug"),
            Self::UserEmail => f.write_str("user email"),
            Self::PasskeyCredential => f.write_str("passkey credential"),
            Self::JobName => f.write_str("job name"),
            Self::Unique(index) => write!(f, "unique index {index}"),
            Self::Reference => f.write_str("reference"),
            Self::Other => f.write_str("other"),
        }
    }
}

/// What the database said. For logs; never shown to callers.
#[derive(Debug, Clone)]
pub struct BackendError(Arc<dyn std::error::Error + Send + Sync>);

impl BackendError {
    fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into().into())
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for BackendError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

/// Result codes of SQLite for a database, a table or a snapshot that others hold (5, 6 and their extensions), and SQLSTATEs of PostgreSQL
/// for a serialization failure and a deadlock: who lost tries again.
const BUSY: [&str; 8] = ["5", "261", "517", "773", "6", "262", "40001", "40P01"];
/// SQLSTATEs of PostgreSQL for a lock that did not become free in time, a statement that took too long, and for memory of which there is no
/// more.
const WAITED: [&str; 3] = ["55P03", "57014", "53200"];
/// A disk that is full: the result code of SQLite, and the SQLSTATE of PostgreSQL.
const FULL: [&str; 2] = ["13", "53100"];
/// SQLSTATEs of PostgreSQL for a server that stops, that was stopped, that is not ready yet, or that takes no more connections, and for a
/// transaction that was left alone. The class 08 is for connections that broke.
const UNREACHABLE: [&str; 6] = ["57P01", "57P02", "57P03", "53300", "57P05", "25P03"];

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        DbErr::Query(RuntimeErr::SqlxError(error.into())).into()
    }
}

/// An error on its way through sea-orm, which has no place of its own for errors of others: as one of those of sqlx that it looks into nowhere.
pub(crate) fn carrying(error: impl std::error::Error + Send + Sync + 'static) -> DbErr {
    DbErr::Query(RuntimeErr::SqlxError(sqlx::Error::Decode(Box::new(error)).into()))
}

/// The error that [`carrying`] sent through sea-orm.
pub(crate) fn carried<T: std::error::Error + 'static>(error: &DbErr) -> Option<&T> {
    let DbErr::Query(RuntimeErr::SqlxError(source)) = error else { return None };
    let sqlx::Error::Decode(carried) = &**source else { return None };
    carried.downcast_ref()
}

impl From<Error> for DbErr {
    fn from(error: Error) -> Self {
        carrying(error)
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        if let Some(own) = carried::<Self>(&error) {
            return own.clone();
        }
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(message)) => Self::Conflict(tables::broken(&message).unwrap_or(Constraint::Other)),
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Self::Conflict(Constraint::Reference),
            _ => Self::of(error),
        }
    }
}

impl Error {
    fn of(error: DbErr) -> Self {
        let (DbErr::Conn(RuntimeErr::SqlxError(source))
        | DbErr::Exec(RuntimeErr::SqlxError(source))
        | DbErr::Query(RuntimeErr::SqlxError(source))) = &error
        else {
            return match error {
                DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::Timeout) => Self::Waited,
                error => Self::Backend(BackendError(Arc::new(error))),
            };
        };
        match &**source {
            sqlx::Error::Database(refusal) => {
                let code = refusal.code().unwrap_or_default();
                let is_of = |codes: &[&str]| codes.contains(&&*code);
                // Numbers are result codes of SQLite, which has no connections.
                if is_of(&BUSY) {
                    Self::Busy
                } else if is_of(&WAITED) {
                    Self::Waited
                } else if is_of(&FULL) {
                    Self::Full(BackendError(Arc::new(error)))
                } else if is_of(&UNREACHABLE) || code.len() == 5 && code.starts_with("08") {
                    Self::Unreachable(BackendError(Arc::new(error)))
                } else {
                    Self::Backend(BackendError(Arc::new(error)))
                }
            }
            sqlx::Error::PoolTimedOut => Self::Waited,
            sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) | sqlx::Error::BeginFailed => {
                Self::Unreachable(BackendError(Arc::new(error)))
            }
            _ => Self::Backend(BackendError(Arc::new(error))),
        }
    }

    /// The database does not answer.
    #[cfg(feature = "postgres")]
    pub(crate) fn unreachable(reason: &'static str) -> Self {
        Self::Unreachable(BackendError::new(reason))
    }

    /// Nobody knows whether a change was stored.
    pub(crate) fn unsure(reason: &'static str) -> Self {
        Self::Unsure(BackendError::new(reason))
    }

    /// An error of something else that storage needs, such as the file system.
    pub(crate) fn backend(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Backend(BackendError::new(error))
    }
}
