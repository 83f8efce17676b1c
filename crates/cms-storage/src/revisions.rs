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

/// Revisions that nobody needs any more.
#[derive(Debug, PartialEq, Eq)]
pub struct Surplus {
    /// The revisions.
    pub revisions: Vec<RevisionId>,
    /// Behind which entry to go on once they are removed; none at the end.
    pub next: Option<EntryId>,
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

    /// Revisions beyond the newest `keep` of each entry, except for those that an entry points to: found among the next `rows`
    /// revisions or so of entries behind `after`, in the order of their ids, and no more than `limit` of them.
    pub async fn surplus(self, keep: usize, after: EntryId, rows: usize, limit: usize) -> Result<Surplus, Error> {
        const NEXT: &str = "SELECT entry_id, count(*) AS n FROM \
            (SELECT entry_id FROM revisions WHERE entry_id > $1 ORDER BY entry_id LIMIT $2) r GROUP BY entry_id ORDER BY entry_id";
        // So many that an entry that has all of them has some to spare.
        let rows = i64::try_from(rows.saturating_add(keep)).unwrap_or(i64::MAX);
        let keep = i64::try_from(keep).unwrap_or(i64::MAX);
        let next = self.executor.all((NEXT, [id_value(after), rows.into()])).await?;
        let read = |row: &QueryResult| Ok::<(EntryId, i64), Error>((row.read_id("entry_id")?, row.read("n")?));
        let mut seen = next.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let is_last = seen.iter().map(|(_, n)| n).sum::<i64>() < rows;
        if !is_last && seen.len() > 1 {
            // The last one may have more: it comes again, with all of them.
            seen.pop();
        }
        let crowded: Vec<_> = seen.iter().filter(|(_, n)| *n > keep).map(|(entry, _)| *entry).collect();
        let revisions = if crowded.is_empty() { Vec::new() } else { self.unpinned(&crowded, keep, limit).await? };
        let next = if revisions.len() == limit { Some(after) } else { seen.last().map(|(entry, _)| *entry).filter(|_| !is_last) };
        Ok(Surplus { revisions, next })
    }

    /// Up to `limit` revisions of some entries, beyond the newest `keep` of each, that the entries do not point to.
    async fn unpinned(self, entries: &[EntryId], keep: i64, limit: usize) -> Result<Vec<RevisionId>, Error> {
        let mut text = Text::new("SELECT r.id FROM entries e JOIN revisions r ON r.entry_id = e.id WHERE e.id IN (");
        text.bind_all(entries.iter().copied().map(id_value));
        text.push(") AND r.id <= (SELECT k.id FROM revisions k WHERE k.entry_id = e.id ORDER BY k.id DESC LIMIT 1 OFFSET ").bind(keep);
        text.push(") AND r.id IS DISTINCT FROM e.live_revision AND r.id IS DISTINCT FROM e.draft_revision LIMIT ");
        text.bind(i64::try_from(limit).unwrap_or(i64::MAX));
        self.executor.all(text).await?.iter().map(|row| row.read_id("id")).collect()
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

    /// Removes revisions, except for those that an entry points to by now. Says how many.
    pub async fn remove(self, revisions: &[RevisionId]) -> Result<u64, Error> {
        if revisions.is_empty() {
            return Ok(0);
        }
        let mut text = Text::new("DELETE FROM revisions WHERE id IN (");
        text.bind_all(revisions.iter().copied().map(id_value)).push(") AND NOT EXISTS (SELECT 1 FROM entries e ");
        text.push("WHERE e.id = revisions.entry_id AND (e.live_revision = revisions.id OR e.draft_revision = revisions.id))");
        self.executor.execute(text).await
    }
}
