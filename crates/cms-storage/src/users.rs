//! Users.

use cms_domain::{
    access::Permit,
    id::UserId,
    user::{Email, Role, User},
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, id_value, optional_id_value, time_value},
};

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
        const BY_ID: &str = "SELECT id, email, name, role, disabled, created_at, updated_at FROM users WHERE id = $1";
        self.executor.one((BY_ID, [id_value(id)])).await?.as_ref().map(read).transpose()
    }

    /// The user with an address.
    pub async fn by_email(self, email: &Email) -> Result<Option<User>, Error> {
        const BY_EMAIL: &str = "SELECT id, email, name, role, disabled, created_at, updated_at FROM users WHERE email = $1";
        self.executor.one((BY_EMAIL, [email.as_str().into()])).await?.as_ref().map(read).transpose()
    }

    /// Users in the order in which they were made, from behind `after`.
    pub async fn list(self, after: Option<UserId>, limit: usize) -> Result<Vec<User>, Error> {
        const LIST: &str = "SELECT id, email, name, role, disabled, created_at, updated_at FROM users \
            WHERE $1 IS NULL OR id > $1 ORDER BY id LIMIT $2";
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
        const INSERT: &str =
            "INSERT INTO users (id, email, name, role, disabled, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let values = [
            id_value(user.id),
            user.email.as_str().into(),
            user.name.clone().into(),
            level(user.role).into(),
            user.disabled.into(),
            time_value(user.created_at),
            time_value(user.updated_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Changes a user.
    pub async fn update(self, _: &Permit, user: &User) -> Result<(), Error> {
        const UPDATE: &str = "UPDATE users SET email = $2, name = $3, role = $4, disabled = $5, updated_at = $6 WHERE id = $1";
        let values = [
            id_value(user.id),
            user.email.as_str().into(),
            user.name.clone().into(),
            level(user.role).into(),
            user.disabled.into(),
            time_value(user.updated_at),
        ];
        if self.executor.execute((UPDATE, values)).await? == 0 { Err(Error::Stale) } else { Ok(()) }
    }
}

fn level(role: Role) -> i16 {
    i16::from(role.level())
}

fn read(row: &QueryResult) -> Result<User, Error> {
    read_as(row, ["id", "email", "name", "role", "disabled", "created_at", "updated_at"])
}

/// The user in a row that names its columns so.
pub(crate) fn read_as(row: &QueryResult, columns: [&str; 7]) -> Result<User, Error> {
    let [id, email, name, role, disabled, created_at, updated_at] = columns;
    let id = row.read_id(id)?;
    Ok(User {
        id,
        email: row.read::<String>(email)?.parse().map_err(|_| corrupt("users", "email", id))?,
        name: row.read(name)?,
        role: Role::from_level(row.read::<i16>(role)?.into()).ok_or_else(|| corrupt("users", "role", id))?,
        disabled: row.read(disabled)?,
        created_at: row.read_time(created_at)?,
        updated_at: row.read_time(updated_at)?,
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
