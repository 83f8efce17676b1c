//! Values of one type as values of another: what becomes of what entries have when their field changes its type.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value, json as value};

use super::{
    Choices, DatetimeRules, FieldKind, FieldType, IntegerRules, ManyChoices, MediaRules, NumberRules, Rows, Target, TextRules, shape,
    validate::check_value,
};
use crate::{json, portable_text::markdown, time::Timestamp};

/// The longest text that is read as rich text, and the longest rich text that is written as text, in bytes. It happens when an entry is read: ten times as much
/// as a very long article has words. What is longer is kept aside.
pub const MAX_MARKDOWN: usize = 64 * 1024;
/// The most values that a converted one may be made of, an eighth of what a request may have: whoever reads an entry can send it back. Only a text that is full of
/// tables or lists comes near it.
const MAX_VALUES: usize = json::MAX_VALUES / 8;

/// How values of a type are stored: the same type in another form has other values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// The type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether a reference is a list of them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub many: bool,
}

impl Form {
    /// How values of a kind are stored.
    pub fn of(kind: &FieldKind) -> Self {
        Self { field_type: kind.field_type(), many: matches!(kind, FieldKind::Reference(target) if target.many) }
    }
}

/// A value that was stored in one form as a value of a kind; none where it says nothing that the kind can hold.
///
/// The same value always becomes the same one. Rules of the kind beyond its type, such as a length or a list of options, hold from the next write on, as they do
/// when they change by themselves.
pub fn convert(form: Form, kind: &FieldKind, value: Value) -> Option<Value> {
    if form == Form::of(kind) {
        return Some(value);
    }
    let candidate = match kind {
        FieldKind::Json => return Some(value),
        FieldKind::String(_) | FieldKind::Slug(_) | FieldKind::Select(_) => line(form, value)?.into(),
        FieldKind::Text(_) => text(form, value)?.into(),
        FieldKind::Url(_) => line(form, value)?.trim().into(),
        FieldKind::Number(_) => number(form, value)?,
        FieldKind::Integer(_) => integer(form, value)?,
        FieldKind::Boolean => boolean(form, value)?.into(),
        FieldKind::Datetime(_) => datetime(form, value)?.to_string().into(),
        FieldKind::MultiSelect(_) => choices(form, value)?,
        FieldKind::PortableText => blocks(form, value)?,
        FieldKind::Reference(target) => references(form, value, target.many)?,
        FieldKind::Image(_) | FieldKind::File(_) | FieldKind::Repeater(_) => value,
    };
    let converted = check_value(&bare(kind), candidate).ok()?;
    let says_something = !matches!(&converted, Value::Array(list) if list.is_empty());
    (says_something && values(&converted) <= MAX_VALUES).then_some(converted)
}

/// How many values a value is made of, as far as that is of interest.
fn values(value: &Value) -> usize {
    match value {
        Value::Array(list) => 1 + list.iter().map(values).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(values).sum::<usize>(),
        _ => 1,
    }
}

/// A kind without those of its rules that hold from the next write on.
fn bare(kind: &FieldKind) -> FieldKind {
    match kind {
        FieldKind::String(_) => FieldKind::String(TextRules::default()),
        FieldKind::Text(_) => FieldKind::Text(TextRules::default()),
        FieldKind::Url(_) => FieldKind::Url(TextRules::default()),
        FieldKind::Slug(_) => FieldKind::Slug(TextRules::default()),
        FieldKind::Number(_) => FieldKind::Number(NumberRules::default()),
        FieldKind::Integer(_) => FieldKind::Integer(IntegerRules::default()),
        FieldKind::Datetime(_) => FieldKind::Datetime(DatetimeRules::default()),
        FieldKind::Select(_) => FieldKind::Select(Choices::default()),
        FieldKind::MultiSelect(_) => FieldKind::MultiSelect(ManyChoices::default()),
        FieldKind::Image(_) => FieldKind::Image(MediaRules::default()),
        FieldKind::File(_) => FieldKind::File(MediaRules::default()),
        FieldKind::Reference(target) => FieldKind::Reference(Target { min_items: None, max_items: None, ..target.clone() }),
        FieldKind::Repeater(rows) => FieldKind::Repeater(Rows { min_items: None, max_items: None, ..rows.clone() }),
        FieldKind::Boolean | FieldKind::PortableText | FieldKind::Json => kind.clone(),
    }
}

/// A value in words, in one line.
fn line(form: Form, value: Value) -> Option<String> {
    text(form, value).filter(|text| form.field_type != FieldType::PortableText || !text.contains('\n'))
}

