//! Several fields, as requests name them.

use std::str::FromStr;

use crate::{
    slug::{FieldSlug, IdentifierError},
    text::{schema_of, text_type},
};

/// Names of fields, with commas between them. Empty text names none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldNames(String);

/// The text does not name fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FieldNamesError {
    /// One of them is no name of a field.
    #[error("expected names of fields with commas between them; {0}")]
    Name(#[from] IdentifierError),
    /// It is too long.
    #[error("names of fields take {} bytes at most", FieldNames::MAX_BYTES)]
    TooLong,
}

impl FieldNames {
    /// The longest text, in bytes: as long as filters may be, which stand in the same address.
    pub const MAX_BYTES: usize = 8192;

    /// The names, in the order in which they were sent.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').filter(|name| !name.is_empty())
    }

    /// Whether a field is named.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|known| known == name)
    }
}

impl FromStr for FieldNames {
    type Err = FieldNamesError;

    fn from_str(text: &str) -> Result<Self, FieldNamesError> {
        if text.len() > Self::MAX_BYTES {
            return Err(FieldNamesError::TooLong);
        }
        for name in text.split(',').filter(|_| !text.is_empty()) {
            name.parse::<FieldSlug>()?;
        }
        Ok(Self(text.to_owned()))
    }
}

text_type!(FieldNames);
schema_of!(FieldNames, "FieldNames", {
    "type": "string",
    "pattern": "^([a-z][a-z0-9_]{0,62}(,[a-z][a-z0-9_]{0,62})*)?$",
    "maxLength": 8192,
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart_by_commas() {
        let names = |text: &str| text.parse::<FieldNames>().map(|names| names.iter().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(names("title,price").unwrap(), ["title", "price"]);
        assert_eq!(names("").unwrap(), [""; 0]);
        for text in [",", "title,", "title, price", "Title", "a,b;c"] {
            assert!(matches!(names(text), Err(FieldNamesError::Name(_))), "{text}");
        }
        assert_eq!(names(&"a,".repeat(FieldNames::MAX_BYTES)), Err(FieldNamesError::TooLong));
    }

    #[test]
    fn the_schema_takes_what_is_read() {
        let schema = schemars::schema_for!(FieldNames).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for text in ["", "title", "title,price", "a_1,b", ",", "title,", "Title", "title, price", &"x".repeat(63), &"x".repeat(64)] {
            assert_eq!(validator.is_valid(&serde_json::json!(text)), text.parse::<FieldNames>().is_ok(), "{text}");
        }
    }
}
