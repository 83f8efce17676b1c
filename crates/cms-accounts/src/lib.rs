//! The people of a headless CMS: who they are, how they sign in, and what they let programs do for them.
//!
//! Nobody has a password. People come in with a passkey, by a link that is sent to them, through a provider, or through a gateway that vouches for them, and
//! programs come in with tokens: those that their users make by hand, and those that applications get from the OAuth 2.1 server in [`oauth`]. As with content,
//! each thing that can be done is an operation. `cms-core` has this crate inside as `cms_core::accounts`.
//!
//! ```
//! use cms_accounts::{tokens::CreateToken, users::CreateUser};
//! use cms_core::{Door, Options};
//! use cms_domain::{access::{Access, Actor, Permission, Scope}, user::Role};
//! use cms_storage::{Store, StoreOptions};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::open(&StoreOptions::new("sqlite::memory:")).await?;
//! store.migrate().await?;
//! let cms = cms_core::open(store, Options::default());
//!
//! let ada = CreateUser {
//!     email: "ada@example.com".parse()?,
//!     name: Some("Ada".parse()?),
//!     role: Role::Author,
//! };
//! let ada = cms.invoke(&Actor::System, Door::Local, ada).await?;
//! let token = CreateToken {
//!     user: Some("ada@example.com".parse()?),
//!     name: "her laptop".to_owned(),
//!     scopes: [Scope::ContentRead].into(),
//!     expires_at: None,
//! };
//! let token = cms.invoke(&Actor::System, Door::Local, token).await?.token;
//!
//! // Whoever sends the token is Ada, and may do no more than the token is for.
//! let caller = cms.identify(&token).await?;
//! assert_eq!(caller.user(), Some(ada.id));
//! let reading = Access::Needs(Scope::ContentRead, Permission::ContentRead);
//! assert!(caller.admit(reading, false).is_ok());
//! let writing = Access::Needs(Scope::ContentWrite, Permission::ContentCreate);
//! assert!(caller.admit(writing, false).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! # Who does what
//!
//! `cms-auth` says whether a proof is genuine, this crate decides what follows from it, and `cms-storage` remembers. Every way in ends in [`session`], so that
//! there is one place where somebody is let in; and what a browser brings back was asked for before, and is taken once.
//!
//! # Where to go on
//!
//! - [`Services`]: what others do for a site. Bring [`mail::Mail`] to have letters sent, and [`providers`] to have people sign in elsewhere.
//! - [`users`], [`invitations`] and [`sign_up`]: how people get an account. [`passkeys`], [`magic_link`], [`provider_sign_in`]: how they come in.
//! - [`proof`]: why somebody who is signed in is asked again before they change what opens their account.
//! - [`audit`]: what happened, and who did it.
//! - [`operations`]: all of them, as data.

pub mod accept_invitation;
pub mod account;
pub mod allowed_domains;
pub mod audit;
pub mod audit_export;
pub mod binary;
mod challenge;
pub mod connections;
pub mod email_change;
pub mod end_access;
mod endings;
pub mod enter_by_provider;
pub mod gateway;
mod identity;
pub mod invitations;
mod left_out;
pub mod links;
pub mod magic_link;
pub mod mail;
mod notices;
pub mod oauth;
pub mod passkey_sign_in;
pub mod passkeys;
pub mod policies;
pub mod proof;
pub mod prove_by_link;
pub mod prove_by_passkey;
pub mod prove_by_provider;
pub mod provider_records;
pub mod provider_sign_in;
pub mod providers;
pub mod recovery;
pub mod registration;
pub mod rescue;
mod roles;
mod services;
pub mod session;
pub mod sessions;
pub mod setup;
pub mod sign_up;
mod site;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tokens;
pub mod users;
mod vouched;
mod ways;
pub mod wires;

use std::sync::Arc;

use cms_domain::{
    access::{Actor, Caller},
    event::Event,
    time::Timestamp,
};
use cms_frame::{
    Cms, Error,
    area::Area,
    callers::Callers,
    descriptor::{self, Descriptor, Group, Pending},
    following::Following,
};
use cms_storage::Reader;

pub use identity::Credential;
pub use roles::no_user;
pub use services::Services;

use identity::Identities;

/// What accounts keep in memory: who credentials belong to, and what others do for the site.
pub struct Accounts {
    services: Services,
    identities: Identities,
}

impl Accounts {
    /// The accounts of a system that is put together.
    pub fn new(services: Services, following: Arc<Following>) -> Self {
        Self { services, identities: Identities::new(following) }
    }

    /// The accounts of a system.
    pub(crate) fn of(cms: &Cms) -> &Self {
        cms.area()
    }

