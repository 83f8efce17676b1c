//! The rules that a field's type holds its values to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FieldKind, Pattern};
use crate::{
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};

/// Rules for text.
#[derive(Debug, Clone, Default)]
pub struct TextRules {
    /// Least number of characters.
    pub min_length: Option<u32>,
    /// Greatest number of characters.
    pub max_length: Option<u32>,
    /// What the text must match somewhere.
    pub pattern: Option<Pattern>,
}

/// Rules for numbers.
#[derive(Debug, Clone, Copy, Default)]
pub struct NumberRules {
    /// Least value.
    pub min: Option<f64>,
    /// Greatest value.
    pub max: Option<f64>,
}

/// Rules for whole numbers.
#[derive(Debug, Clone, Copy)]
pub struct IntegerRules {
    /// Least value.
    pub min: i64,
    /// Greatest value.
    pub max: i64,
}

impl IntegerRules {
    /// The greatest whole number that every JSON reader keeps exact (RFC 8259, section 6): 2^53 - 1.
    pub const MAX_SAFE: i64 = (1 << 53) - 1;
}

impl Default for IntegerRules {
    fn default() -> Self {
        Self { min: -Self::MAX_SAFE, max: Self::MAX_SAFE }
    }
}

/// Rules for instants.
#[derive(Debug, Clone, Copy, Default)]
pub struct DatetimeRules {
    /// Earliest instant.
    pub min: Option<Timestamp>,
    /// Latest instant.
    pub max: Option<Timestamp>,
}

/// Options to choose one from.
#[derive(Debug, Clone, Default)]
pub struct Choices {
    /// The options; any text when there are none.
    pub options: Vec<String>,
}

/// Options to choose several from.
#[derive(Debug, Clone, Default)]
pub struct ManyChoices {
    /// The options; any texts when there are none.
    pub options: Vec<String>,
    /// Least number of choices.
    pub min_items: Option<u32>,
    /// Greatest number of choices.
    pub max_items: Option<u32>,
}

/// Rules for images and files.
#[derive(Debug, Clone, Default)]
pub struct MediaRules {
    /// Media types that are allowed: `type/subtype`, or `type/` for all of a type. All of them when there are none.
    pub allowed_mime_types: Vec<String>,
}

/// What becomes of a reference when the entry it points to is removed for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnDelete {
    /// The reference is taken out of the referring entries.
    #[default]
    Clear,
    /// The removal is refused while something refers to the entry.
    Restrict,
}

/// What a reference points to.
#[derive(Debug, Clone)]
pub struct Target {
    /// Collection of the entries; any when there is none.
    pub collection: Option<CollectionSlug>,
    /// Whether the value is a list of ids instead of one id.
    pub many: bool,
    /// What becomes of the reference when its target is removed.
    pub on_delete: OnDelete,
    /// Least number of references in a list.
    pub min_items: Option<u32>,
    /// Greatest number of references in a list.
    pub max_items: Option<u32>,
}

impl Target {
    /// The most references one value can hold. The reference's own bound for ordered children.
    pub const MAX_ITEMS: usize = 1000;
}

/// Rows of a repeater.
#[derive(Debug, Clone)]
pub struct Rows {
    /// What each row holds.
    pub sub_fields: Vec<SubField>,
    /// Least number of rows.
    pub min_items: Option<u32>,
    /// Greatest number of rows.
    pub max_items: Option<u32>,
}

/// A field of a repeater's rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub struct SubField {
    /// Its name in the rows.
    pub slug: FieldSlug,
    /// Its type; rows do not nest, and hold neither rich text nor references.
    #[serde(rename = "type")]
    pub sub_type: SubFieldType,
    /// What to call it.
    #[schemars(length(min = 1, max = 200))]
    pub label: String,
    /// Whether each row must have a value.
    #[serde(default)]
    pub required: bool,
    /// Values to choose from, for `select`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

/// The type of a sub-field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum SubFieldType {
    /// One line of text.
    String,
    /// Several lines of text.
    Text,
    /// An address.
    Url,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// An instant.
    Datetime,
    /// One of a list of options.
    Select,
    /// An image.
    Image,
}

impl SubField {
    /// The rules for the sub-field's values.
    pub fn kind(&self) -> FieldKind {
        match self.sub_type {
            SubFieldType::String => FieldKind::String(TextRules::default()),
            SubFieldType::Text => FieldKind::Text(TextRules::default()),
            SubFieldType::Url => FieldKind::Url(TextRules::default()),
            SubFieldType::Number => FieldKind::Number(NumberRules::default()),
            SubFieldType::Integer => FieldKind::Integer(IntegerRules::default()),
            SubFieldType::Boolean => FieldKind::Boolean,
            SubFieldType::Datetime => FieldKind::Datetime(DatetimeRules::default()),
            SubFieldType::Select => FieldKind::Select(Choices { options: self.options.clone().unwrap_or_default() }),
            SubFieldType::Image => FieldKind::Image(MediaRules::default()),
        }
    }
}
