//! How a site is set up.

use std::{collections::BTreeSet, time::Duration};

use cms_domain::{locale::Locales, product::Product, time_zone::TimeZone};
use cms_storage::ListQuery;

/// How a site is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// What the product is called, and where it is.
    pub product: Product,
    /// The site's locales; the first is the default.
    pub locales: Locales,
    /// The time zone that editors mean when they write dates; none for the one of each of them.
    pub time_zone: Option<TimeZone>,
    /// Whether callers who are not signed in may read published content, as a Subscriber would.
    pub public_read: bool,
    /// How long sessions last.
    pub sessions: SessionLife,
    /// What it asks of ways in, of tokens, and of what applications are granted.
    pub policies: Policies,
    /// How long the audit log is kept.
    pub audit_kept: Duration,
    /// Whether contributors edit their own entries until somebody who may publish approves them. Otherwise they only create.
    pub contributors_edit_own_drafts: bool,
    /// Preview links.
    pub preview: Preview,
    /// How many revisions of an entry are kept besides the live one and the newest.
    pub revisions_kept: u32,
    /// How long events are kept for nodes and followers that were away; a minute at least.
    pub events_kept: Duration,
    /// How many entries a list may look at for a page where no index finds just those that it shows.
    pub list_budget: i64,
    /// How many bytes of bodies may wait in memory at once, over all requests and all doors: at least four thirds of the largest body.
    pub body_memory: usize,
    /// How many bytes of finished entries are kept for lists; 0 keeps none.
    pub finished_memory: u64,
}

/// What a site asks of ways in, of tokens, and of what applications are granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policies {
    /// Whether an authenticator has to verify its user, with a PIN or a finger, when a passkey is made and whenever it is used.
    pub require_user_verification: bool,
    /// Whether people may have a link sent to sign in with. Links that an admin has sent to somebody always work.
    pub magic_links: bool,
    /// How old an access token may become; without it, as old as its user says.
    pub token_max_age: Option<Duration>,
    /// The providers whose verified addresses connect nobody to an account that has the address here.
    pub not_linked_by_address: BTreeSet<String>,
    /// How long what a user grants to an application lasts at most, however often its tokens are refreshed.
    pub grant_absolute: Duration,
    /// Whether people are told by mail of every change of what opens their account.
    pub security_notices: bool,
}

impl Default for Policies {
    fn default() -> Self {
        Self {
            require_user_verification: false,
            magic_links: true,
            token_max_age: None,
            not_linked_by_address: BTreeSet::new(),
            // A year: whoever uses an application confirms once a year that they still want to (OWASP ASVS 5, 10.4.8).
            grant_absolute: Duration::from_hours(365 * 24),
            security_notices: true,
        }
    }
}

/// How preview links are made.
#[derive(Debug, Clone)]
pub struct Preview {
    /// Path of an entry on the site, with `{collection}`, `{id}`, `{slug}` and `{locale}` where they belong.
    pub path_pattern: String,
    /// Whether entries of the default locale have it in their path.
    pub prefix_default_locale: bool,
}

/// How long sessions last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLife {
    /// How long a session may go unused.
    pub idle: Duration,
    /// How long a session lasts at most.
    pub absolute: Duration,
}

impl Default for SessionLife {
    /// A week unused, a month at most.
    fn default() -> Self {
        Self { idle: Duration::from_hours(7 * 24), absolute: Duration::from_hours(30 * 24) }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            product: Product::default(),
            locales: Locales::default(),
            time_zone: None,
            public_read: false,
            sessions: SessionLife::default(),
            policies: Policies::default(),
            audit_kept: Duration::from_hours(365 * 24),
            contributors_edit_own_drafts: true,
            preview: Preview { path_pattern: "/{collection}/{id}".to_owned(), prefix_default_locale: false },
            revisions_kept: 50,
            events_kept: Duration::from_hours(24),
            list_budget: ListQuery::BUDGET,
            body_memory: 32 * 1024 * 1024,
            finished_memory: 32 * 1024 * 1024,
        }
    }
}
