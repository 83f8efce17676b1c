//! Whether what somebody came with still stands. A request is done for whoever its head named, and can take long until it writes.

use cms_domain::{
    access::Scopes,
    id::{GrantId, SessionId, TokenId, UserId},
    time::Timestamp,
    user::Role,
};
use sea_orm::QueryResult;

use super::oauth_clients::optional_scopes;
use crate::{
    Error,
    executor::Executor,
    row::{Row, corrupt, id_value},
};

/// What somebody came with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credential {
    /// A session.
    Session(SessionId),
    /// An access token.
    Token(TokenId),
    /// What an application was granted.
    Grant(GrantId),
    /// Nothing of ours: somebody else vouches for the user with each request.
    Vouched,
}

/// Whose a credential is, as they are now, and what it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Their role.
    pub role: Role,
    /// Whether they are locked out.
    pub disabled: bool,
    /// What the application was granted, if it is one.
    pub granted: Option<Scopes>,
    /// What the application is held to, if it is.
    pub held_to: Option<Scopes>,
    /// When the credential was made; none where there is none of ours.
    pub made_at: Option<Timestamp>,
    /// When it ends, if that was said when it was made.
    pub expires_at: Option<Timestamp>,
    /// When a session was last used.
    pub used_at: Option<Timestamp>,
}

/// A statement that looks at one credential of one user, and the same with a lock on it.
macro_rules! texts {
    ($text:literal) => {
        [concat!($text, " WHERE c.id = $1 AND c.user_id = $2"), concat!($text, " WHERE c.id = $1 AND c.user_id = $2 FOR KEY SHARE OF c")]
    };
}

/// Looks at credentials.
#[derive(Clone, Copy)]
pub struct Callers<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// What callers come with.
    pub fn callers(self) -> Callers<'a> {
        Callers::new(self.executor())
    }
}

impl<'a> Callers<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// How a credential of a user stands; nothing when it is gone. `holding` lets nobody end it before the
    /// transaction that asks ends: whoever wants to waits, and then sees what was done with it.
    pub async fn standing(self, credential: Credential, user: UserId, holding: bool) -> Result<Option<Standing>, Error> {
        // Of somebody who has no credential here the row itself is held, against those who change it as well.
        const VOUCHED: [&str; 2] = [
            "SELECT u.role, u.disabled FROM users u WHERE u.id = $1 AND u.id = $2",
            "SELECT u.role, u.disabled FROM users u WHERE u.id = $1 AND u.id = $2 FOR NO KEY UPDATE OF u",
        ];
        // The credential alone is held: who ends it takes its user first, and many requests of one user must not wait for each other.
        let ([seen, held], id) = match credential {
            Credential::Session(id) => (
                texts!(
                    "SELECT u.role, u.disabled, c.created_at, c.expires_at, c.last_used_at FROM sessions c JOIN users u ON u.id = c.user_id"
                ),
                id_value(id),
            ),
            Credential::Token(id) => (
                texts!("SELECT u.role, u.disabled, c.created_at, c.expires_at FROM tokens c JOIN users u ON u.id = c.user_id"),
                id_value(id),
            ),
            Credential::Grant(id) => (
                texts!(
                    "SELECT u.role, u.disabled, c.created_at, c.scopes AS granted, a.scopes AS held_to FROM oauth_grants c \
                     JOIN users u ON u.id = c.user_id JOIN oauth_clients a ON a.id = c.client_id"
                ),
                id_value(id),
            ),
            Credential::Vouched => (VOUCHED, id_value(user)),
        };
        let text = if holding && self.executor.is_postgres() { held } else { seen };
        let row = self.executor.one((text, [id, id_value(user)])).await?;
        row.map(|row| read(&row, user, credential)).transpose()
    }
}

