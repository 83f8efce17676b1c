//! What the letters say. One pair of templates, in text and in HTML, which escapes everything; the words are here.

use askama::Template;
use cms_domain::user::{Email, Role};
use cms_frame::{Cx, Error};

use super::Letter;
use crate::{links, site};

/// The longest title or name that a letter quotes.
pub(super) const NAME: usize = 100;

/// What templates are filled with.
pub(super) struct Words {
    pub(super) subject: String,
    pub(super) lines: Vec<String>,
    /// The label of the button, and where it leads.
    pub(super) action: Option<(&'static str, String)>,
    pub(super) notes: Vec<String>,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    site: &'a str,
    words: &'a Words,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    site: &'a str,
    words: &'a Words,
}

/// Writes letters in the name of the site.
pub(crate) struct Writer {
    site: String,
}

const NOT_YOU: &str = "If you did not ask for this, you can ignore this letter: nothing happens unless the link is used.";

/// For how long a link can be used.
pub(super) fn once() -> String {
    format!("The link works once, for {} minutes.", links::SIGN_IN_LIFE.as_secs() / 60)
}

/// The same of a link that its browser alone can use.
fn in_this_browser() -> String {
    format!("{} Open it in the browser in which you asked for it.", once())
}

impl Writer {
    /// A writer who knows what the site is called: by its title, or else by its host.
    pub(crate) async fn of(cx: &Cx<'_>) -> Result<Self, Error> {
        let title = site::title(cx.read()).await?.map(|title| one_line(&title, NAME)).filter(|title| !title.is_empty());
        let host = || cx.product().origin().authority().to_owned();
        Ok(Self { site: title.unwrap_or_else(host) })
    }

    /// To somebody who wants to sign in without a passkey.
    pub(crate) fn sign_in(&self, to: Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Sign in to {}", self.site),
                lines: vec![format!("Use this link to sign in to {}.", self.site)],
                action: Some(("Sign in", link)),
                notes: vec![in_this_browser(), NOT_YOU.to_owned()],
            },
        )
    }

    /// To somebody who is signed in, and has to prove again who they are.
    pub(crate) fn prove(&self, to: Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Confirm that it is you at {}", self.site),
                lines: vec![
                    format!("Somebody who is signed in to your account at {} wants to change how it can be opened.", self.site),
                    "If that is you, use this link in the browser that you are signed in with.".to_owned(),
                ],
                action: Some(("Confirm that it is me", link)),
                notes: vec![once(), "If it is not you, do not use the link: sign in and end all other sessions.".to_owned()],
            },
        )
    }

    /// To somebody who lost every other way in, at an admin's bidding.
    pub(crate) fn recovery(&self, to: Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Get back into {}", self.site),
                lines: vec![
                    format!("An admin of {} had this link sent to you, so that you can sign in.", self.site),
                    "Add a new passkey to your account then.".to_owned(),
                ],
                action: Some(("Sign in", link)),
                notes: vec![once(), "If you did not ask an admin for it, tell one, and do not use it.".to_owned()],
            },
        )
    }

    /// To somebody whose domain is allowed to sign up.
    pub(crate) fn sign_up(&self, to: Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Verify your email for {}", self.site),
                lines: vec![format!("Use this link to confirm your address and to make your account at {}.", self.site)],
                action: Some(("Make my account", link)),
                notes: vec![once(), NOT_YOU.to_owned()],
            },
        )
    }

    /// To somebody who wants to sign up and has an account.
    pub(crate) fn already_member(&self, to: Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("You have an account at {}", self.site),
                lines: vec![
                    format!("Somebody, probably you, wanted to make an account at {} with this address.", self.site),
                    "You have one already. Use this link to sign in.".to_owned(),
                ],
                action: Some(("Sign in", link)),
                notes: vec![in_this_browser(), NOT_YOU.to_owned()],
            },
        )
    }

    /// To somebody who is invited.
    pub(crate) fn invitation(&self, to: Email, inviter: Option<&str>, role: Role, link: String) -> Result<Letter, Error> {
        let inviter = inviter.map(|name| one_line(name, NAME)).filter(|name| !name.is_empty());
        let who = inviter.map_or_else(|| "You are invited".to_owned(), |name| format!("{name} invites you"));
        self.write(
            to,
            Words {
                subject: format!("You've been invited to {}", self.site),
                lines: vec![format!("{who} to join {} as {} {role}.", self.site, article(role))],
                action: Some(("Accept the invitation", link)),
                notes: vec!["The link works once, for 7 days.".to_owned(), NOT_YOU.to_owned()],
            },
        )
    }

    /// To the address that an account is to have.
    pub(crate) fn confirm_address(&self, to: Email, before: &Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Confirm your new address for {}", self.site),
                lines: vec![format!(
                    "The account {before} at {} is to have this address from now on. Use this link to confirm it.",
                    self.site
                )],
                action: Some(("Confirm the address", link)),
                notes: vec![
                    "The link works once, for 24 hours.".to_owned(),
                    "If this account is not yours, do not use the link: your address would belong to somebody else's account.".to_owned(),
                ],
            },
        )
    }

    /// To the address that an account is about to lose.
    pub(crate) fn notice_of_change(&self, to: Email, after: &Email, link: String) -> Result<Letter, Error> {
        self.write(
            to,
            Words {
                subject: format!("Your address at {} is about to change", self.site),
                lines: vec![format!(
                    "Somebody who is signed in to your account at {} wants it to have the address {after} instead of this one. It changes \
                     when the new address is confirmed.",
                    self.site
                )],
                action: Some(("This was not me", link)),
                notes: vec![
                    "If that was you, there is nothing to do here.".to_owned(),
                    "If it was not, use the link: your account keeps this address, and everyone who is signed in to it is signed out. The link \
                     works once, for 24 hours, until the new address is confirmed."
                        .to_owned(),
                    "Then sign in, remove passkeys, access tokens and applications that are not yours, and tell an admin.".to_owned(),
                ],
            },
        )
    }

    /// What the site is called.
    pub(super) fn site(&self) -> &str {
        &self.site
    }

    pub(super) fn write(&self, to: Email, words: Words) -> Result<Letter, Error> {
        let (site, words) = (self.site.as_str(), &words);
        // Templates lose the last line's end.
        let text = Text { site, words }.render().map_err(Error::internal)? + "\n";
        let html = Html { site, words }.render().map_err(Error::internal)?;
        Ok(Letter { to, subject: words.subject.clone(), text, html })
    }
}

