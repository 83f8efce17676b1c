//! Entries: reading, writing, and what tasks ask of them.

mod read;
pub(crate) mod row;
#[cfg(test)]
pub(crate) mod samples;
mod schedule;
mod slugs;
#[cfg(test)]
mod tests;
mod upkeep;
mod write;

use cms_domain::{entry::Entry, id::UserId, locale::Locale, user::Email};

pub use upkeep::Progress;

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
pub enum Found {
    /// One entry.
    One(Box<Entry>),
    /// None.
    None,
    /// Entries of several locales, none of them the default one.
    Ambiguous(Vec<Locale>),
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
