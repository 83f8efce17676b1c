//! Access tokens. Only hashes are stored; a revoked token is gone.

use cms_domain::{
    access::{Permit, Scopes, to},
    id::{TokenId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set, sea_query::ExprTrait};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error,
    accounts::touch,
    column::{Json, Stored},
    executor::Executor,
    expiry,
    row::time_value,
    users,
};

pub(crate) mod entity {
    use cms_domain::{
        access::Scopes,
        id::{TokenId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{
        SecretHash,
        column::{Json, Stored},
        users::entity as users,
    };

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "tokens")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<TokenId>,
        pub(crate) user_id: Stored<UserId>,
        pub(crate) name: String,
        pub(crate) prefix: String,
        pub(crate) hash: Stored<SecretHash>,
        pub(crate) scopes: Stored<Json<Scopes>>,
        pub(crate) expires_at: Option<Stored<Timestamp>>,
        pub(crate) last_used_at: Option<Stored<Timestamp>>,
        pub(crate) created_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {
        #[sea_orm(belongs_to = "users::Entity", from = "Column::UserId", to = "users::Column::Id")]
        User,
    }

    impl Related<users::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// What is known of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// Identifies the token.
    pub id: TokenId,
    /// Whose token it is.
    pub user: UserId,
    /// What it is for.
    pub name: String,
    /// How it begins.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Reads tokens.
#[derive(Clone, Copy)]
pub struct TokenReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Access tokens.
    pub fn tokens(self) -> TokenReader<'a> {
        TokenReader::new(self.executor())
    }
}

impl<'a> TokenReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The token with a hash, and its user.
    pub async fn by_hash(self, hash: &[u8; 32]) -> Result<Option<(StoredToken, User)>, Error> {
        let with_hash = Entity::find().find_both_related(users::entity::Entity).filter(Column::Hash.eq(Stored(*hash)));
        self.executor.find_both(with_hash).await
    }

    /// A user's tokens, the newest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredToken>, Error> {
        self.executor.list(Entity::find().filter(Column::UserId.eq(Stored(user))).order_by_desc(Column::Id)).await
    }

    /// How many tokens of a user work at an instant; where tokens made before another one work no more, of those that were made after it.
    pub async fn count(self, user: UserId, now: Timestamp, made_after: Option<Timestamp>) -> Result<i64, Error> {
        let working = Entity::find()
            .filter(Column::UserId.eq(Stored(user)))
            .filter(Column::ExpiresAt.is_null().or(Column::ExpiresAt.gt(Stored(now))))
            .filter(Column::CreatedAt.gt(Stored(made_after.unwrap_or(Timestamp::MIN))));
        self.executor.count(working).await
    }
}

/// Writes tokens.
#[derive(Clone, Copy)]
pub struct TokenWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Access tokens.
    pub fn tokens(&self) -> TokenWriter<'_> {
        TokenWriter::new(self.executor())
    }
}

impl<'a> TokenWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a token under its hash.
    pub async fn insert(self, permit: &Permit<to::Account>, token: &StoredToken, hash: &[u8; 32]) -> Result<(), Error> {
        let token = ActiveModel {
            id: Set(Stored(token.id)),
            user_id: Set(Stored(permit.account())),
            name: Set(token.name.clone()),
            prefix: Set(token.prefix.clone()),
            hash: Set(Stored(*hash)),
            scopes: Set(Stored(Json::new(token.scopes.clone())?)),
            expires_at: Set(token.expires_at.map(Stored)),
            last_used_at: Set(token.last_used_at.map(Stored)),
            created_at: Set(Stored(token.created_at)),
        };
        Entity::insert(token).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Revokes a token of a user. Says whether there was one.
    pub async fn delete(self, permit: &Permit<to::Account>, id: TokenId) -> Result<bool, Error> {
        let delete = Entity::delete_by_id(Stored(id)).filter(Column::UserId.eq(Stored(permit.account())));
        Ok(delete.exec(&self.executor).await?.rows_affected > 0)
    }

    /// Revokes a token, whosever it is. Says whether there was one.
    pub async fn delete_any(self, _: &Permit<to::ManageUsers>, id: TokenId) -> Result<bool, Error> {
        Ok(Entity::delete_by_id(Stored(id)).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Revokes all tokens of a user. Counts them.
    pub async fn delete_all(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(Column::UserId.eq(Stored(permit.account()))).exec(&self.executor).await?.rows_affected)
    }

    /// Removes up to `limit` tokens that ended before an instant, and says how many.
    pub async fn prune(self, ended_before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "tokens", "expires_at < $1", vec![time_value(ended_before)], limit).await
    }

    /// Notes when tokens were last used; an earlier use than the noted one changes nothing.
    pub async fn touch(self, used: &[(TokenId, Timestamp)]) -> Result<(), Error> {
        touch(self.executor, "tokens", used).await
    }
}

