//! Links that were sent to an address: each is a secret, stored as its hash, and whoever uses it removes it.

use cms_domain::{
    id::{LinkId, UserId},
    time::Timestamp,
    user::{Email, Role},
};
use sea_orm::QueryResult;

use super::SecretHash;
use crate::{
    Error,
    executor::Executor,
    expiry,
    row::{Row, corrupt, id_value, optional_id_value, time_value},
};

/// What a link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// Its user signs in.
    MagicLink,
    /// Its user signs in; an admin had it sent.
    Recovery,
    /// Whoever reads mail to the address makes an account with the link's role. An address has one at most.
    Invitation,
    /// Whoever reads mail to the address makes an account, because its domain is allowed.
    SignUp,
    /// Its user's address becomes the link's.
    EmailChange,
    /// Whoever reads mail to its user's address does not want it to become another.
    EmailRefusal,
}

impl LinkKind {
    const ALL: [Self; 6] = [Self::MagicLink, Self::Recovery, Self::Invitation, Self::SignUp, Self::EmailChange, Self::EmailRefusal];

    /// The kind as it is stored.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MagicLink => "magic_link",
            Self::Recovery => "recovery",
            Self::Invitation => "invitation",
            Self::SignUp => "sign_up",
            Self::EmailChange => "email_change",
            Self::EmailRefusal => "email_refusal",
        }
    }
}

/// A link, without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Identifies the link.
    pub id: LinkId,
    /// What it is for.
    pub kind: LinkKind,
    /// The address that it was sent to.
    pub email: Email,
    /// Whose account it opens or changes.
    pub user: Option<UserId>,
    /// The role of the account that is made with it.
    pub role: Option<Role>,
    /// Who made it for somebody else, and answers for it: who invited, or had a recovery sent.
    pub invited_by: Option<UserId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it can be used.
    pub expires_at: Timestamp,
}

/// The columns of a link.
macro_rules! columns {
    () => {
        "id, kind, email, user_id, role, invited_by, created_at, expires_at"
    };
}

/// Reads links.
#[derive(Clone, Copy)]
pub struct LinkReader<'a> {
    executor: Executor<'a>,
}

impl<'a> LinkReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The link whose secret has a hash, expired or not.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<Link>, Error> {
        const BY_HASH: &str = concat!("SELECT ", columns!(), " FROM links WHERE hash = $1");
        self.executor.one((BY_HASH, [hash.to_vec().into()])).await?.as_ref().map(read).transpose()
    }

    /// The link of a kind that a user was sent last and can still use at `now`.
    pub async fn open_for_user(self, kind: LinkKind, user: UserId, now: Timestamp) -> Result<Option<Link>, Error> {
        const OPEN: &str =
            concat!("SELECT ", columns!(), " FROM links WHERE user_id = $1 AND kind = $2 AND expires_at > $3 ORDER BY id DESC LIMIT 1");
        let values = [id_value(user), kind.name().into(), time_value(now)];
        self.executor.one((OPEN, values)).await?.as_ref().map(read).transpose()
    }

    /// Links that lead into a user's account or change it, and can be used at `now`: the newest first, so many at most.
    pub async fn for_user(self, user: UserId, now: Timestamp, limit: usize) -> Result<Vec<Link>, Error> {
        const FOR_USER: &str =
            concat!("SELECT ", columns!(), " FROM links WHERE user_id = $1 AND expires_at > $2 ORDER BY id DESC LIMIT $3");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.executor.all((FOR_USER, [id_value(user), time_value(now), limit.into()])).await?.iter().map(read).collect()
    }

    /// Invitations that a user answers for and nobody has accepted, expired or not: the newest first, so many at most.
    pub async fn sent_by(self, user: UserId, limit: usize) -> Result<Vec<Link>, Error> {
        const SENT_BY: &str =
            concat!("SELECT ", columns!(), " FROM links WHERE invited_by = $1 AND kind = 'invitation' ORDER BY id DESC LIMIT $2");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.executor.all((SENT_BY, [id_value(user), limit.into()])).await?.iter().map(read).collect()
    }

    /// Invitations that nobody has accepted, expired or not, the newest first, from behind `after`.
    pub async fn invitations(self, after: Option<LinkId>, limit: usize) -> Result<Vec<Link>, Error> {
        const LIST: &str =
            concat!("SELECT ", columns!(), " FROM links WHERE kind = 'invitation' AND ($1 IS NULL OR id < $1) ORDER BY id DESC LIMIT $2");
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.executor.all((LIST, [optional_id_value(after), limit.into()])).await?.iter().map(read).collect()
    }
}

