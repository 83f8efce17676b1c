//! The system: rows, time, ids, and what this process remembers of them. Cloned freely, invoked with operations.

use std::{
    collections::BTreeSet,
    sync::{Arc, RwLock},
    time::Duration,
};

use cms_domain::{
    access::{Access, Actor},
    event::{EntryAction, Event},
    id::Id,
    locale::Locales,
    time::Timestamp,
};
use cms_storage::{ListQuery, Store};
use tokio::sync::Notify;

use crate::{
    Clock, Error, Ids, Services, SharedClock, SystemIds,
    background::Background,
    catalog::Catalog,
    descriptor::Pending,
    finished::Finished,
    following::Following,
    identity::Identities,
    intake::Intake,
    schema_cache::SchemaCache,
    standing::Standing,
    topics::{Topics, Watch},
};

/// How a site is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// The site's locales; the first is the default.
    pub locales: Locales,
    /// Whether callers who are not signed in may read published content, as a Subscriber would.
    pub public_read: bool,
    /// Scheme, host and port under which the world knows the server, without a slash at the end. Passkeys are bound to it,
    /// and links in mail begin with it.
    pub public_origin: String,
    /// Path below which everything is served: the admin application is at `{prefix}/admin`.
    pub prefix: String,
    /// What personal access tokens begin with.
    pub token_prefix: String,
    /// What access tokens of applications begin with.
    pub access_token_prefix: String,
    /// What refresh tokens of applications begin with.
    pub refresh_token_prefix: String,
    /// How long sessions last.
    pub sessions: SessionLife,
    /// What it asks of ways in, of tokens, and of what applications are granted.
    pub policies: Policies,
    /// How long the audit log is kept.
    pub audit_kept: Duration,
    /// Whether contributors edit their own entries until somebody who may publish approves them. Otherwise they only create.
    pub contributors_edit_own_drafts: bool,
    /// Preview links.
    pub preview: Preview,
    /// How many revisions of an entry are kept besides the live one and the newest.
    pub revisions_kept: u32,
    /// How long events are kept for nodes and followers that were away; a minute at least.
    pub events_kept: Duration,
    /// How many entries a list may look at for a page where no index finds just those that it shows.
    pub list_budget: i64,
    /// How many bytes of bodies may wait in memory at once, over all requests and all doors: at least four thirds of the largest body.
    pub body_memory: usize,
    /// How many bytes of finished entries are kept for the lists that readers of published content ask for; 0 keeps none.
    pub finished_memory: u64,
}

/// What a site asks of ways in, of tokens, and of what applications are granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies {
    /// Whether an authenticator has to verify its user, with a PIN or a finger, when a passkey is made and whenever it is used.
    pub require_user_verification: bool,
    /// Whether people may have a link sent to sign in with. Links that an admin has sent to somebody always work.
    pub magic_links: bool,
    /// How old an access token may become; without it, as old as its user says.
    pub token_max_age: Option<Duration>,
    /// The providers whose verified addresses connect nobody to an account that has the address here.
    pub not_linked_by_address: BTreeSet<String>,
    /// How long what a user grants to an application lasts at most, however often its tokens are refreshed.
    pub grant_absolute: Duration,
    /// Whether people are told by mail of every change of what opens their account.
    pub security_notices: bool,
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            require_user_verification: false,
            magic_links: true,
            token_max_age: None,
            not_linked_by_address: BTreeSet::new(),
            // A year: whoever uses an application confirms once a year that they still want to (OWASP ASVS 5, 10.4.8).
            grant_absolute: Duration::from_hours(365 * 24),
            security_notices: true,
        }
    }
}

/// How preview links are made.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Path of an entry on the site, with `{collection}`, `{id}`, `{slug}` and `{locale}` where they belong.
    pub path_pattern: String,
    /// Whether entries of the default locale have it in their path.
    pub prefix_default_locale: bool,
}

/// How long sessions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLife {
    /// How long a session may go unused.
    pub idle: Duration,
    /// How long a session lasts at most.
    pub absolute: Duration,
}

impl Default for SessionLife {
    /// A week unused, a month at most.
    fn default() -> Self {
        Self { idle: Duration::from_hours(7 * 24), absolute: Duration::from_hours(30 * 24) }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            locales: Locales::default(),
            public_read: false,
            public_origin: "http://localhost:8080".to_owned(),
            prefix: "/_cms".to_owned(),
            token_prefix: "cms_pat_".to_owned(),
            access_token_prefix: "cms_oat_".to_owned(),
            refresh_token_prefix: "cms_ort_".to_owned(),
            sessions: SessionLife::default(),
            policies: Policies::default(),
            audit_kept: Duration::from_hours(365 * 24),
            contributors_edit_own_drafts: true,
            preview: Preview { path_pattern: "/{collection}/{id}".to_owned(), prefix_default_locale: false },
            revisions_kept: 50,
            events_kept: Duration::from_hours(24),
            list_budget: ListQuery::BUDGET,
            body_memory: 32 * 1024 * 1024,
            finished_memory: 32 * 1024 * 1024,
        }
    }
}

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
    services: Services,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    schema: SchemaCache,
    identities: Identities,
    background: Background,
    intake: Intake,
    following: Arc<Following>,
    topics: Arc<Topics>,
    finished: Finished,
    due: Notify,
    work: Notify,
    unsealed: Notify,
    committed: Notify,
    told: Notify,
    standing: Standing,
}

