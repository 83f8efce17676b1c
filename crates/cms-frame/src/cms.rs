//! The system: rows, time, ids, and what this process remembers of them. Cloned freely, invoked with operations.

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use cms_domain::{
    access::{Access, Actor},
    event::Event,
    id::Id,
    product::Product,
    time::Timestamp,
};
use cms_storage::Store;
use tokio::sync::{Notify, watch};

use crate::{
    Clock, Error, Ids, Options,
    area::Area,
    background::Background,
    callers::Callers,
    catalog::Catalog,
    descriptor::Pending,
    following::Following,
    hooks::Hooks,
    intake::Intake,
    jobs::{self, Jobs},
    standing::Standing,
    topics::{Topics, Watch},
    upkeep::Upkeep,
};

/// The content management system, opened. A clone is another handle to the same one.
#[derive(Clone)]
pub struct Cms {
    inner: Arc<Inner>,
    /// The rows, on connections for whoever has this handle.
    store: Store,
}

struct Inner {
    catalog: RwLock<Arc<Catalog>>,
    options: Options,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    callers: Arc<dyn Callers>,
    areas: Vec<Arc<dyn Area>>,
    background: Background,
    intake: Intake,
    jobs: Jobs,
    following: Arc<Following>,
    hooks: Hooks,
    topics: Arc<Topics>,
    unsealed: Notify,
    committed: Notify,
    told: Notify,
    standing: Standing,
    stopping: watch::Sender<bool>,
}

/// What a system is put together from.
pub struct Assembly {
    /// The rows: a migrated database.
    pub store: Store,
    /// How the site is set up.
    pub options: Options,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// The operations that it always has.
    pub catalog: Arc<Catalog>,
    /// The kinds of jobs that it always has.
    pub jobs: Vec<jobs::Kind>,
}

/// What areas keep in memory for a system, and which of them knows the callers.
pub struct Areas {
    /// Knows the callers.
    pub callers: Arc<dyn Callers>,
    /// All of them.
    pub all: Vec<Arc<dyn Area>>,
}

impl Cms {
    /// Opens the system. `areas` makes what its areas keep in memory, which they may believe as long as the system follows what others do.
    pub fn assemble(parts: Assembly, areas: impl FnOnce(&Options, &Arc<Following>) -> Areas) -> Self {
        let Assembly { store, options, clock, ids, catalog, jobs } = parts;
        let following = Arc::new(Following::default());
        let Areas { callers, all: areas } = areas(&options, &following);
        let inner = Inner {
            catalog: RwLock::new(catalog),
            clock,
            ids,
            callers,
            areas,
            background: Background::default(),
            intake: Intake::new(options.body_memory),
            topics: Arc::new(Topics::new(Arc::clone(&following))),
            options,
            following,
            hooks: Hooks::default(),
            jobs: Jobs::new(jobs),
            unsealed: Notify::new(),
            committed: Notify::new(),
            told: Notify::new(),
            standing: Standing::default(),
            stopping: watch::Sender::new(false),
        };
        Self { inner: Arc::new(inner), store }
    }

    /// How the site is set up.
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// What the product is called, and where it is.
    pub fn product(&self) -> &Product {
        &self.inner.options.product
    }

    /// What an operation asks of its callers on this site.
    pub fn access(&self, access: Access) -> Access {
        if self.options().contributors_edit_own_drafts { access } else { access.without_own_drafts() }
    }

