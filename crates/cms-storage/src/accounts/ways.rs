//! What people have to sign in with, and what of it is older than a site wants.

use std::collections::BTreeSet;

use cms_domain::{id::UserId, time::Timestamp, user::Email};

use crate::{
    Error,
    executor::Executor,
    row::{Row, id_value, time_value},
    statement::Text,
};

/// What a user has to sign in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldWays {
    /// The user.
    pub user: UserId,
    /// Their address.
    pub email: Email,
    /// Whether they have a passkey whose authenticator verified them when it was last used.
    pub verified_passkey: bool,
    /// Whether they have one whose authenticator did not.
    pub unverified_passkey: bool,
    /// Who vouches for the accounts at providers that are connected.
    pub issuers: BTreeSet<String>,
}

/// How many things of a user there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The user's address.
    pub email: Email,
    /// How many.
    pub count: i64,
}

/// Reads what people sign in with.
#[derive(Clone, Copy)]
pub struct WayReader<'a> {
    executor: Executor<'a>,
}

impl<'a> WayReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// What a user has to sign in with.
    pub async fn of(self, user: UserId) -> Result<Option<HeldWays>, Error> {
        Ok(self.held(Some(user)).await?.pop())
    }

    /// The same of all who are not disabled, in the order in which they were made.
    pub async fn all(self) -> Result<Vec<HeldWays>, Error> {
        self.held(None).await
    }

    async fn held(self, only: Option<UserId>) -> Result<Vec<HeldWays>, Error> {
        let mut text = Text::new(
            "SELECT u.id, u.email, (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id AND p.user_verified) AS verified, \
             (SELECT count(*) FROM passkeys p WHERE p.user_id = u.id AND NOT p.user_verified) AS unverified FROM users u WHERE ",
        );
        match only {
            Some(user) => text.push("u.id = ").bind(id_value(user)),
            None => text.push("NOT u.disabled"),
        };
        text.push(" ORDER BY u.id");
        let mut held = Vec::new();
        for row in self.executor.all(text).await? {
            let user: UserId = row.read_id("id")?;
            held.push(HeldWays {
                user,
                email: row.parse("users", "email", user)?,
                verified_passkey: row.read::<i64>("verified")? > 0,
                unverified_passkey: row.read::<i64>("unverified")? > 0,
                issuers: BTreeSet::new(),
            });
        }
        self.add_issuers(only, &mut held).await?;
        Ok(held)
    }

    async fn add_issuers(self, only: Option<UserId>, held: &mut [HeldWays]) -> Result<(), Error> {
        let mut text = Text::new("SELECT DISTINCT user_id, issuer FROM connections WHERE issuer IS NOT NULL");
        if let Some(user) = only {
            text.push(" AND user_id = ").bind(id_value(user));
        }
        for row in self.executor.all(text).await? {
            let user: UserId = row.read_id("user_id")?;
            // Both are in the order of ids.
            if let Ok(at) = held.binary_search_by_key(&user, |held| held.user) {
                held[at].issuers.insert(row.read("issuer")?);
            }
        }
        Ok(())
    }

    /// How many access tokens that work at `now` were made at `made_by` or before, of whom.
    pub async fn tokens_made_by(self, made_by: Timestamp, now: Timestamp) -> Result<Vec<Counted>, Error> {
        const TOKENS: &str = "SELECT u.id, u.email, count(*) AS n FROM tokens t JOIN users u ON u.id = t.user_id \
            WHERE NOT u.disabled AND t.created_at <= $1 AND (t.expires_at IS NULL OR t.expires_at > $2) GROUP BY u.id, u.email ORDER BY u.id";
        self.counted((TOKENS, [time_value(made_by), time_value(now)])).await
    }

    /// How many grants to applications that are good for something at `now` were made at `made_by` or before, of whom.
    pub async fn grants_made_by(self, made_by: Timestamp, now: Timestamp) -> Result<Vec<Counted>, Error> {
        const GRANTS: &str = "SELECT u.id, u.email, count(*) AS n FROM oauth_grants g JOIN users u ON u.id = g.user_id \
            WHERE NOT u.disabled AND g.created_at <= $1 AND EXISTS (SELECT 1 FROM oauth_tokens t WHERE t.grant_id = g.id \
            AND t.spent_at IS NULL AND t.expires_at > $2) GROUP BY u.id, u.email ORDER BY u.id";
        self.counted((GRANTS, [time_value(made_by), time_value(now)])).await
    }

    async fn counted(self, statement: (&'static str, [sea_orm::Value; 2])) -> Result<Vec<Counted>, Error> {
        let rows = self.executor.all(statement).await?;
        let counted = rows.iter().map(|row| {
            let user: UserId = row.read_id("id")?;
            Ok(Counted { email: row.parse("users", "email", user)?, count: row.read("n")? })
        });
        counted.collect()
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::{
        access::Scope,
        id::{ConnectionId, PasskeyId, TokenId},
        user::User,
    };

    use super::*;
    use crate::{Store, StoredConnection, StoredPasskey, StoredToken, both, fixtures};

    fn passkey(n: u8, user: UserId, user_verified: bool) -> StoredPasskey {
        StoredPasskey {
            id: PasskeyId::from_parts(1, n.into()),
            credential_id: vec![n; 16],
            user,
            name: "Key".to_owned(),
            credential: "{}".to_owned(),
            transports: Vec::new(),
            user_verified,
            backup_eligible: false,
            backed_up: false,
            created_at: fixtures::at(1),
            last_used_at: None,
        }
    }

    both! {
        async fn what_people_sign_in_with_is_found_of_one_and_of_all_who_are_not_disabled(store: Store) {
            let tx = store.write().await.unwrap();
            for n in [1, 2, 3] {
                tx.users().insert(&fixtures::permit(), &User { disabled: n == 3, ..fixtures::user(n) }).await.unwrap();
            }
            let [one, two, three] = [1, 2, 3].map(|n| fixtures::user(n).id);
            tx.passkeys().insert(&passkey(1, one, true)).await.unwrap();
            tx.passkeys().insert(&passkey(2, two, false)).await.unwrap();
            let connection = StoredConnection {
                id: ConnectionId::from_parts(1, 1),
                provider: "github".to_owned(),
                issuer: Some("https://github.com".to_owned()),
                account: "7".to_owned(),
                user: two,
                email: None,
                name: None,
                created_at: fixtures::at(1),
                last_used_at: None,
            };
            tx.connections().insert(&connection).await.unwrap();
            let first = HeldWays {
                user: one,
                email: fixtures::user(1).email,
                verified_passkey: true,
                unverified_passkey: false,
                issuers: BTreeSet::new(),
            };
            let second = HeldWays {
                user: two,
                email: fixtures::user(2).email,
                verified_passkey: false,
                unverified_passkey: true,
                issuers: ["https://github.com".to_owned()].into(),
            };
            let ways = tx.reader().ways();
            assert_eq!((ways.of(one).await.unwrap(), ways.of(two).await.unwrap()), (Some(first.clone()), Some(second.clone())));
            assert_eq!(ways.all().await.unwrap(), [first, second]);
            assert!(ways.of(three).await.unwrap().is_some_and(|held| held.issuers.is_empty()), "who is asked for by name is found");
        }

        async fn tokens_are_counted_by_age_while_they_work(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            for (n, created, ends) in [(1, 10, None), (2, 20, None), (3, 10, Some(30))] {
                let token = StoredToken {
                    id: TokenId::from_parts(1, n.into()),
                    user: user.id,
                    name: "ci".to_owned(),
                    prefix: "cms".to_owned(),
                    scopes: [Scope::ContentRead].into(),
                    expires_at: ends.map(fixtures::at),
                    last_used_at: None,
                    created_at: fixtures::at(created),
                };
                tx.tokens().insert(&fixtures::permit(), &token, &[n; 32]).await.unwrap();
            }
            let count = async |made_by, now| {
                let counted = tx.reader().ways().tokens_made_by(fixtures::at(made_by), fixtures::at(now)).await.unwrap();
                counted.into_iter().map(|counted| (counted.email, counted.count)).collect::<Vec<_>>()
            };
            let email = fixtures::user(1).email;
            assert_eq!(count(10, 29).await, [(email.clone(), 2)]);
            assert_eq!(count(10, 30).await, [(email.clone(), 1)]);
            assert_eq!(count(20, 29).await, [(email, 3)]);
            assert!(count(9, 29).await.is_empty());
            assert!(tx.reader().ways().grants_made_by(fixtures::at(99), fixtures::at(1)).await.unwrap().is_empty());
        }
    }
}
