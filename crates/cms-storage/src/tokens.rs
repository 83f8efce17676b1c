//! Access tokens. Only hashes are stored; a revoked token is gone.

use cms_domain::{
    access::{Permit, Scopes},
    id::{TokenId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::QueryResult;

use crate::{
    Error,
    accounts::touch,
    executor::Executor,
    expiry,
    row::{Row, corrupt, id_value, optional_id_value, optional_time_value, time_value},
    users,
};

/// What is known of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredToken {
    /// Identifies the token.
    pub id: TokenId,
    /// Whose token it is.
    pub user: UserId,
    /// What it is for.
    pub name: String,
    /// How it begins.
    pub prefix: String,
    /// What it may be used for.
    pub scopes: Scopes,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
    /// When it was last used.
    pub last_used_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Reads tokens.
#[derive(Clone, Copy)]
pub struct TokenReader<'a> {
    executor: Executor<'a>,
}

impl<'a> TokenReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The token with a hash, and its user.
    pub async fn by_hash(self, hash: &[u8; 32]) -> Result<Option<(StoredToken, User)>, Error> {
        const BY_HASH: &str = concat!(
            "SELECT t.id AS t_id, t.user_id, t.name AS t_name, t.prefix, t.scopes, t.expires_at, t.last_used_at, t.created_at AS t_created, ",
            users::columns!(),
            " FROM tokens t JOIN users u ON u.id = t.user_id WHERE t.hash = $1"
        );
        let Some(row) = self.executor.one((BY_HASH, [hash.to_vec().into()])).await? else {
            return Ok(None);
        };
        Ok(Some((read(&row)?, users::read(&row)?)))
    }

    /// A user's tokens, the newest first.
    pub async fn for_user(self, user: UserId) -> Result<Vec<StoredToken>, Error> {
        const FOR_USER: &str = "SELECT id AS t_id, user_id, name AS t_name, prefix, scopes, expires_at, last_used_at, \
            created_at AS t_created FROM tokens WHERE user_id = $1 ORDER BY id DESC";
        self.executor.all((FOR_USER, [id_value(user)])).await?.iter().map(read).collect()
    }

    /// How many tokens of a user work at an instant; where tokens made before another one work no more, of those that were made after it.
    pub async fn count(self, user: UserId, now: Timestamp, made_after: Option<Timestamp>) -> Result<i64, Error> {
        const COUNT: &str = "SELECT count(*) AS n FROM tokens WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > $2) \
            AND created_at > $3";
        let row = self.executor.one((COUNT, [id_value(user), time_value(now), time_value(made_after.unwrap_or(Timestamp::MIN))])).await?;
        row.map_or(Ok(0), |row| row.read("n"))
    }
}

