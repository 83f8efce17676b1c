//! Text, and what of it browsers act on.

use std::borrow::Cow;

/// Elements that only HTML has, and others that a browser takes for the beginning of a page.
const OF_PAGES: &[&str] = &[
    "a", "article", "b", "base", "body", "br", "button", "details", "div", "embed", "font", "form", "frameset", "h1", "h2", "h3", "head",
    "html", "iframe", "img", "input", "link", "main", "marquee", "math", "meta", "nav", "object", "p", "script", "section", "span",
    "style", "table", "template", "textarea", "title", "ul", "video",
];

/// The media type of what begins with a tag, or with `#!`.
pub(super) fn markup(head: &[u8]) -> Option<&'static str> {
    let text = decoded(head);
    let text = text.trim_start_matches(|character: char| character.is_whitespace() || character.is_control() || character == '\u{feff}');
    if text.starts_with("#!") {
        return Some("application/x-sh");
    }
    if !text.starts_with('<') {
        return None;
    }
    let is_xml = begins(text, "<?xml");
    if (begins(text, "<?php") || begins(text, "<?=")) && !is_xml {
        return Some("application/x-httpd-php");
    }
    let Some(root) = root(text) else {
        // Nothing but comments and declarations so far: browsers take a comment or a doctype for the beginning of a page.
        return if is_xml { Some("application/xml") } else { begins(text, "<!").then_some("text/html") };
    };
    let (name, attributes) = root.split_at(root.find(|character: char| !is_of_name(character)).unwrap_or(root.len()));
    let local = name.rsplit_once(':').map_or(name, |(_, local)| local).to_ascii_lowercase();
    match &*local {
        "svg" => Some("image/svg+xml"),
        "html" if is_xml || attributes.contains("http://www.w3.org/1999/xhtml") => Some("application/xhtml+xml"),
        "" => None,
        local if OF_PAGES.contains(&local) => Some("text/html"),
        _ if has_doctype_of_html(text) => Some("text/html"),
        _ if is_xml || attributes.contains("xmlns") => Some("application/xml"),
        _ => None,
    }
}

/// Whether all of it is text: UTF-8, whose last character may be cut off, or UTF-16 with its mark, without characters that no text has.
pub(super) fn is_text(head: &[u8]) -> bool {
    let text = match head {
        [] => return false,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => decoded(head),
        _ => match std::str::from_utf8(head) {
            Ok(text) => Cow::Borrowed(text),
            // The rest is one character that is cut off.
            Err(error) if error.error_len().is_none() => decoded(&head[..error.valid_up_to()]),
            Err(_) => return false,
        },
    };
    !text.is_empty()
        && !text.chars().any(|character| {
            character == '\u{fffd}' || character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\u{c}' | '\u{1b}')
        })
}

fn decoded(head: &[u8]) -> Cow<'_, str> {
    let sixteen = |from: fn([u8; 2]) -> u16| {
        let units = head[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]]));
        Cow::Owned(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
    };
    match head {
        [0xff, 0xfe, ..] => sixteen(u16::from_le_bytes),
        [0xfe, 0xff, ..] => sixteen(u16::from_be_bytes),
        _ => String::from_utf8_lossy(head),
    }
}

/// What follows the first `<` of an element, after comments, declarations and instructions.
fn root(mut text: &str) -> Option<&str> {
    loop {
        text = &text[text.find('<')?..];
        let end = if text.starts_with("<!--") {
            text.find("-->")? + 3
        } else if text.starts_with("<?") {
            text.find("?>")? + 2
        } else if text.starts_with("<!") {
            end_of_doctype(text)?
        } else {
            return Some(&text[1..]);
        };
        text = &text[end..];
    }
}

/// Where a doctype ends: not within what is in its brackets.
fn end_of_doctype(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '>' if depth == 0 => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn has_doctype_of_html(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.find("<!doctype").is_some_and(|at| lower[at + "<!doctype".len()..].trim_start().starts_with("html"))
}

fn begins(text: &str, with: &str) -> bool {
    text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with))
}

fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, ':' | '_' | '-' | '.')
}
