//! What an import has done so far, beside its file, so that a killed one goes on where it was.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use cms_domain::time::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Summary;

/// The version of the journal's form.
const FORMAT: u32 = 1;

/// The journal of one import.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Journal {
    format: u32,
    /// When the import began: part of the ids of lines that have none, so that a line keeps its id.
    pub(crate) started_at: Timestamp,
    /// How many lines are done, from the first.
    pub(crate) lines: u64,
    /// Where the first line begins that is not done.
    pub(crate) offset: u64,
    /// SHA-256 of the file up to there.
    pub(crate) sha256: String,
    /// What came of the lines that are done.
    pub(crate) summary: Summary,
    /// Lines that wait for entries that they refer to.
    pub(crate) postponed: Vec<Postponed>,
}

/// A line that waits for others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Postponed {
    /// Which line.
    pub(crate) line: u64,
    /// Where it begins.
    pub(crate) offset: u64,
    /// Whether its entry is made first without what it refers to, because that refers to the entry.
    pub(crate) apart: bool,
}

/// Why the journal of an import cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("cannot use the journal `{}`: {source}", .path.display())]
    File {
        /// The journal.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not a journal of this version.
    #[error("`{}` is not a journal that this version reads: remove it to begin anew", .0.display())]
    Unreadable(PathBuf),
    /// An import of the file did not end.
    #[error("an import of this file stopped after line {lines}: go on with `--resume`, or remove `{}` to begin anew", .path.display())]
    Unfinished {
        /// The journal.
        path: PathBuf,
        /// How many lines were done.
        lines: u64,
    },
    /// The file is not the one whose import stopped.
    #[error("the file has changed since its import stopped: remove `{}` to begin anew", .0.display())]
    Changed(PathBuf),
}

impl Journal {
    pub(crate) fn begin(now: Timestamp) -> Self {
        Self {
            format: FORMAT,
            started_at: now,
            lines: 0,
            offset: 0,
            sha256: String::new(),
            summary: Summary::default(),
            postponed: Vec::new(),
        }
    }

    /// Where the journal of a file is.
    pub(crate) fn path(file: &Path) -> PathBuf {
        let mut name = file.as_os_str().to_owned();
        name.push(".cms-import");
        name.into()
    }

    /// The journal, if there is one.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, JournalError> {
        let text = match fs::read(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(JournalError::File { path: path.to_owned(), source }),
        };
        match serde_json::from_slice::<Self>(&text) {
            Ok(journal) if journal.format == FORMAT => Ok(Some(journal)),
            _ => Err(JournalError::Unreadable(path.to_owned())),
        }
    }

    /// Writes the journal, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<(), JournalError> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let written = serde_json::to_vec(self).map_err(io::Error::from).and_then(|text| {
            let mut file = fs::File::create(&new)?;
            file.write_all(&text)?;
            fs::rename(&new, path)
        });
        written.map_err(|source| JournalError::File { path: path.to_owned(), source })
    }

    /// Removes the journal: the import has ended.
    pub(crate) fn remove(path: &Path) -> Result<(), JournalError> {
        match fs::remove_file(path) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(JournalError::File { path: path.to_owned(), source }),
            _ => Ok(()),
        }
    }
}
