//! The content of a headless CMS: entries, and the collections and fields that they follow.
//!
//! Each thing that can be done is an operation in a file of its own, named by what it does. You ask a system to do them; `cms-core` makes such a system, and has
//! this crate inside as `cms_core::content`.
//!
//! ```
//! use cms_content::{
//!     entries::{create::CreateEntry, get::GetEntry, publish::PublishEntry},
//!     schema::create_collection::CreateCollection,
//! };
//! use cms_core::{Door, Options};
//! use cms_domain::access::Actor;
//! use cms_storage::{Store, StoreOptions};
//! use serde_json::{Value, json};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::open(&StoreOptions::new("sqlite::memory:")).await?;
//! store.migrate().await?;
//! let cms = cms_core::open(store, Options { public_read: true, ..Options::default() });
//! let input = |json: Value| json.as_object().cloned().unwrap_or_default();
//!
//! let posts: CreateCollection = cms.read(input(json!({
//!     "slug": "posts",
//!     "label": "Posts",
//!     "fields": [{ "slug": "title", "label": "Title", "type": "string" }],
//! })))?;
//! cms.invoke(&Actor::System, Door::Local, posts).await?;
//!
//! let hello: CreateEntry = cms.read(input(json!({
//!     "collection": "posts",
//!     "data": { "title": "Hello, world" },
//! })))?;
//! cms.invoke(&Actor::System, Door::Local, hello).await?;
//!
//! // It is a draft, and drafts do not exist for readers.
//! let address = input(json!({ "collection": "posts", "id": "hello-world" }));
//! let get: GetEntry = cms.read(address.clone())?;
//! assert!(cms.invoke(&Actor::Anonymous, Door::Local, get.clone()).await.is_err());
//!
//! let publish: PublishEntry = cms.read(address)?;
//! cms.invoke(&Actor::System, Door::Local, publish).await?;
//! let read = cms.invoke(&Actor::Anonymous, Door::Local, get).await?;
//! assert_eq!(read.item.data.members()?["title"], "Hello, world");
//! # Ok(())
//! # }
//! ```
//!
//! # What to know about entries
//!
//! An edit of something published waits beside it, whole, until it is published in its turn: readers never see half of one. Every save is a revision that can be
//! had back, and carries a `_rev`; a change that names an older one is refused, so that nobody overwrites what they have not seen. What is scheduled goes out on
//! time, as long as the tasks of `cms-core` run.
//!
//! # Where to go on
//!
//! - [`entries`]: writing, publishing, scheduling, the trash, revisions, translations, previews and lists. [`entries::update`] uses nearly all of what there is.
//! - [`schema`]: collections and fields, and what becomes of entries when these change.
//! - [`entries::hooks`]: the moments at which a program of yours can have a say.
//! - [`operations`]: all of them, as data.

pub mod entries;
mod finished;
pub mod schema;
mod schema_cache;
pub mod site;
mod turns;
pub mod views;

use std::sync::Arc;

use cms_domain::event::{EntryAction, Event};
use cms_frame::{
    Cms, Error,
    area::Area,
    descriptor::{Descriptor, Pending},
    following::Following,
    hooks::{Hook, Proposal},
    jobs::Kind,
};
use cms_storage::Reader;
use tokio::sync::Notify;

pub use schema_cache::{collection, collection_for_write};

use finished::Finished;
use schema_cache::SchemaCache;
use turns::Turns;

/// What content keeps in memory: the collections, finished entries, who waits for work, and who changes an entry.
pub struct Content {
    schema: SchemaCache,
    finished: Finished,
    due: Notify,
    work: Notify,
    turns: Turns,
}

impl Content {
    /// The content of a system that is put together; `finished_memory` is [`cms_frame::Options::finished_memory`].
    pub fn new(finished_memory: u64, following: Arc<Following>) -> Self {
        Self {
            schema: SchemaCache::new(following),
            finished: Finished::new(finished_memory),
            due: Notify::new(),
            work: Notify::new(),
            turns: Turns::default(),
        }
    }

    /// The content of a system.
    pub fn of(cms: &Cms) -> &Self {
        cms.area()
    }

    /// Wakes whoever waits for the next scheduled publication.
    pub fn due(&self) -> &Notify {
        &self.due
    }

    /// Wakes whoever builds and drops indexes.
    pub fn work(&self) -> &Notify {
        &self.work
    }
}

impl Area for Content {
    fn follow(&self, event: &Event) {
        match event {
            // Only these can bring the next publication forward.
            Event::Entry { action: EntryAction::Scheduled | EntryAction::Restored, .. } => self.due.notify_one(),
            Event::Schema { .. } => {
                self.schema.forget();
                self.work.notify_one();
            }
            // Nothing more of what is remembered here is made of it.
            Event::Entry { .. }
            | Event::User { .. }
            | Event::Token { .. }
            | Event::Application { .. }
            | Event::SignedOut { .. }
            | Event::Job { .. }
            | Event::Thing { .. }
            | Event::Custom { .. } => {}
        }
    }

    fn moments(&self) -> &'static [&'static str] {
        &[entries::hooks::BEFORE_SAVE, entries::hooks::BEFORE_DELETE]
    }

    fn occasions(&self) -> &'static [&'static str] {
        &entries::hooks::AFTER
    }

    fn told<'a>(&'a self, rows: Reader<'a>, hook: &'a Hook, event: &'a Event) -> Pending<'a, Result<Option<Proposal>, Error>> {
        Box::pin(entries::hooks::told(self, rows, hook, event))
    }

    fn forget(&self) {
        self.schema.forget();
        self.finished.forget();
        self.due.notify_one();
        self.work.notify_one();
    }
}

/// The kinds of jobs of content.
pub fn jobs() -> Vec<Kind> {
    let mut kinds = entries::jobs();
    kinds.extend(schema::jobs());
    kinds
}

/// The operations of content.
pub fn operations() -> Vec<Descriptor> {
    let resources = [
        // One line each, in the order of the document.
        entries::operations(),
        schema::operations(),
        site::operations(),
        views::operations(),
    ];
    resources.into_iter().flatten().collect()
}