impl Cms {
    /// Opens the system over a migrated database, with the machine's clock and random source.
    pub fn new(store: Store, options: Options) -> Self {
        Self::with(store, options, Arc::new(SharedClock::default()), Arc::new(SystemIds::default()))
    }

    /// Opens the system with a clock and ids of the caller's.
    pub fn with(store: Store, options: Options, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self::assemble(store, options, Services::default(), clock, ids)
    }

    /// Opens the system with everything that it can be given.
    pub fn assemble(store: Store, options: Options, services: Services, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        let intake = Intake::new(options.body_memory);
        let following = Arc::new(Following::default());
        let finished = Finished::new(options.finished_memory);
        let inner = Inner {
            catalog: RwLock::new(Catalog::built_in()),
            options,
            services,
            clock,
            ids,
            schema: SchemaCache::new(Arc::clone(&following)),
            identities: Identities::new(Arc::clone(&following)),
            background: Background::default(),
            intake,
            topics: Arc::new(Topics::new(Arc::clone(&following))),
            finished,
            following,
            due: Notify::new(),
            work: Notify::new(),
            unsealed: Notify::new(),
            committed: Notify::new(),
            told: Notify::new(),
            standing: Standing::default(),
        };
        Self { inner: Arc::new(inner), store }
    }

    /// How the site is set up.
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// What an operation asks of its callers on this site.
    pub fn access(&self, access: Access) -> Access {
        if self.options().contributors_edit_own_drafts { access } else { access.without_own_drafts() }
    }

    /// What others do for the system.
    pub fn services(&self) -> &Services {
        &self.inner.services
    }

    /// The rows, for the server's own housekeeping: migrations, backups, checks. Operations go through their context.
    pub fn store(&self) -> &Store {
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

    pub(crate) fn new_id<K>(&self, now: Timestamp) -> Id<K> {
        Id::from_bytes(self.inner.ids.next(now))
    }

    /// Begins to watch what answers are made of. Begin before reading what is to be kept.
    pub fn watch(&self) -> Watch {
        self.inner.topics.watch()
    }

    pub(crate) fn finished(&self) -> &Finished {
        &self.inner.finished
    }

    pub(crate) fn schema(&self) -> &SchemaCache {
        &self.inner.schema
    }

    pub(crate) fn identities(&self) -> &Identities {
        &self.inner.identities
    }

    pub(crate) fn background(&self) -> &Background {
        &self.inner.background
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.inner.clock
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

    /// Wakes whoever waits for the next scheduled publication.
    pub(crate) fn due(&self) -> &Notify {
        &self.inner.due
    }

    /// Wakes whoever builds and drops indexes.
    pub(crate) fn work(&self) -> &Notify {
        &self.inner.work
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
            self.identities().identify_session(self, secret).await
        })
    }

    /// Who sends a request with this bearer token.
    pub fn identify<'a>(&'a self, token: &'a str) -> Pending<'a, Result<Actor, Error>> {
        Box::pin(async move {
            self.must_be_current()?;
            self.identities().identify(self, token).await
        })
    }

    /// Forgets what this process remembers, for when it may have missed what happened on another node.
    pub(crate) fn forget(&self) {
        self.schema().forget();
        self.identities().forget();
        self.finished().forget();
        self.inner.topics.move_everything();
        self.due().notify_one();
        self.work().notify_one();
    }

    /// Lets what this process remembers follow what happened, here or on another node.
    pub(crate) fn follow(&self, events: &[Event]) {
        for event in events {
            match event {
                // Only these can bring the next publication forward.
                Event::Entry { action: EntryAction::Scheduled | EntryAction::Restored, .. } => self.due().notify_one(),
                Event::Schema { .. } => {
                    self.schema().forget();
                    self.work().notify_one();
                }
                Event::User { .. } | Event::Token { .. } | Event::Application { .. } | Event::SignedOut { .. } => {
                    self.identities().forget();
                }
                // Nothing more of what this process remembers is made of it.
                Event::Entry { .. } | Event::Custom { .. } => {}
            }
            self.inner.topics.follow(event);
        }
    }
}
