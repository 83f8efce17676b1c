//! Errors, mapped from the database's in one place.

use std::fmt;

use cms_domain::id::FieldId;
use sea_orm::{DbErr, RuntimeErr, SqlErr};

/// Why rows could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The write would break a rule that the database keeps.
    #[error("the write conflicts with another row: {0}")]
    Conflict(Constraint),
    /// The row changed since it was read.
    #[error("the row changed since it was read")]
    Stale,
    /// Others were in the way; the same work may succeed when it is tried again.
    #[error("the database is busy")]
    Busy,
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
        /// The field.
        field: FieldId,
    },
    /// No two collections have the same slug.
    CollectionSlug,
    /// No two fields of a collection have the same slug.
    FieldSlug,
    /// No two users have the same address.
    UserEmail,
    /// No two passkeys have the same credential.
    PasskeyCredential,
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
            Self::UniqueField { field } => write!(f, "unique field {field}"),
            Self::CollectionSlug => f.write_str("collection slug"),
            Self::FieldSlug => f.write_str("field slug"),
            Self::UserEmail => f.write_str("user email"),
            Self::PasskeyCredential => f.write_str("passkey credential"),
            Self::Reference => f.write_str("reference"),
            Self::Other => f.write_str("other"),
        }
    }
}

/// What the database said. For logs; never shown to callers.
#[derive(Debug)]
pub struct BackendError(Box<dyn std::error::Error + Send + Sync>);

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

/// How each database names a unique index in its message: SQLite by its columns, PostgreSQL by its name.
const UNIQUE: [(&str, &str, Constraint); 6] = [
    ("entries.collection_id, entries.slug, entries.locale", "\"entries_slug\"", Constraint::EntrySlug),
    ("entries.translation_group, entries.locale", "\"entries_translation\"", Constraint::EntryTranslation),
    ("content_types.slug", "\"content_types_slug\"", Constraint::CollectionSlug),
    ("fields.collection_id, fields.slug", "\"fields_slug\"", Constraint::FieldSlug),
    ("users.email", "\"users_email\"", Constraint::UserEmail),
    ("passkeys.credential_id", "\"passkeys_credential\"", Constraint::PasskeyCredential),
];

/// Result codes of SQLite for a database, a table or a snapshot that others hold (5, 6 and their extensions), and SQLSTATEs
/// of PostgreSQL for a serialization failure, a deadlock and a lock that is not available.
const BUSY: [&str; 9] = ["5", "261", "517", "773", "6", "262", "40001", "40P01", "55P03"];

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        match error.sql_err() {
            Some(SqlErr::UniqueConstraintViolation(message)) => {
                let named = UNIQUE.iter().find(|(columns, name, _)| message.contains(columns) || message.contains(name));
                Self::Conflict(named.map_or(Constraint::Other, |(_, _, constraint)| *constraint))
            }
            Some(SqlErr::ForeignKeyConstraintViolation(_)) => Self::Conflict(Constraint::Reference),
            _ if is_busy(&error) => Self::Busy,
            _ => Self::Backend(BackendError(Box::new(error))),
        }
    }
}

impl Error {
    /// An error of something else that storage needs, such as the file system.
    pub(crate) fn backend(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Backend(BackendError(error.into()))
    }
}

fn is_busy(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(sea_orm::ConnAcquireErr::Timeout) => true,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            matches!(&**error, sea_orm::sqlx::Error::Database(error) if error.code().is_some_and(|code| BUSY.contains(&&*code)))
        }
        _ => false,
    }
}
