//! The types of all operations as JSON Schemas under one set of names.

use std::collections::{BTreeMap, BTreeSet};

use aide::openapi::SchemaObject;
use schemars::{
    Schema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
};
use serde_json::Value;

/// Where named schemas are in the document.
const PREFIX: &str = "#/components/schemas/";

/// Gathers the schemas of what is read and of what is written. A type can have one of each.
pub(super) struct Schemas {
    read: SchemaGenerator,
    written: SchemaGenerator,
}

impl Schemas {
    pub(super) fn new() -> Self {
        Self { read: generator(Contract::Deserialize), written: generator(Contract::Serialize) }
    }

    /// The schema of an operation's input, with its members in place.
    pub(super) fn input(&mut self, schema: impl FnOnce(&mut SchemaGenerator) -> Schema) -> Value {
        schema(&mut self.read).to_value()
    }

    /// The schema of what an operation answers.
    pub(super) fn output(&mut self, schema: impl FnOnce(&mut SchemaGenerator) -> Schema) -> Value {
        schema(&mut self.written).to_value()
    }

    /// What a schema of an answer says of itself.
    pub(super) fn description(&self, output: &Value) -> String {
        let name = output["$ref"].as_str().and_then(|reference| reference.strip_prefix(PREFIX));
        let schema = name.and_then(|name| self.written.definitions().get(name)).unwrap_or(output);
        schema["description"].as_str().unwrap_or("Done.").to_owned()
    }

    /// The named schemas. Where a type is read otherwise than it is written, the former is named `…Input`, in the inputs too.
    pub(super) fn finish<'a>(mut self, inputs: impl Iterator<Item = &'a mut Value>) -> BTreeMap<String, Value> {
        let mut read: BTreeMap<String, Value> = self.read.take_definitions(true).into_iter().collect();
        let mut all: BTreeMap<String, Value> = self.written.take_definitions(true).into_iter().collect();
        let differing = differing(&read, &all);
        for schema in inputs {
            rename(schema, &differing);
        }
        for schema in read.values_mut() {
            rename(schema, &differing);
        }
        for (name, schema) in read {
            let name = if differing.contains(&name) { input_name(&name) } else { name };
            all.insert(name, schema);
        }
        all
    }
}

fn generator(contract: Contract) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
        settings.contract = contract;
    });
    settings.into_generator()
}

/// The names that mean different schemas in two sets, directly or through what they refer to.
fn differing(read: &BTreeMap<String, Value>, written: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let both = read.iter().filter(|(name, _)| written.contains_key(*name));
    let mut differing: BTreeSet<String> =
        both.filter(|(name, schema)| written.get(*name) != Some(*schema)).map(|(name, _)| name.clone()).collect();
    loop {
        let refers = |schema: &Value| references(schema).iter().any(|name| differing.contains(name));
        let more: Vec<_> =
            read.iter().filter(|(name, schema)| written.contains_key(*name) && refers(schema)).map(|(name, _)| name.clone()).collect();
        let known = differing.len();
        differing.extend(more);
        if differing.len() == known {
            return differing;
        }
    }
}

fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(members) => {
            let own = members.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix(PREFIX));
            own.map(str::to_owned).into_iter().chain(members.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

fn rename(schema: &mut Value, differing: &BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref")
                && let Some(name) = reference.strip_prefix(PREFIX)
                && differing.contains(name)
            {
                *reference = format!("{PREFIX}{}", input_name(name));
            }
            members.values_mut().for_each(|member| rename(member, differing));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, differing)),
        _ => {}
    }
}

fn input_name(name: &str) -> String {
    format!("{name}Input")
}

/// A schema as a part of the document.
pub(super) fn object(schema: Value) -> SchemaObject {
    // What our types generate is a schema: an object or a boolean.
    SchemaObject { json_schema: Schema::try_from(schema).unwrap_or_default(), external_docs: None, example: None }
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Inner {
        #[serde(default)]
        count: i32,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Outer {
        inner: Inner,
    }

    #[derive(Serialize, Deserialize, JsonSchema)]
    struct Same {
        text: String,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only the schema is read")]
    struct Input {
        outer: Outer,
        same: Same,
    }

    #[test]
    fn a_type_that_is_read_otherwise_than_it_is_written_has_two_names() {
        let mut schemas = Schemas::new();
        let mut input = schemas.input(Input::json_schema);
        let output = schemas.output(SchemaGenerator::subschema_for::<Outer>);
        schemas.output(SchemaGenerator::subschema_for::<Same>);
        let all = schemas.finish([&mut input].into_iter());
        assert_eq!(all.keys().collect::<Vec<_>>(), ["Inner", "InnerInput", "Outer", "OuterInput", "Same"]);
        assert_eq!(input["properties"]["outer"]["$ref"], "#/components/schemas/OuterInput");
        assert_eq!(all["OuterInput"]["properties"]["inner"]["$ref"], "#/components/schemas/InnerInput");
        assert_eq!(input["properties"]["same"]["$ref"], "#/components/schemas/Same");
        assert_eq!(output["$ref"], "#/components/schemas/Outer");
    }
}
