//! What a preview link looks like, and how long it is good.

use std::{fmt::Write, str::FromStr, time::Duration};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;

/// How long a preview link is good: a number of seconds, or a number with one of `s`, `m`, `h`, `d` and `w`; from one minute to
/// 30 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifetime(u64);

/// The text or number is not a lifetime of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected from 60 seconds to 30 days, as in 3600, `90s`, `15m`, `1h`, `7d` or `2w`")]
pub struct LifetimeError;

impl Lifetime {
    const LEAST: u64 = 60;
    const GREATEST: u64 = 30 * 24 * 60 * 60;

    /// How long.
    pub fn duration(self) -> Duration {
        Duration::from_secs(self.0)
    }

    fn seconds(seconds: u64) -> Result<Self, LifetimeError> {
        if (Self::LEAST..=Self::GREATEST).contains(&seconds) { Ok(Self(seconds)) } else { Err(LifetimeError) }
    }
}

impl Default for Lifetime {
    fn default() -> Self {
        Self(60 * 60)
    }
}

impl FromStr for Lifetime {
    type Err = LifetimeError;

    fn from_str(text: &str) -> Result<Self, LifetimeError> {
        let digits = text.len().saturating_sub(1);
        let (number, unit) = text.split_at_checked(digits).ok_or(LifetimeError)?;
        let seconds = match unit {
            "s" => 1,
            "m" => 60,
            "h" => 60 * 60,
            "d" => 24 * 60 * 60,
            "w" => 7 * 24 * 60 * 60,
            _ => return Err(LifetimeError),
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(LifetimeError);
        }
        let number: u64 = number.parse().map_err(|_| LifetimeError)?;
        Self::seconds(number.checked_mul(seconds).ok_or(LifetimeError)?)
    }
}

impl<'de> Deserialize<'de> for Lifetime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let lifetime = match Value::deserialize(deserializer)? {
            Value::String(text) => text.parse(),
            Value::Number(number) => number.as_u64().ok_or(LifetimeError).and_then(Self::seconds),
            _ => Err(LifetimeError),
        };
        lifetime.map_err(D::Error::custom)
    }
}

impl JsonSchema for Lifetime {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Lifetime".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": Self::LEAST, "maximum": Self::GREATEST },
            { "type": "string", "pattern": "^[0-9]+[smhdw]$" }
        ] })
    }
}

/// Path of entries on a site: begins with `/`, and has `{collection}`, `{id}`, `{slug}` and `{locale}` where they belong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathPattern(String);

/// The text is not a path of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a path that begins with one `/`, with no other placeholders than {{collection}}, {{id}}, {{slug}} and {{locale}}")]
pub struct PathPatternError;

impl PathPattern {
    const PLACEHOLDERS: [&'static str; 4] = ["{collection}", "{id}", "{slug}", "{locale}"];
    /// The longest pattern, in bytes; paths of sites are far shorter.
    const MAX_BYTES: usize = 500;

    /// The pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for PathPattern {
    type Err = PathPatternError;

    fn from_str(text: &str) -> Result<Self, PathPatternError> {
        let rest = Self::PLACEHOLDERS.iter().fold(text.to_owned(), |rest, placeholder| rest.replace(placeholder, ""));
        // Two slashes would begin the name of a host, and so would a backslash in browsers.
        let is_path = text.starts_with('/') && !text.starts_with("//");
        let is_plain = rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"{}\\?#\"<>`|^".contains(&byte));
        if is_path && is_plain && text.len() <= Self::MAX_BYTES { Ok(Self(text.to_owned())) } else { Err(PathPatternError) }
    }
}

impl<'de> Deserialize<'de> for PathPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        cms_domain::text::parse(deserializer)
    }
}

impl JsonSchema for PathPattern {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PathPattern".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^/", "maxLength": Self::MAX_BYTES })
    }
}

/// What the placeholders of a path stand for.
pub(super) struct Place<'a> {
    pub(super) collection: &'a str,
    pub(super) id: &'a str,
    pub(super) slug: &'a str,
    /// Empty where the locale has no part in the path.
    pub(super) locale: &'a str,
}

impl Place<'_> {
    /// The address of a preview on the site.
    pub(super) fn address(&self, pattern: &str, token: &str) -> String {
        let filled = pattern.replace("{collection}", self.collection).replace("{id}", self.id).replace("{locale}", self.locale);
        // The slug goes last: no placeholder can come in with it.
        let filled = filled.replace("{slug}", &encoded(self.slug));
        let segments: Vec<_> = filled.split('/').filter(|segment| !segment.is_empty()).collect();
        format!("/{}?_preview={token}", segments.join("/"))
    }
}

/// A slug as a part of a URL (RFC 3986, section 2.1). Its ASCII characters need no encoding.
fn encoded(slug: &str) -> String {
    slug.bytes().fold(String::new(), |mut text, byte| {
        match byte {
            byte if byte.is_ascii() => text.push(char::from(byte)),
            // Writing to a text cannot fail.
            byte => drop(write!(text, "%{byte:02X}")),
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_is_from_one_minute_to_30_days() {
        for (text, seconds) in
            [("60s", 60), ("90s", 90), ("15m", 900), ("1h", 3600), ("7d", 604_800), ("4w", 2_419_200), ("30d", 2_592_000)]
        {
            assert_eq!(text.parse(), Ok(Lifetime(seconds)), "{text}");
        }
        for text in
            ["", "h", "1", "59s", "31d", "-1h", "+1h", "1.5h", "1 h", "1y", "99999999999999999999h", "99999999999999999h", "１h", "1ä"]
        {
            assert_eq!(text.parse::<Lifetime>(), Err(LifetimeError), "{text}");
        }
        assert_eq!(serde_json::from_str::<Lifetime>("3600").unwrap(), Lifetime(3600));
        for text in ["0", "-60", "60.5", "2592001", "null", "true", "[]"] {
            assert!(serde_json::from_str::<Lifetime>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_pattern_stays_on_the_site() {
        for text in ["/", "/{locale}/{collection}/{slug}", "/a/{id}"] {
            assert!(text.parse::<PathPattern>().is_ok(), "{text}");
        }
        for text in ["", "a", "//evil.example", "https://evil.example", "/\\evil.example", "/{other}", "/{", "/a?b", "/a#b", "/a b", "/ä"]
        {
            assert_eq!(text.parse::<PathPattern>(), Err(PathPatternError), "{text}");
        }
    }

    #[test]
    fn a_place_without_a_locale_leaves_no_hole_in_the_path() {
        let place = Place { collection: "posts", id: "1", slug: "café-{id}", locale: "" };
        assert_eq!(place.address("/{locale}/{collection}/{slug}/", "t"), "/posts/caf%C3%A9-{id}?_preview=t");
    }
}
