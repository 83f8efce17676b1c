//! What users granted to applications, and the tokens that go with it. Only hashes of tokens are stored.

use cms_domain::{
    access::Scopes,
    id::{GrantId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{QueryResult, Value};

use super::{SecretHash, oauth_clients::optional_scopes, touch};
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, corrupt, id_value, optional_time_value, time_value},
    users,
};

/// What a user granted to an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredGrant {
    /// Identifies the grant.
    pub id: GrantId,
    /// The application.
    pub client: String,
    /// The user.
    pub user: UserId,
    /// What the application may do.
    pub scopes: Scopes,
    /// The resource that it was granted for, if the application named one.
    pub resource: Option<String>,
    /// When it was granted.
    pub created_at: Timestamp,
    /// When the application last used it.
    pub last_used_at: Option<Timestamp>,
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Requests.
    Access,
    /// New tokens, once.
    Refresh,
}

impl TokenKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Access => "access",
            Self::Refresh => "refresh",
        }
    }
}

/// A token of an application, with everything that decides what it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantToken {
    /// The grant it belongs to.
    pub grant: StoredGrant,
    /// The user who granted it, as they are now.
    pub user: User,
    /// What the application may ask for at most, as it is now.
    pub client_scopes: Option<Scopes>,
    /// When the token ends.
    pub expires_at: Timestamp,
    /// When a refresh token was used.
    pub spent_at: Option<Timestamp>,
}

/// Reads grants.
#[derive(Clone, Copy)]
pub struct OAuthGrantReader<'a> {
    executor: Executor<'a>,
}

impl<'a> OAuthGrantReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The token of a kind with a hash.
    pub async fn token(self, hash: &SecretHash, kind: TokenKind) -> Result<Option<GrantToken>, Error> {
        const TOKEN: &str = concat!(
            "SELECT t.expires_at, t.spent_at, c.scopes AS c_scopes, g.id AS g_id, g.client_id, g.user_id AS g_user, g.scopes AS g_scopes, \
             g.resource, g.created_at AS g_created, g.last_used_at AS g_used, ",
            users::columns!(),
            " FROM oauth_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN oauth_clients c ON c.id = g.client_id \
             JOIN users u ON u.id = g.user_id WHERE t.hash = $1 AND t.kind = $2"
        );
        let Some(row) = self.executor.one((TOKEN, [hash.to_vec().into(), kind.name().into()])).await? else {
            return Ok(None);
        };
        let grant = read(&row)?;
        Ok(Some(GrantToken {
            client_scopes: optional_scopes(&row, "c_scopes").map_err(|_| corrupt("oauth_clients", "scopes", &grant.client))?,
            user: users::read(&row)?,
            expires_at: row.read_time("expires_at")?,
            spent_at: row.read_optional_time("spent_at")?,
            grant,
        }))
    }

    /// What a user granted, the latest first, each with the name of the application, so many at most.
    pub async fn for_user(self, user: UserId, limit: usize) -> Result<Vec<(StoredGrant, String)>, Error> {
        const FOR_USER: &str = "SELECT g.id AS g_id, g.client_id, g.user_id AS g_user, g.scopes AS g_scopes, g.resource, \
            g.created_at AS g_created, g.last_used_at AS g_used, c.name AS c_name \
            FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.user_id = $1 ORDER BY g.id DESC LIMIT $2";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.executor.all((FOR_USER, [id_value(user), limit.into()])).await?;
        rows.iter().map(|row| Ok((read(row)?, row.read("c_name")?))).collect()
    }
}

