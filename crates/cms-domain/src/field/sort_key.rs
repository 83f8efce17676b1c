//! Sort keys: bytes that sort as values sort, so that order is decided here and is the same on every database.

use std::ops::Bound;

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

use super::FieldKind;
use crate::{
    collection::{Collection, Index},
    time::Timestamp,
};

/// The bytes by which a value is found and sorted.
///
/// No key is the beginning of another one, so that keys can be strung together and still sort as the tuple of their values sorts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortKey(Vec<u8>);

// Tags give the order across types. What follows a tag sorts within the type.
const NULL: u8 = 1;
const FALSE: u8 = 2;
const TRUE: u8 = 3;
const NUMBER: u8 = 4;
const TEXT: u8 = 5;

/// How many bytes of a text sort. Enough for titles; a key is carried by every index row.
const MAX_TEXT_BYTES: usize = 120;
/// What follows the last character of a text in its key, in bytes: the end mark, and the hash.
const BEHIND_TEXT: usize = END.len() + HASH;
/// How much of the hash of a text is in its key, in bytes.
const HASH: usize = 8;
/// Ends a text. A zero byte within the text is followed by `ESCAPED` instead, so that the end is recognized and sorts first.
const END: [u8; 2] = [0, 1];
const ESCAPED: [u8; 2] = [0, 2];

impl SortKey {
    /// The key of no value.
    pub fn null() -> Self {
        Self(vec![NULL])
    }

    /// A key as it was stored.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes, owned.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn boolean(value: bool) -> Self {
        Self(vec![if value { TRUE } else { FALSE }])
    }

    fn number(value: f64) -> Self {
        // IEEE 754 sorts as sign and magnitude: flipping all bits of negatives and the sign of the others makes bytes sort
        // as numbers do. Adding zero turns -0 into 0, which is the same number.
        let bits = (value + 0.0).to_bits();
        let sortable = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
        let mut bytes = vec![NUMBER];
        bytes.extend(sortable.to_be_bytes());
        Self(bytes)
    }

    fn text(value: &str) -> Self {
        let mut bytes = folded(value);
        // Case and what was cut off still count for equality. The hash must never change: it is stored.
        bytes.extend(&Sha256::digest(value)[..HASH]);
        Self(bytes)
    }

    /// Where the characters of a text are in its key, the first byte counted as 0: how many bytes are before and behind them.
    pub const AROUND_TEXT: (usize, usize) = (1, BEHIND_TEXT);

    /// Whether this is the key of a text in which `characters` are ([`characters`]).
    pub fn holds(&self, characters: &[u8]) -> bool {
        let (before, behind) = Self::AROUND_TEXT;
        let text = self.0.len().checked_sub(behind).and_then(|end| self.0.get(before..end)).filter(|_| self.0.first() == Some(&TEXT));
        text.is_some_and(|text| text.windows(characters.len().max(1)).any(|window| window == characters))
    }

    /// Only for milliseconds and safe integers, which are exact.
    #[expect(clippy::cast_precision_loss, reason = "no instant has more than 53 bits")]
    fn instant(value: Timestamp) -> Self {
        Self::number(value.milliseconds() as f64)
    }
}

/// A text's tag, its folded characters up to the cut, and the end mark: what range comparisons look at.
fn folded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len().min(MAX_TEXT_BYTES) + 16);
    bytes.push(TEXT);
    fold(text, &mut bytes);
    bytes.extend(END);
    bytes
}

/// Characters as they are in the key of a text that has them: without their case, and as far as a key knows a text.
pub fn characters(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    fold(text, &mut bytes);
    bytes
}

