//! Users and their roles.

use std::{fmt, str::FromStr};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    bounded::is_one_line,
    id::UserId,
    rev::Rev,
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

impl Email {
    /// What is behind the `@`.
    pub fn domain(&self) -> &str {
        self.0.split_once('@').map_or("", |(_, domain)| domain)
    }

    /// Whether it stands in for the address of somebody who has none here. Nobody reads mail to it: its domain is below
    /// `.invalid`, which never exists (RFC 2606, section 2).
    pub fn is_placeholder(&self) -> bool {
        self.domain().ends_with(".invalid")
    }
}

text_type!(Email);
schema_of!(Email, "Email", { "type": "string", "format": "email", "minLength": 3, "maxLength": 254 });

/// What to call a person: 1 to 100 characters without white space around them, and none that breaks a line or turns the
/// direction of what is written behind it. A name is shown in lists and mails between words of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonName(String);

/// The text is not a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a name of 1 to 100 characters on one line")]
pub struct PersonNameError;

impl PersonName {
    /// The name, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl FromStr for PersonName {
    type Err = PersonNameError;

    fn from_str(text: &str) -> Result<Self, PersonNameError> {
        let text = text.trim();
        let fits = (1..=100).contains(&text.chars().count()) && is_one_line(text);
        if fits { Ok(Self(text.to_owned())) } else { Err(PersonNameError) }
    }
}

text_type!(PersonName);
schema_of!(PersonName, "PersonName", { "type": "string", "minLength": 1, "maxLength": 100 });

/// The domain of e-mail addresses: lower case, at least two labels, at most 253 characters (RFC 1035, section 2.3.4).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MailDomain(String);

/// The text is not the domain of an e-mail address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a domain: expected what is behind the `@`, as in `example.org`")]
pub struct MailDomainError;

impl FromStr for MailDomain {
    type Err = MailDomainError;

    fn from_str(text: &str) -> Result<Self, MailDomainError> {
        let text = text.trim().to_lowercase();
        let label = |label: &str| {
            (1..=63).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|character| character.is_alphanumeric() || character == '-')
        };
        let fits = text.len() <= 253 && text.contains('.') && text.split('.').all(label);
        if fits { Ok(Self(text)) } else { Err(MailDomainError) }
    }
}

text_type!(MailDomain);
schema_of!(MailDomain, "MailDomain", { "type": "string", "pattern": "^[^.]+(\\.[^.]+)+$", "minLength": 3, "maxLength": 253 });

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
    /// The token that guards what is said of the user.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }

    /// What people know them by: the name, or the address where there is none.
    pub fn known_as(&self) -> &str {
        self.name.as_deref().unwrap_or(self.email.as_str())
    }

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
    fn a_name_is_one_line_that_reads_in_one_direction() {
        assert_eq!(" Ada  Lovelace ".parse::<PersonName>().unwrap().as_str(), "Ada  Lovelace");
        for text in ["", "  ", "a\nb", "a\u{202e}b", "a\u{2028}b", "a\u{0}", &"a".repeat(101)] {
            assert!(text.parse::<PersonName>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in ["", "a", "@b", "a@", "a@b@c", "a b@c", "a@b..c", "a@-b", "<a@b>"] {
            assert!(text.parse::<Email>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_placeholder_is_below_invalid() {
        assert!("did-plc-1@atproto.invalid".parse::<Email>().unwrap().is_placeholder());
        assert!(!"ada@invalid.example.com".parse::<Email>().unwrap().is_placeholder());
    }

    #[test]
    fn the_domain_of_an_address_is_what_is_behind_the_at() {
        let domain: MailDomain = "Example.COM ".parse().unwrap();
        assert_eq!("ada@example.com".parse::<Email>().unwrap().domain(), domain.as_str());
        for text in ["", "com", "@example.com", "a@example.com", ".com", "example.", "-a.com", "a_b.com", "a b.com", "*.example.com"] {
            assert!(text.parse::<MailDomain>().is_err(), "{text}");
        }
    }
}