/// Writes grants.
#[derive(Clone, Copy)]
pub struct OAuthGrantWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> OAuthGrantWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a grant.
    pub async fn insert(self, grant: &StoredGrant) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO oauth_grants (id, client_id, user_id, scopes, resource, created_at, last_used_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let values = [
            id_value(grant.id),
            grant.client.as_str().into(),
            id_value(grant.user),
            scopes_value(&grant.scopes)?,
            grant.resource.clone().into(),
            time_value(grant.created_at),
            optional_time_value(grant.last_used_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Adds a token to a grant under its hash.
    pub async fn insert_token(
        self,
        grant: GrantId,
        kind: TokenKind,
        hash: &SecretHash,
        created_at: Timestamp,
        expires_at: Timestamp,
    ) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO oauth_tokens (hash, grant_id, kind, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)";
        let values = [hash.to_vec().into(), id_value(grant), kind.name().into(), time_value(created_at), time_value(expires_at)];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Spends a refresh token. Of uses that arrive together one spends it; the others are told that they did not.
    pub async fn spend(self, hash: &SecretHash, now: Timestamp) -> Result<bool, Error> {
        const SPEND: &str = "UPDATE oauth_tokens SET spent_at = $2 WHERE hash = $1 AND kind = 'refresh' AND spent_at IS NULL";
        Ok(self.executor.execute((SPEND, [hash.to_vec().into(), time_value(now)])).await? > 0)
    }

    /// Removes one token.
    pub async fn delete_token(self, hash: &SecretHash) -> Result<bool, Error> {
        Ok(self.executor.execute(("DELETE FROM oauth_tokens WHERE hash = $1", [hash.to_vec().into()])).await? > 0)
    }

    /// Ends a grant and its tokens. Says whose it was, if there was one.
    pub async fn delete(self, id: GrantId) -> Result<Option<UserId>, Error> {
        const DELETE: &str = "DELETE FROM oauth_grants WHERE id = $1 RETURNING user_id";
        self.executor.one((DELETE, [id_value(id)])).await?.map(|row| row.read_id("user_id")).transpose()
    }

    /// Ends a grant of a user, and answers with the application that had it.
    pub async fn delete_own(self, id: GrantId, user: UserId) -> Result<Option<String>, Error> {
        const DELETE: &str = "DELETE FROM oauth_grants WHERE id = $1 AND user_id = $2 RETURNING client_id";
        self.executor.one((DELETE, [id_value(id), id_value(user)])).await?.map(|row| row.read("client_id")).transpose()
    }

    /// Leaves a user's grant with some of the scopes that it had, unless it has others by now. Says whether it does.
    pub async fn narrow(self, grant: &StoredGrant, left: &Scopes) -> Result<bool, Error> {
        const NARROW: &str = "UPDATE oauth_grants SET scopes = $4 WHERE id = $1 AND user_id = $2 AND scopes = $3";
        let values = [id_value(grant.id), id_value(grant.user), scopes_value(&grant.scopes)?, scopes_value(left)?];
        Ok(self.executor.execute((NARROW, values)).await? > 0)
    }

    /// Ends everything that a user granted. Counts the grants.
    pub async fn delete_for_user(self, user: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM oauth_grants WHERE user_id = $1", [id_value(user)])).await
    }

    /// Ends what a user approved and no application has picked up yet. Counts it. Codes that were picked up stay: a second use of
    /// one still ends what it gave.
    pub async fn delete_approved(self, user: UserId) -> Result<u64, Error> {
        const CODES: &str = "DELETE FROM oauth_codes WHERE user_id = $1 AND grant_id IS NULL";
        const DEVICES: &str = "DELETE FROM device_codes WHERE user_id = $1 AND status = 'approved'";
        let codes = self.executor.execute((CODES, [id_value(user)])).await?;
        Ok(codes + self.executor.execute((DEVICES, [id_value(user)])).await?)
    }

    /// Notes when grants were last used; an earlier use than the noted one changes nothing.
    pub async fn touch(self, used: &[(GrantId, Timestamp)]) -> Result<(), Error> {
        touch(self.executor, "oauth_grants", used).await
    }

    /// Removes up to `limit` tokens that have ended, and says how many. Spent refresh tokens stay until they would have ended: a
    /// second use of one must be noticed.
    pub async fn prune_tokens(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "oauth_tokens", "expires_at <= $1", vec![time_value(now)], limit).await
    }

    /// Removes up to `limit` grants without tokens, and says how many.
    pub async fn prune(self, limit: usize) -> Result<u64, Error> {
        const EMPTY: &str = "NOT EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = oauth_grants.id AND t.spent_at IS NULL)";
        expiry::remove(self.executor, "oauth_grants", EMPTY, Vec::new(), limit).await
    }
}

/// Scopes as they are stored. They are in one order always.
fn scopes_value(scopes: &Scopes) -> Result<Value, Error> {
    Ok(serde_json::to_string(scopes).map_err(Error::backend)?.into())
}

fn read(row: &QueryResult) -> Result<StoredGrant, Error> {
    let id = row.read_id("g_id")?;
    Ok(StoredGrant {
        id,
        client: row.read("client_id")?,
        user: row.read_id("g_user")?,
        scopes: serde_json::from_str(&row.read::<String>("g_scopes")?).map_err(|_| corrupt("oauth_grants", "scopes", id))?,
        resource: row.read("resource")?,
        created_at: row.read_time("g_created")?,
        last_used_at: row.read_optional_time("g_used")?,
    })
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::{super::oauth_clients::tests::client, *};
    use crate::{Store, Tx, both, fixtures};

    fn grant(n: u128) -> StoredGrant {
        StoredGrant {
            id: GrantId::from_parts(1, n),
            client: "a".to_owned(),
            user: fixtures::user(1).id,
            scopes: [Scope::ContentRead, Scope::MediaRead].into(),
            resource: Some("https://cms.example/_cms/api/mcp".to_owned()),
            created_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    async fn with_grants(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx.oauth_clients().insert(&client("a")).await.unwrap();
        for n in [1, 2] {
            tx.oauth_grants().insert(&grant(n)).await.unwrap();
        }
        for (hash, kind, until) in [(1, TokenKind::Access, 10), (2, TokenKind::Refresh, 90)] {
            let (created_at, expires_at) = (fixtures::at(1), fixtures::at(until));
            tx.oauth_grants().insert_token(grant(1).id, kind, &[hash; 32], created_at, expires_at).await.unwrap();
        }
        tx
    }

    both! {
        async fn a_token_is_found_by_its_hash_and_kind_with_its_grant_and_user(store: Store) {
            let tx = with_grants(&store).await;
            let found = tx.reader().oauth_grants().token(&[1; 32], TokenKind::Access).await.unwrap().unwrap();
            assert_eq!((found.grant, found.user), (grant(1), fixtures::user(1)));
            assert_eq!((found.client_scopes, found.spent_at), (Some([Scope::ContentRead].into()), None));
            assert_eq!(tx.reader().oauth_grants().token(&[1; 32], TokenKind::Refresh).await.unwrap(), None);
        }

        async fn a_refresh_token_is_spent_once_and_an_access_token_never(store: Store) {
            let tx = with_grants(&store).await;
            assert!(!tx.oauth_grants().spend(&[1; 32], fixtures::at(2)).await.unwrap());
            assert!(tx.oauth_grants().spend(&[2; 32], fixtures::at(2)).await.unwrap());
            assert!(!tx.oauth_grants().spend(&[2; 32], fixtures::at(3)).await.unwrap());
            let spent = tx.reader().oauth_grants().token(&[2; 32], TokenKind::Refresh).await.unwrap().unwrap();
            assert_eq!(spent.spent_at, Some(fixtures::at(2)));
        }

        async fn the_tokens_of_a_grant_end_with_it(store: Store) {
            let tx = with_grants(&store).await;
            assert_eq!(tx.oauth_grants().delete_own(grant(1).id, fixtures::user(2).id).await.unwrap(), None);
            assert_eq!(tx.oauth_grants().delete_own(grant(1).id, grant(1).user).await.unwrap().as_deref(), Some("a"));
            assert_eq!(tx.oauth_grants().delete(grant(1).id).await.unwrap(), None);
            assert_eq!(tx.reader().oauth_grants().token(&[2; 32], TokenKind::Refresh).await.unwrap(), None);
            assert_eq!(tx.oauth_grants().delete(grant(2).id).await.unwrap(), Some(grant(2).user));
        }

        async fn a_grant_is_narrowed_by_its_user_and_from_what_it_has(store: Store) {
            let tx = with_grants(&store).await;
            let left = Scopes::from([Scope::ContentRead]);
            let wide = StoredGrant { scopes: [Scope::ContentRead, Scope::ContentWrite].into(), id: GrantId::from_parts(1, 77), ..grant(1) };
            tx.oauth_grants().insert(&wide).await.unwrap();
            let held = async || {
                let all = tx.reader().oauth_grants().for_user(wide.user, 9).await.unwrap();
                all.into_iter().find(|(grant, _)| grant.id == wide.id).unwrap().0.scopes
            };
            let others = StoredGrant { user: fixtures::user(2).id, ..wide.clone() };
            assert!(!tx.oauth_grants().narrow(&others, &left).await.unwrap());
            assert_eq!(held().await, wide.scopes);
            assert!(tx.oauth_grants().narrow(&wide, &left).await.unwrap());
            assert_eq!(held().await, left);
            // Somebody who still believes that it has both changes nothing.
            assert!(!tx.oauth_grants().narrow(&wide, &[Scope::ContentWrite].into()).await.unwrap());
            assert_eq!(held().await, left);
        }

        async fn the_grants_of_a_client_end_with_it_and_those_of_a_user_at_once(store: Store) {
            let tx = with_grants(&store).await;
            assert_eq!(tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap().len(), 2);
            assert!(tx.oauth_clients().delete("a").await.unwrap());
            assert!(tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap().is_empty());
            tx.oauth_clients().insert(&client("a")).await.unwrap();
            tx.oauth_grants().insert(&grant(3)).await.unwrap();
            assert_eq!(tx.oauth_grants().delete_for_user(grant(3).user).await.unwrap(), 1);
        }

        async fn grants_without_a_token_that_is_good_for_anything_are_pruned(store: Store) {
            let tx = with_grants(&store).await;
            tx.oauth_grants().prune_tokens(fixtures::at(10), 100).await.unwrap();
            assert_eq!(tx.oauth_grants().prune(100).await.unwrap(), 1);
            let left = tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap();
            assert_eq!(left, [(grant(1), "Client a".to_owned())]);
            tx.oauth_grants().spend(&[2; 32], fixtures::at(11)).await.unwrap();
            tx.oauth_grants().prune_tokens(fixtures::at(12), 100).await.unwrap();
            assert_eq!(tx.oauth_grants().prune(100).await.unwrap(), 1);
        }

        async fn the_latest_use_of_a_grant_is_kept(store: Store) {
            let tx = with_grants(&store).await;
            tx.oauth_grants().touch(&[(grant(1).id, fixtures::at(8))]).await.unwrap();
            tx.oauth_grants().touch(&[(grant(1).id, fixtures::at(4)), (grant(2).id, fixtures::at(5))]).await.unwrap();
            let grants = tx.reader().oauth_grants().for_user(grant(1).user, 9).await.unwrap();
            let used: Vec<_> = grants.into_iter().map(|(grant, _)| grant.last_used_at).collect();
            assert_eq!(used, [Some(fixtures::at(5)), Some(fixtures::at(8))]);
        }
    }
}
