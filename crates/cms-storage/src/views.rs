//! Saved views of lists.

use cms_domain::{
    access::{Permit, to},
    id::{CollectionId, UserId},
    view::{KeepView, SavedView, ViewId},
};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error, Reader, Tx,
    column::{Json, Stored},
    executor::Executor,
    row::at_most,
    tables::Table,
};

mod entity {
    use cms_domain::{
        id::{CollectionId, UserId},
        time::Timestamp,
        view::{ViewId, ViewName, ViewSearch},
    };
    use sea_orm::entity::prelude::*;

    use crate::column::{Json, Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "saved_views")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<ViewId>,
        pub(super) collection_id: Stored<CollectionId>,
        pub(super) owner_id: Stored<UserId>,
        pub(super) name: Stored<ViewName>,
        pub(super) search: Stored<Json<ViewSearch>>,
        pub(super) is_shared: bool,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> Table {
    Table::of::<Entity>()
}

/// Reads saved views.
#[derive(Clone, Copy)]
pub struct ViewReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Saved views.
    pub fn views(self) -> ViewReader<'a> {
        ViewReader { executor: self.executor() }
    }
}

impl ViewReader<'_> {
    /// The views of a collection that a user finds, theirs and those that are shared, in the order of their making, behind one of them, so many at most.
    pub async fn list(self, collection: CollectionId, user: UserId, after: Option<ViewId>, limit: usize) -> Result<Vec<SavedView>, Error> {
        let found = Entity::find()
            .filter(Column::CollectionId.eq(Stored(collection)))
            .filter(Condition::any().add(Column::IsShared.eq(true)).add(Column::OwnerId.eq(Stored(user))))
            .apply_if(after, |views, id| views.filter(Column::Id.gt(Stored(id))));
        self.executor.list(found.order_by_asc(Column::Id).limit(at_most(limit))).await
    }

    /// A view.
    pub async fn by_id(self, id: ViewId) -> Result<Option<SavedView>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id))).await
    }

    /// How many views a user has saved.
    pub async fn count(self, owner: UserId) -> Result<i64, Error> {
        self.executor.count(Entity::find().filter(Column::OwnerId.eq(Stored(owner)))).await
    }
}

/// Writes saved views.
#[derive(Clone, Copy)]
pub struct ViewWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Saved views.
    pub fn views(&self) -> ViewWriter<'_> {
        ViewWriter { executor: self.executor() }
    }
}

