//! Several entries, as requests name them.

use std::{collections::BTreeSet, str::FromStr};

use crate::{
    id::{EntryId, IdError},
    text::{schema_of, text_type},
};

/// Ids of entries, each once and in one order, with commas between them; at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryIds(String);

/// The text does not name entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EntryIdsError {
    /// One of them is no id.
    #[error("expected ids of entries with commas between them; {0}")]
    Id(#[from] IdError),
    /// They are too many.
    #[error("name {} entries at most", EntryIds::MAX)]
    TooMany,
}

impl EntryIds {
    /// The most entries: more than anybody has open at once, and as many as one statement looks for at no cost.
    pub const MAX: usize = 50;

    /// The ids, in their order.
    pub fn to_vec(&self) -> Vec<EntryId> {
        self.0.split(',').filter_map(|id| id.parse().ok()).collect()
    }
}

impl FromStr for EntryIds {
    type Err = EntryIdsError;

    fn from_str(text: &str) -> Result<Self, EntryIdsError> {
        let mut ids = BTreeSet::new();
        for id in text.split(',') {
            ids.insert(id.parse::<EntryId>()?);
            if ids.len() > Self::MAX {
                return Err(EntryIdsError::TooMany);
            }
        }
        Ok(Self(ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")))
    }
}

text_type!(EntryIds);
schema_of!(EntryIds, "EntryIds", {
    "type": "string",
    "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}(,[0-7][0-9A-HJKMNP-TV-Z]{25}){0,49}$",
});

#[cfg(test)]
mod tests {
    use super::*;

    fn many(n: u128) -> String {
        (0..n).map(|n| EntryId::from_parts(0, n).to_string()).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn ids_are_told_apart_by_commas_and_kept_once() {
        let (a, b) = (EntryId::from_parts(0, 1), EntryId::from_parts(0, 2));
        assert_eq!(format!("{b},{a},{b}").parse::<EntryIds>().unwrap().to_vec(), [a, b]);
        for text in ["", ",", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV,", "01ARZ3NDEKTSV4RRFFQ69G5FAV, 01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
            assert!(matches!(text.parse::<EntryIds>(), Err(EntryIdsError::Id(_))), "{text}");
        }
        assert_eq!(many(50).parse::<EntryIds>().unwrap().to_vec().len(), EntryIds::MAX);
        assert_eq!(many(51).parse::<EntryIds>(), Err(EntryIdsError::TooMany));
    }

    #[test]
    fn the_schema_takes_what_is_read() {
        let schema = schemars::schema_for!(EntryIds).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for text in ["", "x", ",", &many(1), &many(2), &many(50), &many(51)] {
            assert_eq!(validator.is_valid(&serde_json::json!(text)), text.parse::<EntryIds>().is_ok(), "{text}");
        }
    }
}
