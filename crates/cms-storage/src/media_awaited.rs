//! Files that are announced and awaited.

use cms_domain::{
    access::Permit,
    id::UserId,
    media::{AddMedia, ArrivedFile, AwaitedMedia, BringMedia, MediaId},
    time::Timestamp,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect, Select, Set};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error, Reader, Tx,
    column::{Json, Stored},
    executor::Executor,
    tables::Table,
};

mod entity {
    use cms_domain::{
        id::UserId,
        media::{ArrivedFile, FolderId, MediaId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::column::{Json, Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "media_awaited")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<MediaId>,
        pub(super) object_key: String,
        pub(super) filename: String,
        pub(super) media_type: String,
        pub(super) size: i64,
        pub(super) arrived: Option<Stored<Json<ArrivedFile>>>,
        pub(super) author_id: Option<Stored<UserId>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
        pub(super) folder_id: Option<Stored<FolderId>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as errors know it. What is awaited does not outlive its hour.
pub(crate) fn table() -> Table {
    Table::of::<Entity>().transient()
}

/// Reads what is awaited.
#[derive(Clone, Copy)]
pub struct AwaitedReader<'a> {
    executor: Executor<'a>,
}

impl<'a> Reader<'a> {
    /// Files that are awaited.
    pub fn awaited(self) -> AwaitedReader<'a> {
        AwaitedReader { executor: self.executor() }
    }
}

impl AwaitedReader<'_> {
    /// A file that is still awaited.
    pub async fn by_id(self, id: MediaId, now: Timestamp) -> Result<Option<AwaitedMedia>, Error> {
        self.executor.find(open(id, now)).await
    }

    /// How many files of somebody, or of the server, are still awaited.
    pub async fn count(self, author: Option<UserId>, now: Timestamp) -> Result<i64, Error> {
        let own = author.map_or_else(|| Column::AuthorId.is_null(), |author| Column::AuthorId.eq(Stored(author)));
        self.executor.count(Entity::find().filter(own).filter(Column::ExpiresAt.gt(Stored(now)))).await
    }

    /// Whether a file is awaited no more that is not forgotten yet.
    pub async fn any_expired(self, now: Timestamp) -> Result<bool, Error> {
        Ok(Entity::find().filter(Column::ExpiresAt.lte(Stored(now))).one(&self.executor).await?.is_some())
    }
}

fn open(id: MediaId, now: Timestamp) -> Select<Entity> {
    Entity::find_by_id(Stored(id)).filter(Column::ExpiresAt.gt(Stored(now)))
}

/// Writes what is awaited.
#[derive(Clone, Copy)]
pub struct AwaitedWriter<'a> {
    executor: Executor<'a>,
}

impl Tx {
    /// Files that are awaited.
    pub fn awaited(&self) -> AwaitedWriter<'_> {
        AwaitedWriter { executor: self.executor() }
    }
}

