//! What operations on collections and fields are told: the bounds of texts, and a field before it is one.

use cms_domain::{
    bounded::{Bounded, Whole},
    field::{FieldSpec, FieldType, Validation},
    slug::FieldSlug,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What to call something: more than 200 characters fit no menu.
pub type Label = Bounded<1, 200>;
/// What something is for, in a few paragraphs at most.
pub type Description = Bounded<0, 2000>;
/// Name of an icon or of a control, `plugin:widget` included.
pub type ShortName = Bounded<1, 100>;
/// A place in an order.
pub type Place = Whole<0, { i32::MAX }>;
/// A number of days, up to a century.
pub type Days = Whole<0, 36_500>;

/// An index over several fields, for lists that filter by the first ones and sort by the last one.
///
/// The last may also be a date of the entry: `updated_at` or `published_at`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Composite {
    /// The fields, in order: 2 to 4 different ones with single values.
    #[schemars(length(min = 2, max = 4))]
    pub fields: Vec<FieldSlug>,
}

/// A field to make.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewField {
    /// Its name in documents. Never changes.
    pub slug: FieldSlug,
    /// What to call it.
    pub label: Label,
    /// Its type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether an entry must have a value. Existing entries need one when they are next published.
    pub required: Option<bool>,
    /// Whether no two entries of a locale may have the same value.
    pub unique: Option<bool>,
    /// The value of new entries that give none.
    pub default_value: Option<Value>,
    /// Rules for values.
    pub validation: Option<Validation>,
    /// Which control the admin application shows.
    pub widget: Option<ShortName>,
    /// Options of the type and of the control. A reference reads `collection`, `allowMultiple` and `onDelete`.
    pub options: Option<Map<String, Value>>,
    /// Place among the fields; the last without.
    pub sort_order: Option<Place>,
    /// Whether full-text search finds the value.
    pub searchable: Option<bool>,
    /// Whether lists can filter and sort by the value.
    pub indexed: Option<bool>,
    /// Whether translations of an entry may differ in the value; they may unless this is false.
    pub translatable: Option<bool>,
}

impl NewField {
    pub(super) fn into_spec(self) -> FieldSpec {
        FieldSpec {
            slug: self.slug,
            label: self.label.into_string(),
            field_type: self.field_type,
            required: self.required.unwrap_or(false),
            unique: self.unique.unwrap_or(false),
            default_value: self.default_value,
            validation: self.validation.unwrap_or_default(),
            widget: self.widget.map(ShortName::into_string),
            options: self.options.unwrap_or_default(),
            searchable: self.searchable.unwrap_or(false),
            indexed: self.indexed.unwrap_or(false),
            translatable: self.translatable.unwrap_or(true),
        }
    }
}
