//! Mail: what is sent, by whom it is delivered, and what becomes of letters that cannot be.

pub(crate) mod letters;
pub(crate) mod notices;
mod post;
#[cfg(feature = "smtp")]
pub mod smtp;
#[cfg(feature = "testing")]
pub mod testing;

use std::{fmt, pin::Pin};

use cms_domain::user::Email;

pub(crate) use post::{can_send, deliver_now, post_afterwards};
#[cfg(feature = "smtp")]
pub use smtp::{Mailbox, MailboxError, Smtp, SmtpOptions, SmtpOptionsError};

/// A letter to one person. Its texts hold secrets: neither `{:?}` nor a log line shows them.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    /// Whom it goes to. The name of a person is never part of the address: nothing a person chose gets into a header but the
    /// subject, which is one line.
    pub to: Email,
    /// One line.
    pub subject: String,
    /// The letter as plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Letter").field("to", &self.to).field("subject", &self.subject).finish_non_exhaustive()
    }
}

/// Delivers letters. A host may bring its own way.
pub trait Mail: Send + Sync {
    /// Hands a letter over to whoever brings it to its reader. It is called again when it fails for a while.
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Delivery<'a>;
}

/// What [`Mail::deliver`] answers with, once it is known.
pub type Delivery<'a> = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send + 'a>>;

/// Why a letter was not delivered. Shown to admins and in the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MailError {
    message: String,
    lasting: bool,
}

impl MailError {
    /// The longest reason that is kept: mail servers tell stories.
    const LONGEST: usize = 300;
    /// What stands before the secret of a link.
    const SECRET: &'static str = "token=";

    /// It may succeed when it is tried again.
    pub fn passing(message: impl fmt::Display) -> Self {
        Self::new(&message.to_string(), false)
    }

    /// It will not succeed.
    pub fn lasting(message: impl fmt::Display) -> Self {
        Self::new(&message.to_string(), true)
    }

    /// A mail server that quotes what it refuses could quote a link: whatever stands behind its beginning is cut off.
    fn new(message: &str, lasting: bool) -> Self {
        let message = message.split(Self::SECRET).next().unwrap_or_default();
        Self { message: letters::one_line(message, Self::LONGEST), lasting }
    }

    /// Whether trying again is of no use.
    pub fn is_lasting(&self) -> bool {
        self.lasting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_server_that_quotes_a_link_does_not_get_it_into_the_log() {
        let error = MailError::lasting("550 refused: https://cms.example/_cms/admin/magic-link#token=s3cret\r\n550 spam");
        assert_eq!(error.to_string(), "550 refused: https://cms.example/_cms/admin/magic-link#");
        assert!(error.is_lasting());
    }

    #[test]
    fn a_letter_that_is_logged_does_not_show_what_it_says() {
        let letter = Letter {
            to: "ada@example.com".parse().unwrap(),
            subject: "Sign in".to_owned(),
            text: "token=s3cret".to_owned(),
            html: "token=s3cret".to_owned(),
        };
        assert!(!format!("{letter:?}").contains("s3cret"));
    }
}
