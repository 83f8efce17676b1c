//! Start an import: the file is there, and a job brings its content in.

use std::time::Duration;

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::Bounded,
    id::{FileId, JobId},
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures, STALE, THING},
    jobs::Wanted,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{NDJSON, OnConflict, import_job::ImportLines};

/// How long the file of an import is kept that fails or is stopped: whoever mends what is in its way after a weekend need not send it again.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// Import content from a file.
///
/// The body is the file: newline-delimited JSON, each line an entry as an export writes it. A member `collection`, `data` with the field values, and where
/// they are known `id`, `slug`, `status` (`draft`, `published` or `scheduled`), `locale`, `translationOf`, `createdAt`, `publishedAt`, `scheduledAt`,
/// `seo`, and `draft` with the staged edit of a published entry. A line with an `id` is taken as it stands: no slug is made and no default is filled in.
/// References to other lines may point forward and in circles.
///
/// Once all of the file has arrived a job imports it, line by line: `jobs.get` says how far it is. Each entry is checked as if it were typed,
/// but hooks of a host are not asked before it is saved.
/// Lines that cannot be imported are named by their numbers, and the import goes on; an entry that refers to what is nowhere is named, and there without
/// that. It is done with what whoever starts it may do, and
/// stops when they may not any more: their session or token has ended, their account is disabled, or their role is lower. A file has at most 512 MiB.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartImport {
    /// The file that was sent.
    pub file: FileId,
    /// The collection of lines that name none.
    pub collection: Option<CollectionSlug>,
    /// Members of lines to leave out, with commas between them: `author,_links`. Any other that is not known is refused.
    pub ignore: Option<Bounded<1, 2000>>,
    /// What becomes of a line whose entry is there already, by its id or by its slug: it is an `error` like any other, the entry stays as it is (`skip`), or
    /// becomes what the line says (`update`).
    #[serde(default)]
    pub on_conflict: OnConflict,
    /// Only find out what would happen: every line is checked, and nothing is changed.
    #[serde(default)]
    pub dry_run: bool,
}

/// What was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Started {
    /// The job that does it.
    pub job: JobId,
}

impl Operation for StartImport {
    const ID: &'static str = "content.start_import";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ImportExecute);
    const HTTP: Http =
        Http::post("startImport", "/admin/imports").file("file", NDJSON, &["collection", "ignore", "onConflict", "dryRun"]).created();
    // A file is nothing that an agent sends with a call of a tool.
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION, THING, STALE];
    type Output = Started;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Started, Error> {
        if let Some(collection) = &self.collection
            && cx.read().collections().all().await?.iter().all(|known| known.slug != *collection)
        {
            return Err(Error::with(Code::CollectionNotFound, format!("there is no collection `{collection}`")));
        }
        let (now, dry_run) = (cx.now(), self.dry_run);
        let order = ImportLines {
            file: self.file,
            collection: self.collection,
            ignore: self.ignore.iter().flat_map(|names| names.as_str().split(',')).map(|name| name.trim().to_owned()).collect(),
            on_conflict: self.on_conflict,
            dry_run,
            began: now,
        };
        let job = cx.enqueue(Wanted::new(order)).await?;
        let file = cx.give_file(self.file, job, now.after(KEPT)).await?;
        cx.audit("job", job, &json!({ "bytes": file.bytes, "onConflict": self.on_conflict, "dryRun": dry_run }));
        Ok(Started { job })
    }
}
