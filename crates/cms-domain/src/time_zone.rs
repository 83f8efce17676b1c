//! Time zones, by their names.

use jiff::tz;

use crate::text::{schema_of, text_type};

/// A time zone by its name in the IANA Time Zone Database, as in `Europe/Berlin`, spelt as there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeZone(String);

/// There is no such time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a time zone: expected a name of the IANA Time Zone Database, as in `UTC` or `Europe/Berlin`")]
pub struct TimeZoneError;

impl std::str::FromStr for TimeZone {
    type Err = TimeZoneError;

    fn from_str(text: &str) -> Result<Self, TimeZoneError> {
        // The one that comes with the program: a small image of a container has none of its own.
        let zone = tz::TimeZoneDatabase::bundled().get(text).map_err(|_| TimeZoneError)?;
        zone.iana_name().map(|name| Self(name.to_owned())).ok_or(TimeZoneError)
    }
}

text_type!(TimeZone);
schema_of!(TimeZone, "TimeZone", { "type": "string", "minLength": 1, "maxLength": 64, "examples": ["Europe/Berlin"] });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_known_by_its_name_in_any_case_and_written_as_it_is_spelt() {
        for (text, name) in [
            ("Europe/Berlin", "Europe/Berlin"),
            ("utc", "UTC"),
            ("america/new_york", "America/New_York"),
            ("Asia/Calcutta", "Asia/Calcutta"),
        ] {
            assert_eq!(text.parse::<TimeZone>().unwrap().as_str(), name);
        }
    }

    #[test]
    fn what_is_no_zone_is_refused() {
        for text in ["", "Berlin", "Europe/Atlantis", "+01:00", "EST5EDT4", "../../etc/passwd", "Europe/Berlin ", &"x".repeat(10_000)] {
            assert_eq!(text.parse::<TimeZone>(), Err(TimeZoneError), "{text}");
        }
    }
}
