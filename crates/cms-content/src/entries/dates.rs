//! Dates that bound a list: an instant, or a whole day.

use std::{fmt, str::FromStr, time::Duration};

use cms_domain::time::{Timestamp, TimestampError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An instant as in RFC 3339, or a day `YYYY-MM-DD` in UTC, which counts from its first to its last millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DateBound {
    first: Timestamp,
    last: Timestamp,
}

/// From the first to the last millisecond of a day.
const DAY: Duration = Duration::from_millis(24 * 60 * 60 * 1000 - 1);

impl DateBound {
    /// The first instant of it.
    pub fn first(self) -> Timestamp {
        self.first
    }

    /// The last instant of it.
    pub fn last(self) -> Timestamp {
        self.last
    }
}

impl FromStr for DateBound {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        if text.len() == "YYYY-MM-DD".len() {
            let first: Timestamp = format!("{text}T00:00:00Z").parse()?;
            return Ok(Self { first, last: first.after(DAY) });
        }
        let at = text.parse()?;
        Ok(Self { first: at, last: at })
    }
}

impl fmt::Display for DateBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.first, self.last)
    }
}

impl<'de> Deserialize<'de> for DateBound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        cms_domain::text::parse(deserializer)
    }
}

impl Serialize for DateBound {
    /// As it is read: a day where it is a whole one.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let first = self.first.to_string();
        let text = if self.first == self.last { &first } else { first.split('T').next().unwrap_or_default() };
        serializer.serialize_str(text)
    }
}

impl JsonSchema for DateBound {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DateBound".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "string", "format": "date" }] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_whole() {
        let day: DateBound = "2027-01-31".parse().unwrap();
        assert_eq!(day.to_string(), "2027-01-31T00:00:00.000Z/2027-01-31T23:59:59.999Z");
    }

    #[test]
    fn a_bound_is_read_as_it_was_written() {
        for text in ["2027-01-31", "2027-01-31T09:30:00+02:00", "0001-01-01"] {
            let bound: DateBound = text.parse().unwrap();
            let written = serde_json::to_string(&bound).unwrap();
            assert_eq!(serde_json::from_str::<DateBound>(&written).unwrap(), bound, "{written}");
        }
    }

    #[test]
    fn an_instant_counts_alone_and_needs_an_offset() {
        let at: DateBound = "2027-01-31T09:30:00+02:00".parse().unwrap();
        assert_eq!(at.first(), at.last());
        for text in ["2027-01-31T09:30:00", "2027-02-30", "31.01.2027", "2027", ""] {
            assert!(text.parse::<DateBound>().is_err(), "{text}");
        }
    }
}
