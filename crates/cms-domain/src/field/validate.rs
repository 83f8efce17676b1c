//! Validation: what an entry's data must be to be stored, with every problem reported at once.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{
    Field, FieldKind, IntegerRules, ManyChoices, NumberRules, Rows, Target, TextRules, ValidJson,
    address::Address,
    findings::{Findings, Path},
    keys, media,
    shape::{self, check_distinct, check_max_length, expect_list, expect_text, wrong_type},
};
use crate::{
    collection::Collection,
    id::{EntryId, FieldId},
    issue::Issue,
    portable_text,
    slug::FieldSlug,
    time::Timestamp,
};

/// The longest value of a `text` field, in characters; `string`, `slug` and `select` fields hold one line.
pub const MAX_TEXT: usize = shape::MAX_TEXT;
/// The longest value of a `string`, `slug` or `select` field, in characters.
pub const MAX_LINE: usize = 65_536;
/// The most rows of a repeater, and the most choices of a field without options.
pub const MAX_ITEMS: usize = 1000;

/// Data of an entry that follows the rules of its collection. Only validation makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidData {
    members: Map<String, Value>,
    references: Vec<(FieldId, EntryId)>,
    /// The fields whose names are others in stored documents, each with that name.
    renamed: Vec<(FieldSlug, FieldSlug)>,
    /// The fields with former types that were to have no value.
    cleared: BTreeSet<String>,
}

impl ValidData {
    fn new(collection: &Collection, members: Map<String, Value>, cleared: BTreeSet<String>) -> Self {
        let mut references = Vec::new();
        for field in collection.references() {
            let ids = match members.get(field.slug.as_str()) {
                Some(Value::Array(ids)) => ids.as_slice(),
                Some(id) => std::slice::from_ref(id),
                None => &[],
            };
            references.extend(ids.iter().filter_map(|id| Some((field.id, id.as_str()?.parse().ok()?))));
        }
        let renamed = collection.fields.iter().filter(|field| field.stored_as != field.slug);
        let renamed = renamed.map(|field| (field.slug.clone(), field.stored_as.clone())).collect();
        Self { members, references, renamed, cleared }
    }

    /// The values by field; a field without a value has no member.
    pub fn members(&self) -> &Map<String, Value> {
        &self.members
    }

    /// The value of a field.
    pub fn get(&self, slug: &str) -> Option<&Value> {
        self.members.get(slug)
    }

    /// The data as the text that is stored.
    #[expect(clippy::expect_used, reason = "JSON values always have a JSON text")]
    pub fn into_json(self) -> ValidJson {
        ValidJson::new(&self.into_stored()).expect("JSON values always have a JSON text")
    }

    /// The data as the text that is stored in the place of other data. What that has in a former form of a field stays as it is where this says the same, and
    /// where it says nothing at all, unless the field was cleared.
    pub fn into_json_over(mut self, collection: &Collection, before: &ValidJson) -> Result<ValidJson, serde_json::Error> {
        let cleared = std::mem::take(&mut self.cleared);
        before.keeping(collection, self.into_stored(), |field| cleared.contains(field.slug.as_str()))
    }

    /// The data as the text of what is made after other data. What that has in a former form comes along, as in [`ValidData::into_json_over`], also where the
    /// field was cleared here, but for fields that are `left_out`.
    pub fn into_json_after(
        self,
        collection: &Collection,
        source: &ValidJson,
        left_out: impl Fn(&Field) -> bool,
    ) -> Result<ValidJson, serde_json::Error> {
        source.keeping(collection, self.into_stored(), left_out)
    }

    /// The values by the names that stored documents have for them.
    fn into_stored(self) -> Map<String, Value> {
        let Self { members, renamed, .. } = self;
        if renamed.is_empty() {
            return members;
        }
        let stored_as =
            |name: String| renamed.iter().find(|(slug, _)| slug.as_str() == name).map_or(name, |(_, stored)| stored.to_string());
        members.into_iter().map(|(name, value)| (stored_as(name), value)).collect()
    }

    /// The entries that the data refers to, by field, in order.
    pub fn references(&self) -> impl Iterator<Item = (FieldId, EntryId)> {
        self.references.iter().copied()
    }
}

