//! Domains whose people may make accounts themselves.

use cms_domain::{
    access::{Permit, to},
    rev::Rev,
    time::Timestamp,
    user::{Email, MailDomain, Role},
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, SelectExt, Set, sea_query::OnConflict};

use self::entity::{ActiveModel, Column, Entity};
use crate::{
    Error,
    column::{Stored, texts},
    executor::Executor,
};

mod entity {
    use cms_domain::{
        time::Timestamp,
        user::{MailDomain, Role},
    };
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "allowed_domains")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) domain: Stored<MailDomain>,
        pub(super) default_role: Stored<Role>,
        pub(super) enabled: bool,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) updated_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

texts!(MailDomain);

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

/// A domain whose people may make accounts themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedDomain {
    /// What is behind the `@` of their addresses. Domains below it are others.
    pub domain: MailDomain,
    /// The role of their accounts.
    pub default_role: Role,
    /// Whether they may at present.
    pub enabled: bool,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl AllowedDomain {
    /// The token that guards what is said of the domain.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }
}

/// Reads allowed domains.
#[derive(Clone, Copy)]
pub struct AllowedDomainReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Domains whose people may make accounts themselves.
    pub fn allowed_domains(self) -> AllowedDomainReader<'a> {
        AllowedDomainReader::new(self.executor())
    }
}

impl<'a> AllowedDomainReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Every domain, by name.
    pub async fn all(self) -> Result<Vec<AllowedDomain>, Error> {
        self.executor.list(Entity::find().order_by_asc(Column::Domain)).await
    }

    /// A domain by its name.
    pub async fn by_name(self, domain: &MailDomain) -> Result<Option<AllowedDomain>, Error> {
        self.find(domain.as_str()).await
    }

    /// The domain of an address.
    pub async fn of(self, email: &Email) -> Result<Option<AllowedDomain>, Error> {
        self.find(email.domain()).await
    }

    /// Whether people of any domain may make accounts themselves.
    pub async fn any_enabled(self) -> Result<bool, Error> {
        Ok(Entity::find().filter(Column::Enabled.eq(true)).exists(&self.executor).await?)
    }

    async fn find(self, domain: &str) -> Result<Option<AllowedDomain>, Error> {
        self.executor.find(Entity::find().filter(Column::Domain.eq(domain))).await
    }
}

/// Writes allowed domains. Whoever adds one makes users.
#[derive(Clone, Copy)]
pub struct AllowedDomainWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Domains whose people may make accounts themselves.
    pub fn allowed_domains(&self) -> AllowedDomainWriter<'_> {
        AllowedDomainWriter::new(self.executor())
    }
}

impl<'a> AllowedDomainWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a domain. Says whether it was not there yet.
    pub async fn insert(self, _: &Permit<to::ManageConnections>, domain: &AllowedDomain) -> Result<bool, Error> {
        let domain = ActiveModel {
            domain: Set(Stored(domain.domain.clone())),
            default_role: Set(Stored(domain.default_role)),
            enabled: Set(domain.enabled),
            created_at: Set(Stored(domain.created_at)),
            updated_at: Set(Stored(domain.updated_at)),
        };
        let unless_there = OnConflict::column(Column::Domain).do_nothing().to_owned();
        Ok(Entity::insert(domain).on_conflict(unless_there).exec_without_returning(&self.executor).await? > 0)
    }

    /// A domain, which nobody changes before the transaction ends.
    pub async fn lock(self, domain: &MailDomain) -> Result<Option<AllowedDomain>, Error> {
        self.executor.find(Entity::find_by_id(Stored(domain.clone())).lock_exclusive()).await
    }

    /// Changes a domain.
    pub async fn update(self, _: &Permit<to::ManageConnections>, domain: &AllowedDomain) -> Result<(), Error> {
        let changed = ActiveModel {
            default_role: Set(Stored(domain.default_role)),
            enabled: Set(domain.enabled),
            updated_at: Set(Stored(domain.updated_at)),
            ..ActiveModel::default()
        };
        let update = Entity::update_many().set(changed).filter(Column::Domain.eq(Stored(domain.domain.clone())));
        if update.exec(&self.executor).await?.rows_affected == 0 { Err(Error::Stale) } else { Ok(()) }
    }

    /// Removes a domain. Says whether it was there.
    pub async fn delete(self, _: &Permit<to::ManageConnections>, domain: &MailDomain) -> Result<bool, Error> {
        Ok(Entity::delete_by_id(Stored(domain.clone())).exec(&self.executor).await?.rows_affected > 0)
    }
}

impl From<entity::Model> for AllowedDomain {
    fn from(row: entity::Model) -> Self {
        Self {
            domain: row.domain.0,
            default_role: row.default_role.0,
            enabled: row.enabled,
            created_at: row.created_at.0,
            updated_at: row.updated_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn domain(name: &str) -> AllowedDomain {
        AllowedDomain {
            domain: name.parse().unwrap(),
            default_role: Role::Author,
            enabled: true,
            created_at: fixtures::at(1),
            updated_at: fixtures::at(1),
        }
    }

    both! {
        async fn a_domain_is_found_by_the_addresses_that_are_of_it_alone(store: Store) {
            let tx = store.write().await.unwrap();
            assert!(tx.allowed_domains().insert(&fixtures::permit(), &domain("example.com")).await.unwrap());
            let of = async |email: &str| tx.reader().allowed_domains().of(&email.parse().unwrap()).await.unwrap();
            assert_eq!(of("ada@example.com").await, Some(domain("example.com")));
            assert_eq!(of("ada@mail.example.com").await, None);
            assert_eq!(of("ada@notexample.com").await, None);
        }

        async fn a_domain_is_there_once(store: Store) {
            let (tx, permit) = (store.write().await.unwrap(), fixtures::permit());
            assert!(tx.allowed_domains().insert(&permit, &domain("example.com")).await.unwrap());
            let again = AllowedDomain { default_role: Role::Admin, ..domain("example.com") };
            assert!(!tx.allowed_domains().insert(&permit, &again).await.unwrap());
            assert_eq!(tx.reader().allowed_domains().all().await.unwrap(), [domain("example.com")]);
        }

        async fn a_domain_changes_until_it_is_removed(store: Store) {
            let (tx, permit) = (store.write().await.unwrap(), fixtures::permit());
            let name = "example.com".parse().unwrap();
            tx.allowed_domains().insert(&permit, &domain("example.com")).await.unwrap();
            let changed =
                AllowedDomain { enabled: false, default_role: Role::Editor, updated_at: fixtures::at(2), ..domain("example.com") };
            tx.allowed_domains().update(&permit, &changed).await.unwrap();
            assert!(!tx.reader().allowed_domains().any_enabled().await.unwrap());
            assert_eq!(tx.allowed_domains().lock(&name).await.unwrap().as_ref(), Some(&changed));
            assert!(tx.allowed_domains().delete(&permit, &name).await.unwrap());
            assert!(!tx.allowed_domains().delete(&permit, &name).await.unwrap());
            assert!(matches!(tx.allowed_domains().update(&permit, &changed).await, Err(Error::Stale)));
        }
    }
}
