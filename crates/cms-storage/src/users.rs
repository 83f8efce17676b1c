//! Users.

use cms_domain::{
    access::{Permit, to},
    id::UserId,
    time::Timestamp,
    user::{Email, Role, User},
};
use sea_orm::{
    ActiveValue, ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait,
    Select, Set,
    sea_query::{Expr, ExprTrait, LikeExpr, LockType, Query},
};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error,
    accounts::{connections, passkeys},
    column::{Stored, unreadable},
    executor::Executor,
    row::at_most,
};

pub(crate) mod entity {
    use cms_domain::{
        id::UserId,
        time::Timestamp,
        user::{Email, Role},
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "users")]
    pub(crate) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(crate) id: Stored<UserId>,
        pub(crate) email: Stored<Email>,
        pub(crate) name: Option<String>,
        pub(crate) role: Stored<Role>,
        pub(crate) disabled: bool,
        pub(crate) created_at: Stored<Timestamp>,
        pub(crate) updated_at: Stored<Timestamp>,
        pub(crate) email_verified: bool,
        pub(crate) avatar_url: Option<String>,
        pub(crate) welcomed: bool,
        pub(crate) last_sign_in_at: Option<Stored<Timestamp>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(crate) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>().unique("users_email", &[Column::Email], crate::Constraint::UserEmail)
}

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

/// A user, and how many passkeys they have.
#[derive(FromQueryResult)]
struct Counted {
    #[sea_orm(nested)]
    user: entity::Model,
    passkeys: i64,
}

/// Reads users.
#[derive(Clone, Copy)]
pub struct UserReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Users.
    pub fn users(self) -> UserReader<'a> {
        UserReader::new(self.executor())
    }
}

impl<'a> UserReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The user with an id.
    pub async fn by_id(self, id: UserId) -> Result<Option<User>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id))).await
    }

    /// The users with these ids, in no order.
    pub async fn by_ids(self, ids: impl IntoIterator<Item = UserId>) -> Result<Vec<User>, Error> {
        self.executor.list(Entity::find().filter(Column::Id.is_in(ids.into_iter().map(Stored)))).await
    }

    /// The user with an address.
    pub async fn by_email(self, email: &Email) -> Result<Option<User>, Error> {
        self.executor.find(Entity::find().filter(Column::Email.eq(email.as_str()))).await
    }

    /// Users in the order in which they were made, from behind `after`.
    pub async fn list(self, after: Option<UserId>, limit: usize) -> Result<Vec<User>, Error> {
        let users = Entity::find().apply_if(after, |users, after| users.filter(Column::Id.gt(Stored(after))));
        self.executor.list(users.order_by_asc(Column::Id).limit(at_most(limit))).await
    }

    /// Users that suit a filter, the newest first, with how they can sign in.
    pub async fn find(self, filter: &UserFilter, limit: usize) -> Result<Vec<FoundUser>, Error> {
        let passkeys = Query::select()
            .expr(Expr::col(passkeys::entity::Column::Id).count())
            .from(passkeys::entity::Entity)
            .and_where(passkeys::entity::Column::UserId.into_expr().equals((Entity, Column::Id)))
            .take();
        let users = Entity::find()
            .column_as(Expr::from(passkeys), "passkeys")
            .apply_if(filter.id, |users, id| users.filter(Column::Id.eq(Stored(id))))
            .apply_if(filter.search.as_deref(), |users, search| users.filter(self.looks_like(search)))
            .apply_if(filter.role, |users, role| users.filter(Column::Role.eq(Stored(role))))
            .apply_if(filter.after, |users, (created_at, id)| {
                let place = Expr::tuple([Expr::val(Stored(created_at)), Expr::val(Stored(id))]);
                users.filter(Expr::tuple([Column::CreatedAt.into_expr(), Column::Id.into_expr()]).lt(place))
            })
            .order_by_desc(Column::CreatedAt)
            .order_by_desc(Column::Id)
            .limit(at_most(limit));
        let found = users.into_model::<Counted>().all(&self.executor).await.map_err(unreadable::<Entity>)?;
        let found = found.into_iter().map(|found| FoundUser { user: found.user.into(), passkeys: found.passkeys, providers: Vec::new() });
        let mut found: Vec<_> = found.collect();
        self.add_providers(&mut found).await?;
        Ok(found)
    }

    /// Names are looked for as they are typed, in lower and in upper case and with a capital: SQLite folds ASCII letters only.
    fn looks_like(self, search: &str) -> Condition {
        let lower = search.to_lowercase();
        let mut letters = lower.chars();
        let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default();
        let mut spellings = vec![search.to_owned(), search.to_uppercase(), capital, lower];
        spellings.sort_unstable();
        spellings.dedup();
        let mut any = Condition::any();
        for spelling in &spellings {
            let pattern = format!("%{}%", spelling.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_"));
            for column in [Column::Email, Column::Name] {
                // PostgreSQL escapes with a backslash without being told.
                any = any.add(if self.executor.is_postgres() {
                    column.ilike(pattern.as_str())
                } else {
                    column.like(LikeExpr::new(pattern.as_str()).escape('\\'))
                });
            }
        }
        any
    }

    async fn add_providers(self, found: &mut [FoundUser]) -> Result<(), Error> {
        use connections::entity::{Column, Entity};

        if found.is_empty() {
            return Ok(());
        }
        let providers = Entity::find()
            .select_only()
            .columns([Column::UserId, Column::Provider])
            .distinct()
            .filter(Column::UserId.is_in(found.iter().map(|found| Stored(found.user.id))))
            .order_by_asc(Column::Provider);
        let providers: Vec<(Stored<UserId>, String)> = providers.into_tuple().all(&self.executor).await?;
        for (Stored(id), provider) in providers {
            if let Some(found) = found.iter_mut().find(|found| found.user.id == id) {
                found.providers.push(provider);
            }
        }
        Ok(())
    }

    /// How many admins are not locked out.
    pub async fn count_admins(self) -> Result<i64, Error> {
        self.executor.count(admins()).await
    }
}

