//! Delivering: now, for somebody who waits for it, or later, for somebody who must not learn what became of it.

use std::time::Duration;

use cms_frame::{Cms, Code, Cx, Error};
use tokio::time::{sleep, timeout};

use super::{Letter, MailError};
use crate::Services;

/// How long one attempt may take. Whoever waits for it has other requests to make.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait before each further attempt. A mail server that is restarted is back by then, and the shortest-lived link
/// lasts a quarter of an hour.
const WAITS: [Duration; 2] = [Duration::from_secs(10), Duration::from_mins(2)];

/// Refuses what cannot be done without mail, where there is none.
pub(crate) fn can_send(cms: &Cms) -> Result<(), Error> {
    if Services::of(cms).mail.is_some() { Ok(()) } else { Err(Error::new(Code::EmailNotConfigured)) }
}

/// Delivers a letter, and says why if it cannot be delivered.
pub(crate) async fn deliver_now(cms: &Cms, letter: &Letter) -> Result<(), MailError> {
    let Some(mail) = &Services::of(cms).mail else {
        return Err(MailError::lasting("no mail is configured"));
    };
    // Accounts whose provider tells no address have one that nobody can have (RFC 2606, section 2).
    if letter.to.domain() == "invalid" || letter.to.domain().ends_with(".invalid") {
        return Err(MailError::lasting("the account has no address that mail can be sent to"));
    }
    match timeout(PATIENCE, mail.deliver(letter)).await {
        Ok(delivered) => delivered,
        Err(_) => Err(MailError::passing(format!("the mail server took longer than {} s", PATIENCE.as_secs()))),
    }
}

/// Sends a letter in the background, once the operation succeeded.
pub(crate) fn post_afterwards(cx: &mut Cx<'_>, letter: Letter) {
    cx.afterwards(|cms| deliver_later(cms, letter));
}

/// Delivers a letter in the background, after a few attempts if need be. What becomes of it is for the log alone, which does not
/// learn what the letter says.
fn deliver_later(cms: &Cms, letter: Letter) {
    let courier = cms.clone();
    cms.in_background(async move {
        let mut waits = WAITS.into_iter();
        while let Err(error) = deliver_now(&courier, &letter).await {
            let Some(wait) = waits.next().filter(|_| !error.is_lasting()) else {
                tracing::error!(subject = letter.subject, %error, "a letter could not be delivered");
                return;
            };
            tracing::warn!(subject = letter.subject, %error, "a letter could not be delivered; it will be tried again");
            sleep(wait).await;
        }
    });
}
