//! Changing collections and fields. Each change counts the collection's version up, so that whoever writes entries by an older
//! state notices.

use cms_domain::{
    access::{Permit, to},
    collection::Collection,
    field::Field,
    id::{CollectionId, FieldId},
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, Set, UpdateMany,
    prelude::Uuid,
    sea_query::{Expr, ExprTrait, Query},
};

use super::{
    definition::{CollectionDefinition, FieldDefinition, collection, content_type, field},
    indexes::{self, entity as index},
};
use crate::{Error, column::Stored, entry_index::counts, executor::Executor, revisions::entity as revisions};

/// With what the name of content begins whose collection was deleted. No collection's can.
pub(super) const CONDEMNED: char = '~';

/// Writes collections.
#[derive(Clone, Copy)]
pub struct CollectionWriter<'a> {
    pub(super) executor: Executor<'a>,
}

impl crate::Tx {
    /// Collections.
    pub fn collections(&self) -> CollectionWriter<'_> {
        CollectionWriter::new(self.executor())
    }
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
    pub async fn insert(self, _: &Permit<to::ManageSchema>, collection: &Collection) -> Result<(), Error> {
        let (id, slug) = (Stored(collection.id), Stored(collection.slug.clone()));
        // That of an orphan stays.
        let known = Query::select()
            .expr(Expr::val(1))
            .from(content_type::Entity)
            .and_where(content_type::Column::Id.eq(id))
            .and_where(content_type::Column::Slug.eq(slug.clone()))
            .take();
        let name = Query::select().expr(Expr::val(id)).expr(Expr::val(slug)).and_where(Expr::not_exists(known)).take();
        let mut insert = Query::insert().into_table(content_type::Entity).take();
        insert.columns([content_type::Column::Id, content_type::Column::Slug]).select_from(name).map_err(Error::backend)?;
        self.executor.execute(&insert).await?;
        let row = collection::ActiveModel {
            id: Set(Stored(collection.id)),
            has_leftovers: Set(collection.has_leftovers),
            version: Set(1),
            created_at: Set(Stored(collection.created_at)),
            ..changes(collection)?
        };
        collection::Entity::insert(row).exec_without_returning(&self.executor).await?;
        for field in &collection.fields {
            self.write_field(collection.id, field).await?;
        }
        Ok(())
    }

    /// Changes what a collection says of itself; not its fields and indexes.
    pub async fn update(self, _: &Permit<to::ManageSchema>, collection: &Collection) -> Result<(), Error> {
        self.change(collection.id, changes(collection)?).await
    }

    /// Removes a collection's registration. Its content is an orphan then, and found by its name.
    pub async fn unregister(self, _: &Permit<to::ManageSchema>, id: CollectionId) -> Result<(), Error> {
        field::Entity::delete_many().filter(field::Column::CollectionId.eq(Stored(id))).exec(&self.executor).await?;
        one_row(collection::Entity::delete_by_id(Stored(id)).exec(&self.executor).await?.rows_affected)?;
        let own = index::Entity::update_many().filter(index::Column::CollectionId.eq(Stored(id)));
        own.set(indexes::dropped()).exec(&self.executor).await?;
        Ok(())
    }

    /// Removes a collection's registration, and gives its name back. Nobody finds its content any more, which goes bit by bit.
    pub async fn condemn(self, permit: &Permit<to::ManageSchema>, id: CollectionId) -> Result<(), Error> {
        self.unregister(permit, id).await?;
        let own = content_type::Entity::update_many().filter(content_type::Column::Id.eq(Stored(id)));
        let renamed = own.col_expr(content_type::Column::Slug, Expr::val(format!("{CONDEMNED}{id}")));
        one_row(renamed.exec(&self.executor).await?.rows_affected)
    }

    /// Forgets a collection that was condemned, whose entries are gone.
    pub async fn forget(self, _: &Permit<to::ManageSchema>, id: CollectionId) -> Result<(), Error> {
        revisions::Entity::delete_many().filter(revisions::Column::CollectionId.eq(Stored(id))).exec(&self.executor).await?;
        counts::Entity::delete_many().filter(counts::Column::CollectionId.eq(Stored(id))).exec(&self.executor).await?;
        index::Entity::delete_many().filter(index::Column::CollectionId.eq(Stored(id))).exec(&self.executor).await?;
        one_row(content_type::Entity::delete_by_id(Stored(id)).exec(&self.executor).await?.rows_affected)
    }

    /// Adds a field.
    pub async fn insert_field(self, _: &Permit<to::ManageSchema>, collection: CollectionId, field: &Field) -> Result<(), Error> {
        self.touch(collection, field.updated_at).await?;
        self.write_field(collection, field).await
    }

    async fn write_field(self, collection: CollectionId, field: &Field) -> Result<(), Error> {
        let row = field::ActiveModel {
            id: Set(Stored(field.id)),
            collection_id: Set(Stored(collection)),
            created_at: Set(Stored(field.created_at)),
            ..changes_of_field(field)?
        };
        field::Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Changes a field, also its name.
    pub async fn update_field(self, _: &Permit<to::ManageSchema>, collection: CollectionId, field: &Field) -> Result<(), Error> {
        self.touch(collection, field.updated_at).await?;
        let own = field::Entity::update_many().filter(field::Column::CollectionId.eq(Stored(collection)));
        let update = own.filter(field::Column::Id.eq(Stored(field.id))).set(changes_of_field(field)?);
        one_row(update.exec(&self.executor).await?.rows_affected)
    }

    /// Removes a field. Its values stay in stored documents until the background has cleaned them.
    pub async fn delete_field(
        self,
        _: &Permit<to::ManageSchema>,
        collection: CollectionId,
        field: FieldId,
        now: Timestamp,
    ) -> Result<(), Error> {
        self.touch(collection, now).await?;
        let own = field::Entity::delete_by_id(Stored(field)).filter(field::Column::CollectionId.eq(Stored(collection)));
        one_row(own.exec(&self.executor).await?.rows_affected)
    }

    /// Puts collections first in the navigation, in the given order; the others lose their place and follow by name.
    pub async fn reorder(self, _: &Permit<to::ManageSchema>, order: &[CollectionSlug], now: Timestamp) -> Result<(), Error> {
        let placed = collection::Entity::update_many().filter(collection::Column::SortOrder.is_not_null());
        let unplaced = collection::ActiveModel { sort_order: Set(None), ..collection::ActiveModel::default() };
        bumped(placed.set(unplaced)).exec(&self.executor).await?;
        for (place, slug) in (0_i32..).zip(order) {
            let named = Query::select()
                .column(content_type::Column::Id)
                .from(content_type::Entity)
                .and_where(content_type::Column::Slug.eq(slug.as_str()))
                .take();
            let placed = collection::ActiveModel {
                sort_order: Set(Some(place)),
                updated_at: Set(Stored(now)),
                ..collection::ActiveModel::default()
            };
            let update = collection::Entity::update_many().filter(collection::Column::Id.into_expr().eq(Expr::from(named))).set(placed);
            one_row(bumped(update).exec(&self.executor).await?.rows_affected)?;
        }
        Ok(())
    }

    /// Puts fields in the given order.
    pub async fn reorder_fields(
        self,
        _: &Permit<to::ManageSchema>,
        collection: CollectionId,
        order: &[FieldSlug],
        now: Timestamp,
    ) -> Result<(), Error> {
        self.touch(collection, now).await?;
        for (place, slug) in (0_i32..).zip(order) {
            let own = field::Entity::update_many().filter(field::Column::CollectionId.eq(Stored(collection)));
            let placed = field::ActiveModel { sort_order: Set(place), ..field::ActiveModel::default() };
            let update = own.filter(field::Column::Slug.eq(slug.as_str())).set(placed);
            one_row(update.exec(&self.executor).await?.rows_affected)?;
        }
        Ok(())
    }

    /// Notes whether values of dropped fields may still be in stored documents.
    pub async fn set_leftovers(self, id: CollectionId, has_leftovers: bool) -> Result<(), Error> {
        self.change(id, collection::ActiveModel { has_leftovers: Set(has_leftovers), ..collection::ActiveModel::default() }).await
    }

    async fn touch(self, id: CollectionId, now: Timestamp) -> Result<(), Error> {
        self.change(id, collection::ActiveModel { updated_at: Set(Stored(now)), ..collection::ActiveModel::default() }).await
    }

    pub(super) async fn bump(self, id: CollectionId) -> Result<(), Error> {
        self.change(id, collection::ActiveModel::default()).await
    }

    /// Changes a collection, and counts its version up.
    async fn change(self, id: CollectionId, changes: collection::ActiveModel) -> Result<(), Error> {
        let update = collection::Entity::update_many().set(changes).filter(collection::Column::Id.eq(Stored(id)));
        one_row(bumped(update).exec(&self.executor).await?.rows_affected)
    }
}

