//! JSON Schema of a collection's data: what validation accepts, told to programs and forms.
//!
//! A few rules no schema can tell; [`json_schema`] lists them.

use serde_json::{Map, Value, json};

use super::{
    Choices, Field, FieldKind, ManyChoices, Rows, Target, TextRules,
    address::Address,
    keys::KEY,
    media,
    shape::{key_schema, or_null},
    validate::{MAX_ITEMS, MAX_LINE, MAX_TEXT},
};
use crate::{collection::Collection, portable_text};

/// The dialect of the schemas.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Where the schema of rich text stands, which several fields may share.
const PORTABLE_TEXT: &str = "#/$defs/portableText";

/// RFC 3339 with an offset, days of the calendar only.
const DATE_TIME: &str = concat!(
    r"^(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))",
    r"|(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)",
    r"[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$"
);

/// The JSON Schema (draft 2020-12) of the data of a new entry.
///
/// Not told, because a schema cannot: that referenced entries exist and unique values are free; `minDate` and `maxDate`, and that
/// instants lie between the years 1 and 9999; that the host of a `url` is possible; patterns that other dialects read otherwise
/// ([`super::Pattern::to_ecma`]); that the `_key`s of a list differ, and that marks are defined in rich text.
pub fn json_schema(collection: &Collection) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in &collection.fields {
        properties.insert(field.slug.as_str().to_owned(), field_schema(field));
        if field.required && field.default_value.is_none() {
            required.push(field.slug.as_str());
        }
    }
    let mut schema = json!({
        "$schema": DIALECT,
        "title": collection.label,
        "type": "object",
        "properties": properties,
        "additionalProperties": false
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if collection.fields.iter().any(|field| matches!(field.kind, FieldKind::PortableText)) {
        schema["$defs"] = json!({ "portableText": portable_text::DOCUMENT.schema() });
    }
    schema
}

fn field_schema(field: &Field) -> Value {
    let mut schema = kind_schema(&field.kind);
    if field.required {
        forbid_blank(&field.kind, &mut schema);
    } else {
        schema = match field.kind {
            FieldKind::PortableText => json!({ "anyOf": [schema, { "type": "null" }] }),
            _ => or_null(schema),
        };
    }
    schema["title"] = json!(field.label);
    if let Some(value) = &field.default_value {
        schema["default"] = value.clone();
    }
    schema
}

/// A required text or list has something in it, and required JSON is not null.
fn forbid_blank(kind: &FieldKind, schema: &mut Value) {
    let at_least_one = |schema: &mut Value, rule: &str| {
        if schema[rule].as_u64().is_none_or(|min| min == 0) {
            schema[rule] = json!(1);
        }
    };
    match kind {
        FieldKind::Json => schema["type"] = json!(["object", "array", "string", "number", "boolean"]),
        FieldKind::MultiSelect(_) | FieldKind::PortableText | FieldKind::Repeater(_) => at_least_one(schema, "minItems"),
        FieldKind::Reference(target) if target.many => at_least_one(schema, "minItems"),
        FieldKind::String(_) | FieldKind::Text(_) | FieldKind::Url(_) | FieldKind::Slug(_) | FieldKind::Select(_) => {
            at_least_one(schema, "minLength");
        }
        FieldKind::Number(_)
        | FieldKind::Integer(_)
        | FieldKind::Boolean
        | FieldKind::Datetime(_)
        | FieldKind::Image(_)
        | FieldKind::File(_)
        | FieldKind::Reference(_) => {}
    }
}

fn kind_schema(kind: &FieldKind) -> Value {
    match kind {
        FieldKind::String(rules) | FieldKind::Slug(rules) => text_schema(rules, MAX_LINE, None),
        FieldKind::Text(rules) => text_schema(rules, MAX_TEXT, None),
        FieldKind::Url(rules) => text_schema(rules, Address::MAX_LENGTH, Some(Address::Url.pattern())),
        FieldKind::Number(rules) => {
            let mut schema = json!({ "type": "number" });
            set(&mut schema, "minimum", rules.min);
            set(&mut schema, "maximum", rules.max);
            schema
        }
        FieldKind::Integer(rules) => json!({ "type": "integer", "minimum": rules.min, "maximum": rules.max }),
        FieldKind::Boolean => json!({ "type": "boolean" }),
        FieldKind::Datetime(rules) => {
            let mut schema = json!({ "type": "string", "format": "date-time", "pattern": DATE_TIME });
            // Not keywords of the dialect, but widely understood.
            set(&mut schema, "formatMinimum", rules.min);
            set(&mut schema, "formatMaximum", rules.max);
            schema
        }
        FieldKind::Select(choices) => choice_schema(choices),
        FieldKind::MultiSelect(choices) => choices_schema(choices),
        FieldKind::PortableText => json!({ "$ref": PORTABLE_TEXT }),
        FieldKind::Image(rules) | FieldKind::File(rules) => media::schema(kind, rules),
        FieldKind::Reference(target) => reference_schema(target),
        FieldKind::Json => json!({}),
        FieldKind::Repeater(rows) => rows_schema(rows),
    }
}

fn set(schema: &mut Value, keyword: &str, value: Option<impl serde::Serialize>) {
    if let Some(value) = value {
        schema[keyword] = json!(value);
    }
}

fn text_schema(rules: &TextRules, cap: usize, address: Option<&str>) -> Value {
    let mut schema = json!({ "type": "string", "maxLength": rules.max_length.map_or(cap, |max| cap.min(max as usize)) });
    set(&mut schema, "minLength", rules.min_length);
    let pattern = rules.pattern.as_ref().and_then(super::Pattern::to_ecma);
    match (address, pattern) {
        // Null, which has no pattern, passes either.
        (Some(address), Some(pattern)) => schema["allOf"] = json!([{ "pattern": address }, { "pattern": pattern }]),
        (Some(address), None) => schema["pattern"] = json!(address),
        (None, pattern) => set(&mut schema, "pattern", pattern),
    }
    schema
}

fn choice_schema(choices: &Choices) -> Value {
    if choices.options.is_empty() { json!({ "type": "string", "maxLength": MAX_LINE }) } else { json!({ "enum": choices.options }) }
}

fn choices_schema(choices: &ManyChoices) -> Value {
    let items = choice_schema(&Choices { options: choices.options.clone() });
    list_schema(&items, choices.min_items, choices.max_items, MAX_ITEMS, true)
}

fn reference_schema(target: &Target) -> Value {
    let id = json!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" });
    if target.many { list_schema(&id, target.min_items, target.max_items, Target::MAX_ITEMS, true) } else { id }
}

fn rows_schema(rows: &Rows) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for sub_field in &rows.sub_fields {
        let kind = sub_field.kind();
        let mut schema = kind_schema(&kind);
        if sub_field.required {
            forbid_blank(&kind, &mut schema);
            required.push(sub_field.slug.as_str());
        } else {
            schema = or_null(schema);
        }
        schema["title"] = json!(sub_field.label);
        properties.insert(sub_field.slug.as_str().to_owned(), schema);
    }
    properties.insert(KEY.to_owned(), key_schema());
    let mut row = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        row["required"] = json!(required);
    }
    list_schema(&row, rows.min_items, rows.max_items, MAX_ITEMS, false)
}

