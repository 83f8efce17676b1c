//! Reading entries one by one, by group, by reference, and in batches.

use std::collections::HashSet;

use cms_domain::{
    access::Visibility,
    entry::{Entry, Status},
    id::{CollectionId, EntryId, FieldId, GroupId},
    locale::Locale,
    slug::IdOrSlug,
};
use sea_orm::QueryResult;

use super::{
    Author, EntryReader, EntryView, Found, Totals, Trash,
    row::{self, COLUMNS, EntryRow, status_number},
};
use crate::{
    Error,
    row::{Row, id_value},
    statement::Text,
};

impl EntryReader<'_> {
    /// An entry.
    pub async fn get(self, visibility: Visibility, id: EntryId, trash: Trash) -> Result<Option<Entry>, Error> {
        let text = select(" WHERE e.id = $1");
        let row = self.executor.one((text, vec![id_value(id)])).await?;
        let entry = row.map(|row| row::read(&row, 0)).transpose()?;
        Ok(entry.filter(|entry| is_visible(entry, visibility, trash)))
    }

    /// The entry of a collection that an address names. A slug without a locale names the entry in the default locale, or else
    /// the only one.
    pub async fn find(
        self,
        visibility: Visibility,
        collection: CollectionId,
        named: &IdOrSlug,
        locale: Option<&Locale>,
        default_locale: &Locale,
        trash: Trash,
    ) -> Result<Found, Error> {
        let slug = match named {
            IdOrSlug::Id(id) => {
                let entry = self.get(visibility, *id, trash).await?;
                let entry = entry.filter(|entry| entry.collection == collection && locale.is_none_or(|locale| entry.locale == *locale));
                return Ok(entry.map_or(Found::None, |entry| Found::One(Box::new(entry))));
            }
            IdOrSlug::Slug(slug) => slug.as_str(),
        };
        let text = select(" WHERE e.collection_id = $1 AND e.slug = $2 AND ($3 IS NULL OR e.locale = $3) ORDER BY e.locale");
        let rows = self.executor.all((text, vec![id_value(collection), slug.into(), locale.map(Locale::as_str).into()])).await?;
        let mut entries = read_all(&rows)?;
        entries.retain(|entry| is_visible(entry, visibility, trash));
        if let Some(n) = entries.iter().position(|entry| entry.locale == *default_locale) {
            return Ok(Found::One(Box::new(entries.swap_remove(n))));
        }
        Ok(match entries.len() {
            0 => Found::None,
            1 => Found::One(Box::new(entries.swap_remove(0))),
            _ => Found::Ambiguous(entries.into_iter().map(|entry| entry.locale).collect()),
        })
    }

    /// The visible entries of a translation group, by locale. None of them is in the trash.
    pub async fn translations(self, group: GroupId, visibility: Visibility) -> Result<Vec<Entry>, Error> {
        let mut entries = self.group_members(group).await?;
        entries.retain(|entry| is_visible(entry, visibility, Trash::Exclude));
        Ok(entries)
    }

    /// The entries of a translation group, those in the trash included, by locale.
    pub async fn group_members(self, group: GroupId) -> Result<Vec<Entry>, Error> {
        let text = select(" WHERE e.translation_group = $1 ORDER BY e.locale");
        read_all(&self.executor.all((text, vec![id_value(group)])).await?)
    }

    /// The users who own entries of a collection outside of the trash, by address.
    pub async fn authors(self, collection: CollectionId) -> Result<Vec<Author>, Error> {
        // One look into the index for each user, instead of one at each entry.
        const AUTHORS: &str = "SELECT u.id, u.name, u.email FROM users u WHERE (SELECT 1 FROM entries e \
            WHERE e.collection_id = $1 AND e.author_id = u.id AND e.deleted_at IS NULL LIMIT 1) IS NOT NULL ORDER BY u.email";
        let rows = self.executor.all((AUTHORS, [id_value(collection)])).await?;
        let author = |row: &QueryResult| {
            let id = row.read_id("id")?;
            Ok(Author { id, name: row.read("name")?, email: row.parse("users", "email", id)? })
        };
        rows.iter().map(author).collect()
    }

    /// Which of some ids are those of entries outside of the trash, in a collection or in any that there is.
    pub async fn existing(self, ids: &[EntryId], collection: Option<CollectionId>) -> Result<HashSet<EntryId>, Error> {
        let mut existing = HashSet::new();
        for ids in ids.chunks(BATCH) {
            let mut text = Text::new("SELECT e.id FROM entries e WHERE e.deleted_at IS NULL AND e.id IN (");
            text.bind_all(ids.iter().copied().map(id_value)).push(")");
            match collection {
                Some(collection) => text.push(" AND e.collection_id = ").bind(id_value(collection)),
                // Those of a collection that is gone may not be gone yet.
                None => text.push(" AND EXISTS (SELECT 1 FROM collections c WHERE c.id = e.collection_id)"),
            };
            for row in self.executor.all(text).await? {
                existing.insert(row.read_id("id")?);
            }
        }
        Ok(existing)
    }

    /// The fields and entries that refer to an entry, in published or in working values, in the trash or not.
    pub async fn referring(self, target: EntryId) -> Result<Vec<(FieldId, EntryId)>, Error> {
        const REFERRING: &str = "SELECT DISTINCT field_id, entry_id FROM entry_references WHERE target_id = $1 ORDER BY entry_id, field_id";
        let rows = self.executor.all((REFERRING, [id_value(target)])).await?;
        rows.iter().map(|row| Ok((row.read_id("field_id")?, row.read_id("entry_id")?))).collect()
    }

    /// Entries of other collections that would lose all that a field refers to, if the entries of a collection went, and the field; `limit` of them at
    /// most. Where `any` holds, losing one is enough.
    pub async fn held_by(self, collection: CollectionId, field: FieldId, any: bool, limit: u64) -> Result<Vec<EntryId>, Error> {
        // As text: each row is compared with others of its own table.
        const ANY: &str = "SELECT DISTINCT r.entry_id FROM entry_references r JOIN entries t ON t.id = r.target_id \
            JOIN entries s ON s.id = r.entry_id \
            WHERE r.field_id = $2 AND t.collection_id = $1 AND s.collection_id <> $1 AND ($3 OR NOT EXISTS ( \
                SELECT 1 FROM entry_references o JOIN entries e ON e.id = o.target_id \
                WHERE o.field_id = r.field_id AND o.entry_id = r.entry_id AND o.stage = r.stage AND e.collection_id <> $1)) LIMIT $4";
        let values = [id_value(collection), id_value(field), any.into(), i64::try_from(limit).unwrap_or(i64::MAX).into()];
        let rows = self.executor.all((ANY, values)).await?;
        rows.iter().map(|row| row.read_id("entry_id")).collect()
    }

    /// Entries of other collections that refer to one of some entries, in the order of their ids, each with its collection.
    pub async fn referrers_of(
        self,
        collection: CollectionId,
        targets: &[EntryId],
        limit: u64,
    ) -> Result<Vec<(EntryId, CollectionId)>, Error> {
        if targets.is_empty() {
            return Ok(Vec::new());
        }
        let mut text = Text::new(
            "SELECT DISTINCT r.entry_id, e.collection_id FROM entry_references r JOIN entries e ON e.id = r.entry_id \
             JOIN collections c ON c.id = e.collection_id WHERE r.target_id IN (",
        );
        text.bind_all(targets.iter().copied().map(id_value)).push(") AND e.collection_id <> ").bind(id_value(collection));
        text.push(" ORDER BY r.entry_id LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = self.executor.all(text).await?;
        rows.iter().map(|row| Ok((row.read_id("entry_id")?, row.read_id("collection_id")?))).collect()
    }

    /// The last entry of a collection in the order of their ids.
    pub async fn last_id_of(self, collection: CollectionId) -> Result<Option<EntryId>, Error> {
        const LAST: &str = "SELECT id FROM entries WHERE collection_id = $1 ORDER BY id DESC LIMIT 1";
        self.executor.one((LAST, [id_value(collection)])).await?.map(|row| row.read_id("id")).transpose()
    }

    /// The entries of a collection behind one of them, in the order of their ids.
    pub async fn ids_of(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<EntryId>, Error> {
        const IDS: &str = "SELECT id FROM entries WHERE collection_id = $1 AND id > $2 ORDER BY id LIMIT $3";
        // No entry has the id zero.
        let after = after.unwrap_or_else(|| EntryId::from_bytes([0; 16]));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.executor.all((IDS, [id_value(collection), id_value(after), limit.into()])).await?;
        rows.iter().map(|row| row.read_id("id")).collect()
    }

    /// How many entries a collection has, counted one by one.
    pub async fn totals(self, collection: CollectionId) -> Result<Totals, Error> {
        const TOTALS: &str = "SELECT count(*) AS n, count(deleted_at) AS trashed FROM entries WHERE collection_id = $1";
        let Some(row) = self.executor.one((TOTALS, [id_value(collection)])).await? else { return Ok(Totals::default()) };
        let trashed = row.read("trashed")?;
        Ok(Totals { entries: row.read::<i64>("n")? - trashed, trashed })
    }

    /// Entries of a collection in the order of their ids, those in the trash included.
    pub async fn by_collection(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<Entry>, Error> {
        let text = select(" WHERE e.collection_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3");
        // No entry has the id zero.
        let after = after.unwrap_or_else(|| EntryId::from_bytes([0; 16]));
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        read_all(&self.executor.all((text, vec![id_value(collection), id_value(after), limit.into()])).await?)
    }

    /// Entries by their ids, in the order of the ids, as far as somebody sees them. None of them is in the trash.
    pub async fn visible(self, visibility: Visibility, ids: &[EntryId]) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::with_capacity(ids.len());
        for ids in ids.chunks(BATCH) {
            entries.append(&mut self.by_ids(visibility, ids).await?);
        }
        Ok(entries)
    }

    /// Published entries by their ids, as their readers see them; those that are none are left out.
    pub async fn published(self, ids: &[EntryId]) -> Result<Vec<EntryView>, Error> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.by_ids(Visibility::Published, ids).await
    }

    /// Entries by their ids, in the order of the ids; ids of entries that the reader may not see are left out.
    pub(crate) async fn by_ids<T: EntryRow>(self, visibility: Visibility, ids: &[EntryId]) -> Result<Vec<T>, Error> {
        let mut text = Text::new("SELECT ");
        text.push(T::COLUMNS).push(" FROM entries e WHERE e.id IN (");
        text.bind_all(ids.iter().copied().map(id_value)).push(") AND e.deleted_at IS NULL");
        if visibility == Visibility::Published {
            text.push(&format!(" AND e.status = {}", status_number(Status::Published)));
        }
        let rows = self.executor.all(text).await?;
        let mut entries = rows.iter().map(|row| T::read(row, 0)).collect::<Result<Vec<_>, _>>()?;
        let mut places: Vec<_> = ids.iter().enumerate().map(|(place, id)| (*id, place)).collect();
        places.sort_unstable();
        entries.sort_unstable_by_key(|entry| places.binary_search_by_key(&entry.id(), |(id, _)| *id).map_or(usize::MAX, |n| places[n].1));
        Ok(entries)
    }
}

/// How many ids one statement names.
pub(super) const BATCH: usize = 500;

/// Reads rows that have the columns of entries and nothing before them.
pub(super) fn read_all(rows: &[QueryResult]) -> Result<Vec<Entry>, Error> {
    rows.iter().map(|row| row::read(row, 0)).collect()
}

/// The statement that reads entries, up to where it says which.
pub(super) fn select(rest: &str) -> String {
    format!("SELECT {COLUMNS} FROM entries e{rest}")
}

fn is_visible(entry: &Entry, visibility: Visibility, trash: Trash) -> bool {
    let trashed = entry.lifecycle.deleted_at.is_some();
    match visibility {
        // What is in the trash is not public, whoever asks for it.
        Visibility::Published => entry.lifecycle.status == Status::Published && !trashed && trash != Trash::Only,
        Visibility::Working => match trash {
            Trash::Exclude => !trashed,
            Trash::Include => true,
            Trash::Only => trashed,
        },
    }
}
