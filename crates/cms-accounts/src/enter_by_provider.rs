//! Whom an account at a provider signs in: who is connected to it, who has its address, or somebody new whom the site lets in.

use cms_auth::provider::Identity;
use cms_domain::{
    access::{Access, to},
    event::Event,
    id::SessionId,
    user::{Email, PersonName, Role, User},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, LINK, NEW_ACCOUNT, STALE, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::{SecretHash, StoredConnection};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::{
    Services,
    allowed_domains::domain_role,
    connections,
    invitations::take_invitation,
    notices::{self, Notice},
    session::{self, Method},
    setup, vouched,
};

/// The longest address of a picture.
const AVATAR: usize = 2000;

/// What somebody goes to a provider for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) enum Purpose {
    /// To sign in, or up.
    SignIn {
        /// The invitation that they accept, by the hash of its secret.
        invitation: Option<SecretHash>,
    },
    /// To have their account there sign them in from now on.
    Connect,
    /// To prove that they still are who has a session.
    Prove {
        /// The session.
        session: SessionId,
    },
}

/// What a provider told of somebody, as far as it can be kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(crate) struct Told {
    account: String,
    email: Option<Email>,
    /// Whether the provider saw them read mail to the address.
    verified: bool,
    name: Option<PersonName>,
    avatar: Option<String>,
}

impl Told {
    /// What cannot be kept is left out: a strange name is no reason not to let somebody in.
    pub(crate) fn new(identity: &Identity) -> Self {
        let avatar = identity.avatar.clone().filter(|avatar| {
            avatar.len() <= AVATAR && avatar.bytes().all(|byte| byte.is_ascii_graphic()) && avatar.starts_with("https://")
        });
        // An address that stands for none is none.
        let email = identity.email.as_ref().filter(|email| !email.address.is_placeholder());
        Self {
            account: identity.account.clone(),
            email: email.map(|email| email.address.clone()),
            verified: email.is_some_and(|email| email.verified),
            name: identity.name.as_deref().and_then(|name| name.parse().ok()),
            avatar,
        }
    }

    /// The address, if it proves anything.
    fn proven(&self) -> Option<&Email> {
        self.email.as_ref().filter(|_| self.verified)
    }
}

/// Sign in whoever has an account at a provider.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EnterByProvider {
    pub(crate) provider: String,
    /// Who vouches for the account.
    pub(crate) issuer: String,
    pub(crate) told: Told,
    pub(crate) purpose: Purpose,
    /// The role that the provider's own policy gives to somebody new.
    pub(crate) role: Option<Role>,
}

/// Somebody is signed in, or their account is connected.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Entered {
    /// Always true.
    pub success: bool,
}

impl Operation for EnterByProvider {
    const ID: &'static str = "provider.sign_in";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[
        LINK,
        NEW_ACCOUNT,
        THING,
        STALE,
        &[Code::ProofRejected, Code::EmailMismatch, Code::SignInRefused, Code::ChallengeExpired, Code::DomainNotAllowed],
    ];
    type Output = Entered;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Entered, Error> {
        connections::adopt(cx).await?;
        let known = cx.tx().await?.reader().connections().by_account(&self.issuer, &self.told.account).await?;
        match self.purpose {
            Purpose::Connect => self.connect_caller(cx, known).await?,
            Purpose::Prove { session } => self.prove_caller(cx, known, session).await?,
            Purpose::SignIn { invitation } => {
                let user = self.find_or_make(cx, known, invitation).await?;
                session::open(cx, &self.told, &user, &Method::Provider(self.provider)).await?;
            }
        }
        Ok(Entered { success: true })
    }
}

impl EnterByProvider {
    async fn connect_caller(&self, cx: &mut Cx<'_>, known: Option<(StoredConnection, User)>) -> Result<(), Error> {
        let id = cx.account()?;
        match known {
            Some((_, user)) if user.id == id => Ok(()),
            Some(_) => Err(refused("already_connected")),
            None => {
                let user = cx.tx().await?.users().lock(id).await?.filter(|user| !user.disabled);
                let user = user.ok_or_else(|| Error::new(Code::AccountDisabled))?;
                self.connect(cx, &user).await?;
                self.tell(cx, &user).await
            }
        }
    }

