//! Device codes: what a program without a browser waits for, until a user approves or denies it elsewhere (RFC 8628).

use std::time::Duration;

use cms_domain::{access::Scopes, id::UserId, time::Timestamp};
use sea_orm::QueryResult;

use super::SecretHash;
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, corrupt, id_value, time_value},
};

/// How far an approval has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceStatus {
    /// Nobody decided yet.
    Pending,
    /// A user approved.
    Approved(UserId),
    /// A user denied.
    Denied,
}

/// What a program waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDeviceCode {
    /// What the user types, normalised: no hyphen, upper case.
    pub user_code: String,
    /// The application.
    pub client: String,
    /// What it asks for; when it was approved, what it gets.
    pub scopes: Scopes,
    /// The resource that the application named.
    pub resource: Option<String>,
    /// How far it has come.
    pub status: DeviceStatus,
    /// How long the program has to wait between two questions.
    pub interval: Duration,
    /// When it last asked.
    pub last_polled_at: Option<Timestamp>,
    /// When it began to wait.
    pub created_at: Timestamp,
    /// Until when it may wait.
    pub expires_at: Timestamp,
}

macro_rules! columns {
    () => {
        "user_code, client_id, scopes, resource, status, user_id, poll_seconds, last_polled_at, created_at, expires_at"
    };
}

/// Reads device codes by what users type.
#[derive(Clone, Copy)]
pub struct DeviceCodeReader<'a> {
    executor: Executor<'a>,
}

impl<'a> DeviceCodeReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// What waits under a code that a user typed, normalised.
    pub async fn by_user_code(self, user_code: &str) -> Result<Option<StoredDeviceCode>, Error> {
        const BY_CODE: &str = concat!("SELECT ", columns!(), " FROM device_codes WHERE user_code = $1");
        self.executor.one((BY_CODE, [user_code.into()])).await?.as_ref().map(read).transpose()
    }

    /// What waits under the hash of a program's own code.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<StoredDeviceCode>, Error> {
        const BY_HASH: &str = concat!("SELECT ", columns!(), " FROM device_codes WHERE hash = $1");
        self.executor.one((BY_HASH, [hash.to_vec().into()])).await?.as_ref().map(read).transpose()
    }
}

/// Writes device codes.
#[derive(Clone, Copy)]
pub struct DeviceCodeWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> DeviceCodeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a pending code. Says whether it was added: another that waits may have the same user code.
    pub async fn insert(self, hash: &SecretHash, code: &StoredDeviceCode) -> Result<bool, Error> {
        const INSERT: &str = "INSERT INTO device_codes (hash, user_code, client_id, scopes, resource, status, poll_seconds, created_at, \
            expires_at) VALUES ($1, $2, $3, $4, $5, 'pending', $6, $7, $8) ON CONFLICT (user_code) DO NOTHING";
        let values = [
            hash.to_vec().into(),
            code.user_code.as_str().into(),
            code.client.as_str().into(),
            serde_json::to_string(&code.scopes).map_err(Error::backend)?.into(),
            code.resource.clone().into(),
            seconds(code.interval).into(),
            time_value(code.created_at),
            time_value(code.expires_at),
        ];
        Ok(self.executor.execute((INSERT, values)).await? > 0)
    }

    /// Decides what is pending: with scopes it is approved, without denied. Says whether it was still to be decided.
    pub async fn decide(self, user_code: &str, user: UserId, scopes: Option<&Scopes>, now: Timestamp) -> Result<bool, Error> {
        const APPROVE: &str = "UPDATE device_codes SET status = 'approved', user_id = $2, scopes = $4 \
            WHERE user_code = $1 AND status = 'pending' AND expires_at > $3";
        const DENY: &str =
            "UPDATE device_codes SET status = 'denied', user_id = $2 WHERE user_code = $1 AND status = 'pending' AND expires_at > $3";
        let [code, user, now] = [user_code.into(), id_value(user), time_value(now)];
        let decided = match scopes {
            Some(scopes) => {
                let scopes = serde_json::to_string(scopes).map_err(Error::backend)?;
                self.executor.execute((APPROVE, [code, user, now, scopes.into()])).await?
            }
            None => self.executor.execute((DENY, [code, user, now])).await?,
        };
        Ok(decided > 0)
    }

    /// Notes that the program asked, and how long it has to wait from now on.
    pub async fn polled(self, hash: &SecretHash, at: Timestamp, interval: Duration) -> Result<(), Error> {
        const POLLED: &str = "UPDATE device_codes SET last_polled_at = $2, poll_seconds = $3 WHERE hash = $1";
        self.executor.execute((POLLED, [hash.to_vec().into(), time_value(at), seconds(interval).into()])).await?;
        Ok(())
    }

    /// Takes what waits. Of programs that ask together one gets it.
    pub async fn take(self, hash: &SecretHash) -> Result<Option<StoredDeviceCode>, Error> {
        const TAKE: &str = concat!("DELETE FROM device_codes WHERE hash = $1 RETURNING ", columns!());
        self.executor.one((TAKE, [hash.to_vec().into()])).await?.as_ref().map(read).transpose()
    }

    /// Removes up to `limit` codes that ended before `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "device_codes", "expires_at < $1", vec![time_value(before)], limit).await
    }
}

