//! Challenges: what the server asked and waits to be answered, once and soon.

use cms_domain::{id::UserId, time::Timestamp};

use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

use self::entity::{ActiveModel, Column, Entity};
use super::SecretHash;
use crate::{Error, column::Stored, executor::Executor, expiry, row::time_value};

mod entity {
    use cms_domain::{id::UserId, time::Timestamp};
    use sea_orm::entity::prelude::*;

    use crate::{SecretHash, column::Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "challenges")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) hash: Stored<SecretHash>,
        pub(super) kind: String,
        pub(super) browser: Option<Stored<SecretHash>>,
        pub(super) user_id: Option<Stored<UserId>>,
        pub(super) data: String,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

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

impl crate::Tx {
    /// Challenges that wait for their answer.
    pub fn challenges(&self) -> ChallengeWriter<'_> {
        ChallengeWriter::new(self.executor())
    }
}

impl<'a> ChallengeWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Waits for an answer under a hash.
    pub async fn insert(self, hash: &SecretHash, challenge: &Challenge) -> Result<(), Error> {
        let challenge = ActiveModel {
            hash: Set(Stored(*hash)),
            kind: Set(challenge.kind.to_owned()),
            browser: Set(challenge.browser.map(Stored)),
            user_id: Set(challenge.user.map(Stored)),
            data: Set(challenge.data.clone()),
            expires_at: Set(Stored(challenge.expires_at)),
        };
        Entity::insert(challenge).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Takes a challenge that is still waited for. Of answers that arrive together one gets it.
    pub async fn take(self, hash: &SecretHash, kind: &'static str, now: Timestamp) -> Result<Option<Challenge>, Error> {
        let take = Entity::delete_many().filter(Column::Hash.eq(Stored(*hash))).filter(Column::Kind.eq(kind));
        let taken: Option<entity::Model> = self.executor.take(take).await?;
        let challenge = taken.map(|row| Challenge {
            kind,
            browser: row.browser.map(|hash| hash.0),
            user: row.user_id.map(|id| id.0),
            data: row.data,
            expires_at: row.expires_at.0,
        });
        Ok(challenge.filter(|challenge| challenge.expires_at > now))
    }

    /// Stops waiting for any answer of a user.
    pub async fn delete_for_user(self, user: UserId) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(Column::UserId.eq(Stored(user))).exec(&self.executor).await?.rows_affected)
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
