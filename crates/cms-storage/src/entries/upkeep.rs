//! Work on many entries at a time: building and dropping indexes, rebuilding what is derived, purging values of dropped fields.

use cms_domain::{
    access::{Permit, to},
    collection::{Collection, Index, IndexId},
    entry::Entry,
    field::Field,
    id::{CollectionId, EntryId, FieldId, RevisionId},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Set, Value,
    sea_query::{Asterisk, Expr, ExprTrait, Query},
};

use super::{
    EntryWriter,
    read::{BEFORE_ALL, read_all, select},
    row::{
        document_text,
        entity::{ActiveModel, Column, Entity},
        read_document,
    },
};
use crate::{
    Error,
    column::Stored,
    entry_index::{self, Derived, counts, fields, references, unique},
    revisions::entity as revisions,
    row::{corrupt, id_value},
    statement::Batch,
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
    /// Where to go on; none where it is done: when there were fewer entries than were asked for, or when `until` was reached. Whoever adds entries
    /// meanwhile sees to them, so that nobody runs after writers.
    pub fn next(self, limit: usize, until: Option<EntryId>) -> Option<EntryId> {
        self.last.filter(|last| self.entries >= limit as u64 && until.is_none_or(|until| *last < until))
    }

    fn of(entries: &[Entry]) -> Self {
        Self { last: entries.last().map(|entry| entry.id), entries: entries.len() as u64 }
    }
}

/// An entry whose value in a unique field another one has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeated {
    /// The entry.
    pub entry: EntryId,
    /// The other one; none when it is gone by now.
    pub owner: Option<EntryId>,
}

/// Tables whose rows belong to something that may go while they are many.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Derivation {
    Index,
    Unique,
    References,
}