/// Where the values of fields come from that the data does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Defaults {
    /// From the fields' defaults: the data is new, and a name that is no field is a mistake.
    Apply,
    /// From nowhere: the data was stored before, and what is left of a dropped field is left out.
    Keep,
}

/// Checks a whole document: a new one, or a stored one that is to be published.
pub fn complete(collection: &Collection, data: Map<String, Value>, defaults: Defaults) -> Result<ValidData, Vec<Issue>> {
    let root = Path::Root("data");
    let mut findings = Findings::default();
    let mut members = Map::with_capacity(data.len());
    let mut cleared = BTreeSet::new();
    let mut named = data;
    if defaults == Defaults::Apply {
        for field in &collection.fields {
            if let Some(value) = &field.default_value
                && !named.contains_key(field.slug.as_str())
            {
                named.insert(field.slug.as_str().to_owned(), value.clone());
            }
        }
    }
    for (name, mut value) in named {
        let here = root.member(&name);
        match collection.field(&name) {
            Some(field) if value.is_null() => cleared.extend((!field.past.is_empty()).then_some(name)),
            Some(field) => {
                check_field(field, &mut value, &here, &mut findings);
                members.insert(name, value);
            }
            None if defaults == Defaults::Apply => findings.report(&here, "UNKNOWN_FIELD", format_args!("{}", collection.no_field(&name))),
            None => {}
        }
    }
    for field in &collection.fields {
        if field.required && !members.contains_key(field.slug.as_str()) {
            findings.report(&root.member(field.slug.as_str()), "REQUIRED", format_args!("is required"));
        }
    }
    findings.or(()).map(|()| ValidData::new(collection, members, cleared))
}

/// Checks a change of a stored document: only the fields that it names are checked and change; null clears a field.
pub fn patch(collection: &Collection, base: &Map<String, Value>, patch: Map<String, Value>) -> Result<ValidData, Vec<Issue>> {
    let root = Path::Root("data");
    let mut findings = Findings::default();
    let kept = base.iter().filter(|(name, value)| !value.is_null() && collection.field(name).is_some());
    let mut members: Map<String, Value> = kept.map(|(name, value)| (name.clone(), value.clone())).collect();
    let mut cleared = BTreeSet::new();
    for (name, mut value) in patch {
        let here = root.member(&name);
        match collection.field(&name) {
            Some(field) if value.is_null() => {
                if field.required {
                    findings.report(&here, "REQUIRED", format_args!("is required and cannot be cleared"));
                }
                members.shift_remove(&name);
                cleared.extend((!field.past.is_empty()).then_some(name));
            }
            Some(field) => {
                check_field(field, &mut value, &here, &mut findings);
                members.insert(name, value);
            }
            None => findings.report(&here, "UNKNOWN_FIELD", format_args!("{}", collection.no_field(&name))),
        }
    }
    findings.or(()).map(|()| ValidData::new(collection, members, cleared))
}

/// Checks one value against a type's rules and gives its canonical form. Paths begin at the value.
pub fn check_value(kind: &FieldKind, mut value: Value) -> Result<Value, Vec<Issue>> {
    let mut findings = Findings::default();
    check(kind, &mut value, &Path::Root(""), &mut findings);
    findings.or(value)
}

fn check_field(field: &Field, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    if field.required && is_blank(&field.kind, value) {
        return findings.report(at, "REQUIRED", format_args!("is required and must not be empty"));
    }
    check(&field.kind, value, at, findings);
}

/// Whether a value says nothing. Any JSON is a value of a `json` field, empty ones too.
pub fn is_blank(kind: &FieldKind, value: &Value) -> bool {
    match value {
        Value::String(text) => text.is_empty() && !matches!(kind, FieldKind::Json),
        Value::Array(list) => list.is_empty() && !matches!(kind, FieldKind::Json),
        _ => false,
    }
}

