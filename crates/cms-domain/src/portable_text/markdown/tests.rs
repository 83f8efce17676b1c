//! What is written in Markdown is read back, and what nobody touched stays as it was.

use std::collections::HashSet;

use proptest::{collection::vec, prelude::*, sample::select, test_runner::Config};
use serde_json::{Value, json};

use super::*;
use crate::{
    field::{
        findings::{Findings, Path},
        testing,
    },
    portable_text,
};

/// Letters that mean something in Markdown, and some that do not.
fn any_words() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => vec(select(vec!["a", "b c", " ", "\n", "*", "_", "**", "`", "```", "#", "# ", "1. ", "- ", "> ", "|", "[", "](", ")", "!", "<", "<b>", "</u>", "&amp;", "\\", "~~", "=", "---", "é", "👩‍👩‍👧", "日本", "\t", "\u{a0}", "[^1]", "http://x.y", "\"", ":", "+", "<!--", "\r", "  "]), 0..6).prop_map(|parts| parts.concat()),
        3 => select(vec!["Hello", "world", " and ", "snake_case", "2 * 3", "", "A line\nand another"]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

fn any_span() -> impl Strategy<Value = Value> {
    let marks = vec(select(vec!["strong", "em", "code", "underline", "strike-through", "subscript", "superscript", "l", "n"]), 0..3);
    let span = (any_words(), marks, any::<bool>(), select(vec!["s", "t", "u", ""])).prop_map(|(text, marks, says, key)| {
        let mut span = json!({ "_type": "span", "text": text });
        if says || !marks.is_empty() {
            span["marks"] = json!(marks);
        }
        if !key.is_empty() {
            span["_key"] = key.into();
        }
        span
    });
    prop_oneof![12 => span, 1 => Just(json!({ "_type": "mention", "user": 1 }))]
}

fn any_holder(spans: &'static str) -> impl Strategy<Value = Value> {
    let link = select(vec![
        json!({ "_type": "link", "_key": "l", "href": "https://example.org/a_b?c=1&d=(2)" }),
        json!({ "_type": "link", "_key": "l", "href": "/x y", "blank": true }),
        json!({ "_type": "link", "_key": "l", "href": "", "title": "A \"title\"" }),
        json!({ "_type": "footnote", "_key": "n", "text": "x" }),
    ]);
    (vec(any_span(), 0..5), vec(link, 0..3), any::<bool>()).prop_map(move |(children, links, says)| {
        let mut holder = json!({});
        if says || !links.is_empty() {
            holder["markDefs"] = json!(links);
        }
        holder[spans] = json!(children);
        holder
    })
}

fn any_text_block() -> impl Strategy<Value = Value> {
    let more = select(vec![
        ("style", json!("normal")),
        ("style", json!("h2")),
        ("style", json!("h6")),
        ("style", json!("blockquote")),
        ("listItem", json!("bullet")),
        ("listItem", json!("bullet")),
        ("listItem", json!("number")),
        ("listItem", json!("number")),
        ("level", json!(1)),
        ("level", json!(2)),
        ("level", json!(3)),
        ("listStart", json!(1)),
        ("listStart", json!(7)),
        ("listId", json!("x")),
        ("textAlign", json!("center")),
        ("_key", json!("a")),
        ("_key", json!("b")),
        ("custom", json!([1])),
    ]);
    (any_holder("children"), vec(more, 0..5)).prop_map(|(mut block, more)| {
        block["_type"] = "block".into();
        for (name, value) in more {
            block[name] = value;
        }
        block
    })
}

fn any_table() -> impl Strategy<Value = Value> {
    let cell = (any_holder("content"), any::<bool>(), any::<bool>()).prop_map(|(mut cell, typed, is_header)| {
        if typed {
            cell["_type"] = "tableCell".into();
        }
        if is_header {
            cell["isHeader"] = true.into();
        }
        cell
    });
    let cell = cell.boxed();
    let rows = (1_usize..3).prop_flat_map(move |width| vec(vec(cell.clone(), width), 1..3));
    (rows, any::<bool>()).prop_map(|(rows, header)| {
        let rows: Vec<_> = rows.into_iter().map(|cells| json!({ "_key": "r", "_type": "tableRow", "cells": cells })).collect();
        json!({ "_type": "table", "_key": "t", "hasHeaderRow": header, "rows": rows })
    })
}

fn any_other_block() -> impl Strategy<Value = Value> {
    let code = (any_words(), select(vec!["", "rust", "json:object", "a b", "`"])).prop_map(|(code, language)| {
        if language.is_empty() {
            json!({ "_type": "code", "code": code })
        } else {
            json!({ "_type": "code", "code": code, "language": language })
        }
    });
    let image = (any_words(), any_words(), select(vec!["https://example.org/a (1).png", "/x", ""]))
        .prop_map(|(alt, caption, url)| json!({ "_type": "image", "asset": { "url": url }, "alt": alt, "caption": caption }));
    prop_oneof![
        2 => code,
        1 => image,
        1 => any_words().prop_map(|html| json!({ "_type": "htmlBlock", "html": format!("<div>{html}</div>") })),
        1 => any_words().prop_map(|html| json!({ "_type": "htmlBlock", "html": html })),
        1 => select(vec![json!({ "_type": "break", "style": "lineBreak" }), json!({ "_type": "break" })]),
        2 => testing::any_block(),
        1 => testing::any_json().prop_map(|json| json!({ "_type": "hero", "_key": "h", "nested": json })),
    ]
}

/// Any value: what programs and imports store, with the mistakes that they make.
fn any_value() -> impl Strategy<Value = Vec<Value>> {
    vec(prop_oneof![5 => any_text_block(), 1 => any_table(), 2 => any_other_block()], 0..7)
}

/// Values as they are stored: whatever is missing was filled in, and what is wrong was refused.
fn any_stored() -> impl Strategy<Value = Vec<Value>> {
    any_value().prop_map(|blocks| {
        let kept = blocks.into_iter().enumerate().filter_map(|(n, mut block)| {
            if block["_key"].is_string() {
                block["_key"] = format!("b{n}").into();
            }
            checked(vec![block]).ok()
        });
        let kept: Vec<Value> = kept.flatten().collect();
        let mut seen = HashSet::new();
        kept.into_iter().filter(|block| seen.insert(block["_key"].to_string())).collect()
    })
}

fn checked(blocks: Vec<Value>) -> Result<Vec<Value>, Vec<Issue>> {
    let mut value = Value::Array(blocks);
    let mut findings = Findings::default();
    portable_text::check(&mut value, &Path::Root(""), &mut findings);
    findings.or(value.as_array().cloned().unwrap_or_default())
}

fn read_back(markdown: &str, stored: &[Value]) -> Vec<Value> {
    keep::reconcile(read::blocks(markdown).unwrap_or_else(|issues| panic!("{issues:?}\n{markdown}")), stored)
}

proptest! {
    #![proptest_config(Config::with_cases(400))]

    #[test]
    fn reading_and_writing_back_changes_nothing(blocks in any_value()) {
        let markdown = to_markdown(&blocks);
        // Both by the shortcut and without it; texts compare the order of members, too.
        prop_assert_eq!(json!(from_markdown(&markdown, &blocks).unwrap()).to_string(), json!(blocks).to_string());
        prop_assert_eq!(json!(read_back(&markdown, &blocks)).to_string(), json!(blocks).to_string(), "{}", markdown);
    }

    #[test]
    fn a_new_value_says_what_its_markdown_was_made_of(blocks in any_value()) {
        let new = from_markdown(&to_markdown(&blocks), &[]).unwrap();
        prop_assert_eq!(meaning::all(&new), meaning::all(&blocks));
    }

    #[test]
    fn a_changed_paragraph_changes_its_block_alone(before in any_stored(), after in any_stored(), words in "[a-z]{1,9}", more in "[a-z ]{0,9}[a-z]") {
        let paragraph = |text: &str| json!({ "_type": "block", "_key": "p", "children": [{ "_type": "span", "_key": "s", "text": text, "marks": [] }] });
        let unlike = |block: &Value| block["_key"] != "p" && meaning::of(block) != meaning::of(&paragraph(&words));
        let (before, after): (Vec<_>, Vec<_>) = (before.into_iter().filter(unlike).collect(), after.into_iter().filter(unlike).collect());
        let marked = "Q".to_owned() + &words + "Q";
        let stored: Vec<_> = before.iter().cloned().chain([paragraph(&marked)]).chain(after.iter().cloned()).collect();
        let markdown = to_markdown(&stored);
        prop_assume!(markdown.contains(&format!("\n{marked}\n")) || markdown.starts_with(&marked));
        let edited = from_markdown(&markdown.replacen(&marked, &format!("{marked} {more}"), 1), &stored).unwrap();
        let expected: Vec<_> = before.into_iter().chain([paragraph(&format!("{marked} {more}"))]).chain(after).collect();
        prop_assert_eq!(json!(edited).to_string(), json!(expected).to_string());
    }

    #[test]
    fn no_text_is_too_much(text in prop_oneof![any_words(), vec(any_words(), 0..12).prop_map(|words| words.join("\n")), "\\PC*"]) {
        if let Ok(blocks) = from_markdown(&text, &[]) {
            prop_assert_eq!(meaning::all(&from_markdown(&to_markdown(&blocks), &[]).unwrap()), meaning::all(&blocks));
        }
    }

    #[test]
    fn whatever_is_written_has_each_key_once(stored in any_stored(), other in any_stored()) {
        let mixed: Vec<_> = other.iter().zip(&stored).flat_map(|(one, other)| [one, other, one]).cloned().collect();
        let blocks = from_markdown(&to_markdown(&mixed), &stored).unwrap();
        prop_assert!(checked(blocks.clone()).is_ok(), "{:?}", checked(blocks));
    }
}

fn said(markdown: &str) -> Vec<Value> {
    read::blocks(markdown).unwrap_or_else(|issues| panic!("{markdown}: {issues:?}"))
}

#[test]
fn blocks_are_spelled_as_people_write_them() {
    let span = |text: &str, marks: &[&str]| json!({ "_type": "span", "text": text, "marks": marks });
    let block = |more: Value, spans: &[Value]| {
        let mut block = json!({ "_type": "block", "children": spans });
        block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        block
    };
    let item = |kind: &str, level: u8, text: &str| block(json!({ "listItem": kind, "level": level }), &[span(text, &[])]);
    let link = json!([{ "_type": "link", "_key": "l", "href": "https://example.org/" }]);
    let blank = json!([{ "_type": "link", "_key": "l", "href": "/a", "blank": true }]);
    let cell = |text: &str| json!({ "_type": "tableCell", "content": [span(text, &[])] });
    for (blocks, markdown) in [
        (vec![], ""),
        (vec![block(json!({ "style": "h2" }), &[span("Head", &[])])], "## Head\n"),
        (vec![block(json!({}), &[span("a ", &[]), span("b", &["strong"]), span(" ", &[]), span("c", &["em"])])], "a **b** _c_\n"),
        (vec![block(json!({}), &[span("a ", &["strong"]), span("b", &[])])], "<strong>a </strong>b\n"),
        (
            vec![block(json!({}), &[span("x", &["underline"]), span("2", &["superscript"]), span("let", &["code"])])],
            "<u>x</u><sup>2</sup>`let`\n",
        ),
        (vec![block(json!({}), &[span("a\nb", &[])])], "a\\\nb\n"),
        (vec![block(json!({ "markDefs": link }), &[span("a", &["l"])])], "[a](https://example.org/)\n"),
        (vec![block(json!({ "markDefs": blank }), &[span("a", &["l"])])], "<a href=\"/a\" target=\"_blank\">a</a>\n"),
        (vec![block(json!({ "style": "blockquote" }), &[span("q", &[])])], "> q\n"),
        (vec![block(json!({}), &[])], "<br>\n"),
        (
            vec![item("bullet", 1, "a"), item("number", 2, "b"), item("number", 2, "c"), item("bullet", 1, "d")],
            "- a\n  1. b\n  2. c\n- d\n",
        ),
        (vec![json!({ "_type": "code", "code": "let x;", "language": "rust" })], "```rust\nlet x;\n```\n"),
        (vec![json!({ "_type": "break", "style": "lineBreak" })], "---\n"),
        (vec![json!({ "_type": "image", "asset": { "url": "/a.png" }, "alt": "A tree" })], "![A tree](/a.png)\n"),
        (vec![json!({ "_type": "htmlBlock", "html": "<hr>" })], "<hr>\n"),
        (vec![json!({ "_type": "poll", "_key": "k" })], "```json:object\n{\n  \"_type\": \"poll\",\n  \"_key\": \"k\"\n}\n```\n"),
        (
            vec![
                json!({ "_type": "table", "hasHeaderRow": true, "rows": [{ "cells": [cell("a"), cell("b")] }, { "cells": [cell("1"), cell("2|3")] }] }),
            ],
            "|a|b|\n|-|-|\n|1|2\\|3|\n",
        ),
    ] {
        assert_eq!(to_markdown(&blocks), markdown);
        assert_eq!(meaning::all(&said(markdown)), meaning::all(&blocks), "{markdown}");
    }
}

#[test]
fn an_end_of_line_from_elsewhere_stays_in_a_value_that_has_one() {
    let image = json!({ "_type": "image", "asset": { "url": "/a.png" }, "alt": "A", "caption": "one\r\ntwo" });
    let markdown = to_markdown(std::slice::from_ref(&image));
    assert_eq!(meaning::all(&from_markdown(&markdown, &[]).unwrap()), meaning::all(&[image]));
}

#[test]
fn what_a_value_cannot_hold_is_refused_with_its_line() {
    for (markdown, problem) in [
        ("a\n\n> > b", "MARKDOWN_LOSSY line 3: a quotation within a quotation"),
        ("> - a", "MARKDOWN_LOSSY line 1: a list within a quotation"),
        ("> # a", "MARKDOWN_LOSSY line 1: a heading within a quotation"),
        ("- a\n\n  b", "MARKDOWN_LOSSY line 3: an item of a list holds one paragraph"),
        ("- a\n\n  ```\n  b\n  ```", "MARKDOWN_LOSSY line 3: code within a list"),
        ("a ![b](c)", "MARKDOWN_LOSSY line 1: a picture among words"),
        ("![b](c) a", "MARKDOWN_LOSSY line 1: a picture among words"),
        ("![a]()", "MARKDOWN_LOSSY line 1: a picture without an address"),
        ("[](/a)", "MARKDOWN_LOSSY line 1: a link without words"),
        ("a <span>b</span>", "MARKDOWN_LOSSY line 1: `<span>`"),
        ("a <!-- b -->", "MARKDOWN_LOSSY line 1: `<!-- b -->`"),
        ("a <u>b", "MARKDOWN_INVALID line 1: `<u>` is not closed"),
        ("a b</u>", "MARKDOWN_INVALID line 1: `</u>` closes nothing"),
        ("a[^1]\n\n[^1]: note", "MARKDOWN_LOSSY line 1: footnotes"),
        ("[^1]: note", "MARKDOWN_LOSSY line 1: footnotes"),
        ("a\n\n[b]: /c", "MARKDOWN_LOSSY line 3: nothing refers to the link definition `[b]`"),
        ("|a|\n|:-|\n|b|", "MARKDOWN_LOSSY line 1: the alignment of a column"),
        ("|a|\n|-|\n|b|c|", "MARKDOWN_LOSSY line 3: a row has 2 cells"),
        ("a\n\n```json:object\n{\n```", "MARKDOWN_INVALID line 3: the JSON in this fence"),
    ] {
        let issues = from_markdown(markdown, &[]).expect_err(markdown);
        let told = format!("{} {}", issues[0].code, issues[0].message);
        assert!(told.starts_with(problem), "{markdown}: {issues:?}");
    }
}

#[test]
fn what_else_people_write_is_read() {
    for (markdown, same) in [
        ("a\r\nb\r\n", "a b"),
        ("Head\n====", "# Head"),
        ("*a* __b__", "_a_ **b**"),
        ("[a][b]\n\n[b]: /c", "[a](/c)"),
        ("<https://example.org/>", "[https://example.org/](https://example.org/)"),
        ("a  \nb", "a\\\nb"),
        ("a<br/>b", "a\\\nb"),
        ("<b>a</b> <i>b</i> <del>c</del>", "**a** _b_ ~~c~~"),
        ("* a\n\n* b", "- a\n- b"),
        ("    code", "```\ncode\n```"),
        ("- [ ] task", "- \\[ \\] task"),
        ("snake_case_word", "snake\\_case\\_word"),
    ] {
        let markdown = markdown.replace("\r\n", "\n");
        assert_eq!(meaning::all(&said(&markdown)), meaning::all(&said(same)), "{markdown}");
    }
}

#[test]
fn a_moved_block_stays_itself_and_a_changed_one_keeps_its_key_and_those_of_its_words() {
    let span = |key: &str, text: &str, marks: &[&str]| json!({ "_type": "span", "_key": key, "text": text, "marks": marks });
    let block = |key: &str, spans: Value| json!({ "_type": "block", "_key": key, "children": spans, "markDefs": [{ "_type": "link", "_key": "l9", "href": "/a" }] });
    let one = block("a", json!([span("x", "One ", &[]), span("y", "link", &["l9"]), span("z", " end", &[])]));
    let two = block("b", json!([span("x", "Two", &["l9"])]));
    let stored = [one.clone(), two.clone()];
    assert_eq!(to_markdown(&stored), "One [link](/a) end\n\n[Two](/a)\n");
    assert_eq!(from_markdown("[Two](/a)\n\nOne [link](/a) end", &stored).unwrap(), [two.clone(), one]);
    let changed = block("a", json!([span("x", "First ", &[]), span("y", "link", &["l9"]), span("z", " end", &[])]));
    assert_eq!(from_markdown("First [link](/a) end\n\n[Two](/a)\n", &stored).unwrap(), [changed, two]);
}

#[test]
fn the_deepest_and_longest_texts_are_read_or_refused() {
    for text in [
        "> ".repeat(10_000),
        "- ".repeat(10_000),
        format!("{}a", "> ".repeat(100_000)),
        "[".repeat(50_000),
        "![".repeat(50_000),
        "*a ".repeat(50_000),
        "**a _b ".repeat(20_000),
        "<u>".repeat(20_000),
        "`".repeat(50_000),
        "a\n\n".repeat(20_000),
        "|".repeat(50_000),
        "|a|\n|-|\n".to_owned() + &"|b|c|\n".repeat(5_000),
    ] {
        drop(from_markdown(&text, &[]));
    }
    assert_eq!(from_markdown(&"a".repeat(MAX_MARKDOWN + 1), &[]).unwrap_err()[0].code, "TOO_LONG");
}
