//! Rows: the only crate that knows SQL, on SQLite and PostgreSQL. What goes in and comes out are types of `cms-domain`.

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
#[cfg(test)]
mod fixtures;
mod followers;
mod jobs;
mod keyset;
mod locks;
mod outbox;
mod postgres;
mod previews;
mod revisions;
mod row;
mod settings;
mod snapshot;
mod sqlite;
mod statement;
mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tokens;
mod tx;
mod users;
mod versions;

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
pub use entries::{Author, Due, EntryReader, EntryStamp, EntryView, EntryWriter, Found, Progress, Repeated, Totals, Trash};
pub use entry_list::{Count, DateRange, ListQuery, Page, Position, Remedy, Sort};
pub use error::{BackendError, Constraint, Error};
pub use followers::{Follower, FollowerReader, FollowerWriter};
pub use jobs::{FailedItem, JobFilter, JobProgress, JobReader, JobWriter, NewJob, StoredJob};
pub use locks::{EditLock, LockReader, LockWriter};
pub use outbox::{News, OutboxPosition, OutboxReader, OutboxWriter, Seen};
pub use postgres::Listener;
pub use previews::{PreviewLink, PreviewReader, PreviewWriter};
pub use revisions::{Revision, RevisionPage, RevisionReader, RevisionWriter, Surplus};
pub use settings::{SettingReader, SettingWriter};
pub use snapshot::{Reader, Snapshot};
pub use tasks::{TaskReader, TaskState, TaskWriter};
pub use tokens::{StoredToken, TokenReader, TokenWriter};
pub use tx::Tx;
pub use users::{FoundUser, UserFilter, UserReader, UserWriter};
pub use versions::{MigrateError, MigrationStatus, SchemaState, Versions};
