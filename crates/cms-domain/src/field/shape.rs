//! Shapes of the structured values that we know: one table gives the check and the JSON Schema.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{
    address::Address,
    findings::{Findings, Path},
    keys,
};

/// What a value must look like.
pub(crate) enum Shape {
    /// Text of so many characters at most.
    Text(usize),
    /// One of some words.
    OneOf(&'static [&'static str]),
    /// A whole number between two, which are included.
    Whole(i64, i64),
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// An address.
    Address(Address),
    /// A list of texts.
    Texts,
    /// An object with any members.
    AnyObject,
    /// An object with these members, and any others.
    Object(&'static [Member]),
    /// A list of such objects, each with a `_key`.
    Keyed(&'static [Member]),
    /// A list of objects, each with a `_key` and a `_type`. Members are known for some types; objects of other types may have any.
    Typed(&'static [Type]),
}

/// A member of an object.
pub(crate) struct Member {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether the object must have it.
    pub(crate) required: bool,
    /// Its value.
    pub(crate) shape: Shape,
}

/// A type of object that is known by its `_type`.
pub(crate) struct Type {
    /// The `_type`.
    pub(crate) name: &'static str,
    /// The members of such an object, besides `_type` and `_key`.
    pub(crate) members: &'static [Member],
}

impl Member {
    pub(crate) const fn optional(name: &'static str, shape: Shape) -> Self {
        Self { name, required: false, shape }
    }

    pub(crate) const fn required(name: &'static str, shape: Shape) -> Self {
        Self { name, required: true, shape }
    }
}

/// The longest text in a structured value, in characters: a very long article's worth.
pub(crate) const MAX_TEXT: usize = 1 << 20;
/// The longest `_type` or `_key`, in characters.
pub(crate) const MAX_NAME: usize = 128;

impl Shape {
    /// Checks a value, drops known members that are null, and fills in keys.
    pub(crate) fn check(&self, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
        match self {
            Self::Text(max) => {
                if let Some(text) = expect_text(value, at, findings) {
                    check_max_length(text, *max, at, findings);
                }
            }
            Self::OneOf(words) => {
                if let Some(text) = expect_text(value, at, findings)
                    && !words.contains(&text)
                {
                    findings.report(at, "INVALID_OPTION", format_args!("expected one of {}", words.join(", ")));
                }
            }
            Self::Whole(min, max) => match whole(value) {
                Some(number) if number < *min => findings.report(at, "TOO_SMALL", format_args!("is less than {min}")),
                Some(number) if number > *max => findings.report(at, "TOO_LARGE", format_args!("is greater than {max}")),
                Some(_) => {}
                None => wrong_type(value, "a whole number", at, findings),
            },
            Self::Number if value.is_number() => {}
            Self::Number => wrong_type(value, "a number", at, findings),
            Self::Boolean if value.is_boolean() => {}
            Self::Boolean => wrong_type(value, "true or false", at, findings),
            Self::Address(address) => {
                if let Some(text) = expect_text(value, at, findings)
                    && check_max_length(text, Address::MAX_LENGTH, at, findings)
                    && !address.accepts(text)
                {
                    findings.report(at, "INVALID_URL", format_args!("expected {}", address.expected()));
                }
            }
            Self::Texts => {
                for (n, text) in expect_list(value, at, findings).iter_mut().enumerate() {
                    Self::Text(MAX_NAME).check(text, &at.element(n), findings);
                }
            }
            Self::AnyObject if value.is_object() => {}
            Self::Object(members) => check_object(value, members, at, findings),
            Self::AnyObject => wrong_type(value, "an object", at, findings),
            Self::Keyed(members) => {
                let list = expect_list(value, at, findings);
                for (n, item) in list.iter_mut().enumerate() {
                    check_object(item, members, &at.element(n), findings);
                }
                keys::complete(list, at, findings);
            }
            Self::Typed(types) => {
                let list = expect_list(value, at, findings);
                for (n, item) in list.iter_mut().enumerate() {
                    check_typed(item, types, &at.element(n), findings);
                }
                keys::complete(list, at, findings);
            }
        }
    }

    /// The JSON Schema of values that the check accepts.
    pub(crate) fn schema(&self) -> Value {
        match self {
            Self::Text(max) => json!({ "type": "string", "maxLength": max }),
            Self::OneOf(words) => json!({ "enum": words }),
            Self::Whole(min, max) => json!({ "type": "integer", "minimum": min, "maximum": max }),
            Self::Number => json!({ "type": "number" }),
            Self::Boolean => json!({ "type": "boolean" }),
            Self::Address(address) => json!({ "type": "string", "maxLength": Address::MAX_LENGTH, "pattern": address.pattern() }),
            Self::Texts => json!({ "type": "array", "items": Self::Text(MAX_NAME).schema() }),
            Self::AnyObject => json!({ "type": "object" }),
            Self::Object(members) => object_schema(members),
            Self::Keyed(members) => {
                let mut item = object_schema(members);
                item["properties"]["_key"] = key_schema();
                json!({ "type": "array", "items": item })
            }
            Self::Typed(types) => {
                let known = types.iter().map(
                    |known| json!({ "if": { "properties": { "_type": { "const": known.name } } }, "then": object_schema(known.members) }),
                );
                json!({ "type": "array", "items": {
                    "type": "object",
                    "properties": { "_type": { "type": "string", "minLength": 1, "maxLength": MAX_NAME }, "_key": key_schema() },
                    "required": ["_type"],
                    "allOf": known.collect::<Vec<_>>()
                } })
            }
        }
    }
}

/// The JSON Schema of an item's key: one that is missing is made.
pub(crate) fn key_schema() -> Value {
    json!({ "type": ["string", "null"], "minLength": 1, "maxLength": MAX_NAME })
}

fn object_schema(members: &[Member]) -> Value {
    let mut properties = Map::new();
    for member in members {
        let schema = member.shape.schema();
        properties.insert(member.name.to_owned(), if member.required { schema } else { or_null(schema) });
    }
    let mut schema = json!({ "type": "object", "properties": properties });
    let required: Vec<_> = members.iter().filter(|member| member.required).map(|member| member.name).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The schema of what `schema` describes, or null.
pub(crate) fn or_null(mut schema: Value) -> Value {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    } else {
        match schema.get_mut("type") {
            Some(Value::Array(_)) | None => {}
            Some(name) => *name = json!([name.take(), "null"]),
        }
    }
    schema
}

fn check_object(value: &mut Value, members: &[Member], at: &Path<'_>, findings: &mut Findings) {
    let Value::Object(object) = value else { return wrong_type(value, "an object", at, findings) };
    for member in members {
        match object.get_mut(member.name) {
            None | Some(Value::Null) if member.required => {
                findings.report(&at.member(member.name), "REQUIRED", format_args!("is missing"));
            }
            None => {}
            Some(Value::Null) => {
                object.shift_remove(member.name);
            }
            Some(value) => member.shape.check(value, &at.member(member.name), findings),
        }
    }
}

fn check_typed(value: &mut Value, types: &[Type], at: &Path<'_>, findings: &mut Findings) {
    let Value::Object(object) = &*value else { return wrong_type(value, "an object with a `_type`", at, findings) };
    let name = match object.get("_type") {
        Some(Value::String(name)) => name,
        None | Some(Value::Null) => return findings.report(&at.member("_type"), "REQUIRED", format_args!("is missing")),
        Some(other) => return wrong_type(other, "a text", &at.member("_type"), findings),
    };
    if name.is_empty() {
        return findings.report(&at.member("_type"), "REQUIRED", format_args!("is empty"));
    }
    check_max_length(name, MAX_NAME, &at.member("_type"), findings);
    if let Some(known) = types.iter().find(|known| known.name == name) {
        check_object(value, known.members, at, findings);
    }
}

/// The text of a value, or a finding.
pub(crate) fn expect_text<'a>(value: &'a Value, at: &Path<'_>, findings: &mut Findings) -> Option<&'a str> {
    let text = value.as_str();
    if text.is_none() {
        wrong_type(value, "a text", at, findings);
    }
    text
}

/// The elements of a list, or none and a finding.
pub(crate) fn expect_list<'a>(value: &'a mut Value, at: &Path<'_>, findings: &mut Findings) -> &'a mut [Value] {
    match value {
        Value::Array(list) => list,
        other => {
            wrong_type(other, "a list", at, findings);
            &mut []
        }
    }
}

/// Reports text that is too long; says whether it is not.
pub(crate) fn check_max_length(text: &str, max: usize, at: &Path<'_>, findings: &mut Findings) -> bool {
    // A text never has more characters than bytes.
    let fits = text.len() <= max || text.chars().count() <= max;
    if !fits {
        findings.report(at, "TOO_LONG", format_args!("has {} characters, {max} at most", text.chars().count()));
    }
    fits
}

/// The whole number that a value is; `3.0` is one.
pub(crate) fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        // Out of range saturates, and is then too large or too small for any rule.
        #[expect(clippy::cast_possible_truncation, reason = "a whole number; saturates")]
        Some(number as i64)
    })
}

