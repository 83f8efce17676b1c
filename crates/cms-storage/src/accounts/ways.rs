//! What people have to sign in with, and what of it is older than a site wants.

use std::collections::BTreeSet;

use cms_domain::{id::UserId, time::Timestamp, user::Email};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QuerySelect, QueryTrait, RelationTrait,
    Select,
    sea_query::{Asterisk, Expr, ExprTrait, Query},
};

use super::{
    connections::entity as connections,
    oauth_grants::{entity as grants, token as grant_tokens},
    passkeys::entity as passkeys,
};
use crate::{
    Error,
    column::{Stored, unreadable},
    executor::Executor,
    tokens::entity as tokens,
    users::entity as users,
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

/// A user, and how many passkeys of each kind they have.
#[derive(FromQueryResult)]
struct Held {
    id: Stored<UserId>,
    email: Stored<Email>,
    verified: i64,
    unverified: i64,
}

/// A user, and how many things of theirs there are.
#[derive(FromQueryResult)]
struct CountedOf {
    email: Stored<Email>,
    n: i64,
}

/// Reads what people sign in with.
#[derive(Clone, Copy)]
pub struct WayReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// What people sign in with.
    pub fn ways(self) -> WayReader<'a> {
        WayReader::new(self.executor())
    }
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
        let whom = only.map_or_else(|| users::Column::Disabled.eq(false), |user| users::Column::Id.eq(Stored(user)));
        let users = users::Entity::find()
            .select_only()
            .columns([users::Column::Id, users::Column::Email])
            .column_as(passkeys_of_a_user(true), "verified")
            .column_as(passkeys_of_a_user(false), "unverified")
            .filter(whom)
            .order_by_asc(users::Column::Id);
        let found = users.into_model::<Held>().all(&self.executor).await.map_err(unreadable::<users::Entity>)?;
        let ways = found.into_iter().map(|held| HeldWays {
            user: held.id.0,
            email: held.email.0,
            verified_passkey: held.verified > 0,
            unverified_passkey: held.unverified > 0,
            issuers: BTreeSet::new(),
        });
        let mut held: Vec<_> = ways.collect();
        self.add_issuers(only, &mut held).await?;
        Ok(held)
    }

    async fn add_issuers(self, only: Option<UserId>, held: &mut [HeldWays]) -> Result<(), Error> {
        let issuers = connections::Entity::find()
            .select_only()
            .columns([connections::Column::UserId, connections::Column::Issuer])
            .distinct()
            .filter(connections::Column::Issuer.is_not_null())
            .apply_if(only, |issuers, user| issuers.filter(connections::Column::UserId.eq(Stored(user))));
        let issuers: Vec<(Stored<UserId>, String)> = issuers.into_tuple().all(&self.executor).await?;
        for (Stored(user), issuer) in issuers {
            // Those who hold something are in the order of ids.
            if let Ok(at) = held.binary_search_by_key(&user, |held| held.user) {
                held[at].issuers.insert(issuer);
            }
        }
        Ok(())
    }

    /// How many access tokens that work at `now` were made at `made_by` or before, of whom.
    pub async fn tokens_made_by(self, made_by: Timestamp, now: Timestamp) -> Result<Vec<Counted>, Error> {
        let working = Condition::any().add(tokens::Column::ExpiresAt.is_null()).add(tokens::Column::ExpiresAt.gt(Stored(now)));
        let old = tokens::Entity::find().filter(tokens::Column::CreatedAt.lte(Stored(made_by))).filter(working);
        self.counted(old.join(JoinType::InnerJoin, tokens::Relation::User.def())).await
    }

    /// How many grants to applications that are good for something at `now` were made at `made_by` or before, of whom.
    pub async fn grants_made_by(self, made_by: Timestamp, now: Timestamp) -> Result<Vec<Counted>, Error> {
        let good = Query::select()
            .expr(Expr::val(1))
            .from(grant_tokens::Entity)
            .and_where(grant_tokens::Column::GrantId.into_expr().equals((grants::Entity, grants::Column::Id)))
            .and_where(grant_tokens::Column::SpentAt.is_null())
            .and_where(grant_tokens::Column::ExpiresAt.gt(Stored(now)))
            .take();
        let old = grants::Entity::find().filter(grants::Column::CreatedAt.lte(Stored(made_by))).filter(Expr::exists(good));
        self.counted(old.join(JoinType::InnerJoin, grants::Relation::User.def())).await
    }

    /// Counts rows of an entity by the users whom they belong to, and who are not disabled.
    async fn counted<E: EntityTrait>(self, things: Select<E>) -> Result<Vec<Counted>, Error> {
        let counted = things
            .select_only()
            .columns([users::Column::Id, users::Column::Email])
            .column_as(Expr::col(Asterisk).count(), "n")
            .filter(users::Column::Disabled.eq(false))
            .group_by(users::Column::Id)
            .group_by(users::Column::Email)
            .order_by_asc(users::Column::Id);
        let counted = counted.into_model::<CountedOf>().all(&self.executor).await.map_err(unreadable::<users::Entity>)?;
        Ok(counted.into_iter().map(|row| Counted { email: row.email.0, count: row.n }).collect())
    }
}

/// How many passkeys the user of a statement has whose authenticator verified them, or did not.
fn passkeys_of_a_user(verified: bool) -> Expr {
    let passkeys = Query::select()
        .expr(Expr::col(Asterisk).count())
        .from(passkeys::Entity)
        .and_where(passkeys::Column::UserId.into_expr().equals((users::Entity, users::Column::Id)))
        .and_where(passkeys::Column::UserVerified.eq(verified))
        .take();
    passkeys.into()
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
            tx.passkeys().insert(&fixtures::account(passkey(1, one, true).user), &passkey(1, one, true)).await.unwrap();
            tx.passkeys().insert(&fixtures::account(passkey(2, two, false).user), &passkey(2, two, false)).await.unwrap();
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
            tx.connections().insert(&fixtures::account(connection.user), &connection).await.unwrap();
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
                tx.tokens().insert(&fixtures::account(token.user), &token, &[n; 32]).await.unwrap();
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
