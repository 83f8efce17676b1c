//! Collections and values for tests, by hand and at random.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

use super::{Field, FieldSpec, FieldType, Validation};
use crate::{
    collection::{Collection, Index, IndexId, IndexState},
    id::{CollectionId, FieldId},
    time::Timestamp,
};

/// A field without rules.
pub(crate) fn spec(slug: &str, field_type: FieldType) -> FieldSpec {
    let validation = if field_type == FieldType::Repeater {
        rules(json!({ "subFields": [{ "slug": "name", "type": "string", "label": "Name" }] }))
    } else {
        Validation::default()
    };
    FieldSpec { validation, ..FieldSpec::new(slug.parse().unwrap(), field_type) }
}

/// A field with rules.
pub(crate) fn ruled(slug: &str, field_type: FieldType, validation: Value) -> FieldSpec {
    FieldSpec { validation: rules(validation), ..spec(slug, field_type) }
}

/// A field that must have a value.
pub(crate) fn required(spec: FieldSpec) -> FieldSpec {
    FieldSpec { required: true, ..spec }
}

/// A reference to several entries.
pub(crate) fn references(slug: &str) -> FieldSpec {
    FieldSpec { options: object(json!({ "allowMultiple": true })), ..spec(slug, FieldType::Reference) }
}

pub(crate) fn rules(validation: Value) -> Validation {
    serde_json::from_value(validation).unwrap()
}

pub(crate) fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

/// The collection `posts` with the given fields; those marked indexed have an index.
pub(crate) fn collection(specs: impl IntoIterator<Item = FieldSpec>) -> Collection {
    let at = Timestamp::from_milliseconds(0);
    let fields: Vec<Field> = specs
        .into_iter()
        .zip(1_u8..)
        .map(|(spec, n)| Field::new(FieldId::from_parts(0, n.into()), spec, n.into(), at, at).unwrap())
        .collect();
    let index = |(n, field): (i32, &Field)| Index { id: IndexId(n), fields: vec![field.slug.clone()], state: IndexState::Ready };
    Collection {
        edit_locking: false,
        indexes: (1..).zip(fields.iter().filter(|field| field.indexed)).map(index).collect(),
        fields,
        ..Collection::new(CollectionId::from_parts(0, 1), "posts".parse().unwrap(), at)
    }
}

/// Any JSON value, not deep and not long.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e12..1e12).prop_map(|number: f64| Value::from(number)),
        "[^\\x00]{0,8}".prop_map(Value::from),
        select(vec!["", "a", "block", "https://example.org/", "2027-01-31T09:30:00Z", "01ARZ3NDEKTSV4RRFFQ69G5FAV"]).prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((member_name(), inner), 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn member_name() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["_type", "_key", "id", "src", "name", "children", "text", "marks", "mimeType", "provider"]).prop_map(str::to_owned),
        "[a-z]{1,3}"
    ]
}

/// A field of any type with any rules that the type knows, and values for it: most of them nearly right.
pub(crate) fn any_field(slug: &'static str) -> impl Strategy<Value = (FieldSpec, BoxedStrategy<Value>)> {
    let kinds = select(FieldType::ALL.to_vec()).prop_flat_map(move |field_type| any_rules(slug, field_type));
    (kinds, any::<bool>()).prop_map(|((spec, values), required)| {
        let values = prop_oneof![8 => values, 1 => Just(Value::Null), 1 => any_json()].boxed();
        (FieldSpec { required, ..spec }, values)
    })
}

