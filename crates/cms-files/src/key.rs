//! The names of objects: plain enough for every file system, every bucket and every URL.

use std::{fmt, str::FromStr};

use crate::Error;

/// Longer keys fit no more into a URL with what stands around them, nor into a bucket's key with its prefix.
const LONGEST: usize = 200;

/// The name of an object: segments of ASCII letters, digits, `.`, `_` and `-`, joined by `/`. None of them is empty or begins with a dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Reads a key.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |why: &str| Err(Error::Invalid(format!("the key `{}` {why}", text.escape_debug())));
        if text.len() > LONGEST {
            return Err(Error::Invalid(format!("a key has at most {LONGEST} characters")));
        }
        for segment in text.split('/') {
            if segment.is_empty() {
                return wrong("has an empty segment");
            }
            if segment.starts_with('.') {
                return wrong("has a segment that begins with a dot");
            }
            if !segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')) {
                return wrong("has characters other than letters, digits, `.`, `_`, `-` and `/`");
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The folder that it is in, and its name there.
    pub(crate) fn split(&self) -> (Option<&str>, &str) {
        match self.0.rsplit_once('/') {
            Some((folder, name)) => (Some(folder), name),
            None => (None, &self.0),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Key {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plain_segments_are_keys() {
        for text in ["a", "a/b", "01J/photo.jpg", "a..b", "A_b-c.D", "a/b.c/d"] {
            assert_eq!(Key::parse(text).expect(text).as_str(), text);
        }
    }

    #[test]
    fn what_could_lead_elsewhere_is_no_key() {
        for text in
            ["", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", ".hidden", "a/.b", "a\\b", "a b", "a\0", "é", "a%2fb", "a:b", "a\n"]
        {
            assert!(matches!(Key::parse(text), Err(Error::Invalid(_))), "{text:?}");
        }
        assert!(Key::parse(&"a".repeat(LONGEST)).is_ok());
        assert!(Key::parse(&"a".repeat(LONGEST + 1)).is_err());
    }

    proptest! {
        #[test]
        fn a_key_never_leads_up_or_out(text in "(?s).{0,40}|[./a]{0,12}") {
            if let Ok(key) = Key::parse(&text) {
                let path = std::path::Path::new(key.as_str());
                prop_assert!(path.components().all(|part| matches!(part, std::path::Component::Normal(_))));
                prop_assert_eq!(key.as_str(), text);
            }
        }
    }
}
