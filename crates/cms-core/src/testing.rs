//! What tests of operations stand on: a system over an empty store, a clock that only the test moves, ids that count.

mod authenticator;
mod browser;

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

pub use authenticator::Authenticator;
pub use browser::Browser;
pub use cms_accounts::testing::SignIn;
use cms_accounts::{Services, tokens::CreateToken};
use cms_domain::{
    access::{Actor, Caller, Scope, Via, to},
    id::{TokenId, UserId},
    slug::CollectionSlug,
    time::Timestamp,
    user::{Role, User},
};
use cms_frame::{
    Client, Clock, Cms, Cookie, Door, Error, Ids, Options, Watch, descriptor::Descriptor, operation::Operation, topics::Topic,
};
use cms_media::{Library, files};
use cms_storage::Store;
pub use cms_storage::testing::TestStore;
use serde_json::Value;
use tempfile::TempDir;
use ulid::Ulid;

use crate::Parts;

/// A clock that stands still until a test moves it. It begins at 2027-01-01T00:00:00Z.
#[derive(Debug)]
pub struct TestClock(AtomicI64);

impl Default for TestClock {
    fn default() -> Self {
        Self(AtomicI64::new(1_798_761_600_000))
    }
}

impl TestClock {
    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.set(self.now().after(by));
    }

    /// Sets the clock.
    pub fn set(&self, at: Timestamp) {
        self.0.store(at.milliseconds(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_milliseconds(self.0.load(Ordering::SeqCst))
    }
}

/// Ids that carry a counter where others carry chance.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self, now: Timestamp) -> [u8; 16] {
        let count = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        Ulid::from_parts(u64::try_from(now.milliseconds()).unwrap_or(0), count.into()).to_bytes()
    }
}

/// A system for one test. It has one user for each role; two locales, `en` and `de`.
#[derive(Clone)]
pub struct TestApp {
    cms: Cms,
    store: Store,
    clock: Arc<TestClock>,
    ids: Arc<CountingIds>,
    /// Where its files are, until the last of its servers is gone.
    _folder: Arc<TempDir>,
}

impl TestApp {
    /// A system over an empty, migrated store.
    pub async fn open(store: Store) -> Result<Self, Error> {
        let (clock, ids) = (Arc::new(TestClock::default()), Arc::new(CountingIds::default()));
        let locales = ["en", "de"].iter().filter_map(|locale| locale.parse().ok()).collect::<Vec<_>>();
        let options = Options { locales: locales.try_into().map_err(Error::internal)?, ..Options::default() };
        let folder = Arc::new(tempfile::tempdir().map_err(Error::internal)?);
        let library = Library { store: Some(files::Store::folder(folder.path()).map_err(Error::internal)?), ..Library::default() };
        let parts = Parts { library, clock: clock.clone(), ids: ids.clone(), ..Parts::default() };
        let cms = with_sign_in(crate::assemble(store.clone(), options, parts));
        let app = Self { cms, store, clock, ids, _folder: folder };
        app.add_users().await?;
        Ok(app)
    }