fn any_rules(slug: &'static str, field_type: FieldType) -> BoxedStrategy<(FieldSpec, BoxedStrategy<Value>)> {
    match field_type {
        FieldType::String | FieldType::Text | FieldType::Slug => text_rules(slug, field_type, "[a-c]{0,5}|.{0,6}".boxed()),
        FieldType::Url => text_rules(slug, field_type, any_address()),
        FieldType::Number | FieldType::Integer => {
            let bounds = option::of((-20..10, 0..20).prop_map(|(min, width)| json!({ "min": min, "max": min + width })));
            let values = prop_oneof![
                (-30..30).prop_map(Value::from),
                (-30.0..30.0).prop_map(|number: f64| Value::from(number)),
                (-30..30).prop_map(|number| Value::from(f64::from(number))),
                select(vec![json!(9_007_199_254_740_991_i64), json!(9_007_199_254_740_992_i64), json!(1e300), json!(-0.0)]),
            ];
            (bounds, Just(values.boxed())).prop_map(move |(bounds, values)| (with(slug, field_type, bounds), values)).boxed()
        }
        FieldType::Boolean => just(slug, field_type, any::<bool>().prop_map(Value::from).boxed()),
        FieldType::Datetime => just(slug, field_type, any_date_time()),
        FieldType::Select => {
            let options = select(vec![None, Some(json!({ "options": ["a", "b"] }))]);
            let values = "[a-c]{0,1}".prop_map(Value::from).boxed();
            options.prop_map(move |options| (with(slug, field_type, options), values.clone())).boxed()
        }
        FieldType::MultiSelect => {
            let items = select(vec![
                None,
                Some(json!({ "options": ["a", "b", "c"] })),
                Some(json!({ "minItems": 1, "maxItems": 2 })),
                Some(json!({ "options": ["a", "b"], "minItems": 1 })),
            ]);
            let values = vec("[a-d]", 0..4).prop_map(Value::from).boxed();
            items.prop_map(move |items| (with(slug, field_type, items), values.clone())).boxed()
        }
        FieldType::PortableText => just(slug, field_type, vec(any_block(), 0..4).prop_map(Value::from).boxed()),
        FieldType::Image | FieldType::File => {
            let types = select(vec![None, Some(json!({ "allowedMimeTypes": ["image/", "application/pdf"] }))]);
            types.prop_map(move |types| (with(slug, field_type, types), any_media())).boxed()
        }
        FieldType::Reference => {
            let id = || select(vec!["01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ", "81BX5ZZKBKACTAV9WEVGEMMVRZ", "x"]);
            let one = (spec(slug, field_type), id().prop_map(Value::from).boxed());
            let many = (references(slug), vec(id(), 0..3).prop_map(Value::from).boxed());
            prop_oneof![Just(one), Just(many)].boxed()
        }
        FieldType::Json => just(slug, field_type, any_json().boxed()),
        FieldType::Repeater => any_repeater(slug),
    }
}

fn with(slug: &str, field_type: FieldType, validation: Option<Value>) -> FieldSpec {
    validation.map_or_else(|| spec(slug, field_type), |validation| ruled(slug, field_type, validation))
}

fn just(slug: &str, field_type: FieldType, values: BoxedStrategy<Value>) -> BoxedStrategy<(FieldSpec, BoxedStrategy<Value>)> {
    Just((spec(slug, field_type), values)).boxed()
}

fn text_rules(slug: &'static str, field_type: FieldType, texts: BoxedStrategy<String>) -> BoxedStrategy<(FieldSpec, BoxedStrategy<Value>)> {
    let lengths = option::of((0_u32..3, 0_u32..5));
    let pattern = option::of(any_pattern());
    let values = texts.prop_map(Value::from).boxed();
    (lengths, pattern)
        .prop_map(move |(lengths, pattern)| {
            let mut validation = Map::new();
            if let Some((min, width)) = lengths {
                validation.insert("minLength".to_owned(), json!(min));
                validation.insert("maxLength".to_owned(), json!(min + width));
            }
            if let Some(pattern) = pattern {
                validation.insert("pattern".to_owned(), json!(pattern));
            }
            (ruled(slug, field_type, Value::Object(validation)), values.clone())
        })
        .boxed()
}

