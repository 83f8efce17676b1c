//! JSON as it comes from outside: bounded, without duplicate keys, without NUL.

use std::{borrow::Cow, fmt};

use indexmap::IndexMap;
use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value, value::RawValue};

/// How deep values may nest. Our deepest own document, a table in rich text, needs 12.
pub const MAX_DEPTH: usize = 64;
/// How many values one document may hold. A very long article has about 10,000.
pub const MAX_VALUES: usize = 200_000;

/// Reads a JSON document from outside (RFC 8259).
///
/// Refuses what programs disagree about or databases cannot hold: a key that is given twice, the character U+0000,
/// numbers outside of IEEE 754 doubles, more than [`MAX_DEPTH`] levels, more than [`MAX_VALUES`] values.
pub fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let mut values = 0;
    let value = Strict { depth: 0, values: &mut values }.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// One value below `depth` others; counts into `values`.
struct Strict<'a> {
    depth: usize,
    values: &'a mut usize,
}

impl Strict<'_> {
    fn inner(&mut self) -> Strict<'_> {
        Strict { depth: self.depth + 1, values: self.values }
    }

    fn enter<E: serde::de::Error>(&self) -> Result<(), E> {
        if self.depth >= MAX_DEPTH { Err(E::custom(format_args!("nested deeper than {MAX_DEPTH} levels"))) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        *self.values += 1;
        if *self.values > MAX_VALUES {
            return Err(D::Error::custom(format_args!("more than {MAX_VALUES} values")));
        }
        deserializer.deserialize_any(self)
    }
}

fn without_nul<E: serde::de::Error>(text: &str) -> Result<(), E> {
    if text.contains('\0') { Err(E::custom("the character U+0000 is not allowed")) } else { Ok(()) }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        without_nul(value)?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E: serde::de::Error>(self, value: String) -> Result<Value, E> {
        without_nul(&value)?;
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<Value, A::Error> {
        self.enter()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self.inner())? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        self.enter()?;
        let mut object = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            without_nul(&key)?;
            if object.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key `{key}` is given twice")));
            }
            let value = members.next_value_seed(self.inner())?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// A JSON object kept as its text: stored and sent without being taken apart.
#[derive(Debug, Clone)]
pub struct JsonObject(Box<RawValue>);

impl JsonObject {
    /// The text of an object.
    pub fn new(members: &Map<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(members).map(Self)
    }

    /// Text that was written by [`JsonObject::new`]; anything else is an error, for a row that was damaged.
    pub fn from_stored(text: String) -> Result<Self, serde_json::Error> {
        let raw = RawValue::from_string(text)?;
        if raw.get().starts_with('{') { Ok(Self(raw)) } else { Err(serde_json::Error::custom("not an object")) }
    }

    /// The same object without the members that are not wanted. Their values are not read.
    pub fn only(&self, wanted: impl Fn(&str) -> bool) -> Result<Self, serde_json::Error> {
        let mut members: IndexMap<Cow<'_, str>, &RawValue> = serde_json::from_str(self.0.get())?;
        members.retain(|name, _| wanted(name));
        serde_json::value::to_raw_value(&members).map(Self)
    }

    /// The same object with other names for its members, and without those that get none. A value is read only where it becomes another one.
    pub fn rewritten<'n>(&self, rewrite: impl Fn(&str) -> Option<Rewrite<'n>>) -> Result<Self, serde_json::Error> {
        let members: IndexMap<Cow<'_, str>, &RawValue> = serde_json::from_str(self.0.get())?;
        let mut rewritten = IndexMap::with_capacity(members.len());
        for (known, value) in members {
            match rewrite(&known) {
                None => {}
                Some((name, None)) => drop(rewritten.insert(name, Cow::Borrowed(value))),
                Some((name, Some(convert))) => {
                    if let Some(converted) = convert(serde_json::from_str(value.get())?)
                        && !rewritten.contains_key(name)
                    {
                        rewritten.insert(name, Cow::Owned(serde_json::value::to_raw_value(&converted)?));
                    }
                }
            }
        }
        serde_json::value::to_raw_value(&rewritten).map(Self)
    }

    /// The JSON text.
    pub fn as_str(&self) -> &str {
        self.0.get()
    }

    /// The members.
    pub fn members(&self) -> Result<Map<String, Value>, serde_json::Error> {
        serde_json::from_str(self.0.get())
    }
}

/// The name that a member gets, and what makes another value of the one that it has: none keeps the value, and what makes none of it leaves the member out.
pub type Rewrite<'n> = (&'n str, Option<Box<dyn Fn(Value) -> Option<Value> + 'n>>);

impl PartialEq for JsonObject {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl serde::Serialize for JsonObject {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl schemars::JsonSchema for JsonObject {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonObject".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": true })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ambiguous_or_cannot_be_stored_is_refused() {
        for text in
            [r#"{"a":1,"a":2}"#, r#"{"a":{"b":1,"b":2}}"#, r#""\u0000""#, r#"{"\u0000":1}"#, "1e400", "[1,]", "[1] 2", "NaN", "\"\u{fffd}"]
        {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\"\xff\"").is_err());
    }

    #[test]
    fn depth_and_count_are_bounded() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(nested(MAX_DEPTH).as_bytes()).is_ok());
        assert!(parse(nested(MAX_DEPTH + 1).as_bytes()).is_err());
        assert!(parse(nested(100_000).as_bytes()).is_err());
        assert!(parse(format!("[{}0]", "0,".repeat(MAX_VALUES)).as_bytes()).is_err());
    }

    #[test]
    fn everything_else_is_read_as_it_stands() {
        let text = r#"{"b":[1,-2,0.1,1e300,true,null,"ä\n"],"a":{"z":{},"y":[]},"n":18446744073709551615}"#;
        assert_eq!(parse(text.as_bytes()).unwrap().to_string(), text.replace("1e300", "1e+300"));
    }

    #[test]
    fn an_object_is_sent_as_it_is_stored() {
        let object = JsonObject::from_stored(r#"{"b": 1, "a": [0.10]}"#.to_owned()).unwrap();
        assert_eq!(serde_json::to_string(&[&object]).unwrap(), r#"[{"b": 1, "a": [0.10]}]"#);
        assert!(JsonObject::from_stored("[1]".to_owned()).is_err());
        assert!(JsonObject::from_stored("{".to_owned()).is_err());
    }
}
