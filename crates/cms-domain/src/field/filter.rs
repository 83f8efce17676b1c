//! Filters by field: which values a list asks for, and the key ranges in which they are found.

use std::fmt;

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Map, Value, json};

use super::{
    FieldKind,
    sort_key::{self, Comparison, KeyRange, SortKey},
};
use crate::{collection::Collection, issue::Issue, json, slug::FieldSlug, time::Timestamp};

/// What a field's value must be.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldFilter {
    /// Exactly this text, number, truth value or instant.
    Equals(Value),
    /// Not set.
    IsNull,
    /// One of these.
    In(Vec<Value>),
    /// Between bounds, at least one.
    Range(Vec<(Comparison, Value)>),
    /// A text with these characters in it, in any case.
    Contains(String),
}

/// Where a filter finds its values in the index of its field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldKeys {
    /// The field.
    pub field: FieldSlug,
    /// The ranges in which they are. None when no value can pass; they do not overlap, but an entry with several values may be in more than one.
    pub ranges: Vec<KeyRange>,
    /// What their keys hold as well ([`SortKey::holds`]): each in the ranges has to be looked at.
    pub holding: Option<Vec<u8>>,
}

impl FieldKeys {
    /// Whether a key is one of them.
    pub fn contains(&self, key: &SortKey) -> bool {
        self.ranges.iter().any(|range| range.contains(key)) && self.holding.as_ref().is_none_or(|characters| key.holds(characters))
    }
}

/// Comparisons as filters spell them.
const COMPARISONS: [(&str, Comparison); 4] =
    [("gt", Comparison::Greater), ("gte", Comparison::GreaterOrEqual), ("lt", Comparison::Less), ("lte", Comparison::LessOrEqual)];

/// Filters by field; an entry must pass all of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldFilters(IndexMap<FieldSlug, FieldFilter>);

/// The text is not a set of filters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FilterError(String);

impl FieldFilters {
    /// The most fields one request can filter by.
    pub const MAX_FIELDS: usize = 20;
    /// The most values one request can compare with.
    pub const MAX_OPERANDS: usize = 50;
    /// The longest text to compare with, in characters.
    pub const MAX_TEXT: usize = 2048;
    /// The longest spelling of filters in an address, in bytes.
    pub const MAX_BYTES: usize = 8192;

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The filters, in the order in which they were sent.
    pub fn iter(&self) -> impl Iterator<Item = (&FieldSlug, &FieldFilter)> {
        self.0.iter()
    }

    /// Where the filters find their values. Reports every field that cannot be filtered by, and every operand of a wrong type.
    pub fn keys(&self, collection: &Collection) -> Result<Vec<FieldKeys>, Vec<Issue>> {
        let mut found = Vec::new();
        let mut issues = Vec::new();
        for (slug, filter) in &self.0 {
            let mut issue = |code, message: String| issues.push(Issue::new(slug.as_str(), code, message));
            let Some(field) = collection.field(slug.as_str()) else {
                issue("UNKNOWN_FIELD", collection.no_field(slug.as_str()));
                continue;
            };
            match collection.index_of(slug.as_str()) {
                None => issue("FIELD_NOT_INDEXED", "is not indexed; mark the field as indexed to filter by it".to_owned()),
                Some(index) if !index.is_ready() => {
                    issue("INDEX_NOT_READY", "is being indexed; filter by it when that is done".to_owned());
                }
                Some(_) => match range_for(&field.kind, filter) {
                    Ok(ranges) => found.push(FieldKeys { field: slug.clone(), ranges, holding: filter.holding() }),
                    Err(message) => issue("INVALID_TYPE", message),
                },
            }
        }
        if issues.is_empty() { Ok(found) } else { Err(issues) }
    }
}

