//! Identifiers: ULIDs that know what they identify.

use std::{fmt, hash::Hash, marker::PhantomData, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use ulid::Ulid;

/// The things that have ids, where nothing else in this crate is named after them: what an id is of is a name for the type system only, and any type will
/// do.
pub mod kind {
    /// An entry.
    pub enum Entry {}
    /// A collection.
    pub enum Collection {}
    /// A field of a collection.
    pub enum Field {}
    /// A revision of an entry.
    pub enum Revision {}
    /// A translation group: the entries that are translations of each other.
    pub enum Group {}
    /// A user.
    pub enum User {}
    /// An access token.
    pub enum Token {}
    /// A session.
    pub enum Session {}
    /// A passkey.
    pub enum Passkey {}
    /// A link that was sent to an address: an invitation, say.
    pub enum Link {}
    /// A preview link.
    pub enum Preview {}
    /// An account at a provider that is a user's.
    pub enum Connection {}
    /// What a user granted to an application.
    pub enum Grant {}
    /// A line of the audit log.
    pub enum AuditLine {}
    /// A job.
    pub enum Job {}
    /// A file that waits in the database.
    pub enum File {}
    /// An event stream.
    pub enum Stream {}
}

/// Identifies an entry.
pub type EntryId = Id<kind::Entry>;
/// Identifies a collection.
pub type CollectionId = Id<kind::Collection>;
/// Identifies a field.
pub type FieldId = Id<kind::Field>;
/// Identifies a revision.
pub type RevisionId = Id<kind::Revision>;
/// Identifies a translation group. A group is named after its first member.
pub type GroupId = Id<kind::Group>;
/// Identifies a user.
pub type UserId = Id<kind::User>;
/// Identifies an access token.
pub type TokenId = Id<kind::Token>;
/// Identifies a session.
pub type SessionId = Id<kind::Session>;
/// Identifies a passkey.
pub type PasskeyId = Id<kind::Passkey>;
/// Identifies a link that was sent to an address.
pub type LinkId = Id<kind::Link>;
/// Identifies a preview link.
pub type PreviewId = Id<kind::Preview>;
/// Identifies an account at a provider that is a user's.
pub type ConnectionId = Id<kind::Connection>;
/// Identifies what a user granted to an application.
pub type GrantId = Id<kind::Grant>;
/// Identifies a line of the audit log.
pub type AuditLineId = Id<kind::AuditLine>;
/// Identifies a job.
pub type JobId = Id<kind::Job>;
/// Identifies a file that waits in the database.
pub type FileId = Id<kind::File>;
/// Identifies an event stream.
pub type StreamId = Id<kind::Stream>;

/// A ULID that identifies a `K`: 26 characters of Crockford's base32 in upper case, in the order of their making.
pub struct Id<K> {
    ulid: Ulid,
    kind: PhantomData<fn() -> K>,
}

/// The text is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id: expected a ULID, 26 characters of 0-9 and A-Z without I, L, O and U")]
pub struct IdError;

impl<K> Id<K> {
    /// An id from its parts: the milliseconds since 1970 at which it was made, and 80 bits of chance.
    pub const fn from_parts(milliseconds: u64, chance: u128) -> Self {
        Self::new(Ulid::from_parts(milliseconds, chance))
    }

    /// An id from its 16 bytes, the most significant first.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self::new(Ulid::from_bytes(bytes))
    }

    /// The 16 bytes of the id, the most significant first. They sort as the text sorts.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.ulid.to_bytes()
    }

    /// The same id as the id of another thing: a translation group is named after its first entry.
    pub const fn cast<L>(self) -> Id<L> {
        Id::new(self.ulid)
    }

    const fn new(ulid: Ulid) -> Self {
        Self { ulid, kind: PhantomData }
    }
}

impl<K> FromStr for Id<K> {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        // The library also reads lower case and look-alikes; an id has one spelling only.
        let ulid = Ulid::from_string(text).map_err(|_| IdError)?;
        let mut buffer = [0; ulid::ULID_LEN];
        if ulid.array_to_str(&mut buffer) == text { Ok(Self::new(ulid)) } else { Err(IdError) }
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut buffer = [0; ulid::ULID_LEN];
        f.pad(self.ulid.array_to_str(&mut buffer))
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

// Derives would ask `K` for the same traits; an id needs nothing of what it identifies.
impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<K> Copy for Id<K> {}
impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.ulid == other.ulid
    }
}
impl<K> Eq for Id<K> {}
impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.ulid.cmp(&other.ulid)
    }
}
impl<K> Hash for Id<K> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ulid.hash(state);
    }
}

impl<K> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut buffer = [0; ulid::ULID_LEN];
        serializer.serialize_str(self.ulid.array_to_str(&mut buffer))
    }
}

impl<'de, K> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        crate::text::parse(deserializer)
    }
}

impl<K> JsonSchema for Id<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Id".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_spelling() {
        let id: EntryId = "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap();
        assert_eq!(id.to_string(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        assert_eq!("01arz3ndektsv4rrffq69g5fav".parse::<EntryId>(), Err(IdError));
        assert_eq!("O1ARZ3NDEKTSV4RRFFQ69G5FAV".parse::<EntryId>(), Err(IdError));
    }

    #[test]
    fn a_ulid_over_128_bits_is_refused() {
        assert_eq!("8ZZZZZZZZZZZZZZZZZZZZZZZZZ".parse::<EntryId>(), Err(IdError));
    }

    #[test]
    fn bytes_sort_as_text_sorts() {
        let (a, b) = (EntryId::from_parts(1, 9), EntryId::from_parts(2, 0));
        assert!(a < b && a.to_bytes() < b.to_bytes() && a.to_string() < b.to_string());
    }
}