/// What comes of a statement that touches one row, by how many it touched: someone else removed or changed it when there is none.
pub(super) const fn one_row(rows: u64) -> Result<(), Error> {
    if rows == 0 { Err(Error::Stale) } else { Ok(()) }
}

fn bumped(update: UpdateMany<collection::Entity>) -> UpdateMany<collection::Entity> {
    update.col_expr(collection::Column::Version, Expr::col(collection::Column::Version).add(1))
}

/// What changes of a collection.
fn changes(collection: &Collection) -> Result<collection::ActiveModel, Error> {
    Ok(collection::ActiveModel {
        definition: Set(serde_json::to_string(&CollectionDefinition::of(collection)).map_err(Error::backend)?),
        sort_order: Set(collection.sort_order),
        updated_at: Set(Stored(collection.updated_at)),
        ..collection::ActiveModel::default()
    })
}

/// What changes of a field.
fn changes_of_field(field: &Field) -> Result<field::ActiveModel, Error> {
    Ok(field::ActiveModel {
        slug: Set(Stored(field.slug.clone())),
        sort_order: Set(field.sort_order),
        definition: Set(serde_json::to_string(&FieldDefinition::of(field)).map_err(Error::backend)?),
        updated_at: Set(Stored(field.updated_at)),
        ..field::ActiveModel::default()
    })
}
