//! Slugs: the names of collections and fields, and the last part of an entry's address.

use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    id::EntryId,
    text::{schema_of, text_type},
};

/// The text is not an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a lower-case letter followed by lower-case letters, digits and underscores, 63 characters at most")]
pub struct IdentifierError;

fn is_identifier(text: &str) -> bool {
    text.len() <= FieldSlug::MAX_LENGTH
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

macro_rules! identifier {
    ($(#[$doc:meta])* $name:ident, $title:literal, reserved: $reserved:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(String);

        impl $name {
            const RESERVED: &'static [&'static str] = $reserved;

            /// Whether the word means something else in an address or in an entry, so that nothing new may take it.
            pub fn is_reserved(&self) -> bool {
                Self::RESERVED.contains(&self.0.as_str())
            }
        }

        impl FromStr for $name {
            type Err = IdentifierError;

            fn from_str(text: &str) -> Result<Self, IdentifierError> {
                if is_identifier(text) { Ok(Self(text.to_owned())) } else { Err(IdentifierError) }
            }
        }

        text_type!($name);
        schema_of!($name, $title, { "type": "string", "pattern": "^[a-z][a-z0-9_]*$", "minLength": 1, "maxLength": 63 });
    };
}

identifier!(
    /// Name of a collection: a lower-case letter, then lower-case letters, digits and underscores; 63 at most.
    CollectionSlug,
    "CollectionSlug",
    reserved: &["content", "media", "users", "revisions", "taxonomies", "options", "audit_logs", "reorder"]
);

identifier!(
    /// Name of a field: a lower-case letter, then lower-case letters, digits and underscores; 63 at most.
    FieldSlug,
    "FieldSlug",
    reserved: &[
        "id", "slug", "status", "locale", "translation_group", "author_id", "primary_byline_id", "created_at", "updated_at",
        "published_at", "scheduled_at", "deleted_at", "version", "live_revision_id", "draft_revision_id", "terms", "bylines",
        "byline", "reorder",
    ]
);

impl FieldSlug {
    /// The longest name, in characters: those of PostgreSQL are as long.
    pub const MAX_LENGTH: usize = 63;

    /// The same name with a number behind it, for when the plain one is taken.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let suffix = format!("_{number}");
        let stem: String = self.0.chars().take(Self::MAX_LENGTH - suffix.len()).collect();
        Self(stem + &suffix)
    }
}

/// Last part of an entry's address: 1 to 200 characters, without spaces, upper case or characters that mean something in a URL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrySlug(String);

/// The text is not an entry's slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EntrySlugError {
    /// It has characters that a slug may not have, or none, or too many.
    #[error("a slug has 1 to 200 lower-case letters, digits, and any of - _ . ~")]
    Malformed,
    /// It is a word that is part of an address.
    #[error("`authors`, `trash` and `reorder` are part of the API's addresses and cannot be slugs")]
    Reserved,
    /// It is 26 digits, which is how an id may be written.
    #[error("26 digits are the id of an entry and cannot be a slug")]
    Id,
}

impl EntrySlug {
    /// The longest slug, in characters. Browsers and proxies take URLs of 2,000; a slug is a small part of one.
    pub const MAX_CHARACTERS: usize = 200;
    /// The longest slug made from a title, in user-perceived characters.
    const GENERATED_GRAPHEMES: usize = 80;

    /// The slug of a title: letters, digits and marks of any script in lower case, anything else becomes one hyphen.
    ///
    /// A title with nothing to keep gives `untitled-` and a hash of itself, so that the same title gives the same slug.
    pub fn from_title(title: &str) -> Self {
        let normal: String = title.nfkc().collect::<String>().to_lowercase();
        let mut slug = String::with_capacity(normal.len());
        for character in normal.chars() {
            if is_word(character) {
                slug.push(character);
            } else if (character.is_whitespace() || character == '_' || character == '-') && !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let slug = slug.trim_matches('-');
        let slug: String = slug.graphemes(true).take(Self::GENERATED_GRAPHEMES).collect();
        let slug: String = slug.trim_end_matches('-').nfc().take(Self::MAX_CHARACTERS).collect();
        // A title may spell a reserved word or an id; a suffix makes it a slug like any other.
        slug.parse().unwrap_or_else(|error| match error {
            EntrySlugError::Reserved | EntrySlugError::Id => Self(format!("{slug}-1")),
            EntrySlugError::Malformed => Self(format!("untitled-{}", hash(&normal))),
        })
    }

    /// The same slug with a number behind it, for when the plain one is taken.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let suffix = format!("-{number}");
        let stem: String = self.0.chars().take(Self::MAX_CHARACTERS - suffix.len()).collect();
        Self(stem + &suffix)
    }
}

