//! Sessions. Only hashes of their secrets are stored; a session that ended is gone.

use cms_domain::{
    id::{SessionId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::QueryResult;

use super::{SecretHash, touch};
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, id_value, optional_id_value, optional_time_value, time_value},
    users,
};

/// What is known of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSession {
    /// Identifies the session.
    pub id: SessionId,
    /// Whose session it is.
    pub user: UserId,
    /// How its user signed in.
    pub method: String,
    /// The address it was opened from.
    pub address: Option<String>,
    /// What the browser called itself.
    pub agent: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When its user last proved who they are.
    pub authenticated_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Timestamp,
    /// When it ends, used or not.
    pub expires_at: Timestamp,
}

/// The columns of a session, of a table that the statement calls `s`.
macro_rules! columns {
    () => {
        "s.id AS s_id, s.user_id AS s_user, s.method, s.address, s.agent, s.created_at AS s_created, s.authenticated_at, s.last_used_at, \
         s.expires_at"
    };
}

/// Reads sessions.
#[derive(Clone, Copy)]
pub struct SessionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> SessionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The session with a hash, and its user.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<(StoredSession, User)>, Error> {
        const BY_HASH: &str =
            concat!("SELECT ", columns!(), ", ", users::columns!(), " FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.hash = $1");
        let Some(row) = self.executor.one((BY_HASH, [hash.to_vec().into()])).await? else {
            return Ok(None);
        };
        Ok(Some((read(&row)?, users::read(&row)?)))
    }

    /// A user's sessions that have not ended, the newest first, so many at most.
    pub async fn for_user(self, user: UserId, now: Timestamp, used_since: Timestamp, limit: usize) -> Result<Vec<StoredSession>, Error> {
        const FOR_USER: &str = concat!(
            "SELECT ",
            columns!(),
            " FROM sessions s WHERE s.user_id = $1 AND s.expires_at > $2 AND s.last_used_at > $3 ORDER BY s.id DESC LIMIT $4"
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let values = [id_value(user), time_value(now), time_value(used_since), limit.into()];
        self.executor.all((FOR_USER, values)).await?.iter().map(read).collect()
    }

    /// When the user of a session last proved who they are; none when they have no such session.
    pub async fn authenticated_at(self, user: UserId, id: SessionId) -> Result<Option<Timestamp>, Error> {
        const AT: &str = "SELECT authenticated_at FROM sessions WHERE id = $1 AND user_id = $2";
        self.executor.one((AT, [id_value(id), id_value(user)])).await?.map(|row| row.read_time("authenticated_at")).transpose()
    }
}

