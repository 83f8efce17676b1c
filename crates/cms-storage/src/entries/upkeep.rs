//! Work on many entries at a time: building and dropping indexes, rebuilding what is derived, purging values of dropped fields.

use cms_domain::{
    access::Permit,
    collection::{Collection, Index, IndexId},
    entry::Entry,
    id::{CollectionId, EntryId, FieldId},
    json::JsonObject,
};
use indexmap::IndexMap;
use sea_orm::Value;
use serde_json::value::RawValue;

use super::{
    EntryWriter,
    read::{read_all, select},
    row::{document_text, read_document},
};
use crate::{
    Error,
    entry_index::{self, Derived},
    row::{Row, corrupt, id_value},
    statement::{Batch, Text},
};

/// How far work on the entries of a collection has come, in the order of their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The last entry that was worked on; none when there was none left.
    pub last: Option<EntryId>,
    /// How many entries were worked on.
    pub entries: u64,
}

impl Progress {
    fn of(entries: &[Entry]) -> Self {
        Self { last: entries.last().map(|entry| entry.id), entries: entries.len() as u64 }
    }
}

impl EntryWriter<'_> {
    /// Gives the next `limit` entries behind `after` their rows in an index.
    pub async fn index_batch(
        self,
        collection: &Collection,
        index: &Index,
        after: Option<EntryId>,
        limit: usize,
    ) -> Result<Progress, Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        if entries.is_empty() {
            return Ok(Progress::of(&entries));
        }
        let mut text = Text::new("DELETE FROM entry_index WHERE index_id = ");
        text.bind(index.id.0).push(" AND entry_id IN (").bind_all(entries.iter().map(|entry| id_value(entry.id))).push(")");
        self.executor.execute(text).await?;
        let only = Collection { indexes: vec![index.clone()], ..collection.clone() };
        let mut batch = Batch::new(self.executor);
        let derived = entries.iter().map(|entry| Ok((entry.id, Derived::of(&only, entry)?))).collect::<Result<Vec<_>, Error>>()?;
        entry_index::insert_index_rows(&mut batch, &derived);
        batch.run(self.executor).await?;
        Ok(Progress::of(&entries))
    }

    /// Removes up to `limit` rows of an index, and says how many. None are left when that is none.
    pub async fn drop_index_batch(self, index: IndexId, limit: usize) -> Result<u64, Error> {
        const LAST: &str = "SELECT stage, key, sort_at, entry_id FROM (SELECT stage, key, sort_at, entry_id FROM entry_index \
            WHERE index_id = $1 ORDER BY stage, key, sort_at, entry_id LIMIT $2) r \
            ORDER BY stage DESC, key DESC, sort_at DESC, entry_id DESC LIMIT 1";
        const DELETE: &str = "DELETE FROM entry_index WHERE index_id = $1 AND (stage, key, sort_at, entry_id) <= ($2, $3, $4, $5)";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let Some(last) = self.executor.one((LAST, [index.0.into(), limit.into()])).await? else { return Ok(0) };
        let values: [Value; 5] = [
            index.0.into(),
            last.read::<i16>("stage")?.into(),
            last.read::<Vec<u8>>("key")?.into(),
            last.read::<i64>("sort_at")?.into(),
            id_value(last.read_id::<cms_domain::id::kind::Entry>("entry_id")?),
        ];
        self.executor.execute((DELETE, values)).await
    }

    /// Registers the values of a field that comes to be unique, of the next `limit` entries behind `after`. Fails with the field
    /// at the first value that two entries of a locale have.
    pub async fn register_unique_batch(
        self,
        _permit: &Permit,
        collection: &Collection,
        field: FieldId,
        after: Option<EntryId>,
        limit: usize,
    ) -> Result<Progress, Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        let mut only = Collection { indexes: Vec::new(), ..collection.clone() };
        only.fields.retain(|known| known.id == field);
        for entry in &entries {
            entry_index::claim_unique(self.executor, entry.id, &Derived::default(), &Derived::of(&only, entry)?).await?;
        }
        Ok(Progress::of(&entries))
    }

    /// Forgets the unique values of a field that is not unique any more.
    pub async fn forget_unique(self, _permit: &Permit, field: FieldId) -> Result<(), Error> {
        self.executor.execute(("DELETE FROM entry_unique WHERE field_id = $1", [id_value(field)])).await.map(|_| ())
    }

    /// Forgets what is derived from a field that is dropped. Rows of its indexes are dropped with these.
    pub async fn forget_field(self, permit: &Permit, field: FieldId) -> Result<(), Error> {
        self.forget_unique(permit, field).await?;
        self.executor.execute(("DELETE FROM entry_references WHERE field_id = $1", [id_value(field)])).await.map(|_| ())
    }

    /// Takes values of fields that the collection does not have out of the documents of the next `limit` entries behind `after`,
    /// and out of their revisions. Nothing that readers see changes, so versions do not either.
    pub async fn purge_batch(self, collection: &Collection, after: Option<EntryId>, limit: usize) -> Result<Progress, Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        for entry in &entries {
            let live = purged(collection, &entry.live.data).map_err(|_| corrupt("entries", "data", entry.id))?;
            let draft = match &entry.draft {
                Some(draft) => purged(collection, &draft.data).map_err(|_| corrupt("entries", "draft", entry.id))?,
                None => None,
            };
            if let Some(data) = live {
                const LIVE: &str = "UPDATE entries SET data = $2 WHERE id = $1";
                self.executor.execute((LIVE, [id_value(entry.id), data.as_str().into()])).await?;
            }
            if let (Some(data), Some(draft)) = (draft, &entry.draft) {
                const DRAFT: &str = "UPDATE entries SET draft = $2 WHERE id = $1";
                let mut draft = draft.clone();
                draft.data = data;
                self.executor.execute((DRAFT, [id_value(entry.id), document_text(&draft)?.into()])).await?;
            }
        }
        for entries in entries.chunks(50) {
            self.purge_revisions(collection, entries).await?;
        }
        Ok(Progress::of(&entries))
    }

    async fn purge_revisions(self, collection: &Collection, entries: &[Entry]) -> Result<(), Error> {
        let mut text = Text::new("SELECT id, document FROM revisions WHERE entry_id IN (");
        text.bind_all(entries.iter().map(|entry| id_value(entry.id))).push(")");
        for row in self.executor.all(text).await? {
            let id = row.read_id::<cms_domain::id::kind::Revision>("id")?;
            let unreadable = || corrupt("revisions", "document", id);
            let mut document = read_document(&row.read::<String>("document")?).ok_or_else(unreadable)?;
            if let Some(data) = purged(collection, &document.data).map_err(|_| unreadable())? {
                const UPDATE: &str = "UPDATE revisions SET document = $2 WHERE id = $1";
                document.data = data;
                self.executor.execute((UPDATE, [id_value(id), document_text(&document)?.into()])).await?;
            }
        }
        Ok(())
    }

    /// Computes everything that is derived from the entries of a collection again, after a restore or a repair.
    pub async fn rebuild_derived(self, collection: &Collection) -> Result<(), Error> {
        const ENTRIES: usize = 500;
        for index in &collection.indexes {
            self.executor.execute(("DELETE FROM entry_index WHERE index_id = $1", [index.id.0.into()])).await?;
        }
        for table in ["entry_unique", "entry_references"] {
            let text = format!("DELETE FROM {table} WHERE entry_id IN (SELECT id FROM entries WHERE collection_id = $1)");
            self.executor.execute((text, vec![id_value(collection.id)])).await?;
        }
        let mut after = None;
        loop {
            let entries = self.hold_batch(collection.id, after, ENTRIES).await?;
            let derived = entries.iter().map(|entry| Ok((entry.id, Derived::of(collection, entry)?))).collect::<Result<Vec<_>, Error>>()?;
            entry_index::claim_unique_of(self.executor, &derived).await?;
            let mut batch = Batch::new(self.executor);
            entry_index::insert_index_rows(&mut batch, &derived);
            entry_index::insert_references(&mut batch, &derived);
            batch.run(self.executor).await?;
            match entries.last() {
                Some(last) if entries.len() == ENTRIES => after = Some(last.id),
                _ => break,
            }
        }
        self.rebuild_counts(collection.id).await
    }

    /// Lets the database learn what is stored, after many entries came in at once: until PostgreSQL knows of them, it sorts where it
    /// should walk. It finds out by itself within minutes; SQLite decides nothing by what is stored.
    pub async fn learn(self) -> Result<(), Error> {
        const LEARN: &str = "ANALYZE entries, entry_index, entry_unique, entry_references, entry_counts, revisions";
        if self.executor.is_postgres() {
            self.executor.execute(LEARN).await?;
        }
        Ok(())
    }

    /// Counts the entries of a collection again. A collection need not be registered to be counted.
    pub async fn rebuild_counts(self, collection: CollectionId) -> Result<(), Error> {
        // What was counted at once is in one shard; the shards' sum is what counts.
        const COUNT: &str = "INSERT INTO entry_counts (collection_id, status, locale, shard, n) \
            SELECT collection_id, status, locale, 0, count(*) FROM entries \
            WHERE collection_id = $1 AND deleted_at IS NULL GROUP BY collection_id, status, locale";
        self.executor.execute(("DELETE FROM entry_counts WHERE collection_id = $1", [id_value(collection)])).await?;
        self.executor.execute((COUNT, [id_value(collection)])).await.map(|_| ())
    }

    /// Entries of a collection in the order of their ids, which nobody else changes until the transaction ends.
    async fn hold_batch(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<Entry>, Error> {
        // On SQLite there is nobody else.
        let lock = if self.executor.is_postgres() { " FOR UPDATE" } else { "" };
        let text = select(&format!(" WHERE e.collection_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3{lock}"));
        let after = after.unwrap_or_else(|| EntryId::from_bytes([0; 16]));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        read_all(&self.executor.all((text, vec![id_value(collection), id_value(after), limit.into()])).await?)
    }
}

/// The document without values of fields that the collection does not have; none when there are no such values. What stays keeps
/// its order and its spelling.
fn purged(collection: &Collection, data: &JsonObject) -> Result<Option<JsonObject>, serde_json::Error> {
    let mut members: IndexMap<&str, &RawValue> = serde_json::from_str(data.as_str())?;
    let before = members.len();
    members.retain(|name, _| collection.field(name).is_some());
    if members.len() == before {
        return Ok(None);
    }
    JsonObject::from_stored(serde_json::to_string(&members)?).map(Some)
}
