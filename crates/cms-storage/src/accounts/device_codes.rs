//! Device codes: what a program without a browser waits for, until a user approves or denies it elsewhere (RFC 8628).

use std::time::Duration;

use cms_domain::{
    access::{Permit, to},
    {access::Scopes, id::UserId, time::Timestamp},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, Set,
    sea_query::{Expr, OnConflict},
};

use self::entity::{ActiveModel, Column, Decision, Entity, Model};
use super::SecretHash;
use crate::{
    Error,
    column::{Json, Storable, Stored},
    executor::Executor,
    expiry,
    row::{corrupt, time_value},
};

mod entity {
    use cms_domain::{access::Scopes, id::UserId, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use crate::{
        SecretHash,
        column::{Json, Stored},
    };

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "device_codes")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) hash: Stored<SecretHash>,
        pub(super) user_code: String,
        pub(super) client_id: String,
        pub(super) scopes: Stored<Json<Scopes>>,
        pub(super) resource: Option<String>,
        pub(super) status: Stored<Decision>,
        pub(super) user_id: Option<Stored<UserId>>,
        pub(super) poll_seconds: i32,
        pub(super) last_polled_at: Option<Stored<Timestamp>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    /// How far an approval has come, without whose it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Decision {
        Pending,
        Approved,
        Denied,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

impl Storable for Decision {
    type Raw = String;

    fn to_raw(&self) -> String {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Denied => "denied",
        }
        .to_owned()
    }

    fn of_raw(raw: String) -> Option<Self> {
        [Self::Pending, Self::Approved, Self::Denied].into_iter().find(|decision| decision.to_raw() == raw)
    }
}

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

/// Reads device codes by what users type.
#[derive(Clone, Copy)]
pub struct DeviceCodeReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Device codes.
    pub fn device_codes(self) -> DeviceCodeReader<'a> {
        DeviceCodeReader::new(self.executor())
    }
}

impl<'a> DeviceCodeReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// What waits under a code that a user typed, normalised.
    pub async fn by_user_code(self, user_code: &str) -> Result<Option<StoredDeviceCode>, Error> {
        self.find(Column::UserCode.eq(user_code)).await
    }

    /// What waits under the hash of a program's own code.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<StoredDeviceCode>, Error> {
        self.find(Column::Hash.eq(Stored(*hash))).await
    }

    async fn find(self, code: Expr) -> Result<Option<StoredDeviceCode>, Error> {
        self.executor.find(Entity::find().filter(code)).await?.map(Model::try_into).transpose()
    }
}

/// Writes device codes.
#[derive(Clone, Copy)]
pub struct DeviceCodeWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Device codes.
    pub fn device_codes(&self) -> DeviceCodeWriter<'_> {
        DeviceCodeWriter::new(self.executor())
    }
}

