//! What users granted to applications, and the tokens that go with it. Only hashes of tokens are stored.

use cms_domain::{
    access::{Permit, Scopes, to},
    id::{GrantId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QueryResult, QuerySelect, RelationTrait, Set,
    sea_query::{ExprTrait, Query},
};

use self::entity::{ActiveModel, Column, Entity, Relation};
use super::{
    DeviceCodeWriter, OAuthCodeWriter, SecretHash,
    oauth_clients::{entity as clients, optional_scopes},
    touch,
};
use crate::{
    Error,
    column::{Json, Storable, Stored, unreadable},
    executor::Executor,
    expiry,
    row::{Row, at_most, corrupt, time_value},
    users,
};

pub(super) mod entity {
    use cms_domain::{
        access::Scopes,
        id::{GrantId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use super::clients;
    use crate::{
        column::{Json, Stored},
        users::entity as users,
    };

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_grants")]
    pub(in crate::accounts) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(in crate::accounts) id: Stored<GrantId>,
        pub(in crate::accounts) client_id: String,
        pub(in crate::accounts) user_id: Stored<UserId>,
        pub(in crate::accounts) scopes: Stored<Json<Scopes>>,
        pub(in crate::accounts) resource: Option<String>,
        pub(in crate::accounts) created_at: Stored<Timestamp>,
        pub(in crate::accounts) last_used_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(in crate::accounts) enum Relation {
        #[sea_orm(belongs_to = "clients::Entity", from = "Column::ClientId", to = "clients::Column::Id")]
        Client,
        #[sea_orm(belongs_to = "users::Entity", from = "Column::UserId", to = "users::Column::Id")]
        User,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of grants, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// The tokens that go with grants.
pub(super) mod token {
    use cms_domain::{id::GrantId, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use super::TokenKind;
    use crate::{SecretHash, column::Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_tokens")]
    pub(in crate::accounts) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(in crate::accounts) hash: Stored<SecretHash>,
        pub(in crate::accounts) grant_id: Stored<GrantId>,
        pub(in crate::accounts) kind: Stored<TokenKind>,
        pub(in crate::accounts) created_at: Stored<Timestamp>,
        pub(in crate::accounts) expires_at: Stored<Timestamp>,
        pub(in crate::accounts) spent_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(in crate::accounts) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table of their tokens, as archives and errors know it.
pub(crate) fn tokens() -> crate::tables::Table {
    crate::tables::Table::of::<token::Entity>()
}

/// What a user granted to an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Identifies the grant.
    pub id: GrantId,
    /// The application.
    pub client: String,
    /// The user.
    pub user: UserId,
    /// What the application may do.
    pub scopes: Scopes,
    /// The resource that it was granted for, if the application named one.
    pub resource: Option<String>,
    /// When it was granted.
    pub created_at: Timestamp,
    /// When the application last used it.
    pub last_used_at: Option<Timestamp>,
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Requests.
    Access,
    /// New tokens, once.
    Refresh,
}

impl TokenKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Refresh => "refresh",
        }
    }
}

impl Storable for TokenKind {
    type Raw = String;

    fn to_raw(&self) -> String {
        self.name().to_owned()
    }

    fn of_raw(raw: String) -> Option<Self> {
        [Self::Access, Self::Refresh].into_iter().find(|kind| kind.name() == raw)
    }
}

/// A token of an application, with everything that decides what it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantToken {
    /// The grant it belongs to.
    pub grant: StoredGrant,
    /// The user who granted it, as they are now.
    pub user: User,
    /// What the application may ask for at most, as it is now.
    pub client_scopes: Option<Scopes>,
    /// When the token ends.
    pub expires_at: Timestamp,
    /// When a refresh token was used.
    pub spent_at: Option<Timestamp>,
}

/// A grant, with the name of the application.
#[derive(FromQueryResult)]
struct Named {
    #[sea_orm(nested)]
    grant: entity::Model,
    client_name: String,
}

/// Reads grants.
#[derive(Clone, Copy)]
pub struct OAuthGrantReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// What users granted to applications.
    pub fn oauth_grants(self) -> OAuthGrantReader<'a> {
        OAuthGrantReader::new(self.executor())
    }
}

impl<'a> OAuthGrantReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The token of a kind with a hash.
    pub async fn token(self, hash: &SecretHash, kind: TokenKind) -> Result<Option<GrantToken>, Error> {
        // As text: it looks at four tables at once, for every request of an application.
        const TOKEN: &str = concat!(
            "SELECT t.expires_at, t.spent_at, c.scopes AS c_scopes, g.id AS g_id, g.client_id, g.user_id AS g_user, g.scopes AS g_scopes, \
             g.resource, g.created_at AS g_created, g.last_used_at AS g_used, ",
            users::columns!(),
            " FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients c ON c.id = g.client_id \
             JOIN users u ON u.id = g.user_id WHERE t.hash = $1 AND t.kind = $2"
        );
        let Some(row) = self.executor.one((TOKEN, [hash.to_vec().into(), kind.name().into()])).await? else {
            return Ok(None);
        };
        let grant = read(&row)?;
        Ok(Some(GrantToken {
            client_scopes: optional_scopes(&row, "c_scopes").map_err(|_| corrupt("oauth_clients", "scopes", &grant.client))?,
            user: users::read(&row)?,
            expires_at: row.read_time("expires_at")?,
            spent_at: row.read_optional_time("spent_at")?,
            grant,
        }))
    }

    /// What a user granted, the latest first, each with the name of the application, so many at most.
    pub async fn for_user(self, user: UserId, limit: usize) -> Result<Vec<(StoredGrant, String)>, Error> {
        let named = Entity::find()
            .join(JoinType::InnerJoin, Relation::Client.def())
            .column_as(clients::Column::Name, "client_name")
            .filter(Column::UserId.eq(Stored(user)))
            .order_by_desc(Column::Id)
            .limit(at_most(limit));
        let grants = named.into_model::<Named>().all(&self.executor).await.map_err(unreadable::<Entity>)?;
        Ok(grants.into_iter().map(|named| (named.grant.into(), named.client_name)).collect())
    }
}