/// Letters, digits and marks: what a word is made of in any script.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || unicode_normalization::char::is_combining_mark(character)
}

/// FNV-1a over UTF-16 units, 32 bits, in base 36, 7 digits: a stable short name for a text.
fn hash(text: &str) -> String {
    let mut rest = text.encode_utf16().fold(0x811c_9dc5_u32, |hash, unit| (hash ^ u32::from(unit)).wrapping_mul(0x0100_0193));
    let mut digits = [b'0'; 7];
    for digit in digits.iter_mut().rev() {
        *digit = b"0123456789abcdefghijklmnopqrstuvwxyz"[(rest % 36) as usize];
        rest /= 36;
    }
    String::from_utf8_lossy(&digits).into_owned()
}

impl FromStr for EntrySlug {
    type Err = EntrySlugError;

    fn from_str(text: &str) -> Result<Self, EntrySlugError> {
        let fits = (1..=Self::MAX_CHARACTERS).contains(&text.chars().count())
            && text
                .chars()
                .all(|character| (is_word(character) && !character.is_uppercase()) || matches!(character, '-' | '_' | '.' | '~'))
            && !matches!(text, "." | "..");
        match text {
            _ if !fits => Err(EntrySlugError::Malformed),
            "authors" | "trash" | "reorder" => Err(EntrySlugError::Reserved),
            _ if text.parse::<EntryId>().is_ok() => Err(EntrySlugError::Id),
            _ if text.is_ascii() => Ok(Self(text.to_owned())),
            // One spelling for what looks the same (Unicode Standard Annex 15).
            _ => Ok(Self(text.nfc().collect())),
        }
    }
}

text_type!(EntrySlug);
schema_of!(EntrySlug, "EntrySlug", { "type": "string", "minLength": 1, "maxLength": 200 });

/// Names an entry in an address: its id, or its slug.
///
/// An id is 26 digits and letters in upper case; a slug has no upper case, and no digits alone that are an id, so that no text is both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdOrSlug {
    /// The id of an entry.
    Id(EntryId),
    /// The slug of an entry. Text that cannot be a slug names nothing, and is not found.
    Slug(String),
}

impl FromStr for IdOrSlug {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(text.parse().map_or_else(|_| Self::Slug(text.nfc().collect()), Self::Id))
    }
}

impl std::fmt::Display for IdOrSlug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Slug(slug) => f.write_str(slug),
        }
    }
}

impl<'de> serde::Deserialize<'de> for IdOrSlug {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer)
    }
}

impl serde::Serialize for IdOrSlug {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

schema_of!(IdOrSlug, "IdOrSlug", { "type": "string", "minLength": 1 });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_slug_in_its_own_script() {
        for (title, slug) in [
            ("Hello, World!", "hello-world"),
            ("Café & Crème", "café-crème"),
            ("日本語 テスト", "日本語-テスト"),
            ("  --snake_case  title--", "snake-case-title"),
            ("!!!", "untitled-0ckr8de"),
            ("", "untitled-0ztntfp"),
            ("Trash", "trash-1"),
            ("00000000000000000000000042", "00000000000000000000000042-1"),
        ] {
            assert_eq!(EntrySlug::from_title(title).as_str(), slug, "{title}");
        }
    }

    #[test]
    fn a_generated_slug_has_at_most_80_graphemes_and_is_a_slug() {
        let slug = EntrySlug::from_title(&"a\u{301}b ".repeat(90));
        assert!(slug.as_str().graphemes(true).count() <= 80);
        assert_eq!(slug.as_str().parse(), Ok(slug.clone()));
    }

    #[test]
    fn slugs_that_would_break_an_address_are_refused() {
        for text in ["", " ", "a b", "a/b", "a?b", "A", "a%20", ".", "..", "a\0", &"x".repeat(201)] {
            assert_eq!(text.parse::<EntrySlug>(), Err(EntrySlugError::Malformed), "{text:?}");
        }
        assert_eq!("trash".parse::<EntrySlug>(), Err(EntrySlugError::Reserved));
        assert_eq!("00000000000000000000000042".parse::<EntrySlug>(), Err(EntrySlugError::Id));
        assert!("99999999999999999999999999".parse::<EntrySlug>().is_ok(), "larger than an id can be");
    }

    #[test]
    fn an_id_is_never_read_as_a_slug() {
        assert!(matches!("01ARZ3NDEKTSV4RRFFQ69G5FAV".parse(), Ok(IdOrSlug::Id(_))));
        assert!(matches!("01arz3ndektsv4rrffq69g5fav".parse(), Ok(IdOrSlug::Slug(_))));
    }
}
