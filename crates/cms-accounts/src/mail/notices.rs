//! What people are told of changes to what opens their account: the words. When they are told is `accounts::notices`.

use cms_domain::{
    time::Timestamp,
    user::{Email, Role},
};
use cms_frame::{Client, Error};

use super::{
    Letter,
    letters::{self, NAME, Words, Writer, one_line},
};

/// What happened to somebody's account.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Notice<'a> {
    /// A passkey with this name was added.
    PasskeyAdded(&'a str),
    /// A passkey with this name was removed.
    PasskeyRemoved(&'a str),
    /// An access token with this name was made.
    TokenMade(&'a str),
    /// An account at this provider was connected.
    Connected(&'a str),
    /// An application that calls itself so was let in.
    Granted(&'a str),
    /// The account has another address.
    AddressChanged {
        /// The one that it had.
        from: &'a Email,
        /// The one that it has.
        to: &'a Email,
    },
    /// The account has another role.
    RoleChanged {
        /// The one that it had.
        from: Role,
        /// The one that it has.
        to: Role,
    },
    /// The operator had a link made that signs in.
    RecoveryMade,
    /// Somebody signed in with a recovery link.
    RecoveryUsed,
}

/// Who did it, and from where.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// Somebody in the account's own name, from here.
    Here(String),
    /// Another user, who may manage this one.
    Admin,
    /// Whoever runs the server.
    Operator,
}

impl Notice<'_> {
    /// Names the sort of letter: of each there is a limit.
    pub(crate) const fn sort(self) -> &'static str {
        match self {
            Self::PasskeyAdded(_) => "passkey_added",
            Self::PasskeyRemoved(_) => "passkey_removed",
            Self::TokenMade(_) => "token_made",
            Self::Connected(_) => "connected",
            Self::Granted(_) => "granted",
            Self::AddressChanged { .. } => "address_changed",
            Self::RoleChanged { .. } => "role_changed",
            Self::RecoveryMade => "recovery_made",
            Self::RecoveryUsed => "recovery_used",
        }
    }

    /// What the letter is about, and what happened. Names are whatever somebody chose: one line, and not too long.
    fn words(self, site: &str) -> (String, String) {
        let quoted = |name: &str| one_line(name, NAME);
        match self {
            Self::PasskeyAdded(name) => (
                format!("New passkey for {site}"),
                format!("The passkey \u{201c}{}\u{201d} can now sign in to your account at {site}.", quoted(name)),
            ),
            Self::PasskeyRemoved(name) => (
                format!("Passkey removed from {site}"),
                format!("The passkey \u{201c}{}\u{201d} can no longer sign in to your account at {site}.", quoted(name)),
            ),
            Self::TokenMade(name) => (
                format!("New access token for {site}"),
                format!(
                    "The access token \u{201c}{}\u{201d} was created for your account at {site}. Programs that have it act for you.",
                    quoted(name)
                ),
            ),
            Self::Connected(provider) => (
                format!("{} connected to {site}", quoted(provider)),
                format!("An account at {} can now sign in to your account at {site}.", quoted(provider)),
            ),
            Self::Granted(client) => (
                format!("New application at {site}"),
                format!("An application that calls itself \u{201c}{}\u{201d} was given access to your account at {site}.", quoted(client)),
            ),
            Self::AddressChanged { from, to } => {
                (format!("New address for {site}"), format!("The address of your account at {site} changed from {from} to {to}."))
            }
            Self::RoleChanged { from, to } => {
                (format!("New role at {site}"), format!("The role of your account at {site} changed from {from} to {to}."))
            }
            Self::RecoveryMade => (
                format!("Recovery link for {site}"),
                format!("A link was made that signs in to your account at {site} without a passkey. {}", letters::once()),
            ),
            Self::RecoveryUsed => {
                (format!("Recovery link used at {site}"), format!("Somebody signed in to your account at {site} with a recovery link."))
            }
        }
    }
}

/// A notice with everything that its letter says besides.
pub(crate) struct Told<'a> {
    /// What happened.
    pub(crate) notice: Notice<'a>,
    /// When.
    pub(crate) at: Timestamp,
    /// Who did it.
    pub(crate) origin: Origin,
    /// The page where people see and end what opens their account.
    pub(crate) page: String,
    /// Whether no further letter of this sort is sent for a while.
    pub(crate) last: bool,
}

impl Writer {
    /// To the owner of an account.
    pub(crate) fn notice(&self, to: Email, told: &Told<'_>) -> Result<Letter, Error> {
        let (subject, what) = told.notice.words(self.site());
        let by = match &told.origin {
            Origin::Here(place) => format!("From: {place}"),
            Origin::Admin => "By: an admin".to_owned(),
            Origin::Operator => "By: whoever runs the server".to_owned(),
        };
        let mut notes = vec![
            "If you expected this, there is nothing to do. Otherwise sign in, remove what is not yours, end all other \
             sessions, and tell an admin."
                .to_owned(),
        ];
        if told.last {
            notes.push("This happened unusually often: for the next hour no more letters of this kind will be sent.".to_owned());
        }
        let lines = vec![what, format!("When: {}", when(told.at)), by];
        self.write(to, Words { subject, lines, action: Some(("See what opens your account", told.page.clone())), notes })
    }
}

/// An instant to the minute, as people of every country read it.
fn when(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}

/// The longest name of a program that is quoted whole.
const AGENT: usize = 60;

/// Where a request came from: its address and its browser, in short.
pub(crate) fn place(client: &Client) -> String {
    let address = client.address.map_or_else(|| "an unknown address".to_owned(), |address| address.to_string());
    match client.agent.as_deref().map(browser).filter(|browser| !browser.is_empty()) {
        Some(browser) => format!("{address}, {browser}"),
        None => address,
    }
}

/// What a browser is called, out of what it calls itself. All claim to be others for old pages' sake: who claims most is looked for first.
fn browser(agent: &str) -> String {
    const BROWSERS: [(&str, &str); 6] =
        [("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari")];
    const SYSTEMS: [(&str, &str); 7] = [
        ("Android", "Android"),
        ("iPhone", "iOS"),
        ("iPad", "iPadOS"),
        ("Windows", "Windows"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    let found = |known: &[(&str, &'static str)]| known.iter().find(|(sign, _)| agent.contains(sign)).map(|(_, name)| *name);
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        _ => one_line(agent, AGENT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_called_what_people_call_it() {
        for (agent, name) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0\r\nBcc: all@example.org", "curl/8.5.0 Bcc: all@example.org"),
        ] {
            assert_eq!(browser(agent), name);
        }
    }

    #[test]
    fn a_time_is_told_to_the_minute() {
        assert_eq!(when("2027-01-31T09:30:59.999Z".parse().unwrap()), "2027-01-31 09:30 UTC");
    }
}
