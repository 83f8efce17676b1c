//! Entries: reading, writing, and what tasks ask of them.

mod calendar;
pub(crate) mod read;
mod recent;
pub(crate) mod row;
#[cfg(test)]
pub(crate) mod samples;
mod schedule;
mod slugs;
#[cfg(test)]
mod tests;
mod upkeep;
mod walk;
mod write;

use cms_domain::{
    access::Visibility,
    entry::{Document, Entry, Status},
    id::{EntryId, GroupId, RevisionId, UserId},
    locale::Locale,
    time::Timestamp,
    user::Email,
};

pub use calendar::{CalendarPage, CalendarQuery, Happening, HappeningAt};
pub use read::BEFORE_ALL;
pub use recent::{RecentPage, RecentQuery};
pub use schedule::Due;
pub(crate) use upkeep::Derivation;
pub use upkeep::{Progress, Repeated};

use crate::{Reader, Tx, executor::Executor};

/// Whether entries in the trash count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trash {
    /// They do not.
    Exclude,
    /// They do.
    Include,
    /// Only they do.
    Only,
}

/// What an address names.
#[derive(Debug)]
pub enum Found<T = Entry> {
    /// One entry.
    One(Box<T>),
    /// None.
    None,
    /// Entries of several locales, none of them the default one.
    Ambiguous(Vec<Locale>),
}

/// What one may show of an entry: its content, and nothing that tells of a draft, a schedule or a save.
#[derive(Debug)]
pub struct EntryView {
    /// Identifies the entry.
    pub id: EntryId,
    /// Language of the entry.
    pub locale: Locale,
    /// Shared by the entries that are translations of each other.
    pub group: GroupId,
    /// Who owns the entry.
    pub author: Option<UserId>,
    /// Counts every change, from 1.
    pub version: i64,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When readers last saw a change.
    pub updated_at: Timestamp,
    /// Where the entry stands.
    pub status: Status,
    /// When the entry was first published, or the date an editor gave it.
    pub published_at: Option<Timestamp>,
    /// The revision that is live.
    pub live_revision: Option<RevisionId>,
    /// The content that is shown.
    pub content: Document,
}

/// Names the state of an entry, for those who see it: two with one stamp show the same. An id may come back, with an import of what was removed
/// for good, and its version then begins anew; when readers last saw a change, and what is live, is another then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EntryStamp {
    /// Identifies the entry.
    pub id: EntryId,
    /// Counts every change, from 1.
    pub version: i64,
    /// When readers last saw a change.
    pub updated_at: Timestamp,
    /// The revision that is live.
    pub live_revision: Option<RevisionId>,
    /// How often publishing it on schedule failed, which counts as no change of it; 0 for readers of published content, who are not told.
    pub attempts: i32,
}

impl EntryStamp {
    /// The stamp of an entry, for those who see this much of it.
    pub fn of(entry: &Entry, visibility: Visibility) -> Self {
        let failure = entry.schedule_failure.as_ref().filter(|_| visibility == Visibility::Working);
        Self {
            id: entry.id,
            version: entry.version,
            updated_at: entry.updated_at,
            live_revision: entry.live_revision,
            attempts: row::attempts_number(failure),
        }
    }
}

impl EntryView {
    /// The stamp of the entry, for readers of published content.
    pub const fn stamp(&self) -> EntryStamp {
        EntryStamp { id: self.id, version: self.version, updated_at: self.updated_at, live_revision: self.live_revision, attempts: 0 }
    }

    /// An entry with its published content.
    pub fn live(entry: Entry) -> Self {
        Self {
            id: entry.id,
            locale: entry.locale,
            group: entry.group,
            author: entry.author,
            version: entry.version,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            status: entry.lifecycle.status,
            published_at: entry.lifecycle.published_at,
            live_revision: entry.live_revision,
            content: entry.live,
        }
    }

    /// An entry with its working copy.
    pub fn working(mut entry: Entry) -> Self {
        if let Some(draft) = entry.draft.take() {
            entry.live = draft;
        }
        entry.lifecycle.published_at = entry.lifecycle.working_date();
        Self::live(entry)
    }
}

/// How many entries a collection has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Outside of the trash.
    pub entries: i64,
    /// In the trash.
    pub trashed: i64,
}

/// A user who owns entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// Identifies the user.
    pub id: UserId,
    /// Name to show.
    pub name: Option<String>,
    /// Address.
    pub email: Email,
}

/// Reads entries.
#[derive(Clone, Copy)]
pub struct EntryReader<'a> {
    pub(crate) executor: Executor<'a>,
}

/// Writes entries, with everything that is derived from them.
#[derive(Clone, Copy)]
pub struct EntryWriter<'a> {
    pub(crate) executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Reads entries.
    pub fn entries(self) -> EntryReader<'a> {
        EntryReader { executor: self.executor() }
    }
}

impl Tx {
    /// Writes entries.
    pub fn entries(&self) -> EntryWriter<'_> {
        EntryWriter { executor: self.executor() }
    }
}
