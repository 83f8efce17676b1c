//! Whether what is derived from entries agrees with them.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    collection::Collection,
    entry::Entry,
    id::{CollectionId, EntryId, FieldId},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Value,
    sea_query::{Asterisk, Expr, ExprTrait},
};

use crate::{
    Error, Progress,
    collections::CollectionReader,
    column::Stored,
    entries::{
        Derivation, EntryReader, EntryWriter,
        row::{entity as entries, status_of},
    },
    entry_index::{self, Derived, counts},
    executor::Executor,
    jobs::JobReader,
    row::{Row, id_value},
    statement::Batch,
};

/// A derived row that should not be there, or one that should.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The table.
    pub table: &'static str,
    /// The entry, where it is about one.
    pub entry: Option<EntryId>,
    /// What is wrong.
    pub message: String,
}

impl EntryReader<'_> {
    /// Checks the index, unique and reference rows of the next `limit` entries behind `after`.
    pub async fn check_batch(
        self,
        collection: &Collection,
        after: Option<EntryId>,
        limit: usize,
    ) -> Result<(Progress, Vec<Disagreement>), Error> {
        let entries = self.by_collection(collection.id, after, limit).await?;
        let progress = Progress { last: entries.last().map(|entry| entry.id), entries: entries.len() as u64 };
        let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        let stored = Derived::stored(self.executor, &ids).await?;
        let mut found = Vec::new();
        for (entry, expected, stored) in compared(collection, &entries, stored)? {
            let tables = [
                ("entry_index", difference(&expected.index, &stored.index)),
                ("entry_unique", difference(&expected.unique, &stored.unique)),
                ("entry_references", difference(&expected.references.into_iter().collect(), &stored.references.into_iter().collect())),
            ];
            for (table, (missing, extra)) in tables {
                if missing + extra > 0 {
                    let message = format!("{missing} rows are missing, {extra} do not belong there");
                    found.push(Disagreement { table, entry: Some(entry), message });
                }
            }
        }
        Ok((progress, found))
    }

    /// Checks the counts of a collection, which need not be registered.
    pub async fn check_counts(self, collection: CollectionId) -> Result<Vec<Disagreement>, Error> {
        let counts = counted(self.executor, collection).await?;
        let wrong = counts.into_iter().filter(|(_, (kept, real))| kept != real);
        let found = wrong.map(|((status, locale), (kept, real))| {
            let status = status_of(status).map_or("unknown", |status| status.name());
            let message = format!("the count of {status} entries in {locale} is {kept}, there are {real}");
            Disagreement { table: "entry_counts", entry: None, message }
        });
        Ok(found.collect())
    }

    /// Looks for rows of entries and of indexes that do not exist; at most a hundred of each kind.
    pub async fn check_strays(self) -> Result<Vec<Disagreement>, Error> {
        let mut found = Vec::new();
        for table in ["entry_index", "entry_unique", "entry_references", "revisions", "edit_locks"] {
            let text = format!(
                "SELECT DISTINCT entry_id FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = t.entry_id) LIMIT 100"
            );
            for row in self.executor.all((text, Vec::new())).await? {
                let message = "the row belongs to no entry".to_owned();
                found.push(Disagreement { table, entry: Some(row.read_id("entry_id")?), message });
            }
        }
        for (table, owner, _) in self.stray_owners().await? {
            found.push(Disagreement { table: table.name(), entry: None, message: format!("rows belong to {owner}, which does not exist") });
        }
        Ok(found)
    }

    /// What has rows but does not exist, and is not being removed: its table, what it is called, and its id. At most a hundred of each kind.
    pub(crate) async fn stray_owners(self) -> Result<Vec<(Derivation, String, Value)>, Error> {
        let mut found = Vec::new();
        for row in self.executor.all(STRAY_INDEXES).await? {
            let index: i32 = row.read("id")?;
            found.push((Derivation::Index, format!("the index {index}"), index.into()));
        }
        let collections = CollectionReader::new(self.executor).all().await?;
        let fields = || collections.iter().flat_map(|collection| &collection.fields);
        let registers: BTreeSet<_> = fields().filter(|field| field.unique).map(|field| field.register.id).collect();
        let referring: BTreeSet<_> = fields().map(|field| field.id).collect();
        for (table, known) in [(Derivation::Unique, registers), (Derivation::References, referring)] {
            // As text: one descent for each that there is, not one look at each row.
            let table_name = table.name();
            let text = format!(
                "WITH RECURSIVE known(id) AS (SELECT (SELECT field_id FROM {table_name} ORDER BY field_id LIMIT 1) UNION ALL \
                 SELECT (SELECT field_id FROM {table_name} WHERE field_id > known.id ORDER BY field_id LIMIT 1) FROM known \
                 WHERE known.id IS NOT NULL) SELECT id FROM known WHERE id IS NOT NULL"
            );
            for row in self.executor.all((text, Vec::new())).await? {
                let id: FieldId = row.read_id("id")?;
                if !known.contains(&id) && !JobReader::new(self.executor).is_about(id).await? {
                    found.push((table, format!("the field {id}"), id_value(id)));
                }
            }
        }
        Ok(found)
    }
}

