//! Changes of a field's type: which of them keep the values that are stored.

use serde_json::Value;

use super::{FieldKind, keys, validate::check_value};
use crate::issue::Issue;

/// What a change of type asks of the stored values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retype {
    /// Nothing: every value of the old type is one of the new type.
    Free,
    /// Each must follow the rules of the new type ([`fits`]).
    CheckValues,
    /// They would have to become other values; that is not a change of type.
    Never,
}

/// Whether a field's values can become values of another type, as they are.
///
/// Other rules of the same type are no change of type: they hold from the next write on.
pub fn retype(from: &FieldKind, to: &FieldKind) -> Retype {
    use FieldKind as Kind;
    match (from, to) {
        (Kind::Reference(from), Kind::Reference(to)) if from.many != to.many => Retype::Never,
        _ if from.field_type() == to.field_type() => Retype::Free,
        (_, Kind::Json) | (Kind::Integer(_), Kind::Number(_)) | (Kind::Datetime(_), Kind::String(_) | Kind::Text(_) | Kind::Slug(_)) => {
            Retype::Free
        }
        (Kind::Json, _) | (Kind::Number(_), Kind::Integer(_)) | (Kind::Image(_), Kind::File(_)) | (Kind::File(_), Kind::Image(_)) => {
            Retype::CheckValues
        }
        _ if is_textual(from) && is_textual(to) => match to {
            Kind::Url(_) => Retype::CheckValues,
            Kind::Select(choices) if !choices.options.is_empty() => Retype::CheckValues,
            // A text may be longer than a line.
            _ if matches!(from, Kind::Text(_)) => Retype::CheckValues,
            _ => Retype::Free,
        },
        _ => Retype::Never,
    }
}

/// Whether a stored value can stay as it is under the rules of another type.
pub fn fits(kind: &FieldKind, value: &Value) -> Result<(), Vec<Issue>> {
    let canonical = check_value(kind, value.clone())?;
    let is_stored_so = match kind {
        // A whole number may be stored with a fraction of zero.
        FieldKind::Integer(_) => true,
        // Rows that were stored before there were keys have none.
        FieldKind::Repeater(_) => keys::without_made(canonical, value) == *value,
        _ => canonical == *value,
    };
    if is_stored_so {
        Ok(())
    } else {
        Err(vec![Issue::new("", "NOT_CANONICAL", format!("is not spelled as {} values are stored", kind.field_type().name()))])
    }
}

/// Whether values have the same sort keys under both types, so that an index stays as it is.
pub fn keeps_sort_keys(from: &FieldKind, to: &FieldKind) -> bool {
    let numeric = |kind: &FieldKind| matches!(kind, FieldKind::Number(_) | FieldKind::Integer(_));
    from.field_type() == to.field_type() || (is_textual(from) && is_textual(to)) || (numeric(from) && numeric(to))
}

