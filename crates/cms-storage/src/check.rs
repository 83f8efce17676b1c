//! Whether what is derived from entries agrees with them.

use std::collections::{BTreeMap, BTreeSet};

use cms_domain::{
    collection::Collection,
    id::{CollectionId, EntryId},
};
use sea_orm::QueryResult;

use crate::{
    Error, Progress,
    entries::{EntryReader, row::status_of},
    entry_index::Derived,
    executor::Executor,
    row::{Row, id_value},
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
        let mut stored = Derived::stored(self.executor, &ids).await?;
        // An index that is being built has rows of some entries, one that is being dropped still has some.
        let ready: Vec<_> = collection.indexes.iter().filter(|index| index.is_ready()).cloned().collect();
        let checked = Collection { indexes: ready, ..collection.clone() };
        let mut found = Vec::new();
        for entry in &entries {
            let mut stored = stored.remove(&entry.id).unwrap_or_default();
            stored.index.retain(|row| checked.indexes.iter().any(|index| index.id == row.index));
            let expected = Derived::of(&checked, entry)?;
            let tables = [
                ("entry_index", difference(&expected.index, &stored.index)),
                ("entry_unique", difference(&expected.unique, &stored.unique)),
                ("entry_references", difference(&expected.references.into_iter().collect(), &stored.references.into_iter().collect())),
            ];
            for (table, (missing, extra)) in tables {
                if missing + extra > 0 {
                    let message = format!("{missing} rows are missing, {extra} do not belong there");
                    found.push(Disagreement { table, entry: Some(entry.id), message });
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
        for row in self.executor.all(STRAY_INDEXES).await? {
            let message = format!("rows belong to the index {}, which does not exist", row.read::<i32>("id")?);
            found.push(Disagreement { table: "entry_index", entry: None, message });
        }
        Ok(found)
    }
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
    const COUNTS: &str =
        "SELECT status, locale, CAST(sum(n) AS bigint) AS n FROM entry_counts WHERE collection_id = $1 GROUP BY status, locale";
    const ENTRIES: &str =
        "SELECT status, locale, count(*) AS n FROM entries WHERE collection_id = $1 AND deleted_at IS NULL GROUP BY status, locale";
    let mut counts: BTreeMap<(i16, String), (i64, i64)> = BTreeMap::new();
    let key = |row: &QueryResult| Ok::<_, Error>((row.read("status")?, row.read("locale")?));
    for row in executor.all((COUNTS, [id_value(collection)])).await? {
        counts.entry(key(&row)?).or_default().0 = row.read("n")?;
    }
    for row in executor.all((ENTRIES, [id_value(collection)])).await? {
        counts.entry(key(&row)?).or_default().1 = row.read("n")?;
    }
    Ok(counts)
}
