//! What happened, for everything that follows the database: caches, search, webhooks, other nodes.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    entry::{Entry, Status},
    id::{CollectionId, EntryId, GroupId, JobId, TokenId, UserId},
    slug::EntrySlug,
};

/// One change, as the outbox keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// An entry changed.
    Entry {
        /// Its collection.
        collection: CollectionId,
        /// The entry.
        entry: EntryId,
        /// What was done.
        action: EntryAction,
        /// Whether what the public sees may differ.
        public: bool,
        /// Where else the public finds it: its translation group. None in events of programs that did not say so yet.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        group: Option<GroupId>,
        /// The slugs by which the public found it before and finds it now, where what it sees may differ.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        slugs: Vec<EntrySlug>,
    },
    /// A collection or its fields changed, or it is gone.
    Schema {
        /// The collection.
        collection: CollectionId,
    },
    /// A user changed.
    User {
        /// The user.
        user: UserId,
    },
    /// A token was made or revoked.
    Token {
        /// The token.
        token: TokenId,
    },
    /// An application that may ask users for access changed, or is gone.
    Application {
        /// The application.
        client: String,
    },
    /// Sessions, or what applications were granted, ended before their time.
    SignedOut {
        /// Whose.
        user: UserId,
    },
    /// A job waits to be done, or somebody stopped one.
    Job {
        /// The job.
        job: JobId,
    },
    /// Something else changed, was made, or is gone.
    Thing {
        /// What sort of thing it is: what the ids of its operations begin with.
        sort: String,
        /// Which one.
        id: String,
    },
    /// Something that a host or a plugin tells.
    Custom {
        /// What it is called, which begins with the name of who tells it: `shop:refunded`.
        name: String,
        /// What more there is to say.
        details: Value,
    },
}

impl Event {
    /// That a thing changed, was made, or is gone. `sort` is what the ids of its operations begin with.
    pub fn of_thing(sort: &str, id: impl ToString) -> Self {
        Self::Thing { sort: sort.to_owned(), id: id.to_string() }
    }

    /// What was done to an entry that was as it was before, if it was there, and is as it is now.
    pub fn of_entry(before: Option<&Entry>, now: &Entry, action: EntryAction, public: bool) -> Self {
        let found = before.into_iter().chain([now]).filter(|entry| public && entry.lifecycle.status == Status::Published);
        let mut slugs: Vec<_> = found.filter_map(|entry| entry.live.slug.clone()).collect();
        slugs.dedup();
        Self::Entry { collection: now.collection, entry: now.id, action, public, group: Some(now.group), slugs }
    }
}

/// What was done to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryAction {
    /// Created.
    Created,
    /// Content saved, staged or not.
    Saved,
    /// Published.
    Published,
    /// Taken off the public site.
    Unpublished,
    /// Planned for a later time.
    Scheduled,
    /// No longer planned.
    Unscheduled,
    /// Staged edit dropped.
    DraftDiscarded,
    /// Moved to the trash.
    Trashed,
    /// Taken out of the trash.
    Restored,
    /// Removed for ever.
    Removed,
}
