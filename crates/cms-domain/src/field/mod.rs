//! Fields: what a collection's entries hold, and every rule about a value.

pub(crate) mod address;
pub mod convert;
pub mod filter;
pub(crate) mod findings;
pub mod infer;
pub mod json_schema;
mod keys;
mod kind;
pub(crate) mod media;
mod names;
mod pattern;
pub mod retype;
mod rule_reader;
mod rules;
pub(crate) mod shape;
pub mod sort_key;
#[cfg(test)]
pub(crate) mod testing;
mod valid_json;
pub mod validate;

pub(crate) use keys::KEY;
pub use kind::FieldKind;
pub use names::{FieldNames, FieldNamesError};
pub use pattern::Pattern;
pub use rules::{
    Choices, DatetimeRules, IntegerRules, ManyChoices, MediaRules, NumberRules, OnDelete, Rows, SubField, SubFieldType, Target, TextRules,
};
pub use valid_json::ValidJson;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::convert::Form;
use crate::{id::FieldId, issue::Issue, slug::FieldSlug, time::Timestamp};

/// The type of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum FieldType {
    /// One line of text.
    String,
    /// Several lines of text.
    Text,
    /// An address: http, https, mailto or tel.
    Url,
    /// A number (IEEE 754 double).
    Number,
    /// A whole number from -(2^53 - 1) to 2^53 - 1.
    Integer,
    /// True or false.
    Boolean,
    /// An instant.
    Datetime,
    /// One of a list of options.
    Select,
    /// Several of a list of options.
    MultiSelect,
    /// Rich text as Portable Text blocks.
    PortableText,
    /// An image.
    Image,
    /// A file.
    File,
    /// Another entry, or several.
    Reference,
    /// Any JSON value.
    Json,
    /// Text for an address.
    Slug,
    /// Rows of sub-fields.
    Repeater,
}

impl FieldType {
    /// Every type.
    pub const ALL: [Self; 16] = [
        Self::String,
        Self::Text,
        Self::Url,
        Self::Number,
        Self::Integer,
        Self::Boolean,
        Self::Datetime,
        Self::Select,
        Self::MultiSelect,
        Self::PortableText,
        Self::Image,
        Self::File,
        Self::Reference,
        Self::Json,
        Self::Slug,
        Self::Repeater,
    ];

    /// The type as the wire spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Text => "text",
            Self::Url => "url",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Datetime => "datetime",
            Self::Select => "select",
            Self::MultiSelect => "multiSelect",
            Self::PortableText => "portableText",
            Self::Image => "image",
            Self::File => "file",
            Self::Reference => "reference",
            Self::Json => "json",
            Self::Slug => "slug",
            Self::Repeater => "repeater",
        }
    }
}

/// Rules for a field's values. A rule that the field's type does not know is refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Validation {
    /// Least value of a number or an integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Greatest value of a number or an integer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Earliest instant of a datetime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_date: Option<Timestamp>,
    /// Latest instant of a datetime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_date: Option<Timestamp>,
    /// Least number of characters (Unicode scalar values) of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u32>,
    /// Greatest number of characters (Unicode scalar values) of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// Regular expression that a text must match somewhere; matched in linear time, so without look-around and back-references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Values to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
    /// Sub-fields of each row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sub_fields: Option<Vec<SubField>>,
    /// Least number of rows, choices or references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u32>,
    /// Greatest number of rows, choices or references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u32>,
    /// Media types that are allowed: `type/subtype`, or `type/` for all of a type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_mime_types: Option<Vec<String>>,
}