impl<'a> DeviceCodeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a pending code. Says whether it was added: another that waits may have the same user code.
    pub async fn insert(self, hash: &SecretHash, code: &StoredDeviceCode) -> Result<bool, Error> {
        let code = ActiveModel {
            hash: Set(Stored(*hash)),
            user_code: Set(code.user_code.clone()),
            client_id: Set(code.client.clone()),
            scopes: Set(Stored(Json::new(code.scopes.clone())?)),
            resource: Set(code.resource.clone()),
            status: Set(Stored(Decision::Pending)),
            poll_seconds: Set(seconds(code.interval)),
            created_at: Set(Stored(code.created_at)),
            expires_at: Set(Stored(code.expires_at)),
            ..ActiveModel::default()
        };
        let unless_taken = OnConflict::column(Column::UserCode).do_nothing().to_owned();
        Ok(Entity::insert(code).on_conflict(unless_taken).exec_without_returning(&self.executor).await? > 0)
    }

    /// Decides what is pending: with scopes it is approved, without denied. Says whether it was still to be decided.
    pub async fn decide(
        self,
        permit: &Permit<to::Account>,
        user_code: &str,
        scopes: Option<&Scopes>,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let decided = match scopes {
            Some(scopes) => ActiveModel {
                status: Set(Stored(Decision::Approved)),
                scopes: Set(Stored(Json::new(scopes.clone())?)),
                ..ActiveModel::default()
            },
            None => ActiveModel { status: Set(Stored(Decision::Denied)), ..ActiveModel::default() },
        };
        let pending = Entity::update_many()
            .filter(Column::UserCode.eq(user_code))
            .filter(Column::Status.eq(Stored(Decision::Pending)))
            .filter(Column::ExpiresAt.gt(Stored(now)));
        let decided = ActiveModel { user_id: Set(Some(Stored(permit.account()))), ..decided };
        Ok(pending.set(decided).exec(&self.executor).await?.rows_affected > 0)
    }

    /// Notes that the program asked, and how long it has to wait from now on.
    pub async fn polled(self, hash: &SecretHash, at: Timestamp, interval: Duration) -> Result<(), Error> {
        let polled = ActiveModel { last_polled_at: Set(Some(Stored(at))), poll_seconds: Set(seconds(interval)), ..ActiveModel::default() };
        Entity::update_many().set(polled).filter(Column::Hash.eq(Stored(*hash))).exec(&self.executor).await?;
        Ok(())
    }

    /// Takes what waits. Of programs that ask together one gets it.
    pub async fn take(self, hash: &SecretHash) -> Result<Option<StoredDeviceCode>, Error> {
        let code = Entity::delete_many().filter(Column::Hash.eq(Stored(*hash)));
        self.executor.take(code).await?.map(Model::try_into).transpose()
    }

    /// Removes what a user approved and no program has picked up yet. Counts it.
    pub(super) async fn delete_approved(self, user: UserId) -> Result<u64, Error> {
        let approved = Entity::delete_many().filter(Column::UserId.eq(Stored(user))).filter(Column::Status.eq(Stored(Decision::Approved)));
        Ok(approved.exec(&self.executor).await?.rows_affected)
    }

    /// Removes up to `limit` codes that ended before `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "device_codes", "expires_at < $1", vec![time_value(before)], limit).await
    }
}

fn seconds(interval: Duration) -> i32 {
    i32::try_from(interval.as_secs()).unwrap_or(i32::MAX)
}

impl TryFrom<Model> for StoredDeviceCode {
    type Error = Error;

    fn try_from(row: Model) -> Result<Self, Error> {
        let status = match (row.status.0, row.user_id) {
            (Decision::Pending, _) => DeviceStatus::Pending,
            (Decision::Approved, Some(user)) => DeviceStatus::Approved(user.0),
            (Decision::Approved, None) => return Err(corrupt("device_codes", "status", row.client_id)),
            (Decision::Denied, _) => DeviceStatus::Denied,
        };
        Ok(Self {
            user_code: row.user_code,
            client: row.client_id,
            scopes: row.scopes.0.value,
            resource: row.resource,
            status,
            interval: Duration::from_secs(u64::try_from(row.poll_seconds).unwrap_or(0)),
            last_polled_at: row.last_polled_at.map(|at| at.0),
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        })
    }
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
        tx.oauth_clients().insert(&fixtures::permit(), &client("a")).await.unwrap();
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
            assert!(!tx.device_codes().decide(&fixtures::account(user), "ABCDEFGH", Some(&fewer), fixtures::at(90)).await.unwrap());
            assert!(tx.device_codes().decide(&fixtures::account(user), "ABCDEFGH", Some(&fewer), fixtures::at(2)).await.unwrap());
            assert!(!tx.device_codes().decide(&fixtures::account(user), "ABCDEFGH", None, fixtures::at(3)).await.unwrap());
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
            assert!(tx.device_codes().decide(&fixtures::account(fixtures::user(1).id), "ABCDEFGH", None, fixtures::at(2)).await.unwrap());
            assert_eq!(tx.reader().device_codes().by_hash(&[1; 32]).await.unwrap().unwrap().status, DeviceStatus::Denied);
            assert_eq!(tx.device_codes().prune(fixtures::at(91), 100).await.unwrap(), 1);
        }
    }
}
