//! Passkeys: public keys, and what is known of the devices that have the private ones.

use cms_domain::{
    access::{Permit, to},
    id::{PasskeyId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

use self::entity::{ActiveModel, Column, Entity};
use crate::{Error, column::Stored, executor::Executor, users};

pub(crate) mod entity {
    use cms_domain::{
        id::{PasskeyId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{column::Stored, users::entity as users};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "passkeys")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<PasskeyId>,
        pub(crate) credential_id: Vec<u8>,
        pub(crate) user_id: Stored<UserId>,
        pub(crate) name: String,
        pub(crate) credential: String,
        pub(crate) transports: String,
        pub(crate) user_verified: bool,
        pub(crate) backup_eligible: bool,
        pub(crate) backed_up: bool,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) last_used_at: Option<Stored<Timestamp>>,
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
    crate::tables::Table::of::<Entity>().unique("passkeys_credential", &[Column::CredentialId], crate::Constraint::PasskeyCredential)
}

/// What is known of a passkey.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPasskey {
    /// Identifies the passkey here.
    pub id: PasskeyId,
    /// Identifies it everywhere: what its authenticator calls it.
    pub credential_id: Vec<u8>,
    /// Whose passkey it is.
    pub user: UserId,
    /// What its user calls it.
    pub name: String,
    /// Public key, counter and flags, as they are checked with.
    pub credential: String,
    /// How its authenticator can be reached.
    pub transports: Vec<String>,
    /// Whether its authenticator verified the user when it was last used.
    pub user_verified: bool,
    /// Whether it can be on more than one device.
    pub backup_eligible: bool,
    /// Whether it is.
    pub backed_up: bool,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it last opened a session.
    pub last_used_at: Option<Timestamp>,
}

/// Reads passkeys.
#[derive(Clone, Copy)]
pub struct PasskeyReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Passkeys.
    pub fn passkeys(self) -> PasskeyReader<'a> {
        PasskeyReader::new(self.executor())
    }
}

impl<'a> PasskeyReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The passkey that its authenticator calls so, and its user.
    pub async fn by_credential(self, id: &[u8]) -> Result<Option<(StoredPasskey, User)>, Error> {
        let called_so = Entity::find().find_both_related(users::entity::Entity).filter(Column::CredentialId.eq(id));
        self.executor.find_both(called_so).await
    }

    /// A user's passkeys, the oldest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredPasskey>, Error> {
        self.executor.list(Entity::find().filter(Column::UserId.eq(Stored(user))).order_by_asc(Column::Id)).await
    }
}

/// Writes passkeys.
#[derive(Clone, Copy)]
pub struct PasskeyWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Passkeys.
    pub fn passkeys(&self) -> PasskeyWriter<'_> {
        PasskeyWriter::new(self.executor())
    }
}

impl<'a> PasskeyWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// A user's passkeys, the oldest first, which nobody adds to or takes from until this transaction ends.
    pub async fn hold(self, user: UserId) -> Result<Vec<StoredPasskey>, Error> {
        // SQLite has one writer, which is this transaction.
        if self.executor.is_postgres() {
            self.executor.find::<_, User>(users::entity::Entity::find_by_id(Stored(user)).lock_exclusive()).await?;
        }
        PasskeyReader::new(self.executor).for_user(user).await
    }

    /// Adds a passkey.
    pub async fn insert(self, permit: &Permit<to::Account>, passkey: &StoredPasskey) -> Result<(), Error> {
        let passkey = ActiveModel {
            id: Set(Stored(passkey.id)),
            credential_id: Set(passkey.credential_id.clone()),
            user_id: Set(Stored(permit.account())),
            name: Set(passkey.name.clone()),
            credential: Set(passkey.credential.clone()),
            transports: Set(passkey.transports.join(" ")),
            user_verified: Set(passkey.user_verified),
            backup_eligible: Set(passkey.backup_eligible),
            backed_up: Set(passkey.backed_up),
            created_at: Set(Stored(passkey.created_at)),
            last_used_at: Set(passkey.last_used_at.map(Stored)),
        };
        Entity::insert(passkey).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Calls a user's passkey something else. Says whether there is one.
    pub async fn rename(self, permit: &Permit<to::Account>, id: PasskeyId, name: &str) -> Result<bool, Error> {
        let renamed = ActiveModel { name: Set(name.to_owned()), ..ActiveModel::default() };
        let update =
            Entity::update_many().set(renamed).filter(Column::Id.eq(Stored(id))).filter(Column::UserId.eq(Stored(permit.account())));
        Ok(update.exec(&self.executor).await?.rows_affected > 0)
    }

    /// Removes a user's passkey. Says whether there was one.
    pub async fn delete(self, permit: &Permit<to::Account>, id: PasskeyId) -> Result<bool, Error> {
        let delete = Entity::delete_by_id(Stored(id)).filter(Column::UserId.eq(Stored(permit.account())));
        Ok(delete.exec(&self.executor).await?.rows_affected > 0)
    }

    /// Removes every passkey of a user. Counts them.
    pub async fn delete_all(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(Column::UserId.eq(Stored(permit.account()))).exec(&self.executor).await?.rows_affected)
    }

    /// Notes that a passkey was used: what its authenticator said, and when. Busy when it was used at the same time by somebody
    /// else, so that of two uses with one counter the second is checked against the first.
    pub async fn used(self, before: &StoredPasskey, after: &StoredPasskey) -> Result<(), Error> {
        let used = ActiveModel {
            credential: Set(after.credential.clone()),
            user_verified: Set(after.user_verified),
            backup_eligible: Set(after.backup_eligible),
            backed_up: Set(after.backed_up),
            last_used_at: Set(after.last_used_at.map(Stored)),
            ..ActiveModel::default()
        };
        let update = Entity::update_many()
            .set(used)
            .filter(Column::Id.eq(Stored(before.id)))
            .filter(Column::Credential.eq(before.credential.as_str()));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Busy) } else { Ok(()) }
    }
}