/// What a field is, before its rules were read.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldSpec {
    /// Its name.
    pub slug: FieldSlug,
    /// What to call it.
    pub label: String,
    /// Its type.
    pub field_type: FieldType,
    /// Whether an entry must have a value.
    pub required: bool,
    /// Whether no two entries of a locale may have the same value.
    pub unique: bool,
    /// The value of new entries that give none.
    pub default_value: Option<Value>,
    /// Rules for values.
    pub validation: Validation,
    /// Which control the admin application shows.
    pub widget: Option<String>,
    /// Options of the type and of the control. Read here: `collection`, `allowMultiple` and `onDelete` of a reference.
    pub options: Map<String, Value>,
    /// Whether full-text search finds the value.
    pub searchable: bool,
    /// Whether lists can filter and sort by the value.
    pub indexed: bool,
    /// Whether translations of an entry may differ in the value.
    pub translatable: bool,
}

impl FieldSpec {
    /// A field of a type, and nothing else asked of it.
    pub fn new(slug: FieldSlug, field_type: FieldType) -> Self {
        Self {
            label: infer::label(slug.as_str()),
            slug,
            field_type,
            required: false,
            unique: false,
            default_value: None,
            validation: Validation::default(),
            widget: None,
            options: Map::new(),
            searchable: false,
            indexed: false,
            translatable: true,
        }
    }
}

/// A field of a collection.
#[derive(Debug, Clone)]
pub struct Field {
    /// Identifies the field.
    pub id: FieldId,
    /// Its name, for everybody.
    pub slug: FieldSlug,
    /// Its name in stored documents, which nobody sees: the slug with which it was made, or one like it where another field had that. It stays when
    /// the field is renamed, so that no document has to be changed for that.
    pub stored_as: FieldSlug,
    /// What it was called before, the last name first; [`Field::MAX_FORMER`] at most.
    pub former: Vec<FieldSlug>,
    /// What it was while it had other types, the last one first. Each has another form, so that there are never more than there are forms.
    pub past: Vec<Past>,
    /// What to call it.
    pub label: String,
    /// Its type, with the rules for its values.
    pub kind: FieldKind,
    /// The rules as they were given.
    pub validation: Validation,
    /// Whether an entry must have a value.
    pub required: bool,
    /// Whether no two entries of a locale may have the same value.
    pub unique: bool,
    /// Where the values of a unique field are registered.
    pub register: Register,
    /// The value of new entries that give none.
    pub default_value: Option<Value>,
    /// Which control the admin application shows.
    pub widget: Option<String>,
    /// Options of the type and of the control.
    pub options: Map<String, Value>,
    /// Place among the fields.
    pub sort_order: i32,
    /// Whether full-text search finds the value.
    pub searchable: bool,
    /// Whether lists can filter and sort by the value.
    pub indexed: bool,
    /// Whether translations of an entry may differ in the value.
    pub translatable: bool,
    /// When the field was made.
    pub created_at: Timestamp,
    /// When the field last changed.
    pub updated_at: Timestamp,
}

/// What a field was before its type changed. Values that were stored then stay as they are, and are converted when somebody reads them, so that no document has
/// to be changed for a change of type, and the field can become again what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Past {
    /// The name of these values in stored documents.
    pub stored_as: FieldSlug,
    /// How they are stored.
    pub form: Form,
    /// When the field got another type.
    pub until: Timestamp,
}

/// The values that entries have in a unique field. Whoever writes an entry registers its values; those of entries that were there when the field came to
/// be unique are added bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Register {
    /// Identifies it: by the field's own id at first, by another one each time that the field becomes unique anew. What an earlier register has is never
    /// taken for what this one has.
    pub id: FieldId,
    /// Whether the values of every entry are there.
    pub complete: bool,
}

impl Register {
    /// That of a field that no entry has a value of.
    pub const fn of(field: FieldId) -> Self {
        Self { id: field, complete: true }
    }
}

impl Field {
    /// How many former names are kept: whoever still asks for an older one was away for very long.
    pub const MAX_FORMER: usize = 10;