/// Writes grants.
#[derive(Clone, Copy)]
pub struct OAuthGrantWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// What users granted to applications.
    pub fn oauth_grants(&self) -> OAuthGrantWriter<'_> {
        OAuthGrantWriter::new(self.executor())
    }
}

impl<'a> OAuthGrantWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a grant.
    pub async fn insert(self, permit: &Permit<to::Account>, grant: &StoredGrant) -> Result<(), Error> {
        let grant = ActiveModel {
            id: Set(Stored(grant.id)),
            client_id: Set(grant.client.clone()),
            user_id: Set(Stored(permit.account())),
            scopes: Set(stored(&grant.scopes)?),
            resource: Set(grant.resource.clone()),
            created_at: Set(Stored(grant.created_at)),
            last_used_at: Set(grant.last_used_at.map(Stored)),
        };
        Entity::insert(grant).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Adds a token to a grant under its hash.
    pub async fn insert_token(
        self,
        _: &Permit<to::Account>,
        grant: GrantId,
        kind: TokenKind,
        hash: &SecretHash,
        created_at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        let token = token::ActiveModel {
            hash: Set(Stored(*hash)),
            grant_id: Set(Stored(grant)),
            kind: Set(Stored(kind)),
            created_at: Set(Stored(created_at)),
            expires_at: Set(Stored(expires_at)),
            ..token::ActiveModel::default()
        };
        token::Entity::insert(token).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Spends a refresh token. Of uses that arrive together one spends it; the others are told that they did not.
    pub async fn spend(self, hash: &SecretHash, now: Timestamp) -> Result<bool, Error> {
        let unspent = token::Entity::update_many()
            .filter(token::Column::Hash.eq(Stored(*hash)))
            .filter(token::Column::Kind.eq(Stored(TokenKind::Refresh)))
            .filter(token::Column::SpentAt.is_null());
        let spent = token::ActiveModel { spent_at: Set(Some(Stored(now))), ..token::ActiveModel::default() };
        Ok(unspent.set(spent).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Removes one token.
    pub async fn delete_token(self, hash: &SecretHash) -> Result<bool, Error> {
        Ok(token::Entity::delete_by_id(Stored(*hash)).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Ends a grant and its tokens. Says whose it was, if there was one.
    pub async fn delete(self, id: GrantId) -> Result<Option<UserId>, Error> {
        let delete = Query::delete().from_table(Entity).and_where(Column::Id.eq(Stored(id))).returning_col(Column::UserId).take();
        self.executor.one(&delete).await?.map(|row| row.read_id("user_id")).transpose()
    }

    /// Ends a grant of a user, and answers with the application that had it.
    pub async fn delete_own(self, permit: &Permit<to::Account>, id: GrantId) -> Result<Option<String>, Error> {
        let own = Column::Id.eq(Stored(id)).and(Column::UserId.eq(Stored(permit.account())));
        let delete = Query::delete().from_table(Entity).and_where(own).returning_col(Column::ClientId).take();
        self.executor.one(&delete).await?.map(|row| row.read("client_id")).transpose()
    }

    /// Leaves a user's grant with some of the scopes that it had, unless it has others by now. Says whether it does.
    pub async fn narrow(self, permit: &Permit<to::Account>, grant: &StoredGrant, left: &Scopes) -> Result<bool, Error> {
        let as_known = Entity::update_many()
            .filter(Column::Id.eq(Stored(grant.id)))
            .filter(Column::UserId.eq(Stored(permit.account())))
            .filter(Column::Scopes.eq(stored(&grant.scopes)?));
        let narrowed = ActiveModel { scopes: Set(stored(left)?), ..ActiveModel::default() };
        Ok(as_known.set(narrowed).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Ends everything that a user granted. Counts the grants.
    pub async fn delete_for_user(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(Column::UserId.eq(Stored(permit.account()))).exec(&self.executor).await?.rows_affected)
    }

    /// Ends what a user approved and no application has picked up yet. Counts it. Codes that were picked up stay: a second use of
    /// one still ends what it gave.
    pub async fn delete_approved(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        let user = permit.account();
        let codes = OAuthCodeWriter::new(self.executor).delete_unspent(user).await?;
        Ok(codes + DeviceCodeWriter::new(self.executor).delete_approved(user).await?)
    }

    /// Notes when grants were last used; an earlier use than the noted one changes nothing.
    pub async fn touch(self, used: &[(GrantId, Timestamp)]) -> Result<(), Error> {
        touch(self.executor, "oauth_grants", used).await
    }

    /// Removes up to `limit` tokens that have ended, and says how many. Spent refresh tokens stay until they would have ended: a
    /// second use of one must be noticed.
    pub async fn prune_tokens(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "oauth_tokens", "expires_at <= $1", vec![time_value(now)], limit).await
    }

    /// Removes up to `limit` grants without tokens, and says how many.
    pub async fn prune(self, limit: usize) -> Result<u64, Error> {
        const EMPTY: &str = "NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id AND t.spent_at IS NULL)";
        expiry::remove(self.executor, "oauth_grants", EMPTY, Vec::new(), limit).await
    }
}

/// Scopes as they are stored. They are in one order always.
fn stored(scopes: &Scopes) -> Result<Stored<Json<Scopes>>, Error> {
    Ok(Stored(Json::new(scopes.clone())?))
}

impl From<entity::Model> for StoredGrant {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            client: row.client_id,
            user: row.user_id.0,
            scopes: row.scopes.0.value,
            resource: row.resource,
            created_at: row.created_at.0,
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

fn read(row: &QueryResult) -> Result<StoredGrant, Error> {
    let id = row.read_id("g_id")?;
    Ok(StoredGrant {
        id,
        client: row.read("client_id")?,
        user: row.read_id("g_user")?,
        scopes: serde_json::from_str(&row.read::<String>("g_scopes")?).map_err(|_| corrupt("oauth_grants", "scopes", id))?,
        resource: row.read("resource")?,
        created_at: row.read_time("g_created")?,
        last_used_at: row.read_optional_time("g_used")?,
    })
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::{super::oauth_clients::tests::client, *};
    use crate::{Store, Tx, both, fixtures};

    fn grant(n: u128) -> StoredGrant {
        StoredGrant {
            id: GrantId::from_parts(1, n),
            client: "a".to_owned(),
            user: fixtures::user(1).id,
            scopes: [Scope::ContentRead, Scope::MediaRead].into(),
            resource: Some("https://cms.example/_cms/api/mcp".to_owned()),
            created_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    async fn with_grants(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx.oauth_clients().insert(&fixtures::permit(), &client("a")).await.unwrap();
        for n in [1, 2] {
            tx.oauth_grants().insert(&fixtures::account(grant(n).user), &grant(n)).await.unwrap();
        }
        for (hash, kind, until) in [(1, TokenKind::Access, 10), (2, TokenKind::Refresh, 90)] {
            let (created_at, expires_at) = (fixtures::at(1), fixtures::at(until));
            tx.oauth_grants()
                .insert_token(&fixtures::account(fixtures::user(1).id), grant(1).id, kind, &[hash; 32], created_at, expires_at)
                .await
                .unwrap();
        }
        tx
    }

    both! {
        async fn a_token_is_found_by_its_hash_and_kind_with_its_grant_and_user(store: Store) {
            let tx = with_grants(&store).await;
            let found = tx.reader().oauth_grants().token(&[1; 32], TokenKind::Access).await.unwrap().unwrap();
            assert_eq!((found.grant, found.user), (grant(1), fixtures::user(1)));
            assert_eq!((found.client_scopes, found.spent_at), (Some([Scope::ContentRead].into()), None));
            assert_eq!(tx.reader().oauth_grants().token(&[1; 32], TokenKind::Refresh).await.unwrap(), None);
        }

        async fn a_refresh_token_is_spent_once_and_an_access_token_never(store: Store) {
            let tx = with_grants(&store).await;
            assert!(!tx.oauth_grants().spend(&[1; 32], fixtures::at(2)).await.unwrap());
            assert!(tx.oauth_grants().spend(&[2; 32], fixtures::at(2)).await.unwrap());
            assert!(!tx.oauth_grants().spend(&[2; 32], fixtures::at(3)).await.unwrap());
            let spent = tx.reader().oauth_grants().token(&[2; 32], TokenKind::Refresh).await.unwrap().unwrap();
            assert_eq!(spent.spent_at, Some(fixtures::at(2)));
        }

        async fn the_tokens_of_a_grant_end_with_it(store: Store) {
            let tx = with_grants(&store).await;
            assert_eq!(tx.oauth_grants().delete_own(&fixtures::account(fixtures::user(2).id), grant(1).id).await.unwrap(), None);
            assert_eq!(tx.oauth_grants().delete_own(&fixtures::account(grant(1).user), grant(1).id).await.unwrap().as_deref(), Some("a"));
            assert_eq!(tx.oauth_grants().delete(grant(1).id).await.unwrap(), None);
            assert_eq!(tx.reader().oauth_grants().token(&[2; 32], TokenKind::Refresh).await.unwrap(), None);
            assert_eq!(tx.oauth_grants().delete(grant(2).id).await.unwrap(), Some(grant(2).user));
        }

        async fn a_grant_is_narrowed_by_its_user_and_from_what_it_has(store: Store) {
            let tx = with_grants(&store).await;
            let left = Scopes::from([Scope::ContentRead]);
            let wide = StoredGrant { scopes: [Scope::ContentRead, Scope::ContentWrite].into(), id: GrantId::from_parts(1, 77), ..grant(1) };
            tx.oauth_grants().insert(&fixtures::account(wide.user), &wide).await.unwrap();
            let held = async || {
                let all = tx.reader().oauth_grants().for_user(wide.user, 9).await.unwrap();
                all.into_iter().find(|(grant, _)| grant.id == wide.id).unwrap().0.scopes
            };
            let others = StoredGrant { user: fixtures::user(2).id, ..wide.clone() };
            assert!(!tx.oauth_grants().narrow(&fixtures::account(others.user), &others, &left).await.unwrap());
            assert_eq!(held().await, wide.scopes);
            assert!(tx.oauth_grants().narrow(&fixtures::account(wide.user), &wide, &left).await.unwrap());
            assert_eq!(held().await, left);
            // Somebody who still believes that it has both changes nothing.
            assert!(!tx.oauth_grants().narrow(&fixtures::account(wide.user), &wide, &[Scope::ContentWrite].into()).await.unwrap());
            assert_eq!(held().await, left);
        }

        async fn the_grants_of_a_client_end_with_it_and_those_of_a_user_at_once(store: Store) {
            let tx = with_grants(&store).await;
            assert_eq!(tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap().len(), 2);
            assert!(tx.oauth_clients().delete(&fixtures::permit(), "a").await.unwrap());
            assert!(tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap().is_empty());
            tx.oauth_clients().insert(&fixtures::permit(), &client("a")).await.unwrap();
            tx.oauth_grants().insert(&fixtures::account(grant(3).user), &grant(3)).await.unwrap();
            assert_eq!(tx.oauth_grants().delete_for_user(&fixtures::account(grant(3).user)).await.unwrap(), 1);
        }

        async fn grants_without_a_token_that_is_good_for_anything_are_pruned(store: Store) {
            let tx = with_grants(&store).await;
            tx.oauth_grants().prune_tokens(fixtures::at(10), 100).await.unwrap();
            assert_eq!(tx.oauth_grants().prune(100).await.unwrap(), 1);
            let left = tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap();
            assert_eq!(left, [(grant(1), "Client a".to_owned())]);
            tx.oauth_grants().spend(&[2; 32], fixtures::at(11)).await.unwrap();
            tx.oauth_grants().prune_tokens(fixtures::at(12), 100).await.unwrap();
            assert_eq!(tx.oauth_grants().prune(100).await.unwrap(), 1);
        }

        async fn the_latest_use_of_a_grant_is_kept(store: Store) {
            let tx = with_grants(&store).await;
            tx.oauth_grants().touch(&[(grant(1).id, fixtures::at(8))]).await.unwrap();
            tx.oauth_grants().touch(&[(grant(1).id, fixtures::at(4)), (grant(2).id, fixtures::at(5))]).await.unwrap();
            let grants = tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap();
            let used: Vec<_> = grants.into_iter().map(|(grant, _)| grant.last_used_at).collect();
            assert_eq!(used, [Some(fixtures::at(5)), Some(fixtures::at(8))]);
        }
    }
}
