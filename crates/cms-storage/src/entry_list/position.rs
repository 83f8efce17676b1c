//! Where a page of a list ends: the values by which the list is sorted, of the last entry.

use cms_domain::{entry::Status, field::sort_key::SortKey, id::EntryId, locale::Locale, time::Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::Sort;

/// Where a page of a list ends. It does not depend on how the page was found, so that the next one may be found in another way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    /// Behind an entry in a list by date. Before every instant when the entry has no date.
    Date(i64, EntryId),
    /// Behind an entry in a list by slug. Empty when the entry has none.
    Slug(String, EntryId),
    /// Behind an entry in a list by status.
    Status(Status, Locale, Timestamp, EntryId),
    /// Behind an entry in a list by locale.
    Locale(Locale, Timestamp, EntryId),
    /// Behind an entry in a list by field.
    Key(Key, Timestamp, EntryId),
}

impl Position {
    /// Whether the position is one in a list that is sorted so.
    pub fn fits(&self, sort: Sort) -> bool {
        match self {
            Self::Date(..) => matches!(sort, Sort::CreatedAt | Sort::UpdatedAt | Sort::PublishedAt | Sort::ScheduledAt),
            Self::Slug(..) => sort == Sort::Slug,
            Self::Status(..) => sort == Sort::Status,
            Self::Locale(..) => sort == Sort::Locale,
            Self::Key(..) => matches!(sort, Sort::Field(_)),
        }
    }
}

/// The bytes of a sort key, written in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key(pub(super) Vec<u8>);

impl Key {
    /// No key that a position carries is longer: a text's is 120 bytes, each of which may be escaped, its marks and its hash.
    const MAX_BYTES: usize = 300;
}

impl From<SortKey> for Key {
    fn from(key: SortKey) -> Self {
        Self(key.into_bytes())
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digit = |nibble: u8| char::from_digit(nibble.into(), 16).unwrap_or_default();
        let text: String = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|nibble| u8::try_from(nibble).ok());
        let byte = |pair: &[u8]| match pair {
            [high, low] => Some(nibble(*high)? << 4 | nibble(*low)?),
            _ => None,
        };
        if text.len() > 2 * Self::MAX_BYTES {
            return Err(D::Error::custom("too long for a key"));
        }
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
        bytes.map(Self).ok_or_else(|| D::Error::custom("not a key"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_reads_as_it_was_written() {
        let id = EntryId::from_parts(1, 2);
        let at = Timestamp::from_milliseconds(1);
        for position in [
            Position::Date(-62_135_596_800_001, id),
            Position::Slug(String::new(), id),
            Position::Status(Status::Scheduled, "en".parse().unwrap(), at, id),
            Position::Locale("pt-BR".parse().unwrap(), at, id),
            Position::Key(Key(vec![0, 1, 0xab, 0xff]), at, id),
        ] {
            let text = serde_json::to_string(&position).unwrap();
            assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position, "{text}");
        }
    }

    #[test]
    fn a_key_that_is_not_hexadecimal_is_refused() {
        for text in [r#""a""#, r#""zz""#, r#""+1""#, "1"] {
            assert!(serde_json::from_str::<Key>(text).is_err(), "{text}");
        }
    }
}
