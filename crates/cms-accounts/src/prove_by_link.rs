//! Proving again who one is, with a link that is sent to one's address. It signs nobody in: it renews the proof of the session that asked
//! for it, in the browser that asked for it.

use std::time::Duration;

use cms_auth::token::NewToken;
use cms_domain::{
    access::{Access, Permission},
    id::SessionId,
    user::Email,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, LINK, THING},
    operation::{Http, Limit, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    challenge,
    links::{self, LetterAsked, LinkToken, Page},
    magic_link,
    mail::{self, letters::Writer},
    proof::Proven,
    roles::no_user,
    session::{self, Method},
};

/// What the letter is about.
#[derive(Debug, Serialize, Deserialize)]
struct LinkProof {
    /// The session whose proof the link renews.
    session: SessionId,
    /// Where the letter went.
    email: Email,
}

impl challenge::Question for LinkProof {
    const KIND: &'static str = "link_proof";
    const LIFE: Duration = links::SIGN_IN_LIFE;
}

/// Ask for a link to prove who the caller is.
///
/// It goes to the address of their account, and works in the browser that asks.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendProofLink {}

impl Operation for SendProofLink {
    const ID: &'static str = "proof.send_link";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("sendProofLink", "/auth/reauth/magic-link/send").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::LETTERS);
    const FAILURES: Failures = &[THING, &[Code::EmailNotConfigured, Code::MagicLinksOff]];
    type Output = LetterAsked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<LetterAsked, Error> {
        let (user, session) = session::of(cx.actor()).ok_or_else(|| Error::new(Code::SessionRequired))?;
        magic_link::can_be_sent(cx)?;
        // Whoever has the session, wherever they are: nobody's post box is filled from many addresses.
        cx.count(&format!("proof_link {user}"), links::LETTERS).await?;
        let user = cx.read().users().by_id(user).await?.ok_or_else(no_user)?;
        if user.email.is_placeholder() {
            return Err(Error::with(Code::NotFound, "your account has no address that mail can be sent to"));
        }
        let secret = NewToken::make("")?.text;
        challenge::ask(cx, &secret, Some(user.id), &LinkProof { session, email: user.email.clone() }).await?;
        cx.audit("session", session, &Value::Null);
        let letter = Writer::of(cx).await?.prove(user.email, Page::Proof.with(cx, &secret))?;
        mail::post_afterwards(cx, letter);
        Ok(LetterAsked { success: true, message: "a link is on its way to your address: open it in this browser".to_owned() })
    }
}

/// Prove with a link who the caller is.
///
/// The link is spent. Their session counts as proven, and has another secret from now on: its cookie is set anew.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UseProofLink {
    /// The secret of the link.
    pub token: LinkToken,
}

impl Operation for UseProofLink {
    const ID: &'static str = "proof.link";
    const ACCESS: Access = Access::Account(Permission::AuthManageOwnCredentials);
    const HTTP: Http = Http::post("useProofLink", "/auth/reauth/magic-link").replaced_by_gateway().internal();
    const TOOL: Tool = Tool::Hidden;
    const LIMIT: Option<Limit> = Some(links::TRIES);
    const FAILURES: Failures = &[LINK, &[Code::ChallengeExpired, Code::ProofRejected]];
    type Output = Proven;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Proven, Error> {
        magic_link::can_be_sent(cx)?;
        let (asked, user) = challenge::take::<LinkProof>(cx, self.token.secret()).await?;
        if session::of(cx.actor()) != user.map(|user| (user, asked.session)) {
            return Err(Error::new(Code::ProofRejected));
        }
        let user = match user {
            Some(id) => cx.read().users().by_id(id).await?,
            None => None,
        };
        // Whoever reads mail to an address that the account no longer has is not its user.
        if user.is_none_or(|user| user.email != asked.email) {
            return Err(Error::new(Code::ProofRejected));
        }
        Proven::renew(cx, &Method::MagicLink).await
    }
}
