//! Texts and whole numbers within bounds that their types state.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error as _, Unexpected, Visitor},
};

/// Whether a text can stand between words of others: it is not blank, breaks no line, and does not turn the direction of what is written behind it.
pub fn is_one_line(text: &str) -> bool {
    // The embeddings, overrides and isolates of UAX #9, and the separators of lines and paragraphs.
    let steers = |c: char| c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !text.trim().is_empty() && !text.contains(steers)
}

/// A text of `MIN` to `MAX` characters (Unicode scalar values).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Bounded<const MIN: usize, const MAX: usize>(String);

impl<const MIN: usize, const MAX: usize> Bounded<MIN, MAX> {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl<const MIN: usize, const MAX: usize> TryFrom<String> for Bounded<MIN, MAX> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().count() {
            length if (MIN..=MAX).contains(&length) => Ok(Self(text)),
            length => Err(format!("has {length} characters instead of {MIN} to {MAX}")),
        }
    }
}

impl<'de, const MIN: usize, const MAX: usize> Deserialize<'de> for Bounded<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl<const MIN: usize, const MAX: usize> JsonSchema for Bounded<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("TextOf{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": MIN, "maxLength": MAX })
    }
}

/// A whole number from `MIN` to `MAX`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Whole<const MIN: i32, const MAX: i32>(i32);

impl<const MIN: i32, const MAX: i32> Whole<MIN, MAX> {
    /// The number.
    pub const fn get(self) -> i32 {
        self.0
    }
}

impl<const MIN: i32, const MAX: i32> TryFrom<i64> for Whole<MIN, MAX> {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        let fitting = i32::try_from(number).ok().filter(|number| (MIN..=MAX).contains(number));
        fitting.map(Self).ok_or_else(|| format!("is not a whole number from {MIN} to {MAX}"))
    }
}

impl<'de, const MIN: i32, const MAX: i32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        whole_number(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

/// Reads a whole number, however it is written: to JSON Schema `2.0` is an integer like `2`.
pub(crate) fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    struct Number;

    impl Visitor<'_> for Number {
        type Value = i64;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a whole number")
        }

        fn visit_i64<E>(self, number: i64) -> Result<i64, E> {
            Ok(number)
        }

        fn visit_u64<E>(self, number: u64) -> Result<i64, E> {
            // Larger ones are outside of every bound.
            Ok(i64::try_from(number).unwrap_or(i64::MAX))
        }

        fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<i64, E> {
            #[expect(clippy::cast_possible_truncation, reason = "a cast stops at the ends, which are outside of every bound")]
            if number.fract() == 0.0 { Ok(number as i64) } else { Err(E::invalid_value(Unexpected::Float(number), &self)) }
        }
    }

    deserializer.deserialize_i64(Number)
}

impl<const MIN: i32, const MAX: i32> JsonSchema for Whole<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("WholeFrom{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_measured_in_characters() {
        let read = |text| serde_json::from_str::<Bounded<1, 3>>(text).is_ok();
        assert!(read(r#""äöü""#) && !read(r#""""#) && !read(r#""abcd""#) && !read("1"));
    }

    #[test]
    fn a_number_outside_of_its_bounds_is_refused() {
        let read = |text| serde_json::from_str::<Whole<0, 9>>(text).is_ok();
        assert!(read("0") && read("9") && !read("10") && !read("-1") && !read("1.5") && !read("99999999999999999999"));
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let read = |text| serde_json::from_str::<Whole<0, 9>>(text).ok().map(Whole::get);
        assert_eq!((read("2.0"), read("2e0"), read("2.5"), read("1e300")), (Some(2), Some(2), None, None));
    }
}
