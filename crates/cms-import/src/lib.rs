//! Content of a headless CMS in and out of files.
//!
//! A file has an entry on each line, as JSON. What is imported goes through the operations that everybody uses, so it obeys the rules that typed content
//! obeys: a line that an editor could not have saved is refused, and reported with its number and every reason, while the others go on. An import that was stopped
//! goes on where it was.
//!
//! ```
//! use cms_core::{Door, Options, content::schema::create_collection::CreateCollection};
//! use cms_domain::access::Actor;
//! use cms_import::{Import, Progress, export, import};
//! # use cms_core::testing::TestStore;
//! use serde_json::json;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = TestStore::sqlite().await?;
//! # let folder = tempfile::tempdir()?;
//! let cms = cms_core::open(store.store().clone(), Options::default());
//! let title = json!({ "slug": "title", "label": "Title", "type": "string" });
//! let posts = json!({ "slug": "posts", "label": "Posts", "fields": [title] });
//! let posts: CreateCollection = cms.read(posts.as_object().cloned().unwrap_or_default())?;
//! cms.invoke(&Actor::System, Door::Local, posts).await?;
//!
//! let file = folder.path().join("posts.ndjson");
//! let good = json!({ "collection": "posts", "data": { "title": "One" } });
//! let bad = json!({ "collection": "posts", "data": { "title": 2 } });
//! std::fs::write(&file, format!("{good}\n{bad}\n"))?;
//! let mut refused = Vec::new();
//! let summary = import(&cms, &file, &Import::default(), |progress| {
//!     if let Progress::Refused(line) = progress {
//!         refused.push(line.line);
//!     }
//! })
//! .await?;
//! assert_eq!((summary.imported, summary.failed, refused), (1, 1, vec![2]));
//!
//! // And out again, in the form that import reads.
//! let mut lines = Vec::new();
//! assert_eq!(export(&cms, &["posts".parse()?], &mut lines, |_| {}).await?, 1);
//! # Ok(())
//! # }
//! ```
//!
//! # Where to go on
//!
//! - [`Import`]: what to do about entries that are there already, and about members that nobody knows.
//! - [`Progress`] and [`Refused`]: what is reported on the way.
//! - [`export`](export()): drafts, translations and publication dates included.

pub mod download_export;
mod export;
mod export_job;
mod import_job;
mod journal;
mod line;
mod lines;
mod missing;
mod ndjson;
mod parts;
pub mod start_export;
pub mod start_import;

use cms_content::entries::CONTENT;
use cms_frame::{
    descriptor::{self, Descriptor},
    jobs::Kind,
};

pub use export::{ExportError, export};
pub use journal::JournalError;
pub use ndjson::{Import, ImportError, OnConflict, Progress, Refused, Summary, import};

/// The media type of lines of JSON.
pub const NDJSON: &str = "application/x-ndjson";

/// The operations that start jobs over files, and give what they made.
pub fn operations() -> Vec<Descriptor> {
    let operations = vec![
        Descriptor::of::<start_import::StartImport>(),
        Descriptor::of::<start_export::StartExport>(),
        Descriptor::of::<download_export::DownloadExport>(),
    ];
    descriptor::grouped(&[CONTENT], operations)
}

/// The kinds of jobs that import and export.
pub fn jobs() -> Vec<Kind> {
    vec![Kind::of(import_job::ImportJob), Kind::of(export_job::ExportJob)]
}