fn list_schema(items: &Value, min: Option<u32>, max: Option<u32>, cap: usize, distinct: bool) -> Value {
    let mut schema = json!({ "type": "array", "items": items, "maxItems": max.map_or(cap, |max| cap.min(max as usize)) });
    set(&mut schema, "minItems", min);
    if distinct {
        schema["uniqueItems"] = json!(true);
    }
    schema
}

#[cfg(test)]
mod tests {
    use jsonschema::PatternOptions;
    use proptest::{option, prelude::*};

    use super::*;
    use crate::{
        field::{
            FieldSpec, FieldType, Pattern,
            testing::{any_address, any_field, any_json, any_pattern, collection, object, references, required, ruled, spec},
            validate::{Defaults, check_value, complete},
        },
        issue::Issue,
    };

    fn validator(schema: &Value) -> jsonschema::Validator {
        jsonschema::options().with_pattern_options(PatternOptions::regex()).build(schema).unwrap()
    }

    /// One to three fields of any types, some with defaults, and data for them.
    fn any_collection() -> impl Strategy<Value = (Collection, Map<String, Value>)> {
        let field = |slug| {
            any_field(slug)
                .prop_flat_map(|(spec, values)| (Just(spec), option::weighted(0.2, values.clone()), option::weighted(0.9, values)))
        };
        (field("a"), option::weighted(0.3, field("b")), option::weighted(0.2, field("c")), option::weighted(0.02, any_json())).prop_map(
            |(a, b, c, stray)| {
                let mut data = Map::new();
                let mut specs = Vec::new();
                for (spec, default, value) in std::iter::once(a).chain(b).chain(c) {
                    if let Some(value) = value {
                        data.insert(spec.slug.as_str().to_owned(), value);
                    }
                    specs.push(with_default(spec, default));
                }
                if let Some(stray) = stray {
                    data.insert("stray".to_owned(), stray);
                }
                (collection(specs), data)
            },
        )
    }

    /// The field with a default, if it is one that the field accepts.
    fn with_default(spec: FieldSpec, value: Option<Value>) -> FieldSpec {
        let bare = collection([spec.clone()]);
        let accepted =
            |value: &Value| !value.is_null() && complete(&bare, object(json!({ spec.slug.as_str(): value })), Defaults::Keep).is_ok();
        FieldSpec { default_value: value.filter(accepted), ..spec }
    }