fn seconds(interval: Duration) -> i32 {
    i32::try_from(interval.as_secs()).unwrap_or(i32::MAX)
}

fn read(row: &QueryResult) -> Result<StoredDeviceCode, Error> {
    let client: String = row.read("client_id")?;
    let user = row.read_optional_id("user_id")?;
    let status = match (row.read::<String>("status")?.as_str(), user) {
        ("pending", _) => DeviceStatus::Pending,
        ("approved", Some(user)) => DeviceStatus::Approved(user),
        ("denied", _) => DeviceStatus::Denied,
        _ => return Err(corrupt("device_codes", "status", client)),
    };
    Ok(StoredDeviceCode {
        user_code: row.read("user_code")?,
        scopes: serde_json::from_str(&row.read::<String>("scopes")?).map_err(|_| corrupt("device_codes", "scopes", &client))?,
        resource: row.read("resource")?,
        status,
        interval: Duration::from_secs(u64::try_from(row.read::<i32>("poll_seconds")?).unwrap_or(0)),
        last_polled_at: row.read_optional_time("last_polled_at")?,
        created_at: row.read_time("created_at")?,
        expires_at: row.read_time("expires_at")?,
        client,
    })
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::{super::oauth_clients::tests::client, *};
    use crate::{Store, Tx, both, fixtures};

    fn waiting() -> StoredDeviceCode {
        StoredDeviceCode {
            user_code: "ABCDEFGH".to_owned(),
            client: "a".to_owned(),
            scopes: [Scope::ContentRead, Scope::MediaRead].into(),
            resource: None,
            status: DeviceStatus::Pending,
            interval: Duration::from_secs(5),
            last_polled_at: None,
            created_at: fixtures::at(1),
            expires_at: fixtures::at(90),
        }
    }

    async fn with_code(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx.oauth_clients().insert(&client("a")).await.unwrap();
        assert!(tx.device_codes().insert(&[1; 32], &waiting()).await.unwrap());
        tx
    }

    both! {
        async fn no_two_programs_wait_under_one_user_code(store: Store) {
            let tx = with_code(&store).await;
            assert!(!tx.device_codes().insert(&[2; 32], &waiting()).await.unwrap());
            assert_eq!(tx.reader().device_codes().by_user_code("ABCDEFGH").await.unwrap(), Some(waiting()));
            assert_eq!(tx.reader().device_codes().by_user_code("HGFEDCBA").await.unwrap(), None);
        }

        async fn it_is_decided_once_and_in_time(store: Store) {
            let tx = with_code(&store).await;
            let (user, fewer) = (fixtures::user(1).id, Scopes::from([Scope::MediaRead]));
            assert!(!tx.device_codes().decide("ABCDEFGH", user, Some(&fewer), fixtures::at(90)).await.unwrap());
            assert!(tx.device_codes().decide("ABCDEFGH", user, Some(&fewer), fixtures::at(2)).await.unwrap());
            assert!(!tx.device_codes().decide("ABCDEFGH", user, None, fixtures::at(3)).await.unwrap());
            tx.device_codes().polled(&[1; 32], fixtures::at(4), Duration::from_secs(10)).await.unwrap();
            let expected = StoredDeviceCode {
                scopes: fewer,
                status: DeviceStatus::Approved(user),
                interval: Duration::from_secs(10),
                last_polled_at: Some(fixtures::at(4)),
                ..waiting()
            };
            assert_eq!(tx.device_codes().take(&[1; 32]).await.unwrap(), Some(expected));
            assert_eq!(tx.device_codes().take(&[1; 32]).await.unwrap(), None);
        }

        async fn what_was_denied_says_so(store: Store) {
            let tx = with_code(&store).await;
            assert!(tx.device_codes().decide("ABCDEFGH", fixtures::user(1).id, None, fixtures::at(2)).await.unwrap());
            assert_eq!(tx.reader().device_codes().by_hash(&[1; 32]).await.unwrap().unwrap().status, DeviceStatus::Denied);
            assert_eq!(tx.device_codes().prune(fixtures::at(91), 100).await.unwrap(), 1);
        }
    }
}