fn fold(text: &str, bytes: &mut Vec<u8>) {
    let mut left = MAX_TEXT_BYTES;
    // One character at a time, whatever stands beside it: what begins alike sorts together.
    for character in text.nfc().flat_map(char::to_lowercase) {
        let Some(rest) = left.checked_sub(character.len_utf8()) else { break };
        left = rest;
        if character == '\0' {
            bytes.extend(ESCAPED);
        } else {
            bytes.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

/// The key of a value. A value that is not of the kind sorts as no value.
pub fn encode(kind: &FieldKind, value: Option<&Value>) -> SortKey {
    let Some(value) = value else { return SortKey::null() };
    let key = match kind {
        FieldKind::String(_) | FieldKind::Text(_) | FieldKind::Url(_) | FieldKind::Slug(_) | FieldKind::Select(_) => {
            value.as_str().map(SortKey::text)
        }
        FieldKind::MultiSelect(_) | FieldKind::Reference(_) => value.as_str().map(SortKey::text),
        FieldKind::Number(_) | FieldKind::Integer(_) => value.as_f64().map(SortKey::number),
        FieldKind::Boolean => value.as_bool().map(SortKey::boolean),
        FieldKind::Datetime(_) => value.as_str().and_then(|text| text.parse().ok()).map(SortKey::instant),
        FieldKind::PortableText | FieldKind::Image(_) | FieldKind::File(_) | FieldKind::Json | FieldKind::Repeater(_) => None,
    };
    key.unwrap_or_else(SortKey::null)
}

/// The keys of a value that may hold several: one for each distinct element, and the null key when there is none.
pub fn encode_many(kind: &FieldKind, value: Option<&Value>) -> Vec<SortKey> {
    match value {
        Some(Value::Array(elements)) if !elements.is_empty() => {
            let mut keys: Vec<_> = elements.iter().map(|element| encode(kind, Some(element))).collect();
            keys.sort_unstable();
            keys.dedup();
            keys
        }
        _ => vec![encode(kind, value)],
    }
}

/// One key that sorts as the tuple of the keys sorts. A key of the first of them is a byte prefix of it.
pub fn composite(keys: &[SortKey]) -> SortKey {
    SortKey(keys.iter().flat_map(SortKey::as_bytes).copied().collect())
}

/// The keys under which an index finds a document: several for a field that holds several values, one for a composite.
pub fn index_keys(collection: &Collection, index: &Index, data: &Map<String, Value>) -> Vec<SortKey> {
    let value = |slug: &str| collection.field(slug).map(|field| (&field.kind, data.get(slug)));
    match index.keyed() {
        [field] => value(field.as_str()).map_or_else(|| vec![SortKey::null()], |(kind, value)| encode_many(kind, value)),
        fields => {
            let one = |slug: &str| value(slug).map_or_else(SortKey::null, |(kind, value)| encode(kind, value));
            vec![composite(&fields.iter().map(|field| one(field.as_str())).collect::<Vec<_>>())]
        }
    }
}

/// A range of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRange {
    /// Where it begins.
    pub lower: Bound<Vec<u8>>,
    /// Where it ends.
    pub upper: Bound<Vec<u8>>,
}

impl KeyRange {
    /// Exactly one key.
    pub fn exactly(key: SortKey) -> Self {
        Self { lower: Bound::Included(key.0.clone()), upper: Bound::Included(key.0) }
    }

    /// The keys of all texts.
    pub fn texts() -> Self {
        Self { lower: Bound::Included(vec![TEXT]), upper: Bound::Excluded(vec![TEXT + 1]) }
    }

    /// All keys that begin with a key: the composites whose first fields have these values.
    pub fn starting_with(prefix: &SortKey) -> Self {
        Self { lower: Bound::Included(prefix.0.clone()), upper: end_of(prefix) }
    }

    /// The range of composites whose first fields have the values of `prefix` and whose next field is in this range.
    #[must_use]
    pub fn within(&self, prefix: &SortKey) -> Self {
        let join = |bytes: &[u8]| [prefix.as_bytes(), bytes].concat();
        let lower = match &self.lower {
            Bound::Included(bytes) => Bound::Included(join(bytes)),
            Bound::Excluded(bytes) => Bound::Included(after(&join(bytes))),
            Bound::Unbounded => Bound::Included(prefix.0.clone()),
        };
        let upper = match &self.upper {
            Bound::Included(bytes) => Bound::Excluded(after(&join(bytes))),
            Bound::Excluded(bytes) => Bound::Excluded(join(bytes)),
            Bound::Unbounded => end_of(prefix),
        };
        Self { lower, upper }
    }

    /// The key, when the range is exactly one: an index can then give what it finds in the order of what follows the key.
    pub fn as_point(&self) -> Option<&[u8]> {
        match (&self.lower, &self.upper) {
            (Bound::Included(lower), Bound::Included(upper)) if lower == upper => Some(lower),
            _ => None,
        }
    }

    /// Whether a key is in the range.
    pub fn contains(&self, key: &SortKey) -> bool {
        use std::ops::RangeBounds;
        (self.lower.as_ref(), self.upper.as_ref()).contains(&key.0)
    }

    /// The keys of values that pass all comparisons; none when no value can. Bounds of text look at what sorts, and so not at case.
    pub(super) fn between(kind: &FieldKind, comparisons: &[(Comparison, Value)]) -> Option<Self> {
        let mut lower: Option<Vec<u8>> = None;
        let mut upper: Option<Vec<u8>> = None;
        for (comparison, operand) in comparisons {
            let key = encode(kind, Some(operand)).0;
            let compared = match (key[0], operand.as_str()) {
                (TEXT, Some(text)) => folded(text),
                _ => key,
            };
            lower.get_or_insert_with(|| vec![compared[0]]);
            upper.get_or_insert_with(|| vec![compared[0] + 1]);
            // Of two bounds the tighter counts.
            match comparison {
                Comparison::Greater => lower = lower.max(Some(after(&compared))),
                Comparison::GreaterOrEqual => lower = lower.max(Some(compared)),
                Comparison::Less => upper = upper.min(Some(compared)),
                Comparison::LessOrEqual => upper = upper.min(Some(after(&compared))),
            }
        }
        let (lower, upper) = (lower?, upper?);
        (lower < upper).then_some(Self { lower: Bound::Included(lower), upper: Bound::Excluded(upper) })
    }
}

/// A comparison of a range filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Above a value.
    Greater,
    /// A value or above.
    GreaterOrEqual,
    /// Below a value.
    Less,
    /// A value or below.
    LessOrEqual,
}

/// Where the keys end that begin with `prefix`.
fn end_of(prefix: &SortKey) -> Bound<Vec<u8>> {
    if prefix.0.is_empty() { Bound::Unbounded } else { Bound::Excluded(after(&prefix.0)) }
}

/// The first key after all that begin with `prefix`. No key begins with 255, so the last byte or one before it can grow.
fn after(prefix: &[u8]) -> Vec<u8> {
    let mut bytes = prefix.to_vec();
    while let Some(last) = bytes.pop() {
        if last < u8::MAX {
            bytes.push(last + 1);
            break;
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::{
        collection::{IndexId, IndexState},
        field::{
            DatetimeRules, FieldType, IntegerRules, ManyChoices, NumberRules, TextRules,
            filter::{FieldFilter, range_for},
            testing::{collection, object, references, spec},
        },
    };

    const NUMBER_KIND: FieldKind = FieldKind::Number(NumberRules { min: None, max: None });
    const TEXT_KIND: FieldKind = FieldKind::String(TextRules { min_length: None, max_length: None, pattern: None });

    fn key(kind: &FieldKind, value: &Value) -> SortKey {
        encode(kind, Some(value))
    }

    fn any_number() -> impl Strategy<Value = f64> {
        use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
        prop_oneof![POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO, (-5..5).prop_map(f64::from)]
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof!["[aAbB\\x00\\x01éÉ ]{0,4}", ".{0,30}", "[xX]{115,125}"]
    }

    /// Text that no key cuts.
    fn any_short_text() -> impl Strategy<Value = String> {
        prop_oneof!["[aAbB\\x00\\x01éÉ ]{0,4}", ".{0,8}"]
    }

    /// The key of a value of any type, or of none.
    fn any_keyed() -> impl Strategy<Value = SortKey> {
        prop_oneof![
            Just(SortKey::null()),
            any::<bool>().prop_map(SortKey::boolean),
            any_number().prop_map(SortKey::number),
            any_text().prop_map(|text| SortKey::text(&text)),
        ]
    }

    fn caseless(text: &str) -> String {
        text.nfc().flat_map(char::to_lowercase).collect()
    }

    proptest! {
        #[test]
        fn keys_of_numbers_sort_as_numbers(a in any_number(), b in any_number()) {
            let order = key(&NUMBER_KIND, &json!(a)).cmp(&key(&NUMBER_KIND, &json!(b)));
            prop_assert_eq!(Some(order), a.partial_cmp(&b));
        }

        #[test]
        fn keys_of_whole_numbers_sort_as_numbers(a in -IntegerRules::MAX_SAFE..=IntegerRules::MAX_SAFE, step in 0_i64..3) {
            let kind = FieldKind::Integer(IntegerRules::default());
            let b = (a + step).min(IntegerRules::MAX_SAFE);
            prop_assert_eq!(key(&kind, &json!(a)).cmp(&key(&kind, &json!(b))), a.cmp(&b));
        }

        #[test]
        fn keys_of_instants_sort_as_time_passes(a in any::<i64>(), step in 0_i64..3) {
            let kind = FieldKind::Datetime(DatetimeRules::default());
            let a = Timestamp::from_milliseconds(a);
            let b = Timestamp::from_milliseconds(a.milliseconds() + step);
            prop_assert_eq!(key(&kind, &json!(a)).cmp(&key(&kind, &json!(b))), a.cmp(&b));
        }

        #[test]
        fn keys_of_texts_sort_without_regard_to_case(a in any_short_text(), b in any_short_text()) {
            let order = caseless(&a).cmp(&caseless(&b));
            prop_assert!(order == Ordering::Equal || SortKey::text(&a).cmp(&SortKey::text(&b)) == order);
        }

        #[test]
        fn keys_of_texts_are_equal_only_when_the_texts_are(a in any_text(), b in any_text()) {
            prop_assert_eq!(SortKey::text(&a) == SortKey::text(&b), a == b);
        }

        #[test]
        fn null_sorts_before_every_value(key in any_keyed()) {
            prop_assert!(SortKey::null() <= key);
        }

        #[test]
        fn no_key_is_the_beginning_of_another(a in any_keyed(), b in any_keyed()) {
            prop_assert!(a == b || !b.as_bytes().starts_with(a.as_bytes()));
        }

        #[test]
        fn composites_sort_as_tuples(a in prop::array::uniform3(any_keyed()), b in prop::array::uniform3(any_keyed()), same in 0_usize..3) {
            let mut b = b;
            b[..same].clone_from_slice(&a[..same]);
            prop_assert_eq!(composite(&a).cmp(&composite(&b)), a.cmp(&b));
        }

        #[test]
        fn equality_on_the_first_fields_of_a_composite_is_a_prefix_scan(a in prop::array::uniform3(any_keyed()), b in prop::array::uniform3(any_keyed()), same in 0_usize..3) {
            let mut b = b;
            b[..same].clone_from_slice(&a[..same]);
            for n in 0..3 {
                prop_assert_eq!(KeyRange::starting_with(&composite(&a[..n])).contains(&composite(&b)), a[..n] == b[..n]);
            }
        }

        #[test]
        fn a_range_of_numbers_holds_the_numbers_between(value in any_number(), a in any_number(), b in any_number(), closed in any::<bool>()) {
            let filter = if closed {
                FieldFilter::Range(vec![(Comparison::GreaterOrEqual, json!(a)), (Comparison::LessOrEqual, json!(b))])
            } else {
                FieldFilter::Range(vec![(Comparison::Greater, json!(a)), (Comparison::Less, json!(b))])
            };
            let ranges = range_for(&NUMBER_KIND, &filter).unwrap();
            let found = ranges.iter().any(|range| range.contains(&SortKey::number(value)));
            prop_assert_eq!(found, if closed { a <= value && value <= b } else { a < value && value < b });
        }

        #[test]
        fn a_range_of_texts_compares_without_regard_to_case(value in any_short_text(), a in any_short_text(), b in any_short_text()) {
            let filter = FieldFilter::Range(vec![(Comparison::Greater, json!(a)), (Comparison::LessOrEqual, json!(b))]);
            let found = range_for(&TEXT_KIND, &filter).unwrap().iter().any(|range| range.contains(&SortKey::text(&value)));
            prop_assert_eq!(found, caseless(&a) < caseless(&value) && caseless(&value) <= caseless(&b));
        }

        #[test]
        fn a_range_within_a_composite_is_the_range_of_its_next_field(prefix in any_keyed(), other in any_keyed(), value in any_number(), last in any_keyed(), limit in any_number()) {
            let filter = FieldFilter::Range(vec![(Comparison::Greater, json!(limit))]);
            let range = range_for(&NUMBER_KIND, &filter).unwrap().remove(0).within(&prefix);
            prop_assert_eq!(range.contains(&composite(&[prefix.clone(), SortKey::number(value), last.clone()])), value > limit);
            prop_assert!(prefix == other || !range.contains(&composite(&[other, SortKey::number(value), last])));
        }
    }

    #[test]
    fn a_range_never_holds_null() {
        let filter = FieldFilter::Range(vec![(Comparison::Less, json!(5))]);
        assert!(!range_for(&NUMBER_KIND, &filter).unwrap()[0].contains(&SortKey::null()));
    }

    #[test]
    fn texts_that_differ_behind_the_cut_are_different_but_sort_as_one() {
        let [a, b] = ["a", "b"].map(|end| "x".repeat(MAX_TEXT_BYTES) + end);
        assert_ne!(SortKey::text(&a), SortKey::text(&b));
        let above = range_for(&TEXT_KIND, &FieldFilter::Range(vec![(Comparison::Greater, json!(a))])).unwrap();
        assert!(!above[0].contains(&SortKey::text(&b)));
        assert!(above[0].contains(&SortKey::text("y")));
    }

    #[test]
    fn contradicting_bounds_leave_no_range() {
        for lower in [Comparison::Greater, Comparison::GreaterOrEqual] {
            let filter = FieldFilter::Range(vec![(lower, json!(5)), (Comparison::Less, json!(5))]);
            assert_eq!(range_for(&NUMBER_KIND, &filter).unwrap(), []);
        }
    }

    #[test]
    fn bounds_of_text_do_not_mind_case() {
        for (comparison, held) in [(Comparison::Greater, false), (Comparison::GreaterOrEqual, true)] {
            for (bound, text) in [("a", "A"), ("A", "a")] {
                let range = range_for(&TEXT_KIND, &FieldFilter::Range(vec![(comparison, json!(bound))])).unwrap().remove(0);
                assert_eq!(range.contains(&SortKey::text(text)), held, "{text} against {bound}");
            }
        }
    }

    #[test]
    fn only_a_range_of_one_key_is_a_point() {
        let (one, two) = (SortKey::number(1.0), SortKey::number(2.0));
        let between = |lower: &SortKey, upper: &SortKey| KeyRange {
            lower: Bound::Included(lower.as_bytes().to_vec()),
            upper: Bound::Included(upper.as_bytes().to_vec()),
        };
        assert_eq!(KeyRange::exactly(one.clone()).as_point(), Some(one.as_bytes()));
        assert_eq!((between(&one, &two).as_point(), KeyRange::starting_with(&one).as_point()), (None, None));
    }

    #[test]
    fn a_key_is_stored_and_read_as_its_bytes() {
        let key = SortKey::text("a");
        assert_eq!(SortKey::from_bytes(key.clone().into_bytes()), key);
    }

    #[test]
    fn the_tighter_of_two_bounds_counts() {
        let filter = FieldFilter::Range(
            [(Comparison::Greater, 5), (Comparison::GreaterOrEqual, 5), (Comparison::Less, 9), (Comparison::LessOrEqual, 7)]
                .map(|(comparison, n)| (comparison, json!(n)))
                .to_vec(),
        );
        let range = range_for(&NUMBER_KIND, &filter).unwrap().remove(0);
        let held: Vec<_> = (4..10).filter(|n| range.contains(&SortKey::number(f64::from(*n)))).collect();
        assert_eq!(held, [6, 7]);
    }

    #[test]
    fn a_value_of_another_type_sorts_as_no_value() {
        for value in [json!("5"), json!([1]), json!({}), json!(true), json!(null)] {
            assert_eq!(key(&NUMBER_KIND, &value), SortKey::null(), "{value}");
        }
    }

    #[test]
    fn the_stored_form_of_keys_never_changes() {
        let hex = |key: SortKey| key.as_bytes().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
        insta::assert_snapshot!(hex(SortKey::null()), @"01");
        insta::assert_snapshot!(hex(SortKey::boolean(false)), @"02");
        insta::assert_snapshot!(hex(SortKey::boolean(true)), @"03");
        insta::assert_snapshot!(hex(SortKey::number(-1.5)), @"044007ffffffffffff");
        insta::assert_snapshot!(hex(SortKey::number(0.0)), @"048000000000000000");
        assert_eq!(SortKey::number(-0.0), SortKey::number(0.0));
        insta::assert_snapshot!(hex(SortKey::text("Über")), @"05c3bc626572000132b332a3e90d33f2");
    }

    #[test]
    fn a_field_with_several_values_has_a_key_for_each_distinct_one() {
        let kind = FieldKind::MultiSelect(ManyChoices::default());
        assert_eq!(encode_many(&kind, Some(&json!(["b", "a", "b"]))), [SortKey::text("a"), SortKey::text("b")]);
        assert_eq!(encode_many(&kind, Some(&json!([]))), [SortKey::null()]);
        assert_eq!(encode_many(&kind, None), [SortKey::null()]);
    }

    #[test]
    fn an_index_has_the_keys_of_its_fields() {
        let collection = collection([spec("price", FieldType::Number), references("tags")]);
        let index = |fields: &[&str]| Index {
            id: IndexId(1),
            fields: fields.iter().map(|slug| slug.parse().unwrap()).collect(),
            state: IndexState::Ready,
        };
        let data = object(json!({ "price": 3, "tags": ["x", "y"], "gone": 1 }));
        assert_eq!(index_keys(&collection, &index(&["price"]), &data), [SortKey::number(3.0)]);
        assert_eq!(index_keys(&collection, &index(&["tags"]), &data).len(), 2);
        assert_eq!(index_keys(&collection, &index(&["gone", "price"]), &data), [composite(&[SortKey::null(), SortKey::number(3.0)])]);
    }
}
