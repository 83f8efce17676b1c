//! What settings are made of: lengths of time, sizes, addresses, each spelled as a person would.

use std::{fmt, net::SocketAddr, path::Path, str::FromStr, time::Duration};

use cms_domain::product::{Origin, ProductError};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Gives a type with `FromStr` and `Display` its serde impls and its JSON Schema.
macro_rules! spelled {
    ($name:ident, $schema:tt) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                cms_domain::text::parse(deserializer)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!($schema)
            }
        }
    };
}
pub(super) use spelled;

/// Reads a whole number followed by one of the units, and writes the greatest unit that fits.
fn read(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let (_, factor) = units.iter().find(|(name, _)| *name == unit.trim_start())?;
    number.parse::<u64>().ok()?.checked_mul(*factor)
}

fn write(f: &mut fmt::Formatter<'_>, value: u64, units: &[(&str, u64)]) -> fmt::Result {
    let fitting = units.iter().rev().find(|(_, factor)| value.is_multiple_of(*factor) && value >= *factor).or(units.first());
    let (unit, factor) = fitting.copied().unwrap_or(("", 1));
    write!(f, "{}{unit}", value / factor)
}

/// A length of time: `500ms`, `30s`, `5m`, `24h`, `30d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span(pub(crate) Duration);

impl Span {
    const UNITS: [(&'static str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

    pub(crate) const fn seconds(seconds: u64) -> Self {
        Self(Duration::from_secs(seconds))
    }
}

#[derive(Debug, thiserror::Error)]
#[error("expected a length of time: a whole number and ms, s, m, h or d, as in `30s`")]
pub(crate) struct SpanError;

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        read(text, &Self::UNITS).map(|milliseconds| Self(Duration::from_millis(milliseconds))).ok_or(SpanError)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX), &Self::UNITS)
    }
}

spelled!(Span, { "type": "string", "pattern": "^[0-9]+ *(ms|s|m|h|d)$" });

/// A number of bytes: `512B`, `64KiB`, `10MiB`, `1GiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) usize);

impl Size {
    const UNITS: [(&'static str, u64); 4] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

    pub(crate) const fn mib(mib: usize) -> Self {
        Self(mib << 20)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("expected a size: a whole number and B, KiB, MiB or GiB, as in `10MiB`")]
pub(crate) struct SizeError;

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        read(text, &Self::UNITS).and_then(|bytes| usize::try_from(bytes).ok()).map(Self).ok_or(SizeError)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self.0 as u64, &Self::UNITS)
    }
}

spelled!(Size, { "type": "string", "pattern": "^[0-9]+ *(B|KiB|MiB|GiB)$" });

/// Where to listen: an address or a name, and a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListenAddress {
    text: String,
    port: u16,
}

#[derive(Debug, thiserror::Error)]
#[error("expected an address and a port, as in `127.0.0.1:8080` or `[::1]:8080`")]
pub(crate) struct ListenAddressError;

impl ListenAddress {
    /// The address that a socket got.
    pub(crate) fn of(address: SocketAddr) -> Self {
        Self { text: address.to_string(), port: address.port() }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }
}

impl Default for ListenAddress {
    fn default() -> Self {
        Self::of(SocketAddr::from(([127, 0, 0, 1], 8080)))
    }
}

impl FromStr for ListenAddress {
    type Err = ListenAddressError;

    fn from_str(text: &str) -> Result<Self, ListenAddressError> {
        if let Ok(address) = text.parse() {
            return Ok(Self::of(address));
        }
        let (name, port) = text.rsplit_once(':').ok_or(ListenAddressError)?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte));
        match port.parse() {
            Ok(port) if is_name => Ok(Self { text: text.to_owned(), port }),
            _ => Err(ListenAddressError),
        }
    }
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

spelled!(ListenAddress, { "type": "string", "pattern": "^.+:[0-9]{1,5}$" });

/// Where the database is. The password in it is for the database alone: neither `{}` nor `{:?}` shows it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct DatabaseUrl(String);

#[derive(Debug, thiserror::Error)]
#[error("expected `sqlite:` and a path, or `postgres://user:password@host/name`")]
pub(crate) struct DatabaseUrlError;

impl DatabaseUrl {
    /// The address with everything in it, for the one who connects.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The file of a SQLite database.
    pub(crate) fn file(&self) -> Option<&Path> {
        let path = self.0.strip_prefix("sqlite:")?;
        let path = path.strip_prefix("//").unwrap_or(path).split('?').next()?;
        Some(Path::new(path)).filter(|_| path != ":memory:")
    }
}

impl Default for DatabaseUrl {
    fn default() -> Self {
        Self("sqlite:data/cms.db".to_owned())
    }
}

impl FromStr for DatabaseUrl {
    type Err = DatabaseUrlError;

