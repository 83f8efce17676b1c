//! Connections: which account at which provider signs in whom.

use cms_domain::{
    access::{Permit, to},
    id::{ConnectionId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set,
    sea_query::{Alias, Expr, ExprTrait, OnConflict, Query},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, column::Stored, executor::Executor, users};

pub(crate) mod entity {
    use cms_domain::{
        id::{ConnectionId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{column::Stored, users::entity as users};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "connections")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<ConnectionId>,
        pub(crate) provider: String,
        pub(crate) account: String,
        pub(crate) user_id: Stored<UserId>,
        pub(crate) email: Option<String>,
        pub(crate) name: Option<String>,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) last_used_at: Option<Stored<Timestamp>>,
        pub(crate) issuer: Option<String>,
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

/// An account at a provider that signs in a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredConnection {
    /// Identifies the connection.
    pub id: ConnectionId,
    /// What the provider was called when it was made.
    pub provider: String,
    /// Who vouches for the account; none in what was made before that was kept, and never adopted.
    pub issuer: Option<String>,
    /// The account there.
    pub account: String,
    /// Whom it signs in.
    pub user: UserId,
    /// The address that the provider told last.
    pub email: Option<String>,
    /// The name that the provider told last.
    pub name: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last signed in its user.
    pub last_used_at: Option<Timestamp>,
}

/// Reads connections.
#[derive(Clone, Copy)]
pub struct ConnectionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Accounts at providers.
    pub fn connections(self) -> ConnectionReader<'a> {
        ConnectionReader::new(self.executor())
    }
}

impl<'a> ConnectionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The connection of an account that an issuer vouches for, and whom it signs in.
    pub async fn by_account(self, issuer: &str, account: &str) -> Result<Option<(StoredConnection, User)>, Error> {
        let of_account = Column::Issuer.eq(issuer).and(Column::Account.eq(account));
        self.executor.find_both(Entity::find().find_both_related(users::entity::Entity).filter(of_account)).await
    }

    /// A user's connections, the oldest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredConnection>, Error> {
        self.executor.list(Entity::find().filter(Column::UserId.eq(Stored(user))).order_by_asc(Column::Id)).await
    }
}

/// Writes connections.
#[derive(Clone, Copy)]
pub struct ConnectionWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Accounts at providers.
    pub fn connections(&self) -> ConnectionWriter<'_> {
        ConnectionWriter::new(self.executor())
    }
}

impl<'a> ConnectionWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Connects an account, unless it is connected. Says whether it was not.
    pub async fn insert(self, permit: &Permit<to::Account>, connection: &StoredConnection) -> Result<bool, Error> {
        let connection = ActiveModel {
            id: Set(Stored(connection.id)),
            provider: Set(connection.provider.clone()),
            account: Set(connection.account.clone()),
            user_id: Set(Stored(permit.account())),
            email: Set(connection.email.clone()),
            name: Set(connection.name.clone()),
            created_at: Set(Stored(connection.created_at)),
            last_used_at: Set(connection.last_used_at.map(Stored)),
            issuer: Set(connection.issuer.clone()),
        };
        let unless_connected = OnConflict::columns([Column::Issuer, Column::Account]).do_nothing().to_owned();
        Ok(Entity::insert(connection).on_conflict(unless_connected).exec_without_returning(&self.executor).await? > 0)
    }

    /// Notes that a connection signed in its user, and what the provider told.
    pub async fn used(self, connection: &StoredConnection) -> Result<(), Error> {
        let used = ActiveModel {
            email: Set(connection.email.clone()),
            name: Set(connection.name.clone()),
            last_used_at: Set(connection.last_used_at.map(Stored)),
            ..ActiveModel::default()
        };
        Entity::update_many().set(used).filter(Column::Id.eq(Stored(connection.id))).exec(&self.executor).await?;
        Ok(())
    }

    /// Gives the connections of a provider that have no issuer one. Counts them. Accounts that are connected by the issuer already
    /// stay as they are.
    pub async fn adopt(self, provider: &str, issuer: &str) -> Result<u64, Error> {
        let other = Alias::new("other");
        let taken = Query::select()
            .expr(Expr::val(1))
            .from_as(Entity, other.clone())
            .and_where(Expr::col((other.clone(), Column::Issuer)).eq(issuer))
            .and_where(Expr::col((other, Column::Account)).equals((Entity, Column::Account)))
            .take();
        let adopted = ActiveModel { issuer: Set(Some(issuer.to_owned())), ..ActiveModel::default() };
        let update = Entity::update_many()
            .set(adopted)
            .filter(Column::Provider.eq(provider))
            .filter(Column::Issuer.is_null())
            .filter(Expr::exists(taken).not());
        Ok(update.exec(&self.executor).await?.rows_affected)
    }

    /// Disconnects an account of a user. Says whether there was one.
    pub async fn delete(self, permit: &Permit<to::Account>, id: ConnectionId) -> Result<bool, Error> {
        let delete = Entity::delete_by_id(Stored(id)).filter(Column::UserId.eq(Stored(permit.account())));
        Ok(delete.exec(&self.executor).await?.rows_affected > 0)
    }

    /// Disconnects every account of a user. Counts them.
    pub async fn delete_all(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(Column::UserId.eq(Stored(permit.account()))).exec(&self.executor).await?.rows_affected)
    }
}

