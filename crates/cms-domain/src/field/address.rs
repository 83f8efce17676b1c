//! Addresses that may be stored: nothing that runs when it is followed.

use std::sync::LazyLock;

use regex::Regex;

/// Where an address stands, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Address {
    /// A value of a `url` field: absolute, of a scheme that opens a page, a mail or a call.
    Url,
    /// A link in text: the same, or relative to the site.
    Link,
    /// What a page loads: absolute over HTTP, or from the site's root.
    Source,
}

// Browsers drop tabs and line breaks within an address and control characters before it; what is left could be a scheme.
// The expressions are published in JSON Schemas, so they use only what every dialect reads alike.
const URL: &str =
    r"^(?:[hH][tT][tT][pP][sS]?://[^\x00-\x20\x7f/?#\\][^\x00-\x20\x7f\\]*|(?:[mM][aA][iI][lL][tT][oO]|[tT][eE][lL]):[^\x00-\x20\x7f\\]+)$";
const LINK: &str = r"^(?:(?:[hH][tT][tT][pP][sS]?|[mM][aA][iI][lL][tT][oO]|[tT][eE][lL]):[^\x00-\x1f\x7f]+|[^:/?#\x00-\x1f\x7f]*(?:[/?#][^\x00-\x1f\x7f]*)?)$";
const SOURCE: &str = r"^(?:[hH][tT][tT][pP][sS]?:/)?/[^\x00-\x1f\x7f]*$";

#[expect(clippy::expect_used, reason = "the expressions are constants that a test compiles")]
fn compile(expression: &str) -> Regex {
    Regex::new(expression).expect("a constant expression compiles")
}

static URL_REGEX: LazyLock<Regex> = LazyLock::new(|| compile(URL));
static LINK_REGEX: LazyLock<Regex> = LazyLock::new(|| compile(LINK));
static SOURCE_REGEX: LazyLock<Regex> = LazyLock::new(|| compile(SOURCE));

impl Address {
    /// The longest address, in characters; browsers take no longer ones.
    pub(crate) const MAX_LENGTH: usize = 8192;

    /// The expression that every such address matches.
    pub(crate) const fn pattern(self) -> &'static str {
        match self {
            Self::Url => URL,
            Self::Link => LINK,
            Self::Source => SOURCE,
        }
    }

    /// Whether the text has the form of such an address. Whether its host can be is not asked here: a wrong link in an
    /// imported article is no reason to lose the article.
    pub(crate) fn accepts(self, text: &str) -> bool {
        match self {
            Self::Url => URL_REGEX.is_match(text),
            Self::Link => LINK_REGEX.is_match(text),
            Self::Source => SOURCE_REGEX.is_match(text),
        }
    }

    /// What is expected, in words.
    pub(crate) const fn expected(self) -> &'static str {
        match self {
            Self::Url => "an absolute address that begins with http, https, mailto or tel",
            Self::Link => "an address that begins with http, https, mailto or tel, or a relative one",
            Self::Source => "an address that begins with http, https or a slash",
        }
    }
}