    /// The account has to be connected to the caller already, and the caller's session to be the one that was left for the provider.
    async fn prove_caller(self, cx: &mut Cx<'_>, known: Option<(StoredConnection, User)>, asked: SessionId) -> Result<(), Error> {
        match (known, session::of(cx.actor())) {
            (Some((connection, user)), Some((caller, own))) if user.id == caller && own == asked => {
                self.note_use(cx, connection).await?;
                session::renew(cx, &Method::Provider(self.provider)).await
            }
            _ => Err(refused("proof_rejected")),
        }
    }

    /// Notes what the provider told of an account that is connected.
    async fn note_use(&self, cx: &mut Cx<'_>, connection: StoredConnection) -> Result<(), Error> {
        let now = cx.now();
        let email = self.told.email.as_ref().map(ToString::to_string);
        let name = self.told.name.as_ref().map(ToString::to_string);
        let used = StoredConnection { email, name, last_used_at: Some(now), ..connection };
        Ok(cx.tx().await?.connections().used(&used).await?)
    }

    async fn find_or_make(
        &self,
        cx: &mut Cx<'_>,
        known: Option<(StoredConnection, User)>,
        invitation: Option<SecretHash>,
    ) -> Result<User, Error> {
        if let Some((connection, user)) = known {
            self.note_use(cx, connection).await?;
            return Ok(user);
        }
        let with_address = match &self.told.email {
            Some(email) => cx.read().users().by_email(email).await?,
            None => None,
        };
        match with_address {
            // Whoever has not shown the provider that they read mail to an address is not taken for whoever has it here.
            Some(_) if !self.told.verified => Err(refused("signup_not_allowed")),
            Some(user) if user.disabled => Err(Error::new(Code::AccountDisabled)),
            // They sign in as they did before, and connect the account themselves.
            Some(_) if cx.options().policies.not_linked_by_address.contains(&self.provider) => Err(refused("not_linked")),
            Some(user) => {
                let user = self.confirm(cx, user).await?;
                self.connect(cx, &user).await?;
                self.tell(cx, &user).await?;
                Ok(user)
            }
            None => {
                let role = self.role_of_somebody_new(cx, invitation).await?;
                self.make(cx, role).await
            }
        }
    }

    /// The role that somebody gets who has no account: what they were invited to, Admin in the browser that sets up the site, what
    /// their address's domain gives, or what the provider's own policy says. Without one of them they get none.
    async fn role_of_somebody_new(&self, cx: &mut Cx<'_>, invitation: Option<SecretHash>) -> Result<Role, Error> {
        if let Some(invitation) = invitation {
            let email = self.told.proven().ok_or_else(|| refused("invite_email_unverified"))?;
            return Ok(take_invitation(cx, &invitation, email).await?.role);
        }
        if setup::admit(cx).await.is_ok() {
            // Of several who set the site up at once one becomes Admin.
            setup::complete(cx)
                .await
                .map_err(|error| if error.code() == Code::NotFound { refused("signup_not_allowed") } else { error })?;
            return Ok(Role::Admin);
        }
        let by_domain = match self.told.proven() {
            Some(email) => domain_role(cx, email).await?,
            None => None,
        };
        by_domain.or(self.role).ok_or_else(|| refused("signup_not_allowed"))
    }