/// Expressions in the dialect of fields, some of which another dialect reads otherwise.
pub(crate) fn any_pattern() -> impl Strategy<Value = &'static str> {
    select(vec![
        "^[a-c]+$",
        "b",
        r"^\w*$",
        r"\d",
        r"\s",
        r"^\S*$",
        r"^\W?$",
        "^.$",
        r"[\w-]",
        "^(?P<x>a|b)+?$",
        r"\p{Lu}",
        r"[^\d]",
        "[[:alpha:]]",
        r"^[/.\]\[{}-]*$",
        "(?i)A",
        r"\bb\b",
        "[a-z&&[^b]]",
        r"\A.{0,3}\z",
        "a**",
        "^(?:a{2}|b{1,2}|c{0,})$",
        "é|ü",
        r"\p{Greek}",
        r"[^\W]",
    ])
}

/// Texts that are, or nearly are, addresses.
pub(crate) fn any_address() -> BoxedStrategy<String> {
    let scheme =
        select(vec!["http://", "https://", "HTTPS://", "mailto:", "tel:", "javascript:", "ftp://", "http:", "", "//", " https://"]);
    let rest = select(vec![
        "example.org",
        "example.org/a b",
        "a@b.example",
        "",
        "/",
        "[::1]/x",
        "a b",
        "ex\tample",
        "+41 44",
        "é.example/ü?q#f",
        "1.2.3.4.5",
        "\\x",
    ]);
    (scheme, rest).prop_map(|(scheme, rest)| format!("{scheme}{rest}")).boxed()
}

/// Texts that are, or nearly are, instants.
pub(crate) fn any_date_time() -> BoxedStrategy<Value> {
    let date = (1_u32..9999, 0_u32..14, 0_u32..33).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"));
    let leap = select(vec!["2000-02-29", "1900-02-29", "2024-02-29", "2023-02-29", "2100-02-29"]).prop_map(str::to_owned);
    let time = (0_u32..25, 0_u32..61, 0_u32..61).prop_map(|(hour, minute, second)| format!("{hour:02}:{minute:02}:{second:02}"));
    let fraction = select(vec!["", ".5", ".123456789", ".1234567890", "."]);
    let zone = select(vec!["Z", "z", "", "+02:00", "-00:00", "+23:59", "+24:00", "+0200", "-07:30"]);
    let separator = select(vec!["T", "T", "T", "t", " "]);
    (prop_oneof![3 => date, 1 => leap], separator, time, fraction, zone)
        .prop_map(|(date, separator, time, fraction, zone)| Value::from(format!("{date}{separator}{time}{fraction}{zone}")))
        .boxed()
}

fn any_media() -> BoxedStrategy<Value> {
    let member = prop_oneof![select(vec![
        ("id", json!("")),
        ("id", json!(1)),
        ("src", json!("https://example.org/a.png")),
        ("src", json!("/a.png")),
        ("src", json!("javascript:x")),
        ("provider", json!("local")),
        ("provider", json!("external")),
        ("provider", Value::Null),
        ("mimeType", json!("IMAGE/png")),
        ("mimeType", json!("text/html")),
        ("mimeType", json!("application/pdf")),
        ("mimeType", json!("application/pdfx")),
        ("mimeType", Value::Null),
        ("alt", Value::Null),
        ("alt", json!("A tree")),
        ("width", json!(640)),
        ("width", json!("640")),
        ("meta", json!({ "storageKey": "k" })),
        ("meta", json!([])),
        ("size", json!("big")),
        ("other", json!([null])),
    ])];
    vec(member, 0..4)
        .prop_map(|members| {
            let mut media = object(json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }));
            media.extend(members.into_iter().map(|(name, value)| (name.to_owned(), value)));
            Value::Object(media)
        })
        .boxed()
}

