//! The sixteen types of field, each with the rules that apply to its values.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{FieldType, Pattern, Validation};
use crate::{
    issue::Issue,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};

/// A field's type with its rules, read once and trusted afterwards.
#[derive(Debug, Clone)]
pub enum FieldKind {
    /// One line of text.
    String(TextRules),
    /// Several lines of text.
    Text(TextRules),
    /// An address: http, https, mailto or tel.
    Url(TextRules),
    /// Text for an address.
    Slug(TextRules),
    /// A number.
    Number(NumberRules),
    /// A whole number.
    Integer(IntegerRules),
    /// True or false.
    Boolean,
    /// An instant.
    Datetime(DatetimeRules),
    /// One of a list of options; any text when the list is empty.
    Select(Choices),
    /// Several of a list of options; any texts when the list is empty.
    MultiSelect(ManyChoices),
    /// Rich text.
    PortableText,
    /// An image.
    Image(MediaRules),
    /// A file.
    File(MediaRules),
    /// Another entry, or several.
    Reference(Target),
    /// Any JSON value.
    Json,
    /// Rows of sub-fields.
    Repeater(Rows),
}

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

/// The most options a choice can have, the most sub-fields a row, and the most media types a rule: more is a table, not a form.
const MAX_OPTIONS: usize = 500;
const MAX_SUB_FIELDS: usize = 50;
const MAX_MIME_TYPES: usize = 64;

impl FieldKind {
    /// Reads the rules of a type. Reports every rule that is malformed, contradicts another or does not apply.
    pub fn new(field_type: FieldType, validation: &Validation, options: &Map<String, Value>) -> Result<Self, Vec<Issue>> {
        let mut rules = Rules { validation: validation.clone(), issues: Vec::new(), name: field_type.name() };
        let kind = match field_type {
            FieldType::String => Self::String(rules.text()),
            FieldType::Text => Self::Text(rules.text()),
            FieldType::Url => Self::Url(rules.text()),
            FieldType::Slug => Self::Slug(rules.text()),
            FieldType::Number => Self::Number(rules.number()),
            FieldType::Integer => Self::Integer(rules.integer()),
            FieldType::Boolean => Self::Boolean,
            FieldType::Datetime => Self::Datetime(rules.datetime()),
            FieldType::Select => Self::Select(Choices { options: rules.options() }),
            FieldType::MultiSelect => {
                let (min_items, max_items) = rules.items();
                Self::MultiSelect(ManyChoices { options: rules.options(), min_items, max_items })
            }
            FieldType::PortableText => Self::PortableText,
            FieldType::Image => Self::Image(rules.media()),
            FieldType::File => Self::File(rules.media()),
            FieldType::Reference => Self::Reference(rules.target(options)),
            FieldType::Json => Self::Json,
            FieldType::Repeater => Self::Repeater(rules.rows()),
        };
        rules.finish().map(|()| kind)
    }

    /// The type without its rules.
    pub fn field_type(&self) -> FieldType {
        match self {
            Self::String(_) => FieldType::String,
            Self::Text(_) => FieldType::Text,
            Self::Url(_) => FieldType::Url,
            Self::Slug(_) => FieldType::Slug,
            Self::Number(_) => FieldType::Number,
            Self::Integer(_) => FieldType::Integer,
            Self::Boolean => FieldType::Boolean,
            Self::Datetime(_) => FieldType::Datetime,
            Self::Select(_) => FieldType::Select,
            Self::MultiSelect(_) => FieldType::MultiSelect,
            Self::PortableText => FieldType::PortableText,
            Self::Image(_) => FieldType::Image,
            Self::File(_) => FieldType::File,
            Self::Reference(_) => FieldType::Reference,
            Self::Json => FieldType::Json,
            Self::Repeater(_) => FieldType::Repeater,
        }
    }

