//! Making an account oneself, because one's domain is allowed to.

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
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    allowed_domains::domain_role,
    challenge,
    links::{self, LetterAsked, LetterWritten, LinkToken, Page, Welcome},
    magic_link::{may_write, write_later},
    mail::{self, letters::Writer},
    registration::{self, CreationOptions, NewAccount, RegistrationCredential},
    session::{Method, SignedIn},
};

/// What a passkey is called that came with its account.
pub(crate) const FIRST_PASSKEY: &str = "Initial passkey";

/// Ask for a link to make an account with.
///
/// The answer is the same, and comes as fast, whether or not people of the domain may, and whether or not there is an account.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestSignUp {
    /// The address of the account.
    pub email: Email,
}

impl Operation for RequestSignUp {
    const ID: &'static str = "sign_up.request";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("requestSignUp", "/auth/signup/request").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::LETTERS);
    const FAILURES: Failures = &[&[Code::EmailNotConfigured, Code::DomainNotAllowed]];
    type Output = LetterAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterAsked, Error> {
        mail::can_send(cx.cms())?;
        let browser = challenge::browser(cx)?;
        write_later(cx, WriteSignUp { email: self.email, browser });
        Ok(LetterAsked { success: true, message: "if people with this address may make accounts, a link is on its way to it".to_owned() })
    }
}

/// Write a letter with a link to make an account with.
///
/// To addresses of allowed domains. Whoever has an account gets a link to sign in with.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteSignUp {
    /// The address of the account.
    pub email: Email,
    /// The browser that asked for it, by the hash of its secret.
    pub browser: SecretHash,
}

impl Operation for WriteSignUp {
    const ID: &'static str = "sign_up.write";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::RateLimited]];
    type Output = LetterWritten;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterWritten, Error> {
        if !may_write(cx, "sign_up", &self.email).await? {
            return Ok(LetterWritten { written: false });
        }
        let email = self.email;
        let user = cx.read().users().by_email(&email).await?;
        let role = domain_role(cx, &email).await?;
        let writer = Writer::of(cx).await?;
        let letter = match (user, role) {
            // Without links to sign in with there is nothing to send: the sign-in page says how else.
            (Some(user), _) if user.disabled || !cx.options().policies.magic_links => return Ok(LetterWritten { written: false }),
            (Some(user), _) => {
                let secret = links::make_for_browser(cx, email.clone(), user.id, &self.browser).await?;
                cx.audit("user", user.id, &json!({ "hadAccount": true }));
                writer.already_member(email, Page::MagicLink.with(cx, &secret))?
            }
            (None, Some(role)) => {
                let (id, now) = (cx.new_id(), cx.now());
                let expires_at = now.after(links::SIGN_IN_LIFE);
                let (kind, role) = (LinkKind::SignUp, Some(role));
                let link = Link { id, kind, email: email.clone(), user: None, role, invited_by: None, created_at: now, expires_at };
                let secret = links::make(cx, &link).await?;
                cx.audit("link", id, &json!({ "email": email }));
                writer.sign_up(email, Page::SignUp.with(cx, &secret))?
            }
            (None, None) => return Ok(LetterWritten { written: false }),
        };
        mail::post_afterwards(cx, letter);
        Ok(LetterWritten { written: true })
    }
}

/// The role that whoever has a sign-up link may make an account with. The domain is looked at again each time: it may have been
/// taken out of the list since the letter was written.
async fn admitted(cx: &Cx<'_>, link: &Link) -> Result<Role, Error> {
    links::must_be_new(cx, &link.email).await?;
    domain_role(cx, &link.email).await?.ok_or_else(|| Error::new(Code::DomainNotAllowed))
}

/// Look at a link to make an account with.
///
/// It is not spent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CheckSignUp {
    /// The secret of the link.
    pub token: LinkToken,
}

impl Operation for CheckSignUp {
    const ID: &'static str = "sign_up.check";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("verifySignUp", "/auth/signup/verify").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT, &[Code::DomainNotAllowed]];
    type Output = Welcome;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Welcome, Error> {
        let link = links::look(cx, &self.token, &[LinkKind::SignUp]).await?;
        let role = admitted(cx, &link).await?;
        Ok(Welcome::new(link.email, role))
    }
}

/// What a browser needs to make the first passkey of an account.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FirstPasskeyAsked {
    /// Always true.
    pub success: bool,
    /// For `navigator.credentials.create()`.
    pub options: CreationOptions,
}

/// Begin to make an account with a sign-up link.
///
/// The link is not spent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginSignUp {
    /// The secret of the link.
    pub token: LinkToken,
    /// The user's name.
    pub name: Option<PersonName>,
}

impl Operation for BeginSignUp {
    const ID: &'static str = "sign_up.begin";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("beginSignUp", "/auth/signup/register-options").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT, &[Code::DomainNotAllowed]];
    type Output = FirstPasskeyAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FirstPasskeyAsked, Error> {
        let link = links::look(cx, &self.token, &[LinkKind::SignUp]).await?;
        admitted(cx, &link).await?;
        let name = self.name.map(PersonName::into_string);
        let options = registration::ask(cx, &self.token.purpose(), &link.email, name.as_deref()).await?;
        Ok(FirstPasskeyAsked { success: true, options })
    }
}

/// Make an account with a sign-up link.
///
/// The link is spent, and the user is signed in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteSignUp {
    /// The secret of the link.
    pub token: LinkToken,
    /// The account's first passkey.
    pub credential: RegistrationCredential,
    /// The user's name.
    pub name: Option<PersonName>,
}

impl Operation for CompleteSignUp {
    const ID: &'static str = "sign_up.complete";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("completeSignUp", "/auth/signup/complete").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, NEW_ACCOUNT, REGISTRATION, &[Code::DomainNotAllowed]];
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        let link = links::spend(cx, &self.token, &[LinkKind::SignUp]).await?;
        let role = admitted(cx, &link).await?;
        let account = NewAccount {
            email: link.email,
            name: self.name.map(PersonName::into_string),
            role,
            email_verified: true,
            passkey_name: FIRST_PASSKEY,
        };
        registration::create_account(cx, &self.token.purpose(), self.credential, account, &Method::SignUp).await
    }
}
