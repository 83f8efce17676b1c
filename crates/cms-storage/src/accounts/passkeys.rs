//! Passkeys: public keys, and what is known of the devices that have the private ones.

use cms_domain::{
    id::{PasskeyId, UserId},
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

macro_rules! columns {
    () => {
        "p.id AS p_id, p.credential_id, p.user_id AS p_user, p.name AS p_name, p.credential, p.transports, p.user_verified, \
         p.backup_eligible, p.backed_up, p.created_at AS p_created, p.last_used_at"
    };
}

/// Reads passkeys.
#[derive(Clone, Copy)]
pub struct PasskeyReader<'a> {
    executor: Executor<'a>,
}

impl<'a> PasskeyReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The passkey that its authenticator calls so, and its user.
    pub async fn by_credential(self, id: &[u8]) -> Result<Option<(StoredPasskey, User)>, Error> {
        const BY_CREDENTIAL: &str = concat!(
            "SELECT ",
            columns!(),
            ", ",
            users::columns!(),
            " FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1"
        );
        let Some(row) = self.executor.one((BY_CREDENTIAL, [id.to_vec().into()])).await? else {
            return Ok(None);
        };
        Ok(Some((read(&row)?, users::read(&row)?)))
    }

    /// A user's passkeys, the oldest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredPasskey>, Error> {
        const FOR_USER: &str = concat!("SELECT ", columns!(), " FROM passkeys p WHERE p.user_id = $1 ORDER BY p.id");
        self.executor.all((FOR_USER, [id_value(user)])).await?.iter().map(read).collect()
    }
}

/// Writes passkeys.
#[derive(Clone, Copy)]
pub struct PasskeyWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> PasskeyWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// A user's passkeys, the oldest first, which nobody adds to or takes from until this transaction ends.
    pub async fn hold(self, user: UserId) -> Result<Vec<StoredPasskey>, Error> {
        // SQLite has one writer, which is this transaction.
        if self.executor.is_postgres() {
            self.executor.one(("SELECT id FROM users WHERE id = $1 FOR UPDATE", [id_value(user)])).await?;
        }
        PasskeyReader::new(self.executor).for_user(user).await
    }

    /// Adds a passkey.
    pub async fn insert(self, passkey: &StoredPasskey) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO passkeys (id, credential_id, user_id, name, credential, transports, user_verified, \
            backup_eligible, backed_up, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        let values = [
            id_value(passkey.id),
            passkey.credential_id.clone().into(),
            id_value(passkey.user),
            passkey.name.as_str().into(),
            passkey.credential.as_str().into(),
            passkey.transports.join(" ").into(),
            passkey.user_verified.into(),
            passkey.backup_eligible.into(),
            passkey.backed_up.into(),
            time_value(passkey.created_at),
            optional_time_value(passkey.last_used_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Calls a user's passkey something else. Says whether there is one.
    pub async fn rename(self, user: UserId, id: PasskeyId, name: &str) -> Result<bool, Error> {
        const RENAME: &str = "UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2";
        Ok(self.executor.execute((RENAME, [id_value(id), id_value(user), name.into()])).await? > 0)
    }

    /// Removes a user's passkey. Says whether there was one.
    pub async fn delete(self, user: UserId, id: PasskeyId) -> Result<bool, Error> {
        const DELETE: &str = "DELETE FROM passkeys WHERE id = $1 AND user_id = $2";
        Ok(self.executor.execute((DELETE, [id_value(id), id_value(user)])).await? > 0)
    }

    /// Removes every passkey of a user. Counts them.
    pub async fn delete_all(self, user: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM passkeys WHERE user_id = $1", [id_value(user)])).await
    }

    /// Notes that a passkey was used: what its authenticator said, and when. Busy when it was used at the same time by somebody
    /// else, so that of two uses with one counter the second is checked against the first.
    pub async fn used(self, before: &StoredPasskey, after: &StoredPasskey) -> Result<(), Error> {
        const USED: &str = "UPDATE passkeys SET credential = $3, user_verified = $4, backup_eligible = $5, backed_up = $6, \
            last_used_at = $7 WHERE id = $1 AND credential = $2";
        let values = [
            id_value(before.id),
            before.credential.as_str().into(),
            after.credential.as_str().into(),
            after.user_verified.into(),
            after.backup_eligible.into(),
            after.backed_up.into(),
            optional_time_value(after.last_used_at),
        ];
        if self.executor.execute((USED, values)).await? == 0 { Err(Error::Busy) } else { Ok(()) }
    }
}

fn read(row: &QueryResult) -> Result<StoredPasskey, Error> {
    Ok(StoredPasskey {
        id: row.read_id("p_id")?,
        credential_id: row.read("credential_id")?,
        user: row.read_id("p_user")?,
        name: row.read("p_name")?,
        credential: row.read("credential")?,
        transports: row.read::<String>("transports")?.split_whitespace().map(str::to_owned).collect(),
        user_verified: row.read("user_verified")?,
        backup_eligible: row.read("backup_eligible")?,
        backed_up: row.read("backed_up")?,
        created_at: row.read_time("p_created")?,
        last_used_at: row.read_optional_time("last_used_at")?,
    })
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
            tx.passkeys().insert(&passkey(n)).await.unwrap();
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
            let error = tx.passkeys().insert(&twin).await.unwrap_err();
            assert!(matches!(error, Error::Conflict(Constraint::PasskeyCredential)), "{error:?}");
        }

        async fn only_its_user_renames_and_removes_a_passkey(store: Store) {
            let tx = with_passkeys(&store).await;
            let (user, other) = (fixtures::user(1).id, fixtures::user(2).id);
            assert!(!tx.passkeys().rename(other, passkey(1).id, "Mine").await.unwrap());
            assert!(tx.passkeys().rename(user, passkey(1).id, "Phone").await.unwrap());
            assert!(!tx.passkeys().delete(other, passkey(2).id).await.unwrap());
            assert!(tx.passkeys().delete(user, passkey(2).id).await.unwrap());
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
