//! The sixteen types of field, each with the rules that apply to its values.

use serde_json::{Map, Value};

use super::{
    Choices, DatetimeRules, FieldType, IntegerRules, ManyChoices, MediaRules, NumberRules, Rows, Target, TextRules, Validation,
    rule_reader::RuleReader,
};
use crate::issue::Issue;

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

impl FieldKind {
    /// Reads the rules of a type. Reports every rule that is malformed, contradicts another or does not apply.
    pub fn new(field_type: FieldType, validation: &Validation, options: &Map<String, Value>) -> Result<Self, Vec<Issue>> {
        let mut rules = RuleReader::new(field_type, validation);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::testing::{collection, references, spec};

    #[test]
    fn each_type_is_sorted_filtered_and_searched_by_as_its_line_says() {
        let told = |kind: &FieldKind| {
            let words = [
                ("text", kind.is_text()),
                ("sorted", kind.is_sortable()),
                ("indexed", kind.is_indexable()),
                ("searched", kind.is_searchable()),
            ];
            words.into_iter().filter_map(|(word, is)| is.then_some(word)).collect::<Vec<_>>().join(" ")
        };
        for (field_type, expected) in [
            (FieldType::String, "text sorted indexed searched"),
            (FieldType::Text, "text searched"),
            (FieldType::Url, "sorted indexed searched"),
            (FieldType::Number, "sorted indexed"),
            (FieldType::Integer, "sorted indexed"),
            (FieldType::Boolean, "sorted indexed"),
            (FieldType::Datetime, "sorted indexed"),
            (FieldType::Select, "sorted indexed searched"),
            (FieldType::MultiSelect, "indexed searched"),
            (FieldType::PortableText, "searched"),
            (FieldType::Image, ""),
            (FieldType::File, ""),
            (FieldType::Reference, "sorted indexed"),
            (FieldType::Json, ""),
            (FieldType::Slug, "text sorted indexed searched"),
            (FieldType::Repeater, "searched"),
        ] {
            assert_eq!(told(&collection([spec("a", field_type)]).fields[0].kind), expected, "{field_type:?}");
        }
        assert_eq!(told(&collection([references("a")]).fields[0].kind), "indexed");
    }
}
