//! Indexes: how far the background has come with building and dropping them.

use cms_domain::{
    access::{Permit, to},
    collection::{Index, IndexId, IndexState},
    id::{CollectionId, EntryId},
    slug::FieldSlug,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set, UpdateMany,
    sea_query::{Asterisk, Expr, ExprTrait, Query},
};

use self::entity::{ActiveModel, Column, Entity, Model, Stage};
use super::{CollectionReader, CollectionWriter, write::one_row};
use crate::{
    Error,
    column::{Json, Storable, Stored},
    entries::row::entity as entries,
    row::{Row, corrupt},
};

pub(super) mod entity {
    use cms_domain::{
        collection::IndexId,
        id::{CollectionId, EntryId},
        slug::FieldSlug,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::{Json, Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "indexes")]
    pub(in crate::collections) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(in crate::collections) id: Stored<IndexId>,
        pub(in crate::collections) collection_id: Stored<CollectionId>,
        pub(in crate::collections) fields: Stored<Json<Vec<FieldSlug>>>,
        pub(in crate::collections) state: Stored<Stage>,
        pub(in crate::collections) cursor: Option<Stored<EntryId>>,
        pub(in crate::collections) done: i64,
        pub(in crate::collections) total: i64,
        pub(in crate::collections) attempts: i32,
        pub(in crate::collections) last_error: Option<String>,
    }

    /// How far an index has come, without the details.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in crate::collections) enum Stage {
        Building,
        Ready,
        Dropping,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(in crate::collections) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

impl Storable for Stage {
    type Raw = i16;

    fn to_raw(&self) -> i16 {
        match self {
            Self::Building => 0,
            Self::Ready => 1,
            Self::Dropping => 2,
        }
    }

    fn of_raw(raw: i16) -> Option<Self> {
        [Self::Building, Self::Ready, Self::Dropping].into_iter().find(|stage| stage.to_raw() == raw)
    }
}

/// An index that is being built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexWork {
    /// The index.
    pub id: IndexId,
    /// Its collection.
    pub collection: CollectionId,
    /// The last entry that was added; entries are added in the order of their ids.
    pub cursor: Option<EntryId>,
    /// How many entries were added.
    pub done: i64,
    /// How many attempts failed.
    pub attempts: i32,
}

/// The index in a row; none while it is being dropped.
pub(super) fn read(row: Model) -> Result<Option<Index>, Error> {
    let (id, fields) = (row.id.0, row.fields.0.value);
    let state = match row.state.0 {
        Stage::Ready => IndexState::Ready,
        Stage::Building => IndexState::Building { done: row.done, total: row.total, attempts: row.attempts, last_error: row.last_error },
        Stage::Dropping => return Ok(None),
    };
    if fields.is_empty() {
        return Err(corrupt("indexes", "fields", id.0));
    }
    Ok(Some(Index { id, fields, state }))
}

impl From<Model> for IndexWork {
    fn from(row: Model) -> Self {
        Self {
            id: row.id.0,
            collection: row.collection_id.0,
            cursor: row.cursor.map(|cursor| cursor.0),
            done: row.done,
            attempts: row.attempts,
        }
    }
}

impl CollectionReader<'_> {
    /// The indexes that are being built, the oldest first.
    pub async fn indexes_to_build(self) -> Result<Vec<IndexWork>, Error> {
        let to_build = Entity::find().filter(Column::State.eq(Stored(Stage::Building)));
        self.executor.list(to_build.order_by_asc(Column::Id)).await
    }

    /// The indexes that are being dropped.
    pub async fn indexes_to_drop(self) -> Result<Vec<IndexId>, Error> {
        let to_drop = Entity::find().select_only().column(Column::Id).filter(Column::State.eq(Stored(Stage::Dropping)));
        let to_drop: Vec<Stored<IndexId>> = to_drop.order_by_asc(Column::Id).into_tuple().all(&self.executor).await?;
        Ok(to_drop.into_iter().map(|id| id.0).collect())
    }
}

