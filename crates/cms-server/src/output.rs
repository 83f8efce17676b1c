//! What commands say: results on the standard output, as text or as JSON; everything else on the standard error output.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;

/// As much of a value or a title as stands in a line among others, in characters.
const SHOWN: usize = 60;

/// Where and how a command answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// Whether programs read it.
    pub(crate) json: bool,
}

impl Output {
    /// The answer: as one line of JSON, or as `human` words it.
    pub(crate) fn answer(self, value: &impl Serialize, human: impl FnOnce() -> String) -> io::Result<()> {
        let text = if self.json { serde_json::to_string(value)? } else { human() };
        self.text(&text)
    }

    /// Text as it is, with a line end.
    #[expect(clippy::unused_self, reason = "what is printed goes through the one that knows how")]
    pub(crate) fn text(self, text: &str) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    }

    /// A remark for a person; programs do not get it.
    pub(crate) fn remark(self, text: &str) {
        if !self.json {
            // Whoever closed the error output does not want remarks.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }

    /// Whether a person is watching.
    pub(crate) fn is_watched(self) -> bool {
        !self.json && io::stderr().is_terminal()
    }
}

/// A member of an answer as text; nothing where it is none.
pub(crate) fn text<'v>(of: &'v Value, member: &str) -> &'v str {
    of[member].as_str().unwrap_or_default()
}

/// What a page has.
pub(crate) fn items(page: &Value) -> &[Value] {
    page["items"].as_array().map_or(&[], Vec::as_slice)
}

/// Rows below each other, with what each column is called above them.
pub(crate) fn table(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<_> = cells.zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(&mut head.iter().copied())];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines.join("\n")
}

/// A value that changes, as much of it as a line holds.
pub(crate) fn changed(name: &str, from: &Value, to: &Value) -> String {
    format!("{name}: {} → {}", short(&from.to_string()), short(&to.to_string()))
}

/// As much of a text as stands in a line among others.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The problems of an input, a line each, below what went before.
pub(crate) fn listed(issues: &[Value]) -> String {
    let member = |issue: &Value, name: &str| issue[name].as_str().unwrap_or_default().to_owned();
    issues.iter().map(|issue| format!("\n  {}: {}", member(issue, "path"), member(issue, "message"))).collect::<Vec<_>>().concat()
}
