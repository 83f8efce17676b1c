//! Links that are sent to an address: made, looked at by the page that they open, and spent by its button.
//!
//! A link opens a page, and the page sends the secret: what only follows links, as mail scanners do, spends nothing. The secret is
//! in the fragment of the address, which browsers do not send (RFC 9110, section 4.2.5): no server or proxy on the way logs it.

use std::{fmt, time::Duration};

use cms_auth::token::{self, NewToken};
use cms_domain::{
    access::{Permission, to},
    id::UserId,
    user::{Email, Role, User},
};
use cms_frame::{Code, Cx, Error, operation::Limit};
use cms_storage::{Link, LinkKind, SecretHash};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    challenge,
    mail::{self, Letter},
    roles,
};

/// How long a link that signs somebody in, or up, can be used: as long as it takes to find the letter, and no longer than OWASP ASVS 5
/// (6.5.5) lets what proves somebody by other means last.
pub(crate) const SIGN_IN_LIFE: Duration = Duration::from_mins(10);
/// How long an invitation can be used.
pub(crate) const INVITATION_LIFE: Duration = Duration::from_hours(7 * 24);
/// How long a new address can be confirmed: it may not work yet on the day on which it is given out.
pub(crate) const EMAIL_CHANGE_LIFE: Duration = Duration::from_hours(24);
/// How long a link is remembered once its time is over: whoever comes late is told so, and admins see which invitations nobody took.
pub const REMEMBERED: Duration = Duration::from_hours(7 * 24);

/// How often a client may ask for letters to an address, and how often an address is sent some, whoever asks.
pub(crate) const LETTERS: Limit = Limit::five_minutes(3);
/// How often a client may try the secret of a link. Nobody guesses one of 256 bits; this bounds the work.
pub(crate) const TRIES: Limit = Limit::a_minute(20);
/// How often an admin may make links.
pub(crate) const MAKES: Limit = Limit::a_minute(30);

/// The secret of a link, as its page found it in the address. Nothing shows it.
#[derive(Clone, Deserialize, JsonSchema)]
pub struct LinkToken(String);

impl LinkToken {
    /// Text that came in as a link's secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret, for what is remembered under it otherwise than as a link.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    /// The hash under which the link is stored.
    pub(crate) fn hash(&self) -> SecretHash {
        if self.was_mailed() { token::hash(&token::derived(&self.0)) } else { token::hash(&self.0) }
    }

    /// Whether it was in a letter and nowhere else, so that whoever has it reads mail to the address.
    pub(crate) fn was_mailed(&self) -> bool {
        token::is_plausible(MAILED, &self.0)
    }

    /// The hash of a link that is good in one browser.
    fn hash_in(&self, browser: &SecretHash) -> SecretHash {
        token::hash(&format!("{} {}", self.0, hex(browser)))
    }

    /// What a passkey is asked for that is made with the link: it is good for this link alone.
    pub(crate) fn purpose(&self) -> String {
        format!("link {}", hex(&self.hash()))
    }
}

fn hex(hash: &SecretHash) -> String {
    hash.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|half| char::from_digit(half.into(), 16)).collect()
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken(***)")
    }
}

/// What the secret of a link begins with that is in a letter alone.
const MAILED: &str = "mailed-";

/// The two secrets of a link that is mailed, or handed over where it cannot be. Whoever is given it by hand cannot tell what the letter would
/// have had, and so does not pass for somebody who read it.
pub(crate) struct Secrets {
    /// For the letter.
    pub(crate) mailed: String,
    /// For whoever hands it over.
    pub(crate) by_hand: String,
}

impl Secrets {
    pub(crate) fn make() -> Result<Self, Error> {
        let mailed = NewToken::make(MAILED)?.text;
        Ok(Self { by_hand: token::derived(&mailed), mailed })
    }

    /// The hash under which the link is stored.
    pub(crate) fn hash(&self) -> SecretHash {
        token::hash(&self.by_hand)
    }
}

/// A page that links open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Page {
    MagicLink,
    SignUp,
    Invitation,
    ConfirmEmail,
    Proof,
    RefuseEmail,
}

impl Page {
    /// The address of the page with a secret.
    pub(crate) fn with(self, cx: &Cx<'_>, secret: &str) -> String {
        let page = match self {
            Self::MagicLink => "magic-link",
            Self::SignUp => "signup",
            Self::Invitation => "invite/accept",
            Self::ConfirmEmail => "confirm-email",
            Self::Proof => "reauth",
            Self::RefuseEmail => "refuse-email",
        };
        cx.product().admin_page(&format!("{page}#token={secret}"))
    }
}