/// Writes links.
#[derive(Clone, Copy)]
pub struct LinkWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> LinkWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a link under the hash of its secret. A new invitation takes the place of the address's earlier one.
    pub async fn insert(self, link: &Link, hash: &SecretHash) -> Result<(), Error> {
        const INSERT: &str = "INSERT INTO links (id, hash, kind, email, user_id, role, invited_by, created_at, expires_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (email) WHERE kind = 'invitation' DO UPDATE SET \
            id = excluded.id, hash = excluded.hash, role = excluded.role, invited_by = excluded.invited_by, \
            created_at = excluded.created_at, expires_at = excluded.expires_at";
        let values = [
            id_value(link.id),
            hash.to_vec().into(),
            link.kind.name().into(),
            link.email.as_str().into(),
            optional_id_value(link.user),
            link.role.map(|role| i16::from(role.level())).into(),
            optional_id_value(link.invited_by),
            time_value(link.created_at),
            time_value(link.expires_at),
        ];
        self.executor.execute((INSERT, values)).await?;
        Ok(())
    }

    /// Takes a link, expired or not. Of several who take it at once one gets it.
    pub async fn take(self, hash: &SecretHash) -> Result<Option<Link>, Error> {
        const TAKE: &str = concat!("DELETE FROM links WHERE hash = $1 RETURNING ", columns!());
        self.executor.one((TAKE, [hash.to_vec().into()])).await?.as_ref().map(read).transpose()
    }

    /// Gives an invitation another secret and more time: the link that was sent before opens nothing any more. Whoever renews it
    /// answers for it from then on.
    pub async fn renew_invitation(
        self,
        id: LinkId,
        hash: &SecretHash,
        expires_at: Timestamp,
        by: Option<UserId>,
    ) -> Result<Option<Link>, Error> {
        const RENEW: &str = concat!(
            "UPDATE links SET hash = $2, expires_at = $3, invited_by = $4 WHERE id = $1 AND kind = 'invitation' RETURNING ",
            columns!()
        );
        let values = [id_value(id), hash.to_vec().into(), time_value(expires_at), optional_id_value(by)];
        self.executor.one((RENEW, values)).await?.as_ref().map(read).transpose()
    }

    /// Takes an invitation back.
    pub async fn take_invitation(self, id: LinkId) -> Result<Option<Link>, Error> {
        const TAKE: &str = concat!("DELETE FROM links WHERE id = $1 AND kind = 'invitation' RETURNING ", columns!());
        self.executor.one((TAKE, [id_value(id)])).await?.as_ref().map(read).transpose()
    }

    /// Removes every link that was sent to a user or to their address: they were disabled, or the address is another now.
    pub async fn delete_for_user(self, user: UserId, email: &Email) -> Result<u64, Error> {
        const DELETE: &str = "DELETE FROM links WHERE user_id = $1 OR email = $2";
        self.executor.execute((DELETE, [id_value(user), email.as_str().into()])).await
    }

    /// Removes what a user made for others: invitations that nobody has accepted, and recoveries that nobody has used.
    pub async fn delete_by_inviter(self, user: UserId) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM links WHERE invited_by = $1", [id_value(user)])).await
    }

    /// Removes the links of a user that are for one thing.
    pub async fn delete_kind_for_user(self, kind: LinkKind, user: UserId) -> Result<u64, Error> {
        const DELETE: &str = "DELETE FROM links WHERE user_id = $1 AND kind = $2";
        self.executor.execute((DELETE, [id_value(user), kind.name().into()])).await
    }

    /// Removes up to `limit` links whose time was over at `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "links", "expires_at <= $1", vec![time_value(before)], limit).await
    }
}

