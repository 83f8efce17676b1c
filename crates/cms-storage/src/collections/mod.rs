//! Collections with their fields and indexes.

mod definition;
mod indexes;
#[cfg(test)]
mod tests;
mod write;

use std::collections::HashMap;

use cms_domain::{
    collection::Collection,
    field::Field,
    id::{CollectionId, FieldId},
    slug::CollectionSlug,
};
use sea_orm::{QueryResult, Value};

pub use indexes::IndexWork;
pub use write::CollectionWriter;

use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, id_value},
};
use definition::{CollectionDefinition, CollectionRow, FieldDefinition, FieldRow};

/// Reads collections.
#[derive(Clone, Copy)]
pub struct CollectionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> CollectionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Every collection, in the order of the navigation.
    pub async fn all(self) -> Result<Vec<Collection>, Error> {
        let mut collections = self.load("", Vec::new()).await?;
        collections.sort_by(|a, b| {
            let place = |collection: &Collection| (collection.sort_order.is_none(), collection.sort_order);
            place(a).cmp(&place(b)).then_with(|| a.slug.cmp(&b.slug))
        });
        Ok(collections)
    }

    /// The collection with a slug.
    pub async fn by_slug(self, slug: &CollectionSlug) -> Result<Option<Collection>, Error> {
        let found = self.load("WHERE c.id = (SELECT id FROM content_types WHERE slug = $1)", vec![slug.as_str().into()]).await?;
        Ok(found.into_iter().next())
    }

    /// The collection with an id.
    pub async fn by_id(self, id: CollectionId) -> Result<Option<Collection>, Error> {
        Ok(self.load("WHERE c.id = $1", vec![id_value(id)]).await?.into_iter().next())
    }

    /// Content whose collection is not registered: its id, its name, and how many entries are not in the trash.
    pub async fn orphans(self) -> Result<Vec<(CollectionId, CollectionSlug, i64)>, Error> {
        const ORPHANS: &str = "SELECT t.id, t.slug, (SELECT count(*) FROM entries e WHERE e.collection_id = t.id AND e.deleted_at IS NULL) AS n \
            FROM content_types t \
            WHERE t.slug < '~' AND NOT EXISTS (SELECT 1 FROM collections c WHERE c.id = t.id) \
            AND EXISTS (SELECT 1 FROM entries e WHERE e.collection_id = t.id)";
        let rows = self.executor.all(ORPHANS).await?;
        let mut orphans = rows
            .iter()
            .map(|row| {
                let id = row.read_id("id")?;
                Ok((id, row.parse("content_types", "slug", id)?, row.read("n")?))
            })
            .collect::<Result<Vec<(CollectionId, CollectionSlug, i64)>, Error>>()?;
        orphans.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(orphans)
    }

    /// Collections that were deleted, whose content may not be gone yet.
    pub async fn condemned(self) -> Result<Vec<CollectionId>, Error> {
        let rows = self.executor.all("SELECT id FROM content_types WHERE slug >= '~' ORDER BY id").await?;
        rows.iter().map(|row| row.read_id("id")).collect()
    }

    /// The collections that a condition on `c` finds, with what belongs to them.
    async fn load(self, condition: &str, values: Vec<Value>) -> Result<Vec<Collection>, Error> {
        // The collections are read first: if they change in between, their version is older than their fields, and whoever
        // writes by them sees that they changed.
        let text = format!(
            "SELECT c.id, t.slug, c.definition, c.sort_order, c.has_leftovers, c.version, c.created_at, c.updated_at \
             FROM collections c JOIN content_types t ON t.id = c.id {condition}"
        );
        let rows = self.executor.all((text, values.clone())).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut collections = rows.iter().map(read_collection).collect::<Result<Vec<_>, _>>()?;
        let position: HashMap<_, _> = collections.iter().enumerate().map(|(n, collection)| (collection.id, n)).collect();
        let narrowed = |table: &str, columns: &str| {
            let within =
                if condition.is_empty() { String::new() } else { format!("JOIN collections c ON c.id = o.collection_id {condition}") };
            format!("SELECT {columns} FROM {table} o {within}")
        };
        let columns = "o.id, o.collection_id, o.slug, o.sort_order, o.definition, o.created_at, o.updated_at";
        for row in self.executor.all((narrowed("fields", columns), values.clone())).await? {
            if let Some(n) = position.get(&row.read_id("collection_id")?) {
                collections[*n].fields.push(read_field(&row)?);
            }
        }
        for row in self.executor.all((narrowed("indexes", indexes::COLUMNS), values)).await? {
            if let (Some(n), Some(index)) = (position.get(&row.read_id("collection_id")?), indexes::read(&row)?) {
                collections[*n].indexes.push(index);
            }
        }
        for collection in &mut collections {
            collection.fields.sort_by(|a, b| a.sort_order.cmp(&b.sort_order).then_with(|| a.slug.cmp(&b.slug)));
            collection.indexes.sort_by_key(|index| index.id);
        }
        Ok(collections)
    }
}

fn read_collection(row: &QueryResult) -> Result<Collection, Error> {
    let id: CollectionId = row.read_id("id")?;
    let definition: String = row.read("definition")?;
    let definition: CollectionDefinition<'_> = serde_json::from_str(&definition).map_err(|_| corrupt("collections", "definition", id))?;
    Ok(definition.with(CollectionRow {
        id,
        slug: row.parse("content_types", "slug", id)?,
        sort_order: row.read("sort_order")?,
        has_leftovers: row.read("has_leftovers")?,
        version: row.read("version")?,
        created_at: row.read_time("created_at")?,
        updated_at: row.read_time("updated_at")?,
    }))
}

fn read_field(row: &QueryResult) -> Result<Field, Error> {
    let id: FieldId = row.read_id("id")?;
    let definition: String = row.read("definition")?;
    let definition: FieldDefinition<'_> = serde_json::from_str(&definition).map_err(|_| corrupt("fields", "definition", id))?;
    let columns = FieldRow {
        id,
        slug: row.parse("fields", "slug", id)?,
        sort_order: row.read("sort_order")?,
        created_at: row.read_time("created_at")?,
        updated_at: row.read_time("updated_at")?,
    };
    definition.with(columns).map_err(|_| corrupt("fields", "definition", id))
}