/// A link that opens or changes the account of a user. Whoever makes one for somebody else answers for it.
fn of_user(cx: &Cx<'_>, kind: LinkKind, email: Email, user: UserId, life: Duration) -> Link {
    let (now, id) = (cx.now(), cx.new_id());
    let invited_by = cx.actor().user().filter(|maker| *maker != user);
    Link { id, kind, email, user: Some(user), role: None, invited_by, created_at: now, expires_at: now.after(life) }
}

/// Makes a link that opens or changes the account of a user. Answers with its secret.
pub(crate) async fn make_for_user(cx: &mut Cx<'_>, kind: LinkKind, email: Email, user: UserId, life: Duration) -> Result<String, Error> {
    let (link, secret) = (of_user(cx, kind, email, user, life), NewToken::make("")?);
    let permit = cx.permit(to::Account(user))?;
    cx.tx().await?.links().insert_for_user(&permit, &link, &secret.hash).await?;
    Ok(secret.text)
}

/// Makes a link that signs a user in, in the browser that asked for it and in no other: whoever has somebody else ask for a letter, or
/// gets hold of one, opens nothing with it (OWASP ASVS 5, 6.6.2).
pub(crate) async fn make_for_browser(cx: &mut Cx<'_>, email: Email, user: UserId, browser: &SecretHash) -> Result<String, Error> {
    let link = of_user(cx, LinkKind::MagicLink, email, user, SIGN_IN_LIFE);
    let secret = LinkToken::new(NewToken::make("")?.text);
    let permit = cx.permit(to::Account(user))?;
    cx.tx().await?.links().insert_for_user(&permit, &link, &secret.hash_in(browser)).await?;
    Ok(secret.0)
}

/// The hash of the link that somebody comes with to sign in: of one that was made for their browser, if it was, or else of one that an
/// admin made for whatever browser it is opened in.
pub(crate) async fn hash_to_sign_in(cx: &Cx<'_>, token: &LinkToken) -> Result<SecretHash, Error> {
    if !token::is_plausible("", &token.0) {
        return Err(Error::new(Code::InvalidLink));
    }
    if let Some(browser) = challenge::known_browser(cx) {
        let bound = token.hash_in(&browser);
        if cx.read().links().by_hash(&bound).await?.is_some() {
            return Ok(bound);
        }
    }
    Ok(token.hash())
}

/// Makes a link that makes an account. Answers with its secret.
pub(crate) async fn make(cx: &mut Cx<'_>, link: &Link) -> Result<String, Error> {
    let (permit, secret) = (cx.permit(to::InviteUsers)?, NewToken::make("")?);
    cx.tx().await?.links().insert(&permit, link, &secret.hash).await?;
    Ok(secret.text)
}

/// The same for a link that may have to be handed over.
pub(crate) async fn make_to_hand_over(cx: &mut Cx<'_>, link: &Link) -> Result<Secrets, Error> {
    let (permit, secrets) = (cx.permit(to::InviteUsers)?, Secrets::make()?);
    cx.tx().await?.links().insert(&permit, link, &secrets.hash()).await?;
    Ok(secrets)
}

/// The link with a secret, which stays what it is.
pub(crate) async fn look(cx: &Cx<'_>, token: &LinkToken, kinds: &[LinkKind]) -> Result<Link, Error> {
    look_hashed(cx, &token.hash(), kinds).await
}

async fn look_hashed(cx: &Cx<'_>, hash: &SecretHash, kinds: &[LinkKind]) -> Result<Link, Error> {
    let link = usable(cx, cx.read().links().by_hash(hash).await?, kinds)?;
    let maker = match link.invited_by {
        Some(maker) => cx.read().users().by_id(maker).await?,
        None => None,
    };
    must_stand(&link, maker.as_ref())?;
    Ok(link)
}

/// Spends the link with a secret: of many who use it at once one gets it. An operation that fails afterwards leaves it unspent.
pub(crate) async fn spend(cx: &mut Cx<'_>, token: &LinkToken, kinds: &[LinkKind]) -> Result<Link, Error> {
    spend_hashed(cx, &token.hash(), kinds).await
}

/// The same for whoever kept the hash alone while the link's holder was away.
pub(crate) async fn spend_hashed(cx: &mut Cx<'_>, hash: &SecretHash, kinds: &[LinkKind]) -> Result<Link, Error> {
    let known = cx.tx().await?.reader().links().by_hash(hash).await?;
    // Whoever answers for it first, and then the link, as when they are demoted: of the two the later one sees what the earlier one did.
    let maker = match known.and_then(|link| link.invited_by) {
        Some(maker) => cx.tx().await?.users().lock(maker).await?,
        None => None,
    };
    let link = cx.tx().await?.links().take(hash).await?;
    let link = usable(cx, link, kinds)?;
    must_stand(&link, maker.as_ref())?;
    Ok(link)
}

