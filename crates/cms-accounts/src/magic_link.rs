//! Signing in with a link that was sent to one's address.

use cms_domain::{
    access::{Access, Actor, to},
    event::Event,
    user::Email,
};
use cms_frame::{
    Code, Cx, Door, Error,
    failures::{Failures, LINK},
    operation::{Http, Limit, Operation, Tool},
};
use cms_storage::{LinkKind, SecretHash};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    challenge, endings,
    links::{self, LetterAsked, LetterWritten, LinkToken, Page},
    mail::{self, letters::Writer},
    notices::{self, Notice},
    session::{self, Method, SignedIn},
    vouched,
};

/// Ask for a link to sign in with.
///
/// The answer is the same, and comes as fast, whether or not there is an account with the address. The link works in the browser that
/// asks for it: its answer sets a cookie that tells it from others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendMagicLink {
    /// The address of the account.
    pub email: Email,
}

impl Operation for SendMagicLink {
    const ID: &'static str = "magic_link.send";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("sendMagicLink", "/auth/magic-link/send").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::LETTERS);
    const FAILURES: Failures = &[&[Code::EmailNotConfigured, Code::MagicLinksOff]];
    type Output = LetterAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterAsked, Error> {
        can_be_sent(cx)?;
        // Everything that depends on the address comes after the answer.
        let browser = challenge::browser(cx)?;
        write_later(cx, WriteMagicLink { email: self.email, browser });
        Ok(LetterAsked { success: true, message: "if there is an account with this address, a link is on its way to it".to_owned() })
    }
}

/// Refuses links that people have sent to themselves where there is no mail, or where the site wants none of them.
pub(crate) fn can_be_sent(cx: &Cx<'_>) -> Result<(), Error> {
    mail::can_send(cx.cms())?;
    if cx.options().policies.magic_links { Ok(()) } else { Err(Error::new(Code::MagicLinksOff)) }
}

/// Has the server write a letter once the caller has their answer, on behalf of the same client.
pub(crate) fn write_later<O: Operation>(cx: &Cx<'_>, letter: O) {
    let (cms, client) = (cx.cms().clone(), cx.client().clone());
    cx.cms().in_background(async move {
        // The pipeline logs what fails. The caller must not learn of it.
        let _ = cms.call(&Actor::System, Door::Local, &client, letter).await;
    });
}

/// Whether an address may be sent another letter of a sort. Nobody is told that it may not: that would tell who has an account.
pub(crate) async fn may_write(cx: &Cx<'_>, sort: &str, email: &Email) -> Result<bool, Error> {
    match cx.count(&format!("{sort} {email}"), links::LETTERS).await {
        Ok(()) => Ok(true),
        Err(error) if error.code() == Code::RateLimited => Ok(false),
        Err(error) => Err(error),
    }
}

/// Write a letter with a link to sign in with.
///
/// To addresses of accounts that are not disabled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteMagicLink {
    /// The address of the account.
    pub email: Email,
    /// The browser that asked for it, by the hash of its secret.
    pub browser: SecretHash,
}

impl Operation for WriteMagicLink {
    const ID: &'static str = "magic_link.write";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[&[Code::RateLimited]];
    type Output = LetterWritten;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterWritten, Error> {
        if !may_write(cx, "magic_link", &self.email).await? {
            return Ok(LetterWritten { written: false });
        }
        let Some(user) = cx.read().users().by_email(&self.email).await?.filter(|user| !user.disabled) else {
            return Ok(LetterWritten { written: false });
        };
        let writer = Writer::of(cx).await?;
        let secret = links::make_for_browser(cx, self.email.clone(), user.id, &self.browser).await?;
        cx.audit("user", user.id, &Value::Null);
        mail::post_afterwards(cx, writer.sign_in(self.email, Page::MagicLink.with(cx, &secret))?);
        Ok(LetterWritten { written: true })
    }
}

/// Says of a link that is not known here what else may be wrong with it: nobody else would find out why theirs does not work.
fn elsewhere(error: Error) -> Error {
    if error.code() != Code::InvalidLink {
        return error;
    }
    Error::with(Code::InvalidLink, "this link is not valid here: it was used already, or another browser asked for it")
}

/// Sign in with a link.
///
/// The link is spent. It was sent to the address of an account, and works in the browser that asked for it; or an admin had it made for
/// one, and it works in any. A link of an admin's also ends all other sessions of the account, with what they began: somebody may have
/// what its user lost.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyMagicLink {
    /// The secret of the link.
    pub token: LinkToken,
}

impl Operation for VerifyMagicLink {
    const ID: &'static str = "magic_link.verify";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("verifyMagicLink", "/auth/magic-link/verify").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK];
    type Output = SignedIn;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SignedIn, Error> {
        // A link that was sent before they were switched off signs nobody in.
        let kinds: &[LinkKind] =
            if cx.options().policies.magic_links { &[LinkKind::MagicLink, LinkKind::Recovery] } else { &[LinkKind::Recovery] };
        let hash = links::hash_to_sign_in(cx, &self.token).await?;
        let (link, mut user) = links::spend_for_user(cx, &hash, kinds).await.map_err(elsewhere)?;
        // Whoever reads mail to an address that the account no longer has is not its user.
        if user.email != link.email {
            return Err(Error::new(Code::InvalidLink));
        }
        let now = cx.now();
        let permit = vouched::by(&link, to::Account(user.id))?;
        let tx = cx.tx().await?;
        // Whoever is in needs no other link of the sort.
        tx.links().delete_kind_for_user(&permit, link.kind).await?;
        // An admin may have handed a recovery over by other means than mail.
        if link.kind == LinkKind::MagicLink && !user.email_verified {
            user.email_verified = true;
            user.updated_at = now;
            tx.users().update_account(&permit, &user).await?;
            cx.emit(Event::User { user: user.id });
        }
        if link.kind == LinkKind::MagicLink {
            return session::open(cx, &link, &user, &Method::MagicLink).await;
        }
        endings::sign_out(cx, &permit, None).await?;
        let signed_in = session::open(cx, &link, &user, &Method::Recovery).await?;
        notices::tell(cx, user.id, Notice::RecoveryUsed).await?;
        Ok(signed_in)
    }
}
