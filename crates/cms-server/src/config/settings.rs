//! The list of settings, read from the description that the configuration gives of itself.

use schemars::{Schema, generate::SchemaSettings};
use serde_json::Value;

use super::Config;

/// One setting.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    /// Where it is in the configuration: `server.listen`.
    pub(crate) key: String,
    /// What text becomes that stands for its value.
    pub(crate) kind: Kind,
    /// Whether it can be left open.
    pub(crate) optional: bool,
    /// What it is for.
    pub(crate) about: String,
    /// Its value when nobody sets it.
    pub(crate) default: Value,
}

/// What a setting's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
    Switch,
    /// Texts; written with commas where there is only one line.
    List,
    /// Members, or things with names; written as JSON where there is only one line.
    Object,
}

impl Setting {
    /// The environment variable that sets it: `CMS_SERVER_LISTEN`.
    pub(crate) fn variable(&self) -> String {
        format!("CMS_{}", self.key.replace('.', "_").to_uppercase())
    }

    /// The value that a text stands for. What does not fit stays text, and is refused with the setting's own words.
    pub(crate) fn read(&self, text: &str) -> Value {
        match self.kind {
            _ if text.is_empty() && self.optional => Value::Null,
            Kind::Text => text.into(),
            Kind::List => text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect(),
            Kind::Object => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
            Kind::Number => text.parse::<i64>().map_or_else(|_| text.into(), Value::from),
            Kind::Switch => text.parse::<bool>().map_or_else(|_| text.into(), Value::from),
        }
    }
}

/// JSON Schema of the configuration file.
pub(crate) fn schema() -> Schema {
    SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator().into_root_schema_for::<Config>()
}

/// Every setting, in the order of the configuration.
pub(crate) fn settings() -> Result<Vec<Setting>, serde_json::Error> {
    let defaults = serde_json::to_value(Config::default())?;
    let schema = schema().to_value();
    let mut settings = Vec::new();
    for (section, described) in members(&schema) {
        for (name, described) in members(described) {
            let types: Vec<&str> = match &described["type"] {
                Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                one => one.as_str().into_iter().collect(),
            };
            let kind = match types.first() {
                Some(&"integer") => Kind::Number,
                Some(&"boolean") => Kind::Switch,
                Some(&"array") => Kind::List,
                Some(&"object") => Kind::Object,
                None if described["anyOf"][0]["type"] == "object" => Kind::Object,
                _ => Kind::Text,
            };
            let default = defaults[section][name].clone();
            let about = described["description"].as_str().unwrap_or_default().replace('\n', " ");
            settings.push(Setting { key: format!("{section}.{name}"), kind, optional: default.is_null(), about, default });
        }
    }
    Ok(settings)
}

fn members(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}
