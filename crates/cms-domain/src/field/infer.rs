//! Inference: which fields stored documents have, for content whose collection is gone.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{DatetimeRules, FieldKind, FieldSpec, FieldType, IntegerRules, NumberRules, TextRules, retype::fits};
use crate::{collection::Collection, slug::FieldSlug};

/// The longest text that is taken for a line, in characters; what is longer was written as a text.
const LONGEST_LINE: u32 = 255;

/// What was seen of documents so far.
#[derive(Debug, Default)]
pub struct Inference {
    fields: IndexMap<FieldSlug, Seen>,
}

/// The types that every value of a field so far has, the most particular first.
#[derive(Debug)]
struct Seen {
    candidates: Vec<FieldKind>,
    /// Whether any value says more than that there is one.
    telling: bool,
}

impl Inference {
    /// Looks at a document. Members whose names no field can have are passed over.
    pub fn see(&mut self, document: &Map<String, Value>) {
        for (name, value) in document {
            let Ok(slug) = name.parse::<FieldSlug>() else { continue };
            if value.is_null() || slug.is_reserved() {
                continue;
            }
            if self.fields.len() >= Collection::MAX_FIELDS && !self.fields.contains_key(&slug) {
                continue;
            }
            let seen = self.fields.entry(slug).or_insert_with(|| Seen { candidates: candidates(), telling: false });
            seen.telling |= value.as_array().is_none_or(|list| !list.is_empty());
            seen.candidates.retain(|kind| can_be(kind, value));
        }
    }

    /// The fields, in the order in which they first appeared. They accept every value that was seen.
    pub fn finish(self) -> Vec<FieldSpec> {
        self.fields.into_iter().map(|(slug, seen)| FieldSpec::new(slug, seen.field_type())).collect()
    }
}

impl Seen {
    fn field_type(&self) -> FieldType {
        match self.candidates.first() {
            // Empty lists could be lists of anything.
            Some(kind) if self.telling => kind.field_type(),
            _ => FieldType::Json,
        }
    }
}

fn candidates() -> Vec<FieldKind> {
    vec![
        FieldKind::Boolean,
        FieldKind::Integer(IntegerRules::default()),
        FieldKind::Number(NumberRules::default()),
        FieldKind::Datetime(DatetimeRules::default()),
        FieldKind::Url(TextRules::default()),
        FieldKind::String(TextRules { max_length: Some(LONGEST_LINE), ..TextRules::default() }),
        FieldKind::Text(TextRules::default()),
        FieldKind::PortableText,
    ]
}

fn can_be(kind: &FieldKind, value: &Value) -> bool {
    let one_line = || value.as_str().is_some_and(|text| !text.contains(['\n', '\r']));
    fits(kind, value).is_ok() && (!matches!(kind, FieldKind::String(_)) || one_line())
}

/// A name as people write it: `reading_time` becomes `Reading Time`.
pub fn label(slug: &str) -> String {
    slug.split('_').filter(|word| !word.is_empty()).map(capitalized).collect::<Vec<_>>().join(" ")
}

/// A word with its first letter in upper case.
pub(crate) fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};
    use serde_json::json;

    use super::*;
    use crate::field::{
        testing::{any_json, collection},
        validate::{Defaults, complete},
    };

    fn inferred(documents: &[Value]) -> Vec<(String, FieldType)> {
        let mut inference = Inference::default();
        for document in documents {
            inference.see(document.as_object().unwrap());
        }
        inference.finish().into_iter().map(|spec| (spec.slug.as_str().to_owned(), spec.field_type)).collect()
    }

    #[test]
    fn a_field_has_the_most_particular_type_of_all_its_values() {
        for (values, expected) in [
            (vec![json!(true)], FieldType::Boolean),
            (vec![json!(1), json!(2)], FieldType::Integer),
            (vec![json!(1), json!(2.5)], FieldType::Number),
            (vec![json!(1), json!("1")], FieldType::Json),
            (vec![json!("2027-01-01T00:00:00.000Z")], FieldType::Datetime),
            (vec![json!("2027-01-01T00:00:00.000Z"), json!("soon")], FieldType::String),
            (vec![json!("https://example.org")], FieldType::Url),
            (vec![json!("a"), json!("a\nb")], FieldType::Text),
            (vec![json!("a".repeat(256))], FieldType::Text),
            (vec![json!([{ "_type": "break", "_key": "a" }]), json!([])], FieldType::PortableText),
            (vec![json!([])], FieldType::Json),
            (vec![json!({})], FieldType::Json),
        ] {
            let documents: Vec<_> = values.iter().map(|value| json!({ "a": value, "b": null })).collect();
            assert_eq!(inferred(&documents), [("a".to_owned(), expected)], "{values:?}");
        }
    }

    #[test]
    fn names_that_no_field_can_have_are_passed_over() {
        assert_eq!(inferred(&[json!({ "Title": 1, "_x": 1, "id": 1, "ok": 1 })]), [("ok".to_owned(), FieldType::Integer)]);
    }

    #[test]
    fn a_label_is_made_of_the_name() {
        assert_eq!(label("reading_time"), "Reading Time");
    }

    proptest! {
        #[test]
        fn inferred_fields_accept_what_was_seen(documents in vec(vec(("[ab]", any_json()), 0..3), 0..4)) {
            let documents: Vec<_> = documents.into_iter().map(|members| members.into_iter().collect::<Map<_, _>>()).collect();
            let mut inference = Inference::default();
            for document in &documents {
                inference.see(document);
            }
            let collection = collection(inference.finish());
            for document in documents {
                let seen: Map<_, _> = document.into_iter().filter(|(_, value)| !value.is_null()).collect();
                let members = seen.len();
                let valid = complete(&collection, seen, Defaults::Apply);
                prop_assert_eq!(valid.map(|valid| valid.members().len()), Ok(members));
            }
        }
    }

    #[test]
    fn a_document_with_very_many_members_gives_as_many_fields_as_a_collection_may_have() {
        let document: Map<String, Value> = (0..1000).map(|n| (format!("f{n}"), json!(1))).collect();
        let mut inference = Inference::default();
        inference.see(&document);
        assert_eq!(inference.finish().len(), Collection::MAX_FIELDS);
    }
}
