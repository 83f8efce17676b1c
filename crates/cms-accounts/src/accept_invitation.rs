//! Accepting an invitation: the invited person's side.

use cms_domain::{
    access::Access,
    user::{Email, PersonName, Role},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, LINK, NEW_ACCOUNT, REGISTRATION},
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::{Link, LinkKind, SecretHash};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{
    links::{self, LinkToken, Welcome},
    registration::{self, NewAccount, RegistrationCredential},
    session::{Method, SignedIn},
    sign_up::{FIRST_PASSKEY, FirstPasskeyAsked},
};

/// What an invited person is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invited {
    /// The address that was invited.
    pub(crate) email: Email,
    /// The role that it gets.
    pub(crate) role: Role,
}

impl Invited {
    async fn of(cx: &Cx<'_>, link: Link) -> Result<Self, Error> {
        links::must_be_new(cx, &link.email).await?;
        // Every invitation is made with a role.
        let role = link.role.ok_or_else(|| Error::internal("an invitation without a role"))?;
        Ok(Self { email: link.email, role })
    }
}

/// Spends an invitation for somebody whose address a provider vouches for. The caller makes the account in the same transaction.
///
/// Errors: `INVALID_LINK`, `TOKEN_EXPIRED`, `USER_EXISTS`, and `EMAIL_MISMATCH` when another address was invited.
pub(crate) async fn take_invitation(cx: &mut Cx<'_>, invitation: &SecretHash, verified_email: &Email) -> Result<Invited, Error> {
    let link = links::spend_hashed(cx, invitation, &[LinkKind::Invitation]).await?;
    if link.email != *verified_email {
        return Err(Error::new(Code::EmailMismatch));
    }
    Invited::of(cx, link).await
}

/// Look at an invitation.
///
/// It is not spent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckInvitation {
    /// The secret of the link.
    pub token: LinkToken,
}

impl Operation for CheckInvitation {
    const ID: &'static str = "invitation.check";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("checkInvitation", "/auth/invite/accept").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT];
    type Output = Welcome;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Welcome, Error> {
        let link = links::look(cx, &self.token, &[LinkKind::Invitation]).await?;
        let Invited { email, role } = Invited::of(cx, link).await?;
        Ok(Welcome::new(email, role))
    }
}

/// Begin to accept an invitation with a passkey.
///
/// The invitation is not spent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginInvitation {
    /// The secret of the link.
    pub token: LinkToken,
    /// The user's name.
    pub name: Option<PersonName>,
}

impl Operation for BeginInvitation {
    const ID: &'static str = "invitation.begin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginInvitation", "/auth/invite/register-options").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT];
    type Output = FirstPasskeyAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FirstPasskeyAsked, Error> {
        let link = links::look(cx, &self.token, &[LinkKind::Invitation]).await?;
        let invited = Invited::of(cx, link).await?;
        let name = self.name.map(PersonName::into_string);
        let options = registration::ask(cx, &self.token.purpose(), &invited.email, name.as_deref()).await?;
        Ok(FirstPasskeyAsked { success: true, options })
    }
}

/// Accept an invitation with a passkey.
///
/// The invitation is spent, and the user is signed in. Their address counts as confirmed if the link came from the letter that was sent there.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteInvitation {
    /// The secret of the link.
    pub token: LinkToken,
    /// The account's first passkey.
    pub credential: RegistrationCredential,
    /// The user's name.
    pub name: Option<PersonName>,
}

impl Operation for CompleteInvitation {
    const ID: &'static str = "invitation.complete";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("completeInvitation", "/auth/invite/complete").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT, REGISTRATION];
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        let link = links::spend(cx, &self.token, &[LinkKind::Invitation]).await?;
        let Invited { email, role } = Invited::of(cx, link).await?;
        let (name, email_verified) = (self.name.map(PersonName::into_string), self.token.was_mailed());
        let account = NewAccount { email, name, role, email_verified, passkey_name: FIRST_PASSKEY };
        registration::create_account(cx, &self.token.purpose(), self.credential, account, &Method::Invitation).await
    }
}
