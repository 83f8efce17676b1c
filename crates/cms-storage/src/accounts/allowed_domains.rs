//! Domains whose people may make accounts themselves.

use cms_domain::{
    access::Permit,
    time::Timestamp,
    user::{Email, MailDomain, Role},
};
use sea_orm::QueryResult;

use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, time_value},
};

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
}

/// Reads allowed domains.
#[derive(Clone, Copy)]
pub struct AllowedDomainReader<'a> {
    executor: Executor<'a>,
}

impl<'a> AllowedDomainReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Every domain, by name.
    pub async fn all(self) -> Result<Vec<AllowedDomain>, Error> {
        const ALL: &str = "SELECT domain, default_role, enabled, created_at FROM allowed_domains ORDER BY domain";
        self.executor.all(ALL).await?.iter().map(read).collect()
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
        Ok(self.executor.one("SELECT 1 FROM allowed_domains WHERE enabled LIMIT 1").await?.is_some())
    }

    async fn find(self, domain: &str) -> Result<Option<AllowedDomain>, Error> {
        const FIND: &str = "SELECT domain, default_role, enabled, created_at FROM allowed_domains WHERE domain = $1";
        self.executor.one((FIND, [domain.into()])).await?.as_ref().map(read).transpose()
    }
}

/// Writes allowed domains. Whoever adds one makes users.
#[derive(Clone, Copy)]
pub struct AllowedDomainWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> AllowedDomainWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a domain. Says whether it was not there yet.
    pub async fn insert(self, _: &Permit, domain: &AllowedDomain) -> Result<bool, Error> {
        const INSERT: &str = "INSERT INTO allowed_domains (domain, default_role, enabled, created_at) VALUES ($1, $2, $3, $4) \
            ON CONFLICT (domain) DO NOTHING";
        let values =
            [domain.domain.as_str().into(), level(domain.default_role).into(), domain.enabled.into(), time_value(domain.created_at)];
        Ok(self.executor.execute((INSERT, values)).await? > 0)
    }

    /// A domain, which nobody changes before the transaction ends.
    pub async fn lock(self, domain: &MailDomain) -> Result<Option<AllowedDomain>, Error> {
        // SQLite has one writer, which is this transaction.
        if self.executor.is_postgres() {
            self.executor.one(("SELECT domain FROM allowed_domains WHERE domain = $1 FOR UPDATE", [domain.as_str().into()])).await?;
        }
        AllowedDomainReader::new(self.executor).by_name(domain).await
    }

    /// Changes what is given of a domain. Answers with the domain as it is then.
    pub async fn update(
        self,
        _: &Permit,
        domain: &MailDomain,
        default_role: Option<Role>,
        enabled: Option<bool>,
    ) -> Result<Option<AllowedDomain>, Error> {
        const UPDATE: &str = "UPDATE allowed_domains SET default_role = coalesce($2, default_role), enabled = coalesce($3, enabled) \
            WHERE domain = $1 RETURNING domain, default_role, enabled, created_at";
        let values = [domain.as_str().into(), default_role.map(level).into(), enabled.into()];
        self.executor.one((UPDATE, values)).await?.as_ref().map(read).transpose()
    }

    /// Removes a domain. Says whether it was there.
    pub async fn delete(self, _: &Permit, domain: &MailDomain) -> Result<bool, Error> {
        Ok(self.executor.execute(("DELETE FROM allowed_domains WHERE domain = $1", [domain.as_str().into()])).await? > 0)
    }
}

fn level(role: Role) -> i16 {
    i16::from(role.level())
}

fn read(row: &QueryResult) -> Result<AllowedDomain, Error> {
    let name: String = row.read("domain")?;
    Ok(AllowedDomain {
        domain: row.parse("allowed_domains", "domain", &name)?,
        default_role: Role::from_level(row.read::<i16>("default_role")?.into())
            .ok_or_else(|| corrupt("allowed_domains", "default_role", &name))?,
        enabled: row.read("enabled")?,
        created_at: row.read_time("created_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn domain(name: &str) -> AllowedDomain {
        AllowedDomain { domain: name.parse().unwrap(), default_role: Role::Author, enabled: true, created_at: fixtures::at(1) }
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

        async fn what_is_not_given_stays_as_it_is(store: Store) {
            let (tx, permit) = (store.write().await.unwrap(), fixtures::permit());
            let name = "example.com".parse().unwrap();
            tx.allowed_domains().insert(&permit, &domain("example.com")).await.unwrap();
            let changed = tx.allowed_domains().update(&permit, &name, None, Some(false)).await.unwrap();
            assert_eq!(changed, Some(AllowedDomain { enabled: false, ..domain("example.com") }));
            assert!(!tx.reader().allowed_domains().any_enabled().await.unwrap());
            let changed = tx.allowed_domains().update(&permit, &name, Some(Role::Editor), None).await.unwrap();
            assert_eq!(changed, Some(AllowedDomain { enabled: false, default_role: Role::Editor, ..domain("example.com") }));
            assert!(tx.allowed_domains().delete(&permit, &name).await.unwrap());
            assert!(!tx.allowed_domains().delete(&permit, &name).await.unwrap());
            assert_eq!(tx.allowed_domains().update(&permit, &name, None, None).await.unwrap(), None);
        }
    }
}