impl AwaitedWriter<'_> {
    /// Awaits a file.
    pub async fn insert(self, _: &Permit<AddMedia>, file: &AwaitedMedia) -> Result<(), Error> {
        let row = ActiveModel {
            id: Set(Stored(file.id)),
            object_key: Set(file.key.clone()),
            filename: Set(file.filename.clone()),
            media_type: Set(file.media_type.clone()),
            size: Set(i64::try_from(file.size).unwrap_or(i64::MAX)),
            arrived: Set(file.arrived.clone().map(Json::new).transpose()?.map(Stored)),
            author_id: Set(file.author.map(Stored)),
            created_at: Set(Stored(file.created_at)),
            expires_at: Set(Stored(file.expires_at)),
            folder_id: Set(file.folder.map(Stored)),
        };
        Entity::insert(row).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// A file that is still awaited, with which nobody else goes on before the transaction ends.
    pub async fn lock(self, id: MediaId, now: Timestamp) -> Result<Option<AwaitedMedia>, Error> {
        self.executor.find(open(id, now).lock_exclusive()).await
    }

    /// The bytes of a file have arrived.
    pub async fn arrive(self, _: &Permit<BringMedia>, id: MediaId, file: &ArrivedFile) -> Result<(), Error> {
        let arrived = ActiveModel { arrived: Set(Some(Stored(Json::new(file.clone())?))), ..ActiveModel::default() };
        let update = Entity::update_many().set(arrived).filter(Column::Id.eq(Stored(id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// A file is awaited no more.
    pub async fn delete(self, _: &Permit<BringMedia>, id: MediaId) -> Result<(), Error> {
        Entity::delete_by_id(Stored(id)).exec(&self.executor).await?;
        Ok(())
    }

    /// Forgets files that are awaited no more, so many at most, and says how many there were.
    pub async fn prune(self, now: Timestamp, limit: u64) -> Result<u64, Error> {
        let expired = Entity::find().select_only().column(Column::Id).filter(Column::ExpiresAt.lte(Stored(now))).limit(limit);
        let ids: Vec<Stored<MediaId>> = expired.into_tuple().all(&self.executor).await?;
        if ids.is_empty() {
            return Ok(0);
        }
        Ok(Entity::delete_many().filter(Column::Id.is_in(ids)).exec(&self.executor).await?.rows_affected)
    }
}

impl From<entity::Model> for AwaitedMedia {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            key: row.object_key,
            filename: row.filename,
            media_type: row.media_type,
            size: row.size.unsigned_abs(),
            arrived: row.arrived.map(|arrived| arrived.0.value),
            folder: row.folder_id.map(|folder| folder.0),
            author: row.author_id.map(|author| author.0),
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::access::{Actor, Purpose};

    use super::*;
    use crate::{Store, both, fixtures::at};

    fn permit<P: Purpose>(purpose: P) -> Permit<P> {
        Actor::System.permit(purpose).unwrap()
    }

    fn awaited(n: u128) -> AwaitedMedia {
        AwaitedMedia {
            id: MediaId::from_parts(1, n),
            key: format!("{n}.png"),
            filename: "a.png".to_owned(),
            media_type: "image/png".to_owned(),
            size: 3,
            arrived: None,
            folder: Some(cms_domain::media::FolderId::from_parts(1, 1)),
            author: Some(UserId::from_parts(1, 1)),
            created_at: at(1),
            expires_at: at(10),
        }
    }

    both! {
        async fn a_file_is_awaited_until_its_time_is_over(store: Store) {
            let (file, bringing) = (awaited(1), permit(BringMedia { owner: None }));
            let tx = store.write().await.unwrap();
            tx.awaited().insert(&permit(AddMedia), &file).await.unwrap();
            tx.awaited().insert(&permit(AddMedia), &awaited(2)).await.unwrap();
            let arrived = ArrivedFile {
                key: "b.png".to_owned(),
                media_type: "image/png".to_owned(),
                size: 3,
                sha1: [1; 20],
                sha256: [2; 32],
            };
            tx.awaited().arrive(&bringing, file.id, &arrived).await.unwrap();
            let expected = AwaitedMedia { arrived: Some(arrived.clone()), ..file.clone() };
            assert_eq!(tx.awaited().lock(file.id, at(9)).await.unwrap(), Some(expected));
            assert_eq!(tx.reader().awaited().by_id(file.id, at(10)).await.unwrap(), None);
            assert_eq!(tx.reader().awaited().count(file.author, at(9)).await.unwrap(), 2);
            assert_eq!(tx.reader().awaited().count(None, at(9)).await.unwrap(), 0);
            assert_eq!(tx.awaited().prune(at(9), 9).await.unwrap(), 0);
            assert_eq!(tx.awaited().prune(at(10), 1).await.unwrap(), 1);
            assert_eq!(tx.awaited().prune(at(10), 9).await.unwrap(), 1);
            assert!(matches!(tx.awaited().arrive(&bringing, file.id, &arrived).await, Err(Error::Stale)));
        }
    }
}