/// Writes tokens.
#[derive(Clone, Copy)]
pub struct TokenWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> TokenWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a token under its hash.
    pub async fn insert(self, _: &Permit, token: &StoredToken, hash: &[u8; 32]) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO tokens (id, user_id, name, prefix, hash, scopes, expires_at, last_used_at, created_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let values = [
            id_value(token.id),
            id_value(token.user),
            token.name.as_str().into(),
            token.prefix.as_str().into(),
            hash.to_vec().into(),
            serde_json::to_string(&token.scopes).map_err(Error::backend)?.into(),
            optional_time_value(token.expires_at),
            optional_time_value(token.last_used_at),
            time_value(token.created_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Revokes a token: `owner`'s, or anyone's when there is none. Says whether there was one.
    pub async fn delete(self, _: &Permit, id: TokenId, owner: Option<UserId>) -> Result<bool, Error> {
        const DELETE: &str = "DELETE FROM tokens WHERE id = $1 AND ($2 IS NULL OR user_id = $2)";
        Ok(self.executor.execute((DELETE, [id_value(id), optional_id_value(owner)])).await? > 0)
    }

    /// Revokes all tokens of a user. Counts them.
    pub async fn delete_all(self, _: &Permit, owner: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM tokens WHERE user_id = $1", [id_value(owner)])).await
    }

    /// Removes up to `limit` tokens that ended before an instant, and says how many.
    pub async fn prune(self, ended_before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "tokens", "expires_at < $1", vec![time_value(ended_before)], limit).await
    }

    /// Notes when tokens were last used; an earlier use than the noted one changes nothing.
    pub async fn touch(self, used: &[(TokenId, Timestamp)]) -> Result<(), Error> {
        touch(self.executor, "tokens", used).await
    }
}

fn read(row: &QueryResult) -> Result<StoredToken, Error> {
    let id = row.read_id("t_id")?;
    Ok(StoredToken {
        id,
        user: row.read_id("user_id")?,
        name: row.read("t_name")?,
        prefix: row.read("prefix")?,
        scopes: serde_json::from_str(&row.read::<String>("scopes")?).map_err(|_| corrupt("tokens", "scopes", id))?,
        expires_at: row.read_optional_time("expires_at")?,
        last_used_at: row.read_optional_time("last_used_at")?,
        created_at: row.read_time("t_created")?,
    })
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::*;
    use crate::{Store, Tx, both, fixtures};

    fn token(n: u128, user: UserId) -> StoredToken {
        StoredToken {
            id: TokenId::from_parts(1, n),
            user,
            name: format!("token {n}"),
            prefix: "cms_pat_abcd".to_owned(),
            scopes: [Scope::ContentRead, Scope::Admin].into(),
            expires_at: Some(fixtures::at(90)),
            last_used_at: None,
            created_at: fixtures::at(1),
        }
    }

    async fn with_user(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        tx
    }

    both! {
        async fn a_token_is_found_with_its_user_by_its_hash(store: Store) {
            let tx = with_user(&store).await;
            let (user, token) = (fixtures::user(1), token(1, fixtures::user(1).id));
            tx.tokens().insert(&fixtures::permit(), &token, &[7; 32]).await.unwrap();
            assert_eq!(tx.reader().tokens().by_hash(&[7; 32]).await.unwrap(), Some((token, user)));
            assert_eq!(tx.reader().tokens().by_hash(&[8; 32]).await.unwrap(), None);
        }

        async fn only_its_owner_or_the_operator_revokes_a_token(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for n in [1, 2] {
                let hash = [u8::try_from(n).unwrap(); 32];
                tx.tokens().insert(&fixtures::permit(), &token(n, user), &hash).await.unwrap();
            }
            let delete = async |n, owner| tx.tokens().delete(&fixtures::permit(), token(n, user).id, owner).await.unwrap();
            assert!(!delete(1, Some(fixtures::user(2).id)).await);
            assert!(delete(1, Some(user)).await);
            assert!(delete(2, None).await);
            assert!(!delete(2, None).await);
        }

        async fn only_tokens_that_work_are_counted_and_only_ended_ones_removed(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for (n, expires_at) in [(1, Some(fixtures::at(10))), (2, Some(fixtures::at(20))), (3, None)] {
                let token = StoredToken { expires_at, ..token(n, user) };
                tx.tokens().insert(&fixtures::permit(), &token, &[u8::try_from(n).unwrap(); 32]).await.unwrap();
            }
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), None).await.unwrap(), 2);
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), Some(fixtures::at(0))).await.unwrap(), 2);
            assert_eq!(tx.reader().tokens().count(user, fixtures::at(10), Some(fixtures::at(1))).await.unwrap(), 0);
            assert_eq!(tx.tokens().prune(fixtures::at(11), 100).await.unwrap(), 1);
            assert_eq!(tx.reader().tokens().for_user(user).await.unwrap().len(), 2);
        }

        async fn the_latest_use_of_a_token_is_kept(store: Store) {
            let tx = with_user(&store).await;
            let user = fixtures::user(1).id;
            for n in [1, 2] {
                let hash = [u8::try_from(n).unwrap(); 32];
                tx.tokens().insert(&fixtures::permit(), &token(n, user), &hash).await.unwrap();
            }
            let ids = [1, 2].map(|n| token(n, user).id);
            tx.tokens().touch(&[(ids[0], fixtures::at(5)), (ids[1], fixtures::at(6))]).await.unwrap();
            tx.tokens().touch(&[(ids[0], fixtures::at(4)), (ids[1], fixtures::at(9))]).await.unwrap();
            let found = tx.reader().tokens().for_user(user).await.unwrap();
            let used: Vec<_> = found.iter().map(|token| (token.id, token.last_used_at)).collect();
            assert_eq!(used, [(ids[1], Some(fixtures::at(9))), (ids[0], Some(fixtures::at(5)))]);
        }
    }
}