/// The key ranges in which a filter finds its values: none when nothing can pass it, several for a list of values.
pub fn range_for(kind: &FieldKind, filter: &FieldFilter) -> Result<Vec<KeyRange>, String> {
    match filter {
        FieldFilter::IsNull => Ok(vec![KeyRange::exactly(SortKey::null())]),
        FieldFilter::Equals(value) => {
            check(kind, value)?;
            Ok(vec![KeyRange::exactly(sort_key::encode(kind, Some(value)))])
        }
        FieldFilter::In(values) => {
            let mut keys = Vec::with_capacity(values.len());
            for value in values {
                check(kind, value)?;
                keys.push(sort_key::encode(kind, Some(value)));
            }
            keys.sort_unstable();
            keys.dedup();
            Ok(keys.into_iter().map(KeyRange::exactly).collect())
        }
        FieldFilter::Range(_) if matches!(kind, FieldKind::Boolean) => {
            Err("true and false have no order; compare with one of them".to_owned())
        }
        FieldFilter::Range(comparisons) => {
            for (_, operand) in comparisons {
                check(kind, operand)?;
            }
            Ok(KeyRange::between(kind, comparisons).into_iter().collect())
        }
        FieldFilter::Contains(_) if !kind.is_text() && !matches!(kind, FieldKind::Url(_)) => {
            Err(format!("only text contains characters; compare a {} field with a value", kind.field_type().name()))
        }
        FieldFilter::Contains(_) => Ok(vec![KeyRange::texts()]),
    }
}

/// Whether an operand is of the type of the values it is compared with.
fn check(kind: &FieldKind, operand: &Value) -> Result<(), String> {
    let (fits, expected) = match kind {
        FieldKind::Number(_) => (operand.is_number(), "a number"),
        FieldKind::Integer(_) => (operand.as_f64().is_some_and(|number| number.fract() == 0.0), "a whole number"),
        FieldKind::Boolean => (operand.is_boolean(), "true or false"),
        FieldKind::Datetime(_) => {
            (operand.as_str().is_some_and(|text| text.parse::<Timestamp>().is_ok()), "a date-time as in RFC 3339, with an offset")
        }
        _ => (operand.is_string(), "a text"),
    };
    if fits { Ok(()) } else { Err(format!("expected {expected} to compare a {} field with", kind.field_type().name())) }
}