    /// The uses of credentials since the last call, for whoever writes them down.
    pub fn take_used(cms: &Cms) -> Vec<(Credential, Timestamp)> {
        Self::of(cms).identities.take_used()
    }
}

impl Services {
    /// What others do for a system.
    pub fn of(cms: &Cms) -> &Self {
        &Accounts::of(cms).services
    }
}

impl Area for Accounts {
    fn follow(&self, event: &Event) {
        match event {
            Event::User { .. } | Event::Token { .. } | Event::Application { .. } | Event::SignedOut { .. } => self.identities.forget(),
            Event::Entry { .. } | Event::Schema { .. } | Event::Job { .. } | Event::Thing { .. } | Event::Custom { .. } => {}
        }
    }

    fn forget(&self) {
        self.identities.forget();
    }
}

impl Callers for Accounts {
    fn identify<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, token: &'a str) -> Pending<'a, Result<Actor, Error>> {
        Box::pin(self.identities.identify(cms, rows, token))
    }

    fn identify_session<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, secret: &'a str) -> Pending<'a, Result<Actor, Error>> {
        Box::pin(self.identities.identify_session(cms, rows, secret))
    }

    fn must_stand<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, caller: &'a Caller, holding: bool) -> Pending<'a, Result<(), Error>> {
        Box::pin(identity::must_stand(cms, rows, caller, holding, self.services.gateway.is_some()))
    }

    fn must_have_proven<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, actor: &'a Actor, now: Timestamp) -> Pending<'a, Result<(), Error>> {
        Box::pin(proof::require(cms, rows, actor, now))
    }

    fn behind_gateway(&self) -> Option<&'static str> {
        self.services.gateway.as_ref().map(|_| gateway::ABSENT)
    }
}

/// What operations about users are about, those included that are made of more than accounts.
pub const USERS: Group = Group { prefix: "user", name: "Users", about: "Who may sign in, and what lets them in." };

/// What operations are about.
const GROUPS: [Group; 3] = [
    Group { prefix: "token", name: "Access tokens", about: "What programs sign in with." },
    USERS,
    Group { prefix: "allowed_domain", name: "Allowed domains", about: "Domains whose people may make accounts themselves." },
];

/// The operations of accounts, without those of ways in that this program leaves out.
pub fn operations() -> Vec<Descriptor> {
    let operations = all_operations().into_iter().filter(|operation| !left_out::is_left_out(operation.id)).collect();
    descriptor::grouped(&GROUPS, operations)
}