/// Spends the link with a secret's hash, and answers with the user whose account it opens or changes, whom nobody else changes before the
/// transaction ends.
pub(crate) async fn spend_for_user(cx: &mut Cx<'_>, hash: &SecretHash, kinds: &[LinkKind]) -> Result<(Link, User), Error> {
    let known = look_hashed(cx, hash, kinds).await?;
    // Users before links, as everywhere that links of a user end.
    for user in known.invited_by.into_iter().chain(known.user) {
        cx.tx().await?.users().lock(user).await?;
    }
    let link = spend_hashed(cx, hash, kinds).await?;
    let user = match link.user {
        Some(user) => cx.read().users().by_id(user).await?,
        None => None,
    };
    Ok((link, user.ok_or_else(|| Error::new(Code::InvalidLink))?))
}

/// Refuses a link that somebody made for somebody else and might not make now: they were demoted or disabled since. It is not spent,
/// so that it is good again once they are let in again with all they had.
fn must_stand(link: &Link, maker: Option<&User>) -> Result<(), Error> {
    let needed = match link.kind {
        LinkKind::Invitation => Permission::UsersInvite,
        LinkKind::Recovery => Permission::UsersManage,
        LinkKind::MagicLink | LinkKind::SignUp | LinkKind::EmailChange | LinkKind::EmailRefusal => return Ok(()),
    };
    // What the operator makes at the command line is nobody's.
    let stands = link.invited_by.is_none()
        || maker.is_some_and(|maker| roles::holds(maker, needed) && link.role.is_none_or(|role| role <= maker.role));
    if stands { Ok(()) } else { Err(Error::with(Code::InvalidLink, "this link is not valid any more: ask an admin for a new one")) }
}

fn usable(cx: &Cx<'_>, link: Option<Link>, kinds: &[LinkKind]) -> Result<Link, Error> {
    match link.filter(|link| kinds.contains(&link.kind)) {
        None => Err(Error::new(Code::InvalidLink)),
        Some(link) if link.expires_at <= cx.now() => Err(Error::new(Code::TokenExpired)),
        Some(link) => Ok(link),
    }
}

/// Refuses an account for an address that has one.
pub(crate) async fn must_be_new(cx: &Cx<'_>, email: &Email) -> Result<(), Error> {
    if cx.read().users().by_email(email).await?.is_some() { Err(Error::new(Code::UserExists)) } else { Ok(()) }
}

/// What becomes of a link that an admin made for somebody: it is mailed, and where that is not possible the admin gets it.
pub(crate) struct HandedOver {
    /// Whether it was mailed.
    pub(crate) sent: bool,
    /// What the admin is told.
    pub(crate) message: String,
    /// The link, when the admin has to hand it over.
    pub(crate) url: Option<String>,
}

/// Mails a link that was made already, and waits for what the mail server says. `url` is the one to hand over.
pub(crate) async fn hand_over(cx: &Cx<'_>, letter: &Letter, url: String) -> HandedOver {
    if mail::can_send(cx.cms()).is_err() {
        let message = "this site sends no mail: hand the link over yourself".to_owned();
        return HandedOver { sent: false, message, url: Some(url) };
    }
    match mail::deliver_now(cx.cms(), letter).await {
        Ok(()) => HandedOver { sent: true, message: format!("the link was sent to {}", letter.to), url: None },
        Err(error) => {
            tracing::warn!(subject = letter.subject, %error, "a letter could not be delivered");
            let message = format!("the letter could not be delivered ({error}): hand the link over yourself");
            HandedOver { sent: false, message, url: Some(url) }
        }
    }
}

/// What somebody who asked for a letter is told, whatever there is to send.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LetterAsked {
    /// Always true.
    pub success: bool,
    /// What to do now.
    pub message: String,
}

/// What a letter came to. Only the log and tests see it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LetterWritten {
    /// Whether there was anything to send.
    pub written: bool,
}

/// Whom a link lets make an account.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// Always true.
    pub success: bool,
    /// The address of the account.
    pub email: Email,
    /// Its role.
    pub role: Role,
    /// The role's name.
    pub role_name: &'static str,
}

impl Welcome {
    pub(crate) fn new(email: Email, role: Role) -> Self {
        Self { success: true, email, role, role_name: role.name() }
    }
}
