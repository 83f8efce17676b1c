//! Dumps: every row that cannot be derived, of one moment, as lines of JSON that either database reads back.
//!
//! A dump is a folder with one `<table>.ndjson` for each table and a `manifest.json` that counts and hashes them. Rows come in the
//! order of their keys and values in one spelling, so that dumps of equal stores are equal, whichever database they are of.
//! What is derived (index, unique, reference and count rows, task states, edit locks, the outbox) is left out: the entries' rooms
//! rebuild it, and followers of a restored store begin anew. So is what does not outlive its moment: sessions, challenges, codes,
//! counts of limits, and files that a job reads or made. A restored site asks its people to sign in again, and jobs that were under way
//! are asked for again.
//!
//! Later programs read what earlier ones wrote. The manifest says which tables and columns a dump has; those that came later get what the
//! database gives them, as rows got it that were there when the tables grew. So tables and columns are only added here, at the end.

mod read;
mod table;
mod write;

use std::{io, path::PathBuf};

use serde::{Deserialize, Serialize};

pub use read::restore;
pub(crate) use table::Kind;
pub use write::{dump, summarize};

use crate::Error;

/// The version of this form. The first one did not name the columns.
const FORMAT: u32 = 2;
/// The name of the file that says what is in the others.
const MANIFEST: &str = "manifest.json";

/// What a dump holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The version of the form.
    pub format: u32,
    /// The migrations that the dumped store had, of those that the program knew: what newer programs added is not in the dump.
    pub migrations: Vec<String>,
    /// The tables, in the order in which they are read back.
    pub tables: Vec<TableSummary>,
}

/// What a dump holds of one table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TableSummary {
    /// The table.
    pub table: String,
    /// Its columns, as far as the dump has them.
    #[serde(default)]
    pub columns: Vec<String>,
    /// How many rows it has.
    pub rows: u64,
    /// SHA-256 of the lines, in hexadecimal digits.
    pub sha256: String,
}

/// Why a store could not be dumped or restored.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// The rows could not be read or written.
    #[error(transparent)]
    Store(#[from] Error),
    /// A file could not be read or written.
    #[error("cannot use {}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not what the dump was when it was written.
    #[error("{} is damaged: {problem}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A newer version of this program wrote the dump.
    #[error("the dump is of a newer version of this program, which knows {0}")]
    Newer(String),
    /// The store to restore into holds rows.
    #[error(
        "the database to restore into is not empty: the table {0} has rows. Name another one with `--database`, or stop the server and set \
         the file of the database aside"
    )]
    NotEmpty(&'static str),
}

#[cfg(test)]
mod tests;
