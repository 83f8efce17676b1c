//! Changing collections and fields. Each change counts the collection's version up, so that whoever writes entries by an older
//! state notices.

use cms_domain::{
    access::Permit,
    collection::Collection,
    field::Field,
    id::{CollectionId, FieldId},
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use sea_orm::{Value, prelude::Uuid};

use super::definition::{CollectionDefinition, FieldDefinition};
use crate::{
    Error,
    executor::{Executor, Sql},
    row::{id_value, time_value},
};

/// With what the name of content begins whose collection was deleted. No collection's can.
pub(super) const CONDEMNED: char = '~';

/// Writes collections.
#[derive(Clone, Copy)]
pub struct CollectionWriter<'a> {
    pub(super) executor: Executor<'a>,
}

impl<'a> CollectionWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Keeps a collection as it is until this transaction ends, for whoever writes its entries; others may hold it too.
    /// Answers with its version; none when it is gone.
    pub async fn hold(self, id: CollectionId) -> Result<Option<i64>, Error> {
        self.lock(id, false).await
    }

    /// Keeps a collection to this transaction alone: whoever holds it is done, and others wait. Answers with its version; none
    /// when it is gone.
    pub async fn hold_alone(self, id: CollectionId) -> Result<Option<i64>, Error> {
        self.lock(id, true).await
    }

    /// Whoever waits to hold a collection alone is not overtaken by those who hold it together. Its row would be another matter.
    async fn lock(self, id: CollectionId, alone: bool) -> Result<Option<i64>, Error> {
        let uuid = Uuid::from_bytes(id.to_bytes()).simple();
        let literal = if self.executor.is_postgres() { format!("'{uuid}'") } else { format!("x'{uuid}'") };
        let version = format!("(SELECT version FROM collections WHERE id = {literal})");
        self.executor.hold(&[b"collection", &id.to_bytes()], alone, Some(&version)).await
    }

    /// Registers a collection with its fields. The id is a new one, or that of the orphan with the same name.
    pub async fn insert(self, _: &Permit, collection: &Collection) -> Result<(), Error> {
        const NAME: &str =
            "INSERT INTO content_types (id, slug) SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM content_types WHERE id = $1 AND slug = $2)";
        const INSERT: &str = "INSERT INTO collections (id, definition, sort_order, has_leftovers, version, created_at, updated_at) \
            VALUES ($1, $2, $3, $4, 1, $5, $6)";
        self.executor.execute((NAME, [id_value(collection.id), collection.slug.as_str().into()])).await?;
        let values = [
            id_value(collection.id),
            definition_of(collection)?,
            collection.sort_order.into(),
            collection.has_leftovers.into(),
            time_value(collection.created_at),
            time_value(collection.updated_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        for field in &collection.fields {
            self.write_field(collection.id, field).await?;
        }
        Ok(())
    }

    /// Changes what a collection says of itself; not its fields and indexes.
    pub async fn update(self, _: &Permit, collection: &Collection) -> Result<(), Error> {
        const UPDATE: &str =
            "UPDATE collections SET definition = $2, sort_order = $3, updated_at = $4, version = version + 1 WHERE id = $1";
        let values = [id_value(collection.id), definition_of(collection)?, collection.sort_order.into(), time_value(collection.updated_at)];
        self.one_row((UPDATE, values)).await
    }

    /// Removes a collection's registration. Its content is an orphan then, and found by its name.
    pub async fn unregister(self, _: &Permit, id: CollectionId) -> Result<(), Error> {
        self.executor.execute(("DELETE FROM fields WHERE collection_id = $1", [id_value(id)])).await?;
        self.one_row(("DELETE FROM collections WHERE id = $1", [id_value(id)])).await?;
        self.executor.execute(("UPDATE indexes SET state = 2 WHERE collection_id = $1", [id_value(id)])).await?;
        Ok(())
    }

    /// Removes a collection's registration, and gives its name back. Nobody finds its content any more, which goes bit by bit.
    pub async fn condemn(self, permit: &Permit, id: CollectionId) -> Result<(), Error> {
        self.unregister(permit, id).await?;
        let name = format!("{CONDEMNED}{id}");
        self.one_row(("UPDATE content_types SET slug = $2 WHERE id = $1", [id_value(id), name.into()])).await
    }

    /// Forgets a collection that was condemned, whose entries are gone.
    pub async fn forget(self, _: &Permit, id: CollectionId) -> Result<(), Error> {
        for table in ["revisions", "entry_counts", "indexes"] {
            self.executor.execute((format!("DELETE FROM {table} WHERE collection_id = $1"), vec![id_value(id)])).await?;
        }
        self.one_row(("DELETE FROM content_types WHERE id = $1", [id_value(id)])).await
    }

    /// Adds a field.
    pub async fn insert_field(self, _: &Permit, collection: CollectionId, field: &Field) -> Result<(), Error> {
        self.touch(collection, field.updated_at).await?;
        self.write_field(collection, field).await
    }

    async fn write_field(self, collection: CollectionId, field: &Field) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO fields (id, collection_id, slug, sort_order, definition, created_at, updated_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let values = [
            id_value(field.id),
            id_value(collection),
            field.slug.as_str().into(),
            field.sort_order.into(),
            definition_of_field(field)?,
            time_value(field.created_at),
            time_value(field.updated_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Changes a field.
    pub async fn update_field(self, _: &Permit, collection: CollectionId, field: &Field) -> Result<(), Error> {
        const UPDATE: &str = "UPDATE fields SET sort_order = $3, definition = $4, updated_at = $5 WHERE id = $1 AND collection_id = $2";
        self.touch(collection, field.updated_at).await?;
        let values =
            [id_value(field.id), id_value(collection), field.sort_order.into(), definition_of_field(field)?, time_value(field.updated_at)];
        self.one_row((UPDATE, values)).await
    }

    /// Removes a field. Its values stay in stored documents until the background has cleaned them.
    pub async fn delete_field(self, _: &Permit, collection: CollectionId, field: FieldId, now: Timestamp) -> Result<(), Error> {
        self.touch(collection, now).await?;
        self.one_row(("DELETE FROM fields WHERE id = $1 AND collection_id = $2", [id_value(field), id_value(collection)])).await
    }

    /// Puts collections first in the navigation, in the given order; the others lose their place and follow by name.
    pub async fn reorder(self, _: &Permit, order: &[CollectionSlug], now: Timestamp) -> Result<(), Error> {
        const UNPLACE: &str = "UPDATE collections SET sort_order = NULL, version = version + 1 WHERE sort_order IS NOT NULL";
        const PLACE: &str = "UPDATE collections SET sort_order = $2, updated_at = $3, version = version + 1 \
            WHERE id = (SELECT id FROM content_types WHERE slug = $1)";
        self.executor.execute(UNPLACE).await?;
        for (place, slug) in (0_i32..).zip(order) {
            self.one_row((PLACE, [slug.as_str().into(), place.into(), time_value(now)])).await?;
        }
        Ok(())
    }

    /// Puts fields in the given order.
    pub async fn reorder_fields(self, _: &Permit, collection: CollectionId, order: &[FieldSlug], now: Timestamp) -> Result<(), Error> {
        const PLACE: &str = "UPDATE fields SET sort_order = $3 WHERE collection_id = $1 AND slug = $2";
        self.touch(collection, now).await?;
        for (place, slug) in (0_i32..).zip(order) {
            self.one_row((PLACE, [id_value(collection), slug.as_str().into(), place.into()])).await?;
        }
        Ok(())
    }

    /// Notes whether values of dropped fields may still be in stored documents.
    pub async fn set_leftovers(self, id: CollectionId, has_leftovers: bool) -> Result<(), Error> {
        const LEFTOVERS: &str = "UPDATE collections SET has_leftovers = $2, version = version + 1 WHERE id = $1";
        self.one_row((LEFTOVERS, [id_value(id), has_leftovers.into()])).await
    }

    async fn touch(self, id: CollectionId, now: Timestamp) -> Result<(), Error> {
        self.one_row(("UPDATE collections SET updated_at = $2, version = version + 1 WHERE id = $1", [id_value(id), time_value(now)])).await
    }

    pub(super) async fn bump(self, id: CollectionId) -> Result<(), Error> {
        self.one_row(("UPDATE collections SET version = version + 1 WHERE id = $1", [id_value(id)])).await
    }

    /// Runs a statement that changes one row; someone else removed or changed it when it changes none.
    pub(super) async fn one_row(self, sql: impl Sql) -> Result<(), Error> {
        if self.executor.execute(sql).await? == 0 { Err(Error::Stale) } else { Ok(()) }
    }
}

fn definition_of(collection: &Collection) -> Result<Value, Error> {
    Ok(serde_json::to_string(&CollectionDefinition::of(collection)).map_err(Error::backend)?.into())
}

fn definition_of_field(field: &Field) -> Result<Value, Error> {
    Ok(serde_json::to_string(&FieldDefinition::of(field)).map_err(Error::backend)?.into())
}