impl From<entity::Model> for StoredConnection {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            provider: row.provider,
            issuer: row.issuer,
            account: row.account,
            user: row.user_id.0,
            email: row.email,
            name: row.name,
            created_at: row.created_at.0,
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, Tx, both, fixtures};

    const GITHUB: &str = "https://github.com";

    fn connection(n: u128, account: &str) -> StoredConnection {
        StoredConnection {
            id: ConnectionId::from_parts(1, n),
            provider: "github".to_owned(),
            issuer: Some(GITHUB.to_owned()),
            account: account.to_owned(),
            user: fixtures::user(n).id,
            email: None,
            name: Some("Ada".to_owned()),
            created_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    async fn with_users(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        for n in [1, 2] {
            tx.users().insert(&fixtures::permit(), &fixtures::user(n)).await.unwrap();
        }
        tx
    }

    both! {
        async fn an_account_signs_in_one_user(store: Store) {
            let tx = with_users(&store).await;
            assert!(tx.connections().insert(&fixtures::account(connection(1, "7").user), &connection(1, "7")).await.unwrap());
            assert!(!tx.connections().insert(&fixtures::account(connection(2, "7").user), &connection(2, "7")).await.unwrap());
            let found = tx.reader().connections().by_account(GITHUB, "7").await.unwrap();
            assert_eq!(found, Some((connection(1, "7"), fixtures::user(1))));
            // What a provider is called says nothing.
            assert_eq!(tx.reader().connections().by_account("github", "7").await.unwrap(), None);
            let other = StoredConnection { issuer: Some("https://github.example.org".to_owned()), ..connection(2, "7") };
            assert!(tx.connections().insert(&fixtures::account(other.user), &other).await.unwrap());
        }

        async fn connections_without_an_issuer_are_adopted_once_and_take_nobodys_place(store: Store) {
            let tx = with_users(&store).await;
            let old = |n, account| StoredConnection { issuer: None, ..connection(n, account) };
            let known = StoredConnection { id: ConnectionId::from_parts(1, 9), ..connection(2, "8") };
            let elsewhere = StoredConnection { id: ConnectionId::from_parts(1, 8), provider: "google".to_owned(), ..old(2, "7") };
            let late = StoredConnection { id: ConnectionId::from_parts(1, 7), ..old(1, "8") };
            for connection in [&old(1, "7"), &late, &elsewhere, &known] {
                assert!(tx.connections().insert(&fixtures::account(connection.user), connection).await.unwrap());
            }
            assert_eq!(tx.connections().adopt("github", GITHUB).await.unwrap(), 1);
            assert_eq!(tx.connections().adopt("github", "https://github.example.org").await.unwrap(), 1, "only what is left");
            let found = async |issuer: &str, account: &str| {
                tx.reader().connections().by_account(issuer, account).await.unwrap().map(|(found, _)| found.user)
            };
            assert_eq!(found(GITHUB, "7").await, Some(fixtures::user(1).id));
            assert_eq!(found(GITHUB, "8").await, Some(fixtures::user(2).id));
        }

        async fn only_its_user_disconnects_an_account(store: Store) {
            let tx = with_users(&store).await;
            tx.connections().insert(&fixtures::account(connection(1, "7").user), &connection(1, "7")).await.unwrap();
            assert!(!tx.connections().delete(&fixtures::account(fixtures::user(2).id), connection(1, "7").id).await.unwrap());
            assert!(tx.connections().delete(&fixtures::account(fixtures::user(1).id), connection(1, "7").id).await.unwrap());
            assert!(tx.reader().connections().for_user(fixtures::user(1).id).await.unwrap().is_empty());
            assert_eq!(tx.connections().delete_all(&fixtures::account(fixtures::user(1).id)).await.unwrap(), 0);
        }

        async fn what_the_provider_told_last_is_kept(store: Store) {
            let tx = with_users(&store).await;
            tx.connections().insert(&fixtures::account(connection(1, "7").user), &connection(1, "7")).await.unwrap();
            let used = StoredConnection { email: Some("a@example.com".to_owned()), name: None, last_used_at: Some(fixtures::at(9)), ..connection(1, "7") };
            tx.connections().used(&used).await.unwrap();
            assert_eq!(tx.reader().connections().for_user(used.user).await.unwrap(), [used]);
        }
    }
}