fn check(kind: &FieldKind, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    match kind {
        FieldKind::Text(rules) => check_text(rules, MAX_TEXT, value, at, findings),
        FieldKind::String(rules) | FieldKind::Slug(rules) => check_text(rules, MAX_LINE, value, at, findings),
        FieldKind::Url(rules) => check_url(rules, value, at, findings),
        FieldKind::Number(rules) => check_number(*rules, value, at, findings),
        FieldKind::Integer(rules) => check_integer(*rules, value, at, findings),
        FieldKind::Boolean => shape::Shape::Boolean.check(value, at, findings),
        FieldKind::Datetime(rules) => {
            let Some(text) = expect_text(value, at, findings) else { return };
            match text.parse::<Timestamp>() {
                Err(error) => findings.report(at, "INVALID_DATE", format_args!("{error}")),
                Ok(instant) => {
                    if let Some(min) = rules.min.filter(|min| instant < *min) {
                        findings.report(at, "TOO_SMALL", format_args!("is before {min}"));
                    }
                    if let Some(max) = rules.max.filter(|max| instant > *max) {
                        findings.report(at, "TOO_LARGE", format_args!("is after {max}"));
                    }
                    *value = Value::String(instant.to_string());
                }
            }
        }
        FieldKind::Select(choices) => check_choice(&choices.options, value, at, findings),
        FieldKind::MultiSelect(choices) => check_choices(choices, value, at, findings),
        FieldKind::PortableText => portable_text::check(value, at, findings),
        FieldKind::Image(rules) | FieldKind::File(rules) => media::check(kind, rules, value, at, findings),
        FieldKind::Reference(target) => check_reference(target, value, at, findings),
        FieldKind::Json => {}
        FieldKind::Repeater(rows) => check_rows(rows, value, at, findings),
    }
}

fn check_text(rules: &TextRules, cap: usize, value: &Value, at: &Path<'_>, findings: &mut Findings) {
    let Some(text) = expect_text(value, at, findings) else { return };
    let max = rules.max_length.map_or(cap, |max| cap.min(max as usize));
    // What is too long is not matched: the answer would say nothing new.
    if !check_max_length(text, max, at, findings) {
        return;
    }
    if let Some(min) = rules.min_length.filter(|min| text.chars().take(*min as usize).count() < *min as usize) {
        findings.report(at, "TOO_SHORT", format_args!("has less than {min} characters"));
    }
    if let Some(pattern) = rules.pattern.as_ref().filter(|pattern| !pattern.matches(text)) {
        findings.report(at, "PATTERN", format_args!("does not match {}", pattern.as_str()));
    }
}

fn check_url(rules: &TextRules, value: &Value, at: &Path<'_>, findings: &mut Findings) {
    check_text(rules, Address::MAX_LENGTH, value, at, findings);
    let Value::String(text) = value else { return };
    if !Address::Url.accepts(text) {
        findings.report(at, "INVALID_URL", format_args!("expected {}", Address::Url.expected()));
    } else if let Err(error) = url::Url::parse(text) {
        findings.report(at, "INVALID_URL", format_args!("cannot be read: {error}"));
    }
}

fn check_number(rules: NumberRules, value: &Value, at: &Path<'_>, findings: &mut Findings) {
    let Some(number) = value.as_f64() else { return wrong_type(value, "a number", at, findings) };
    if let Some(min) = rules.min.filter(|min| number < *min) {
        findings.report(at, "TOO_SMALL", format_args!("is less than {min}"));
    }
    if let Some(max) = rules.max.filter(|max| number > *max) {
        findings.report(at, "TOO_LARGE", format_args!("is greater than {max}"));
    }
}

fn check_integer(rules: IntegerRules, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    match shape::whole(value) {
        None => wrong_type(value, "a whole number", at, findings),
        Some(number) if number < rules.min => findings.report(at, "TOO_SMALL", format_args!("is less than {}", rules.min)),
        Some(number) if number > rules.max => findings.report(at, "TOO_LARGE", format_args!("is greater than {}", rules.max)),
        Some(number) => *value = number.into(),
    }
}

fn check_choice(options: &[String], value: &Value, at: &Path<'_>, findings: &mut Findings) {
    let Some(text) = expect_text(value, at, findings) else { return };
    if options.is_empty() {
        check_max_length(text, MAX_LINE, at, findings);
    } else if !options.iter().any(|option| option == text) {
        findings.report(at, "INVALID_OPTION", format_args!("is none of the {} options", options.len()));
    }
}