impl CollectionWriter<'_> {
    /// Adds an index. The background builds it; one of a collection without entries is ready at once.
    pub async fn insert_index(
        self,
        _: &Permit<to::ManageSchema>,
        collection: CollectionId,
        fields: &[FieldSlug],
    ) -> Result<IndexId, Error> {
        const COUNTED: &str = "n";
        // Bumped first: whoever writes entries by the collection's former state is done then, and their entries are counted.
        self.bump(collection).await?;
        let counted = Query::select()
            .expr_as(Expr::col(Asterisk).count(), COUNTED)
            .from(entries::Entity)
            .and_where(entries::Column::CollectionId.eq(Stored(collection)))
            .take();
        let ready = Expr::case(Expr::col(COUNTED).eq(0), Stored(Stage::Ready)).finally(Stored(Stage::Building));
        let index = Query::select()
            .expr(Expr::val(Stored(collection)))
            .expr(Expr::val(Stored(Json::new(fields.to_vec())?)))
            .expr(ready)
            .expr(Expr::val(0_i64))
            .expr(Expr::col(COUNTED))
            .expr(Expr::val(0))
            .from_subquery(counted, "counted")
            .take();
        let columns = [Column::CollectionId, Column::Fields, Column::State, Column::Done, Column::Total, Column::Attempts];
        let mut insert = Query::insert().into_table(Entity).columns(columns).returning_col(Column::Id).take();
        let row = self.executor.one(&*insert.select_from(index).map_err(Error::backend)?).await?;
        row.ok_or(Error::Stale)?.read("id").map(IndexId)
    }

    /// Gives the fields of an index the names that they have now.
    pub async fn rename_in_index(self, _: &Permit<to::ManageSchema>, index: &Index) -> Result<(), Error> {
        let renamed = ActiveModel { fields: Set(Stored(Json::new(index.fields.clone())?)), ..ActiveModel::default() };
        self.change_index(Entity::update_many().filter(Column::Id.eq(Stored(index.id))).set(renamed)).await
    }

    /// Notes how far the building of an index has come.
    pub async fn set_index_progress(self, id: IndexId, cursor: EntryId, done: i64) -> Result<(), Error> {
        let further = ActiveModel { cursor: Set(Some(Stored(cursor))), done: Set(done), ..ActiveModel::default() };
        self.change_index(being_built(id).set(further)).await
    }

    /// Notes that an attempt to build an index failed. It goes on from where it was.
    pub async fn set_index_failed(self, id: IndexId, error: &str) -> Result<(), Error> {
        let failed = ActiveModel { last_error: Set(Some(error.to_owned())), ..ActiveModel::default() };
        let attempts = Expr::col(Column::Attempts).add(1);
        self.change_index(being_built(id).set(failed).col_expr(Column::Attempts, attempts)).await
    }

    /// Lets lists use an index, once every entry has its rows.
    pub async fn set_index_ready(self, collection: CollectionId, id: IndexId) -> Result<(), Error> {
        self.bump(collection).await?;
        let ready = ActiveModel {
            state: Set(Stored(Stage::Ready)),
            cursor: Set(None),
            attempts: Set(0),
            last_error: Set(None),
            ..ActiveModel::default()
        };
        self.change_index(being_built(id).set(ready)).await
    }

    /// Takes an index out of use. The background removes its rows, then [`CollectionWriter::delete_index`] the index.
    pub async fn drop_index(self, _: &Permit<to::ManageSchema>, collection: CollectionId, id: IndexId) -> Result<(), Error> {
        self.bump(collection).await?;
        self.change_index(Entity::update_many().filter(Column::Id.eq(Stored(id))).set(dropped())).await
    }

    /// Holds an index that is being dropped until the transaction ends: of several servers one at a time removes its rows. Says
    /// whether it is still there.
    pub async fn hold_dropped(self, id: IndexId) -> Result<bool, Error> {
        let index = Entity::find_by_id(Stored(id)).select_only().column(Column::Id).filter(Column::State.eq(Stored(Stage::Dropping)));
        // On SQLite there is nobody else.
        Ok(index.lock_exclusive().into_tuple::<Stored<IndexId>>().one(&self.executor).await?.is_some())
    }

    /// Forgets an index whose rows are gone.
    pub async fn delete_index(self, id: IndexId) -> Result<(), Error> {
        let index = Entity::delete_many().filter(Column::Id.eq(Stored(id))).filter(Column::State.eq(Stored(Stage::Dropping)));
        one_row(index.exec(&self.executor).await?.rows_affected)
    }

    async fn change_index(self, update: UpdateMany<Entity>) -> Result<(), Error> {
        one_row(update.exec(&self.executor).await?.rows_affected)
    }
}

/// A change of an index that is being built.
fn being_built(id: IndexId) -> UpdateMany<Entity> {
    Entity::update_many().filter(Column::Id.eq(Stored(id))).filter(Column::State.eq(Stored(Stage::Building)))
}

/// What an index is changed to when the background is to remove its rows.
pub(super) fn dropped() -> ActiveModel {
    ActiveModel { state: Set(Stored(Stage::Dropping)), ..ActiveModel::default() }
}
