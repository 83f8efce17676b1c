//! Folders of the library.

use cms_domain::{
    access::Permit,
    media::{FolderId, MediaFolder, SortMedia},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Constraint, Error, Reader, Tx, column::Stored, executor::Executor, row::at_most, tables::Table};

mod entity {
    use cms_domain::{
        media::{FolderId, FolderName},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "media_folders")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<FolderId>,
        pub(super) name: Stored<FolderName>,
        pub(super) name_key: String,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The unique index that keeps two folders from having one name.
pub const FOLDER_NAME: Constraint = Constraint::Unique("media_folders_name_key");

/// The table, as archives and errors know it.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().unique("media_folders_name_key", &[Column::NameKey], FOLDER_NAME)
}

/// Reads folders.
#[derive(Clone, Copy)]
pub struct FolderReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Folders of the library.
    pub fn folders(self) -> FolderReader<'a> {
        FolderReader { executor: self.executor() }
    }
}

impl FolderReader<'_> {
    /// The folders in the order of their names, behind one name as two are compared by, so many at most.
    pub async fn list(self, after: Option<String>, limit: usize) -> Result<Vec<MediaFolder>, Error> {
        let found = Entity::find().apply_if(after, |folders, name| folders.filter(Column::NameKey.gt(name)));
        self.executor.list(found.order_by_asc(Column::NameKey).limit(at_most(limit))).await
    }

    /// A folder.
    pub async fn by_id(self, id: FolderId) -> Result<Option<MediaFolder>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id))).await
    }

    /// How many there are.
    pub async fn count(self) -> Result<i64, Error> {
        self.executor.count(Entity::find()).await
    }
}

/// Writes folders.
#[derive(Clone, Copy)]
pub struct FolderWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Folders of the library.
    pub fn folders(&self) -> FolderWriter<'_> {
        FolderWriter { executor: self.executor() }
    }
}

impl FolderWriter<'_> {
    /// Adds a folder, unless another one has its name.
    pub async fn insert(self, _: &Permit<SortMedia>, folder: &MediaFolder) -> Result<(), Error> {
        let row = ActiveModel { id: Set(Stored(folder.id)), created_at: Set(Stored(folder.created_at)), ..edited(folder) };
        Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// A folder, which nobody else changes before the transaction ends.
    pub async fn lock(self, id: FolderId) -> Result<Option<MediaFolder>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).lock_exclusive()).await
    }

    /// A folder that files are put into, which nobody removes before the transaction ends.
    pub async fn hold(self, id: FolderId) -> Result<Option<MediaFolder>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).lock_shared()).await
    }

    /// Changes a folder.
    pub async fn update(self, _: &Permit<SortMedia>, folder: &MediaFolder) -> Result<(), Error> {
        let update = Entity::update_many().set(edited(folder)).filter(Column::Id.eq(Stored(folder.id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Removes a folder. What is in it has to be taken out by then.
    pub async fn delete(self, _: &Permit<SortMedia>, id: FolderId) -> Result<(), Error> {
        Entity::delete_by_id(Stored(id)).exec(&self.executor).await?;
        Ok(())
    }
}

/// What people edit of a folder.
fn edited(folder: &MediaFolder) -> ActiveModel {
    ActiveModel {
        name: Set(Stored(folder.name.clone())),
        name_key: Set(folder.name.key()),
        updated_at: Set(Stored(folder.updated_at)),
        ..ActiveModel::default()
    }
}

impl From<entity::Model> for MediaFolder {
    fn from(row: entity::Model) -> Self {
        Self { id: row.id.0, name: row.name.0, created_at: row.created_at.0, updated_at: row.updated_at.0 }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Actor;

    use super::*;
    use crate::{Store, both, fixtures::at};

    fn folder(n: u128, name: &str) -> MediaFolder {
        MediaFolder { id: FolderId::from_parts(1, n), name: name.parse().unwrap(), created_at: at(1), updated_at: at(1) }
    }

    fn permit() -> Permit<SortMedia> {
        Actor::System.permit(SortMedia).unwrap()
    }

    both! {
        async fn folders_are_listed_by_name_and_two_do_not_have_one(store: Store) {
            let tx = store.write().await.unwrap();
            for (n, name) in [(1, "Portraits"), (2, "archive"), (3, "Über uns")] {
                tx.folders().insert(&permit(), &folder(n, name)).await.unwrap();
            }
            let names = async |after: Option<&str>, limit| {
                let found = tx.reader().folders().list(after.map(str::to_owned), limit).await.unwrap();
                found.into_iter().map(|folder| folder.name.to_string()).collect::<Vec<_>>()
            };
            assert_eq!(names(None, 9).await, ["archive", "Portraits", "Über uns"]);
            assert_eq!(names(Some("archive"), 1).await, ["Portraits"]);
            assert_eq!(tx.reader().folders().count().await.unwrap(), 3);
            let taken = tx.folders().insert(&permit(), &folder(4, "ARCHIVE")).await;
            assert!(matches!(taken, Err(Error::Conflict(constraint)) if constraint == FOLDER_NAME));
        }

        async fn a_folder_is_renamed_and_removed(store: Store) {
            let tx = store.write().await.unwrap();
            tx.folders().insert(&permit(), &folder(1, "Old")).await.unwrap();
            let renamed = MediaFolder { updated_at: at(2), ..folder(1, "New") };
            tx.folders().update(&permit(), &renamed).await.unwrap();
            assert_eq!(tx.folders().lock(renamed.id).await.unwrap().as_ref(), Some(&renamed));
            assert_eq!(tx.folders().hold(renamed.id).await.unwrap().as_ref(), Some(&renamed));
            tx.folders().delete(&permit(), renamed.id).await.unwrap();
            assert_eq!(tx.reader().folders().by_id(renamed.id).await.unwrap(), None);
            assert!(matches!(tx.folders().update(&permit(), &renamed).await, Err(Error::Stale)));
        }
    }
}