/// A value in words.
fn text(form: Form, value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Array(blocks) if form.field_type == FieldType::PortableText => {
            let text = markdown::to_markdown(&blocks);
            // A newline ends the last block.
            (text.len() <= MAX_MARKDOWN).then(|| text.trim_end().to_owned())
        }
        Value::Array(words) if matches!(form.field_type, FieldType::MultiSelect | FieldType::Reference) => {
            let words: Option<Vec<_>> = words.iter().map(Value::as_str).collect();
            Some(words?.join(", "))
        }
        Value::Array(_) | Value::Object(_) | Value::Null => None,
    }
}

fn number(form: Form, value: Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value),
        Value::Bool(truth) => Some(i32::from(truth).into()),
        Value::String(text) if is_words(form) => {
            let number: f64 = text.trim().parse().ok()?;
            // A whole number is written as one, as most programs write it.
            let safe = -IntegerRules::MAX_SAFE..=IntegerRules::MAX_SAFE;
            match shape::whole(&number.into()).filter(|whole| safe.contains(whole)) {
                Some(whole) => Some(whole.into()),
                None => Number::from_f64(number).map(Value::Number),
            }
        }
        _ => None,
    }
}

/// A whole number: none that loses its fraction, or digits that a double does not have.
fn integer(form: Form, value: Value) -> Option<Value> {
    match value {
        Value::String(text) if is_words(form) => match text.trim().parse::<i64>() {
            Ok(whole) => Some(whole.into()),
            Err(_) => shape::whole(&number(form, text.into())?).map(Value::from),
        },
        value => shape::whole(&number(form, value)?).map(Value::from),
    }
}