fn read(row: &QueryResult, user: UserId, credential: Credential) -> Result<Standing, Error> {
    let level: i16 = row.read("role")?;
    let at = |column| row.read::<Option<i64>>(column).map(|at| at.map(Timestamp::from_milliseconds));
    let is_ours = credential != Credential::Vouched;
    let is_session = matches!(credential, Credential::Session(_));
    let is_grant = matches!(credential, Credential::Grant(_));
    let wrong = |column| corrupt("oauth_grants", column, user);
    Ok(Standing {
        role: Role::from_level(level.into()).ok_or_else(|| corrupt("users", "role", user))?,
        disabled: row.read("disabled")?,
        granted: if is_grant { optional_scopes(row, "granted").map_err(|_| wrong("scopes"))? } else { None },
        held_to: if is_grant { optional_scopes(row, "held_to").map_err(|_| wrong("client_id"))? } else { None },
        made_at: if is_ours { at("created_at")? } else { None },
        expires_at: if is_ours && !is_grant { at("expires_at")? } else { None },
        used_at: if is_session { at("last_used_at")? } else { None },
    })
}

#[cfg(test)]
mod tests {
    use cms_domain::access::Scope;

    use super::*;
    use crate::{Store, StoredSession, both, fixtures};

    both! {
        async fn a_credential_stands_with_its_user_as_they_are_now_until_it_is_gone(store: Store) {
            let tx = store.write().await.unwrap();
            let (user, other) = (fixtures::user(1), fixtures::user(2));
            for somebody in [&user, &other] {
                tx.users().insert(&fixtures::permit(), somebody).await.unwrap();
            }
            let session = StoredSession {
                id: SessionId::from_parts(1, 1),
                user: user.id,
                method: "passkey".to_owned(),
                address: None,
                agent: None,
                created_at: fixtures::at(1),
                authenticated_at: fixtures::at(1),
                last_used_at: fixtures::at(1),
                expires_at: Timestamp::from_milliseconds(i64::MAX / 2),
            };
            tx.sessions().insert(&fixtures::account(session.user), &session, &[1; 32]).await.unwrap();
            let came = Credential::Session(session.id);
            for holding in [false, true] {
                let standing = tx.reader().callers().standing(came, user.id, holding).await.unwrap().unwrap();
                let (made_at, expires_at, used_at) = (Some(session.created_at), Some(session.expires_at), Some(session.last_used_at));
                let expected = Standing { role: user.role, disabled: false, granted: None, held_to: None, made_at, expires_at, used_at };
                assert_eq!(standing, expected);
                assert_eq!(tx.reader().callers().standing(came, other.id, holding).await.unwrap(), None, "it is not theirs");
            }
            let demoted = cms_domain::user::User { role: Role::Subscriber, disabled: true, ..user.clone() };
            tx.users().update(&fixtures::permit(), &demoted).await.unwrap();
            let standing = tx.reader().callers().standing(came, user.id, true).await.unwrap().unwrap();
            assert_eq!((standing.role, standing.disabled), (Role::Subscriber, true));
            tx.sessions().delete(&fixtures::account(user.id), session.id).await.unwrap();
            assert_eq!(tx.reader().callers().standing(came, user.id, true).await.unwrap(), None);
        }

        async fn what_an_application_has_is_what_is_left_of_it(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            let held: Scopes = [Scope::ContentRead, Scope::MediaRead].into();
            let client = crate::StoredClient {
                id: "app".to_owned(),
                name: "App".to_owned(),
                redirect_uris: Vec::new(),
                grant_types: Vec::new(),
                scopes: Some(held.clone()),
                registered: true,
                created_at: fixtures::at(1),
                updated_at: fixtures::at(1),
                last_used_at: None,
            };
            tx.oauth_clients().insert(&fixtures::permit(), &client).await.unwrap();
            let grant = crate::StoredGrant {
                id: GrantId::from_parts(1, 1),
                client: client.id.clone(),
                user: user.id,
                scopes: [Scope::ContentRead, Scope::ContentWrite].into(),
                resource: None,
                created_at: fixtures::at(1),
                last_used_at: None,
            };
            tx.oauth_grants().insert(&fixtures::account(grant.user), &grant).await.unwrap();
            let standing = async || tx.reader().callers().standing(Credential::Grant(grant.id), user.id, true).await.unwrap().unwrap();
            assert_eq!((standing().await.granted, standing().await.held_to), (Some(grant.scopes.clone()), Some(held)));
            assert!(tx.oauth_grants().narrow(&fixtures::account(grant.user), &grant, &[Scope::ContentRead].into()).await.unwrap());
            assert_eq!(standing().await.granted, Some([Scope::ContentRead].into()));
        }
    }
}
