//! What tests do that nobody else may: open a session for somebody, or spend an invitation.

use cms_auth::provider::Identity;
use cms_domain::{
    access::{Access, to},
    id::UserId,
    user::{Email, Role},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, LINK, NEW_ACCOUNT},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    accept_invitation::take_invitation,
    enter_by_provider::{EnterByProvider, Purpose, Told},
    links::LinkToken,
    session::{self, SignedIn},
    vouched::Evidence,
};

/// The user that systems of tests have for a role.
pub fn user(role: Role) -> UserId {
    UserId::from_parts(0, role.level().into())
}

/// Sign in the user of a role, who need not prove anything: for tests of what comes after. No other system has it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The role.
    pub role: Role,
}

impl Operation for SignIn {
    const ID: &'static str = "test.sign_in";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("testSignIn", "/test/sign-in").internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        let user = cx.read().users().by_id(user(self.role)).await?.ok_or_else(|| Error::new(Code::NotFound))?;
        session::open(cx, &self, &user, &session::Method::Passkey).await
    }
}

impl Evidence<to::Account> for SignIn {}

/// Spend an invitation as somebody does who signs in at a provider.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TakeInvitation {
    /// The secret.
    pub token: LinkToken,
    /// The address that is theirs.
    pub email: Email,
}

/// What was taken.
#[derive(Serialize, JsonSchema)]
pub struct Taken {
    /// The address.
    pub email: Email,
    /// The role that they were invited to.
    pub role: Role,
}

impl Operation for TakeInvitation {
    const ID: &'static str = "test.take_invitation";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT, &[Code::EmailMismatch]];
    type Output = Taken;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Taken, Error> {
        let invited = take_invitation(cx, &self.token.hash(), &self.email).await?;
        Ok(Taken { email: invited.email, role: invited.role })
    }
}

/// What lets somebody in whom a provider knows, as when they came back from there.
pub fn enter_by_provider(provider: &str, issuer: &str, identity: &Identity) -> EnterByProvider {
    EnterByProvider {
        provider: provider.to_owned(),
        issuer: issuer.to_owned(),
        told: Told::new(identity),
        purpose: Purpose::SignIn { invitation: None },
        role: None,
    }
}
