//! Collects what is wrong with a value: where, by which rule, and never without end.

use std::fmt;

use crate::issue::Issue;

/// Where a value is, as a chain of steps on the stack: nothing is built unless there is something to report.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The beginning, which may be empty.
    Root(&'a str),
    /// A member of an object.
    Member(&'a Path<'a>, &'a str),
    /// An element of a list.
    Element(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// How much of a member's name a path shows. Names of real fields fit; a name of ten megabytes is not echoed.
    const MAX_NAME: usize = 64;

    pub(crate) fn member<'a>(&'a self, name: &'a str) -> Path<'a> {
        Path::Member(self, name)
    }

    pub(crate) fn element(&self, index: usize) -> Path<'_> {
        Path::Element(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = |f: &mut fmt::Formatter<'_>, parent: &Path<'_>| match parent {
            Path::Root("") => Ok(()),
            _ => write!(f, "{parent}."),
        };
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Member(parent, name) => {
                dot(f, parent)?;
                write!(f, "{name:.width$}", width = Self::MAX_NAME)
            }
            Self::Element(parent, index) => {
                dot(f, parent)?;
                write!(f, "{index}")
            }
        }
    }
}

/// The problems found so far.
#[derive(Default)]
pub(crate) struct Findings {
    issues: Vec<Issue>,
    left_out: usize,
}

impl Findings {
    /// The most problems that one answer tells. Nobody mends more by hand, and the answer stays small.
    pub(crate) const MAX_ISSUES: usize = 100;

    pub(crate) fn report(&mut self, at: &Path<'_>, code: &str, message: fmt::Arguments<'_>) {
        // One place is kept for saying that there are more.
        if self.is_full() {
            self.left_out += 1;
        } else {
            self.issues.push(Issue::new(at.to_string(), code, message.to_string()));
        }
    }

    /// Whether what else is found is only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.issues.len() >= Self::MAX_ISSUES - 1
    }

    /// The value, unless something was found.
    pub(crate) fn or<T>(mut self, value: T) -> Result<T, Vec<Issue>> {
        if self.left_out > 0 {
            self.issues.push(Issue::new("", "MORE_ISSUES", format!("{} more problems are not listed", self.left_out)));
        }
        if self.issues.is_empty() { Ok(value) } else { Err(self.issues) }
    }
}
