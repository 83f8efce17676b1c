//! Portable Text: rich text as a list of blocks. Known members are checked; blocks of unknown types are kept as they are.

mod blocks;
pub mod markdown;

use std::collections::HashSet;

use serde_json::Value;

use crate::field::{
    findings::{Findings, Path},
    shape::Shape,
};

/// Marks that need no definition.
const DECORATORS: [&str; 7] = ["strong", "em", "underline", "strike-through", "subscript", "superscript", "code"];

/// The shape of a document.
pub(crate) const DOCUMENT: Shape = Shape::Typed(blocks::BLOCKS);

/// Checks a document and fills in missing keys.
pub(crate) fn check(document: &mut Value, at: &Path<'_>, findings: &mut Findings) {
    DOCUMENT.check(document, at, findings);
    for (n, block) in document.as_array().into_iter().flatten().enumerate() {
        let here = at.element(n);
        match block.get("_type").and_then(Value::as_str) {
            Some("block") => check_marks(block, "children", &here, findings),
            Some("table") => check_cells(block, &here, findings),
            _ => {}
        }
    }
}

fn check_cells(table: &Value, at: &Path<'_>, findings: &mut Findings) {
    let rows_at = at.member("rows");
    for (r, row) in list(table, "rows").iter().enumerate() {
        let row_at = rows_at.element(r);
        let cells_at = row_at.member("cells");
        for (c, cell) in list(row, "cells").iter().enumerate() {
            check_marks(cell, "content", &cells_at.element(c), findings);
        }
    }
}

/// Each mark of a span is a decorator or the key of a definition beside the spans.
fn check_marks(holder: &Value, spans: &str, at: &Path<'_>, findings: &mut Findings) {
    let defined: HashSet<&str> = list(holder, "markDefs").iter().filter_map(|mark| mark.get("_key")?.as_str()).collect();
    let spans_at = at.member(spans);
    for (n, span) in list(holder, spans).iter().enumerate() {
        if span.get("_type").and_then(Value::as_str) != Some("span") {
            continue;
        }
        let span_at = spans_at.element(n);
        let marks_at = span_at.member("marks");
        for (m, mark) in list(span, "marks").iter().enumerate() {
            if let Some(mark) = mark.as_str()
                && !DECORATORS.contains(&mark)
                && !defined.contains(mark)
            {
                findings.report(
                    &marks_at.element(m),
                    "UNKNOWN_MARK",
                    format_args!("expected one of {}, or the `_key` of a definition in `markDefs`", DECORATORS.join(", ")),
                );
            }
        }
    }
}