fn boolean(form: Form, value: Value) -> Option<bool> {
    match value {
        Value::Bool(truth) => Some(truth),
        Value::Number(number) => match number.as_f64()? {
            0.0 => Some(false),
            1.0 => Some(true),
            _ => None,
        },
        Value::String(text) if is_words(form) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Some(true),
            "false" | "no" | "off" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// An instant, or the beginning of a day in UTC.
fn datetime(form: Form, value: Value) -> Option<Timestamp> {
    let Value::String(text) = value else { return None };
    let text = text.trim();
    let day = || format!("{text}T00:00:00Z").parse().ok().filter(|_| text.len() == "YYYY-MM-DD".len());
    if is_words(form) { text.parse().ok().or_else(day) } else { None }
}

/// The parts of a text between commas and lines, each once.
fn choices(form: Form, value: Value) -> Option<Value> {
    match value {
        // What is chosen is one choice, though it may have a comma in it.
        Value::String(text) if form.field_type == FieldType::Select => Some(value!([text])),
        Value::String(text) if is_words(form) => {
            let mut seen = HashSet::new();
            let parts = text.split([',', '\n']).map(str::trim).filter(|part| !part.is_empty() && seen.insert(*part));
            Some(parts.collect())
        }
        Value::Array(_) if form.field_type == FieldType::Json => Some(value),
        _ => None,
    }
}

/// Text of several lines is read as Markdown, a line as it is.
fn blocks(form: Form, value: Value) -> Option<Value> {
    match value {
        Value::String(text) if form.field_type == FieldType::Text => {
            if text.len() > MAX_MARKDOWN {
                return None;
            }
            markdown::from_markdown(&text, &[]).ok().map(Value::Array)
        }
        Value::String(text) if is_words(form) && !text.is_empty() => Some(
            value!([{ "_type": "block", "style": "normal", "markDefs": [], "children": [{ "_type": "span", "text": text, "marks": [] }] }]),
        ),
        Value::Array(_) if form.field_type == FieldType::Json => Some(value),
        _ => None,
    }
}

fn references(form: Form, value: Value, many: bool) -> Option<Value> {
    match value {
        Value::String(text) if is_words(form) || form.field_type == FieldType::Reference => {
            let ids: Vec<_> = text.split(',').map(str::trim).filter(|id| !id.is_empty()).map(Value::from).collect();
            references(Form { field_type: FieldType::Reference, many: true }, Value::Array(ids), many)
        }
        Value::Array(ids) if matches!(form.field_type, FieldType::Json | FieldType::MultiSelect | FieldType::Reference) => {
            if many {
                return Some(Value::Array(ids));
            }
            let [one] = <[Value; 1]>::try_from(ids).ok()?;
            Some(one)
        }
        _ => None,
    }
}

/// Whether a text of this form is what somebody wrote, to be read for what it says.
fn is_words(form: Form) -> bool {
    matches!(
        form.field_type,
        FieldType::String | FieldType::Text | FieldType::Url | FieldType::Slug | FieldType::Select | FieldType::Datetime | FieldType::Json
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{
        collection::Collection,
        field::{
            Field, FieldSpec, ValidJson,
            testing::{any_field, collection, object, references, ruled, spec},
            validate::{self, Defaults},
        },
        slug::FieldSlug,
    };

    fn kind(field_type: FieldType) -> FieldKind {
        field(spec("a", field_type)).kind
    }

    fn field(spec: FieldSpec) -> Field {
        collection([spec]).fields.remove(0)
    }

    fn from(field_type: FieldType) -> Form {
        Form { field_type, many: false }
    }

    fn converted(from_type: FieldType, to: FieldType, value: Value) -> Value {
        convert(from(from_type), &kind(to), value).unwrap_or_default()
    }

    #[test]
    fn a_value_becomes_what_it_says_in_another_type() {
        use FieldType as T;
        for (from, to, value, expected) in [
            (T::String, T::Number, json!(" 12.50 "), json!(12.5)),
            (T::String, T::Number, json!("12,50"), Value::Null),
            (T::String, T::Number, json!("NaN"), Value::Null),
            (T::String, T::Number, json!("1e400"), Value::Null),
            (T::String, T::Integer, json!("007"), json!(7)),
            (T::Number, T::Integer, json!(3.0), json!(3)),
            (T::Number, T::Integer, json!(3.5), Value::Null),
            (T::String, T::Integer, json!("9007199254740993"), Value::Null),
            (T::Number, T::String, json!(0.1), json!("0.1")),
            (T::Boolean, T::String, json!(true), json!("true")),
            (T::String, T::Boolean, json!("Yes"), json!(true)),
            (T::String, T::Boolean, json!("maybe"), Value::Null),
            (T::Boolean, T::Integer, json!(true), json!(1)),
            (T::Integer, T::Boolean, json!(0), json!(false)),
            (T::Integer, T::Boolean, json!(2), Value::Null),
            (T::String, T::Datetime, json!("2027-01-31"), json!("2027-01-31T00:00:00.000Z")),
            (T::String, T::Datetime, json!("2027-01-31T10:00:00+02:00"), json!("2027-01-31T08:00:00.000Z")),
            (T::String, T::Datetime, json!("31.01.2027"), Value::Null),
            (T::Integer, T::Datetime, json!(20_270_131), Value::Null),
            (T::String, T::MultiSelect, json!("a, b,, a"), json!(["a", "b"])),
            (T::Select, T::MultiSelect, json!("a, b"), json!(["a, b"])),
            (T::MultiSelect, T::String, json!(["a", "b"]), json!("a, b")),
            (T::Text, T::Url, json!(" https://example.com/a "), json!("https://example.com/a")),
            (T::Text, T::Url, json!("javascript:alert(1)"), Value::Null),
            (T::Repeater, T::String, json!([{ "name": "x" }]), Value::Null),
            (T::Json, T::String, json!({ "a": 1 }), Value::Null),
            (T::Json, T::Number, json!("7"), json!(7)),
            (T::String, T::Number, json!("5.00"), json!(5)),
            (T::String, T::Number, json!("1e21"), json!(1e21)),
            (T::Number, T::Json, json!(7), json!(7)),
        ] {
            assert_eq!(converted(from, to, value.clone()), expected, "{from:?} to {to:?}: {value}");
        }
    }

    #[test]
    fn text_becomes_rich_text_and_the_same_text_again() {
        let rich = converted(FieldType::Text, FieldType::PortableText, json!("# Title\n\nOne _two_."));
        assert_eq!(rich[0]["style"], "h1");
        assert_eq!(converted(FieldType::PortableText, FieldType::Text, rich), json!("# Title\n\nOne _two_."));
        let line = converted(FieldType::String, FieldType::PortableText, json!("* no list"));
        assert_eq!(line[0]["children"][0]["text"], "* no list");
        assert_eq!(converted(FieldType::Text, FieldType::PortableText, json!("a".repeat(MAX_MARKDOWN + 1))), Value::Null);
        let table = format!("|a|b|c|d|\n|-|-|-|-|\n{}", "|1|2|3|4|\n".repeat(5_000));
        assert_eq!(converted(FieldType::Text, FieldType::PortableText, json!(table)), Value::Null, "nobody could send it back");
    }

    #[test]
    fn one_reference_becomes_several_and_several_one_only_where_there_is_one() {
        let many = field(references("a")).kind;
        let (id, other) = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAW");
        assert_eq!(convert(from(FieldType::Reference), &many, json!(id)), Some(json!([id])));
        let one = kind(FieldType::Reference);
        let list = Form { many: true, ..from(FieldType::Reference) };
        assert_eq!(convert(list, &one, json!([id])), Some(json!(id)));
        assert_eq!(convert(list, &one, json!([id, other])), None);
        assert_eq!(convert(from(FieldType::String), &many, json!(format!("{id}, {other}"))), Some(json!([id, other])));
        assert_eq!(convert(from(FieldType::String), &one, json!("no id")), None);
    }

    #[test]
    fn rules_beyond_the_type_hold_from_the_next_write_on() {
        let short = field(ruled("a", FieldType::String, json!({ "maxLength": 2 }))).kind;
        assert_eq!(convert(from(FieldType::Number), &short, json!(1234)), Some(json!("1234")));
    }

    /// Fields of all types that a field `a` is, one after the other, and a value of the first.
    fn any_life() -> impl Strategy<Value = (Vec<FieldSpec>, Value)> {
        let kinds = prop::collection::vec(any_field("a").prop_map(|(spec, _)| spec), 1..6);
        (any_field("a"), kinds).prop_flat_map(|((first, values), rest)| {
            let life: Vec<_> = std::iter::once(first).chain(rest).collect();
            (Just(life), values)
        })
    }

    /// The field as the next type has it, with every value converted.
    fn become_next(collection: &Collection, spec: FieldSpec) -> Collection {
        let before = &collection.fields[0];
        let mut next = self::collection([spec]);
        let mut after = next.fields.remove(0);
        let name: FieldSlug = collection.free_name(&before.slug);
        if Form::of(&before.kind) == Form::of(&after.kind) {
            (after.stored_as, after.past) = (before.stored_as.clone(), before.past.clone());
        } else {
            after.follows(before, name, before.updated_at);
        }
        next.fields.push(after);
        next
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn what_is_converted_is_a_value_of_the_type_and_always_the_same((life, value) in any_life()) {
            let (from, to) = (field(life[0].clone()), field(life[1].clone()));
            let form = Form::of(&from.kind);
            if let Ok(value) = check_value(&from.kind, value)
                && let Some(converted) = convert(form, &to.kind, value.clone())
                && form != Form::of(&to.kind)
            {
                prop_assert_eq!(check_value(&bare(&to.kind), converted.clone()), Ok(converted.clone()));
                prop_assert_eq!(convert(form, &to.kind, value), Some(converted));
            }
        }

        #[test]
        fn a_value_that_nobody_wrote_over_comes_back_with_its_type((life, value) in any_life()) {
            let mut now = collection([life[0].clone()]);
            let Ok(data) = validate::complete(&now, object(json!({ "a": value })), Defaults::Keep) else { return Ok(()) };
            let mut stored = data.into_json();
            let first = stored.members(&now).unwrap();
            let form = Form::of(&now.fields[0].kind);
            for spec in life.iter().skip(1).chain([&life[0]]) {
                now = become_next(&now, spec.clone());
                prop_assert!(now.fields[0].past.len() < 17);
                // It is saved with what is shown of it, as an editor does that changes something else.
                let shown = stored.members(&now).unwrap();
                if let Ok(data) = validate::patch(&now, &shown, object(json!({}))) {
                    stored = data.into_json_over(&now, &stored).unwrap();
                }
                prop_assert_eq!(stored.members(&now).unwrap(), shown.clone());
                let text = stored.clone().shown(&now).unwrap();
                prop_assert_eq!(text.members().unwrap(), shown);
                if Form::of(&now.fields[0].kind) == form {
                    prop_assert_eq!(&stored.members(&now).unwrap(), &first);
                }
            }
            prop_assert_eq!(stored.as_stored().members().unwrap().len(), first.len());
        }

        #[test]
        fn a_value_that_somebody_wrote_stays_and_a_cleared_one_is_gone((life, value) in any_life(), clears in any::<bool>()) {
            let mut now = collection([life[0].clone()]);
            let Ok(data) = validate::complete(&now, object(json!({ "a": value })), Defaults::Keep) else { return Ok(()) };
            let mut stored: ValidJson = data.into_json();
            for spec in life.iter().skip(1) {
                now = become_next(&now, spec.clone());
            }
            let shown = stored.members(&now).unwrap();
            let written = if clears { Value::Null } else { json!(true) };
            let Ok(data) = validate::patch(&now, &shown, object(json!({ "a": written }))) else { return Ok(()) };
            stored = data.into_json_over(&now, &stored).unwrap();
            let expected = stored.members(&now).unwrap();
            prop_assert_eq!(expected.get("a").cloned().unwrap_or_default(), written);
            let back = become_next(&become_next(&now, life[0].clone()), life.last().unwrap().clone());
            if clears {
                prop_assert!(stored.as_stored().members().unwrap().is_empty());
            }
            if Form::of(&back.fields[0].kind) == Form::of(&now.fields[0].kind) {
                prop_assert_eq!(stored.members(&back).unwrap(), expected);
            }
        }
    }
}