impl Derivation {
    /// The table.
    pub(crate) fn name(self) -> &'static str {
        self.columns().0
    }

    /// The table, the column that says to what a row belongs, and the rest of the primary key.
    fn columns(self) -> (&'static str, &'static str, &'static [&'static str]) {
        match self {
            Self::Index => ("entry_index", "index_id", &["stage", "key", "sort_at", "entry_id"]),
            Self::Unique => ("entry_unique", "field_id", &["locale", "key"]),
            Self::References => ("entry_references", "field_id", &["entry_id", "stage", "position"]),
        }
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
        let of_entries = fields::Column::EntryId.is_in(entries.iter().map(|entry| Stored(entry.id)));
        let rows = fields::Entity::delete_many().filter(fields::Column::IndexId.eq(Stored(index.id))).filter(of_entries);
        rows.exec(&self.executor).await?;
        let only = Collection { indexes: vec![index.clone()], ..collection.clone() };
        let mut batch = Batch::new(self.executor);
        let derived = entries.iter().map(|entry| Ok((entry.id, Derived::of(&only, entry)?))).collect::<Result<Vec<_>, Error>>()?;
        entry_index::insert_index_rows(&mut batch, &derived);
        batch.run(self.executor).await?;
        Ok(Progress::of(&entries))
    }

    /// Removes up to `limit` rows of an index that is dropped, and says how many. None are left when that is none.
    pub async fn drop_index_batch(self, index: IndexId, limit: usize) -> Result<u64, Error> {
        self.drop_rows(Derivation::Index, index.0.into(), limit).await
    }

    /// Removes up to `limit` values of a register that is not used any more, and says how many. None are left when that is none.
    pub async fn drop_register_batch(self, register: FieldId, limit: usize) -> Result<u64, Error> {
        self.drop_rows(Derivation::Unique, id_value(register), limit).await
    }

    /// Removes up to `limit` references of a field that is dropped, and says how many. None are left when that is none.
    pub async fn drop_references_batch(self, field: FieldId, limit: usize) -> Result<u64, Error> {
        self.drop_rows(Derivation::References, id_value(field), limit).await
    }

    pub(crate) async fn drop_rows(self, table: Derivation, owner: Value, limit: usize) -> Result<u64, Error> {
        // As text: what is compared are rows of values. The first ones in the order of the primary key, which both databases find and remove there.
        let (table, column, key) = table.columns();
        let (columns, descending) = (key.join(", "), key.join(" DESC, ") + " DESC");
        let text = format!(
            "DELETE FROM {table} WHERE {column} = $1 AND ({columns}) <= (SELECT {columns} FROM \
             (SELECT {columns} FROM {table} WHERE {column} = $1 ORDER BY {columns} LIMIT $2) r ORDER BY {descending} LIMIT 1)"
        );
        self.executor.execute((text, vec![owner, i64::try_from(limit).unwrap_or(i64::MAX).into()])).await
    }

    /// Registers the values that the next `limit` entries behind `after` have in a field that comes to be unique. Also says which of them could not be:
    /// another entry of the locale has the value.
    pub async fn register_batch(
        self,
        _: &Permit<to::ManageSchema>,
        collection: &Collection,
        field: &Field,
        after: Option<EntryId>,
        limit: usize,
    ) -> Result<(Progress, Vec<Repeated>), Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        let only = Collection { indexes: Vec::new(), fields: vec![field.clone()], ..collection.clone() };
        let derived = entries.iter().map(|entry| Ok((entry.id, Derived::of(&only, entry)?))).collect::<Result<Vec<_>, Error>>()?;
        let rows: Vec<_> = derived.iter().flat_map(|(id, derived)| derived.unique.iter().map(|row| (*id, row))).collect();
        let mut repeated = Vec::new();
        for (entry, row) in entry_index::register(self.executor, &rows).await? {
            if repeated.last().is_some_and(|last: &Repeated| last.entry == entry) {
                continue;
            }
            let owner = entry_index::owner(self.executor, row).await?;
            repeated.push(Repeated { entry, owner });
        }
        Ok((Progress::of(&entries), repeated))
    }

    /// Takes values of fields that the collection does not have out of the documents of the next `limit` entries behind `after`,
    /// and out of their revisions. Nothing that readers see changes, so versions do not either.
    pub async fn purge_batch(
        self,
        _: &Permit<to::ManageSchema>,
        collection: &Collection,
        after: Option<EntryId>,
        limit: usize,
    ) -> Result<Progress, Error> {
        let entries = self.hold_batch(collection.id, after, limit).await?;
        for entry in &entries {
            let live = entry.live.data.without_leftovers(collection).map_err(|_| corrupt("entries", "data", entry.id))?;
            let draft = match &entry.draft {
                Some(draft) => draft.data.without_leftovers(collection).map_err(|_| corrupt("entries", "draft", entry.id))?,
                None => None,
            };
            let purged = Entity::update_many().filter(Column::Id.eq(Stored(entry.id)));
            if let Some(data) = live {
                let live = ActiveModel { data: Set(data.as_stored().as_str().to_owned()), ..ActiveModel::default() };
                purged.clone().set(live).exec(&self.executor).await?;
            }
            if let (Some(data), Some(draft)) = (draft, &entry.draft) {
                let mut draft = draft.clone();
                draft.data = data;
                let draft = ActiveModel { draft: Set(Some(document_text(&draft)?)), ..ActiveModel::default() };
                purged.set(draft).exec(&self.executor).await?;
            }
        }
        for entries in entries.chunks(50) {
            self.purge_revisions(collection, entries).await?;
        }
        Ok(Progress::of(&entries))
    }

    async fn purge_revisions(self, collection: &Collection, entries: &[Entry]) -> Result<(), Error> {
        let of_entries = revisions::Entity::find()
            .select_only()
            .columns([revisions::Column::Id, revisions::Column::Document])
            .filter(revisions::Column::EntryId.is_in(entries.iter().map(|entry| Stored(entry.id))));
        let found: Vec<(Stored<RevisionId>, String)> = of_entries.into_tuple().all(&self.executor).await?;
        for (Stored(id), document) in found {
            let unreadable = || corrupt("revisions", "document", id);
            let mut document = read_document(&document).ok_or_else(unreadable)?;
            if let Some(data) = document.data.without_leftovers(collection).map_err(|_| unreadable())? {
                document.data = data;
                let purged = revisions::ActiveModel { document: Set(document_text(&document)?), ..revisions::ActiveModel::default() };
                let revision = revisions::Entity::update_many().filter(revisions::Column::Id.eq(Stored(id)));
                revision.set(purged).exec(&self.executor).await?;
            }
        }
        Ok(())
    }

    /// Computes everything that is derived from the entries of a collection again, after a restore or a repair.
    pub async fn rebuild_derived(self, collection: &Collection) -> Result<(), Error> {
        const ENTRIES: usize = 500;
        for index in &collection.indexes {
            fields::Entity::delete_many().filter(fields::Column::IndexId.eq(Stored(index.id))).exec(&self.executor).await?;
        }
        let own = Query::select().column(Column::Id).from(Entity).and_where(Column::CollectionId.eq(Stored(collection.id))).take();
        let values = unique::Entity::delete_many().filter(unique::Column::EntryId.in_subquery(own.clone()));
        values.exec(&self.executor).await?;
        let rows = references::Entity::delete_many().filter(references::Column::EntryId.in_subquery(own));
        rows.exec(&self.executor).await?;
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
        let keys = [Column::CollectionId, Column::Status, Column::Locale];
        let counted = Query::select()
            .columns(keys)
            // What was counted at once is in one shard; the shards' sum is what counts.
            .expr(Expr::val(0_i16))
            .expr(Expr::col(Asterisk).count())
            .from(Entity)
            .and_where(Column::CollectionId.eq(Stored(collection)))
            .and_where(Column::DeletedAt.is_null())
            .group_by_columns(keys)
            .take();
        counts::Entity::delete_many().filter(counts::Column::CollectionId.eq(Stored(collection))).exec(&self.executor).await?;
        let columns =
            [counts::Column::CollectionId, counts::Column::Status, counts::Column::Locale, counts::Column::Shard, counts::Column::N];
        let mut insert = Query::insert().into_table(counts::Entity).columns(columns).take();
        self.executor.execute(&*insert.select_from(counted).map_err(Error::backend)?).await.map(|_| ())
    }

    /// Entries of a collection in the order of their ids, which nobody else changes until the transaction ends.
    pub(crate) async fn hold_batch(self, collection: CollectionId, after: Option<EntryId>, limit: usize) -> Result<Vec<Entry>, Error> {
        // On SQLite there is nobody else.
        let lock = if self.executor.is_postgres() { " FOR UPDATE" } else { "" };
        let text = select(&format!(" WHERE e.collection_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3{lock}"));
        let after = after.unwrap_or(BEFORE_ALL);
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        read_all(&self.executor.all((text, vec![id_value(collection), id_value(after), limit.into()])).await?)
    }
}