impl From<entity::Model> for StoredPasskey {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            credential_id: row.credential_id,
            user: row.user_id.0,
            name: row.name,
            credential: row.credential,
            transports: row.transports.split_whitespace().map(str::to_owned).collect(),
            user_verified: row.user_verified,
            backup_eligible: row.backup_eligible,
            backed_up: row.backed_up,
            created_at: row.created_at.0,
            last_used_at: row.last_used_at.map(|at| at.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Store, Tx, both, fixtures};

    fn passkey(n: u8) -> StoredPasskey {
        StoredPasskey {
            id: PasskeyId::from_parts(1, n.into()),
            credential_id: vec![n; 16],
            user: fixtures::user(1).id,
            name: format!("Key {n}"),
            credential: format!("{{\"counter\":{n}}}"),
            transports: vec!["internal".to_owned(), "hybrid".to_owned()],
            user_verified: true,
            backup_eligible: true,
            backed_up: false,
            created_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    async fn with_passkeys(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(2)).await.unwrap();
        for n in [1, 2] {
            tx.passkeys().insert(&fixtures::account(passkey(n).user), &passkey(n)).await.unwrap();
        }
        tx
    }

    both! {
        async fn a_passkey_is_found_with_its_user_by_its_credential(store: Store) {
            let tx = with_passkeys(&store).await;
            let found = tx.reader().passkeys().by_credential(&[2; 16]).await.unwrap();
            assert_eq!(found, Some((passkey(2), fixtures::user(1))));
            assert_eq!(tx.reader().passkeys().by_credential(&[3; 16]).await.unwrap(), None);
            assert_eq!(tx.passkeys().hold(fixtures::user(1).id).await.unwrap(), [passkey(1), passkey(2)]);
            assert!(tx.reader().passkeys().for_user(fixtures::user(2).id).await.unwrap().is_empty());
        }

        async fn a_credential_belongs_to_one_user(store: Store) {
            let tx = with_passkeys(&store).await;
            let twin = StoredPasskey { id: PasskeyId::from_parts(1, 9), user: fixtures::user(2).id, ..passkey(1) };
            let error = tx.passkeys().insert(&fixtures::account(twin.user), &twin).await.unwrap_err();
            assert!(matches!(error, Error::Conflict(Constraint::PasskeyCredential)), "{error:?}");
        }

        async fn only_its_user_renames_and_removes_a_passkey(store: Store) {
            let tx = with_passkeys(&store).await;
            let (user, other) = (fixtures::user(1).id, fixtures::user(2).id);
            assert!(!tx.passkeys().rename(&fixtures::account(other), passkey(1).id, "Mine").await.unwrap());
            assert!(tx.passkeys().rename(&fixtures::account(user), passkey(1).id, "Phone").await.unwrap());
            assert!(!tx.passkeys().delete(&fixtures::account(other), passkey(2).id).await.unwrap());
            assert!(tx.passkeys().delete(&fixtures::account(user), passkey(2).id).await.unwrap());
            let left = tx.reader().passkeys().for_user(user).await.unwrap();
            assert_eq!(left, [StoredPasskey { name: "Phone".to_owned(), ..passkey(1) }]);
        }

        async fn a_use_is_noted_on_what_it_was_checked_against(store: Store) {
            let tx = with_passkeys(&store).await;
            let used = StoredPasskey {
                credential: "{\"counter\":7}".to_owned(),
                backed_up: true,
                last_used_at: Some(fixtures::at(5)),
                ..passkey(1)
            };
            tx.passkeys().used(&passkey(1), &used).await.unwrap();
            assert_eq!(tx.reader().passkeys().by_credential(&[1; 16]).await.unwrap().unwrap().0, used);
            assert!(matches!(tx.passkeys().used(&passkey(1), &used).await, Err(Error::Busy)));
        }
    }
}
