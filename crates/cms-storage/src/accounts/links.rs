//! Links that were sent to an address: each is a secret, stored as its hash, and whoever uses it removes it.

use cms_domain::{
    access::{Permit, to},
    id::{LinkId, UserId},
    time::Timestamp,
    user::{Email, Role},
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Set,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity};
use super::SecretHash;
use crate::{
    Error,
    column::{Storable, Stored},
    executor::Executor,
    expiry,
    row::{at_most, time_value},
};

mod entity {
    use cms_domain::{
        id::{LinkId, UserId},
        time::Timestamp,
        user::{Email, Role},
    };
    use sea_orm::entity::prelude::*;

    use super::LinkKind;
    use crate::{SecretHash, column::Stored};

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "links")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) id: Stored<LinkId>,
        pub(super) hash: Stored<SecretHash>,
        pub(super) kind: Stored<LinkKind>,
        pub(super) email: Stored<Email>,
        pub(super) user_id: Option<Stored<UserId>>,
        pub(super) role: Option<Stored<Role>>,
        pub(super) invited_by: Option<Stored<UserId>>,
        pub(super) created_at: Stored<Timestamp>,
        pub(super) expires_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// The table, as archives and errors know it.
pub(crate) fn table() -> crate::tables::Table {
    crate::tables::Table::of::<Entity>()
}

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

impl Storable for LinkKind {
    type Raw = String;

    fn to_raw(&self) -> String {
        self.name().to_owned()
    }

    fn of_raw(raw: String) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == raw)
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

/// That a link is an invitation, in the words of their unique index: a value that comes later would not let the index be used.
fn is_invitation() -> Expr {
    Expr::col(Column::Kind).eq(Expr::cust("'invitation'"))
}

/// Reads links.
#[derive(Clone, Copy)]
pub struct LinkReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Links that were sent to an address.
    pub fn links(self) -> LinkReader<'a> {
        LinkReader::new(self.executor())
    }
}

impl<'a> LinkReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// The link whose secret has a hash, expired or not.
    pub async fn by_hash(self, hash: &SecretHash) -> Result<Option<Link>, Error> {
        self.executor.find(Entity::find().filter(Column::Hash.eq(Stored(*hash)))).await
    }

    /// The link of a kind that a user was sent last and can still use at `now`.
    pub async fn open_for_user(self, kind: LinkKind, user: UserId, now: Timestamp) -> Result<Option<Link>, Error> {
        let open = Entity::find()
            .filter(Column::UserId.eq(Stored(user)))
            .filter(Column::Kind.eq(Stored(kind)))
            .filter(Column::ExpiresAt.gt(Stored(now)));
        self.executor.find(open.order_by_desc(Column::Id)).await
    }

    /// Links that lead into a user's account or change it, and can be used at `now`: the newest first, so many at most.
    pub async fn for_user(self, user: UserId, now: Timestamp, limit: usize) -> Result<Vec<Link>, Error> {
        let open = Entity::find().filter(Column::UserId.eq(Stored(user))).filter(Column::ExpiresAt.gt(Stored(now)));
        self.executor.list(open.order_by_desc(Column::Id).limit(at_most(limit))).await
    }

    /// Invitations that a user answers for and nobody has accepted, expired or not: the newest first, so many at most.
    pub async fn sent_by(self, user: UserId, limit: usize) -> Result<Vec<Link>, Error> {
        let sent = Entity::find().filter(Column::InvitedBy.eq(Stored(user))).filter(is_invitation());
        self.executor.list(sent.order_by_desc(Column::Id).limit(at_most(limit))).await
    }

    /// Invitations that nobody has accepted, expired or not, the newest first, from behind `after`.
    pub async fn invitations(self, after: Option<LinkId>, limit: usize) -> Result<Vec<Link>, Error> {
        let invitations = Entity::find().filter(is_invitation());
        let older = invitations.apply_if(after, |all, after| all.filter(Column::Id.lt(Stored(after))));
        self.executor.list(older.order_by_desc(Column::Id).limit(at_most(limit))).await
    }
}

/// Writes links.
#[derive(Clone, Copy)]
pub struct LinkWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Links that were sent to an address.
    pub fn links(&self) -> LinkWriter<'_> {
        LinkWriter::new(self.executor())
    }
}