impl ViewWriter<'_> {
    /// Adds a view.
    pub async fn insert(self, _: &Permit<KeepView>, view: &SavedView) -> Result<(), Error> {
        let view = ActiveModel {
            id: Set(Stored(view.id)),
            collection_id: Set(Stored(view.collection)),
            owner_id: Set(Stored(view.owner)),
            created_at: Set(Stored(view.created_at)),
            ..edited(view)?
        };
        Entity::insert(view).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// A view, which nobody else changes before the transaction ends.
    pub async fn lock(self, id: ViewId) -> Result<Option<SavedView>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).lock_exclusive()).await
    }

    /// Changes a view.
    pub async fn update(self, _: &Permit<KeepView>, view: &SavedView) -> Result<(), Error> {
        let update = Entity::update_many().set(edited(view)?).filter(Column::Id.eq(Stored(view.id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Removes a view.
    pub async fn delete(self, _: &Permit<KeepView>, id: ViewId) -> Result<(), Error> {
        Entity::delete_by_id(Stored(id)).exec(&self.executor).await?;
        Ok(())
    }

    /// Removes the views of a collection, whoever saved them.
    pub async fn delete_of_collection(self, _: &Permit<to::ManageSchema>, collection: CollectionId) -> Result<(), Error> {
        Entity::delete_many().filter(Column::CollectionId.eq(Stored(collection))).exec(&self.executor).await?;
        Ok(())
    }
}

/// What people edit of a view.
fn edited(view: &SavedView) -> Result<ActiveModel, Error> {
    Ok(ActiveModel {
        name: Set(Stored(view.name.clone())),
        search: Set(Stored(Json::new(view.search.clone())?)),
        is_shared: Set(view.is_shared),
        updated_at: Set(Stored(view.updated_at)),
        ..ActiveModel::default()
    })
}

impl From<entity::Model> for SavedView {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            collection: row.collection_id.0,
            owner: row.owner_id.0,
            name: row.name.0,
            search: row.search.0.value,
            is_shared: row.is_shared,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use cms_domain::{access::Actor, view::ViewSearch};

    use super::*;
    use crate::{Store, both, dump, fixtures, restore, testing::TestStore};

    fn owner(n: u128) -> UserId {
        UserId::from_parts(1, n)
    }

    fn collection(n: u128) -> CollectionId {
        CollectionId::from_parts(1, n)
    }

    /// The `n`th view, of the first collection.
    fn view(n: u128, owner: UserId, is_shared: bool) -> SavedView {
        SavedView {
            id: ViewId::from_parts(1, n),
            collection: collection(1),
            owner,
            name: format!("View {n}").try_into().unwrap(),
            search: ViewSearch::try_from(BTreeMap::from([("sort".to_owned(), "title".to_owned())])).unwrap(),
            is_shared,
            created_at: fixtures::at(1),
            updated_at: fixtures::at(1),
        }
    }

    fn permit(view: &SavedView) -> Permit<KeepView> {
        Actor::System.permit(view.keeping()).unwrap()
    }

    async fn with(store: &Store, views: &[SavedView]) -> Tx {
        let tx = store.write().await.unwrap();
        for view in views {
            tx.views().insert(&permit(view), view).await.unwrap();
        }
        tx
    }

    both! {
        async fn a_user_finds_their_own_views_of_a_collection_and_those_that_are_shared(store: Store) {
            let elsewhere = SavedView { collection: collection(2), ..view(5, owner(1), true) };
            let views = [view(1, owner(1), false), view(2, owner(2), false), view(3, owner(2), true), view(4, owner(1), true), elsewhere];
            let tx = with(&store, &views).await;
            let list = async |user, after: Option<u128>, limit| {
                let after = after.map(|n| ViewId::from_parts(1, n));
                tx.reader().views().list(collection(1), owner(user), after, limit).await.unwrap()
            };
            assert_eq!(list(1, None, 9).await, [views[0].clone(), views[2].clone(), views[3].clone()]);
            assert_eq!(list(2, None, 2).await, [views[1].clone(), views[2].clone()]);
            assert_eq!(list(3, Some(3), 9).await, [views[3].clone()]);
            assert_eq!(tx.reader().views().count(owner(1)).await.unwrap(), 3);
        }

        async fn a_view_changes_until_it_is_removed(store: Store) {
            let view = view(1, owner(1), false);
            let tx = with(&store, std::slice::from_ref(&view)).await;
            let changed = SavedView {
                name: "Mine".to_owned().try_into().unwrap(),
                search: ViewSearch::default(),
                is_shared: true,
                updated_at: fixtures::at(2),
                ..view
            };
            tx.views().update(&permit(&changed), &changed).await.unwrap();
            assert_eq!(tx.views().lock(changed.id).await.unwrap().as_ref(), Some(&changed));
            assert_eq!(tx.reader().views().by_id(changed.id).await.unwrap().as_ref(), Some(&changed));
            tx.views().delete(&permit(&changed), changed.id).await.unwrap();
            assert_eq!(tx.views().lock(changed.id).await.unwrap(), None);
            assert!(matches!(tx.views().update(&permit(&changed), &changed).await, Err(Error::Stale)));
        }

        async fn the_views_of_a_collection_go_with_it(store: Store) {
            let other = SavedView { collection: collection(2), ..view(3, owner(1), false) };
            let tx = with(&store, &[view(1, owner(1), false), view(2, owner(2), true), other]).await;
            tx.views().delete_of_collection(&fixtures::permit(), collection(1)).await.unwrap();
            let left = (tx.reader().views().count(owner(1)).await.unwrap(), tx.reader().views().count(owner(2)).await.unwrap());
            assert_eq!(left, (1, 0));
        }

        async fn views_go_out_with_an_archive_and_come_back_on_either_database(store: Store) {
            with(&store, &[view(1, owner(1), false)]).await.commit().await.unwrap();
            let folder = tempfile::tempdir().unwrap();
            dump(&store, folder.path()).await.unwrap();
            for target in [TestStore::sqlite().await.map(Some), TestStore::postgres().await] {
                let Some(target) = target.unwrap() else { continue };
                let tx = target.store().write().await.unwrap();
                restore(&tx, folder.path()).await.unwrap();
                assert_eq!(tx.views().lock(view(1, owner(1), false).id).await.unwrap(), Some(view(1, owner(1), false)));
                drop(tx);
                target.remove().await.unwrap();
            }
        }
    }
}
