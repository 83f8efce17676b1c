//! Revisions: what was saved, by whom, when.

use cms_domain::{
    access::Permit,
    entry::Document,
    id::{CollectionId, EntryId, RevisionId, UserId},
    time::Timestamp,
};
use sea_orm::QueryResult;

use crate::{
    Error, Reader, Tx,
    entries::row::{document_text, read_document},
    executor::Executor,
    row::{Row, corrupt, id_value, optional_id_value, time_value},
    statement::{Batch, Text},
};

/// What an entry's content was when it was saved.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    /// Identifies the revision. Later ones have greater ids.
    pub id: RevisionId,
    /// Collection of the entry.
    pub collection: CollectionId,
    /// The entry.
    pub entry: EntryId,
    /// The content.
    pub document: Document,
    /// Who saved it.
    pub author: Option<UserId>,
    /// Whether it was saved without being asked to; the next one of the same author may replace it.
    pub autosave: bool,
    /// When it was first saved.
    pub created_at: Timestamp,
    /// When it was last saved.
    pub updated_at: Timestamp,
}

/// A page of revisions.
#[derive(Debug)]
pub struct RevisionPage {
    /// The revisions, the newest first.
    pub items: Vec<Revision>,
    /// The last revision of the page, when there are older ones.
    pub next: Option<RevisionId>,
}

/// Reads revisions.
#[derive(Clone, Copy)]
pub struct RevisionReader<'a> {
    executor: Executor<'a>,
}

/// Writes revisions.
#[derive(Clone, Copy)]
pub struct RevisionWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Revisions.
    pub fn revisions(self) -> RevisionReader<'a> {
        RevisionReader { executor: self.executor() }
    }
}

impl Tx {
    /// Revisions.
    pub fn revisions(&self) -> RevisionWriter<'_> {
        RevisionWriter { executor: self.executor() }
    }
}

const COLUMNS: &str = "id, collection_id, entry_id, document, author_id, autosave, created_at, updated_at";

fn read(row: &QueryResult) -> Result<Revision, Error> {
    let id: RevisionId = row.read_id("id")?;
    let document: String = row.read("document")?;
    Ok(Revision {
        id,
        collection: row.read_id("collection_id")?,
        entry: row.read_id("entry_id")?,
        document: read_document(&document).ok_or_else(|| corrupt("revisions", "document", id))?,
        author: row.read_optional_id("author_id")?,
        autosave: row.read("autosave")?,
        created_at: row.read_time("created_at")?,
        updated_at: row.read_time("updated_at")?,
    })
}

impl RevisionReader<'_> {
    /// A revision.
    pub async fn get(self, id: RevisionId) -> Result<Option<Revision>, Error> {
        let row = self.executor.one((format!("SELECT {COLUMNS} FROM revisions WHERE id = $1"), vec![id_value(id)])).await?;
        row.as_ref().map(read).transpose()
    }

    /// Revisions of an entry, the newest first, those older than `after` if that is given.
    pub async fn list(self, entry: EntryId, limit: usize, after: Option<RevisionId>) -> Result<RevisionPage, Error> {
        let mut text = Text::new(&format!("SELECT {COLUMNS} FROM revisions WHERE entry_id = "));
        text.bind(id_value(entry));
        if let Some(after) = after {
            text.push(" AND id < ").bind(id_value(after));
        }
        // One row more than the page has says whether there is another page.
        text.push(" ORDER BY id DESC LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1));
        let rows = self.executor.all(text).await?;
        let items = rows.iter().take(limit).map(read).collect::<Result<Vec<_>, _>>()?;
        let next = if rows.len() > limit { items.last().map(|revision| revision.id) } else { None };
        Ok(RevisionPage { items, next })
    }

    /// How many revisions an entry has.
    pub async fn count(self, entry: EntryId) -> Result<u64, Error> {
        let row = self.executor.one(("SELECT count(*) AS n FROM revisions WHERE entry_id = $1", [id_value(entry)])).await?;
        let n: i64 = row.map_or(Ok(0), |row| row.read("n"))?;
        Ok(u64::try_from(n).unwrap_or(0))
    }
}

/// Adds a revision.
pub(crate) fn insert(batch: &mut Batch, revision: &Revision) -> Result<(), Error> {
    let values = [
        id_value(revision.id),
        id_value(revision.collection),
        id_value(revision.entry),
        document_text(&revision.document)?.into(),
        optional_id_value(revision.author),
        revision.autosave.into(),
        time_value(revision.created_at),
        time_value(revision.updated_at),
    ];
    batch.begin("INSERT INTO revisions (").push(COLUMNS).push(") VALUES ").bind_row(0, values);
    Ok(())
}

impl RevisionWriter<'_> {
    /// Puts another content into a revision.
    pub async fn update(self, _permit: &Permit, revision: &Revision) -> Result<(), Error> {
        const UPDATE: &str = "UPDATE revisions SET document = $2, author_id = $3, autosave = $4, updated_at = $5 WHERE id = $1";
        let values = [
            id_value(revision.id),
            document_text(&revision.document)?.into(),
            optional_id_value(revision.author),
            revision.autosave.into(),
            time_value(revision.updated_at),
        ];
        match self.executor.execute((UPDATE, values)).await? {
            0 => Err(Error::Stale),
            _ => Ok(()),
        }
    }

    /// Removes all but the newest `keep` revisions of an entry, except for some that something points to. Says how many.
    pub async fn prune(self, entry: EntryId, keep: usize, pinned: &[RevisionId]) -> Result<u64, Error> {
        let mut text = Text::new("DELETE FROM revisions WHERE entry_id = ");
        text.bind(id_value(entry)).push(" AND id NOT IN (SELECT id FROM revisions WHERE entry_id = ").bind(id_value(entry));
        text.push(" ORDER BY id DESC LIMIT ").bind(i64::try_from(keep).unwrap_or(i64::MAX)).push(")");
        if !pinned.is_empty() {
            text.push(" AND id NOT IN (").bind_all(pinned.iter().copied().map(id_value)).push(")");
        }
        self.executor.execute(text).await
    }

    /// Removes all but the newest `keep` revisions of each of the next entries that have more, except for those that an entry
    /// points to. Says which entry was the last, none at the end, and how many revisions went.
    pub async fn prune_batch(self, keep: usize, after: Option<EntryId>, entries: usize) -> Result<(Option<EntryId>, u64), Error> {
        let mut text =
            Text::new("SELECT r.entry_id, e.live_revision, e.draft_revision FROM (SELECT entry_id FROM revisions WHERE entry_id > ");
        text.bind(id_value(after.unwrap_or_else(|| EntryId::from_bytes([0; 16]))));
        text.push(" GROUP BY entry_id HAVING count(*) > ").bind(i64::try_from(keep).unwrap_or(i64::MAX));
        text.push(" ORDER BY entry_id LIMIT ").bind(i64::try_from(entries).unwrap_or(i64::MAX));
        text.push(") r JOIN entries e ON e.id = r.entry_id ORDER BY r.entry_id");
        let mut last = None;
        let mut removed = 0;
        for row in self.executor.all(text).await? {
            let entry = row.read_id("entry_id")?;
            let pinned: Vec<_> =
                row.read_optional_id("live_revision")?.into_iter().chain(row.read_optional_id("draft_revision")?).collect();
            removed += self.prune(entry, keep, &pinned).await?;
            last = Some(entry);
        }
        Ok((last, removed))
    }
}
