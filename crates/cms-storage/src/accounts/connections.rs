//! Connections: which account at which provider signs in whom.

use cms_domain::{
    id::{ConnectionId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, id_value, optional_time_value, time_value},
    users,
};

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

/// The columns of a connection, of a table that the statement calls `c`.
macro_rules! columns {
    () => {
        "c.id AS c_id, c.provider, c.issuer, c.account, c.user_id AS c_user, c.email AS c_email, c.name AS c_name, c.created_at AS c_created, \
         c.last_used_at AS c_used"
    };
}

/// Reads connections.
#[derive(Clone, Copy)]
pub struct ConnectionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> ConnectionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The connection of an account that an issuer vouches for, and whom it signs in.
    pub async fn by_account(self, issuer: &str, account: &str) -> Result<Option<(StoredConnection, User)>, Error> {
        const BY_ACCOUNT: &str = concat!(
            "SELECT ",
            columns!(),
            ", ",
            users::columns!(),
            " FROM connections c JOIN users u ON u.id = c.user_id WHERE c.issuer = $1 AND c.account = $2"
        );
        let Some(row) = self.executor.one((BY_ACCOUNT, [issuer.into(), account.into()])).await? else {
            return Ok(None);
        };
        Ok(Some((read(&row)?, users::read(&row)?)))
    }

    /// A user's connections, the oldest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredConnection>, Error> {
        const FOR_USER: &str = concat!("SELECT ", columns!(), " FROM connections c WHERE c.user_id = $1 ORDER BY c.id");
        self.executor.all((FOR_USER, [id_value(user)])).await?.iter().map(read).collect()
    }
}

/// Writes connections.
#[derive(Clone, Copy)]
pub struct ConnectionWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> ConnectionWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Connects an account, unless it is connected. Says whether it was not.
    pub async fn insert(self, connection: &StoredConnection) -> Result<bool, Error> {
        const INSERT: &str = "INSERT INTO connections (id, provider, account, user_id, email, name, created_at, last_used_at, issuer) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (issuer, account) DO NOTHING";
        let values = [
            id_value(connection.id),
            connection.provider.as_str().into(),
            connection.account.as_str().into(),
            id_value(connection.user),
            connection.email.clone().into(),
            connection.name.clone().into(),
            time_value(connection.created_at),
            optional_time_value(connection.last_used_at),
            connection.issuer.clone().into(),
        ];
        Ok(self.executor.execute((INSERT, values)).await? > 0)
    }

    /// Notes that a connection signed in its user, and what the provider told.
    pub async fn used(self, connection: &StoredConnection) -> Result<(), Error> {
        const USED: &str = "UPDATE connections SET email = $2, name = $3, last_used_at = $4 WHERE id = $1";
        let values = [
            id_value(connection.id),
            connection.email.clone().into(),
            connection.name.clone().into(),
            optional_time_value(connection.last_used_at),
        ];
        self.executor.execute((USED, values)).await?;
        Ok(())
    }

    /// Gives the connections of a provider that have no issuer one. Counts them. Accounts that are connected by the issuer already
    /// stay as they are.
    pub async fn adopt(self, provider: &str, issuer: &str) -> Result<u64, Error> {
        const ADOPT: &str = "UPDATE connections SET issuer = $2 WHERE provider = $1 AND issuer IS NULL AND NOT EXISTS \
            (SELECT 1 FROM connections other WHERE other.issuer = $2 AND other.account = connections.account)";
        self.executor.execute((ADOPT, [provider.into(), issuer.into()])).await
    }

    /// Disconnects an account of a user. Says whether there was one.
    pub async fn delete(self, user: UserId, id: ConnectionId) -> Result<bool, Error> {
        const DELETE: &str = "DELETE FROM connections WHERE user_id = $1 AND id = $2";
        Ok(self.executor.execute((DELETE, [id_value(user), id_value(id)])).await? > 0)
    }

    /// Disconnects every account of a user. Counts them.
    pub async fn delete_all(self, user: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM connections WHERE user_id = $1", [id_value(user)])).await
    }
}

fn read(row: &QueryResult) -> Result<StoredConnection, Error> {
    Ok(StoredConnection {
        id: row.read_id("c_id")?,
        provider: row.read("provider")?,
        issuer: row.read("issuer")?,
        account: row.read("account")?,
        user: row.read_id("c_user")?,
        email: row.read("c_email")?,
        name: row.read("c_name")?,
        created_at: row.read_time("c_created")?,
        last_used_at: row.read_optional_time("c_used")?,
    })
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
            assert!(tx.connections().insert(&connection(1, "7")).await.unwrap());
            assert!(!tx.connections().insert(&connection(2, "7")).await.unwrap());
            let found = tx.reader().connections().by_account(GITHUB, "7").await.unwrap();
            assert_eq!(found, Some((connection(1, "7"), fixtures::user(1))));
            // What a provider is called says nothing.
            assert_eq!(tx.reader().connections().by_account("github", "7").await.unwrap(), None);
            let other = StoredConnection { issuer: Some("https://github.example.org".to_owned()), ..connection(2, "7") };
            assert!(tx.connections().insert(&other).await.unwrap());
        }

        async fn connections_without_an_issuer_are_adopted_once_and_take_nobodys_place(store: Store) {
            let tx = with_users(&store).await;
            let old = |n, account| StoredConnection { issuer: None, ..connection(n, account) };
            let known = StoredConnection { id: ConnectionId::from_parts(1, 9), ..connection(2, "8") };
            let elsewhere = StoredConnection { id: ConnectionId::from_parts(1, 8), provider: "google".to_owned(), ..old(2, "7") };
            let late = StoredConnection { id: ConnectionId::from_parts(1, 7), ..old(1, "8") };
            for connection in [&old(1, "7"), &late, &elsewhere, &known] {
                assert!(tx.connections().insert(connection).await.unwrap());
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
            tx.connections().insert(&connection(1, "7")).await.unwrap();
            assert!(!tx.connections().delete(fixtures::user(2).id, connection(1, "7").id).await.unwrap());
            assert!(tx.connections().delete(fixtures::user(1).id, connection(1, "7").id).await.unwrap());
            assert!(tx.reader().connections().for_user(fixtures::user(1).id).await.unwrap().is_empty());
            assert_eq!(tx.connections().delete_all(fixtures::user(1).id).await.unwrap(), 0);
        }

        async fn what_the_provider_told_last_is_kept(store: Store) {
            let tx = with_users(&store).await;
            tx.connections().insert(&connection(1, "7")).await.unwrap();
            let used = StoredConnection { email: Some("a@example.com".to_owned()), name: None, last_used_at: Some(fixtures::at(9)), ..connection(1, "7") };
            tx.connections().used(&used).await.unwrap();
            assert_eq!(tx.reader().connections().for_user(used.user).await.unwrap(), [used]);
        }
    }
}
