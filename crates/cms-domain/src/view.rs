//! Saved views: a name for what a list of entries asks and shows.

use std::{borrow::Cow, collections::BTreeMap};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::{
    access::{Actor, Permission, Purpose},
    bounded::Bounded,
    id::{CollectionId, Id, UserId},
    rev::Rev,
    time::Timestamp,
};

/// Identifies a saved view.
pub type ViewId = Id<SavedView>;

/// What a view is called, in up to 60 characters: it stands on a button.
pub type ViewName = Bounded<1, 60>;

/// A saved view of a collection's list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedView {
    /// Identifies the view.
    pub id: ViewId,
    /// The collection whose list it is of.
    pub collection: CollectionId,
    /// Who saved it.
    pub owner: UserId,
    /// What it is called.
    pub name: ViewName,
    /// What the list asks and shows.
    pub search: ViewSearch,
    /// Whether everybody finds it who sees the list, or its owner alone.
    pub is_shared: bool,
    /// When it was saved first.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl SavedView {
    /// The token that guards what people edit of it.
    pub fn rev(&self) -> Rev {
        Rev::at(self.updated_at)
    }

    /// What it takes to change it.
    pub fn keeping(&self) -> KeepView {
        KeepView { owner: self.owner, is_shared: self.is_shared }
    }
}

/// To save, change and remove a view: one's own with the permission to see drafts, and one that everybody finds, whoever saved it, with the
/// permission to edit anyone's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepView {
    /// Who saved it.
    pub owner: UserId,
    /// Whether everybody finds it, before or afterwards.
    pub is_shared: bool,
}

impl Purpose for KeepView {
    fn permission(&self, actor: &Actor) -> Option<Permission> {
        let is_private = !self.is_shared && actor.user() == Some(self.owner);
        Some(if is_private { Permission::ContentReadDrafts } else { Permission::ContentEditAny })
    }
}

/// What stands in the address of a list: filters, order, columns and the search, each by its name. The application knows what they mean; here they are
/// texts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct ViewSearch(BTreeMap<String, String>);

impl ViewSearch {
    /// The most parameters. A list has eight.
    pub const MOST: usize = 30;
    /// The most bytes of all names and values together: longer addresses do not pass every browser and proxy.
    pub const LONGEST: usize = 8_000;
}

impl TryFrom<BTreeMap<String, String>> for ViewSearch {
    type Error = String;

    fn try_from(parameters: BTreeMap<String, String>) -> Result<Self, String> {
        let length: usize = parameters.iter().map(|(name, value)| name.len() + value.len()).sum();
        if parameters.len() > Self::MOST {
            return Err(format!("has {} parameters, of which {} are allowed", parameters.len(), Self::MOST));
        }
        if length > Self::LONGEST {
            return Err(format!("has {length} bytes in names and values, of which {} are allowed", Self::LONGEST));
        }
        Ok(Self(parameters))
    }
}

impl<'de> Deserialize<'de> for ViewSearch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        BTreeMap::deserialize(deserializer)?.try_into().map_err(D::Error::custom)
    }
}

impl JsonSchema for ViewSearch {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ViewSearch".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": { "type": "string" }, "maxProperties": Self::MOST })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        access::{Caller, Refusal, Via},
        user::Role,
    };

    #[test]
    fn a_view_of_ones_own_is_kept_by_whoever_sees_drafts_and_a_shared_one_by_editors() {
        let (mine, theirs) = (UserId::from_parts(0, 1), UserId::from_parts(0, 2));
        let person = |role| Actor::User(Caller { user: mine, role, via: Via::Host });
        let (read, edit) = (Permission::ContentReadDrafts, Permission::ContentEditAny);
        for (role, owner, is_shared, expected) in [
            (Role::Subscriber, mine, false, Err(Refusal::Permission(read))),
            (Role::Contributor, mine, false, Ok(read)),
            (Role::Author, mine, true, Err(Refusal::Permission(edit))),
            (Role::Author, theirs, true, Err(Refusal::Permission(edit))),
            (Role::Editor, mine, true, Ok(edit)),
            (Role::Editor, theirs, true, Ok(edit)),
        ] {
            let permit = person(role).permit(KeepView { owner, is_shared });
            assert_eq!(permit.map(|permit| permit.permission()), expected.map(Some), "{role} {owner} {is_shared}");
        }
    }

    #[test]
    fn a_search_is_bounded_in_number_and_in_length() {
        let numbered = |count: usize| (0..count).map(|n| (n.to_string(), String::new())).collect::<BTreeMap<_, _>>();
        assert!(ViewSearch::try_from(numbered(ViewSearch::MOST)).is_ok());
        assert!(ViewSearch::try_from(numbered(ViewSearch::MOST + 1)).is_err());
        let long = |length: usize| BTreeMap::from([("q".to_owned(), "a".repeat(length - 1))]);
        assert!(ViewSearch::try_from(long(ViewSearch::LONGEST)).is_ok());
        assert!(ViewSearch::try_from(long(ViewSearch::LONGEST + 1)).is_err());
    }
}