impl<'a> LinkWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Adds a link that makes an account, under the hash of its secret. A new invitation takes the place of the address's earlier one.
    pub async fn insert(self, _: &Permit<to::InviteUsers>, link: &Link, hash: &SecretHash) -> Result<(), Error> {
        debug_assert!(link.user.is_none(), "a link for a user takes a permit to their account");
        self.add(link, None, hash).await
    }

    /// Adds a link that opens or changes an account, under the hash of its secret.
    pub async fn insert_for_user(self, permit: &Permit<to::Account>, link: &Link, hash: &SecretHash) -> Result<(), Error> {
        self.add(link, Some(permit.account()), hash).await
    }

    async fn add(self, link: &Link, user: Option<UserId>, hash: &SecretHash) -> Result<(), Error> {
        let row = ActiveModel {
            id: Set(Stored(link.id)),
            hash: Set(Stored(*hash)),
            kind: Set(Stored(link.kind)),
            email: Set(Stored(link.email.clone())),
            user_id: Set(user.map(Stored)),
            role: Set(link.role.map(Stored)),
            invited_by: Set(link.invited_by.map(Stored)),
            created_at: Set(Stored(link.created_at)),
            expires_at: Set(Stored(link.expires_at)),
        };
        let replaced = [Column::Id, Column::Hash, Column::Role, Column::InvitedBy, Column::CreatedAt, Column::ExpiresAt];
        let instead = OnConflict::column(Column::Email).target_and_where(is_invitation()).update_columns(replaced).to_owned();
        Entity::insert(row).on_conflict(instead).exec_without_returning(&self.executor).await?;
        Ok(())
    }

    /// Takes a link, expired or not. Of several who take it at once one gets it.
    pub async fn take(self, hash: &SecretHash) -> Result<Option<Link>, Error> {
        self.executor.take(Entity::delete_many().filter(Column::Hash.eq(Stored(*hash)))).await
    }

    /// Gives an invitation another secret and more time: the link that was sent before opens nothing any more. Whoever renews it
    /// answers for it from then on.
    pub async fn renew_invitation(
        self,
        _: &Permit<to::InviteUsers>,
        id: LinkId,
        hash: &SecretHash,
        expires_at: Timestamp,
        by: Option<UserId>,
    ) -> Result<Option<Link>, Error> {
        let renewed = ActiveModel {
            hash: Set(Stored(*hash)),
            expires_at: Set(Stored(expires_at)),
            invited_by: Set(by.map(Stored)),
            ..ActiveModel::default()
        };
        let invitation = Entity::update_many().filter(Column::Id.eq(Stored(id))).filter(is_invitation());
        self.executor.change(invitation.set(renewed)).await
    }

    /// Takes an invitation back.
    pub async fn take_invitation(self, _: &Permit<to::InviteUsers>, id: LinkId) -> Result<Option<Link>, Error> {
        self.executor.take(Entity::delete_many().filter(Column::Id.eq(Stored(id))).filter(is_invitation())).await
    }

    /// Removes every link that was sent to a user or to their address: they were disabled, or the address is another now.
    pub async fn delete_for_user(self, permit: &Permit<to::Account>, email: &Email) -> Result<u64, Error> {
        self.delete(Column::UserId.eq(Stored(permit.account())).or(Column::Email.eq(email.as_str()))).await
    }

    /// Removes what a user made for others: invitations that nobody has accepted, and recoveries that nobody has used.
    pub async fn delete_by_inviter(self, permit: &Permit<to::Account>) -> Result<u64, Error> {
        self.delete(Column::InvitedBy.eq(Stored(permit.account()))).await
    }

    /// Removes the links of a user that are for one thing.
    pub async fn delete_kind_for_user(self, permit: &Permit<to::Account>, kind: LinkKind) -> Result<u64, Error> {
        self.delete(Column::UserId.eq(Stored(permit.account())).and(Column::Kind.eq(Stored(kind)))).await
    }

    async fn delete(self, links: Expr) -> Result<u64, Error> {
        Ok(Entity::delete_many().filter(links).exec(&self.executor).await?.rows_affected)
    }

    /// Removes up to `limit` links whose time was over at `before`, and says how many.
    pub async fn prune(self, before: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "links", "expires_at <= $1", vec![time_value(before)], limit).await
    }
}

