//! Sessions. Only hashes of their secrets are stored; a session that ended is gone.

use cms_domain::{
    access::{Permit, to},
    id::{SessionId, UserId},
    time::Timestamp,
    user::User,
};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set};

use self::entity::{ActiveModel, Column, Entity};
use super::{SecretHash, touch};
use crate::{
    Error,
    column::{Stored, given_or_kept},
    executor::Executor,
    expiry,
    row::{at_most, time_value},
    users,
};

mod entity {
    use cms_domain::{
        id::{SessionId, UserId},
        time::Timestamp,
    };
    use sea_orm::entity::prelude::*;

    use crate::{SecretHash, column::Stored, users::entity as users};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "sessions")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<SessionId>,
        pub(super) hash: Stored<SecretHash>,
        pub(super) user_id: Stored<UserId>,
        pub(super) method: String,
        pub(super) address: Option<String>,
        pub(super) agent: Option<String>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) authenticated_at: Stored<Timestamp>,
        pub(super) last_used_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {
        #[sea_orm(belongs_to = "users::Entity", from = "Column::UserId", to = "users::Column::Id")]
        User,
    }

    impl Related<users::Entity> for Entity {
        fn to() -> RelationDef {
            Relation::User.def()
        }
    }

    impl ActiveModelBehavior for ActiveModel {}
}

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

/// Reads sessions.
#[derive(Clone, Copy)]
pub struct SessionReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Sessions.
    pub fn sessions(self) -> SessionReader<'a> {
        SessionReader::new(self.executor())
    }
}

impl<'a> SessionReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The session with a hash, and its user.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<(StoredSession, User)>, Error> {
        let with_hash = Entity::find().find_both_related(users::entity::Entity).filter(Column::Hash.eq(Stored(*hash)));
        self.executor.find_both(with_hash).await
    }

    /// A user's sessions that have not ended, the newest first, so many at most.
    pub async fn for_user(self, user: UserId, now: Timestamp, used_since: Timestamp, limit: usize) -> Result<Vec<StoredSession>, Error> {
        let open = Entity::find()
            .filter(Column::UserId.eq(Stored(user)))
            .filter(Column::ExpiresAt.gt(Stored(now)))
            .filter(Column::LastUsedAt.gt(Stored(used_since)))
            .order_by_desc(Column::Id)
            .limit(at_most(limit));
        self.executor.list(open).await
    }

    /// When the user of a session last proved who they are; none when they have no such session.
    pub async fn authenticated_at(self, user: UserId, id: SessionId) -> Result<Option<Timestamp>, Error> {
        let own = Entity::find_by_id(Stored(id)).filter(Column::UserId.eq(Stored(user)));
        Ok(self.executor.find::<_, StoredSession>(own).await?.map(|session| session.authenticated_at))
    }
}

/// Writes sessions.
#[derive(Clone, Copy)]
pub struct SessionWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Sessions.
    pub fn sessions(&self) -> SessionWriter<'_> {
        SessionWriter::new(self.executor())
    }
}