fn read(row: &QueryResult) -> Result<Link, Error> {
    let id = row.read_id("id")?;
    let kind: String = row.read("kind")?;
    let role: Option<i16> = row.read("role")?;
    Ok(Link {
        id,
        kind: LinkKind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| corrupt("links", "kind", id))?,
        email: row.parse("links", "email", id)?,
        user: row.read_optional_id("user_id")?,
        role: role.map(|level| Role::from_level(level.into()).ok_or_else(|| corrupt("links", "role", id))).transpose()?,
        invited_by: row.read_optional_id("invited_by")?,
        created_at: row.read_time("created_at")?,
        expires_at: row.read_time("expires_at")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both, fixtures};

    fn link(n: u128, kind: LinkKind) -> Link {
        Link {
            id: LinkId::from_parts(1, n),
            kind,
            email: format!("guest{n}@example.com").parse().unwrap(),
            user: None,
            role: Some(Role::Author),
            invited_by: None,
            created_at: fixtures::at(1),
            expires_at: fixtures::at(9),
        }
    }

    both! {
        async fn a_link_is_found_by_its_secret_until_it_is_taken(store: Store) {
            let tx = store.write().await.unwrap();
            for (n, kind) in LinkKind::ALL.into_iter().enumerate() {
                let (hash, link) = ([u8::try_from(n).unwrap(); 32], link(n as u128, kind));
                tx.links().insert(&link, &hash).await.unwrap();
                assert_eq!(tx.reader().links().by_hash(&hash).await.unwrap().as_ref(), Some(&link));
                assert_eq!(tx.links().take(&hash).await.unwrap(), Some(link));
                assert_eq!(tx.links().take(&hash).await.unwrap(), None);
            }
        }

        async fn the_link_that_a_user_was_sent_last_is_found_until_its_time_is_over(store: Store) {
            let tx = store.write().await.unwrap();
            let user = fixtures::user(1);
            tx.users().insert(&fixtures::permit(), &user).await.unwrap();
            let of = |n: u8, kind| Link { user: Some(user.id), role: None, ..link(n.into(), kind) };
            for (n, kind) in [(1, LinkKind::EmailChange), (2, LinkKind::EmailChange), (3, LinkKind::MagicLink)] {
                tx.links().insert(&of(n, kind), &[n; 32]).await.unwrap();
            }
            let open = async |kind, user, at| tx.reader().links().open_for_user(kind, user, fixtures::at(at)).await.unwrap();
            assert_eq!(open(LinkKind::EmailChange, user.id, 8).await, Some(of(2, LinkKind::EmailChange)));
            assert_eq!(open(LinkKind::EmailChange, user.id, 9).await, None);
            assert_eq!(open(LinkKind::EmailChange, fixtures::user(2).id, 8).await, None);
        }

        async fn of_many_who_take_a_link_one_gets_it(store: Store) {
            let tx = store.write().await.unwrap();
            tx.links().insert(&link(1, LinkKind::SignUp), &[1; 32]).await.unwrap();
            tx.commit().await.unwrap();
            let take = || {
                let store = store.clone();
                tokio::spawn(async move {
                    let tx = store.write().await.unwrap();
                    let taken = tx.links().take(&[1; 32]).await.unwrap();
                    tx.commit().await.unwrap();
                    usize::from(taken.is_some())
                })
            };
            let takers: Vec<_> = (0..50).map(|_| take()).collect();
            let mut taken = 0;
            for taker in takers {
                taken += taker.await.unwrap();
            }
            assert_eq!(taken, 1);
        }

        async fn an_address_has_one_invitation(store: Store) {
            let tx = store.write().await.unwrap();
            tx.links().insert(&link(1, LinkKind::Invitation), &[1; 32]).await.unwrap();
            let again = Link { id: LinkId::from_parts(1, 7), role: Some(Role::Editor), ..link(1, LinkKind::Invitation) };
            tx.links().insert(&again, &[2; 32]).await.unwrap();
            assert_eq!(tx.reader().links().by_hash(&[1; 32]).await.unwrap(), None);
            assert_eq!(tx.reader().links().invitations(None, 10).await.unwrap(), [again]);
            // Other links to the same address are not in its way.
            tx.links().insert(&Link { id: LinkId::from_parts(1, 8), ..link(1, LinkKind::SignUp) }, &[3; 32]).await.unwrap();
            tx.links().insert(&Link { id: LinkId::from_parts(1, 9), ..link(1, LinkKind::SignUp) }, &[4; 32]).await.unwrap();
            assert_eq!(tx.reader().links().invitations(None, 10).await.unwrap().len(), 1);
        }

        async fn an_invitation_that_is_renewed_has_another_secret(store: Store) {
            let tx = store.write().await.unwrap();
            let invitation = link(1, LinkKind::Invitation);
            tx.links().insert(&invitation, &[1; 32]).await.unwrap();
            let renewed = tx.links().renew_invitation(invitation.id, &[2; 32], fixtures::at(20), None).await.unwrap();
            assert_eq!(renewed, Some(Link { expires_at: fixtures::at(20), ..invitation.clone() }));
            assert_eq!(tx.reader().links().by_hash(&[1; 32]).await.unwrap(), None);
            assert_eq!(tx.reader().links().by_hash(&[2; 32]).await.unwrap(), renewed);
            assert_eq!(tx.links().take_invitation(invitation.id).await.unwrap(), renewed);
            assert_eq!(tx.links().renew_invitation(invitation.id, &[3; 32], fixtures::at(20), None).await.unwrap(), None);
        }

        async fn pages_of_invitations_follow_each_other(store: Store) {
            let tx = store.write().await.unwrap();
            for n in 1..=5 {
                tx.links().insert(&link(n, LinkKind::Invitation), &[u8::try_from(n).unwrap(); 32]).await.unwrap();
            }
            let first = tx.reader().links().invitations(None, 3).await.unwrap();
            let second = tx.reader().links().invitations(Some(first[2].id), 3).await.unwrap();
            let found: Vec<_> = first.iter().chain(&second).map(|link| link.id).collect();
            assert_eq!(found, (1..=5).rev().map(|n| LinkId::from_parts(1, n)).collect::<Vec<_>>());
        }

        async fn links_go_with_what_their_user_may_no_longer_do(store: Store) {
            let tx = store.write().await.unwrap();
            for n in [1, 2] {
                tx.users().insert(&fixtures::permit(), &fixtures::user(n)).await.unwrap();
            }
            let of = |n: u128, user, kind| Link { user: Some(fixtures::user(user).id), ..link(n, kind) };
            tx.links().insert(&of(1, 1, LinkKind::MagicLink), &[1; 32]).await.unwrap();
            tx.links().insert(&of(2, 1, LinkKind::EmailChange), &[2; 32]).await.unwrap();
            tx.links().insert(&of(3, 2, LinkKind::MagicLink), &[3; 32]).await.unwrap();
            assert_eq!(tx.links().delete_kind_for_user(LinkKind::EmailChange, fixtures::user(1).id).await.unwrap(), 1);
            assert_eq!(tx.links().delete_for_user(fixtures::user(1).id, &fixtures::user(1).email).await.unwrap(), 1);
            assert!(tx.reader().links().by_hash(&[3; 32]).await.unwrap().is_some());
        }

        async fn links_that_are_over_are_removed(store: Store) {
            let tx = store.write().await.unwrap();
            tx.links().insert(&link(1, LinkKind::SignUp), &[1; 32]).await.unwrap();
            assert_eq!(tx.links().prune(fixtures::at(8), 100).await.unwrap(), 0);
            assert_eq!(tx.links().prune(fixtures::at(9), 100).await.unwrap(), 1);
        }
    }
}
