//! Giving one's account another address: it changes when whoever reads mail to the new one confirms it.

use cms_domain::{
    access::{Access, Permission, to},
    event::Event,
    user::Email,
};
use cms_frame::{
    Code, Cookie, Cx, Error,
    failures::{Failures, LINK},
    operation::{Http, Limit, Operation, Proof, Tool},
};
use cms_storage::LinkKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    endings,
    links::{self, LetterAsked, LinkToken, Page},
    mail::{self, letters::Writer},
    notices,
    roles::no_user,
    vouched,
};

/// Give the caller's account another address.
///
/// A link goes to the new address, and a notice to the old one, with a link to refuse the change. Until the link is used the account keeps the address that it has.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeEmail {
    /// The new address.
    pub email: Email,
}

impl Operation for ChangeEmail {
    const ID: &'static str = "account.change_email";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("changeEmail", "/auth/me/email").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::LETTERS);
    const PROOF: Proof = Proof::Recent;
    const FAILURES: Failures = &[&[Code::EmailInUse, Code::EmailNotConfigured, Code::RateLimited]];
    type Output = LetterAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterAsked, Error> {
        mail::can_send(cx.cms())?;
        let id = cx.account()?;
        cx.count(&format!("email_change {id}"), links::LETTERS).await?;
        let writer = Writer::of(cx).await?;
        let permit = cx.permit(to::Account(id))?;
        let tx = cx.tx().await?;
        let user = tx.users().lock(id).await?.ok_or_else(no_user)?;
        let same = user.email == self.email;
        if same && user.email_verified {
            return Err(Error::issue("email", "SAME", "is the address that the account has, and it is confirmed"));
        }
        if !same && tx.reader().users().by_email(&self.email).await?.is_some() {
            return Err(Error::new(Code::EmailInUse));
        }
        // Of several addresses that are wanted one after the other only the last is meant.
        tx.links().delete_kind_for_user(&permit, LinkKind::EmailChange).await?;
        let secret = links::make_for_user(cx, LinkKind::EmailChange, self.email.clone(), id, links::EMAIL_CHANGE_LIFE).await?;
        cx.audit("user", id, &json!({ "email": { "from": user.email, "to": self.email } }));
        if !same {
            let refusal = links::make_for_user(cx, LinkKind::EmailRefusal, user.email.clone(), id, links::EMAIL_CHANGE_LIFE).await?;
            mail::post_afterwards(cx, writer.notice_of_change(user.email.clone(), &self.email, Page::RefuseEmail.with(cx, &refusal))?);
        }
        mail::post_afterwards(cx, writer.confirm_address(self.email, &user.email, Page::ConfirmEmail.with(cx, &secret))?);
        Ok(LetterAsked { success: true, message: "a link is on its way to the new address: it changes when the link is used".to_owned() })
    }
}

/// Keep the address that the account has.
///
/// The link that was sent to another one opens nothing any more.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelEmailChange {}

/// The account keeps its address.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmailChangeCancelled {
    /// Whether there was another address to wait for.
    pub cancelled: bool,
}

impl Operation for CancelEmailChange {
    const ID: &'static str = "account.cancel_email_change";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::delete("cancelEmailChange", "/auth/me/email").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = EmailChangeCancelled;

    async fn run(self, cx: &mut Cx<'_>) -> Result<EmailChangeCancelled, Error> {
        let id = cx.account()?;
        let permit = cx.permit(to::Account(id))?;
        let cancelled = cx.tx().await?.links().delete_kind_for_user(&permit, LinkKind::EmailChange).await? > 0;
        if cancelled {
            cx.audit("user", id, &Value::Null);
        }
        Ok(EmailChangeCancelled { cancelled })
    }
}

/// Confirm the new address of an account.
///
/// The link is spent. It is not necessary to be signed in: reading mail to the address is what counts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfirmEmail {
    /// The secret of the link.
    pub token: LinkToken,
}

/// The account has the address.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmailConfirmed {
    /// Always true.
    pub success: bool,
    /// The address.
    pub email: Email,
}

impl Operation for ConfirmEmail {
    const ID: &'static str = "account.confirm_email";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("confirmEmail", "/auth/me/email/confirm").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, &[Code::EmailInUse]];
    type Output = EmailConfirmed;

    async fn run(self, cx: &mut Cx<'_>) -> Result<EmailConfirmed, Error> {
        let (link, mut user) = links::spend_for_user(cx, &self.token.hash(), &[LinkKind::EmailChange]).await?;
        if user.disabled {
            return Err(Error::new(Code::InvalidLink));
        }
        // Nobody needs to be signed in.
        let permit = vouched::by(&link, to::Account(user.id))?;
        let now = cx.now();
        let tx = cx.tx().await?;
        let before = user.clone();
        user.email = link.email;
        user.email_verified = true;
        user.updated_at = now;
        tx.users().update_account(&permit, &user).await?;
        // What was sent to the old address opens the account no more.
        tx.links().delete_for_user(&permit, &before.email).await?;
        cx.emit(Event::User { user: user.id });
        let details = json!({ "email": { "from": before.email, "to": user.email } });
        cx.audit_as(Some(user.id), "user", user.id, &details);
        notices::tell_of_change(cx, &before, &user).await?;
        Ok(EmailConfirmed { success: true, email: user.email })
    }
}

/// Refuse the new address of an account.
///
/// With the link that was sent to the address that the account has. The link is spent, the address that waits to be confirmed is given
/// up, and all sessions of the account end: whoever asked for the change is not its owner. It is not necessary to be signed in, and
/// nobody is signed in by it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefuseEmailChange {
    /// The secret of the link.
    pub token: LinkToken,
}

/// The account keeps its address, and nobody is signed in to it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EmailChangeRefused {
    /// Always true.
    pub success: bool,
    /// Whether there still was another address to wait for.
    pub cancelled: bool,
    /// How many sessions ended.
    pub sessions: u64,
}

impl Operation for RefuseEmailChange {
    const ID: &'static str = "account.refuse_email_change";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("refuseEmailChange", "/auth/me/email/refuse").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK];
    type Output = EmailChangeRefused;

    async fn run(self, cx: &mut Cx<'_>) -> Result<EmailChangeRefused, Error> {
        let (link, user) = links::spend_for_user(cx, &self.token.hash(), &[LinkKind::EmailRefusal]).await?;
        if user.email != link.email {
            return Err(Error::new(Code::InvalidLink));
        }
        let permit = vouched::by(&link, to::Account(user.id))?;
        let ended = endings::sign_out(cx, &permit, None).await?;
        if cx.actor().user() == Some(user.id) {
            cx.keep(Cookie::SignedOut);
        }
        cx.audit_as(Some(user.id), "user", user.id, &json!({ "sessions": ended.sessions, "addresses": ended.addresses }));
        Ok(EmailChangeRefused { success: true, cancelled: ended.addresses > 0, sessions: ended.sessions })
    }
}