fn check_choices(choices: &ManyChoices, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    let list = expect_list(value, at, findings);
    if !check_count(list.len(), choices.min_items, choices.max_items, MAX_ITEMS, at, findings) {
        return;
    }
    for (n, choice) in list.iter().enumerate() {
        check_choice(&choices.options, choice, &at.element(n), findings);
    }
    check_distinct(list.iter().enumerate().filter_map(|(n, choice)| Some((n, choice.as_str()?))), at, findings);
}

fn check_reference(target: &Target, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    if !target.many {
        return check_id(value, at, findings);
    }
    let list = expect_list(value, at, findings);
    if !check_count(list.len(), target.min_items, target.max_items, Target::MAX_ITEMS, at, findings) {
        return;
    }
    for (n, id) in list.iter().enumerate() {
        check_id(id, &at.element(n), findings);
    }
    check_distinct(list.iter().enumerate().filter_map(|(n, id)| Some((n, id.as_str()?))), at, findings);
}

fn check_id(value: &Value, at: &Path<'_>, findings: &mut Findings) {
    if let Some(text) = expect_text(value, at, findings)
        && let Err(error) = text.parse::<EntryId>()
    {
        findings.report(at, "INVALID_ID", format_args!("{error}"));
    }
}

fn check_rows(rows: &Rows, value: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    let list = expect_list(value, at, findings);
    if !check_count(list.len(), rows.min_items, rows.max_items, MAX_ITEMS, at, findings) {
        return;
    }
    // The kinds are made once, not once a row.
    let kinds: Vec<_> = rows.sub_fields.iter().map(|sub_field| (sub_field, sub_field.kind())).collect();
    for (n, row) in list.iter_mut().enumerate() {
        let here = at.element(n);
        let Value::Object(members) = row else {
            wrong_type(row, "an object", &here, findings);
            continue;
        };
        members.retain(|name, value| {
            if name == keys::KEY {
                return true;
            }
            let cell = here.member(name);
            let Some((sub_field, kind)) = kinds.iter().find(|(sub_field, _)| sub_field.slug.as_str() == name) else {
                findings.report(&cell, "UNKNOWN_FIELD", format_args!("the rows have no such sub-field"));
                return true;
            };
            let given = !value.is_null() && (!sub_field.required || !is_blank(kind, value));
            if given {
                check(kind, value, &cell, findings);
            }
            given
        });
        for (sub_field, _) in &kinds {
            if sub_field.required && !members.contains_key(sub_field.slug.as_str()) {
                findings.report(&here.member(sub_field.slug.as_str()), "REQUIRED", format_args!("is required"));
            }
        }
    }
    keys::complete(list, at, findings);
}