/// A block of rich text with up to two things wrong with it.
pub(crate) fn any_block() -> BoxedStrategy<Value> {
    let span = || json!({ "_type": "span", "_key": "s", "text": "Hello", "marks": ["strong"] });
    let blocks = select(vec![
        json!({ "_type": "block", "children": [span()] }),
        json!({ "_type": "block", "style": "h2", "children": [span(), { "_type": "mention", "user": 1 }], "markDefs": [] }),
        json!({ "_type": "block", "children": [{ "_type": "span", "text": "x", "marks": ["l"] }],
            "markDefs": [{ "_type": "link", "_key": "l", "href": "https://example.org/", "blank": true }] }),
        json!({ "_type": "image", "asset": { "_ref": "a", "url": "/x.png" }, "alt": null, "alignment": "wide" }),
        json!({ "_type": "gallery", "images": [{ "asset": { "_ref": "a" } }], "columns": 3 }),
        json!({ "_type": "code", "code": "let x", "language": "rust" }),
        json!({ "_type": "table", "hasHeaderRow": true, "rows": [{ "_type": "tableRow", "cells": [{ "content": [span()], "isHeader": true }] }] }),
        json!({ "_type": "embed", "url": "https://example.org/v" }),
        json!({ "_type": "break", "style": "lineBreak" }),
        json!({ "_type": "htmlBlock", "html": "<p>" }),
        json!({ "_type": "plugin", "anything": [1, { "_type": 2 }] }),
    ]);
    let changes = select(vec![
        ("_key", json!("k")),
        ("_key", json!(1)),
        ("_key", json!("")),
        ("_key", Value::Null),
        ("_type", json!("")),
        ("_type", Value::Null),
        ("style", json!("h7")),
        ("style", Value::Null),
        ("level", json!(0)),
        ("level", json!(2.0)),
        ("listItem", json!("bullet")),
        ("listStart", json!(1_i64 << 40)),
        ("textAlign", json!("middle")),
        ("children", json!([])),
        ("children", json!([{ "text": "no type" }])),
        ("children", json!([{ "_type": "span" }])),
        ("children", json!([{ "_type": "span", "text": "x", "marks": [1] }])),
        ("markDefs", json!([{ "_type": "link", "_key": "l", "href": "javascript:alert(1)" }])),
        ("markDefs", json!([{ "_type": "note", "_key": "l", "x": 1 }])),
        ("images", json!([1])),
        ("rows", json!([{ "cells": [{}] }])),
        ("columns", json!(1.5)),
        ("asset", json!("x")),
        ("code", json!(null)),
        ("url", json!(" data:x")),
        ("extra", json!({})),
    ]);
    (blocks, vec(changes, 0..3))
        .prop_map(|(mut block, changes)| {
            for (name, value) in changes {
                block[name] = value;
            }
            block
        })
        .boxed()
}

fn any_repeater(slug: &'static str) -> BoxedStrategy<(FieldSpec, BoxedStrategy<Value>)> {
    let spec = ruled(
        slug,
        FieldType::Repeater,
        json!({
            "minItems": 1,
            "maxItems": 3,
            "subFields": [
                { "slug": "name", "type": "string", "label": "Name", "required": true },
                { "slug": "size", "type": "integer", "label": "Size" },
                { "slug": "at", "type": "datetime", "label": "At" },
                { "slug": "kind", "type": "select", "label": "Kind", "options": ["a", "b"], "required": true },
                { "slug": "logo", "type": "image", "label": "Logo" }
            ]
        }),
    );
    let row = (
        option::of("[a-b]{0,2}".prop_map(Value::from)),
        option::of(prop_oneof![(0..3).prop_map(Value::from), Just(Value::Null), Just(json!("1"))]),
        option::of(any_date_time()),
        option::weighted(0.9, select(vec![json!("a"), json!("b"), json!("c"), Value::Null])),
        option::of(any_media()),
        option::of(select(vec![json!("k"), json!("l"), json!("x".repeat(129)), json!(""), json!(1), Value::Null])),
        option::weighted(0.1, Just(json!(1))),
    )
        .prop_map(|(name, size, at, kind, logo, key, other)| {
            let members = [("name", name), ("size", size), ("at", at), ("kind", kind), ("logo", logo), ("_key", key), ("other", other)];
            Value::Object(members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
        });
    Just((spec, vec(row, 0..4).prop_map(Value::from).boxed())).boxed()
}
