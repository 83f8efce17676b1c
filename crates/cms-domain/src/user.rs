//! Users and their roles.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    id::UserId,
    text::{schema_of, text_type},
    time::Timestamp,
};

/// What a user may do. Each role may do all that the lower ones may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Reads published content.
    Subscriber,
    /// Writes drafts; publishing needs approval.
    Contributor,
    /// Writes and publishes own content.
    Author,
    /// Manages all content.
    Editor,
    /// Manages everything, settings and users included.
    Admin,
}

impl Role {
    /// Every role, the lowest first.
    pub const ALL: [Self; 5] = [Self::Subscriber, Self::Contributor, Self::Author, Self::Editor, Self::Admin];

    /// The role's level on the wire: 10, 20, 30, 40 or 50.
    pub const fn level(self) -> u8 {
        match self {
            Self::Subscriber => 10,
            Self::Contributor => 20,
            Self::Author => 30,
            Self::Editor => 40,
            Self::Admin => 50,
        }
    }

    /// The role of a level.
    pub fn from_level(level: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|role| i64::from(role.level()) == level)
    }

    /// The role's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subscriber => "subscriber",
            Self::Contributor => "contributor",
            Self::Author => "author",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a role: expected subscriber, contributor, author, editor or admin, or 10, 20, 30, 40 or 50")]
pub struct RoleError;

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        Self::ALL.into_iter().find(|role| role.name() == text || role.level().to_string() == text).ok_or(RoleError)
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.level())
    }
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_level(crate::bounded::whole_number(deserializer)?).ok_or_else(|| D::Error::custom(RoleError))
    }
}

impl JsonSchema for Role {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Role".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "enum": Self::ALL.map(Self::level) })
    }
}

/// An e-mail address as an account knows it: lower case, one `@`, 3 to 254 characters (RFC 5321, section 4.5.3.1.3).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Email(String);

/// The text is not an e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an e-mail address")]
pub struct EmailError;

impl FromStr for Email {
    type Err = EmailError;

    fn from_str(text: &str) -> Result<Self, EmailError> {
        let text = text.trim().to_lowercase();
        let (local, domain) = text.split_once('@').ok_or(EmailError)?;
        let fits = (1..=64).contains(&local.len())
            && !domain.is_empty()
            && text.len() <= 254
            && !domain.contains('@')
            && !text.contains(|character: char| {
                character.is_whitespace() || character.is_control() || matches!(character, '<' | '>' | ',' | ';' | '"')
            })
            && domain.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
        if fits { Ok(Self(text)) } else { Err(EmailError) }
    }
}

text_type!(Email);
schema_of!(Email, "Email", { "type": "string", "format": "email", "minLength": 3, "maxLength": 254 });

/// A person, or a program, that may do what its role says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Identifies the user.
    pub id: UserId,
    /// Unique address.
    pub email: Email,
    /// Whether somebody who reads mail to the address confirmed it.
    pub email_verified: bool,
    /// Name to show.
    pub name: Option<String>,
    /// Picture to show.
    pub avatar_url: Option<String>,
    /// Role.
    pub role: Role,
    /// Whether the user is locked out.
    pub disabled: bool,
    /// Whether the user has seen the welcome.
    pub welcomed: bool,
    /// When the user last signed in.
    pub last_sign_in_at: Option<Timestamp>,
    /// When the account was made.
    pub created_at: Timestamp,
    /// When the account last changed.
    pub updated_at: Timestamp,
}

impl User {
    /// A new account.
    pub fn new(id: UserId, email: Email, role: Role, now: Timestamp) -> Self {
        Self {
            id,
            email,
            email_verified: false,
            name: None,
            avatar_url: None,
            role,
            disabled: false,
            welcomed: false,
            last_sign_in_at: None,
            created_at: now,
            updated_at: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_lower_case() {
        assert_eq!(" Ada@Example.COM ".parse::<Email>().unwrap().as_str(), "ada@example.com");
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b..c", "a@-b", "<a@b>"] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
    }
}
