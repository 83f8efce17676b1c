//! The rows of a headless CMS, on SQLite and on PostgreSQL. No other crate knows SQL, and this one decides nothing: what goes in and what comes out are the
//! types of `cms-domain`.
//!
//! If you embed the system, you need this crate for one thing: to open its database.
//!
//! ```
//! use cms_storage::{SchemaState, Store, StoreOptions};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // `sqlite:blog.db` is a file, and `postgres://user:password@host/name` is for more than
//! // one machine.
//! let store = Store::open(&StoreOptions::new("sqlite::memory:")).await?;
//! store.migrate().await?;
//! match store.schema_state().await? {
//!     SchemaState::Ready => {}
//!     state => return Err(state.to_string().into()),
//! }
//!
//! assert!(store.reader().collections().all().await?.is_empty());
//! store.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! [`Store::migrate`] brings the tables up to date, all of them or none, and programs that start at the same time take turns.
//! [`Store::schema_state`] is for the opposite case, a database that a newer program has already changed: it says whether this one can still work with it.
//!
//! # How it is read and written
//!
//! [`Store::reader`] reads what is committed at that moment, [`Store::snapshot`] reads several things that belong together, and [`Store::write`] begins a
//! transaction, [`Tx`]. From there each sort of rows has a reader and a writer of its own, such as [`EntryReader`] and [`EntryWriter`]. Whatever people own,
//! or what gives access, is written with a [`Permit`](cms_domain::access::Permit) that says in its type what for, and of an account whose:
//!
//! ```
//! # use cms_domain::{access::{Permit, to}, entry::Entry};
//! # use cms_storage::{Error, Tx};
//! async fn remove(
//!     tx: &Tx,
//!     permit: &Permit<to::RemoveContent>,
//!     entry: &Entry,
//! ) -> Result<(), Error> {
//!     tx.entries().remove(permit, entry).await
//! }
//! ```
//!
//! With another one it does not compile:
//!
//! ```compile_fail
//! # use cms_domain::{access::{Permit, to}, entry::Entry};
//! # use cms_storage::{Error, Tx};
//! async fn remove(
//!     tx: &Tx,
//!     permit: &Permit<to::ManageSchema>,
//!     entry: &Entry,
//! ) -> Result<(), Error> {
//!     tx.entries().remove(permit, entry).await
//! }
//! ```
//!
//! What the system keeps for itself takes none: what is derived, events, audit lines, counts, challenges, leases, who has what open, followers' positions, how
//! far jobs and tasks are, when something was used, what has expired. Nor does what is spent or ended by its own secret.
//!
//! The rows are nobody's contract. A program that embeds the system talks to it in operations (`cms-core`) and leaves the tables alone, because reading them
//! goes round every rule about who may see what.
//!
//! # Where to go on
//!
//! - [`StoreOptions`]: how many connections there are, what a power cut may cost on SQLite, and poolers in front of PostgreSQL.
//! - [`Backend`]: what the two databases do differently, as far as anybody above has to know.
//! - [`dump`](dump()) and [`restore`](restore()): a whole site as files, from either database into either.
//! - [`Error`]: what can go wrong. A value that no program of ours writes is reported with its table, column and row.

mod accounts;
mod check;
mod collections;
mod column;
mod damage;
mod db;
mod dump;
mod entries;
mod entry_index;
mod entry_list;
mod error;
mod executor;
mod expiry;
mod files;
#[cfg(test)]
mod fixtures;
mod followers;
mod jobs;
mod keyset;
mod locks;
mod outbox;
#[cfg_attr(not(feature = "postgres"), path = "no_postgres.rs")]
mod postgres;
mod revisions;
mod row;
mod settings;
mod snapshot;
mod sqlite;
mod statement;
mod tables;
mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tokens;
mod tx;
mod users;
mod versions;

/// Declares resources that are a file each: what the file offers to others, and its table. They are in the order of archives, where each is behind
/// those that it refers to, so new ones come at the end.
macro_rules! resources {
    ($($resource:ident,)*) => {
        $(
            mod $resource;
            pub use $resource::*;
        )*
        const RESOURCES: &[fn() -> tables::Table] = &[$($resource::table),*];
    };
}

resources! {
    previews,
    bulk,
    views,
    watchers,
    media_folders,
    media,
    media_awaited,
    loose_files,
    media_usage,
    media_usage_coverage,
}

pub use accounts::{AllowedDomain, AllowedDomainReader, AllowedDomainWriter, Link, LinkKind, LinkReader, LinkWriter};
pub use accounts::{
    AuditActor, AuditFilter, AuditLine, AuditReader, AuditWriter, Challenge, ChallengeWriter, RateLimitReader, RateLimitWriter, SecretHash,
    SessionReader, SessionWriter, StoredSession,
};
pub use accounts::{Callers, Credential, Standing};
pub use accounts::{ChainCheck, ChainFlaw, ChainLink};
pub use accounts::{ConnectionReader, ConnectionWriter, ProviderRecordReader, ProviderRecordWriter, StoredConnection};
pub use accounts::{Counted, HeldWays, WayReader};
pub use accounts::{
    DeviceCodeReader, DeviceCodeWriter, DeviceStatus, GrantToken, OAuthClientReader, OAuthClientWriter, OAuthCodeWriter, OAuthGrantReader,
    OAuthGrantWriter, StoredClient, StoredCode, StoredDeviceCode, StoredGrant, TokenKind,
};
pub use accounts::{PasskeyReader, PasskeyWriter, StoredPasskey};
pub use check::{Disagreement, Mending};
pub use cms_domain::entry::DateField;
pub use collections::{CollectionReader, CollectionWriter, IndexWork};
pub use db::{Backend, PoolLoad, Store, StoreOptions, Synchronous};
pub use dump::{DumpError, Manifest, TableSummary, dump, restore, summarize};
pub use entries::{
    Author, BEFORE_ALL, CalendarPage, CalendarQuery, Due, EntryReader, EntryStamp, EntryView, EntryWriter, Found, Happening, HappeningAt,
    Progress, RecentPage, RecentQuery, Repeated, Totals, Trash,
};
pub use entry_list::{Count, DateRange, ListQuery, Page, Position, Remedy, Sort};
pub use error::{BackendError, Constraint, Error};
pub use files::{FileLine, FileReader, FileWriter, StoredFile};
pub use followers::{Follower, FollowerReader, FollowerWriter};
pub use jobs::{FailedItem, JobFilter, JobProgress, JobReader, JobWriter, NewJob, StoredJob};
pub use locks::{EditLock, LockReader, LockWriter};
pub use outbox::{News, OutboxPosition, OutboxReader, OutboxWriter, Seen};
pub use postgres::Listener;
pub use revisions::{Revision, RevisionPage, RevisionReader, RevisionWriter, Surplus};
pub use settings::{SettingReader, SettingWriter};
pub use snapshot::{Reader, Snapshot};
pub use tasks::{TaskReader, TaskState, TaskWriter};
pub use tokens::{StoredToken, TokenReader, TokenWriter};
pub use tx::Tx;
pub use users::{FoundUser, UserFilter, UserReader, UserWriter};
pub use versions::{MigrateError, MigrationStatus, SchemaState, Versions};
