//! Authorization codes: what a user approved, until the application exchanges it for tokens.

use cms_domain::{
    access::Scopes,
    id::{GrantId, UserId},
    time::Timestamp,
};
use sea_orm::QueryResult;

use super::SecretHash;
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, corrupt, id_value, time_value},
};

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

impl<'a> OAuthCodeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a code under its hash.
    pub async fn insert(self, hash: &SecretHash, code: &StoredCode) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO oauth_codes (hash, client_id, user_id, redirect_uri, scopes, challenge, resource, created_at, \
            expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let values = [
            hash.to_vec().into(),
            code.client.as_str().into(),
            id_value(code.user),
            code.redirect_uri.as_str().into(),
            serde_json::to_string(&code.scopes).map_err(Error::backend)?.into(),
            code.challenge.as_str().into(),
            code.resource.clone().into(),
            time_value(code.created_at),
            time_value(code.expires_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Spends a code for a grant that is about to be made. Of exchanges that arrive together one gets the code.
    pub async fn spend(self, hash: &SecretHash, grant: GrantId) -> Result<Option<StoredCode>, Error> {
        const SPEND: &str = "UPDATE oauth_codes SET grant_id = $2 WHERE hash = $1 AND grant_id IS NULL \
            RETURNING client_id, user_id, redirect_uri, scopes, challenge, resource, created_at, expires_at";
        self.executor.one((SPEND, [hash.to_vec().into(), id_value(grant)])).await?.as_ref().map(read).transpose()
    }

    /// The grant that a code was spent for.
    pub async fn spent_for(self, hash: &SecretHash) -> Result<Option<GrantId>, Error> {
        const SPENT: &str = "SELECT grant_id FROM oauth_codes WHERE hash = $1";
        let row = self.executor.one((SPENT, [hash.to_vec().into()])).await?;
        Ok(row.map(|row| row.read_optional_id("grant_id")).transpose()?.flatten())
    }

    /// Removes up to `limit` codes that ended before `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "oauth_codes", "expires_at < $1", vec![time_value(before)], limit).await
    }
}

fn read(row: &QueryResult) -> Result<StoredCode, Error> {
    let client: String = row.read("client_id")?;
    Ok(StoredCode {
        user: row.read_id("user_id")?,
        redirect_uri: row.read("redirect_uri")?,
        scopes: serde_json::from_str(&row.read::<String>("scopes")?).map_err(|_| corrupt("oauth_codes", "scopes", &client))?,
        challenge: row.read("challenge")?,
        resource: row.read("resource")?,
        created_at: row.read_time("created_at")?,
        expires_at: row.read_time("expires_at")?,
        client,
    })
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
            tx.oauth_clients().insert(&client("a")).await.unwrap();
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
            tx.oauth_codes().insert(&[1; 32], &code).await.unwrap();
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
