//! How rich text is written: as the blocks that it is, or as Markdown.

use cms_domain::{
    collection::Collection,
    field::{Field, FieldType},
    issue::Issue,
    json::JsonObject,
    portable_text::markdown::{from_markdown, to_markdown},
};
use cms_frame::Error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How rich text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Format {
    /// As a list of blocks.
    #[default]
    Json,
    /// As text in Markdown.
    Markdown,
}

impl Format {
    /// Field values as they are shown.
    pub(super) fn shown(self, collection: &Collection, data: JsonObject) -> Result<JsonObject, Error> {
        if self == Self::Json || !rich_texts(collection).any(|_| true) {
            return Ok(data);
        }
        let mut members = data.members()?;
        for (name, value) in &mut members {
            self.show(collection, name, value);
        }
        Ok(JsonObject::new(&members)?)
    }

    /// Makes the value of a field what is shown of it.
    pub(super) fn show(self, collection: &Collection, field: &str, value: &mut Value) {
        if self == Self::Markdown
            && collection.field(field).is_some_and(is_rich_text)
            && let Value::Array(blocks) = value
        {
            *value = to_markdown(blocks).into();
        }
    }

    /// Makes texts that were sent for rich text the blocks that they say, as far as they are so with those that are stored.
    pub(super) fn read(self, collection: &Collection, stored: &Map<String, Value>, data: &mut Map<String, Value>) -> Result<(), Error> {
        if self == Self::Json {
            return Ok(());
        }
        let mut issues: Vec<Issue> = Vec::new();
        for field in rich_texts(collection) {
            let name = field.slug.as_str();
            let Some(Value::String(text)) = data.get(name) else { continue };
            let before = stored.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            match from_markdown(text, before) {
                Ok(blocks) => {
                    data.insert(name.to_owned(), Value::Array(blocks));
                }
                Err(found) => issues.extend(found.into_iter().map(|issue| issue.under(&format!("data.{name}")))),
            }
        }
        if issues.is_empty() { Ok(()) } else { Err(Error::invalid(issues)) }
    }
}

fn rich_texts(collection: &Collection) -> impl Iterator<Item = &Field> {
    collection.fields.iter().filter(|field| is_rich_text(field))
}

fn is_rich_text(field: &Field) -> bool {
    field.kind.field_type() == FieldType::PortableText
}
