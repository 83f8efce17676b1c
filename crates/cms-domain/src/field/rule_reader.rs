//! Reads the rules that somebody sets for a field.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{DatetimeRules, FieldType, IntegerRules, MediaRules, NumberRules, OnDelete, Pattern, Rows, Target, TextRules, Validation};
use crate::issue::Issue;

/// The most options a choice can have, sub-fields a row, and media types a rule: more is a table, not a form.
const MAX_OPTIONS: usize = 500;
const MAX_SUB_FIELDS: usize = 50;
const MAX_MIME_TYPES: usize = 64;
/// The longest option: as long as a label.
const MAX_OPTION_BYTES: usize = 200;

/// Rules on their way into a kind: what a type takes is removed, what is left over does not apply to it.
pub(super) struct RuleReader {
    validation: Validation,
    issues: Vec<Issue>,
    name: &'static str,
}

impl RuleReader {
    pub(super) fn new(field_type: FieldType, validation: &Validation) -> Self {
        Self { validation: validation.clone(), issues: Vec::new(), name: field_type.name() }
    }

    fn issue(&mut self, rule: &str, message: String) {
        self.issues.push(Issue::new(format!("validation.{rule}"), "INVALID_RULE", message));
    }

    fn ordered<T: PartialOrd>(&mut self, min: Option<&T>, max: Option<&T>, rule: &str) {
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            self.issue(rule, "is below its minimum".to_owned());
        }
    }

    pub(super) fn text(&mut self) -> TextRules {
        let (min_length, max_length) = (self.validation.min_length.take(), self.validation.max_length.take());
        self.ordered(min_length.as_ref(), max_length.as_ref(), "maxLength");
        let pattern = self.validation.pattern.take().and_then(|expression| match Pattern::new(&expression) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                self.issue("pattern", format!("is not a regular expression that can be matched in linear time: {error}"));
                None
            }
        });
        TextRules { min_length, max_length, pattern }
    }

    pub(super) fn number(&mut self) -> NumberRules {
        let (min, max) = (self.validation.min.take(), self.validation.max.take());
        self.ordered(min.as_ref(), max.as_ref(), "max");
        NumberRules { min, max }
    }

    pub(super) fn integer(&mut self) -> IntegerRules {
        let NumberRules { min, max } = self.number();
        let IntegerRules { min: least, max: greatest } = IntegerRules::default();
        // Fractions round inwards; bounds beyond the safe range change nothing.
        #[expect(clippy::cast_possible_truncation, reason = "clamped to 53 bits")]
        #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact")]
        let whole = |bound: f64| bound.clamp(least as f64, greatest as f64) as i64;
        IntegerRules { min: min.map_or(least, |min| whole(min.ceil())), max: max.map_or(greatest, |max| whole(max.floor())) }
    }

    pub(super) fn datetime(&mut self) -> DatetimeRules {
        let (min, max) = (self.validation.min_date.take(), self.validation.max_date.take());
        self.ordered(min.as_ref(), max.as_ref(), "maxDate");
        DatetimeRules { min, max }
    }

    pub(super) fn options(&mut self) -> Vec<String> {
        let options = self.validation.options.take().unwrap_or_default();
        if options.len() > MAX_OPTIONS {
            self.issue("options", format!("has {} options, {MAX_OPTIONS} at most", options.len()));
        }
        if options.iter().enumerate().any(|(n, option)| options[..n].contains(option)) {
            self.issue("options", "names an option twice".to_owned());
        }
        if options.iter().any(|option| option.is_empty() || option.len() > MAX_OPTION_BYTES) {
            self.issue("options", format!("an option has 1 to {MAX_OPTION_BYTES} bytes"));
        }
        options
    }

    pub(super) fn items(&mut self) -> (Option<u32>, Option<u32>) {
        let (min, max) = (self.validation.min_items.take(), self.validation.max_items.take());
        self.ordered(min.as_ref(), max.as_ref(), "maxItems");
        (min, max)
    }

    pub(super) fn media(&mut self) -> MediaRules {
        let allowed_mime_types = self.validation.allowed_mime_types.take().unwrap_or_default();
        if allowed_mime_types.len() > MAX_MIME_TYPES {
            self.issue("allowedMimeTypes", format!("has {} types, {MAX_MIME_TYPES} at most", allowed_mime_types.len()));
        }
        for (n, mime) in allowed_mime_types.iter().enumerate() {
            let part =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte));
            if !mime.split_once('/').is_some_and(|(kind, subtype)| part(kind) && (subtype.is_empty() || part(subtype))) {
                self.issue(&format!("allowedMimeTypes.{n}"), "is neither `type/subtype` nor `type/`".to_owned());
            }
        }
        MediaRules { allowed_mime_types: allowed_mime_types.into_iter().map(|mime| mime.to_ascii_lowercase()).collect() }
    }

    pub(super) fn target(&mut self, options: &Map<String, Value>) -> Target {
        let mut option = |name: &str, expected: &str| {
            self.issues.push(Issue::new(format!("options.{name}"), "INVALID_OPTION", format!("expected {expected}")));
        };
        let collection = match options.get("collection") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let slug = value.as_str().and_then(|slug| slug.parse().ok());
                if slug.is_none() {
                    option("collection", "the slug of a collection");
                }
                slug
            }
        };
        let many = match options.get("allowMultiple") {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                option("allowMultiple", "true or false");
                false
            }
        };
        let on_delete = match options.get("onDelete").map(OnDelete::deserialize) {
            None => OnDelete::default(),
            Some(Ok(on_delete)) => on_delete,
            Some(Err(_)) => {
                option("onDelete", "`clear` or `restrict`");
                OnDelete::default()
            }
        };
        let (min_items, max_items) = if many { self.items() } else { (None, None) };
        Target { collection, many, on_delete, min_items, max_items }
    }

    pub(super) fn rows(&mut self) -> Rows {
        let (min_items, max_items) = self.items();
        let sub_fields = self.validation.sub_fields.take().unwrap_or_default();
        if sub_fields.is_empty() || sub_fields.len() > MAX_SUB_FIELDS {
            self.issue("subFields", format!("a repeater has 1 to {MAX_SUB_FIELDS} sub-fields"));
        }
        for (n, sub_field) in sub_fields.iter().enumerate() {
            if sub_fields[..n].iter().any(|earlier| earlier.slug == sub_field.slug) {
                self.issue(&format!("subFields.{n}.slug"), "is the slug of an earlier sub-field".to_owned());
            }
            if sub_field.label.is_empty() {
                self.issue(&format!("subFields.{n}.label"), "is empty".to_owned());
            }
        }
        Rows { sub_fields, min_items, max_items }
    }

    /// Whatever no type took does not apply.
    pub(super) fn finish(mut self) -> Result<(), Vec<Issue>> {
        let Validation {
            min,
            max,
            min_date,
            max_date,
            min_length,
            max_length,
            pattern,
            options,
            sub_fields,
            min_items,
            max_items,
            allowed_mime_types,
        } = &self.validation;
        let leftovers = [
            ("min", min.is_some()),
            ("max", max.is_some()),
            ("minDate", min_date.is_some()),
            ("maxDate", max_date.is_some()),
            ("minLength", min_length.is_some()),
            ("maxLength", max_length.is_some()),
            ("pattern", pattern.is_some()),
            ("options", options.is_some()),
            ("subFields", sub_fields.is_some()),
            ("minItems", min_items.is_some()),
            ("maxItems", max_items.is_some()),
            ("allowedMimeTypes", allowed_mime_types.is_some()),
        ];
        for (rule, left) in leftovers {
            if left {
                self.issue(rule, format!("does not apply to a {} field", self.name));
            }
        }
        if self.issues.is_empty() { Ok(()) } else { Err(self.issues) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::{FieldKind, testing};

    /// What is wrong with rules, as `path code`.
    fn issues(field_type: FieldType, rules: Value, options: Value) -> Vec<String> {
        let kind = FieldKind::new(field_type, &testing::rules(rules), &testing::object(options));
        kind.err().into_iter().flatten().map(|issue| format!("{} {}", issue.path, issue.code)).collect()
    }

    #[test]
    fn a_rule_is_of_the_type_and_at_odds_with_no_other_or_refused() {
        for (field_type, rules, expected) in [
            (FieldType::String, json!({ "minLength": 2, "maxLength": 2, "pattern": "a" }), &[][..]),
            (FieldType::String, json!({ "minLength": 2, "maxLength": 1 }), &["maxLength"]),
            (FieldType::Text, json!({ "pattern": "(?=a)" }), &["pattern"]),
            (FieldType::Number, json!({ "min": 1, "max": 1 }), &[]),
            (FieldType::Integer, json!({ "min": 1, "max": 0.5 }), &["max"]),
            (FieldType::Datetime, json!({ "minDate": "2027-01-02T00:00:00Z", "maxDate": "2027-01-01T00:00:00Z" }), &["maxDate"]),
            (FieldType::Select, json!({ "options": ["a", "b"] }), &[]),
            (FieldType::Select, json!({ "options": ["a", "b", "a"] }), &["options"]),
            (FieldType::Select, json!({ "options": [""] }), &["options"]),
            (FieldType::MultiSelect, json!({ "minItems": 2, "maxItems": 1 }), &["maxItems"]),
            (FieldType::Image, json!({ "allowedMimeTypes": ["image/", "Image/svg+XML"] }), &[]),
            (
                FieldType::File,
                json!({ "allowedMimeTypes": ["/png", "image", "im age/png"] }),
                &["allowedMimeTypes.0", "allowedMimeTypes.1", "allowedMimeTypes.2"],
            ),
            (FieldType::File, json!({ "allowedMimeTypes": ["image/p ng", "image/png/"] }), &["allowedMimeTypes.0", "allowedMimeTypes.1"]),
            (FieldType::Repeater, json!({}), &["subFields"]),
            (FieldType::Boolean, json!({ "min": 1, "pattern": "(" }), &["min", "pattern"]),
            (FieldType::Reference, json!({ "minItems": 1 }), &["minItems"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|rule| format!("validation.{rule} INVALID_RULE")).collect();
            assert_eq!(issues(field_type, rules.clone(), json!({})), expected, "{field_type:?} {rules}");
        }
    }

    #[test]
    fn as_many_as_are_allowed_are_read_and_one_more_is_refused() {
        let names = |count: usize| (0..count).map(|n| format!("a{n}")).collect::<Vec<_>>();
        let types = |count: usize| names(count).into_iter().map(|name| name + "/").collect::<Vec<_>>();
        let sub_fields =
            |count| names(count).into_iter().map(|slug| json!({ "slug": slug, "type": "string", "label": "A" })).collect::<Vec<_>>();
        for (field_type, rule, most, rules) in [
            (FieldType::Select, "options", 500, &(|count| json!({ "options": names(count) })) as &dyn Fn(usize) -> Value),
            (FieldType::Select, "options", 200, &|count| json!({ "options": ["a".repeat(count)] })),
            (FieldType::Image, "allowedMimeTypes", 64, &|count| json!({ "allowedMimeTypes": types(count) })),
            (FieldType::Repeater, "subFields", 50, &|count| json!({ "subFields": sub_fields(count) })),
        ] {
            assert_eq!(issues(field_type, rules(most), json!({})), [""; 0], "{rule}");
            for more in [most + 1, most + 2] {
                assert_eq!(issues(field_type, rules(more), json!({})), [format!("validation.{rule} INVALID_RULE")], "{more}");
            }
        }
    }

    #[test]
    fn sub_fields_have_names_of_their_own_and_labels() {
        let sub_field = |slug, label| json!({ "slug": slug, "type": "string", "label": label });
        let rules = json!({ "subFields": [sub_field("a", "A"), sub_field("b", ""), sub_field("a", "C")] });
        let expected = ["validation.subFields.1.label INVALID_RULE", "validation.subFields.2.slug INVALID_RULE"];
        assert_eq!(issues(FieldType::Repeater, rules, json!({})), expected);
    }

    #[test]
    fn an_option_of_a_reference_that_cannot_be_read_is_refused() {
        for (options, expected) in [
            (json!({ "collection": "posts", "allowMultiple": true, "onDelete": "restrict", "other": 1 }), &[][..]),
            (json!({ "collection": null, "allowMultiple": null }), &[]),
            (json!({ "collection": "No slug" }), &["collection"]),
            (json!({ "allowMultiple": "yes", "onDelete": "destroy" }), &["allowMultiple", "onDelete"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|name| format!("options.{name} INVALID_OPTION")).collect();
            assert_eq!(issues(FieldType::Reference, json!({}), options.clone()), expected, "{options}");
        }
    }
}
