//! Reading: the rooms that read, and reads that all see the same moment.

use crate::{
    AllowedDomainReader, AuditReader, Callers, CollectionReader, ConnectionReader, Error, FollowerReader, JobReader, LinkReader,
    LockReader, OutboxReader, PasskeyReader, PreviewReader, ProviderRecordReader, RateLimitReader, SessionReader, SettingReader,
    TaskReader, TokenReader, UserReader,
    executor::{Executor, Pool, Transaction},
    sqlite,
};

/// Hands out the rooms that read.
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

    /// Collections.
    pub fn collections(self) -> CollectionReader<'a> {
        CollectionReader::new(self.executor)
    }

    /// Users.
    pub fn users(self) -> UserReader<'a> {
        UserReader::new(self.executor)
    }

    /// Access tokens.
    pub fn tokens(self) -> TokenReader<'a> {
        TokenReader::new(self.executor)
    }

    /// What callers come with.
    pub fn callers(self) -> Callers<'a> {
        Callers::new(self.executor)
    }

    /// Counts of what is limited.
    pub fn rate_limits(self) -> RateLimitReader<'a> {
        RateLimitReader::new(self.executor)
    }

    /// Sessions.
    pub fn sessions(self) -> SessionReader<'a> {
        SessionReader::new(self.executor)
    }

    /// Passkeys.
    pub fn passkeys(self) -> PasskeyReader<'a> {
        PasskeyReader::new(self.executor)
    }

    /// What people sign in with.
    pub fn ways(self) -> crate::WayReader<'a> {
        crate::WayReader::new(self.executor)
    }

    /// Accounts at providers.
    pub fn connections(self) -> ConnectionReader<'a> {
        ConnectionReader::new(self.executor)
    }

    /// What providers keep.
    pub fn provider_records(self) -> ProviderRecordReader<'a> {
        ProviderRecordReader::new(self.executor)
    }

    /// The audit log.
    pub fn audit(self) -> AuditReader<'a> {
        AuditReader::new(self.executor)
    }

    /// Links that were sent to an address.
    pub fn links(self) -> LinkReader<'a> {
        LinkReader::new(self.executor)
    }

    /// Domains whose people may make accounts themselves.
    pub fn allowed_domains(self) -> AllowedDomainReader<'a> {
        AllowedDomainReader::new(self.executor)
    }

    /// Applications that may ask users for access.
    pub fn oauth_clients(self) -> crate::OAuthClientReader<'a> {
        crate::OAuthClientReader::new(self.executor)
    }

    /// What users granted to applications.
    pub fn oauth_grants(self) -> crate::OAuthGrantReader<'a> {
        crate::OAuthGrantReader::new(self.executor)
    }

    /// Device codes.
    pub fn device_codes(self) -> crate::DeviceCodeReader<'a> {
        crate::DeviceCodeReader::new(self.executor)
    }

    /// Edit locks.
    pub fn locks(self) -> LockReader<'a> {
        LockReader::new(self.executor)
    }

    /// Preview links.
    pub fn previews(self) -> PreviewReader<'a> {
        PreviewReader::new(self.executor)
    }

    /// Settings.
    pub fn settings(self) -> SettingReader<'a> {
        SettingReader::new(self.executor)
    }

    /// Jobs.
    pub fn jobs(self) -> JobReader<'a> {
        JobReader::new(self.executor)
    }

    /// Background tasks.
    pub fn tasks(self) -> TaskReader<'a> {
        TaskReader::new(self.executor)
    }

    /// Followers.
    pub fn followers(self) -> FollowerReader<'a> {
        FollowerReader::new(self.executor)
    }

    /// The outbox.
    pub fn outbox(self) -> OutboxReader<'a> {
        OutboxReader::new(self.executor)
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
