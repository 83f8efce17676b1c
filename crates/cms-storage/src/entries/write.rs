//! Writing entries. Every function writes what is derived from the entry along with it.

use std::collections::BTreeSet;

use cms_domain::{
    access::{Permit, to},
    collection::Collection,
    entry::Entry,
    id::{EntryId, GroupId},
};

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter};

use super::{
    EntryWriter,
    read::select,
    row::{
        self, CHANGING, FIXED, changing_values,
        entity::{Column, Entity},
        fixed_values,
    },
};
use crate::{
    Error, Revision,
    column::Stored,
    entry_index::{self, Derived, references},
    revisions,
    row::id_value,
    statement::Batch,
};

impl EntryWriter<'_> {
    /// An entry, in the trash or not, that nobody else writes until the transaction ends.
    pub async fn lock(self, id: EntryId) -> Result<Option<Entry>, Error> {
        // On SQLite there is nobody else.
        let text = select(if self.executor.is_postgres() { " WHERE e.id = $1 FOR UPDATE" } else { " WHERE e.id = $1" });
        let row = self.executor.one((text, vec![id_value(id)])).await?;
        row.map(|row| row::read(&row, 0)).transpose()
    }

    /// Locks an entry that this transaction found, as [`EntryWriter::lock`] does.
    pub async fn lock_found(self, entry: Entry) -> Result<Option<Entry>, Error> {
        // On SQLite nobody else changed it since.
        if self.executor.is_postgres() { self.lock(entry.id).await } else { Ok(Some(entry)) }
    }

    /// Holds a translation group until the transaction ends: nobody adds to it, or changes what its entries share, meanwhile.
    pub async fn hold_group(self, group: GroupId) -> Result<(), Error> {
        self.executor.hold(&[b"group", &group.to_bytes()], true, None).await?;
        Ok(())
    }

    /// Adds an entry, with its first revision if it keeps any.
    pub async fn insert(
        self,
        _: &Permit<to::CreateContent>,
        collection: &Collection,
        entry: &Entry,
        revision: Option<&Revision>,
    ) -> Result<(), Error> {
        let derived = Derived::of(collection, entry)?;
        let nothing = Derived::default();
        entry_index::claim_unique(self.executor, entry.id, &nothing, &derived).await?;
        let mut batch = Batch::new(self.executor);
        let names: Vec<_> = FIXED.iter().chain(&CHANGING).copied().collect();
        let text = batch.begin("INSERT INTO entries (").push(&names.join(", ")).push(") VALUES ");
        text.bind_row(0, fixed_values(entry).into_iter().chain(changing_values(entry)?));
        if let Some(revision) = revision {
            revisions::insert(&mut batch, revision)?;
        }
        entry_index::write(&mut batch, entry.id, &nothing, &derived);
        entry_index::count(&mut batch, None, Some(entry));
        batch.run(self.executor).await
    }

    /// Makes an entry what it is afterwards, and adds the revision that it was saved as. Fails when it is no longer what it was before; the
    /// transaction is not to be committed then. Whoever did not lock the entry first may be told of a conflict instead.
    pub async fn update(
        self,
        _: &Permit<to::ChangeContent>,
        collection: &Collection,
        before: &Entry,
        after: &Entry,
        revision: Option<&Revision>,
    ) -> Result<(), Error> {
        let (old, new) = (changing_values(before)?, changing_values(after)?);
        // Only what changed is named: SQLite maintains an index when a statement names one of its columns.
        let changes: Vec<_> = CHANGING.iter().zip(old.iter().zip(new)).filter(|(_, (old, new))| *old != new).collect();
        if changes.is_empty() {
            return Ok(());
        }
        let (old, new) = (Derived::of(collection, before)?, Derived::of(collection, after)?);
        entry_index::claim_unique(self.executor, before.id, &old, &new).await?;
        let mut batch = Batch::asking(self.executor);
        let text = batch.begin("UPDATE entries SET ");
        for (n, (name, (_, value))) in changes.into_iter().enumerate() {
            text.push(if n == 0 { "" } else { ", " }).push(name).push(" = ").bind(value);
        }
        text.push(" WHERE id = ").bind(id_value(before.id)).push(" AND version = ").bind(before.version).push(" RETURNING 1");
        if let Some(revision) = revision {
            revisions::insert(&mut batch, revision)?;
        }
        entry_index::write(&mut batch, before.id, &old, &new);
        entry_index::count(&mut batch, Some(before), Some(after));
        // What was written beside it falls with the transaction.
        if batch.found(self.executor).await? { Ok(()) } else { Err(Error::Stale) }
    }

    /// Removes an entry for ever, with everything that belongs to it, unless it is no longer what it was.
    pub async fn remove(self, _: &Permit<to::RemoveContent>, entry: &Entry) -> Result<(), Error> {
        let as_known = Entity::delete_many().filter(Column::Id.eq(Stored(entry.id))).filter(Column::Version.eq(entry.version));
        if as_known.exec(&self.executor).await?.rows_affected == 0 {
            return Err(Error::Stale);
        }
        let mut batch = Batch::new(self.executor);
        for table in BELONGINGS {
            batch.begin("DELETE FROM ").push(table).push(" WHERE entry_id = ").bind(id_value(entry.id));
        }
        entry_index::count(&mut batch, Some(entry), None);
        batch.run(self.executor).await
    }

    /// Forgets that an entry refers to some others. It no longer does, whatever the rows said.
    pub async fn forget_references(self, _: &Permit<to::ChangeContent>, entry: EntryId, targets: &BTreeSet<EntryId>) -> Result<(), Error> {
        let targets = references::Column::TargetId.is_in(targets.iter().copied().map(Stored));
        let rows = references::Entity::delete_many().filter(references::Column::EntryId.eq(Stored(entry))).filter(targets);
        rows.exec(&self.executor).await?;
        Ok(())
    }

    /// Removes entries of a collection that is gone for ever, with everything that belongs to them. Nobody counts them any more.
    pub async fn remove_all(self, _: &Permit<to::ManageSchema>, ids: &[EntryId]) -> Result<(), Error> {
        if ids.is_empty() {
            return Ok(());
        }
        let tables = BELONGINGS.iter().map(|table| (*table, "entry_id")).chain([("entries", "id")]);
        let mut batch = Batch::new(self.executor);
        for (table, column) in tables {
            let text = batch.begin("DELETE FROM ").push(table).push(" WHERE ").push(column).push(" IN (");
            text.bind_all(ids.iter().copied().map(id_value)).push(")");
        }
        batch.run(self.executor).await
    }
}

/// The tables whose rows belong to one entry.
const BELONGINGS: [&str; 6] = ["entry_index", "entry_unique", "entry_references", "revisions", "edit_locks", "preview_links"];
