//! The parts of a product: each is a text that is checked once, where it is read.

use std::str::FromStr;

use url::Url;

use crate::text::{schema_of, text_type};

/// A text is not the part of a product that it was given for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not {part}: expected {expected}")]
pub struct ProductError {
    part: &'static str,
    expected: &'static str,
}

/// Declares a part of a product: a text, what it must be like, and the same as a JSON Schema.
macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $part:literal, $expected:literal, $schema:tt, $parse:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// A text that the program has itself and that is known to fit.
            ///
            /// # Panics
            /// Panics when it does not fit.
            pub fn of(text: &'static str) -> Self {
                match text.parse() {
                    Ok(part) => part,
                    Err(error) => panic!("{text}: {error}"),
                }
            }
        }

        impl FromStr for $name {
            type Err = ProductError;

            fn from_str(text: &str) -> Result<Self, ProductError> {
                let parse: fn(&str) -> Option<String> = $parse;
                parse(text).map(Self).ok_or(ProductError { part: $part, expected: $expected })
            }
        }

        text_type!($name);
        schema_of!($name, stringify!($name), $schema);
    };
}

/// The text itself, where it fits.
fn given(text: &str, fits: bool) -> Option<String> {
    fits.then(|| text.to_owned())
}

part!(
    /// What a product, or its API, is called: shown to people.
    ProductName, "a name", "1 to 100 characters without control characters, of which one is not a space",
    { "type": "string", "minLength": 1, "maxLength": 100 },
    |text| {
        let text = text.trim();
        given(text, (1..=100).contains(&text.chars().count()) && !text.chars().any(char::is_control))
    }
);

part!(
    /// Path below which everything is served: `/_cms`, or empty for the root.
    Prefix, "a prefix",
    "a path of letters, digits, `-`, `_`, `.` and `~`, with a slash at its beginning and none at its end, as in `/_cms`",
    { "type": "string", "pattern": "^(/[A-Za-z0-9._~-]+)*$" },
    |text| {
        let is_segment = |segment: &str| {
            !segment.is_empty()
                && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
                && !segment.bytes().all(|byte| byte == b'.')
        };
        given(text, text.is_empty() || text.strip_prefix('/').is_some_and(|path| path.split('/').all(is_segment)))
    }
);

part!(
    /// Scheme, host and port of a site, as browsers compare them: `https://example.org`.
    Origin, "an origin", "scheme, host and perhaps a port, and nothing behind, as in `https://example.org`",
    { "type": "string", "pattern": "^https?://[^/?#@]+/?$" },
    |text| {
        let url = Url::parse(text).ok()?;
        let is_bare = matches!(url.scheme(), "http" | "https") && url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let is_anonymous = url.username().is_empty() && url.password().is_none();
        (is_bare && is_anonymous).then(|| url.origin().ascii_serialization())
    }
);

impl Origin {
    /// This machine, by the name that browsers trust without encryption.
    pub fn local(port: u16) -> Self {
        // Browsers leave out the port that is the scheme's own.
        Self(if port == 80 { "http://localhost".to_owned() } else { format!("http://localhost:{port}") })
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        self.0.split_once("://").map_or("", |(_, authority)| authority)
    }

    /// Whether what goes there is encrypted on its way.
    pub fn is_secure(&self) -> bool {
        self.0.starts_with("https://")
    }
}

part!(
    /// What tokens begin with, so that people and secret scanners recognize them: `cms_pat_`.
    TokenPrefix, "a prefix of tokens", "1 to 32 lower-case letters, digits and underscores, as in `cms_pat_`",
    { "type": "string", "pattern": "^[a-z0-9_]{1,32}$" },
    |text| given(text, (1..=32).contains(&text.len()) && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')))
);

part!(
    /// The name of a header, in lower case.
    HeaderName, "the name of a header", "letters, digits, hyphens, underscores and dots, as in `X-CMS-Request`",
    { "type": "string", "pattern": "^[A-Za-z0-9._-]+$" },
    |text| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        given(&text.to_ascii_lowercase(), !text.is_empty() && text.bytes().all(fits))
    }
);

part!(
    /// The name of a cookie.
    CookieName, "the name of a cookie", "1 to 64 letters, digits, hyphens and underscores, as in `cms_session`",
    { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$" },
    |text| given(text, (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_path_without_a_slash_at_its_end() {
        for text in ["", "/_cms", "/a/b-c"] {
            assert_eq!(text.parse::<Prefix>().map(|prefix| prefix.to_string()), Ok(text.to_owned()));
        }
        for text in ["cms", "/", "/cms/", "//", "/a b", "/..", "/{a}", "https://example.org/cms"] {
            assert!(text.parse::<Prefix>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_has_nothing_behind_the_port() {
        for (text, origin) in
            [("https://Example.org:443/", "https://example.org"), ("http://a:80", "http://a"), ("http://[::1]:3000", "http://[::1]:3000")]
        {
            assert_eq!(text.parse::<Origin>().map(|origin| origin.to_string()), Ok(origin.to_owned()), "{text}");
        }
        for text in
            ["", "example.org", "ftp://example.org", "https://example.org/cms", "https://a:b@example.org", "https://example.org?a", "*"]
        {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
        assert_eq!(Origin::local(80).as_str().parse(), Ok(Origin::local(80)));
    }

    #[test]
    fn a_name_is_something_that_can_be_read() {
        assert_eq!(" The blog ".parse::<ProductName>().map(|name| name.to_string()), Ok("The blog".to_owned()));
        for text in ["", " ", "a\nb", &"x".repeat(101)] {
            assert!(text.parse::<ProductName>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_on_the_wire_have_nothing_that_the_wire_would_read_otherwise() {
        assert_eq!("X-Site".parse::<HeaderName>().map(|name| name.to_string()), Ok("x-site".to_owned()));
        assert!("x_site.by".parse::<HeaderName>().is_ok());
        for text in ["", "a b", "a:b", "a\r\nb", r#""><script>"#] {
            assert!(text.parse::<HeaderName>().is_err() && text.parse::<CookieName>().is_err(), "{text}");
        }
        for text in ["", "Cms_", "cms-", &"a".repeat(33)] {
            assert!(text.parse::<TokenPrefix>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_text_that_does_not_fit_is_told_what_it_was_to_be() {
        let errors = ["cms/".parse::<Prefix>().unwrap_err(), "cms".parse::<Origin>().unwrap_err(), "".parse::<ProductName>().unwrap_err()];
        let told = errors.map(|error| error.to_string());
        assert!(told[0].starts_with("not a prefix: expected a path of letters"), "{told:?}");
        assert!(told[1].starts_with("not an origin: expected scheme, host"), "{told:?}");
        assert!(told[2].starts_with("not a name: expected 1 to 100 characters"), "{told:?}");
    }
}
