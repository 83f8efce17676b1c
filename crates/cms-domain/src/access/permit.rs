//! Permits: proofs that somebody may do something, which say in their type what for.

use super::{Access, Actor, Permission, Refusal};
use crate::id::UserId;

/// Proof that an actor may do something; [`Actor::permit`] and [`Actor::permit_owned`] alone make one. It says in its type what for, and each write
/// of storage names the purpose that it asks for:
///
/// ```
/// # use cms_domain::access::{Actor, Permit, Refusal, to};
/// fn delete_field(_: &Permit<to::ManageSchema>) {}
///
/// fn run(actor: &Actor) -> Result<(), Refusal> {
///     Ok(delete_field(&actor.permit(to::ManageSchema)?))
/// }
/// ```
///
/// With a permit for something else it does not compile:
///
/// ```compile_fail
/// # use cms_domain::access::{Actor, Permit, Refusal, to};
/// fn delete_field(_: &Permit<to::ManageSchema>) {}
///
/// fn run(actor: &Actor) -> Result<(), Refusal> {
///     Ok(delete_field(&actor.permit(to::ChangeContent)?))
/// }
/// ```
///
/// It names who acts, so that the trail and the proof agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permit<P> {
    user: Option<UserId>,
    permission: Option<Permission>,
    purpose: P,
}

impl<P> Permit<P> {
    /// Who acts; nobody when the server itself does.
    pub fn user(&self) -> Option<UserId> {
        self.user
    }

    /// The permission that it was given for; none where the server alone may.
    pub fn permission(&self) -> Option<Permission> {
        self.permission
    }
}

impl Permit<to::Account> {
    /// Whose account.
    pub fn account(&self) -> UserId {
        self.purpose.0
    }
}

/// What a permit is for. A host has purposes of its own, or takes a [`Permission`] for one, which nothing of ours asks for.
pub trait Purpose {
    /// The permission that the actor needs; none where the server alone may.
    fn permission(&self, actor: &Actor) -> Option<Permission>;
}

impl Purpose for Permission {
    fn permission(&self, _: &Actor) -> Option<Permission> {
        Some(*self)
    }
}