    fn from_str(text: &str) -> Result<Self, DatabaseUrlError> {
        let known = text.strip_prefix("sqlite:").is_some_and(|path| !path.is_empty())
            || (["postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) && url::Url::parse(text).is_ok());
        if known { Ok(Self(text.to_owned())) } else { Err(DatabaseUrlError) }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(mut url) = url::Url::parse(&self.0).ok().filter(url::Url::has_host) else {
            return f.write_str(&self.0);
        };
        if url.password().is_some() {
            // Fails only for addresses without a host.
            let _ = url.set_password(Some("***"));
        }
        if url.query().is_some() {
            let pairs: Vec<_> = url.query_pairs().into_owned().collect();
            let shown = pairs.iter().map(|(key, value)| (key, if key.contains("password") { "***" } else { value }));
            url.query_pairs_mut().clear().extend_pairs(shown);
        }
        f.write_str(url.as_str())
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

spelled!(DatabaseUrl, { "type": "string", "pattern": "^(sqlite:.+|postgres(ql)?://.+)$" });

/// The token of the setup, when the operator chooses it. Neither `{}` nor `{:?}` shows it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SetupToken(String);

#[derive(Debug, thiserror::Error)]
#[error("expected at least {MIN_TOKEN} letters, digits, `-`, `_`, `.` and `~`: whoever has them becomes the first admin")]
pub(crate) struct SetupTokenError;

/// The fewest characters of a token that the operator chose.
const MIN_TOKEN: usize = cms_core::accounts::setup::CHOSEN_TOKEN;

impl SetupToken {
    /// The token, for the one who sets the site up.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for SetupToken {
    type Err = SetupTokenError;

    fn from_str(text: &str) -> Result<Self, SetupTokenError> {
        // It is part of an address.
        let fits = text.len() >= MIN_TOKEN && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte));
        if fits { Ok(Self(text.to_owned())) } else { Err(SetupTokenError) }
    }
}

impl fmt::Display for SetupToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Debug for SetupToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

spelled!(SetupToken, { "type": "string", "minLength": MIN_TOKEN, "pattern": "^[A-Za-z0-9._~-]*$" });

/// The address of a gateway: an origin, or its bare host, which is reached encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TeamDomain(Origin);

#[derive(Debug, thiserror::Error)]
#[error("expected the gateway's host, or its origin, as in `team.example.org` or `https://team.example.org`")]
pub(crate) struct TeamDomainError;

impl FromStr for TeamDomain {
    type Err = TeamDomainError;

    fn from_str(text: &str) -> Result<Self, TeamDomainError> {
        let origin = if text.contains("://") { text.parse() } else { format!("https://{text}").parse() };
        origin.map(Self).map_err(|_: ProductError| TeamDomainError)
    }
}

impl fmt::Display for TeamDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

spelled!(TeamDomain, { "type": "string", "pattern": "^(https?://)?[^/?#@]+/?$" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_and_sizes_are_written_as_they_are_read() {
        for text in ["500ms", "30s", "5m", "24h", "30d", "0ms"] {
            assert_eq!(text.parse::<Span>().unwrap().to_string(), text.replace("24h", "1d"));
        }
        for text in ["512B", "64KiB", "10MiB", "1GiB", "0B"] {
            assert_eq!(text.parse::<Size>().unwrap().to_string(), text);
        }
        assert_eq!("10 MiB".parse::<Size>().unwrap(), Size::mib(10));
    }

    #[test]
    fn what_is_no_length_of_time_and_no_size_is_refused() {
        for text in ["", "30", "s", "-1s", "1.5s", "1 week", "99999999999999999999s", "18446744073709551615d"] {
            assert!(text.parse::<Span>().is_err(), "{text}");
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_password_of_a_database_is_never_shown() {
        let url: DatabaseUrl = "postgres://cms:s3cret@db.example:5432/cms?sslmode=require&sslpassword=hidden".parse().unwrap();
        for shown in [url.to_string(), format!("{url:?}"), serde_json::to_string(&url).unwrap()] {
            assert!(!shown.contains("s3cret") && !shown.contains("hidden"), "{shown}");
            assert!(shown.contains("postgres://cms:***@db.example:5432/cms?sslmode=require"), "{shown}");
        }
        assert!(url.reveal().contains("s3cret"));
    }

    #[test]
    fn the_token_of_the_setup_is_long_enough_and_never_shown() {
        let token: SetupToken = "correct-horse-battery".parse().unwrap();
        assert_eq!((token.to_string(), format!("{token:?}"), token.reveal()), ("***".into(), "***".into(), "correct-horse-battery"));
        for text in ["", "too-short", "correct horse battery", "correct-horse#battery"] {
            assert!(text.parse::<SetupToken>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_file_of_a_sqlite_database_is_known() {
        for (url, file) in [
            ("sqlite:data/cms.db", Some("data/cms.db")),
            ("sqlite://data/cms.db?mode=rwc", Some("data/cms.db")),
            ("sqlite:/var/lib/cms/cms.db", Some("/var/lib/cms/cms.db")),
            ("sqlite:cms.db", Some("cms.db")),
            ("sqlite::memory:", None),
            ("postgres://localhost/cms", None),
        ] {
            assert_eq!(url.parse::<DatabaseUrl>().unwrap().file(), file.map(Path::new), "{url}");
        }
    }
}