    /// Whether the value can name an entry: text of any length that is typed by hand.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::String(_) | Self::Text(_) | Self::Slug(_))
    }

    /// Whether lists can sort by the value: it is one scalar, short enough for a key.
    pub fn is_sortable(&self) -> bool {
        match self {
            Self::String(_)
            | Self::Url(_)
            | Self::Slug(_)
            | Self::Number(_)
            | Self::Integer(_)
            | Self::Boolean
            | Self::Datetime(_)
            | Self::Select(_) => true,
            Self::Reference(target) => !target.many,
            Self::Text(_) | Self::MultiSelect(_) | Self::PortableText | Self::Image(_) | Self::File(_) | Self::Json | Self::Repeater(_) => {
                false
            }
        }
    }

    /// Whether the field can be marked indexed. Lists can filter by several values at once, though not sort by them.
    pub fn is_indexable(&self) -> bool {
        self.is_sortable() || matches!(self, Self::MultiSelect(_) | Self::Reference(_))
    }

    /// Whether the value has text in it.
    pub fn is_searchable(&self) -> bool {
        matches!(
            self,
            Self::String(_)
                | Self::Text(_)
                | Self::Slug(_)
                | Self::Url(_)
                | Self::Select(_)
                | Self::MultiSelect(_)
                | Self::PortableText
                | Self::Repeater(_)
        )
    }
}

/// Rules on their way into a kind: what a type takes is removed, what is left over does not apply to it.
struct Rules {
    validation: Validation,
    issues: Vec<Issue>,
    name: &'static str,
}

impl Rules {
    fn issue(&mut self, rule: &str, message: String) {
        self.issues.push(Issue::new(format!("validation.{rule}"), "INVALID_RULE", message));
    }