fn article(role: Role) -> &'static str {
    if matches!(role, Role::Author | Role::Editor | Role::Admin) { "an" } else { "a" }
}

/// What somebody wrote as one line that is not too long. Line breaks and other control characters would begin new headers, or lines
/// that look like ours; what turns the direction of writing (UAX #9) would turn what we write behind it.
pub(crate) fn one_line(text: &str, longest: usize) -> String {
    let breaks = |character: char| character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line = text.replace(breaks, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(site: &str) -> Writer {
        Writer { site: one_line(site, NAME) }
    }

    fn ada() -> Email {
        "ada@example.com".parse().unwrap()
    }

    #[test]
    fn both_texts_have_the_link_and_the_site() {
        let link = "https://cms.example/_cms/admin/magic-link#token=abc_-1";
        let letter = writer("Gazette").sign_in(ada(), link.to_owned()).unwrap();
        assert_eq!(letter.subject, "Sign in to Gazette");
        assert!(letter.text.lines().any(|line| line == link), "{}", letter.text);
        assert!(letter.html.contains(&format!("<a href=\"{link}\"")), "{}", letter.html);
        assert!(letter.html.contains("10 minutes") && letter.text.contains("10 minutes"));
        // Templates leave no holes.
        assert!(!letter.text.contains("\n\n\n") && letter.text.ends_with('\n'), "{:?}", letter.text);
    }

    #[test]
    fn a_title_cannot_bring_markup_into_a_letter() {
        let letter = writer("<script>alert(1)</script> & \"Sons\"").sign_in(ada(), "https://cms.example/".to_owned()).unwrap();
        assert!(!letter.html.contains("<script>"), "{}", letter.html);
        assert!(letter.html.contains("&#60;script&#62;alert(1)"), "{}", letter.html);
        assert!(letter.text.contains("<script>alert(1)</script> & \"Sons\""));
    }

    #[test]
    fn neither_a_title_nor_a_name_can_begin_a_line_of_its_own() {
        let letter = writer("Gazette\r\nBcc: all@example.org\u{2028}x")
            .invitation(ada(), Some("Eve\r\n\r\nUse https://evil.example"), Role::Author, "https://cms.example/".to_owned())
            .unwrap();
        assert_eq!(letter.subject, "You've been invited to Gazette Bcc: all@example.org x");
        assert!(letter.text.contains("Eve Use https://evil.example invites you to join"), "{}", letter.text);
        assert!(letter.text.contains("as an author."), "{}", letter.text);
    }
}