macro_rules! purposes {
    ($($(#[$doc:meta])* $name:ident: $permission:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
            pub struct $name;

            impl Purpose for $name {
                fn permission(&self, _: &Actor) -> Option<Permission> {
                    $permission
                }
            }
        )*
    };
}

/// What permits are for.
pub mod to {
    use super::{Actor, Permission, Purpose};
    use crate::id::UserId;

    purposes! {
        /// To add entries.
        CreateContent: Some(Permission::ContentCreate);
        /// To change entries that are there: edit, publish, trash. Of one entry [`Actor::permit_owned`] gives it; for all of them it takes the
        /// permission to edit anyone's.
        ChangeContent: Some(Permission::ContentEditAny);
        /// To remove entries for ever.
        RemoveContent: Some(Permission::ContentDeletePermanent);
        /// To give out, and take back, links to what is not published.
        PreviewContent: Some(Permission::ContentReadDrafts);
        /// To change collections and fields, and what of entries follows from it.
        ManageSchema: Some(Permission::SchemaManage);
        /// To make users, and to change what they may.
        ManageUsers: Some(Permission::UsersManage);
        /// To send out, and take back, links that make accounts.
        InviteUsers: Some(Permission::UsersInvite);
        /// To say which applications may ask for access, and whose people may sign up.
        ManageConnections: Some(Permission::AuthManageConnections);
        /// To stop jobs, and to let them go on.
        ManageJobs: Some(Permission::JobsManage);
        /// To write settings, which nobody but the server does yet.
        KeepSettings: None;
    }

    /// To end a job that somebody asked for: one's own as somebody who writes, and anyone's as somebody who manages jobs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct EndJob(pub Option<UserId>);

    impl Purpose for EndJob {
        fn permission(&self, actor: &Actor) -> Option<Permission> {
            let is_own = self.0.is_some() && actor.user() == self.0;
            Some(if is_own { Permission::ContentEditOwnDraft } else { Permission::JobsManage })
        }
    }

    /// To change somebody's account: what they say of themselves, how they come in, and to whom they gave access. One's own with the permission for
    /// that, and anyone's as somebody who manages users.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Account(pub UserId);

    impl Purpose for Account {
        fn permission(&self, actor: &Actor) -> Option<Permission> {
            let is_own = actor.user() == Some(self.0);
            Some(if is_own { Permission::AuthManageOwnCredentials } else { Permission::UsersManage })
        }
    }
}

impl Actor {
    /// Proof that the actor may do something.
    pub fn permit<P: Purpose>(&self, purpose: P) -> Result<Permit<P>, Refusal> {
        let permission = purpose.permission(self);
        match (self, permission) {
            (Self::System, _) => {}
            (Self::Anonymous, _) => return Err(Refusal::NotAuthenticated),
            (_, None) => return Err(Refusal::System),
            (_, Some(permission)) if !self.may(permission) => return Err(Refusal::Permission(permission)),
            _ => {}
        }
        Ok(Permit { user: self.user(), permission, purpose })
    }

    /// Proof that the actor may act on an entry of `owner`, which somebody who may publish has `approved` or not. One without an owner is nobody's own.
    pub fn permit_owned(&self, access: Access, owner: Option<UserId>, approved: bool) -> Result<Permit<to::ChangeContent>, Refusal> {
        let Access::Owned { own, any, own_draft, .. } = access else {
            return Err(Refusal::System);
        };
        let permission = if self.may(any) || owner.is_none() || owner != self.user() {
            any
        } else {
            match own_draft {
                Some(_) if self.may(own) => own,
                Some(own_draft) if approved && self.may(own_draft) => return Err(Refusal::Approved(own)),
                Some(own_draft) => own_draft,
                None => own,
            }
        };
        let Permit { user, permission, purpose: _ } = self.permit(permission)?;
        Ok(Permit { user, permission, purpose: to::ChangeContent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        access::{Caller, CustomPermission, Via},
        user::Role,
    };

    fn person(n: u128, role: Role) -> Actor {
        Actor::User(Caller { user: UserId::from_parts(0, n), role, via: Via::Host })
    }

    #[test]
    fn an_account_is_changed_by_its_user_and_by_who_manages_users() {
        let account = to::Account(UserId::from_parts(0, 1));
        let own = person(1, Role::Subscriber).permit(account).unwrap();
        assert_eq!((own.account(), own.permission()), (account.0, Some(Permission::AuthManageOwnCredentials)));
        assert_eq!(person(2, Role::Editor).permit(account), Err(Refusal::Permission(Permission::UsersManage)));
        assert_eq!(person(2, Role::Admin).permit(account).unwrap().permission(), Some(Permission::UsersManage));
        assert_eq!(Actor::Anonymous.permit(account), Err(Refusal::NotAuthenticated));
    }

    #[test]
    fn a_job_is_ended_by_whoever_asked_for_it_and_by_who_manages_jobs() {
        let asked_by = UserId::from_parts(0, 1);
        let own = person(1, Role::Contributor).permit(to::EndJob(Some(asked_by))).unwrap();
        assert_eq!(own.permission(), Some(Permission::ContentEditOwnDraft));
        assert!(person(1, Role::Subscriber).permit(to::EndJob(Some(asked_by))).is_err());
        for job in [Some(asked_by), None] {
            assert_eq!(person(2, Role::Editor).permit(to::EndJob(job)), Err(Refusal::Permission(Permission::JobsManage)));
            assert!(person(2, Role::Admin).permit(to::EndJob(job)).is_ok());
        }
        assert_eq!(Actor::Anonymous.permit(to::EndJob(None)), Err(Refusal::NotAuthenticated));
    }

    #[test]
    fn what_is_the_servers_alone_no_admin_may() {
        assert_eq!(person(1, Role::Admin).permit(to::KeepSettings), Err(Refusal::System));
        assert_eq!(Actor::Anonymous.permit(to::KeepSettings), Err(Refusal::NotAuthenticated));
        assert_eq!(Actor::System.permit(to::KeepSettings).unwrap().permission(), None);
    }

    #[test]
    fn a_host_has_permissions_and_purposes_of_its_own() {
        const REFUND: Permission = Permission::Custom(&CustomPermission { name: "shop:refund", least_role: Role::Editor });
        #[derive(Debug, PartialEq)]
        struct Refund;
        impl Purpose for Refund {
            fn permission(&self, _: &Actor) -> Option<Permission> {
                Some(REFUND)
            }
        }
        for role in [Role::Author, Role::Editor] {
            let may = role == Role::Editor;
            assert_eq!((person(1, role).permit(REFUND).is_ok(), person(1, role).permit(Refund).is_ok()), (may, may));
        }
    }
}