impl FieldFilter {
    fn read(value: Value) -> Result<Self, String> {
        match value {
            Value::Null => Ok(Self::IsNull),
            Value::Object(members) => Self::read_object(members),
            Value::Array(_) => Err(r#"a list is written as {"in": [...]}"#.to_owned()),
            scalar => operand(scalar).map(Self::Equals),
        }
    }

    fn read_object(mut members: Map<String, Value>) -> Result<Self, String> {
        let expected = || r#"expected a value, null, {"in": [...]}, {"contains": "..."}, or an object with gt, gte, lt and lte"#.to_owned();
        if let Some(characters) = members.remove("contains") {
            let Value::String(text) = operand(characters)? else { return Err("`contains` takes a text".to_owned()) };
            if !members.is_empty() {
                return Err(expected());
            }
            return if text.is_empty() { Err("`contains` takes at least one character".to_owned()) } else { Ok(Self::Contains(text)) };
        }
        if let Some(list) = members.remove("in") {
            let Value::Array(values) = list else { return Err("`in` takes a list".to_owned()) };
            if !members.is_empty() {
                return Err(expected());
            }
            if values.is_empty() {
                return Err("`in` takes at least one value".to_owned());
            }
            return Ok(Self::In(values.into_iter().map(operand).collect::<Result<_, _>>()?));
        }
        let mut comparisons = Vec::with_capacity(members.len());
        for (name, comparison) in COMPARISONS {
            if let Some(value) = members.remove(name) {
                comparisons.push((comparison, operand(value)?));
            }
        }
        if comparisons.is_empty() || !members.is_empty() { Err(expected()) } else { Ok(Self::Range(comparisons)) }
    }

    fn holding(&self) -> Option<Vec<u8>> {
        match self {
            Self::Contains(text) => Some(sort_key::characters(text)),
            Self::Equals(_) | Self::IsNull | Self::In(_) | Self::Range(_) => None,
        }
    }

    fn operands(&self) -> usize {
        match self {
            Self::Equals(_) | Self::IsNull | Self::Contains(_) => 1,
            Self::In(values) => values.len(),
            Self::Range(comparisons) => comparisons.len(),
        }
    }
}

fn operand(value: Value) -> Result<Value, String> {
    match &value {
        Value::String(text) if text.chars().count() > FieldFilters::MAX_TEXT => {
            Err(format!("a text to compare with has {} characters at most", FieldFilters::MAX_TEXT))
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => Ok(value),
        Value::Null | Value::Array(_) | Value::Object(_) => Err("expected a text, a number, true or false".to_owned()),
    }
}

impl TryFrom<Map<String, Value>> for FieldFilters {
    type Error = FilterError;

    fn try_from(members: Map<String, Value>) -> Result<Self, FilterError> {
        if members.len() > Self::MAX_FIELDS {
            return Err(FilterError(format!("filters name {} fields, {} at most", members.len(), Self::MAX_FIELDS)));
        }
        let mut filters = IndexMap::with_capacity(members.len());
        for (name, value) in members {
            let named = |message: &dyn fmt::Display| FilterError(format!("`{name}`: {message}"));
            let slug: FieldSlug = name.parse().map_err(|error| named(&error))?;
            filters.insert(slug, FieldFilter::read(value).map_err(|message| named(&message))?);
        }
        let operands: usize = filters.values().map(FieldFilter::operands).sum();
        if operands > Self::MAX_OPERANDS {
            return Err(FilterError(format!("filters compare with {operands} values, {} at most", Self::MAX_OPERANDS)));
        }
        Ok(Self(filters))
    }
}

impl std::str::FromStr for FieldFilters {
    type Err = FilterError;

    /// Reads the JSON text of an object, as an address carries it.
    fn from_str(text: &str) -> Result<Self, FilterError> {
        if text.len() > Self::MAX_BYTES {
            return Err(FilterError(format!("filters have {} bytes at most", Self::MAX_BYTES)));
        }
        match json::parse(text.as_bytes()) {
            Ok(Value::Object(members)) => members.try_into(),
            Ok(_) => Err(FilterError("expected a JSON object, as in {\"price\":{\"gte\":10}}".to_owned())),
            Err(error) => Err(FilterError(format!("not JSON: {error}"))),
        }
    }
}

impl<'de> Deserialize<'de> for FieldFilters {
    /// Reads an object, or the JSON text of one: addresses can carry only text.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Object(members) => members.try_into().map_err(D::Error::custom),
            Value::String(text) => text.parse().map_err(D::Error::custom),
            _ => Err(D::Error::custom("expected an object, or the JSON text of one")),
        }
    }
}

impl Serialize for FieldFilter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Equals(value) => value.serialize(serializer),
            Self::IsNull => serializer.serialize_unit(),
            Self::In(values) => json!({ "in": values }).serialize(serializer),
            Self::Range(comparisons) => {
                let name = |comparison| COMPARISONS.into_iter().find_map(|(name, each)| (each == comparison).then_some(name));
                serializer.collect_map(comparisons.iter().filter_map(|(comparison, operand)| Some((name(*comparison)?, operand))))
            }
            Self::Contains(text) => json!({ "contains": text }).serialize(serializer),
        }
    }
}

impl Serialize for FieldFilters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}

