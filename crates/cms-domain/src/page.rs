//! Pages of lists: how long they are and where the next one starts.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned, de::Error as _};

use crate::text::{schema_of, text_type};

/// How many items a page has: 1 to 100, 50 unless asked otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u8);

impl PageSize {
    /// The longest page. A list of 100 entries of 10 kB is a megabyte; more belongs into a second request.
    pub const MAX: u8 = 100;
    /// The length of a page when the request does not say.
    pub const DEFAULT: Self = Self(50);

    /// The number of items.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl Default for PageSize {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl TryFrom<u64> for PageSize {
    type Error = &'static str;

    fn try_from(size: u64) -> Result<Self, Self::Error> {
        match u8::try_from(size) {
            Ok(size @ 1..=Self::MAX) => Ok(Self(size)),
            _ => Err("a page has 1 to 100 items"),
        }
    }
}

impl<'de> Deserialize<'de> for PageSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let size = crate::bounded::whole_number(deserializer)?;
        // A negative size is as wrong as none.
        Self::try_from(u64::try_from(size).unwrap_or(0)).map_err(D::Error::custom)
    }
}

impl Serialize for PageSize {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

impl JsonSchema for PageSize {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PageSize".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": 1, "maximum": Self::MAX, "default": Self::DEFAULT.0 })
    }
}

/// Where the next page starts. Opaque; pass it back unchanged, with the same filters and the same order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor(String);

/// The cursor was not made by this list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the cursor does not belong to this list: start again without it, or keep the filters and the order it was made with")]
pub struct CursorError;

impl Cursor {
    /// Longer text is refused unread; a sort key has at most 256 bytes.
    pub const MAX_LENGTH: usize = 2048;

    /// A cursor for the position after the last item of a page.
    ///
    /// `list` describes the list: its operation, order and filters. A cursor opens only with the same description.
    pub fn seal(list: &str, position: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut bytes = fingerprint(list).to_vec();
        serde_json::to_writer(&mut bytes, position)?;
        Ok(Self(URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// The position in a cursor that was sealed for the same list.
    pub fn open<P: DeserializeOwned>(&self, list: &str) -> Result<P, CursorError> {
        let bytes = URL_SAFE_NO_PAD.decode(&self.0).map_err(|_| CursorError)?;
        let (made_for, position) = bytes.split_at_checked(8).ok_or(CursorError)?;
        if made_for != fingerprint(list) {
            return Err(CursorError);
        }
        serde_json::from_slice(position).map_err(|_| CursorError)
    }
}

impl std::str::FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        if text.len() > Self::MAX_LENGTH { Err(CursorError) } else { Ok(Self(text.to_owned())) }
    }
}

text_type!(Cursor);
schema_of!(Cursor, "Cursor", { "type": "string", "maxLength": 2048 });

/// FNV-1a, 64 bits: enough to tell lists apart; a forged cursor only names another place in the forger's own list.
fn fingerprint(text: &str) -> [u8; 8] {
    text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_opens_only_for_the_list_it_was_made_for() {
        let cursor = Cursor::seal("content.list posts createdAt", &(7, "x")).unwrap();
        assert_eq!(cursor.open("content.list posts createdAt"), Ok((7, "x".to_owned())));
        assert_eq!(cursor.open::<(i32, String)>("content.list pages createdAt"), Err(CursorError));
    }

    #[test]
    fn a_cursor_that_nobody_made_is_refused() {
        for text in ["", "AAAA", "%%%", "AAAAAAAAAAAAAAAAAAAA"] {
            let cursor: Cursor = text.parse().unwrap();
            assert_eq!(cursor.open::<(i32, String)>("list"), Err(CursorError), "{text}");
        }
    }

    #[test]
    fn a_page_has_one_to_a_hundred_items() {
        for (text, fits) in [("0", false), ("1", true), ("100", true), ("101", false), ("-1", false), ("1.5", false)] {
            assert_eq!(serde_json::from_str::<PageSize>(text).is_ok(), fits, "{text}");
        }
    }
}