    async fn add_users(&self) -> Result<(), Error> {
        let permit = Actor::System.permit(to::ManageUsers)?;
        let tx = self.store().write().await?;
        for role in Role::ALL {
            let email = format!("{role}@example.com").parse().map_err(Error::internal)?;
            let user = User { name: Some(role.to_string()), ..User::new(Self::user(role), email, role, self.clock.now()) };
            tx.users().insert(&permit, &user).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Watches what the public sees of a collection.
    ///
    /// # Panics
    /// Panics where there is no such collection.
    pub async fn watch(&self, collection: &CollectionSlug) -> Watch {
        let collection = match self.store().reader().collections().by_slug(collection).await {
            Ok(Some(collection)) => collection.id,
            missing => panic!("no collection to watch: {missing:?}"),
        };
        let mut watch = self.cms.watch();
        watch.on(Topic::Schema(collection));
        watch.on(Topic::Entries(collection));
        watch
    }

    /// Another server over the same store, with the same clock, its own memory, and options of the test's.
    #[must_use]
    pub fn another(&self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.cms.options().clone();
        change(&mut options);
        self.over_the_same_store(options, self.parts())
    }

    /// Another server over the same store, with a clock of its own.
    #[cfg(test)]
    pub(crate) fn by(&self, clock: Arc<dyn Clock>) -> Self {
        self.over_the_same_store(self.cms.options().clone(), Parts { clock, ..self.parts() })
    }

    /// The same system with what others do for it.
    #[must_use]
    pub fn serving(&self, change: impl FnOnce(&mut Services)) -> Self {
        let mut parts = self.parts();
        change(&mut parts.services);
        self.over_the_same_store(self.cms.options().clone(), parts)
    }

    /// Another server over the same store, with a library that is set up otherwise.
    #[must_use]
    pub fn keeping(&self, change: impl FnOnce(&mut Library)) -> Self {
        let mut parts = self.parts();
        change(&mut parts.library);
        self.over_the_same_store(self.cms.options().clone(), parts)
    }

    /// What it is put together from, for a host that puts a system together by itself.
    pub fn parts(&self) -> Parts {
        let (services, library) = (Services::of(&self.cms).clone(), cms_media::of(&self.cms).library().clone());
        Parts { services, library, clock: self.clock.clone(), ids: self.ids.clone() }
    }

    /// The system that a host has put together over the same store, with the same clock and ids. It has no [`SignIn`]: its people come in as the host has it.
    #[must_use]
    pub fn hosted(&self, cms: Cms) -> Self {
        Self { cms, ..self.clone() }
    }

    fn over_the_same_store(&self, options: Options, parts: Parts) -> Self {
        let cms = with_sign_in(crate::assemble(self.store().clone(), options, parts));
        Self { cms, ..self.clone() }
    }

    /// The same system with an operation that a test has of its own.
    ///
    /// # Panics
    /// Panics when the operation is in the way of another one.
    #[must_use]
    pub fn having<O: Operation>(&self) -> Self {
        match self.cms.add_operations([Descriptor::of::<O>()]) {
            Ok(()) => self.clone(),
            Err(error) => panic!("{error}"),
        }
    }

    /// The system.
    pub fn cms(&self) -> &Cms {
        &self.cms
    }

    /// The rows.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The clock.
    pub fn clock(&self) -> &TestClock {
        &self.clock
    }

    /// The user of a role.
    pub fn user(role: Role) -> UserId {
        cms_accounts::testing::user(role)
    }

    /// The user of a role, whom the host vouches for: it is never asked for another proof.
    pub fn actor(role: Role) -> Actor {
        Actor::User(Caller { user: Self::user(role), role, via: Via::Host })
    }

    /// The user of a role, with a token of these scopes.
    pub fn token(role: Role, scopes: &[Scope]) -> Actor {
        let via = Via::Token(TokenId::from_parts(0, role.level().into()), scopes.iter().copied().collect());
        Actor::User(Caller { user: Self::user(role), role, via })
    }

    /// Does an operation as the REST door would, for the user of a role.
    pub async fn run<O: Operation>(&self, role: Role, operation: O) -> Result<O::Output, Error> {
        self.cms.invoke(&Self::actor(role), Door::Rest, operation).await
    }

    /// Opens a session for the user of a role, and answers with its secret.
    pub async fn sign_in(&self, role: Role) -> Result<String, Error> {
        let done = self.cms.call(&Actor::Anonymous, Door::Local, &Client::default(), SignIn { role }).await?;
        let secret = done.cookies.into_iter().find_map(|cookie| match cookie {
            Cookie::Session { secret, .. } => Some(secret),
            _ => None,
        });
        secret.ok_or_else(|| Error::internal("no session was opened"))
    }

    /// A new access token of the user of a role.
    pub async fn token_of(&self, role: Role, scopes: &[Scope]) -> Result<String, Error> {
        let user = Some(format!("{role}@example.com").parse().map_err(Error::internal)?);
        let make = CreateToken { user, name: "test".to_owned(), scopes: scopes.iter().copied().collect(), expires_at: None };
        Ok(self.cms.invoke(&Actor::System, Door::Local, make).await?.token)
    }

    /// Does what the background would do at this moment.
    pub async fn settle(&self) -> Result<(), Error> {
        crate::tasks::settle(&self.cms).await
    }

    /// Does an operation with an input in JSON, and answers in JSON.
    pub async fn call<O: Operation>(&self, role: Role, input: Value) -> Result<Value, Error> {
        let operation: O = serde_json::from_value(input).map_err(|error| Error::issue("", "INVALID_INPUT", error.to_string()))?;
        Ok(serde_json::to_value(self.run(role, operation).await?)?)
    }
}

/// A system of tests: it has [`SignIn`] as well.
fn with_sign_in(cms: Cms) -> Cms {
    match cms.add_operations([Descriptor::of::<SignIn>()]) {
        Ok(()) => cms,
        Err(error) => panic!("a system that has just begun has the operation already: {error}"),
    }
}

/// Runs a test in a system over a store, and removes the store.
///
/// # Panics
/// Panics when the test does, and when the system cannot be opened.
pub async fn run<T>(opened: Result<Option<TestStore>, cms_storage::Error>, test: impl FnOnce(TestApp) -> T + Send + 'static)
where
    T: Future<Output = ()> + Send + 'static,
{
    cms_storage::testing::run(opened, |store| async move {
        match TestApp::open(store).await {
            Ok(app) => test(app).await,
            Err(error) => panic!("no test system: {error:?}"),
        }
    })
    .await;
}

/// Declares tests that run on both databases: `async fn claim(app: TestApp) { … }` becomes `claim::on_sqlite` and
/// `claim::on_postgres`.
#[macro_export]
macro_rules! both {
    ($($(#[$attribute:meta])* async fn $name:ident($app:ident: TestApp) $body:block)*) => {
        $(
            $(#[$attribute])*
            mod $name {
                use super::*;

                async fn claim($app: $crate::testing::TestApp) $body

                #[tokio::test]
                async fn on_sqlite() {
                    $crate::testing::run($crate::testing::TestStore::sqlite().await.map(Some), claim).await;
                }

                #[tokio::test]
                async fn on_postgres() {
                    $crate::testing::run($crate::testing::TestStore::postgres().await, claim).await;
                }
            }
        )*
    };
}
