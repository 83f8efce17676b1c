//! The tables and the programs that work on them: what was applied, which programs a database serves, and bringing tables up to date.

use std::{
    fmt,
    time::{Duration, Instant},
};

use cms_migrations::{Migrator, MigratorTrait};
use sea_orm::{
    ConnectionTrait, DbBackend, EntityTrait, QueryOrder, QuerySelect, SqliteTransactionMode, TransactionOptions, TransactionTrait,
};

use crate::{Backend, Error, Store, executor::Sql};

/// The migrations that were applied.
mod applied {
    use sea_orm::entity::prelude::*;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "seaql_migrations")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) version: String,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Which programs the database serves: one row.
mod served {
    use sea_orm::entity::prelude::*;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "schema_version")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: i16,
        pub(super) min_program: i32,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Keeps migrations of several servers apart: the first key of PostgreSQL's lock, the second is made from the schema's name.
const MIGRATION_LOCK: i32 = 0x636d;
/// How long a migration waits for a table. Everybody else who needs the table waits behind it, so that is how long requests may stand still
/// before its work on the table begins. What that work takes comes on top, and for a migration of several tables all of it again.
const TABLE_WAIT: Duration = Duration::from_secs(2);
/// How long a migration that did not get a table leaves it to the others.
const PAUSE: Duration = Duration::from_secs(3);
/// How long a migration tries again: longer than a backup of a large site holds its tables.
const PATIENCE: Duration = Duration::from_mins(5);

/// A migration and whether it was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationStatus {
    /// Its name.
    pub name: String,
    /// Whether it was applied.
    pub applied: bool,
    /// Whether this program knows it. One that it does not know is of a newer program.
    pub known: bool,
}

/// What a database and this program are to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Versions {
    /// Every migration that either of them has, in the order of their names.
    pub migrations: Vec<MigrationStatus>,
    /// The migration that programs must know, by its number, to work on the database.
    pub min_program: u32,
}

/// Whether this program can work on a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaState {
    /// The tables are what it needs. They may be more: a newer program added to them.
    Ready,
    /// These migrations were not applied yet.
    Pending(Vec<String>),
    /// A newer program took away what this one needs.
    Outdated {
        /// The newest migration that this program knows, by its number.
        newest: u32,
        /// The one that it would have to know.
        min_program: u32,
    },
    /// Program and database each have migrations that the other lacks.
    Diverged {
        /// Those that were not applied.
        pending: Vec<String>,
        /// Those that this program does not know.
        unknown: Vec<String>,
    },
}

impl SchemaState {
    /// How it stands when programs must know a migration that this one does not know.
    pub fn outdated(min_program: u32) -> Option<Self> {
        (min_program > Versions::newest()).then_some(Self::Outdated { newest: Versions::newest(), min_program })
    }
}

/// Says how it stands, and what to do.
impl fmt::Display for SchemaState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready => f.write_str("the tables are up to date"),
            Self::Pending(pending) => {
                write!(f, "the tables are not up to date: run `cms migrate up`, which applies {}", pending.join(", "))
            }
            Self::Outdated { newest, min_program } => write!(
                f,
                "this program is too old for its database: a newer one changed the tables, and only programs that know migration \
                 {min_program} can work on them; this one knows those up to {newest}. Run the newer program"
            ),
            Self::Diverged { pending, unknown } => write!(
                f,
                "this program and its database come from different releases: the database has {}, which the program does not know, and \
                 lacks {}, which the program needs. Run a program that knows them all",
                unknown.join(", "),
                pending.join(", ")
            ),
        }
    }
}

/// Why tables were not brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum MigrateError {
    /// They must not be, by this program.
    #[error("{0}")]
    Refused(SchemaState),
    /// Others held the tables all the time.
    #[error("others held the tables for {} minutes: end what holds them, such as a backup or a long report, and try again", PATIENCE.as_secs() / 60)]
    Held,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl Versions {
    /// The newest migration that this program knows, by its number.
    pub const fn newest() -> u32 {
        cms_migrations::NEWEST
    }

    fn new(applied: &[String], min_program: u32) -> Self {
        let own = cms_migrations::names().map(|name| MigrationStatus {
            name: name.to_owned(),
            applied: applied.iter().any(|applied| applied == name),
            known: true,
        });
        let foreign = applied.iter().filter(|name| cms_migrations::names().all(|known| known != name.as_str()));
        let foreign = foreign.map(|name| MigrationStatus { name: name.clone(), applied: true, known: false });
        let mut migrations: Vec<_> = own.chain(foreign).collect();
        migrations.sort_by(|one, other| one.name.cmp(&other.name));
        Self { migrations, min_program }
    }

    /// The migrations that newer programs applied.
    pub fn unknown(&self) -> Vec<String> {
        self.names(|migration| !migration.known)
    }

    fn names(&self, chosen: impl Fn(&MigrationStatus) -> bool) -> Vec<String> {
        self.migrations.iter().filter(|migration| chosen(migration)).map(|migration| migration.name.clone()).collect()
    }

    /// Whether this program can work on the database.
    pub fn state(&self) -> SchemaState {
        let (pending, unknown) = (self.names(|migration| !migration.applied), self.unknown());
        if let Some(outdated) = SchemaState::outdated(self.min_program) {
            outdated
        } else if pending.is_empty() {
            SchemaState::Ready
        } else if unknown.is_empty() {
            SchemaState::Pending(pending)
        } else {
            SchemaState::Diverged { pending, unknown }
        }
    }
}

