//! Time: UTC milliseconds, spelled in RFC 3339.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text::schema_of;

/// An instant, in milliseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 in UTC with milliseconds and `Z`. Read from RFC 3339 with any offset; a date without a time or
/// a time without an offset is refused. Finer fractions than milliseconds are cut off. Years 0001 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a date-time: expected RFC 3339 with an offset, as in 2027-01-31T09:30:00Z or 2027-01-31T09:30:00+02:00")]
pub struct TimestampError;

impl Timestamp {
    /// 0001-01-01T00:00:00Z, the first instant that RFC 3339 can spell.
    pub const MIN: Self = Self(-62_135_596_800_000);
    /// 9999-12-30T21:59:59.999Z, the last instant whose date has four digits at every offset.
    pub const MAX: Self = Self(253_402_207_199_999);

    /// An instant from milliseconds since 1970; one that RFC 3339 cannot spell becomes the nearest that it can.
    pub const fn from_milliseconds(milliseconds: i64) -> Self {
        if milliseconds < Self::MIN.0 {
            Self::MIN
        } else if milliseconds > Self::MAX.0 {
            Self::MAX
        } else {
            Self(milliseconds)
        }
    }

    /// Milliseconds since 1970.
    pub const fn milliseconds(self) -> i64 {
        self.0
    }

    /// The instant `duration` later.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        Self::from_milliseconds(self.0.saturating_add(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The instant `duration` earlier.
    #[must_use]
    pub fn before(self, duration: Duration) -> Self {
        Self::from_milliseconds(self.0.saturating_sub(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)))
    }

    /// This instant, or the first one behind another. What says when it last changed by it never says the same twice, whatever the clocks of
    /// servers say.
    #[must_use]
    pub fn later_than(self, other: Self) -> Self {
        self.max(other.after(Duration::from_millis(1)))
    }

    /// How long until `later`; zero when it is not later.
    pub fn until(self, later: Self) -> Duration {
        Duration::from_millis(u64::try_from(later.0.saturating_sub(self.0)).unwrap_or(0))
    }
}

/// `2027-01-31T09:30:00`, then an optional fraction, then `Z` or an offset. The library accepts more than RFC 3339.
fn is_rfc3339(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = b"dddd-dd-ddTdd:dd:dd";
    if bytes.len() <= shape.len() || bytes.len() > 35 {
        return false;
    }
    let (head, mut tail) = bytes.split_at(shape.len());
    let head_fits = head.iter().zip(shape).all(|(byte, expected)| match expected {
        b'd' => byte.is_ascii_digit(),
        b'T' => matches!(byte, b'T' | b't'),
        other => byte == other,
    });
    if !head_fits || head[17] > b'5' {
        return false;
    }
    if let Some(fraction) = tail.strip_prefix(b".") {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || digits > 9 {
            return false;
        }
        tail = &fraction[digits..];
    }
    match tail {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', hours @ .., b':', tens, ones] => {
            hours.len() == 2
                && hours.iter().chain([tens, ones]).all(u8::is_ascii_digit)
                && (hours[0] < b'2' || (hours[0] == b'2' && hours[1] < b'4'))
                && *tens < b'6'
        }
        _ => false,
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        if !is_rfc3339(text) {
            return Err(TimestampError);
        }
        let instant: jiff::Timestamp = text.parse().map_err(|_| TimestampError)?;
        let milliseconds = instant.as_millisecond();
        if (Self::MIN.0..=Self::MAX.0).contains(&milliseconds) { Ok(Self(milliseconds)) } else { Err(TimestampError) }
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instant = jiff::Timestamp::from_millisecond(self.0).map_err(|_| fmt::Error)?;
        write!(f, "{instant:.3}")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer)
    }
}

schema_of!(Timestamp, "Timestamp", { "type": "string", "format": "date-time" });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_read_and_written_back_in_utc() {
        let at: Timestamp = "2027-01-31T09:30:00.5+02:00".parse().unwrap();
        assert_eq!(at.to_string(), "2027-01-31T07:30:00.500Z");
    }

    #[test]
    fn whatever_is_not_rfc_3339_is_refused() {
        for text in [
            "",
            "2027-01-31",
            "2027-01-31T09:30:00",
            "2027-01-31 09:30:00Z",
            "2027-01-31T09:30Z",
            "2027-02-30T09:30:00Z",
            "2027-01-31T09:30:60Z",
            "2027-01-31T09:30:00+0200",
            "2027-01-31T09:30:00+25:00",
            "2027-01-31T09:30:00Z[Europe/Zurich]",
            "2027-01-31T09:30:00.Z",
            "Jan 1 2027",
            "１027-01-31T09:30:00Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError), "{text}");
        }
    }

    #[test]
    fn the_first_and_the_last_instant_round_trip() {
        for at in [Timestamp::MIN, Timestamp::MAX] {
            assert_eq!(at.to_string().parse(), Ok(at));
        }
    }
}