    /// Whether the problem is one that no schema can tell.
    fn is_for_run_time(collection: &Collection, issue: &Issue) -> bool {
        let slug = issue.path.split('.').nth(1).unwrap_or_default();
        let Some(field) = collection.field(slug) else { return false };
        match issue.code.as_str() {
            "UNKNOWN_MARK" => true,
            "DUPLICATE" => issue.path.ends_with("_key"),
            "INVALID_URL" => matches!(field.kind, FieldKind::Url(_)) && issue.message.starts_with("cannot be read"),
            "PATTERN" => {
                matches!(&field.kind, FieldKind::String(rules) | FieldKind::Text(rules) | FieldKind::Url(rules) | FieldKind::Slug(rules)
                if rules.pattern.as_ref().is_some_and(|pattern| pattern.to_ecma().is_none()))
            }
            _ => false,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn validation_accepts_what_the_schema_accepts((collection, data) in any_collection()) {
            let schema = json_schema(&collection);
            let told = validator(&schema).is_valid(&Value::Object(data.clone()));
            match complete(&collection, data, Defaults::Apply) {
                Ok(_) => prop_assert!(told, "the schema refuses what validation accepts: {schema:#}"),
                Err(issues) if issues.iter().all(|issue| is_for_run_time(&collection, issue)) => {
                    prop_assert!(told, "the schema refuses more than validation: {issues:?} {schema:#}");
                }
                Err(issues) => prop_assert!(!told, "the schema accepts {issues:?}: {schema:#}"),
            }
        }

        #[test]
        fn valid_data_is_valid_again_and_stays_as_it_is((collection, data) in any_collection()) {
            if let Ok(valid) = complete(&collection, data, Defaults::Apply) {
                let members = valid.members().clone();
                prop_assert!(validator(&json_schema(&collection)).is_valid(&Value::Object(members.clone())));
                prop_assert_eq!(complete(&collection, members, Defaults::Keep), Ok(valid));
            }
        }

        #[test]
        fn a_pattern_matches_the_same_texts_in_the_dialect_of_schemas(pattern in any_pattern(), text in ".{0,4}|[a-c1٣ \n\r\u{a0}_-]{0,3}") {
            let pattern = Pattern::new(pattern).unwrap();
            if let Some(ecma) = pattern.to_ecma() {
                let schema = json!({ "pattern": ecma });
                prop_assert_eq!(validator(&schema).is_valid(&json!(text)), pattern.matches(&text));
            }
        }

        #[test]
        fn an_address_that_is_accepted_matches_the_published_pattern(text in any_address()) {
            let schema = json_schema(&collection([ruled("a", FieldType::Url, json!({}))]));
            let kind = FieldKind::Url(TextRules::default());
            if check_value(&kind, json!(text)).is_ok() {
                let data = json!({ "a": text });
                prop_assert!(validator(&schema).is_valid(&data));
            }
        }
    }

    #[test]
    fn a_field_that_must_have_a_value_must_have_one_that_says_something() {
        let id = json!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" });
        let ids = |min: Value| json!({ "type": "array", "items": id, "maxItems": 1000, "minItems": min, "uniqueItems": true });
        let choices = |min: u32| ruled("a", FieldType::MultiSelect, json!({ "options": ["x"], "minItems": min }));
        let chosen =
            |min: u32| json!({ "type": "array", "items": { "enum": ["x"] }, "maxItems": 1000, "minItems": min, "uniqueItems": true });
        let row = |required: &Value| {
            let sub_fields = json!([{ "slug": "b", "type": "boolean", "label": "B", "required": required }]);
            ruled("a", FieldType::Repeater, json!({ "subFields": sub_fields }))
        };
        let rows = |row: &Value| json!({ "type": ["array", "null"], "items": row, "maxItems": 1000 });
        let key = key_schema();
        let open = json!({
            "type": "object",
            "properties": { "b": { "type": ["boolean", "null"], "title": "B" }, "_key": key },
            "additionalProperties": false
        });
        let closed = json!({
            "type": "object",
            "properties": { "b": { "type": "boolean", "title": "B" }, "_key": key },
            "additionalProperties": false,
            "required": ["b"]
        });
        for (spec, expected) in [
            (spec("a", FieldType::PortableText), json!({ "anyOf": [{ "$ref": PORTABLE_TEXT }, { "type": "null" }] })),
            (required(spec("a", FieldType::PortableText)), json!({ "$ref": PORTABLE_TEXT, "minItems": 1 })),
            (required(choices(0)), chosen(1)),
            (required(choices(2)), chosen(2)),
            (required(references("a")), ids(json!(1))),
            (required(spec("a", FieldType::Reference)), id.clone()),
            (row(&json!(false)), rows(&open)),
            (row(&json!(true)), rows(&closed)),
        ] {
            let mut schema = json_schema(&collection([spec]))["properties"]["a"].take();
            assert_eq!(schema.as_object_mut().unwrap().remove("title"), Some(json!("A")));
            assert_eq!(schema, expected);
        }
    }

    #[test]
    fn the_schema_is_one() {
        let every_type = FieldType::ALL.iter().enumerate().map(|(n, field_type)| spec(&format!("f{n}"), *field_type));
        let schema = json_schema(&collection(every_type));
        jsonschema::meta::validate(&schema).unwrap();
    }
}