impl Store {
    /// What was applied, and whom the database serves.
    pub async fn versions(&self) -> Result<Versions, Error> {
        read(&self.reader().executor()).await
    }

    /// Whether this program can work on the database.
    pub async fn schema_state(&self) -> Result<SchemaState, Error> {
        Ok(self.versions().await?.state())
    }

    /// The migration that programs must know, by its number. That is one small row, so it can be asked often.
    pub async fn min_program(&self) -> Result<u32, Error> {
        min_program(&self.reader().executor()).await
    }

    /// Applies what is missing of the migrations, all or nothing, and names it. Servers that start together take turns. Whoever waits
    /// for a table makes everybody behind it wait: so this one does not wait for long, and tries again.
    pub async fn migrate(&self) -> Result<Vec<String>, MigrateError> {
        if self.schema_state().await? == SchemaState::Ready {
            return Ok(Vec::new());
        }
        let began = Instant::now();
        loop {
            match self.try_to_migrate().await {
                Err(MigrateError::Store(Error::Busy | Error::Waited)) if began.elapsed() < PATIENCE => {
                    tracing::warn!(pause = ?PAUSE, "others hold the tables: the migration lets them, and tries again");
                    tokio::time::sleep(PAUSE).await;
                }
                Err(MigrateError::Store(Error::Busy | Error::Waited)) => return Err(MigrateError::Held),
                done => return done,
            }
        }
    }

    async fn try_to_migrate(&self) -> Result<Vec<String>, MigrateError> {
        let immediate = match self.backend() {
            Backend::Sqlite => Some(SqliteTransactionMode::Immediate),
            Backend::Postgres => None,
        };
        let options = TransactionOptions { sqlite_transaction_mode: immediate, ..TransactionOptions::default() };
        let transaction = self.migrating().begin_with_options(options).await.map_err(Error::from)?;
        if self.backend() == Backend::Postgres {
            // Nobody waits behind this lock but others who migrate. Computing an index takes as long as it takes.
            let patient = format!(
                "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; \
                 SELECT pg_advisory_xact_lock({MIGRATION_LOCK}, hashtext(current_schema())); \
                 SET LOCAL lock_timeout = {}",
                TABLE_WAIT.as_millis()
            );
            transaction.execute_unprepared(&patient).await.map_err(Error::from)?;
        }
        let state = read(&transaction).await?.state();
        let pending = match state {
            SchemaState::Ready => Vec::new(),
            SchemaState::Pending(pending) => pending,
            state => return Err(MigrateError::Refused(state)),
        };
        if !pending.is_empty() {
            Migrator::up(&transaction, None).await.map_err(Error::from)?;
        }
        transaction.commit().await.map_err(Error::from)?;
        Ok(pending)
    }
}

/// Reads where the migrations run, or where everything else does: migrations have connections of their own.
async fn read(connection: &impl ConnectionTrait) -> Result<Versions, Error> {
    let applied = if has(connection, "seaql_migrations").await? {
        let versions = applied::Entity::find().select_only().column(applied::Column::Version).order_by_asc(applied::Column::Version);
        versions.into_tuple::<String>().all(connection).await?
    } else {
        Vec::new()
    };
    // Databases of programs that did not look at it do without.
    let min_program = if has(connection, "schema_version").await? { min_program(connection).await? } else { 0 };
    Ok(Versions::new(&applied, min_program))
}

/// Whether there is a table: a database that is new has none.
async fn has(connection: &impl ConnectionTrait, table: &str) -> Result<bool, Error> {
    let backend = connection.get_database_backend();
    let text = match backend {
        DbBackend::Sqlite => format!("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '{table}'"),
        _ => format!("SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relname = '{table}'"),
    };
    Ok(connection.query_one_raw(text.as_str().statement(backend)).await?.is_some())
}

