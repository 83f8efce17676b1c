//! Authorization codes: what a user approved, until the application exchanges it for tokens.

use cms_domain::{
    access::{Permit, Scopes, to},
    id::{GrantId, UserId},
    time::Timestamp,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

use self::entity::{ActiveModel, Column, Entity};
use super::SecretHash;
use crate::{
    Error,
    column::{Json, Stored},
    executor::Executor,
    expiry,
    row::time_value,
};

mod entity {
    use cms_domain::{
        access::Scopes,
        id::{GrantId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{
        SecretHash,
        column::{Json, Stored},
    };

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "oauth_codes")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) hash: Stored<SecretHash>,
        pub(super) client_id: String,
        pub(super) user_id: Stored<UserId>,
        pub(super) redirect_uri: String,
        pub(super) scopes: Stored<Json<Scopes>>,
        pub(super) challenge: String,
        pub(super) resource: Option<String>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
        pub(super) grant_id: Option<Stored<GrantId>>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// What a user approved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCode {
    /// The application.
    pub client: String,
    /// The user.
    pub user: UserId,
    /// Where the code was sent.
    pub redirect_uri: String,
    /// What was approved.
    pub scopes: Scopes,
    /// Whoever exchanges the code knows the secret behind this.
    pub challenge: String,
    /// The resource that the application named.
    pub resource: Option<String>,
    /// When it was approved.
    pub created_at: Timestamp,
    /// Until when the code may be exchanged.
    pub expires_at: Timestamp,
}

/// Writes authorization codes. Reading one spends it.
#[derive(Clone, Copy)]
pub struct OAuthCodeWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Authorization codes.
    pub fn oauth_codes(&self) -> OAuthCodeWriter<'_> {
        OAuthCodeWriter::new(self.executor())
    }
}

impl<'a> OAuthCodeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a code under its hash.
    pub async fn insert(self, permit: &Permit<to::Account>, hash: &SecretHash, code: &StoredCode) -> Result<(), Error> {
        let code = ActiveModel {
            hash: Set(Stored(*hash)),
            client_id: Set(code.client.clone()),
            user_id: Set(Stored(permit.account())),
            redirect_uri: Set(code.redirect_uri.clone()),
            scopes: Set(Stored(Json::new(code.scopes.clone())?)),
            challenge: Set(code.challenge.clone()),
            resource: Set(code.resource.clone()),
            created_at: Set(Stored(code.created_at)),
            expires_at: Set(Stored(code.expires_at)),
            ..ActiveModel::default()
        };
        Entity::insert(code).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Spends a code for a grant that is about to be made. Of exchanges that arrive together one gets the code.
    pub async fn spend(self, hash: &SecretHash, grant: GrantId) -> Result<Option<StoredCode>, Error> {
        let spent = ActiveModel { grant_id: Set(Some(Stored(grant))), ..ActiveModel::default() };
        let unspent = Entity::update_many().filter(Column::Hash.eq(Stored(*hash))).filter(Column::GrantId.is_null());
        self.executor.change(unspent.set(spent)).await
    }

    /// The grant that a code was spent for.
    pub async fn spent_for(self, hash: &SecretHash) -> Result<Option<GrantId>, Error> {
        let code: Option<entity::Model> = self.executor.find(Entity::find_by_id(Stored(*hash))).await?;
        Ok(code.and_then(|code| code.grant_id).map(|grant| grant.0))
    }

    /// Removes what a user approved and no application has picked up yet. Counts it.
    pub(super) async fn delete_unspent(self, user: UserId) -> Result<u64, Error> {
        let unspent = Entity::delete_many().filter(Column::UserId.eq(Stored(user))).filter(Column::GrantId.is_null());
        Ok(unspent.exec(&self.executor).await?.rows_affected)
    }

    /// Removes up to `limit` codes that ended before `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "oauth_codes", "expires_at < $1", vec![time_value(before)], limit).await
    }
}

impl From<entity::Model> for StoredCode {
    fn from(row: entity::Model) -> Self {
        Self {
            client: row.client_id,
            user: row.user_id.0,
            redirect_uri: row.redirect_uri,
            scopes: row.scopes.0.value,
            challenge: row.challenge,
            resource: row.resource,
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::{super::oauth_clients::tests::client, *};
    use crate::{Store, both, fixtures};

    both! {
        async fn a_code_is_spent_once_and_remembers_for_what(store: Store) {
            let tx = store.write().await.unwrap();
            tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
            tx.oauth_clients().insert(&fixtures::permit(), &client("a")).await.unwrap();
            let code = StoredCode {
                client: "a".to_owned(),
                user: fixtures::user(1).id,
                redirect_uri: "https://app.example/callback".to_owned(),
                scopes: [Scope::ContentRead].into(),
                challenge: "x".repeat(43),
                resource: None,
                created_at: fixtures::at(1),
                expires_at: fixtures::at(5),
            };
            tx.oauth_codes().insert(&fixtures::account(code.user), &[1; 32], &code).await.unwrap();
            let grants = [1, 2].map(|n| GrantId::from_parts(1, n));
            assert_eq!(tx.oauth_codes().spent_for(&[1; 32]).await.unwrap(), None);
            assert_eq!(tx.oauth_codes().spend(&[1; 32], grants[0]).await.unwrap(), Some(code));
            assert_eq!(tx.oauth_codes().spend(&[1; 32], grants[1]).await.unwrap(), None);
            assert_eq!(tx.oauth_codes().spent_for(&[1; 32]).await.unwrap(), Some(grants[0]));
            assert_eq!(tx.oauth_codes().prune(fixtures::at(5), 100).await.unwrap(), 0);
            assert_eq!(tx.oauth_codes().prune(fixtures::at(6), 100).await.unwrap(), 1);
        }
    }
}