/// Writes sessions.
#[derive(Clone, Copy)]
pub struct SessionWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> SessionWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Opens a session under the hash of its secret.
    pub async fn insert(self, session: &StoredSession, hash: &SecretHash) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO sessions (id, hash, user_id, method, address, agent, created_at, authenticated_at, last_used_at, \
            expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        let values = [
            id_value(session.id),
            hash.to_vec().into(),
            id_value(session.user),
            session.method.as_str().into(),
            session.address.clone().into(),
            session.agent.clone().into(),
            time_value(session.created_at),
            time_value(session.authenticated_at),
            time_value(session.last_used_at),
            time_value(session.expires_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Gives a user's session another id and another secret: for whoever comes with the ones from before it has ended. `authenticated_at`
    /// is when its user proved who they are, if they just did. Answers with when it ends, if they have such a session.
    pub async fn renew(
        self,
        user: UserId,
        id: SessionId,
        (new, hash): (SessionId, &SecretHash),
        authenticated_at: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, Error> {
        const RENEW: &str = "UPDATE sessions SET id = $3, hash = $4, authenticated_at = COALESCE($5, authenticated_at) \
            WHERE id = $1 AND user_id = $2 RETURNING expires_at";
        let values = [id_value(id), id_value(user), id_value(new), hash.to_vec().into(), optional_time_value(authenticated_at)];
        self.executor.one((RENEW, values)).await?.map(|row| row.read_time("expires_at")).transpose()
    }

    /// Ends a session of a user. Says whether there was one.
    pub async fn delete(self, user: UserId, id: SessionId) -> Result<bool, Error> {
        const DELETE: &str = "DELETE FROM sessions WHERE id = $1 AND user_id = $2";
        Ok(self.executor.execute((DELETE, [id_value(id), id_value(user)])).await? > 0)
    }

    /// Ends all sessions of a user but one. Counts those that ended.
    pub async fn delete_all(self, user: UserId, but: Option<SessionId>) -> Result<u64, Error> {
        const DELETE: &str = "DELETE FROM sessions WHERE user_id = $1 AND ($2 IS NULL OR id <> $2)";
        self.executor.execute((DELETE, [id_value(user), optional_id_value(but)])).await
    }

    /// Notes when sessions were last used; an earlier use than the noted one changes nothing.
    pub async fn touch(self, used: &[(SessionId, Timestamp)]) -> Result<(), Error> {
        touch(self.executor, "sessions", used).await
    }

    /// Removes up to `limit` sessions that have ended: their time is over, or nobody used them since `used_since`. Says how many.
    pub async fn prune(self, now: Timestamp, used_since: Timestamp, limit: usize) -> Result<u64, Error> {
        let values = vec![time_value(now), time_value(used_since)];
        expiry::remove(self.executor, "sessions", "expires_at <= $1 OR last_used_at <= $2", values, limit).await
    }
}

fn read(row: &QueryResult) -> Result<StoredSession, Error> {
    Ok(StoredSession {
        id: row.read_id("s_id")?,
        user: row.read_id("s_user")?,
        method: row.read("method")?,
        address: row.read("address")?,
        agent: row.read("agent")?,
        created_at: row.read_time("s_created")?,
        authenticated_at: row.read_time("authenticated_at")?,
        last_used_at: row.read_time("last_used_at")?,
        expires_at: row.read_time("expires_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, Tx, both, fixtures};

    fn session(n: u128) -> StoredSession {
        StoredSession {
            id: SessionId::from_parts(1, n),
            user: fixtures::user(1).id,
            method: "passkey".to_owned(),
            address: Some("192.0.2.1".to_owned()),
            agent: None,
            created_at: fixtures::at(1),
            authenticated_at: fixtures::at(1),
            last_used_at: fixtures::at(1),
            expires_at: fixtures::at(90),
        }
    }

    async fn with_sessions(store: &Store) -> Tx {
        let tx = store.write().await.unwrap();
        tx.users().insert(&fixtures::permit(), &fixtures::user(1)).await.unwrap();
        for n in [1, 2, 3] {
            tx.sessions().insert(&session(n), &[u8::try_from(n).unwrap(); 32]).await.unwrap();
        }
        tx
    }

    both! {
        async fn a_session_is_found_with_its_user_by_its_hash(store: Store) {
            let tx = with_sessions(&store).await;
            assert_eq!(tx.reader().sessions().by_hash(&[1; 32]).await.unwrap(), Some((session(1), fixtures::user(1))));
            assert_eq!(tx.reader().sessions().by_hash(&[9; 32]).await.unwrap(), None);
        }

        async fn only_its_user_renews_a_session_and_what_it_was_known_by_is_nothing_any_more(store: Store) {
            let tx = with_sessions(&store).await;
            let (user, other, old) = (fixtures::user(1).id, fixtures::user(2).id, session(1).id);
            let (proven, kept) = (SessionId::from_parts(1, 91), SessionId::from_parts(1, 92));
            assert_eq!(tx.sessions().renew(other, old, (proven, &[9; 32]), Some(fixtures::at(7))).await.unwrap(), None);
            let ends = tx.sessions().renew(user, old, (proven, &[9; 32]), Some(fixtures::at(7))).await.unwrap();
            assert_eq!(ends, Some(session(1).expires_at));
            let at = async |id| tx.reader().sessions().authenticated_at(user, id).await.unwrap();
            assert_eq!((at(old).await, at(proven).await), (None, Some(fixtures::at(7))));
            let found = async |hash| tx.reader().sessions().by_hash(&hash).await.unwrap().map(|(session, _)| session.id);
            assert_eq!((found([1; 32]).await, found([9; 32]).await), (None, Some(proven)));
            assert_eq!(tx.sessions().renew(user, old, (kept, &[8; 32]), None).await.unwrap(), None, "once");
            tx.sessions().renew(user, proven, (kept, &[8; 32]), None).await.unwrap().unwrap();
            assert_eq!(at(kept).await, Some(fixtures::at(7)), "nothing was proven");
        }

        async fn only_its_user_ends_a_session(store: Store) {
            let tx = with_sessions(&store).await;
            let (user, other) = (fixtures::user(1).id, fixtures::user(2).id);
            assert!(!tx.sessions().delete(other, session(1).id).await.unwrap());
            assert!(tx.sessions().delete(user, session(1).id).await.unwrap());
            assert!(!tx.sessions().delete(user, session(1).id).await.unwrap());
            assert_eq!(tx.sessions().delete_all(user, Some(session(2).id)).await.unwrap(), 1);
            let left = tx.reader().sessions().for_user(user, fixtures::at(5), fixtures::at(0), 9).await.unwrap();
            assert_eq!(left, [session(2)]);
            assert_eq!(tx.sessions().delete_all(user, None).await.unwrap(), 1);
        }

        async fn unused_and_old_sessions_end(store: Store) {
            let tx = with_sessions(&store).await;
            tx.sessions().touch(&[(session(1).id, fixtures::at(8)), (session(2).id, fixtures::at(0))]).await.unwrap();
            let open = async |now, since| {
                let user = fixtures::user(1).id;
                let open = tx.reader().sessions().for_user(user, fixtures::at(now), fixtures::at(since), 9).await.unwrap();
                open.iter().map(|session| session.id).collect::<Vec<_>>()
            };
            assert_eq!(open(9, 5).await, [session(1).id]);
            assert!(open(90, 5).await.is_empty());
            assert_eq!(tx.sessions().prune(fixtures::at(9), fixtures::at(5), 100).await.unwrap(), 2);
            assert_eq!(open(9, 0).await, [session(1).id]);
            assert_eq!(tx.sessions().prune(fixtures::at(90), fixtures::at(0), 100).await.unwrap(), 1);
        }
    }
}
