//! Preview links: each is a secret, stored as its hash, with whoever made it and what they made it with.

use cms_domain::{
    access::{Permit, to},
    id::{EntryId, GrantId, PreviewId, TokenId, UserId},
    time::Timestamp,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select, Set, sea_query::Expr};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error, SecretHash,
    column::Stored,
    executor::Executor,
    expiry,
    row::{at_most, time_value},
};

mod entity {
    use cms_domain::{
        id::{EntryId, GrantId, PreviewId, TokenId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{SecretHash, column::Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "preview_links")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<PreviewId>,
        pub(super) hash: Stored<SecretHash>,
        pub(super) entry_id: Stored<EntryId>,
        pub(super) user_id: Option<Stored<UserId>>,
        pub(super) token_id: Option<Stored<TokenId>>,
        pub(super) grant_id: Option<Stored<GrantId>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// A preview link, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewLink {
    /// Identifies the link.
    pub id: PreviewId,
    /// The entry that it shows.
    pub entry: EntryId,
    /// Who made it; nobody when it was the operator.
    pub maker: Option<UserId>,
    /// The access token that it was made with. It goes when the token does.
    pub token: Option<TokenId>,
    /// The grant of the application that made it. It goes when the grant does.
    pub grant: Option<GrantId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Reads preview links.
#[derive(Clone, Copy)]
pub struct PreviewReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Preview links.
    pub fn previews(self) -> PreviewReader<'a> {
        PreviewReader::new(self.executor())
    }
}

impl<'a> PreviewReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The link whose secret has a hash, if it has not ended.
    pub async fn by_hash(self, hash: &SecretHash, now: Timestamp) -> Result<Option<PreviewLink>, Error> {
        self.executor.find(open(now).filter(Column::Hash.eq(Stored(*hash)))).await
    }

    /// The links to an entry that have not ended, the newest first.
    pub async fn of_entry(self, entry: EntryId, now: Timestamp) -> Result<Vec<PreviewLink>, Error> {
        self.executor.list(open(now).filter(Column::EntryId.eq(Stored(entry))).order_by_desc(Column::Id)).await
    }

    /// The links that a user made and that have not ended, the newest first, so many at most.
    pub async fn by_maker(self, maker: UserId, now: Timestamp, limit: usize) -> Result<Vec<PreviewLink>, Error> {
        let made = open(now).filter(Column::UserId.eq(Stored(maker)));
        self.executor.list(made.order_by_desc(Column::Id).limit(at_most(limit))).await
    }
}

/// Links that have not ended.
fn open(now: Timestamp) -> Select<Entity> {
    Entity::find().filter(Column::ExpiresAt.gt(Stored(now)))
}

/// Writes preview links.
#[derive(Clone, Copy)]
pub struct PreviewWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Preview links.
    pub fn previews(&self) -> PreviewWriter<'_> {
        PreviewWriter::new(self.executor())
    }
}

impl<'a> PreviewWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a link under the hash of its secret.
    pub async fn insert(self, _: &Permit<to::PreviewContent>, link: &PreviewLink, hash: &SecretHash) -> Result<(), Error> {
        let link = ActiveModel {
            id: Set(Stored(link.id)),
            hash: Set(Stored(*hash)),
            entry_id: Set(Stored(link.entry)),
            user_id: Set(link.maker.map(Stored)),
            token_id: Set(link.token.map(Stored)),
            grant_id: Set(link.grant.map(Stored)),
            created_at: Set(Stored(link.created_at)),
            expires_at: Set(Stored(link.expires_at)),
        };
        Entity::insert(link).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Ends a link.
    pub async fn delete(self, _: &Permit<to::PreviewContent>, id: PreviewId) -> Result<u64, Error> {
        self.end(Column::Id.eq(Stored(id))).await
    }

    /// Ends the links to an entry. Says how many there were.
    pub async fn delete_of_entry(self, _: &Permit<to::ChangeContent>, entry: EntryId) -> Result<u64, Error> {
        self.end(Column::EntryId.eq(Stored(entry))).await
    }

    /// Ends the links that an application made.
    pub async fn delete_by_grant(self, _: &Permit<to::Account>, grant: GrantId) -> Result<u64, Error> {
        self.end(Column::GrantId.eq(Stored(grant))).await
    }

    /// Ends the links that a user made.
    pub async fn delete_by_maker(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        self.end(Column::UserId.eq(Stored(permit.account()))).await
    }

    async fn end(self, links: Expr) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(links).exec(&self.executor).await?.rows_affected)
    }

    /// Removes up to `limit` links whose time is over, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "preview_links", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