/// The admins who are not locked out.
fn admins() -> Select<Entity> {
    Entity::find().filter(Column::Role.eq(Stored(Role::Admin))).filter(Column::Disabled.eq(false))
}

/// Writes users.
#[derive(Clone, Copy)]
pub struct UserWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Users.
    pub fn users(&self) -> UserWriter<'_> {
        UserWriter::new(self.executor())
    }
}

impl<'a> UserWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a user.
    pub async fn insert(self, _: &Permit<to::ManageUsers>, user: &User) -> Result<(), Error> {
        let user = ActiveModel { id: Set(Stored(user.id)), created_at: Set(Stored(user.created_at)), ..changes(user) };
        Entity::insert(user).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Changes a user.
    pub async fn update(self, _: &Permit<to::ManageUsers>, user: &User) -> Result<(), Error> {
        let update = Entity::update_many().set(changes(user)).filter(Column::Id.eq(Stored(user.id)));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Changes an account, but not what it may: its role, and whether it is locked out.
    pub async fn update_account(self, permit: &Permit<to::Account>, user: &User) -> Result<(), Error> {
        let changes = ActiveModel { role: ActiveValue::NotSet, disabled: ActiveValue::NotSet, ..changes(user) };
        let update = Entity::update_many().set(changes).filter(Column::Id.eq(Stored(permit.account())));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// The user with an id, whom nobody else changes before the transaction ends.
    pub async fn lock(self, id: UserId) -> Result<Option<User>, Error> {
        self.executor.find(Entity::find_by_id(Stored(id)).lock(HELD)).await
    }

    /// The admins who are not locked out. Nobody makes one of them anything else before the transaction ends: of two
    /// transactions that count admins, the second sees what the first made of them.
    pub async fn lock_admins(self) -> Result<Vec<UserId>, Error> {
        let admins: Vec<User> = self.executor.list(admins().order_by_asc(Column::Id).lock(HELD)).await?;
        Ok(admins.into_iter().map(|user| user.id).collect())
    }

    /// Notes that a user signed in.
    pub async fn signed_in(self, user: UserId, at: Timestamp) -> Result<(), Error> {
        let signed_in = ActiveModel { last_sign_in_at: Set(Some(Stored(at))), ..ActiveModel::default() };
        Entity::update_many().set(signed_in).filter(Column::Id.eq(Stored(user))).exec(&self.executor).await?;
        Ok(())
    }
}

/// PostgreSQL locks the rows, but lets others refer to them; SQLite has one writer at a time.
const HELD: LockType = LockType::NoKeyUpdate;

/// What changes of a user.
fn changes(user: &User) -> ActiveModel {
    ActiveModel {
        email: Set(Stored(user.email.clone())),
        email_verified: Set(user.email_verified),
        name: Set(user.name.clone()),
        avatar_url: Set(user.avatar_url.clone()),
        role: Set(Stored(user.role)),
        disabled: Set(user.disabled),
        welcomed: Set(user.welcomed),
        updated_at: Set(Stored(user.updated_at)),
        ..ActiveModel::default()
    }
}

impl From<entity::Model> for User {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            email: row.email.0,
            email_verified: row.email_verified,
            name: row.name,
            avatar_url: row.avatar_url,
            role: row.role.0,
            disabled: row.disabled,
            welcomed: row.welcomed,
            last_sign_in_at: row.last_sign_in_at.map(|at| at.0),
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

/// The user in a row that has [`columns!`].
pub(crate) fn read(row: &QueryResult) -> Result<User, Error> {
    Ok(entity::Model::from_query_result(row, "").map_err(unreadable::<Entity>)?.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Constraint, Store, both, fixtures, row::id_value};

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