impl<'a> SessionWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Opens a session under the hash of its secret.
    pub async fn insert(self, permit: &Permit<to::Account>, session: &StoredSession, hash: &SecretHash) -> Result<(), Error> {
        let session = ActiveModel {
            id: Set(Stored(session.id)),
            hash: Set(Stored(*hash)),
            user_id: Set(Stored(permit.account())),
            method: Set(session.method.clone()),
            address: Set(session.address.clone()),
            agent: Set(session.agent.clone()),
            created_at: Set(Stored(session.created_at)),
            authenticated_at: Set(Stored(session.authenticated_at)),
            last_used_at: Set(Stored(session.last_used_at)),
            expires_at: Set(Stored(session.expires_at)),
        };
        Entity::insert(session).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Gives a user's session another id and another secret: for whoever comes with the ones from before it has ended. `authenticated_at`
    /// is when its user proved who they are, if they just did. Answers with when it ends, if they have such a session.
    pub async fn renew(
        self,
        permit: &Permit<to::Account>,
        id: SessionId,
        (new, hash): (SessionId, &SecretHash),
        authenticated_at: Option<Timestamp>,
    ) -> Result<Option<Timestamp>, Error> {
        let another = ActiveModel { id: Set(Stored(new)), hash: Set(Stored(*hash)), ..ActiveModel::default() };
        let update = Entity::update_many()
            .set(another)
            .col_expr(Column::AuthenticatedAt, given_or_kept(authenticated_at.map(Stored), Column::AuthenticatedAt))
            .filter(Column::Id.eq(Stored(id)))
            .filter(Column::UserId.eq(Stored(permit.account())));
        Ok(self.executor.change::<_, StoredSession>(update).await?.map(|session| session.expires_at))
    }

    /// Ends a session of a user. Says whether there was one.
    pub async fn delete(self, permit: &Permit<to::Account>, id: SessionId) -> Result<bool, Error> {
        let delete = Entity::delete_by_id(Stored(id)).filter(Column::UserId.eq(Stored(permit.account())));
        Ok(delete.exec(&self.executor).await?.rows_affected > 0)
    }

    /// Ends all sessions of a user but one. Counts those that ended.
    pub async fn delete_all(self, permit: &Permit<to::Account>, but: Option<SessionId>) -> Result<u64, Error> {
        let all = Entity::delete_many().filter(Column::UserId.eq(Stored(permit.account())));
        let delete = all.apply_if(but, |others, but| others.filter(Column::Id.ne(Stored(but))));
        Ok(delete.exec(&self.executor).await?.rows_affected)
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

impl From<entity::Model> for StoredSession {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            user: row.user_id.0,
            method: row.method,
            address: row.address,
            agent: row.agent,
            created_at: row.created_at.0,
            authenticated_at: row.authenticated_at.0,
            last_used_at: row.last_used_at.0,
            expires_at: row.expires_at.0,
        }
    }
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
            tx.sessions().insert(&fixtures::account(session(n).user), &session(n), &[u8::try_from(n).unwrap(); 32]).await.unwrap();
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
            assert_eq!(tx.sessions().renew(&fixtures::account(other), old, (proven, &[9; 32]), Some(fixtures::at(7))).await.unwrap(), None);
            let ends = tx.sessions().renew(&fixtures::account(user), old, (proven, &[9; 32]), Some(fixtures::at(7))).await.unwrap();
            assert_eq!(ends, Some(session(1).expires_at));
            let at = async |id| tx.reader().sessions().authenticated_at(user, id).await.unwrap();
            assert_eq!((at(old).await, at(proven).await), (None, Some(fixtures::at(7))));
            let found = async |hash| tx.reader().sessions().by_hash(&hash).await.unwrap().map(|(session, _)| session.id);
            assert_eq!((found([1; 32]).await, found([9; 32]).await), (None, Some(proven)));
            assert_eq!(tx.sessions().renew(&fixtures::account(user), old, (kept, &[8; 32]), None).await.unwrap(), None, "once");
            tx.sessions().renew(&fixtures::account(user), proven, (kept, &[8; 32]), None).await.unwrap().unwrap();
            assert_eq!(at(kept).await, Some(fixtures::at(7)), "nothing was proven");
        }

        async fn only_its_user_ends_a_session(store: Store) {
            let tx = with_sessions(&store).await;
            let (user, other) = (fixtures::user(1).id, fixtures::user(2).id);
            assert!(!tx.sessions().delete(&fixtures::account(other), session(1).id).await.unwrap());
            assert!(tx.sessions().delete(&fixtures::account(user), session(1).id).await.unwrap());
            assert!(!tx.sessions().delete(&fixtures::account(user), session(1).id).await.unwrap());
            assert_eq!(tx.sessions().delete_all(&fixtures::account(user), Some(session(2).id)).await.unwrap(), 1);
            let left = tx.reader().sessions().for_user(user, fixtures::at(5), fixtures::at(0), 9).await.unwrap();
            assert_eq!(left, [session(2)]);
            assert_eq!(tx.sessions().delete_all(&fixtures::account(user), None).await.unwrap(), 1);
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
