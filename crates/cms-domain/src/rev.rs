//! The opaque revision token that guards against lost updates.

use crate::{
    text::{schema_of, text_type},
    time::Timestamp,
};

/// Names one state of one thing, such as an entry, a collection or a user. Send the last one you read with a change; if the thing has changed
/// since, the change is refused. Opaque: any text that is not the thing's present token is stale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rev(String);

/// The text is too long to be a revision token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a revision token: it has at most {} characters", Rev::MAX_LENGTH)]
pub struct RevError;

impl Rev {
    /// Longer text is refused unread; ours have at most 32 characters.
    pub const MAX_LENGTH: usize = 128;

    /// The token of an entry: its version, and when it last changed, so that a restored backup does not repeat tokens.
    pub fn of(version: i64, updated_at: Timestamp) -> Self {
        Self(format!("{version}-{:x}", updated_at.milliseconds()))
    }

    /// The token of what is changed at different instants ([`Timestamp::later_than`]).
    pub fn at(updated_at: Timestamp) -> Self {
        Self(format!("{:x}", updated_at.milliseconds()))
    }
}

impl std::str::FromStr for Rev {
    type Err = RevError;

    fn from_str(text: &str) -> Result<Self, RevError> {
        if text.len() > Self::MAX_LENGTH { Err(RevError) } else { Ok(Self(text.to_owned())) }
    }
}

text_type!(Rev);
schema_of!(Rev, "Rev", { "type": "string", "maxLength": 128 });
