//! The applications that may ask users for access.

use cms_domain::{
    access::{Permit, to},
    {access::Scopes, rev::Rev, time::Timestamp},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, Set,
    sea_query::{LockType, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error,
    column::{Json, Stored},
    executor::Executor,
    expiry,
    row::{Row, at_most, time_value},
};

pub(crate) mod entity {
    use cms_domain::{access::Scopes, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use crate::column::{Json, Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_clients")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: String,
        pub(crate) name: String,
        pub(crate) redirect_uris: Stored<Json<Vec<String>>>,
        pub(crate) grant_types: Stored<Json<Vec<String>>>,
        pub(crate) scopes: Option<Stored<Json<Scopes>>>,
        pub(crate) registered: bool,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
        pub(crate) last_used_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// An application that may ask users for access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredClient {
    /// What it calls itself in every request.
    pub id: String,
    /// What users are shown.
    pub name: String,
    /// Where browsers may be sent with an answer.
    pub redirect_uris: Vec<String>,
    /// The grants it may use, by the names that requests give them.
    pub grant_types: Vec<String>,
    /// What it may ask for at most; anything without.
    pub scopes: Option<Scopes>,
    /// Whether it registered itself. An admin made the others.
    pub registered: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When a user last granted it something.
    pub last_used_at: Option<Timestamp>,
}

impl StoredClient {
    /// The token that guards what is said of the application.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }
}

/// Reads applications.
#[derive(Clone, Copy)]
pub struct OAuthClientReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Applications that may ask users for access.
    pub fn oauth_clients(self) -> OAuthClientReader<'a> {
        OAuthClientReader::new(self.executor())
    }
}

impl<'a> OAuthClientReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The application with an id.
    pub async fn by_id(self, id: &str) -> Result<Option<StoredClient>, Error> {
        self.executor.find(Entity::find_by_id(id)).await
    }

    /// Applications in the order of their ids, from behind `after`.
    pub async fn list(self, after: Option<&str>, limit: usize) -> Result<Vec<StoredClient>, Error> {
        // No id is empty.
        let behind = Entity::find().filter(Column::Id.gt(after.unwrap_or_default()));
        self.executor.list(behind.order_by_asc(Column::Id).limit(at_most(limit))).await
    }

    /// How many applications registered themselves.
    pub async fn count_registered(self) -> Result<i64, Error> {
        self.executor.count(Entity::find().filter(Column::Registered.eq(true))).await
    }
}

/// Writes applications.
#[derive(Clone, Copy)]
pub struct OAuthClientWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Applications that may ask users for access.
    pub fn oauth_clients(&self) -> OAuthClientWriter<'_> {
        OAuthClientWriter::new(self.executor())
    }
}