impl From<entity::Model> for Link {
    fn from(row: entity::Model) -> Self {
        Self {
            id: row.id.0,
            kind: row.kind.0,
            email: row.email.0,
            user: row.user_id.map(|id| id.0),
            role: row.role.map(|role| role.0),
            invited_by: row.invited_by.map(|id| id.0),
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
        }
    }
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
                tx.links().insert(&fixtures::permit(), &link, &hash).await.unwrap();
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
                tx.links().insert_for_user(&fixtures::account(user.id), &of(n, kind), &[n; 32]).await.unwrap();
            }
            let open = async |kind, user, at| tx.reader().links().open_for_user(kind, user, fixtures::at(at)).await.unwrap();
            assert_eq!(open(LinkKind::EmailChange, user.id, 8).await, Some(of(2, LinkKind::EmailChange)));
            assert_eq!(open(LinkKind::EmailChange, user.id, 9).await, None);
            assert_eq!(open(LinkKind::EmailChange, fixtures::user(2).id, 8).await, None);
        }

        async fn of_many_who_take_a_link_one_gets_it(store: Store) {
            let tx = store.write().await.unwrap();
            tx.links().insert(&fixtures::permit(), &link(1, LinkKind::SignUp), &[1; 32]).await.unwrap();
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
            tx.links().insert(&fixtures::permit(), &link(1, LinkKind::Invitation), &[1; 32]).await.unwrap();
            let again = Link { id: LinkId::from_parts(1, 7), role: Some(Role::Editor), ..link(1, LinkKind::Invitation) };
            tx.links().insert(&fixtures::permit(), &again, &[2; 32]).await.unwrap();
            assert_eq!(tx.reader().links().by_hash(&[1; 32]).await.unwrap(), None);
            assert_eq!(tx.reader().links().invitations(None, 10).await.unwrap(), [again]);
            // Other links to the same address are not in its way.
            tx.links().insert(&fixtures::permit(), &Link { id: LinkId::from_parts(1, 8), ..link(1, LinkKind::SignUp) }, &[3; 32]).await.unwrap();
            tx.links().insert(&fixtures::permit(), &Link { id: LinkId::from_parts(1, 9), ..link(1, LinkKind::SignUp) }, &[4; 32]).await.unwrap();
            assert_eq!(tx.reader().links().invitations(None, 10).await.unwrap().len(), 1);
        }

        async fn an_invitation_that_is_renewed_has_another_secret(store: Store) {
            let tx = store.write().await.unwrap();
            let invitation = link(1, LinkKind::Invitation);
            tx.links().insert(&fixtures::permit(), &invitation, &[1; 32]).await.unwrap();
            let renewed = tx.links().renew_invitation(&fixtures::permit(), invitation.id, &[2; 32], fixtures::at(20), None).await.unwrap();
            assert_eq!(renewed, Some(Link { expires_at: fixtures::at(20), ..invitation.clone() }));
            assert_eq!(tx.reader().links().by_hash(&[1; 32]).await.unwrap(), None);
            assert_eq!(tx.reader().links().by_hash(&[2; 32]).await.unwrap(), renewed);
            assert_eq!(tx.links().take_invitation(&fixtures::permit(), invitation.id).await.unwrap(), renewed);
            assert_eq!(tx.links().renew_invitation(&fixtures::permit(), invitation.id, &[3; 32], fixtures::at(20), None).await.unwrap(), None);
        }

        async fn pages_of_invitations_follow_each_other(store: Store) {
            let tx = store.write().await.unwrap();
            for n in 1..=5 {
                tx.links().insert(&fixtures::permit(), &link(n, LinkKind::Invitation), &[u8::try_from(n).unwrap(); 32]).await.unwrap();
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
            tx.links().insert_for_user(&fixtures::account(fixtures::user(1).id), &of(1, 1, LinkKind::MagicLink), &[1; 32]).await.unwrap();
            tx.links().insert_for_user(&fixtures::account(fixtures::user(1).id), &of(2, 1, LinkKind::EmailChange), &[2; 32]).await.unwrap();
            tx.links().insert_for_user(&fixtures::account(fixtures::user(2).id), &of(3, 2, LinkKind::MagicLink), &[3; 32]).await.unwrap();
            assert_eq!(tx.links().delete_kind_for_user(&fixtures::account(fixtures::user(1).id), LinkKind::EmailChange).await.unwrap(), 1);
            assert_eq!(tx.links().delete_for_user(&fixtures::account(fixtures::user(1).id), &fixtures::user(1).email).await.unwrap(), 1);
            assert!(tx.reader().links().by_hash(&[3; 32]).await.unwrap().is_some());
        }

        async fn links_that_are_over_are_removed(store: Store) {
            let tx = store.write().await.unwrap();
            tx.links().insert(&fixtures::permit(), &link(1, LinkKind::SignUp), &[1; 32]).await.unwrap();
            assert_eq!(tx.links().prune(fixtures::at(8), 100).await.unwrap(), 0);
            assert_eq!(tx.links().prune(fixtures::at(9), 100).await.unwrap(), 1);
        }
    }
}