impl JsonSchema for FieldFilters {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldFilters".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let scalar = json!({ "type": ["string", "number", "boolean"], "maxLength": Self::MAX_TEXT });
        json_schema!({
            "description": "Filters by indexed field: a value, null for not set, {\"in\": [...]}, an object with gt, gte, lt, lte, or \
                {\"contains\": \"...\"} for text with these characters in it, in any case, within its first 120 bytes. In an address, the JSON text \
                of this object.",
            "type": ["object", "string"],
            "maxLength": Self::MAX_BYTES,
            "maxProperties": Self::MAX_FIELDS,
            "propertyNames": { "pattern": "^[a-z][a-z0-9_]{0,62}$" },
            "additionalProperties": { "anyOf": [
                { "type": ["string", "number", "boolean", "null"], "maxLength": Self::MAX_TEXT },
                {
                    "type": "object",
                    "properties": { "in": { "type": "array", "items": scalar, "minItems": 1, "maxItems": Self::MAX_OPERANDS } },
                    "required": ["in"],
                    "additionalProperties": false
                },
                {
                    "type": "object",
                    "properties": { "contains": { "type": "string", "minLength": 1, "maxLength": Self::MAX_TEXT } },
                    "required": ["contains"],
                    "additionalProperties": false
                },
                {
                    "type": "object",
                    "properties": { "gt": scalar, "gte": scalar, "lt": scalar, "lte": scalar },
                    "minProperties": 1,
                    "additionalProperties": false
                }
            ] }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        collection::IndexState,
        field::{
            FieldSpec, FieldType, TextRules,
            testing::{any_json, spec},
        },
    };

    fn collection() -> Collection {
        let indexed = |slug, field_type| FieldSpec { indexed: true, ..spec(slug, field_type) };
        crate::field::testing::collection([
            indexed("price", FieldType::Number),
            indexed("stock", FieldType::Integer),
            indexed("open", FieldType::Boolean),
            indexed("at", FieldType::Datetime),
            indexed("name", FieldType::String),
            indexed("tags", FieldType::MultiSelect),
            spec("hidden", FieldType::String),
        ])
    }

    fn filters(value: Value) -> Result<FieldFilters, FilterError> {
        value.to_string().parse()
    }

    fn issues(value: Value) -> Vec<String> {
        let result = filters(value).unwrap().keys(&collection());
        result.err().into_iter().flatten().map(|issue| format!("{} {}", issue.path, issue.code)).collect()
    }

    #[test]
    fn every_form_of_filter_is_read_and_written_back() {
        let value = json!({ "a": "x", "b": 1, "c": true, "d": null, "e": { "in": [1, "x"] }, "f": { "gt": 1, "lte": 2 }, "g": { "contains": "x" } });
        let read = filters(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), value);
        assert_eq!(serde_json::from_value::<FieldFilters>(value.clone()).unwrap(), read);
        assert_eq!(serde_json::from_value::<FieldFilters>(json!(value.to_string())).unwrap(), read);
        assert_eq!((read.is_empty(), filters(json!({})).unwrap().is_empty()), (false, true));
        assert_eq!(read.iter().map(|(slug, _)| slug.as_str()).collect::<String>(), "abcdefg");
    }