impl EntryWriter<'_> {
    /// Mends what is derived from the next `limit` entries behind `after`, as [`EntryReader::check_batch`] would have it. Rows that do not belong to one entry may
    /// be in the way of those that another one misses: first all that are too many are removed, then what is missing is added.
    pub async fn mend_batch(
        self,
        collection: &Collection,
        after: Option<EntryId>,
        limit: usize,
        mending: Mending,
    ) -> Result<Progress, Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        let ids: Vec<_> = entries.iter().map(|entry| entry.id).collect();
        let stored = Derived::stored(self.executor, &ids).await?;
        for (entry, expected, stored) in compared(collection, &entries, stored)? {
            let mut batch = Batch::new(self.executor);
            match mending {
                Mending::Remove => entry_index::write(&mut batch, entry, &stored, &expected.within(&stored)),
                Mending::Add => {
                    entry_index::claim_unique(self.executor, entry, &stored, &expected).await?;
                    entry_index::write(&mut batch, entry, &stored, &expected);
                }
            }
            batch.run(self.executor).await?;
        }
        Ok(Progress { last: ids.last().copied(), entries: ids.len() as u64 })
    }

    /// Removes rows of entries, indexes and fields that do not exist.
    pub async fn remove_strays(self) -> Result<(), Error> {
        /// How many rows go at a time: a megabyte of the log.
        const ROWS: usize = 5000;
        for table in ["entry_index", "entry_unique", "entry_references", "revisions", "edit_locks", "preview_links"] {
            let text = format!("DELETE FROM {table} WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = {table}.entry_id)");
            self.executor.execute(text.as_str()).await?;
        }
        for (table, _, owner) in (EntryReader { executor: self.executor }).stray_owners().await? {
            while self.drop_rows(table, owner.clone(), ROWS).await? > 0 {}
        }
        Ok(())
    }
}

/// What is mended of derived rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mending {
    /// Rows that do not belong to an entry go.
    Remove,
    /// Rows that an entry misses are added.
    Add,
}

/// What each entry's derived rows should be and what they are, as far as both are certain: an index that is being built has rows of some entries, one that is
/// being dropped still has some; the same holds for the values of a unique field, and for what dropped fields left.
fn compared(
    collection: &Collection,
    entries: &[Entry],
    mut stored: BTreeMap<EntryId, Derived>,
) -> Result<Vec<(EntryId, Derived, Derived)>, Error> {
    let ready: Vec<_> = collection.indexes.iter().filter(|index| index.is_ready()).cloned().collect();
    let checked = Collection { indexes: ready, ..collection.clone() };
    let registers: BTreeSet<_> =
        checked.fields.iter().filter(|field| field.unique && field.register.complete).map(|field| field.register.id).collect();
    let compare = |entry: &Entry| {
        let mut stored = stored.remove(&entry.id).unwrap_or_default();
        let mut expected = Derived::of(&checked, entry)?;
        stored.index.retain(|row| checked.indexes.iter().any(|index| index.id == row.index));
        stored.unique.retain(|row| registers.contains(&row.register));
        expected.unique.retain(|row| registers.contains(&row.register));
        stored.references.retain(|place, _| checked.references().any(|field| field.id == place.field));
        Ok((entry.id, expected, stored))
    };
    entries.iter().map(compare).collect()
}

/// Indexes that have rows but do not exist: one descent for each index that there is, not one look at each row.
const STRAY_INDEXES: &str = "WITH RECURSIVE known(id) AS (SELECT (SELECT min(index_id) FROM entry_index) \
    UNION ALL SELECT (SELECT min(index_id) FROM entry_index WHERE index_id > known.id) FROM known WHERE known.id IS NOT NULL) \
    SELECT id FROM known WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM indexes) LIMIT 100";

/// How many of the expected rows are missing, and how many stored ones are not expected.
fn difference<R: Ord>(expected: &BTreeSet<R>, stored: &BTreeSet<R>) -> (usize, usize) {
    (expected.difference(stored).count(), stored.difference(expected).count())
}

/// What a collection's counts are and what they should be, by status and locale.
async fn counted(executor: Executor<'_>, collection: CollectionId) -> Result<BTreeMap<(i16, String), (i64, i64)>, Error> {
    let kept = counts::Entity::find()
        .select_only()
        .columns([counts::Column::Status, counts::Column::Locale])
        // The sum of `bigint` is a `numeric` on PostgreSQL.
        .column_as(Expr::col(counts::Column::N).sum().cast_as("bigint"), "n")
        .filter(counts::Column::CollectionId.eq(Stored(collection)))
        .group_by(counts::Column::Status)
        .group_by(counts::Column::Locale);
    let real = entries::Entity::find()
        .select_only()
        .columns([entries::Column::Status, entries::Column::Locale])
        .column_as(Expr::col(Asterisk).count(), "n")
        .filter(entries::Column::CollectionId.eq(Stored(collection)))
        .filter(entries::Column::DeletedAt.is_null())
        .group_by(entries::Column::Status)
        .group_by(entries::Column::Locale);
    let kept: Vec<(i16, String, i64)> = kept.into_tuple().all(&executor).await?;
    let real: Vec<(i16, String, i64)> = real.into_tuple().all(&executor).await?;
    let mut counts: BTreeMap<(i16, String), (i64, i64)> = BTreeMap::new();
    for (status, locale, n) in kept {
        counts.entry((status, locale)).or_default().0 = n;
    }
    for (status, locale, n) in real {
        counts.entry((status, locale)).or_default().1 = n;
    }
    Ok(counts)
}