impl<'a> OAuthClientWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds an application unless there is one with its id. Says whether it was added.
    pub async fn insert(self, _: &Permit<to::ManageConnections>, client: &StoredClient) -> Result<bool, Error> {
        let client = ActiveModel {
            id: Set(client.id.clone()),
            registered: Set(client.registered),
            created_at: Set(Stored(client.created_at)),
            last_used_at: Set(client.last_used_at.map(Stored)),
            ..changes(client)?
        };
        let unless_there = OnConflict::column(Column::Id).do_nothing().to_owned();
        Ok(Entity::insert(client).on_conflict(unless_there).exec_without_returning(&self.executor).await? > 0)
    }

    /// An application, which nobody changes before the transaction ends.
    pub async fn lock(self, id: &str) -> Result<Option<StoredClient>, Error> {
        self.executor.find(Entity::find_by_id(id).lock(LockType::NoKeyUpdate)).await
    }

    /// Changes an application.
    pub async fn update(self, _: &Permit<to::ManageConnections>, client: &StoredClient) -> Result<(), Error> {
        let update = Entity::update_many().set(changes(client)?).filter(Column::Id.eq(client.id.as_str()));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Notes that a user granted it something.
    pub async fn used(self, id: &str, at: Timestamp) -> Result<(), Error> {
        let used = ActiveModel { last_used_at: Set(Some(Stored(at))), ..ActiveModel::default() };
        Entity::update_many().set(used).filter(Column::Id.eq(id)).exec(&self.executor).await?;
        Ok(())
    }

    /// Removes an application, and with it everything it was granted. Says whether there was one.
    pub async fn delete(self, _: &Permit<to::ManageConnections>, id: &str) -> Result<bool, Error> {
        Ok(Entity::delete_by_id(id).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Removes, of the applications that registered themselves, the oldest that nobody ever granted anything. One that somebody is
    /// deciding about, or may decide about yet, stays. Says whether there was one.
    pub async fn give_way(self, now: Timestamp) -> Result<bool, Error> {
        // As text: it looks at four tables at once.
        const GIVE_WAY: &str = "DELETE FROM oauth_clients WHERE id = (SELECT c.id FROM oauth_clients c \
            WHERE c.registered AND c.last_used_at IS NULL \
            AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id) \
            AND NOT EXISTS (SELECT 1 FROM oauth_codes o WHERE o.client_id = c.id AND o.expires_at > $1) \
            AND NOT EXISTS (SELECT 1 FROM device_codes d WHERE d.client_id = c.id AND d.expires_at > $1) \
            ORDER BY c.created_at, c.id LIMIT 1)";
        Ok(self.executor.execute((GIVE_WAY, [time_value(now)])).await? > 0)
    }

    /// Removes up to `limit` applications that registered themselves and hold no grant: those that nobody ever granted anything and
    /// that are older than `never_used`, and those that were last used before `used`. Says how many.
    pub async fn prune(self, never_used: Timestamp, used: Timestamp, limit: usize) -> Result<u64, Error> {
        const UNUSED: &str = "registered AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = oauth_clients.id) \
            AND ((last_used_at IS NULL AND created_at <= $1) OR last_used_at <= $2)";
        expiry::remove(self.executor, "oauth_clients", UNUSED, vec![time_value(never_used), time_value(used)], limit).await
    }
}

/// What changes of an application.
fn changes(client: &StoredClient) -> Result<ActiveModel, Error> {
    Ok(ActiveModel {
        name: Set(client.name.clone()),
        redirect_uris: Set(Stored(Json::new(client.redirect_uris.clone())?)),
        grant_types: Set(Stored(Json::new(client.grant_types.clone())?)),
        scopes: Set(client.scopes.clone().map(Json::new).transpose()?.map(Stored)),
        updated_at: Set(Stored(client.updated_at)),
        ..ActiveModel::default()
    })
}

impl From<entity::Model> for StoredClient {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id,
            name: row.name,
            redirect_uris: row.redirect_uris.0.value,
            grant_types: row.grant_types.0.value,
            scopes: row.scopes.map(|scopes| scopes.0.value),
            registered: row.registered,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

/// The scopes that an application is held to, of a column that may be without.
pub(super) fn optional_scopes(row: &QueryResult, column: &str) -> Result<Option<Scopes>, Error> {
    let text: Option<String> = row.read(column)?;
    text.map(|text| serde_json::from_str(&text).map_err(Error::backend)).transpose()
}

#[cfg(test)]
pub(super) mod tests {
    use cms_domain::{access::Scope, id::GrantId};

    use super::*;
    use crate::{DeviceStatus, Store, StoredCode, StoredDeviceCode, StoredGrant, both, fixtures};

    pub(in crate::accounts) fn client(id: &str) -> StoredClient {
        StoredClient {
            id: id.to_owned(),
            name: format!("Client {id}"),
            redirect_uris: vec!["https://app.example/callback".to_owned()],
            grant_types: vec!["authorization_code".to_owned()],
            scopes: Some([Scope::ContentRead].into()),
            registered: true,
            created_at: fixtures::at(1),
            updated_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    both! {
        async fn a_client_is_added_once_and_comes_back_as_it_was(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.oauth_clients().insert(&fixtures::permit(), &client("a")).await.unwrap());
            assert!(!tx.oauth_clients().insert(&fixtures::permit(), &StoredClient { name: "Other".to_owned(), ..client("a") }).await.unwrap());
            assert_eq!(tx.reader().oauth_clients().by_id("a").await.unwrap(), Some(client("a")));
            assert_eq!(tx.reader().oauth_clients().count_registered().await.unwrap(), 1);
            let changed = StoredClient { scopes: None, redirect_uris: Vec::new(), updated_at: fixtures::at(2), ..client("a") };
            tx.oauth_clients().update(&fixtures::permit(), &changed).await.unwrap();
            assert_eq!(tx.reader().oauth_clients().by_id("a").await.unwrap(), Some(changed));
            assert!(tx.oauth_clients().delete(&fixtures::permit(), "a").await.unwrap());
            assert!(!tx.oauth_clients().delete(&fixtures::permit(), "a").await.unwrap());
        }

        async fn pages_of_clients_follow_each_other(store: Store) {
            let tx = store.write().await.unwrap();
            for id in ["b", "a", "c"] {
                tx.oauth_clients().insert(&fixtures::permit(), &client(id)).await.unwrap();
            }
            let ids = async |after: Option<&str>| {
                let page = tx.reader().oauth_clients().list(after, 2).await.unwrap();
                page.into_iter().map(|client| client.id).collect::<Vec<_>>()
            };
            assert_eq!(ids(None).await, ["a", "b"]);
            assert_eq!(ids(Some("b")).await, ["c"]);
        }

        async fn the_oldest_client_that_nobody_ever_used_gives_way(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            let made = StoredClient { registered: false, ..client("made") };
            let fresh = StoredClient { created_at: fixtures::at(9), ..client("fresh") };
            for client in [client("granted"), client("once"), client("approved"), client("shown"), client("never"), fresh, made] {
                tx.oauth_clients().insert(&fixtures::permit(), &client).await.unwrap();
            }
            tx.oauth_clients().used("once", fixtures::at(5)).await.unwrap();
            let (scopes, at, expires_at) = (Scopes::from([Scope::ContentRead]), fixtures::at(1), fixtures::at(50));
            let grant = StoredGrant {
                id: GrantId::from_parts(1, 1),
                client: "granted".to_owned(),
                user: user.id,
                scopes: scopes.clone(),
                resource: None,
                created_at: at,
                last_used_at: None,
            };
            tx.oauth_grants().insert(&fixtures::account(grant.user), &grant).await.unwrap();
            let code = StoredCode {
                client: "approved".to_owned(),
                user: user.id,
                redirect_uri: String::new(),
                scopes: scopes.clone(),
                challenge: String::new(),
                resource: None,
                created_at: at,
                expires_at,
            };
            tx.oauth_codes().insert(&fixtures::account(code.user), &[1; 32], &code).await.unwrap();
            let shown = StoredDeviceCode {
                user_code: "ABCDEFGH".to_owned(),
                client: "shown".to_owned(),
                scopes,
                resource: None,
                status: DeviceStatus::Pending,
                interval: std::time::Duration::from_secs(5),
                last_polled_at: None,
                created_at: at,
                expires_at,
            };
            tx.device_codes().insert(&[2; 32], &shown).await.unwrap();
            let left = async || {
                let clients = tx.reader().oauth_clients().list(None, 9).await.unwrap();
                clients.into_iter().map(|client| client.id).collect::<Vec<_>>()
            };
            assert!(tx.oauth_clients().give_way(fixtures::at(10)).await.unwrap());
            assert_eq!(left().await, ["approved", "fresh", "granted", "made", "once", "shown"]);
            assert!(tx.oauth_clients().give_way(fixtures::at(10)).await.unwrap());
            assert_eq!(left().await, ["approved", "granted", "made", "once", "shown"]);
            assert!(!tx.oauth_clients().give_way(fixtures::at(10)).await.unwrap());
            for _ in 0..2 {
                assert!(tx.oauth_clients().give_way(expires_at).await.unwrap());
            }
            assert_eq!(left().await, ["granted", "made", "once"]);
        }

        async fn only_registered_clients_that_nobody_uses_are_pruned(store: Store) {
            let tx = store.write().await.unwrap();
            let made = StoredClient { registered: false, ..client("made") };
            let fresh = StoredClient { created_at: fixtures::at(50), ..client("fresh") };
            for client in [client("never"), client("once"), client("lately"), fresh, made] {
                tx.oauth_clients().insert(&fixtures::permit(), &client).await.unwrap();
            }
            tx.oauth_clients().used("once", fixtures::at(5)).await.unwrap();
            tx.oauth_clients().used("lately", fixtures::at(60)).await.unwrap();
            assert_eq!(tx.oauth_clients().prune(fixtures::at(40), fixtures::at(10), 100).await.unwrap(), 2);
            let left: Vec<_> = tx.reader().oauth_clients().list(None, 9).await.unwrap().into_iter().map(|client| client.id).collect();
            assert_eq!(left, ["fresh", "lately", "made"]);
        }
    }
}