    /// Makes an account. One whose provider proves no address gets one that stands for none.
    async fn make(&self, cx: &mut Cx<'_>, role: Role) -> Result<User, Error> {
        let email = match self.told.proven() {
            Some(email) => email.clone(),
            None => placeholder(&self.provider, &self.issuer, &self.told.account)?,
        };
        let user = User {
            email_verified: self.told.verified,
            name: self.told.name.clone().map(PersonName::into_string),
            avatar_url: self.told.avatar.clone(),
            ..User::new(cx.new_id(), email, role, cx.now())
        };
        // Nobody is signed in yet: the rules above are the permission.
        let permit = vouched::by(&self.told, to::ManageUsers)?;
        cx.tx().await?.users().insert(&permit, &user).await.map_err(somebody_was_faster)?;
        cx.emit(Event::User { user: user.id });
        cx.audit_as(Some(user.id), "user", user.id, &json!({ "provider": self.provider, "role": user.role }));
        self.connect(cx, &user).await?;
        Ok(user)
    }

    /// The provider's word is as good as an answer to a letter of ours.
    async fn confirm(&self, cx: &mut Cx<'_>, user: User) -> Result<User, Error> {
        if user.email_verified {
            return Ok(user);
        }
        let user = User { email_verified: true, updated_at: cx.now(), ..user };
        let permit = vouched::by(&self.told, to::Account(user.id))?;
        cx.tx().await?.users().update_account(&permit, &user).await?;
        cx.emit(Event::User { user: user.id });
        Ok(user)
    }

    /// Tells somebody who had an account before that another one opens it from now on.
    async fn tell(&self, cx: &mut Cx<'_>, user: &User) -> Result<(), Error> {
        let label =
            Services::of(cx.cms()).providers.get(&self.provider).map_or_else(|_| self.provider.clone(), |known| known.label().to_owned());
        notices::tell(cx, user.id, Notice::Connected(&label)).await
    }

    async fn connect(&self, cx: &mut Cx<'_>, user: &User) -> Result<(), Error> {
        let connection = StoredConnection {
            id: cx.new_id(),
            provider: self.provider.clone(),
            issuer: Some(self.issuer.clone()),
            account: self.told.account.clone(),
            user: user.id,
            email: self.told.email.as_ref().map(ToString::to_string),
            name: self.told.name.as_ref().map(ToString::to_string),
            created_at: cx.now(),
            last_used_at: Some(cx.now()),
        };
        let permit = vouched::by(&self.told, to::Account(user.id))?;
        if !cx.tx().await?.connections().insert(&permit, &connection).await? {
            return Err(Error::new(Code::Busy));
        }
        cx.audit_as(Some(user.id), "connection", &connection.account, &json!({ "provider": connection.provider }));
        Ok(())
    }
}

/// Of two who come back at once for the first time, one makes the account, and the other finds it when it looks again.
fn somebody_was_faster(error: cms_storage::Error) -> Error {
    let error = Error::from(error);
    if error.code() == Code::EmailInUse { Error::new(Code::Busy) } else { error }
}

/// The address of somebody whose provider proves none: always the same for an account, and nobody's (RFC 2606, section 2).
fn placeholder(provider: &str, issuer: &str, account: &str) -> Result<Email, Error> {
    // An account has no control characters.
    let digest = Sha256::digest(format!("{issuer}\n{account}").as_bytes());
    let local = u128::from_be_bytes(std::array::from_fn(|n| digest[n]));
    format!("{local:032x}@{provider}.invalid").parse().map_err(Error::internal)
}

/// Somebody is not let in, for a reason that the sign-in page knows.
pub(crate) fn refused(reason: &'static str) -> Error {
    Error::new(Code::SignInRefused).details(serde_json::json!({ "reason": reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_an_address_that_nobody_has() {
        let of = |issuer: &str, account: &str| placeholder("atproto", issuer, account).unwrap();
        let email = of("provider:atproto", "did:plc:z72i7hdynmk6r22z27h6tvur");
        assert!(email.is_placeholder());
        assert_ne!(email, of("provider:atproto", "did:plc:z72i7hdynmk6r22z27h6tvus"));
        assert_ne!(email, of("https://id.example", "did:plc:z72i7hdynmk6r22z27h6tvur"));
    }
}
