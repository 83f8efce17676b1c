//! Readers and writers of foreign content that speak in operations: what is imported obeys the rules of what is typed.

mod export;
mod journal;
mod line;
mod lines;
mod missing;
mod ndjson;

pub use export::{ExportError, export};
pub use journal::JournalError;
pub use ndjson::{Import, ImportError, OnConflict, Progress, Refused, Summary, import};
