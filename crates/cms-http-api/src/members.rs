//! What the members of an input are, as far as an address can say them: there everything is text.

use cms_domain::json;
use cms_frame::descriptor::Descriptor;
use schemars::SchemaGenerator;
use serde_json::{Number, Value};

/// The members of an operation's input that are not text.
#[derive(Debug)]
pub(crate) struct Members(Vec<(String, Kind)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Boolean,
    Integer,
    Number,
    /// An object or a list, spelled in JSON.
    Json,
}

impl Members {
    /// The members of an operation's input.
    pub(crate) fn of(operation: &Descriptor) -> Self {
        Self::new(&operation.whole_input(SchemaGenerator::default()).to_value())
    }

    fn new(schema: &Value) -> Self {
        let members = schema["properties"].as_object().into_iter().flatten();
        Self(members.filter_map(|(name, member)| Some((name.clone(), kind(member, schema)?))).collect())
    }

    /// A member's value from its text. Text that does not fit stays text, so that the operation's types say what is wrong.
    pub(crate) fn value(&self, name: &str, text: String) -> Value {
        let kind = self.0.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
        let value = match (kind, text.as_str()) {
            (Some(Kind::Boolean), "true" | "1") => Some(Value::Bool(true)),
            (Some(Kind::Boolean), "false" | "0") => Some(Value::Bool(false)),
            (Some(Kind::Integer), digits) => number(digits).filter(|number| !number.is_f64()).map(Value::Number),
            (Some(Kind::Number), digits) => number(digits).map(Value::Number),
            (Some(Kind::Json), json) => json::parse(json.as_bytes()).ok(),
            _ => None,
        };
        value.unwrap_or(Value::String(text))
    }
}

/// A number as JSON spells it, without the blanks that JSON allows around it.
fn number(text: &str) -> Option<Number> {
    if text.starts_with(|first: char| first == '-' || first.is_ascii_digit()) && text.ends_with(|last: char| last.is_ascii_digit()) {
        serde_json::from_str(text).ok()
    } else {
        None
    }
}

/// The kind of a member, unless it can be text or is nothing that an address can say.
fn kind(member: &Value, root: &Value) -> Option<Kind> {
    let mut types = Vec::new();
    collect_types(member, root, &mut types);
    let has = |name: &str| types.iter().any(|known| known == name);
    match () {
        () if has("string") => None,
        () if has("boolean") => Some(Kind::Boolean),
        () if has("number") => Some(Kind::Number),
        () if has("integer") => Some(Kind::Integer),
        () if has("object") || has("array") => Some(Kind::Json),
        () => None,
    }
}

fn collect_types(schema: &Value, root: &Value, types: &mut Vec<String>) {
    let named = schema["$ref"].as_str().and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    if let Some(named) = named {
        collect_types(named, root, types);
    }
    match &schema["type"] {
        Value::String(one) => types.push(one.clone()),
        Value::Array(several) => types.extend(several.iter().filter_map(Value::as_str).map(str::to_owned)),
        _ => {}
    }
    for form in ["anyOf", "oneOf"].iter().filter_map(|key| schema[*key].as_array()).flatten() {
        collect_types(form, root, types);
    }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::json;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is read")]
    struct Input {
        count: Option<u8>,
        ratio: f64,
        total: Option<bool>,
        text: String,
        either: Either,
        list: Option<Vec<u8>>,
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only the schema is read")]
    enum Either {
        Text(String),
        Number(i64),
    }

    fn value(name: &str, text: &str) -> Value {
        Members::new(&schemars::schema_for!(Input).to_value()).value(name, text.to_owned())
    }

    #[test]
    fn text_becomes_what_the_schema_says() {
        assert_eq!(value("count", "50"), json!(50));
        assert_eq!(value("count", "-1"), json!(-1));
        assert_eq!(value("ratio", "1e3"), json!(1000.0));
        assert_eq!(value("list", "[1,2]"), json!([1, 2]));
        assert_eq!(["true", "1", "false", "0"].map(|text| value("total", text)), [json!(true), json!(true), json!(false), json!(false)]);
    }

    #[test]
    fn text_that_does_not_fit_stays_text() {
        for (name, text) in [
            ("count", "1.5"),
            ("count", " 1"),
            ("count", "1 "),
            ("count", "0x1"),
            ("count", ""),
            ("ratio", "NaN"),
            ("ratio", "01"),
            ("total", "yes"),
            ("list", "1,2"),
        ] {
            assert_eq!(value(name, text), json!(text), "{name}");
        }
    }

    #[test]
    fn what_can_be_text_is_text() {
        assert_eq!(value("text", "1"), json!("1"));
        assert_eq!(value("either", "1"), json!("1"));
        assert_eq!(value("unknown", "1"), json!("1"));
    }
}
