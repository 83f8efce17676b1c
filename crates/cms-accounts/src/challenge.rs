//! What the server asks a browser, and waits to be answered once, soon, and by the same browser.

use std::time::Duration;

use cms_auth::token::{self, NewToken};
use cms_domain::id::UserId;
use cms_frame::{Code, Cookie, Cx, Error};
use cms_storage::{Challenge, SecretHash};
use serde::{Serialize, de::DeserializeOwned};

/// What is asked: something that has to be remembered until it is answered.
pub(crate) trait Question: Serialize + DeserializeOwned {
    /// Its name among the challenges.
    const KIND: &'static str;
    /// How long it may be answered.
    const LIFE: Duration;
}

/// Remembers what was asked, under a name that only whoever was asked knows: the challenge of a passkey, the state of a sign-in at
/// a provider. Binds it to the browser, which gets a secret of its own if it has none.
pub(crate) async fn ask<Q: Question>(cx: &mut Cx<'_>, name: &str, user: Option<UserId>, question: &Q) -> Result<(), Error> {
    let browser = browser(cx)?;
    let challenge = Challenge {
        kind: Q::KIND,
        browser: Some(browser),
        user,
        data: serde_json::to_string(question)?,
        expires_at: cx.now().after(Q::LIFE),
    };
    cx.tx().await?.challenges().insert(&token::hash(name), &challenge).await?;
    Ok(())
}

/// Hash of the secret that tells the caller's browser from all others. It gets one if it has none.
pub(crate) fn browser(cx: &mut Cx<'_>) -> Result<SecretHash, Error> {
    if let Some(hash) = known_browser(cx) {
        return Ok(hash);
    }
    let made = NewToken::make("")?;
    cx.keep(Cookie::Browser { secret: made.text });
    Ok(made.hash)
}

/// Hash of the secret that tells the caller's browser from all others, if it has one.
pub(crate) fn known_browser(cx: &Cx<'_>) -> Option<SecretHash> {
    cx.client().browser.as_deref().filter(|secret| token::is_plausible("", secret)).map(token::hash)
}

/// Takes what was asked, to check the answer. Of two answers one gets it; another browser, a late or a foreign answer none.
pub(crate) async fn take<Q: Question>(cx: &mut Cx<'_>, name: &str) -> Result<(Q, Option<UserId>), Error> {
    let now = cx.now();
    let browser = known_browser(cx);
    let asked = cx.tx().await?.challenges().take(&token::hash(name), Q::KIND, now).await?;
    match asked {
        // Hashes of secrets: how long the comparison takes tells nothing of the secrets.
        Some(asked) if asked.browser.is_none() || asked.browser == browser => Ok((serde_json::from_str(&asked.data)?, asked.user)),
        _ => Err(Error::new(Code::ChallengeExpired)),
    }
}
