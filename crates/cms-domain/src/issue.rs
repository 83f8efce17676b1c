//! What is wrong with a piece of input: where, which rule, and in words.

use schemars::JsonSchema;
use serde::Serialize;

/// One problem in a request, with the path of the value that has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Issue {
    /// Path of the value: member names and array indexes joined by dots, as in `data.content.3.style`. Empty for the whole body.
    pub path: String,
    /// The rule that is broken, in stable upper-case words.
    pub code: String,
    /// What is wrong and what would be right.
    pub message: String,
}

impl Issue {
    /// A problem at a path.
    pub fn new(path: impl Into<String>, code: &str, message: impl Into<String>) -> Self {
        Self { path: path.into(), code: code.to_owned(), message: message.into() }
    }

    /// The same problem, its path below `parent`.
    #[must_use]
    pub fn under(mut self, parent: &str) -> Self {
        self.path = join(parent, &self.path);
        self
    }
}

/// Joins two paths; either may be empty.
pub fn join(parent: &str, child: &str) -> String {
    match (parent.is_empty(), child.is_empty()) {
        (true, _) => child.to_owned(),
        (_, true) => parent.to_owned(),
        _ => format!("{parent}.{child}"),
    }
}
