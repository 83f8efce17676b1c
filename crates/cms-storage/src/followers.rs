//! Followers: whoever is told of everything that happens, once and in its order, and how far each has come.

use cms_domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set,
    sea_query::{ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, OutboxPosition, column::Stored, executor::Executor};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "followers")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: String,
        pub(super) version: i64,
        pub(super) xid: i64,
        pub(super) seq: i64,
        pub(super) moved_at: Stored<Timestamp>,
        pub(super) attempts: i32,
        pub(super) error: Option<String>,
        pub(super) due_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Where a follower stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follower {
    /// Names it.
    pub id: String,
    /// Counts its changes: who changes it says which state it knows. Zero is one that is not there yet.
    pub version: i64,
    /// Everything up to here it was told.
    pub position: OutboxPosition,
    /// When it last came further.
    pub moved_at: Timestamp,
    /// How many times it failed in a row at what comes next.
    pub attempts: i32,
    /// Why it last failed; none once it went well again.
    pub error: Option<String>,
    /// From when on it may be told more: while somebody tells it, and after it failed, a while from now.
    pub due_at: Timestamp,
}

/// Reads followers.
#[derive(Clone, Copy)]
pub struct FollowerReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Followers.
    pub fn followers(self) -> FollowerReader<'a> {
        FollowerReader::new(self.executor())
    }
}

impl<'a> FollowerReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// All of them, by their names.
    pub async fn all(self) -> Result<Vec<Follower>, Error> {
        self.executor.list(Entity::find().order_by_asc(Column::Id)).await
    }

    /// A follower.
    pub async fn get(self, id: &str) -> Result<Option<Follower>, Error> {
        self.executor.find(Entity::find_by_id(id)).await
    }
}

/// Writes followers.
#[derive(Clone, Copy)]
pub struct FollowerWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Followers.
    pub fn followers(&self) -> FollowerWriter<'_> {
        FollowerWriter::new(self.executor())
    }
}

impl<'a> FollowerWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Writes where a follower stands, and answers with it as it is then. None when somebody was faster: nothing is written.
    pub async fn change(self, follower: Follower) -> Result<Option<Follower>, Error> {
        let (known, id) = (follower.version, follower.id.clone());
        let next = Follower { version: known + 1, ..follower };
        let row = ActiveModel {
            id: Set(id.clone()),
            version: Set(next.version),
            xid: Set(next.position.xid),
            seq: Set(next.position.seq),
            moved_at: Set(Stored(next.moved_at)),
            attempts: Set(next.attempts),
            error: Set(next.error.clone()),
            due_at: Set(Stored(next.due_at)),
        };
        let written = if known == 0 {
            let unless_known = OnConflict::new().do_nothing().to_owned();
            Entity::insert(row).on_conflict(unless_known).exec_without_returning(&self.executor).await?
        } else {
            let as_known = Column::Id.eq(id).and(Column::Version.eq(known));
            Entity::update_many().set(row).filter(as_known).exec(&self.executor).await?.rows_affected
        };
        Ok((written > 0).then_some(next))
    }
}

impl From<entity::Model> for Follower {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id,
            version: row.version,
            position: OutboxPosition { xid: row.xid, seq: row.seq },
            moved_at: row.moved_at.0,
            attempts: row.attempts,
            error: row.error,
            due_at: row.due_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    both! {
        async fn of_two_who_change_a_follower_one_does(store: Store) {
            let tx = store.write().await.unwrap();
            let position = tx.reader().outbox().head().await.unwrap();
            let new = Follower {
                id: "shop.stock".to_owned(),
                version: 0,
                position,
                moved_at: fixtures::at(1),
                attempts: 0,
                error: None,
                due_at: fixtures::at(1),
            };
            let known = tx.followers().change(new.clone()).await.unwrap().unwrap();
            assert_eq!(tx.followers().change(new).await.unwrap(), None, "it is there already");
            let failed = Follower { attempts: 1, error: Some("the shop is closed".to_owned()), due_at: fixtures::at(9), ..known.clone() };
            let failed = tx.followers().change(failed).await.unwrap().unwrap();
            assert_eq!(tx.followers().change(known).await.unwrap(), None, "it is no longer what it was");
            assert_eq!(failed.version, 2);
            assert_eq!(tx.reader().followers().get("shop.stock").await.unwrap(), Some(failed));
            assert_eq!(tx.reader().followers().get("shop.prices").await.unwrap(), None);
        }
    }
}