    fn ordered<T: PartialOrd>(&mut self, min: Option<&T>, max: Option<&T>, rule: &str) {
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            self.issue(rule, "is below its minimum".to_owned());
        }
    }

    fn text(&mut self) -> TextRules {
        let (min_length, max_length) = (self.validation.min_length.take(), self.validation.max_length.take());
        self.ordered(min_length.as_ref(), max_length.as_ref(), "maxLength");
        let pattern = self.validation.pattern.take().and_then(|expression| match Pattern::new(&expression) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                self.issue("pattern", format!("is not a regular expression that can be matched in linear time: {error}"));
                None
            }
        });
        TextRules { min_length, max_length, pattern }
    }

    fn number(&mut self) -> NumberRules {
        let (min, max) = (self.validation.min.take(), self.validation.max.take());
        self.ordered(min.as_ref(), max.as_ref(), "max");
        NumberRules { min, max }
    }

    fn integer(&mut self) -> IntegerRules {
        let NumberRules { min, max } = self.number();
        let IntegerRules { min: least, max: greatest } = IntegerRules::default();
        // Fractions round inwards; bounds beyond the safe range change nothing.
        #[expect(clippy::cast_possible_truncation, reason = "clamped to 53 bits")]
        #[expect(clippy::cast_precision_loss, reason = "2^53 - 1 is exact")]
        let whole = |bound: f64| bound.clamp(least as f64, greatest as f64) as i64;
        IntegerRules { min: min.map_or(least, |min| whole(min.ceil())), max: max.map_or(greatest, |max| whole(max.floor())) }
    }

    fn datetime(&mut self) -> DatetimeRules {
        let (min, max) = (self.validation.min_date.take(), self.validation.max_date.take());
        self.ordered(min.as_ref(), max.as_ref(), "maxDate");
        DatetimeRules { min, max }
    }

    fn options(&mut self) -> Vec<String> {
        let options = self.validation.options.take().unwrap_or_default();
        if options.len() > MAX_OPTIONS {
            self.issue("options", format!("has {} options, {MAX_OPTIONS} at most", options.len()));
        }
        if options.iter().enumerate().any(|(n, option)| options[..n].contains(option)) {
            self.issue("options", "names an option twice".to_owned());
        }
        if options.iter().any(|option| option.is_empty() || option.len() > 200) {
            self.issue("options", "an option has 1 to 200 bytes".to_owned());
        }
        options
    }

    fn items(&mut self) -> (Option<u32>, Option<u32>) {
        let (min, max) = (self.validation.min_items.take(), self.validation.max_items.take());
        self.ordered(min.as_ref(), max.as_ref(), "maxItems");
        (min, max)
    }

    fn media(&mut self) -> MediaRules {
        let allowed_mime_types = self.validation.allowed_mime_types.take().unwrap_or_default();
        if allowed_mime_types.len() > MAX_MIME_TYPES {
            self.issue("allowedMimeTypes", format!("has {} types, {MAX_MIME_TYPES} at most", allowed_mime_types.len()));
        }
        for (n, mime) in allowed_mime_types.iter().enumerate() {
            let part =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte));
            if !mime.split_once('/').is_some_and(|(kind, subtype)| part(kind) && (subtype.is_empty() || part(subtype))) {
                self.issue(&format!("allowedMimeTypes.{n}"), "is neither `type/subtype` nor `type/`".to_owned());
            }
        }
        MediaRules { allowed_mime_types: allowed_mime_types.into_iter().map(|mime| mime.to_ascii_lowercase()).collect() }
    }

    fn target(&mut self, options: &Map<String, Value>) -> Target {
        let mut option = |name: &str, expected: &str| {
            self.issues.push(Issue::new(format!("options.{name}"), "INVALID_OPTION", format!("expected {expected}")));
        };
        let collection = match options.get("collection") {
            None | Some(Value::Null) => None,
            Some(value) => {
                let slug = value.as_str().and_then(|slug| slug.parse().ok());
                if slug.is_none() {
                    option("collection", "the slug of a collection");
                }
                slug
            }
        };
        let many = match options.get("allowMultiple") {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => {
                option("allowMultiple", "true or false");
                false
            }
        };
        let on_delete = match options.get("onDelete").map(OnDelete::deserialize) {
            None => OnDelete::default(),
            Some(Ok(on_delete)) => on_delete,
            Some(Err(_)) => {
                option("onDelete", "`clear` or `restrict`");
                OnDelete::default()
            }
        };
        let (min_items, max_items) = if many { self.items() } else { (None, None) };
        Target { collection, many, on_delete, min_items, max_items }
    }

    fn rows(&mut self) -> Rows {
        let (min_items, max_items) = self.items();
        let sub_fields = self.validation.sub_fields.take().unwrap_or_default();
        if sub_fields.is_empty() || sub_fields.len() > MAX_SUB_FIELDS {
            self.issue("subFields", format!("a repeater has 1 to {MAX_SUB_FIELDS} sub-fields"));
        }
        for (n, sub_field) in sub_fields.iter().enumerate() {
            if sub_fields[..n].iter().any(|earlier| earlier.slug == sub_field.slug) {
                self.issue(&format!("subFields.{n}.slug"), "is the slug of an earlier sub-field".to_owned());
            }
            if sub_field.label.is_empty() {
                self.issue(&format!("subFields.{n}.label"), "is empty".to_owned());
            }
        }
        Rows { sub_fields, min_items, max_items }
    }

    /// Whatever no type took does not apply.
    fn finish(mut self) -> Result<(), Vec<Issue>> {
        let Validation {
            min,
            max,
            min_date,
            max_date,
            min_length,
            max_length,
            pattern,
            options,
            sub_fields,
            min_items,
            max_items,
            allowed_mime_types,
        } = &self.validation;
        let leftovers = [
            ("min", min.is_some()),
            ("max", max.is_some()),
            ("minDate", min_date.is_some()),
            ("maxDate", max_date.is_some()),
            ("minLength", min_length.is_some()),
            ("maxLength", max_length.is_some()),
            ("pattern", pattern.is_some()),
            ("options", options.is_some()),
            ("subFields", sub_fields.is_some()),
            ("minItems", min_items.is_some()),
            ("maxItems", max_items.is_some()),
            ("allowedMimeTypes", allowed_mime_types.is_some()),
        ];
        for (rule, left) in leftovers {
            if left {
                self.issue(rule, format!("does not apply to a {} field", self.name));
            }
        }
        if self.issues.is_empty() { Ok(()) } else { Err(self.issues) }
    }
}
