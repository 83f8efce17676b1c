//! Rich text as Markdown and back, without loss: what Markdown cannot say travels as JSON in a fence, and what nobody changed stays as it was stored.
//!
//! The dialect is CommonMark with GitHub's tables and strikethrough. Underlining, subscript and superscript are `<u>`, `<sub>` and `<sup>`; a link that opens
//! a page of its own is `<a href="…" target="_blank">`; a paragraph without words is `<br>`; a fence of the language `json:object` is any block at all.

mod inline;
mod keep;
mod meaning;
mod read;
mod tags;
mod write;

use pulldown_cmark::Options;
use serde_json::Value;

use crate::{issue::Issue, json};

/// What is read besides CommonMark. Footnotes are read to be refused: otherwise `[^1]: word` would define a link and be gone.
const DIALECT: Options = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_FOOTNOTES);

/// The language of a fence that holds a block as JSON. `@portabletext/markdown` writes and reads the same.
const FENCE: &str = "json:object";

/// The longest text that is read, in bytes: four times the longest text in a block.
pub const MAX_MARKDOWN: usize = 4 * crate::field::validate::MAX_TEXT;
/// The most blocks that are read. Each of them has eight values at least, so that more do not fit a request either.
pub const MAX_BLOCKS: usize = json::MAX_VALUES / 8;

/// A value of rich text as Markdown. Reading it back gives the same blocks apart from their keys; with the value at hand, the keys as well.
pub fn to_markdown(blocks: &[Value]) -> String {
    write::document(blocks)
}

/// The blocks of a text in Markdown, which was made of a stored value that is none when there is nothing yet.
///
/// Blocks that say what they said are the stored ones, members, order and keys included. One that stands where another stood has its key; all other new ones
/// have none, and get it when the value is checked. Whatever a value cannot hold is an issue that says in which line it is.
pub fn from_markdown(text: &str, stored: &[Value]) -> Result<Vec<Value>, Vec<Issue>> {
    if text.len() > MAX_MARKDOWN {
        let message = format!("has {} bytes of Markdown, {MAX_MARKDOWN} at most", text.len());
        return Err(vec![Issue::new("", "TOO_LONG", message)]);
    }
    if read::lines(text).trim_end() == to_markdown(stored).trim_end() {
        return Ok(stored.to_vec());
    }
    Ok(keep::reconcile(read::blocks(text)?, stored))
}

#[cfg(test)]
mod tests;