impl From<entity::Model> for StoredToken {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            user: row.user_id.0,
            name: row.name,
            prefix: row.prefix,
            scopes: row.scopes.0.value,
            expires_at: row.expires_at.map(|at| at.0),
            last_used_at: row.last_used_at.map(|at| at.0),
            created_at: row.created_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::*;
    use crate::{Store, Tx, both, fixtures};

    fn token(n: u128, user: UserId) -> StoredToken {
        StoredToken {
            id: TokenId::from_parts(1, n),
            user,
            name: format!("token {n}"),
            prefix: "cms_pat_abcd".to_owned(),
            scopes: [Scope::ContentRead, Scope::Admin].into(),
            expires_at: Some(fixtures::at(90)),
            last_used_at: None,
            created_at: fixtures::at(1),
        }
    }

    async fn with_user(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx
    }

    both! {
        async fn a_token_is_found_with_its_user_by_its_hash(store: Store) {
            let tx = with_user(&store).await;
            let (user, token) = (fixtures::user(1), token(1, fixtures::user(1).id));
            tx.tokens().insert(&fixtures::account(token.user), &token, &[7; 32]).await.unwrap();
            assert_eq!(tx.reader().tokens().by_hash(&[7; 32]).await.unwrap(), Some((token, user)));
            assert_eq!(tx.reader().tokens().by_hash(&[8; 32]).await.unwrap(), None);
        }

        async fn only_its_owner_or_the_operator_revokes_a_token(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for n in [1, 2] {
                let hash = [u8::try_from(n).unwrap(); 32];
                tx.tokens().insert(&fixtures::account(token(n, user).user), &token(n, user), &hash).await.unwrap();
            }
            let delete = async |n, owner| tx.tokens().delete(&fixtures::account(owner), token(n, user).id).await.unwrap();
            assert!(!delete(1, fixtures::user(2).id).await);
            assert!(delete(1, user).await);
            let delete = async |n| tx.tokens().delete_any(&fixtures::permit(), token(n, user).id).await.unwrap();
            assert!(delete(2).await);
            assert!(!delete(2).await);
        }

        async fn only_tokens_that_work_are_counted_and_only_ended_ones_removed(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for (n, expires_at) in [(1, Some(fixtures::at(10))), (2, Some(fixtures::at(20))), (3, None)] {
                let token = StoredToken { expires_at, ..token(n, user) };
                tx.tokens().insert(&fixtures::account(token.user), &token, &[u8::try_from(n).unwrap(); 32]).await.unwrap();
            }
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), None).await.unwrap(), 2);
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), Some(fixtures::at(0))).await.unwrap(), 2);
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), Some(fixtures::at(1))).await.unwrap(), 0);
            assert_eq!(tx.tokens().prune(fixtures::at(11), 100).await.unwrap(), 1);
            assert_eq!(tx.reader().tokens().for_user(user).await.unwrap().len(), 2);
        }

        async fn the_latest_use_of_a_token_is_kept(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for n in [1, 2] {
                let hash = [u8::try_from(n).unwrap(); 32];
                tx.tokens().insert(&fixtures::account(token(n, user).user), &token(n, user), &hash).await.unwrap();
            }
            let ids = [1, 2].map(|n| token(n, user).id);
            tx.tokens().touch(&[(ids[0], fixtures::at(5)), (ids[1], fixtures::at(6))]).await.unwrap();
            tx.tokens().touch(&[(ids[0], fixtures::at(4)), (ids[1], fixtures::at(9))]).await.unwrap();
            let found = tx.reader().tokens().for_user(user).await.unwrap();
            let used: Vec<_> = found.iter().map(|token| (token.id, token.last_used_at)).collect();
            assert_eq!(used, [(ids[1], Some(fixtures::at(9))), (ids[0], Some(fixtures::at(5)))]);
        }
    }
}
