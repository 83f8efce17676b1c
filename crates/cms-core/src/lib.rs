//! A headless CMS as a library: content, accounts, and everything around them, as one value that your program owns.
//!
//! You have a program and want content in it that people can edit. [`open`] gives you a [`Cms`]; you clone it freely, and ask it to do operations for somebody.
//!
//! ```
//! use cms_core::{
//!     Door, Options,
//!     content::{
//!         entries::{create::CreateEntry, list::ListEntries},
//!         schema::create_collection::CreateCollection,
//!     },
//! };
//! use cms_domain::access::Actor;
//! use cms_storage::{Store, StoreOptions};
//! use serde_json::{Value, json};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::open(&StoreOptions::new("sqlite::memory:")).await?;
//! store.migrate().await?;
//! let cms = cms_core::open(store, Options { public_read: true, ..Options::default() });
//!
//! // An input may come from JSON, in the words of the REST API. Everything that is wrong
//! // with it is told at once.
//! let input = |json: Value| json.as_object().cloned().unwrap_or_default();
//! let notes: CreateCollection = cms.read(input(json!({
//!     "slug": "notes",
//!     "label": "Notes",
//!     "fields": [{ "slug": "title", "label": "Title", "type": "string" }],
//! })))?;
//! cms.invoke(&Actor::System, Door::Local, notes).await?;
//! let note: CreateEntry = cms.read(input(json!({
//!     "collection": "notes",
//!     "status": "published",
//!     "data": { "title": "Buy milk" },
//! })))?;
//! cms.invoke(&Actor::System, Door::Local, note).await?;
//!
//! let list: ListEntries = cms.read(input(json!({ "collection": "notes" })))?;
//! assert_eq!(cms.invoke(&Actor::Anonymous, Door::Local, list).await?.items.len(), 1);
//! # Ok(())
//! # }
//! ```
//!
//! Every operation asks who wants it, in process as well: [`Actor::Anonymous`](cms_domain::access::Actor::Anonymous) is anybody, and
//! [`Actor::System`](cms_domain::access::Actor::System) is your program itself, which may do everything.
//!
//! Nothing here reads the environment, prints, ends the process or installs a global: configuration, logging and signals are yours. What goes on beside
//! requests — publishing what is scheduled, telling hooks, doing jobs, noticing what other servers changed — is
//! [`run_tasks`](tasks::driver::run_tasks), which a program spawns once and stops when it stops.
//!
//! # Where to go on
//!
//! - [`content`] and [`accounts`]: the operations. [`built_in`](built_in()) lists all of them.
//! - [`operation`]: how to declare one of your own, and [`Cms::add_operations`], which puts it at every door at once.
//! - [`hooks`]: how to have a say in what is saved, and how to follow what was.
//! - [`assemble`]: a system with everything that it can be given, such as mail, sign-in at providers, and a clock for your tests.
//! - `cms-http-api` is the REST API as a router of axum, `cms-mcp` has the same operations as tools for agents, and `cms-admin` is the application in which people
//!   edit.
//! - The guide `docs/embedding.md` in the repository builds a blog with all of it, step by step.

mod built_in;
pub mod jobs;
mod rows;
pub mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod user_access;

use std::sync::Arc;

use cms_accounts::{Accounts, Services};
use cms_content::Content;
use cms_media::{Library, Media};
use cms_storage::Store;

use rows::Rows;

pub use built_in::built_in;
pub use cms_accounts as accounts;
pub use cms_content as content;
use cms_frame::{Areas, Assembly};
pub use cms_frame::{
    Client, Clock, Cms, Code, Cookie, Counted, CustomCode, Cx, Done, Door, Error, Ids, Kind, Options, Policies, Preview, SessionLife,
    SharedClock, Shown, Stream, SystemClock, SystemIds, Watch, catalog, credentials, descriptor, failures, hooks, input, intake,
    must_be_current, operation, page, refusal, request_id, topics,
};
pub use cms_media as media;

/// Opens a system over a migrated database, with the machine's clock and random source.
pub fn open(store: Store, options: Options) -> Cms {
    assemble(store, options, Parts::default())
}

/// What a system can be given besides its rows and its options.
pub struct Parts {
    /// What others do for accounts.
    pub services: Services,
    /// Where files are kept, and which are taken.
    pub library: Library,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
}

impl Default for Parts {
    /// The machine's clock and random source, and nothing else.
    fn default() -> Self {
        let (clock, ids) = (Arc::new(SharedClock::default()), Arc::new(SystemIds::default()));
        Self { services: Services::default(), library: Library::default(), clock, ids }
    }
}

/// Opens a system over a migrated database with everything that it can be given.
pub fn assemble(store: Store, options: Options, parts: Parts) -> Cms {
    let Parts { services, library, clock, ids } = parts;
    let rows = Arc::new(Rows::new(&store));
    Cms::assemble(Assembly { store, options, clock, ids, catalog: built_in(), jobs: jobs::kinds() }, |options, following| {
        let content = Arc::new(Content::new(options.finished_memory, Arc::clone(following)));
        let accounts = Arc::new(Accounts::new(services, Arc::clone(following)));
        let media = Arc::new(Media::new(library));
        Areas { callers: Arc::clone(&accounts) as _, all: vec![content, accounts, media, rows] }
    })
}
