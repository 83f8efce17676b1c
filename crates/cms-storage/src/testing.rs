//! Empty, migrated stores for tests: a SQLite file of their own, or a PostgreSQL schema of their own.

use std::{
    io::{Write, stderr},
    sync::{
        Once,
        atomic::{AtomicU32, Ordering},
    },
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database};
use tempfile::TempDir;

use crate::{Error, Store, StoreOptions};

/// A store for one test. Call [`TestStore::remove`] at its end.
pub struct TestStore {
    store: Store,
    options: StoreOptions,
    home: Home,
}

/// Where a test's store lives.
enum Home {
    Folder(#[expect(dead_code, reason = "held until the store is removed")] TempDir),
    Schema { url: String, name: String },
}

/// Tells the stores of one process apart.
static NEXT: AtomicU32 = AtomicU32::new(0);
/// Whether it was said that there is no PostgreSQL.
static SAID: Once = Once::new();

impl TestStore {
    /// A store in a SQLite file.
    pub async fn sqlite() -> Result<Self, Error> {
        let folder = tempfile::tempdir().map_err(Error::backend)?;
        let url = format!("sqlite:{}", folder.path().join("test.db").display());
        Self::open(url, Home::Folder(folder)).await
    }

    /// A store in a schema of the PostgreSQL database that `TEST_DATABASE_URL` names; none when it names none, which each program of tests says once.
    ///
    /// # Panics
    /// Panics when `CI` is `true` and there is no such database: a suite that was skipped must not pass for one that ran.
    pub async fn postgres() -> Result<Option<Self>, Error> {
        let Some(url) = variable("TEST_DATABASE_URL") else {
            assert!(variable("CI").is_none_or(|ci| ci != "true"), "TEST_DATABASE_URL must name a PostgreSQL database when CI is true");
            // Past what test runners keep of a test that passes: nobody is to think that these tests ran.
            SAID.call_once(|| drop(writeln!(stderr(), "TEST_DATABASE_URL names no PostgreSQL database: its tests are left out")));
            return Ok(None);
        };
        Self::postgres_at(&url).await.map(Some)
    }

    /// A store in a schema of this PostgreSQL database.
    pub async fn postgres_at(url: &str) -> Result<Self, Error> {
        let name = format!("test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        // A process that was killed may have left a schema of that name.
        administer(url, &format!("DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}")).await?;
        let separator = if url.contains('?') { '&' } else { '?' };
        let own = format!("{url}{separator}options[search_path]={name}");
        Self::open(own, Home::Schema { url: url.to_owned(), name }).await
    }

    async fn open(url: String, home: Home) -> Result<Self, Error> {
        let options = StoreOptions { max_readers: 4, max_writers: 4, ..StoreOptions::new(url) };
        let store = Store::open(&options).await?;
        store.migrate().await.map_err(Error::backend)?;
        Ok(Self { store, options, home })
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// How to open the same database again, as a second server would.
    pub fn options(&self) -> &StoreOptions {
        &self.options
    }

    /// Closes the store and removes its rows.
    pub async fn remove(self) -> Result<(), Error> {
        self.store.close().await;
        match &self.home {
            Home::Folder(_) => Ok(()),
            Home::Schema { url, name } => administer(url, &format!("DROP SCHEMA {name} CASCADE")).await,
        }
    }
}

impl Store {
    /// Does to the database what no program of ours would, and counts the rows that it touched.
    pub async fn tamper(&self, statement: &str) -> Result<u64, Error> {
        let tx = self.write().await?;
        let touched = tx.executor().execute(statement).await?;
        tx.commit().await?;
        Ok(touched)
    }
}

#[expect(clippy::disallowed_methods, reason = "test runners configure tests by their environment")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

async fn administer(url: &str, statements: &str) -> Result<(), Error> {
    let mut options = ConnectOptions::new(url);
    options.max_connections(1).sqlx_logging(false);
    let connection = Database::connect(options).await?;
    connection.execute_unprepared(statements).await?;
    Ok(connection.close().await?)
}

/// Runs a test in a store and removes the store, whether or not the test panics.
///
/// # Panics
/// Panics when the test does, and when the store cannot be opened or removed.
pub async fn run<T>(opened: Result<Option<TestStore>, Error>, test: impl FnOnce(Store) -> T)
where
    T: Future<Output = ()> + Send + 'static,
{
    let store = match opened {
        Ok(Some(store)) => store,
        Ok(None) => return,
        Err(error) => panic!("no test store: {error:?}"),
    };
    let result = tokio::spawn(test(store.store().clone())).await;
    if let Err(error) = store.remove().await {
        panic!("the test store could not be removed: {error:?}");
    }
    if let Err(error) = result {
        std::panic::resume_unwind(error.into_panic());
    }
}

/// Declares tests that run on both databases: `async fn claim(store: Store) { … }` becomes `claim::on_sqlite` and
/// `claim::on_postgres`.
#[macro_export]
macro_rules! both {
    ($($(#[$attribute:meta])* async fn $name:ident($store:ident: Store) $body:block)*) => {
        $(
            $(#[$attribute])*
            async fn $name($store: Store) $body

            mod $name {
                #[tokio::test]
                async fn on_sqlite() {
                    $crate::testing::run($crate::testing::TestStore::sqlite().await.map(Some), super::$name).await;
                }

                #[tokio::test]
                async fn on_postgres() {
                    $crate::testing::run($crate::testing::TestStore::postgres().await, super::$name).await;
                }
            }
        )*
    };
}