impl From<entity::Model> for PreviewLink {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            entry: row.entry_id.0,
            maker: row.user_id.map(|id| id.0),
            token: row.token_id.map(|id| id.0),
            grant: row.grant_id.map(|id| id.0),
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::*;
    use crate::{Store, StoredToken, Tx, both, fixtures};

    const ENTRY: EntryId = EntryId::from_parts(1, 1);

    fn link(n: u128) -> PreviewLink {
        PreviewLink {
            id: PreviewId::from_parts(1, n),
            entry: ENTRY,
            maker: Some(fixtures::user(1).id),
            token: None,
            grant: None,
            created_at: fixtures::at(1),
            expires_at: fixtures::at(9),
        }
    }

    /// A transaction with two users, and links of theirs.
    async fn with_links(store: &Store, links: &[PreviewLink]) -> Tx {
        let tx = store.write().await.unwrap();
        for n in [1, 2] {
            tx.users().insert(&fixtures::permit(), &fixtures::user(n)).await.unwrap();
        }
        for (n, link) in (1..).zip(links) {
            tx.previews().insert(&fixtures::permit(), link, &[n; 32]).await.unwrap();
        }
        tx
    }

    async fn left(tx: &Tx) -> Vec<PreviewId> {
        tx.reader().previews().of_entry(ENTRY, fixtures::at(2)).await.unwrap().into_iter().map(|link| link.id).collect()
    }

    both! {
        async fn a_link_is_found_by_its_hash_until_it_ends(store: Store) {
            let tx = with_links(&store, &[link(1)]).await;
            let previews = tx.reader().previews();
            assert_eq!(previews.by_hash(&[1; 32], fixtures::at(8)).await.unwrap(), Some(link(1)));
            assert_eq!(previews.by_hash(&[1; 32], fixtures::at(9)).await.unwrap(), None);
            assert_eq!(previews.by_hash(&[2; 32], fixtures::at(8)).await.unwrap(), None);
            assert_eq!(previews.of_entry(ENTRY, fixtures::at(9)).await.unwrap(), []);
            assert_eq!(tx.previews().prune(fixtures::at(8), 100).await.unwrap(), 0);
            assert_eq!(tx.previews().prune(fixtures::at(9), 100).await.unwrap(), 1);
        }

        async fn links_end_one_by_one_by_entry_and_by_maker(store: Store) {
            let elsewhere = PreviewLink { entry: EntryId::from_parts(1, 2), ..link(4) };
            let tx = with_links(&store, &[link(1), link(2), PreviewLink { maker: Some(fixtures::user(2).id), ..link(3) }, elsewhere]).await;
            assert_eq!(tx.previews().delete(&fixtures::permit(), link(2).id).await.unwrap(), 1);
            assert_eq!(left(&tx).await, [link(3).id, link(1).id]);
            let made = tx.reader().previews().by_maker(fixtures::user(1).id, fixtures::at(2), 2).await.unwrap();
            assert_eq!(made.into_iter().map(|link| link.id).collect::<Vec<_>>(), [link(4).id, link(1).id]);
            assert_eq!(tx.previews().delete_by_maker(&fixtures::account(fixtures::user(2).id)).await.unwrap(), 1);
            assert_eq!(left(&tx).await, [link(1).id]);
            assert_eq!(tx.previews().delete_of_entry(&fixtures::permit(), ENTRY).await.unwrap(), 1);
            assert!(tx.reader().previews().by_hash(&[4; 32], fixtures::at(2)).await.unwrap().is_some());
        }

        async fn a_link_goes_with_the_token_that_made_it(store: Store) {
            let tx = with_links(&store, &[]).await;
            let user = fixtures::user(1);
            let token = StoredToken {
                id: TokenId::from_parts(1, 1),
                user: user.id,
                name: "token".to_owned(),
                prefix: "cms_pat_abcd".to_owned(),
                scopes: [Scope::ContentWrite].into(),
                expires_at: None,
                last_used_at: None,
                created_at: fixtures::at(0),
            };
            tx.tokens().insert(&fixtures::account(token.user), &token, &[7; 32]).await.unwrap();
            tx.previews().insert(&fixtures::permit(), &PreviewLink { token: Some(token.id), ..link(1) }, &[1; 32]).await.unwrap();
            tx.previews().insert(&fixtures::permit(), &link(2), &[2; 32]).await.unwrap();
            assert!(tx.tokens().delete_any(&fixtures::permit(), token.id).await.unwrap());
            assert_eq!(left(&tx).await, [link(2).id]);
        }
    }
}
