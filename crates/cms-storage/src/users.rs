//! Users.

use cms_domain::{
    access::Permit,
    id::UserId,
    time::Timestamp,
    user::{Email, Role, User},
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, id_value, optional_id_value, time_value},
};

/// The columns of a user, of a table that the statement calls `u`.
macro_rules! columns {
    () => {
        "u.id, u.email, u.email_verified, u.name, u.avatar_url, u.role, u.disabled, u.welcomed, u.last_sign_in_at, u.created_at, u.updated_at"
    };
}
pub(crate) use columns;

/// Reads users.
#[derive(Clone, Copy)]
pub struct UserReader<'a> {
    executor: Executor<'a>,
}

impl<'a> UserReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The user with an id.
    pub async fn by_id(self, id: UserId) -> Result<Option<User>, Error> {
        const BY_ID: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.id = $1");
        self.executor.one((BY_ID, [id_value(id)])).await?.as_ref().map(read).transpose()
    }

    /// The user with an address.
    pub async fn by_email(self, email: &Email) -> Result<Option<User>, Error> {
        const BY_EMAIL: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.email = $1");
        self.executor.one((BY_EMAIL, [email.as_str().into()])).await?.as_ref().map(read).transpose()
    }

    /// Users in the order in which they were made, from behind `after`.
    pub async fn list(self, after: Option<UserId>, limit: usize) -> Result<Vec<User>, Error> {
        const LIST: &str = concat!("SELECT ", columns!(), " FROM users u WHERE $1 IS NULL OR u.id > $1 ORDER BY u.id LIMIT $2");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.executor.all((LIST, [optional_id_value(after), limit.into()])).await?.iter().map(read).collect()
    }

    /// How many admins are not locked out.
    pub async fn count_admins(self) -> Result<i64, Error> {
        const COUNT: &str = "SELECT count(*) AS n FROM users WHERE role = $1 AND NOT disabled";
        let row = self.executor.one((COUNT, [level(Role::Admin).into()])).await?;
        row.map_or(Ok(0), |row| row.read("n"))
    }
}

/// Writes users.
#[derive(Clone, Copy)]
pub struct UserWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> UserWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a user.
    pub async fn insert(self, _: &Permit, user: &User) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO users (id, email, name, role, disabled, updated_at, email_verified, avatar_url, welcomed, \
            created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let [id, email, name, role, disabled, updated_at, email_verified, avatar_url, welcomed] = values(user);
        let created_at = time_value(user.created_at);
        let values = [id, email, name, role, disabled, updated_at, email_verified, avatar_url, welcomed, created_at];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Changes a user.
    pub async fn update(self, _: &Permit, user: &User) -> Result<(), Error> {
        const UPDATE: &str = "UPDATE users SET email = $2, name = $3, role = $4, disabled = $5, updated_at = $6, email_verified = $7, \
            avatar_url = $8, welcomed = $9 WHERE id = $1";
        if self.executor.execute((UPDATE, values(user))).await? == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Notes that a user signed in.
    pub async fn signed_in(self, user: UserId, at: Timestamp) -> Result<(), Error> {
        self.executor.execute(("UPDATE users SET last_sign_in_at = $2 WHERE id = $1", [id_value(user), time_value(at)])).await?;
        Ok(())
    }
}

/// What changes of a user, in the order of the statement that changes it.
fn values(user: &User) -> [sea_orm::Value; 9] {
    [
        id_value(user.id),
        user.email.as_str().into(),
        user.name.clone().into(),
        level(user.role).into(),
        user.disabled.into(),
        time_value(user.updated_at),
        user.email_verified.into(),
        user.avatar_url.clone().into(),
        user.welcomed.into(),
    ]
}

fn level(role: Role) -> i16 {
    i16::from(role.level())
}

/// The user in a row that has [`columns!`].
pub(crate) fn read(row: &QueryResult) -> Result<User, Error> {
    let id = row.read_id("id")?;
    Ok(User {
        id,
        email: row.parse("users", "email", id)?,
        email_verified: row.read("email_verified")?,
        name: row.read("name")?,
        avatar_url: row.read("avatar_url")?,
        role: Role::from_level(row.read::<i16>("role")?.into()).ok_or_else(|| corrupt("users", "role", id))?,
        disabled: row.read("disabled")?,
        welcomed: row.read("welcomed")?,
        last_sign_in_at: row.read_optional_time("last_sign_in_at")?,
        created_at: row.read_time("created_at")?,
        updated_at: row.read_time("updated_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Store, both, fixtures};

    both! {
        async fn a_user_is_found_by_id_and_by_address(store: Store) {
            let user = fixtures::user(1);
            let tx = store.write().await.unwrap();
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(store.reader().users().by_id(user.id).await.unwrap().as_ref(), Some(&user));
            assert_eq!(store.reader().users().by_email(&user.email).await.unwrap().as_ref(), Some(&user));
        }

        async fn two_users_with_one_address_conflict(store: Store) {
            let tx = store.write().await.unwrap();
            tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
            let twin = User { id: fixtures::user(2).id, ..fixtures::user(1) };
            let error = tx.users().insert(&fixtures::permit(), &twin).await.unwrap_err();
            assert!(matches!(error, Error::Conflict(Constraint::UserEmail)), "{error:?}");
        }

        async fn pages_of_users_follow_each_other(store: Store) {
            let tx = store.write().await.unwrap();
            for n in 1..=5 {
                tx.users().insert(&fixtures::permit(), &fixtures::user(n)).await.unwrap();
            }
            let first = tx.reader().users().list(None, 3).await.unwrap();
            let second = tx.reader().users().list(Some(first[2].id), 3).await.unwrap();
            let ids: Vec<_> = first.iter().chain(&second).map(|user| user.id).collect();
            assert_eq!(ids, (1..=5).map(|n| fixtures::user(n).id).collect::<Vec<_>>());
        }

        async fn admins_who_are_locked_out_do_not_count(store: Store) {
            let tx = store.write().await.unwrap();
            for (n, role, disabled) in [(1, Role::Admin, false), (2, Role::Admin, true), (3, Role::Editor, false)] {
                let user = User { role, disabled, ..fixtures::user(n) };
                tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            }
            assert_eq!(tx.reader().users().count_admins().await.unwrap(), 1);
        }

        async fn changing_a_user_that_is_gone_is_stale(store: Store) {
            let tx = store.write().await.unwrap();
            let error = tx.users().update(&fixtures::permit(), &fixtures::user(1)).await.unwrap_err();
            assert!(matches!(error, Error::Stale));
        }
    }
}