/// Reports a list that is too short or too long; says whether its elements are worth a look.
fn check_count(count: usize, min: Option<u32>, max: Option<u32>, cap: usize, at: &Path<'_>, findings: &mut Findings) -> bool {
    let max = max.map_or(cap, |max| cap.min(max as usize));
    if let Some(min) = min.filter(|min| count < *min as usize) {
        findings.report(at, "TOO_FEW", format_args!("has {count} items, {min} at least"));
    }
    if count > max {
        findings.report(at, "TOO_MANY", format_args!("has {count} items, {max} at most"));
    }
    count <= max
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::field::{
        FieldSpec, FieldType,
        testing::{collection, object, references, required, ruled, spec},
    };

    const ID: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

    /// The issues of new data, as `path code`.
    fn issues(specs: impl IntoIterator<Item = FieldSpec>, data: Value) -> Vec<String> {
        told(complete(&collection(specs), object(data), Defaults::Apply))
    }

    fn told(result: Result<ValidData, Vec<Issue>>) -> Vec<String> {
        result.err().into_iter().flatten().map(|issue| format!("{} {}", issue.path, issue.code)).collect()
    }

    /// What is stored of one value.
    fn stored(spec: FieldSpec, value: Value) -> Value {
        let slug = spec.slug.clone();
        let data = object(json!({ slug.as_str(): value }));
        complete(&collection([spec]), data, Defaults::Apply).unwrap().get(slug.as_str()).cloned().unwrap_or_default()
    }

    #[test]
    fn all_problems_are_told_at_once_each_with_its_path() {
        let specs = [
            required(spec("title", FieldType::String)),
            spec("price", FieldType::Number),
            spec("content", FieldType::PortableText),
            ruled("rows", FieldType::Repeater, json!({ "subFields": [{ "slug": "n", "type": "integer", "label": "N" }] })),
        ];
        let data =
            json!({ "price": "3", "content": [{ "_type": "block", "style": "h9", "children": [] }], "rows": [{}, { "n": 1.5 }], "x.y": 1 });
        assert_eq!(
            issues(specs, data),
            [
                "data.price INVALID_TYPE",
                "data.content.0.style INVALID_OPTION",
                "data.rows.1.n INVALID_TYPE",
                "data.x.y UNKNOWN_FIELD",
                "data.title REQUIRED"
            ]
        );
    }

    #[test]
    fn a_required_field_wants_something_in_it() {
        let specs = || {
            [
                required(spec("a", FieldType::String)),
                required(spec("b", FieldType::MultiSelect)),
                required(spec("c", FieldType::PortableText)),
                required(references("d")),
                required(spec("e", FieldType::Boolean)),
            ]
        };
        let blank = json!({ "a": "", "b": [], "c": [], "d": [], "e": null });
        assert_eq!(issues(specs(), blank), ["data.a REQUIRED", "data.b REQUIRED", "data.c REQUIRED", "data.d REQUIRED", "data.e REQUIRED"]);
        assert_eq!(issues(specs(), json!({})).len(), 5);
    }

    #[test]
    fn null_is_not_stored() {
        let data = complete(&collection([spec("a", FieldType::String)]), object(json!({ "a": null })), Defaults::Apply).unwrap();
        assert!(data.members().is_empty());
    }

    #[test]
    fn a_default_fills_what_new_data_does_not_name() {
        let with_default = |slug, value| FieldSpec { default_value: Some(value), ..spec(slug, FieldType::Integer) };
        let collection = collection([with_default("a", json!(1)), with_default("b", json!(2)), with_default("c", json!(3))]);
        let data = || object(json!({ "b": 7, "c": null }));
        assert_eq!(Value::from(complete(&collection, data(), Defaults::Apply).unwrap().members), json!({ "b": 7, "a": 1 }));
        assert_eq!(Value::from(complete(&collection, data(), Defaults::Keep).unwrap().members), json!({ "b": 7 }));
    }

    #[test]
    fn what_a_dropped_field_left_does_not_hinder_publishing() {
        let data = complete(&collection([spec("a", FieldType::String)]), object(json!({ "gone": 1, "a": "x" })), Defaults::Keep).unwrap();
        assert_eq!(Value::from(data.members), json!({ "a": "x" }));
    }

    #[test]
    fn only_what_a_patch_names_is_checked_and_changes() {
        let collection = collection([required(spec("a", FieldType::String)), spec("b", FieldType::Integer), spec("c", FieldType::Integer)]);
        let base = object(json!({ "b": "from before", "c": 3, "gone": 1 }));
        let data = patch(&collection, &base, object(json!({ "c": null, "a": "x" }))).unwrap();
        assert_eq!(Value::from(data.members), json!({ "b": "from before", "a": "x" }));
    }

    #[test]
    fn a_required_field_cannot_be_cleared() {
        let collection = collection([required(spec("a", FieldType::String))]);
        for value in [json!(null), json!("")] {
            let result = patch(&collection, &object(json!({ "a": "x" })), object(json!({ "a": value })));
            assert_eq!(told(result), ["data.a REQUIRED"]);
        }
    }

    #[test]
    fn names_that_are_no_fields_are_refused() {
        let names = json!({ "_slug": "x", "id": "x", "status": "published", "__proto__": {}, "": 1 });
        assert_eq!(issues([spec("a", FieldType::String)], names).len(), 5);
    }

    #[test]
    fn an_instant_is_stored_in_utc_with_milliseconds() {
        let field = || spec("at", FieldType::Datetime);
        assert_eq!(stored(field(), json!("2027-01-31T09:30:00+02:00")), json!("2027-01-31T07:30:00.000Z"));
        for text in ["2027-01-31", "2027-01-31T09:30:00", "2027-02-30T00:00:00Z", ""] {
            assert_eq!(issues([field()], json!({ "at": text })), ["data.at INVALID_DATE"], "{text}");
        }
    }

    #[test]
    fn an_instant_outside_of_its_bounds_is_refused() {
        let field = || ruled("at", FieldType::Datetime, json!({ "minDate": "2027-01-01T00:00:00Z", "maxDate": "2027-12-31T00:00:00Z" }));
        assert_eq!(issues([field()], json!({ "at": "2027-01-01T00:30:00+01:00" })), ["data.at TOO_SMALL"]);
        assert_eq!(issues([field()], json!({ "at": "2028-01-01T00:00:00Z" })), ["data.at TOO_LARGE"]);
        for bound in ["2027-01-01T00:00:00Z", "2027-12-31T00:00:00Z"] {
            assert_eq!(issues([field()], json!({ "at": bound })), [""; 0]);
        }
    }

    #[test]
    fn the_bounds_of_numbers_are_allowed_and_nothing_beyond_them() {
        for field_type in [FieldType::Number, FieldType::Integer] {
            for (number, expected) in [(1, &["data.a TOO_SMALL"][..]), (2, &[]), (4, &[]), (5, &["data.a TOO_LARGE"])] {
                let field = ruled("a", field_type, json!({ "min": 2, "max": 4 }));
                assert_eq!(issues([field], json!({ "a": number })), expected, "{field_type:?} {number}");
            }
        }
    }

    #[test]
    fn the_path_of_a_problem_with_a_lone_value_begins_at_the_value() {
        let kind = collection([spec("a", FieldType::MultiSelect)]).fields.remove(0).kind;
        for (value, path) in [(json!("x"), ""), (json!(["x", "x"]), "1")] {
            assert_eq!(check_value(&kind, value.clone()).unwrap_err()[0].path, path, "{value}");
        }
    }

    #[test]
    fn whole_numbers_are_whole_and_safe() {
        let field = || spec("n", FieldType::Integer);
        assert_eq!(stored(field(), json!(3.0)).to_string(), "3");
        assert_eq!(stored(field(), json!(-0.0)).to_string(), "0");
        assert_eq!(issues([field()], json!({ "n": 3.5 })), ["data.n INVALID_TYPE"]);
        assert_eq!(issues([field()], json!({ "n": 9_007_199_254_740_992_i64 })), ["data.n TOO_LARGE"]);
        assert_eq!(issues([field()], json!({ "n": u64::MAX })), ["data.n TOO_LARGE"]);
        assert_eq!(issues([field()], json!({ "n": -1e300 })), ["data.n TOO_SMALL"]);
    }

    #[test]
    fn nothing_is_coerced() {
        for (field_type, value) in [
            (FieldType::Boolean, json!(1)),
            (FieldType::Boolean, json!("true")),
            (FieldType::Number, json!("1")),
            (FieldType::String, json!(1)),
            (FieldType::MultiSelect, json!("a")),
            (FieldType::Reference, json!([ID])),
            (FieldType::PortableText, json!("text")),
            (FieldType::Image, json!("https://example.org/a.png")),
            (FieldType::Repeater, json!({})),
        ] {
            assert_eq!(issues([spec("a", field_type)], json!({ "a": value })), ["data.a INVALID_TYPE"], "{field_type:?}");
        }
    }

    #[test]
    fn values_are_stored_as_they_were_sent() {
        for (field_type, value) in [
            (FieldType::String, json!("[1]")),
            (FieldType::Text, json!("{\"a\": 1}\r\n")),
            (FieldType::Json, json!("007")),
            (FieldType::Json, json!({ "b": [null, 1.0, {}], "a": "" })),
            (FieldType::Boolean, json!(false)),
            (FieldType::Number, json!(0.1)),
            (FieldType::String, json!("")),
        ] {
            assert_eq!(stored(spec("a", field_type), value.clone()).to_string(), value.to_string(), "{field_type:?}");
        }
    }

    #[test]
    fn addresses_that_run_something_are_refused() {
        for text in [
            "javascript:alert(1)",
            "data:text/html,x",
            "java\tscript:x",
            " https://example.org",
            "//example.org",
            "/a",
            "https://",
            "http:example.org",
            "",
            "https://a b",
            "https://[::1",
        ] {
            assert_eq!(issues([spec("a", FieldType::Url)], json!({ "a": text })), ["data.a INVALID_URL"], "{text}");
        }
        for text in ["https://example.org/ü?q=1#x", "HTTP://EXAMPLE.ORG", "mailto:a@example.org", "tel:+41441234567"] {
            assert_eq!(stored(spec("a", FieldType::Url), json!(text)), json!(text));
        }
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        let field = || ruled("a", FieldType::String, json!({ "minLength": 2, "maxLength": 3 }));
        assert_eq!(stored(field(), json!("äöü")), json!("äöü"));
        assert_eq!(issues([field()], json!({ "a": "ä" })), ["data.a TOO_SHORT"]);
        assert_eq!(issues([field()], json!({ "a": "äöüß" })), ["data.a TOO_LONG"]);
    }

    #[test]
    fn texts_have_an_end_without_a_rule_too() {
        let long = "x".repeat(10 << 20);
        for field_type in [FieldType::String, FieldType::Text, FieldType::Slug, FieldType::Select] {
            assert_eq!(issues([spec("a", field_type)], json!({ "a": long })), ["data.a TOO_LONG"], "{field_type:?}");
        }
    }

    #[test]
    fn a_pattern_that_would_backtrack_is_matched_in_linear_time() {
        let field = ruled("a", FieldType::Text, json!({ "pattern": "^(a+)+$" }));
        assert_eq!(issues([field], json!({ "a": "a".repeat(50_000) + "!" })), ["data.a PATTERN"]);
    }

    #[test]
    fn choices_are_options_and_distinct() {
        let field = || ruled("a", FieldType::MultiSelect, json!({ "options": ["x", "y"], "minItems": 1, "maxItems": 2 }));
        assert_eq!(issues([field()], json!({ "a": ["x", "z"] })), ["data.a.1 INVALID_OPTION"]);
        assert_eq!(issues([field()], json!({ "a": ["x", "x"] })), ["data.a.1 DUPLICATE"]);
        assert_eq!(issues([field()], json!({ "a": [] })), ["data.a TOO_FEW"]);
        assert_eq!(issues([field()], json!({ "a": ["x", "y", "x"] })), ["data.a TOO_MANY"]);
    }

    #[test]
    fn references_are_distinct_ids_and_are_found_again() {
        let collection = collection([spec("one", FieldType::Reference), references("many")]);
        let other = "01BX5ZZKBKACTAV9WEVGEMMVRZ";
        let data = complete(&collection, object(json!({ "one": ID, "many": [other, ID] })), Defaults::Apply).unwrap();
        let found: Vec<_> = data
            .references()
            .map(|(field, entry)| (collection.fields.iter().position(|each| each.id == field), entry.to_string()))
            .collect();
        assert_eq!(found, [(Some(0), ID.to_owned()), (Some(1), other.to_owned()), (Some(1), ID.to_owned())]);
        let wrong = complete(&collection, object(json!({ "one": "my-slug", "many": [ID, ID, 1] })), Defaults::Apply);
        assert_eq!(told(wrong), ["data.one INVALID_ID", "data.many.2 INVALID_TYPE", "data.many.1 DUPLICATE"]);
    }

    #[test]
    fn rows_hold_what_their_sub_fields_say() {
        let field = || {
            ruled(
                "a",
                FieldType::Repeater,
                json!({ "maxItems": 4, "subFields": [
                    { "slug": "name", "type": "string", "label": "Name", "required": true },
                    { "slug": "at", "type": "datetime", "label": "At" }
                ] }),
            )
        };
        assert_eq!(
            stored(
                field(),
                json!([{ "_key": "k", "name": "x", "at": null }, { "at": "2027-01-01T01:00:00+01:00", "name": "y", "_key": "l" }])
            ),
            json!([{ "_key": "k", "name": "x" }, { "at": "2027-01-01T00:00:00.000Z", "name": "y", "_key": "l" }])
        );
        assert_eq!(
            issues([field()], json!({ "a": [{ "name": "" }, {}, 1, { "name": "x", "more": 1 }] })),
            ["data.a.0.name REQUIRED", "data.a.1.name REQUIRED", "data.a.2 INVALID_TYPE", "data.a.3.more UNKNOWN_FIELD"]
        );
    }

    #[test]
    fn rows_have_keys_of_their_own() {
        let field = || ruled("a", FieldType::Repeater, json!({ "subFields": [{ "slug": "n", "type": "integer", "label": "N" }] }));
        let rows = stored(field(), json!([{ "n": 1 }, { "n": 1, "_key": null }, { "n": 1, "_key": "k" }]));
        let key = |n: usize| rows[n]["_key"].as_str().unwrap();
        assert_eq!(key(2), "k");
        assert!(key(0) != key(1) && !key(0).is_empty() && !key(1).is_empty());
        assert_eq!(stored(field(), rows.clone()), rows);
        let wrong = json!([{ "_key": "k" }, { "_key": "k" }, { "_key": "" }, { "_key": 1 }, { "_key": "x".repeat(129) }]);
        assert_eq!(
            issues([field()], json!({ "a": wrong })),
            ["data.a.1._key DUPLICATE", "data.a.2._key INVALID_KEY", "data.a.3._key INVALID_TYPE", "data.a.4._key TOO_LONG"]
        );
    }

    #[test]
    fn rows_from_before_there_were_keys_can_be_kept_and_published() {
        let collection = collection([
            ruled("a", FieldType::Repeater, json!({ "subFields": [{ "slug": "n", "type": "integer", "label": "N" }] })),
            spec("b", FieldType::Integer),
        ]);
        let base = object(json!({ "a": [{ "n": 1 }] }));
        let kept = patch(&collection, &base, object(json!({ "b": 2 }))).unwrap();
        assert_eq!(kept.get("a"), Some(&json!([{ "n": 1 }])));
        let published = complete(&collection, base, Defaults::Keep).unwrap();
        assert!(published.get("a").unwrap()[0]["_key"].is_string());
    }

    #[test]
    fn a_media_value_keeps_what_it_brings() {
        let file = json!({ "id": "x", "url": "https://example.org/a.pdf", "size": 3, "other": [null], "filename": null });
        assert_eq!(
            stored(spec("a", FieldType::File), file),
            json!({ "id": "x", "url": "https://example.org/a.pdf", "size": 3, "other": [null] })
        );
    }

    #[test]
    fn a_media_value_without_an_id_is_on_another_server() {
        let image = |value| issues([spec("a", FieldType::Image)], json!({ "a": value }));
        assert_eq!(image(json!({ "id": "", "src": "https://example.org/a.png" })), [""; 0]);
        assert_eq!(image(json!({ "id": "", "src": "/a.png" })), ["data.a.id REQUIRED"]);
        assert_eq!(image(json!({ "id": "" })), ["data.a.id REQUIRED"]);
        assert_eq!(image(json!({ "src": "https://example.org/a.png" })), ["data.a.id REQUIRED"]);
        assert_eq!(image(json!({ "id": "x", "src": "data:image/png;base64,x" })), ["data.a.src INVALID_URL"]);
    }

    #[test]
    fn a_media_type_outside_of_the_list_is_refused() {
        let field = || ruled("a", FieldType::File, json!({ "allowedMimeTypes": ["image/", "application/pdf"] }));
        let file = |value| issues([field()], json!({ "a": value }));
        assert_eq!(file(json!({ "id": "x", "mimeType": "IMAGE/PNG" })), [""; 0]);
        assert_eq!(file(json!({ "id": "x" })), [""; 0]);
        assert_eq!(file(json!({ "id": "x", "mimeType": "application/pdfx" })), ["data.a.mimeType INVALID_MIME_FOR_FIELD"]);
        assert_eq!(file(json!({ "id": "x", "provider": "elsewhere" })), ["data.a.mimeType REQUIRED"]);
    }

    #[test]
    fn a_list_with_a_million_wrong_elements_gets_a_short_answer() {
        let blocks = vec![Value::from(1); 1_000_000];
        let collection = collection([spec("a", FieldType::PortableText)]);
        let found = complete(&collection, object(json!({ "a": blocks })), Defaults::Apply).unwrap_err();
        assert_eq!(found.len(), Findings::MAX_ISSUES);
        assert_eq!(found.last().unwrap().message, "999901 more problems are not listed");
    }

    #[test]
    fn a_long_name_is_not_echoed() {
        let found = complete(&collection([]), object(json!({ "x".repeat(1 << 20): 1 })), Defaults::Apply).unwrap_err();
        assert!(found[0].path.len() < 100 && found[0].message.len() < 100);
    }
}
