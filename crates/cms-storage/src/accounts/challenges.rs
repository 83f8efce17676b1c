//! Challenges: what the server asked and waits to be answered, once and soon.

use cms_domain::{id::UserId, time::Timestamp};

use super::SecretHash;
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, id_value, optional_id_value, time_value},
};

/// What the server waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    /// What sort of answer it waits for. An answer of another sort does not find it.
    pub kind: &'static str,
    /// The browser that was asked, by the hash of its secret. No other may answer.
    pub browser: Option<SecretHash>,
    /// Whom it concerns.
    pub user: Option<UserId>,
    /// What has to be remembered until then.
    pub data: String,
    /// Until when.
    pub expires_at: Timestamp,
}

/// Writes challenges. Reading one takes it.
#[derive(Clone, Copy)]
pub struct ChallengeWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> ChallengeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Waits for an answer under a hash.
    pub async fn insert(self, hash: &SecretHash, challenge: &Challenge) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO challenges (hash, kind, browser, user_id, data, expires_at) VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            hash.to_vec().into(),
            challenge.kind.into(),
            challenge.browser.map(|hash| hash.to_vec()).into(),
            optional_id_value(challenge.user),
            challenge.data.as_str().into(),
            time_value(challenge.expires_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Takes a challenge that is still waited for. Of answers that arrive together one gets it.
    pub async fn take(self, hash: &SecretHash, kind: &'static str, now: Timestamp) -> Result<Option<Challenge>, Error> {
        const TAKE: &str = "DELETE FROM challenges WHERE hash = $1 AND kind = $2 RETURNING browser, user_id, data, expires_at";
        let Some(row) = self.executor.one((TAKE, [hash.to_vec().into(), kind.into()])).await? else {
            return Ok(None);
        };
        let browser = row.read::<Option<Vec<u8>>>("browser")?.and_then(|bytes| bytes.try_into().ok());
        let challenge = Challenge {
            kind,
            browser,
            user: row.read_optional_id("user_id")?,
            data: row.read("data")?,
            expires_at: row.read_time("expires_at")?,
        };
        Ok(Some(challenge).filter(|challenge| challenge.expires_at > now))
    }

    /// Stops waiting for any answer of a user.
    pub async fn delete_for_user(self, user: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM challenges WHERE user_id = $1", [id_value(user)])).await
    }

    /// Removes up to `limit` challenges that nobody waits for any more, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "challenges", "expires_at <= $1", vec![time_value(now)], limit).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn challenge() -> Challenge {
        Challenge { kind: "sign_in", browser: Some([2; 32]), user: None, data: "{}".to_owned(), expires_at: fixtures::at(5) }
    }

    both! {
        async fn a_challenge_is_taken_once_and_by_its_kind(store: Store) {
            let tx = store.write().await.unwrap();
            tx.challenges().insert(&[1; 32], &challenge()).await.unwrap();
            assert_eq!(tx.challenges().take(&[1; 32], "other", fixtures::at(1)).await.unwrap(), None);
            assert_eq!(tx.challenges().take(&[1; 32], "sign_in", fixtures::at(1)).await.unwrap(), Some(challenge()));
            assert_eq!(tx.challenges().take(&[1; 32], "sign_in", fixtures::at(1)).await.unwrap(), None);
        }

        async fn an_expired_challenge_is_none(store: Store) {
            let tx = store.write().await.unwrap();
            tx.challenges().insert(&[1; 32], &challenge()).await.unwrap();
            tx.challenges().insert(&[3; 32], &challenge()).await.unwrap();
            assert_eq!(tx.challenges().take(&[1; 32], "sign_in", fixtures::at(5)).await.unwrap(), None);
            assert_eq!(tx.challenges().prune(fixtures::at(5), 100).await.unwrap(), 1);
        }
    }
}