    /// The rows, for the frame alone: whoever opened the store has it anyway, and operations go through their context.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// The same system for what goes on beside requests: it waits for no connection to the database that a request uses.
    #[must_use]
    pub fn beside_requests(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), store: self.store.in_background() }
    }

    /// How long ago this process last knew everything that others did; none where it does not follow them. After five seconds it
    /// believes nothing that it remembers.
    pub fn lag(&self) -> Option<Duration> {
        self.following().lag()
    }

    /// Now, by the system's clock.
    pub fn now(&self) -> Timestamp {
        self.inner.clock.now()
    }

    /// The room for bodies that are arriving, which all doors share.
    pub fn intake(&self) -> &Intake {
        &self.inner.intake
    }

    pub(crate) fn operations(&self) -> &RwLock<Arc<Catalog>> {
        &self.inner.catalog
    }

    /// A new id, greater than those of before.
    pub fn new_id<K>(&self, now: Timestamp) -> Id<K> {
        Id::from_bytes(self.inner.ids.next(now))
    }

    /// Begins to watch what answers are made of. Begin before reading what is to be kept.
    pub fn watch(&self) -> Watch {
        self.inner.topics.watch()
    }

    /// Who knows the callers.
    pub(crate) fn callers(&self) -> &dyn Callers {
        &*self.inner.callers
    }

    pub(crate) fn areas(&self) -> &[Arc<dyn Area>] {
        &self.inner.areas
    }

    pub(crate) fn background(&self) -> &Background {
        &self.inner.background
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.inner.clock
    }

    pub(crate) fn hooks(&self) -> &Hooks {
        &self.inner.hooks
    }

    pub(crate) fn jobs(&self) -> &Jobs {
        &self.inner.jobs
    }

    pub(crate) fn following(&self) -> &Following {
        &self.inner.following
    }

    /// Wakes whoever tells others that something happened.
    pub(crate) fn committed(&self) -> &Notify {
        &self.inner.committed
    }

    /// Wakes whoever follows what others do, when one of them says that there is something.
    pub(crate) fn told(&self) -> &Notify {
        &self.inner.told
    }

    /// Wakes whoever seals the lines of the audit log.
    pub(crate) fn unsealed(&self) -> &Notify {
        &self.inner.unsealed
    }

    /// What programs must know, as this one last saw.
    pub(crate) fn standing(&self) -> &Standing {
        &self.inner.standing
    }

    /// Whose session a browser has: nobody's when it ended.
    pub fn identify_session<'a>(&'a self, secret: &'a str) -> Pending<'a, Result<Actor, Error>> {
        Box::pin(async move {
            self.must_be_current()?;
            self.callers().identify_session(self, self.store().reader(), secret).await
        })
    }

    /// Who sends a request with this bearer token.
    pub fn identify<'a>(&'a self, token: &'a str) -> Pending<'a, Result<Actor, Error>> {
        Box::pin(async move {
            self.must_be_current()?;
            self.callers().identify(self, self.store().reader(), token).await
        })
    }

    /// Refuses somebody who lost what they came with since they were identified: for whoever answers them for long.
    pub async fn must_stand(&self, actor: &Actor) -> Result<(), Error> {
        let Actor::User(caller) = actor else { return Ok(()) };
        self.must_be_current()?;
        self.callers().must_stand(self, self.store().reader(), caller, false).await
    }

    /// Ends when the server begins to stop: whoever answers without an end ends then.
    pub async fn stops(&self) {
        // An error means that the system is gone.
        let _ = self.inner.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// The server begins to stop.
    pub(crate) fn stop(&self) {
        self.inner.stopping.send_replace(true);
    }

    /// What keeps this process up to date, for the tasks that do.
    pub fn upkeep(&self) -> Upkeep<'_> {
        Upkeep::new(self)
    }

    /// Forgets what this process remembers, for when it may have missed what happened on another node.
    pub(crate) fn forget(&self) {
        self.areas().iter().for_each(|area| area.forget());
        self.inner.topics.move_everything();
        self.jobs().wake();
    }

    /// Lets what this process remembers follow what happened, here or on another node.
    pub(crate) fn follow(&self, events: &[Event]) {
        for event in events {
            self.areas().iter().for_each(|area| area.follow(event));
            self.inner.topics.follow(event);
            if matches!(event, Event::Job { .. }) {
                self.jobs().wake();
            }
        }
        if !self.hooks().is_empty() {
            self.hooks().wake();
        }
    }
}
