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
    statement::Text,
};

/// The columns of a user, of a table that the statement calls `u`.
macro_rules! columns {
    () => {
        "u.id, u.email, u.email_verified, u.name, u.avatar_url, u.role, u.disabled, u.welcomed, u.last_sign_in_at, u.created_at, u.updated_at"
    };
}
pub(crate) use columns;

/// Which users.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// Only this one.
    pub id: Option<UserId>,
    /// A part of the name or the address, in upper or lower case.
    pub search: Option<String>,
    /// With this role.
    pub role: Option<Role>,
    /// Behind this place in the list: when the user there was made, and who it is.
    pub after: Option<(Timestamp, UserId)>,
}

/// A user, and how they can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundUser {
    /// The user.
    pub user: User,
    /// How many passkeys they have.
    pub passkeys: i64,
    /// The providers that they have an account at, in the order of their names.
    pub providers: Vec<String>,
}

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

    /// Users that suit a filter, the newest first, with how they can sign in.
    pub async fn find(self, filter: &UserFilter, limit: usize) -> Result<Vec<FoundUser>, Error> {
        const FIND: &str = concat!(
            "SELECT ",
            columns!(),
            ", (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id) AS passkeys FROM users u WHERE 1 = 1"
        );
        let mut text = Text::new(FIND);
        if let Some(id) = filter.id {
            text.push(" AND u.id = ").bind(id_value(id));
        }
        if let Some(search) = &filter.search {
            self.search(&mut text, search);
        }
        if let Some(role) = filter.role {
            text.push(" AND u.role = ").bind(level(role));
        }
        if let Some((created_at, id)) = filter.after {
            text.push(" AND (u.created_at, u.id) < (").bind_all([time_value(created_at), id_value(id)]).push(")");
        }
        text.push(" ORDER BY u.created_at DESC, u.id DESC LIMIT ").bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = self.executor.all(text).await?;
        let found = rows.iter().map(|row| Ok(FoundUser { user: read(row)?, passkeys: row.read("passkeys")?, providers: Vec::new() }));
        let mut found = found.collect::<Result<Vec<_>, Error>>()?;
        self.add_providers(&mut found).await?;
        Ok(found)
    }

    /// Names are looked for as they are typed, in lower and in upper case and with a capital: SQLite folds ASCII letters only.
    fn search(self, text: &mut Text, search: &str) {
        let lower = search.to_lowercase();
        let mut letters = lower.chars();
        let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default();
        let mut spellings = vec![search.to_owned(), search.to_uppercase(), capital, lower];
        spellings.sort_unstable();
        spellings.dedup();
        let like = if self.executor.is_postgres() { " ILIKE " } else { " LIKE " };
        text.push(" AND (1 = 0");
        for spelling in &spellings {
            let pattern = format!("%{}%", spelling.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"));
            for column in [" OR u.email", " OR u.name"] {
                text.push(column).push(like).bind(pattern.as_str()).push(r" ESCAPE '\'");
            }
        }
        text.push(")");
    }

    async fn add_providers(self, found: &mut [FoundUser]) -> Result<(), Error> {
        if found.is_empty() {
            return Ok(());
        }
        let mut text = Text::new("SELECT DISTINCT user_id, provider FROM connections WHERE user_id IN (");
        text.bind_all(found.iter().map(|found| id_value(found.user.id))).push(") ORDER BY provider");
        for row in self.executor.all(text).await? {
            let id: UserId = row.read_id("user_id")?;
            if let Some(found) = found.iter_mut().find(|found| found.user.id == id) {
                found.providers.push(row.read("provider")?);
            }
        }
        Ok(())
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

    /// The user with an id, whom nobody else changes before the transaction ends.
    pub async fn lock(self, id: UserId) -> Result<Option<User>, Error> {
        const SELECT: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.id = $1");
        self.locked(SELECT, [id_value(id)]).await.map(|mut users| users.pop())
    }

    /// The admins who are not locked out. Nobody makes one of them anything else before the transaction ends: of two
    /// transactions that count admins, the second sees what the first made of them.
    pub async fn lock_admins(self) -> Result<Vec<UserId>, Error> {
        const SELECT: &str = concat!("SELECT ", columns!(), " FROM users u WHERE u.role = $1 AND NOT u.disabled ORDER BY u.id");
        Ok(self.locked(SELECT, [level(Role::Admin).into()]).await?.into_iter().map(|user| user.id).collect())
    }

    /// SQLite has one writer at a time; PostgreSQL locks the rows, but lets others refer to them.
    async fn locked<const N: usize>(self, select: &str, values: [sea_orm::Value; N]) -> Result<Vec<User>, Error> {
        let lock = if self.executor.is_postgres() { " FOR NO KEY UPDATE" } else { "" };
        self.executor.all((format!("{select}{lock}"), values.into())).await?.iter().map(read).collect()
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

        async fn users_are_found_by_part_of_a_name_or_address_in_any_case(store: Store) {
            let tx = store.write().await.unwrap();
            for (n, name, email) in [(1, "Ärzte Ada", "a_da@example.com"), (2, "Bob 100%", "bob@example.com")] {
                let user = User { name: Some(name.to_owned()), email: email.parse().unwrap(), ..fixtures::user(n) };
                tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            }
            let find = async |search: &str| {
                let filter = UserFilter { search: Some(search.to_owned()), ..UserFilter::default() };
                let found = tx.reader().users().find(&filter, 10).await.unwrap();
                found.into_iter().map(|found| found.user.name.unwrap()).collect::<Vec<_>>()
            };
            for search in ["ada", "ADA", "ärzte", "ÄRZTE", "a_da@", "A_DA@EXAMPLE"] {
                assert_eq!(find(search).await, ["Ärzte Ada"], "{search}");
            }
            assert_eq!(find("0%").await, ["Bob 100%"]);
            assert_eq!(find("b_b").await, [""; 0], "an underscore is no wildcard");
            assert_eq!(find(r"\").await, [""; 0]);
            assert_eq!(find("example.com").await.len(), 2);
        }

        async fn no_user_is_lost_between_pages_though_many_were_made_at_once(store: Store) {
            let tx = store.write().await.unwrap();
            for n in 1..=5 {
                let user = User { role: if n == 4 { Role::Editor } else { Role::Author }, ..fixtures::user(n) };
                tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            }
            let (mut filter, mut ids) = (UserFilter::default(), Vec::new());
            loop {
                let page = tx.reader().users().find(&filter, 2).await.unwrap();
                let Some(last) = page.last() else { break };
                filter.after = Some((last.user.created_at, last.user.id));
                ids.extend(page.iter().map(|found| found.user.id));
            }
            assert_eq!(ids, (1..=5).rev().map(|n| fixtures::user(n).id).collect::<Vec<_>>());
            let editors = UserFilter { role: Some(Role::Editor), ..UserFilter::default() };
            assert_eq!(tx.reader().users().find(&editors, 10).await.unwrap().len(), 1);
        }

        async fn a_user_is_found_with_how_they_can_sign_in(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            for (n, provider, account) in [(1, "google", "1"), (2, "github", "1"), (3, "github", "2")] {
                let insert = "INSERT INTO connections (id, provider, account, user_id, created_at) VALUES ($1, $2, $3, $4, 0)";
                let values = [id_value(UserId::from_parts(0, n)), provider.into(), account.into(), id_value(user.id)];
                tx.executor().execute((insert, values)).await.unwrap();
            }
            let found = tx.reader().users().find(&UserFilter::default(), 10).await.unwrap();
            assert_eq!(found, [FoundUser { user, passkeys: 0, providers: vec!["github".to_owned(), "google".to_owned()] }]);
        }

        async fn of_two_who_count_admins_the_second_sees_what_the_first_made_of_them(store: Store) {
            let tx = store.write().await.unwrap();
            let admins = [1, 2].map(|n| User { role: Role::Admin, ..fixtures::user(n) });
            for admin in &admins {
                tx.users().insert(&fixtures::permit(), admin).await.unwrap();
            }
            tx.commit().await.unwrap();
            let first = store.write().await.unwrap();
            assert_eq!(first.users().lock_admins().await.unwrap().len(), 2);
            let second = tokio::spawn({
                let store = store.clone();
                async move { store.write().await.unwrap().users().lock_admins().await.unwrap() }
            });
            let disabled = User { disabled: true, ..admins[1].clone() };
            first.users().update(&fixtures::permit(), &disabled).await.unwrap();
            first.commit().await.unwrap();
            assert_eq!(second.await.unwrap(), [admins[0].id]);
        }

        async fn changing_a_user_that_is_gone_is_stale(store: Store) {
            let tx = store.write().await.unwrap();
            let error = tx.users().update(&fixtures::permit(), &fixtures::user(1)).await.unwrap_err();
            assert!(matches!(error, Error::Stale));
        }
    }
}