fn is_textual(kind: &FieldKind) -> bool {
    matches!(kind, FieldKind::String(_) | FieldKind::Text(_) | FieldKind::Slug(_) | FieldKind::Url(_) | FieldKind::Select(_))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::field::{
        Field, FieldType,
        sort_key::encode_many,
        testing::{any_field, collection, references, ruled, spec},
        validate::check_value,
    };

    fn kind(field_type: FieldType) -> FieldKind {
        collection([spec("a", field_type)]).fields.remove(0).kind
    }

    /// Two kinds, and a value of the first.
    fn any_change() -> impl Strategy<Value = (Field, Field, Value)> {
        (any_field("a"), any_field("a")).prop_flat_map(|((from, values), (to, _))| {
            let field = |spec| collection([spec]).fields.remove(0);
            (Just(field(from)), Just(field(to)), values)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn a_free_change_keeps_every_value((from, to, value) in any_change()) {
            let free = from.kind.field_type() != to.kind.field_type() && retype(&from.kind, &to.kind) == Retype::Free;
            if free && let Ok(value) = check_value(&from.kind, value) {
                // Length, pattern and range hold from the next write on, as with a change of rules.
                let bare = kind(to.kind.field_type());
                prop_assert_eq!(fits(&bare, &value), Ok(()));
            }
        }

        #[test]
        fn an_index_that_is_kept_has_the_same_keys((from, to, value) in any_change()) {
            let kept = keeps_sort_keys(&from.kind, &to.kind) && retype(&from.kind, &to.kind) != Retype::Never;
            if kept && let Ok(value) = check_value(&from.kind, value) && fits(&to.kind, &value).is_ok() {
                prop_assert_eq!(encode_many(&from.kind, Some(&value)), encode_many(&to.kind, Some(&value)));
            }
        }
    }

    #[test]
    fn widening_is_free_and_narrowing_checks_values() {
        let change = |from, to| retype(&kind(from), &kind(to));
        assert_eq!(change(FieldType::String, FieldType::Text), Retype::Free);
        assert_eq!(change(FieldType::Text, FieldType::String), Retype::CheckValues);
        assert_eq!(change(FieldType::String, FieldType::Url), Retype::CheckValues);
        assert_eq!(change(FieldType::Integer, FieldType::Number), Retype::Free);
        assert_eq!(change(FieldType::Number, FieldType::Integer), Retype::CheckValues);
        assert_eq!(change(FieldType::Repeater, FieldType::Json), Retype::Free);
        assert_eq!(change(FieldType::Json, FieldType::PortableText), Retype::CheckValues);
        assert_eq!(change(FieldType::Image, FieldType::File), Retype::CheckValues);
        assert_eq!(change(FieldType::String, FieldType::Select), Retype::Free);
        for field_type in FieldType::ALL {
            assert_eq!(change(field_type, field_type), Retype::Free, "{field_type:?}");
        }
    }

    #[test]
    fn an_index_is_kept_where_both_types_sort_alike() {
        for (from, to, kept) in [
            (FieldType::Boolean, FieldType::Boolean, true),
            (FieldType::String, FieldType::Slug, true),
            (FieldType::Url, FieldType::Select, true),
            (FieldType::Integer, FieldType::Number, true),
            (FieldType::String, FieldType::Integer, false),
            (FieldType::Integer, FieldType::String, false),
            (FieldType::Datetime, FieldType::String, false),
            (FieldType::Json, FieldType::Integer, false),
        ] {
            assert_eq!(keeps_sort_keys(&kind(from), &kind(to)), kept, "{from:?} {to:?}");
        }
    }

    #[test]
    fn a_change_that_would_make_other_values_is_never_allowed() {
        let one = kind(FieldType::Reference);
        let many = collection([references("a")]).fields.remove(0).kind;
        assert_eq!(retype(&one, &many), Retype::Never);
        assert_eq!(retype(&many, &one), Retype::Never);
        assert_eq!(retype(&kind(FieldType::String), &kind(FieldType::Integer)), Retype::Never);
        assert_eq!(retype(&kind(FieldType::Boolean), &kind(FieldType::String)), Retype::Never);
    }

    #[test]
    fn an_instant_that_is_spelled_otherwise_does_not_fit() {
        let fits = |text| fits(&kind(FieldType::Datetime), &json!(text)).is_ok();
        assert!(fits("2027-01-01T00:00:00.000Z"));
        assert!(!fits("2027-01-01T00:00:00Z"));
    }

    #[test]
    fn rows_without_keys_fit_and_keys_that_say_nothing_do_not() {
        let fits = |rows| fits(&kind(FieldType::Repeater), &rows).is_ok();
        assert!(fits(json!([{ "name": "x" }, { "name": "x", "_key": "k" }])));
        assert!(!fits(json!([{ "name": "x", "_key": null }])));
        assert!(!fits(json!([{ "name": null }])));
    }

    #[test]
    fn a_closed_choice_checks_values() {
        let closed = collection([ruled("a", FieldType::Select, json!({ "options": ["x"] }))]).fields.remove(0).kind;
        assert_eq!(retype(&kind(FieldType::String), &closed), Retype::CheckValues);
        assert_eq!(retype(&closed, &kind(FieldType::String)), Retype::Free);
    }
}
