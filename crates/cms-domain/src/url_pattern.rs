//! Where a collection's entries are on the site: a path with placeholders.

use std::str::FromStr;

use crate::text::{schema_of, text_type};

/// Path of an entry on the site, from the root, with `{slug}`, `{id}` and `{locale}` where they belong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern(String);

/// The text is not a pattern of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlPatternError {
    /// It would lead to another site, or depends on where it stands.
    #[error("a pattern begins with one `/`")]
    NotAPath,
    /// It is too long.
    #[error("a pattern has {} characters at most", UrlPattern::MAX_LENGTH)]
    TooLong,
    /// It has characters that no path has.
    #[error("a pattern has no spaces, no control characters and none of `?`, `#` and `\\`")]
    Character,
    /// A brace has no partner, or what it encloses is unknown.
    #[error("braces enclose one of {}", UrlPattern::PLACEHOLDERS.join(", "))]
    Placeholder,
}

impl UrlPattern {
    /// The longest pattern, in characters: what browsers show of an address.
    pub const MAX_LENGTH: usize = 500;
    /// What braces can enclose.
    pub const PLACEHOLDERS: [&str; 3] = ["slug", "id", "locale"];
}

impl FromStr for UrlPattern {
    type Err = UrlPatternError;

    fn from_str(text: &str) -> Result<Self, UrlPatternError> {
        if !text.starts_with('/') || text.starts_with("//") {
            return Err(UrlPatternError::NotAPath);
        }
        if text.chars().count() > Self::MAX_LENGTH {
            return Err(UrlPatternError::TooLong);
        }
        if text.contains(|character: char| character.is_whitespace() || character.is_control() || matches!(character, '?' | '#' | '\\')) {
            return Err(UrlPatternError::Character);
        }
        let mut parts = text.split('{');
        let outside = parts.next().is_some_and(|part| !part.contains('}'));
        let known = |part: &str| part.split_once('}').is_some_and(|(name, rest)| Self::PLACEHOLDERS.contains(&name) && !rest.contains('}'));
        if outside && parts.all(known) { Ok(Self(text.to_owned())) } else { Err(UrlPatternError::Placeholder) }
    }
}

text_type!(UrlPattern);
schema_of!(UrlPattern, "UrlPattern", {
    "type": "string",
    "pattern": r"^/(([^/{}?#\\\s\x00-\x1f\x7f-\x9f]|\{(slug|id|locale)\})([^{}?#\\\s\x00-\x1f\x7f-\x9f]|\{(slug|id|locale)\})*)?$",
    "maxLength": 500
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_a_path_with_known_placeholders() {
        for text in ["/", "/blog/{slug}", "/{locale}/a/{id}-{slug}.html"] {
            assert_eq!(text.parse::<UrlPattern>().map(|pattern| pattern.to_string()), Ok(text.to_owned()));
        }
        for (text, error) in [
            ("blog/{slug}", UrlPatternError::NotAPath),
            ("//evil.example/{slug}", UrlPatternError::NotAPath),
            ("https://example.com/{slug}", UrlPatternError::NotAPath),
            ("/a b", UrlPatternError::Character),
            ("/a?b", UrlPatternError::Character),
            ("/{year}/{slug}", UrlPatternError::Placeholder),
            ("/{slug", UrlPatternError::Placeholder),
            ("/slug}", UrlPatternError::Placeholder),
            ("/{{slug}}", UrlPatternError::Placeholder),
        ] {
            assert_eq!(text.parse::<UrlPattern>(), Err(error), "{text}");
        }
        assert_eq!(format!("/{}", "x".repeat(500)).parse::<UrlPattern>(), Err(UrlPatternError::TooLong));
    }
}
