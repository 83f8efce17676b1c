//! A member of an update: absent, null and a value are three things.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// What an update says of one optional value: nothing, that it is cleared, or what it becomes.
///
/// As a member of an input it takes `#[serde(default)]`, so that an absent member is [`Patch::Keep`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// The member is absent: the value stays.
    #[default]
    Keep,
    /// The member is null: the value is cleared.
    Clear,
    /// The member has a value: the value becomes it.
    Set(T),
}

impl<T> Patch<T> {
    /// Changes an optional value.
    pub fn apply(self, value: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *value = None,
            Self::Set(new) => *value = Some(new),
        }
    }

    /// The same change, its value made into another.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(make(value)),
        }
    }

    /// The new value, if there is one.
    pub fn as_set(&self) -> Option<&T> {
        match self {
            Self::Keep | Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }

    /// Whether the member is absent.
    pub fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        <Option<T>>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Option<T>>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, JsonSchema)]
    struct Input {
        #[serde(default)]
        description: Patch<String>,
    }

    #[test]
    fn absent_null_and_a_value_are_three_things() {
        let read = |text| serde_json::from_str::<Input>(text).unwrap().description;
        assert_eq!(read("{}"), Patch::Keep);
        assert_eq!(read(r#"{"description":null}"#), Patch::Clear);
        assert_eq!(read(r#"{"description":""}"#), Patch::Set(String::new()));
    }

    #[test]
    fn the_schema_says_that_the_member_may_be_absent_or_null() {
        let schema = schemars::schema_for!(Input).to_value();
        assert_eq!(schema["properties"]["description"], serde_json::json!({ "type": ["string", "null"] }));
        assert_eq!(schema.get("required"), None);
    }
}