    /// Reads a field's rules. All that is wrong with them is reported at once.
    pub fn new(id: FieldId, spec: FieldSpec, sort_order: i32, created_at: Timestamp, updated_at: Timestamp) -> Result<Self, Vec<Issue>> {
        let kind = FieldKind::new(spec.field_type, &spec.validation, &spec.options)?;
        let mut issues = Vec::new();
        if spec.indexed && !kind.is_indexable() {
            issues.push(Issue::new("indexed", "FIELD_NOT_INDEXABLE", format!("a {} field cannot be indexed", kind.field_type().name())));
        }
        if spec.unique && !kind.is_sortable() {
            issues.push(Issue::new("unique", "FIELD_NOT_INDEXABLE", format!("a {} field cannot be unique", kind.field_type().name())));
        }
        if spec.searchable && !kind.is_searchable() {
            issues.push(Issue::new(
                "searchable",
                "FIELD_NOT_SEARCHABLE",
                format!("a {} field has no text to search", kind.field_type().name()),
            ));
        }
        if !issues.is_empty() {
            return Err(issues);
        }
        Ok(Self {
            id,
            stored_as: spec.slug.clone(),
            former: Vec::new(),
            past: Vec::new(),
            slug: spec.slug,
            label: spec.label,
            kind,
            validation: spec.validation,
            required: spec.required,
            unique: spec.unique,
            register: Register::of(id),
            default_value: spec.default_value.filter(|value| !value.is_null()),
            widget: spec.widget,
            options: spec.options,
            sort_order,
            searchable: spec.searchable,
            indexed: spec.indexed,
            translatable: spec.translatable,
            created_at,
            updated_at,
        })
    }

    /// The names that stored documents may have for the field's value, each with the form that it has there: none for that of the type that the field has.
    /// A document has one of them.
    pub fn names(&self) -> impl Iterator<Item = (&FieldSlug, Option<Form>)> {
        std::iter::once((&self.stored_as, None)).chain(self.past.iter().map(|past| (&past.stored_as, Some(past.form))))
    }

    /// What is shown of a value that is stored in a form: none where it says nothing that the field can hold now.
    pub fn read(&self, form: Option<Form>, value: Value) -> Option<Value> {
        match form {
            None => Some(value),
            Some(form) => convert::convert(form, &self.kind, value),
        }
    }

    /// Has the field go on from another of itself with other values: those that are stored stay under the name that they have, and new ones get a name that is
    /// free, or the one that values of this type had before.
    pub fn follows(&mut self, before: &Self, free: FieldSlug, at: Timestamp) {
        let mut past = before.past.clone();
        let again = past.iter().position(|past| past.form == Form::of(&self.kind));
        self.stored_as = again.map_or(free, |place| past.remove(place).stored_as);
        past.insert(0, Past { stored_as: before.stored_as.clone(), form: Form::of(&before.kind), until: at });
        self.past = past;
    }

    /// Gives another field of the collection its new name in this one's options: in its `condition`, and as the `source` of a slug. Says whether it was there.
    pub(crate) fn rename_in_options(&mut self, from: &FieldSlug, to: &FieldSlug) -> bool {
        let mut named = Vec::new();
        for (option, value) in &mut self.options {
            match option.as_str() {
                "condition" => named.extend(value.get_mut("field")),
                "source" => named.push(value),
                _ => {}
            }
        }
        named.retain(|value| value.as_str() == Some(from.as_str()));
        let is_there = !named.is_empty();
        for value in named {
            *value = Value::String(to.to_string());
        }
        is_there
    }

    /// The field as it was specified, to be changed and read again.
    pub fn spec(&self) -> FieldSpec {
        FieldSpec {
            slug: self.slug.clone(),
            label: self.label.clone(),
            field_type: self.kind.field_type(),
            required: self.required,
            unique: self.unique,
            default_value: self.default_value.clone(),
            validation: self.validation.clone(),
            widget: self.widget.clone(),
            options: self.options.clone(),
            searchable: self.searchable,
            indexed: self.indexed,
            translatable: self.translatable,
        }
    }
}