fn list<'a>(object: &'a Value, member: &str) -> &'a [Value] {
    object.get(member).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::issue::Issue;

    fn checked(mut document: Value) -> Result<Value, Vec<Issue>> {
        let mut findings = Findings::default();
        check(&mut document, &Path::Root("text"), &mut findings);
        findings.or(document)
    }

    fn issues(document: Value) -> Vec<String> {
        checked(document).err().into_iter().flatten().map(|issue| format!("{} {}", issue.path, issue.code)).collect()
    }

    fn span(text: &str, marks: &[&str]) -> Value {
        json!({ "_type": "span", "_key": text, "text": text, "marks": marks })
    }

    #[test]
    fn a_document_that_is_in_order_stays_as_it_is() {
        let document = json!([
            { "_type": "block", "_key": "a", "style": "h2", "children": [span("x", &["em", "l"])],
              "markDefs": [{ "_key": "l", "_type": "link", "href": "/about#us", "blank": true }] },
            { "_type": "image", "_key": "b", "asset": { "_ref": "m", "custom": 1 }, "alt": "A tree" },
            { "_type": "table", "_key": "c", "rows": [{ "_key": "r", "cells": [{ "_key": "d", "content": [span("y", &["strong"])] }] }] }
        ]);
        assert_eq!(checked(document.clone()), Ok(document));
    }

    #[test]
    fn a_block_of_an_unknown_type_is_kept_as_it_is() {
        let document = json!([{ "_type": "poll", "_key": "a", "question": null, "style": "h9", "children": [{ "marks": [1] }] }]);
        assert_eq!(checked(document.clone()), Ok(document));
    }

    #[test]
    fn missing_keys_are_filled_in_and_the_same_each_time() {
        let document = json!([
            { "_type": "break" },
            { "_type": "break" },
            { "_type": "block", "_key": null, "children": [{ "_type": "span", "text": "x" }], "markDefs": [{ "_type": "link", "href": "#a" }] },
            { "_type": "table", "rows": [{ "cells": [{ "content": [{ "_type": "span", "text": "x" }] }] }] },
            { "_type": "gallery", "images": [{ "alt": "x" }, {}] }
        ]);
        let filled = checked(document.clone()).unwrap();
        assert_eq!(checked(document), Ok(filled.clone()));
        assert_eq!(checked(filled.clone()), Ok(filled.clone()));
        let keys: HashSet<_> = filled.as_array().unwrap().iter().map(|block| block["_key"].as_str().unwrap()).collect();
        assert_eq!(keys.len(), 5);
        for pointer in ["/2/children/0", "/2/markDefs/0", "/3/rows/0", "/3/rows/0/cells/0", "/3/rows/0/cells/0/content/0", "/4/images/1"] {
            assert!(filled.pointer(pointer).unwrap()["_key"].is_string(), "{pointer}");
        }
    }

    #[test]
    fn a_key_that_is_filled_in_is_not_one_that_is_there() {
        let made = checked(json!([{ "_type": "break" }])).unwrap()[0]["_key"].clone();
        let filled = checked(json!([{ "_type": "break" }, { "_type": "break", "_key": made }])).unwrap();
        assert_ne!(filled[0]["_key"], filled[1]["_key"]);
    }

    #[test]
    fn keys_are_unique_within_their_list() {
        let document = json!([
            { "_type": "block", "_key": "a", "children": [span("x", &[]), span("x", &[])] },
            { "_type": "break", "_key": "a" },
            { "_type": "break", "_key": 1 },
            { "_type": "break", "_key": "" }
        ]);
        assert_eq!(
            issues(document),
            ["text.0.children.1._key DUPLICATE", "text.1._key DUPLICATE", "text.2._key INVALID_TYPE", "text.3._key INVALID_KEY"]
        );
    }

    #[test]
    fn a_mark_is_a_decorator_or_defined_in_its_block() {
        let link = json!([{ "_key": "l", "_type": "link", "href": "https://example.org" }]);
        let document = json!([
            { "_type": "block", "children": [span("x", &["l", "strong"])], "markDefs": link },
            { "_type": "block", "children": [span("y", &["l", "blink"])] },
            { "_type": "table", "rows": [{ "cells": [{ "content": [span("z", &["l"])] }] }] }
        ]);
        assert_eq!(
            issues(document),
            [
                "text.1.children.0.marks.0 UNKNOWN_MARK",
                "text.1.children.0.marks.1 UNKNOWN_MARK",
                "text.2.rows.0.cells.0.content.0.marks.0 UNKNOWN_MARK"
            ]
        );
    }

    #[test]
    fn links_that_run_something_are_refused() {
        let link = |href: &str| json!([{ "_type": "block", "children": [], "markDefs": [{ "_type": "link", "href": href }] }]);
        for href in [
            "javascript:alert(1)",
            "JaVaScRiPt:x",
            "\u{1}javascript:x",
            "java\nscript:x",
            " javascript:x",
            "data:text/html,x",
            "vbscript:x",
        ] {
            assert_eq!(issues(link(href)), ["text.0.markDefs.0.href INVALID_URL"], "{href:?}");
        }
        for href in ["https://example.org/a b", "mailto:a@b.example", "tel:1", "/a", "#a", "?a", "a/b:c", "../a", "//example.org", ""] {
            assert_eq!(issues(link(href)), [""; 0], "{href:?}");
        }
    }

    #[test]
    fn a_block_says_what_it_is() {
        assert_eq!(
            issues(json!([{}, { "_type": "" }, { "_type": 1 }, 1, { "_type": "block" }, { "_type": "code" }])),
            [
                "text.0._type REQUIRED",
                "text.1._type REQUIRED",
                "text.2._type INVALID_TYPE",
                "text.3 INVALID_TYPE",
                "text.4.children REQUIRED",
                "text.5.code REQUIRED"
            ]
        );
    }
}
