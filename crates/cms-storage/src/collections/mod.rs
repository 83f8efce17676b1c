//! Collections with their fields and indexes.

pub(crate) mod definition;
pub(crate) mod indexes;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeSet, HashMap};

use cms_domain::{collection::Collection, field::Field, id::CollectionId, slug::CollectionSlug};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{Asterisk, Expr, ExprTrait, Query},
};

pub(crate) use definition::collection;
pub use indexes::IndexWork;
pub use write::CollectionWriter;

use crate::{
    Error,
    column::{Stored, unreadable},
    entries::row::entity as entries,
    executor::Executor,
};
use definition::{content_type, field};
use indexes::entity as index;
use write::CONDEMNED;

/// Content whose collection is not registered.
#[derive(FromQueryResult)]
struct Orphan {
    id: Stored<CollectionId>,
    slug: Stored<CollectionSlug>,
    n: i64,
}

/// Reads collections.
#[derive(Clone, Copy)]
pub struct CollectionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Collections.
    pub fn collections(self) -> CollectionReader<'a> {
        CollectionReader::new(self.executor())
    }
}

impl<'a> CollectionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Every collection, in the order of the navigation.
    pub async fn all(self) -> Result<Vec<Collection>, Error> {
        let mut collections = self.load(None).await?;
        collections.sort_by(|a, b| {
            let place = |collection: &Collection| (collection.sort_order.is_none(), collection.sort_order);
            place(a).cmp(&place(b)).then_with(|| a.slug.cmp(&b.slug))
        });
        Ok(collections)
    }

    /// What the collections are called.
    pub async fn slugs(self) -> Result<BTreeSet<CollectionSlug>, Error> {
        let named = collection::Entity::find().select_only().column(content_type::Column::Slug).inner_join(content_type::Entity);
        let slugs: Vec<Stored<CollectionSlug>> = named.into_tuple().all(&self.executor).await?;
        Ok(slugs.into_iter().map(|slug| slug.0).collect())
    }

    /// The collection with a slug.
    pub async fn by_slug(self, slug: &CollectionSlug) -> Result<Option<Collection>, Error> {
        let named = Query::select()
            .column(content_type::Column::Id)
            .from(content_type::Entity)
            .and_where(content_type::Column::Slug.eq(slug.as_str()))
            .take();
        Ok(self.load(Some(named.into())).await?.into_iter().next())
    }

    /// The collection with an id.
    pub async fn by_id(self, id: CollectionId) -> Result<Option<Collection>, Error> {
        Ok(self.load(Some(Expr::val(Stored(id)))).await?.into_iter().next())
    }

    /// Content whose collection is not registered: its id, its name, and how many entries are not in the trash.
    pub async fn orphans(self) -> Result<Vec<(CollectionId, CollectionSlug, i64)>, Error> {
        let of_content = || {
            Query::select()
                .from(entries::Entity)
                .and_where(entries::Column::CollectionId.into_expr().equals((content_type::Entity, content_type::Column::Id)))
                .take()
        };
        let registered = Query::select()
            .expr(Expr::val(1))
            .from(collection::Entity)
            .and_where(collection::Column::Id.into_expr().equals((content_type::Entity, content_type::Column::Id)))
            .take();
        let untrashed = of_content().expr(Expr::col(Asterisk).count()).and_where(entries::Column::DeletedAt.is_null()).take();
        let orphans = content_type::Entity::find()
            .column_as(Expr::from(untrashed), "n")
            .filter(content_type::Column::Slug.lt(CONDEMNED.to_string()))
            .filter(Expr::not_exists(registered))
            .filter(Expr::exists(of_content().expr(Expr::val(1)).take()));
        let orphans = orphans.into_model::<Orphan>().all(&self.executor).await.map_err(unreadable::<content_type::Entity>)?;
        let mut orphans: Vec<_> = orphans.into_iter().map(|orphan| (orphan.id.0, orphan.slug.0, orphan.n)).collect();
        orphans.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(orphans)
    }

    /// Collections that were deleted, whose content may not be gone yet.
    pub async fn condemned(self) -> Result<Vec<CollectionId>, Error> {
        let condemned = content_type::Entity::find()
            .select_only()
            .column(content_type::Column::Id)
            .filter(content_type::Column::Slug.gte(CONDEMNED.to_string()))
            .order_by_asc(content_type::Column::Id);
        let condemned: Vec<Stored<CollectionId>> = condemned.into_tuple().all(&self.executor).await?;
        Ok(condemned.into_iter().map(|id| id.0).collect())
    }

    /// The collection with an id, which may be a query, or every collection, with what belongs to them.
    async fn load(self, id: Option<Expr>) -> Result<Vec<Collection>, Error> {
        // The collections are read first: if they change in between, their version is older than their fields, and whoever
        // writes by them sees that they changed.
        let registered = collection::Entity::find()
            .find_both_related(content_type::Entity)
            .apply_if(id.clone(), |collections, id| collections.filter(collection::Column::Id.into_expr().eq(id)));
        let rows: Vec<(collection::Model, content_type::Model)> = self.executor.list_both(registered).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut collections = rows.into_iter().map(|(row, name)| definition::read(&row, name)).collect::<Result<Vec<_>, _>>()?;
        let position: HashMap<_, _> = collections.iter().enumerate().map(|(n, collection)| (collection.id, n)).collect();
        let fields = field::Entity::find().apply_if(id.clone(), |fields, id| fields.filter(field::Column::CollectionId.into_expr().eq(id)));
        for row in self.executor.list::<_, field::Model>(fields).await? {
            if let Some(n) = position.get(&row.collection_id.0) {
                collections[*n].fields.push(Field::try_from(row)?);
            }
        }
        let indexes = index::Entity::find().apply_if(id, |indexes, id| indexes.filter(index::Column::CollectionId.into_expr().eq(id)));
        for row in self.executor.list::<_, index::Model>(indexes).await? {
            let collection = row.collection_id.0;
            if let (Some(n), Some(index)) = (position.get(&collection), indexes::read(row)?) {
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