async fn min_program(connection: &impl ConnectionTrait) -> Result<u32, Error> {
    let numbers = served::Entity::find().select_only().column(served::Column::MinProgram);
    let number: i32 = numbers.into_tuple().one(connection).await?.unwrap_or_default();
    u32::try_from(number).map_err(|_| Error::Corrupt { table: "schema_version", column: "min_program", id: "1".to_owned() })
}

#[cfg(test)]
mod tests {
    use sea_orm::{ConnectOptions, Database};

    use super::*;
    use crate::{both, testing::TestStore};

    /// Does what a newer program would.
    async fn newer(store: &Store, statement: &str) {
        store.migrating().execute_unprepared(statement).await.unwrap();
    }

    const ANOTHER: &str = "INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_future', 0)";
    const TAKES_AWAY: &str = "UPDATE schema_version SET min_program = 9999";

    both! {
        async fn migrating_twice_applies_nothing_the_second_time(store: Store) {
            assert_eq!(store.migrate().await.unwrap(), Vec::<String>::new());
            assert_eq!(store.schema_state().await.unwrap(), SchemaState::Ready);
            assert!(store.versions().await.unwrap().migrations.iter().all(|migration| migration.applied && migration.known));
        }

        async fn programs_that_take_other_locks_are_not_served(store: Store) {
            assert!(store.min_program().await.unwrap() >= 13);
        }

        async fn a_migration_of_a_newer_program_is_accepted(store: Store) {
            newer(&store, ANOTHER).await;
            assert_eq!(store.schema_state().await.unwrap(), SchemaState::Ready);
            assert_eq!(store.migrate().await.unwrap(), Vec::<String>::new());
            let last = store.versions().await.unwrap().migrations.pop().unwrap();
            assert_eq!(last, MigrationStatus { name: "m9999_future".to_owned(), applied: true, known: false });
        }

        async fn a_database_that_a_newer_program_took_something_from_is_refused(store: Store) {
            newer(&store, TAKES_AWAY).await;
            let outdated = SchemaState::Outdated { newest: Versions::newest(), min_program: 9999 };
            assert_eq!(store.schema_state().await.unwrap(), outdated);
            assert_eq!(SchemaState::outdated(store.min_program().await.unwrap()).as_ref(), Some(&outdated));
            let error = store.migrate().await.unwrap_err();
            assert!(matches!(&error, MigrateError::Refused(state) if *state == outdated), "{error}");
            assert!(error.to_string().ends_with("Run the newer program"), "{error}");
        }

        async fn a_database_of_another_line_of_releases_is_refused(store: Store) {
            newer(&store, ANOTHER).await;
            newer(&store, "DELETE FROM seaql_migrations WHERE version = 'm0012_counts'").await;
            let error = store.migrate().await.unwrap_err().to_string();
            assert!(error.contains("has m9999_future") && error.contains("lacks m0012_counts"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_new_database_lacks_every_migration() {
        let options = crate::StoreOptions { max_readers: 1, ..crate::StoreOptions::new("sqlite::memory:") };
        let store = Store::open(&options).await.unwrap();
        let all: Vec<_> = cms_migrations::names().map(str::to_owned).collect();
        assert_eq!(store.schema_state().await.unwrap(), SchemaState::Pending(all.clone()));
        assert_eq!(store.migrate().await.unwrap(), all);
    }

    #[tokio::test]
    async fn a_migration_lets_others_have_the_tables_while_somebody_holds_them() {
        let Some(test) = TestStore::postgres().await.unwrap() else { return };
        let store = test.store();
        newer(store, "DELETE FROM seaql_migrations WHERE version = 'm0012_counts'; ALTER TABLE rate_limits DROP COLUMN ends_at CASCADE")
            .await;
        newer(store, "DROP INDEX oauth_clients_unused").await;

        // As `pg_dump` does, somebody has read the table and not ended yet.
        let backup = Database::connect(ConnectOptions::new(&test.options().url)).await.unwrap();
        let backup = backup.begin().await.unwrap();
        backup.execute_unprepared("SELECT count(*) FROM rate_limits").await.unwrap();
        let migrating = tokio::spawn({
            let store = store.clone();
            async move { store.migrate().await }
        });
        let mut longest = Duration::ZERO;
        let began = Instant::now();
        while began.elapsed() < TABLE_WAIT + PAUSE + TABLE_WAIT / 2 {
            let asked = Instant::now();
            store.reader().executor().all("SELECT count(*) FROM rate_limits").await.unwrap();
            longest = longest.max(asked.elapsed());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(!migrating.is_finished(), "somebody holds the table");
        assert!(longest > TABLE_WAIT / 2 && longest < TABLE_WAIT * 2, "a reader waited behind the migration for {longest:?}");
        backup.rollback().await.unwrap();
        assert_eq!(migrating.await.unwrap().unwrap(), ["m0012_counts"]);
        test.remove().await.unwrap();
    }
}