fn all_operations() -> Vec<Descriptor> {
    vec![
        Descriptor::of::<account::GetAccount>(),
        Descriptor::of::<account::UpdateAccount>(),
        Descriptor::of::<account::NoteSeen>(),
        Descriptor::of::<users::CreateUser>(),
        Descriptor::of::<rescue::RescueAdmin>(),
        Descriptor::of::<users::ListUsers>(),
        Descriptor::of::<users::GetUser>(),
        Descriptor::of::<users::UpdateUser>(),
        Descriptor::of::<users::DisableUser>(),
        Descriptor::of::<users::EnableUser>(),
        Descriptor::of::<users::ListUserSessions>(),
        Descriptor::of::<users::RevokeUserSessions>(),
        Descriptor::of::<policies::ListPolicies>(),
        Descriptor::of::<end_access::EndUserAccess>(),
        Descriptor::of::<end_access::RevokeUserSession>(),
        Descriptor::of::<end_access::RevokeUserPasskey>(),
        Descriptor::of::<end_access::RevokeUserToken>(),
        Descriptor::of::<end_access::RevokeUserGrant>(),
        Descriptor::of::<audit::ListAudit>(),
        Descriptor::of::<audit_export::NoteExport>(),
        Descriptor::of::<sessions::ListSessions>(),
        Descriptor::of::<sessions::RevokeSession>(),
        Descriptor::of::<sessions::RevokeOtherSessions>(),
        Descriptor::of::<sessions::SignOut>(),
        Descriptor::of::<setup::OfferSetup>(),
        Descriptor::of::<setup::GetSetupStatus>(),
        Descriptor::of::<setup::BeginSetup>(),
        Descriptor::of::<setup::BeginFirstAdmin>(),
        Descriptor::of::<setup::FinishSetup>(),
        Descriptor::of::<passkey_sign_in::BeginSignIn>(),
        Descriptor::of::<passkey_sign_in::FinishSignIn>(),
        Descriptor::of::<proof::GetProof>(),
        Descriptor::of::<prove_by_passkey::BeginPasskeyProof>(),
        Descriptor::of::<prove_by_passkey::FinishPasskeyProof>(),
        Descriptor::of::<prove_by_link::SendProofLink>(),
        Descriptor::of::<prove_by_link::UseProofLink>(),
        Descriptor::of::<prove_by_provider::BeginProviderProof>(),
        Descriptor::of::<passkeys::ListPasskeys>(),
        Descriptor::of::<passkeys::BeginPasskey>(),
        Descriptor::of::<passkeys::RegisterPasskey>(),
        Descriptor::of::<passkeys::RenamePasskey>(),
        Descriptor::of::<passkeys::RemovePasskey>(),
        Descriptor::of::<tokens::CreateToken>(),
        Descriptor::of::<tokens::ListTokens>(),
        Descriptor::of::<tokens::RevokeToken>(),
        Descriptor::of::<oauth::authorize::BeginAuthorization>(),
        Descriptor::of::<oauth::request::DescribeAuthorization>(),
        Descriptor::of::<oauth::authorize::DecideAuthorization>(),
        Descriptor::of::<oauth::token_request::IssueToken>(),
        Descriptor::of::<oauth::revoke::RevokeGrantedToken>(),
        Descriptor::of::<oauth::register::RegisterOAuthClient>(),
        Descriptor::of::<oauth::device::RequestDeviceCode>(),
        Descriptor::of::<oauth::device_approval::DescribeDevice>(),
        Descriptor::of::<oauth::device_approval::DecideDevice>(),
        Descriptor::of::<oauth::grants::ListGrants>(),
        Descriptor::of::<oauth::grants::NarrowGrant>(),
        Descriptor::of::<oauth::grants::RevokeGrant>(),
        Descriptor::of::<oauth::clients::ListOAuthClients>(),
        Descriptor::of::<oauth::clients::CreateOAuthClient>(),
        Descriptor::of::<oauth::clients::GetOAuthClient>(),
        Descriptor::of::<oauth::clients::UpdateOAuthClient>(),
        Descriptor::of::<oauth::clients::DeleteOAuthClient>(),
        Descriptor::of::<magic_link::SendMagicLink>(),
        Descriptor::of::<magic_link::WriteMagicLink>(),
        Descriptor::of::<magic_link::VerifyMagicLink>(),
        Descriptor::of::<recovery::SendRecovery>(),
        Descriptor::of::<recovery::MakeRecovery>(),
        Descriptor::of::<sign_up::RequestSignUp>(),
        Descriptor::of::<sign_up::WriteSignUp>(),
        Descriptor::of::<sign_up::CheckSignUp>(),
        Descriptor::of::<sign_up::BeginSignUp>(),
        Descriptor::of::<sign_up::CompleteSignUp>(),
        Descriptor::of::<invitations::ListInvitations>(),
        Descriptor::of::<invitations::Invite>(),
        Descriptor::of::<invitations::MakeInvitation>(),
        Descriptor::of::<invitations::ResendInvitation>(),
        Descriptor::of::<invitations::RenewInvitation>(),
        Descriptor::of::<invitations::RevokeInvitation>(),
        Descriptor::of::<accept_invitation::CheckInvitation>(),
        Descriptor::of::<accept_invitation::BeginInvitation>(),
        Descriptor::of::<accept_invitation::CompleteInvitation>(),
        Descriptor::of::<allowed_domains::ListAllowedDomains>(),
        Descriptor::of::<allowed_domains::AddAllowedDomain>(),
        Descriptor::of::<allowed_domains::UpdateAllowedDomain>(),
        Descriptor::of::<allowed_domains::DeleteAllowedDomain>(),
        Descriptor::of::<email_change::ChangeEmail>(),
        Descriptor::of::<email_change::CancelEmailChange>(),
        Descriptor::of::<email_change::ConfirmEmail>(),
        Descriptor::of::<email_change::RefuseEmailChange>(),
        Descriptor::of::<providers::GetAuthMode>(),
        Descriptor::of::<provider_sign_in::BeginProviderSignIn>(),
        Descriptor::of::<provider_sign_in::FinishProviderSignIn>(),
        Descriptor::of::<provider_sign_in::TakeProviderSignIn>(),
        Descriptor::of::<enter_by_provider::EnterByProvider>(),
        Descriptor::of::<connections::ListConnections>(),
        Descriptor::of::<connections::BeginConnection>(),
        Descriptor::of::<connections::RemoveConnection>(),
        Descriptor::of::<connections::AdoptConnections>(),
        Descriptor::of::<provider_records::PutRecord>(),
        Descriptor::of::<provider_records::GetRecord>(),
        Descriptor::of::<provider_records::TakeRecord>(),
        Descriptor::of::<gateway::EnterByGateway>(),
    ]
}
