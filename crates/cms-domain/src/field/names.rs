//! Several fields, as requests name them.

use std::{collections::BTreeSet, str::FromStr};

use crate::{
    slug::{FieldSlug, IdentifierError},
    text::{schema_of, text_type},
};

/// Names of fields, each once and in one order, with commas between them. Empty text names none.
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
    /// They are too many.
    #[error("name {} fields at most", FieldNames::MAX)]
    TooMany,
}

impl FieldNames {
    /// The longest text, in bytes: as long as filters may be, which stand in the same address.
    pub const MAX_BYTES: usize = 8192;
    /// The most fields: more than people model, and few enough to name each that is not there.
    pub const MAX: usize = 200;

    /// The names, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').filter(|name| !name.is_empty())
    }

    /// The names, to look for some of them.
    pub fn as_set(&self) -> BTreeSet<&str> {
        self.iter().collect()
    }
}

impl FromStr for FieldNames {
    type Err = FieldNamesError;

    fn from_str(text: &str) -> Result<Self, FieldNamesError> {
        if text.len() > Self::MAX_BYTES {
            return Err(FieldNamesError::TooLong);
        }
        let names: BTreeSet<_> = text.split(',').filter(|_| !text.is_empty()).collect();
        for name in &names {
            name.parse::<FieldSlug>()?;
        }
        if names.len() > Self::MAX {
            return Err(FieldNamesError::TooMany);
        }
        Ok(Self(names.into_iter().collect::<Vec<_>>().join(",")))
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
        assert_eq!(names("title,price,title").unwrap(), ["price", "title"], "each once, in one order");
        assert_eq!(names("").unwrap(), [""; 0]);
        for text in [",", "title,", "title, price", "Title", "a,b;c"] {
            assert!(matches!(names(text), Err(FieldNamesError::Name(_))), "{text}");
        }
        assert_eq!(names(&"a,".repeat(FieldNames::MAX_BYTES)), Err(FieldNamesError::TooLong));
        let many = |n: usize| (0..n).map(|n| format!("a{n}")).collect::<Vec<_>>().join(",");
        assert_eq!(names(&many(FieldNames::MAX)).unwrap().len(), FieldNames::MAX);
        assert_eq!(names(&many(FieldNames::MAX + 1)), Err(FieldNamesError::TooMany));
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