    #[test]
    fn as_much_as_is_allowed_is_read() {
        for value in [
            json!({ "a": "x".repeat(FieldFilters::MAX_TEXT) }),
            json!({ "a": { "in": vec![1; FieldFilters::MAX_OPERANDS] } }),
            Value::Object((0..FieldFilters::MAX_FIELDS).map(|n| (format!("a{n}"), json!(1))).collect()),
        ] {
            assert!(filters(value.clone()).is_ok(), "{value}");
        }
        for (bytes, read) in [(FieldFilters::MAX_BYTES, true), (FieldFilters::MAX_BYTES + 1, false), (2 * FieldFilters::MAX_BYTES, false)] {
            assert_eq!(format!("{:bytes$}", r#"{"a":1}"#).parse::<FieldFilters>().is_ok(), read, "{bytes}");
        }
    }

    #[test]
    fn the_schema_stands_where_filters_are_taken() {
        assert!(FieldFilters::inline_schema());
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        for value in [
            json!([]),
            json!({ "A": 1 }),
            json!({ "a": [] }),
            json!({ "a": {} }),
            json!({ "a": { "in": [] } }),
            json!({ "a": { "in": [null] } }),
            json!({ "a": { "in": [1], "gt": 1 } }),
            json!({ "a": { "like": "x" } }),
            json!({ "a": { "gt": null } }),
            json!({ "a": { "contains": "" } }),
            json!({ "a": { "contains": 1 } }),
            json!({ "a": { "contains": "x", "gt": "a" } }),
            json!({ "a": { "gt": [1] } }),
            json!({ "a": "x".repeat(FieldFilters::MAX_TEXT + 1) }),
            json!({ "a": { "in": vec![1; FieldFilters::MAX_OPERANDS + 1] } }),
            Value::Object((0..=FieldFilters::MAX_FIELDS).map(|n| (format!("a{n}"), json!(1))).collect()),
        ] {
            assert!(filters(value.clone()).is_err(), "{value}");
        }
        for text in ["", "{", r#"{"a":1,"a":2}"#, "null"] {
            assert!(text.parse::<FieldFilters>().is_err(), "{text}");
        }
    }

    #[test]
    fn operands_are_of_the_type_of_the_field() {
        let wrong = json!({ "price": "1", "stock": 1.5, "open": 1, "at": "2027-01-01", "name": 1, "tags": true });
        assert_eq!(issues(wrong), ["price", "stock", "open", "at", "name", "tags"].map(|slug| format!("{slug} INVALID_TYPE")));
        assert_eq!(issues(json!({ "open": { "gt": false } })), ["open INVALID_TYPE"]);
        let contains = json!({ "contains": "1" });
        assert_eq!(issues(json!({ "price": contains, "tags": contains })), ["price INVALID_TYPE", "tags INVALID_TYPE"]);
        let right = json!({ "price": 1.5, "stock": 3.0, "open": false, "at": "2027-01-01T00:00:00Z", "name": "1", "tags": "a" });
        assert_eq!(issues(right), [""; 0]);
    }

    #[test]
    fn only_indexed_fields_can_be_filtered_by() {
        assert_eq!(issues(json!({ "gone": 1, "hidden": "x" })), ["gone UNKNOWN_FIELD", "hidden FIELD_NOT_INDEXED"]);
        let mut building = collection();
        building.indexes[0].state = IndexState::Building { done: 0, total: 1, attempts: 0, last_error: None };
        let issues = filters(json!({ "price": 1 })).unwrap().keys(&building).unwrap_err();
        assert_eq!(issues[0].code, "INDEX_NOT_READY");
    }

    #[test]
    fn equality_minds_case_and_instants_do_not_mind_their_offset() {
        let collection = collection();
        let keys = |value| filters(value).unwrap().keys(&collection).unwrap();
        assert_ne!(keys(json!({ "name": "A" })), keys(json!({ "name": "a" })));
        assert_eq!(keys(json!({ "at": "2027-01-01T00:00:00Z" })), keys(json!({ "at": "2027-01-01T02:00:00+02:00" })));
    }

    #[test]
    fn what_a_text_contains_is_found_whatever_its_case_and_nowhere_else_in_its_key() {
        let collection = collection();
        let finds = |characters: &str, value: Value| {
            let keys = filters(json!({ "name": { "contains": characters } })).unwrap().keys(&collection).unwrap();
            keys[0].contains(&sort_key::encode(&FieldKind::String(TextRules::default()), Some(&value)))
        };
        assert!(finds("ÄRG", json!("Große Ärgernisse")) && finds("Große Ärgernisse", json!("große ärgernisse")));
        assert!(!finds("x", json!("abc")) && !finds("abcd", json!("abc")) && !finds("a", json!("")) && !finds("a", json!(null)));
        // Hashes have every byte in them, sooner or later.
        assert!((0..2000).all(|n| !finds("x", json!(n.to_string()))));
    }

    #[test]
    fn a_value_that_is_listed_twice_is_looked_for_once() {
        let ranges = range_for(&FieldKind::Boolean, &FieldFilter::In(vec![json!(true), json!(true)])).unwrap();
        assert_eq!(ranges.len(), 1);
    }

    proptest! {
        #[test]
        fn any_json_is_read_or_refused(value in any_json()) {
            let value = json!({ "name": value });
            if let Ok(filters) = filters(value.clone()) {
                prop_assert_eq!(serde_json::to_value(&filters).unwrap(), value);
                let _ = filters.keys(&collection());
            }
        }

        #[test]
        fn the_schema_accepts_what_is_read(value in any_json()) {
            let value = json!({ "name": value });
            let schema = serde_json::to_value(schemars::schema_for!(FieldFilters)).unwrap();
            prop_assert_eq!(jsonschema::is_valid(&schema, &value), filters(value).is_ok());
        }
    }
}