/// Reports a value of a wrong type.
pub(crate) fn wrong_type(value: &Value, expected: &str, at: &Path<'_>, findings: &mut Findings) {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    findings.report(at, "INVALID_TYPE", format_args!("expected {expected}, found {found}"));
}

/// Reports values of a list that were there before.
pub(crate) fn check_distinct<'a>(texts: impl Iterator<Item = (usize, &'a str)>, at: &Path<'_>, findings: &mut Findings) {
    let mut seen = HashSet::new();
    for (n, text) in texts {
        if !seen.insert(text) {
            findings.report(&at.element(n), "DUPLICATE", format_args!("is in the list already"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: &[Member] = &[Member::required("a", Shape::Text(1)), Member::optional("b", Shape::AnyObject)];

    #[test]
    fn a_value_is_of_its_shape_or_refused() {
        for (shape, value, expected) in [
            (Shape::Whole(1, 3), json!(0), &[" TOO_SMALL"][..]),
            (Shape::Whole(1, 3), json!(1), &[]),
            (Shape::Whole(1, 3), json!(3), &[]),
            (Shape::Whole(1, 3), json!(4), &[" TOO_LARGE"]),
            (Shape::Whole(1, 3), json!(1.5), &[" INVALID_TYPE"]),
            (Shape::Number, json!(1.5), &[]),
            (Shape::Number, json!("1"), &[" INVALID_TYPE"]),
            (Shape::Boolean, json!(false), &[]),
            (Shape::Boolean, json!(0), &[" INVALID_TYPE"]),
            (Shape::OneOf(&["a", "b"]), json!("b"), &[]),
            (Shape::OneOf(&["a", "b"]), json!("c"), &[" INVALID_OPTION"]),
            (Shape::Texts, json!(["a"]), &[]),
            (Shape::Texts, json!(["a", 1]), &["1 INVALID_TYPE"]),
            (Shape::AnyObject, json!({ "a": 1 }), &[]),
            (Shape::AnyObject, json!([]), &[" INVALID_TYPE"]),
            (Shape::Object(MEMBERS), json!({ "a": "x", "b": {}, "c": 1 }), &[]),
            (Shape::Object(MEMBERS), json!({ "b": 1 }), &["a REQUIRED", "b INVALID_TYPE"]),
            (Shape::Object(MEMBERS), json!({ "a": "xy" }), &["a TOO_LONG"]),
        ] {
            let mut findings = Findings::default();
            shape.check(&mut value.clone(), &Path::Root(""), &mut findings);
            let found = findings.or(()).err().into_iter().flatten().map(|issue| format!("{} {}", issue.path, issue.code));
            assert_eq!(found.collect::<Vec<_>>(), expected, "{value}");
        }
    }

    #[test]
    fn only_members_that_must_be_there_are_told_to_be_required() {
        let (text, object) = (json!({ "type": "string", "maxLength": 1 }), json!({ "type": ["object", "null"] }));
        assert_eq!(object_schema(MEMBERS), json!({ "type": "object", "properties": { "a": text, "b": object }, "required": ["a"] }));
        assert_eq!(object_schema(&MEMBERS[1..]), json!({ "type": "object", "properties": { "b": object } }));
    }
}
