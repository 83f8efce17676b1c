//! Start an export: a job writes what content there is to a file, which waits for whoever asked for it.

use std::{collections::BTreeSet, time::Duration};

use cms_domain::{
    access::{Access, Permission, Scope},
    id::JobId,
    slug::CollectionSlug,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{COLLECTION, Failures, STALE},
    jobs::{Order, Wanted},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{export_job::ExportLines, start_import::Started};

/// How long an export waits to be fetched: whoever starts one before a weekend has it after it. It is content, drafts included, and does not lie
/// about for longer.
pub(crate) const KEPT: Duration = Duration::from_hours(7 * 24);

/// How many collections may be named: more than a site has.
const MOST_NAMED: usize = 1000;

/// Export content to a file.
///
/// A job writes every entry outside of the trash, with staged edits, as newline-delimited JSON that an import reads: `jobs.get` says how far it is. Then the
/// file is there for seven days, or until the next export of the same person, which takes its place. It has at most 512 MiB.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartExport {
    /// The collections; all of them when none is named.
    #[serde(default)]
    pub collections: Vec<CollectionSlug>,
}

impl Operation for StartExport {
    const ID: &'static str = "content.start_export";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentExport);
    const HTTP: Http = Http::post("startExport", "/admin/exports").created();
    // What comes of it is a file, which no call of a tool gives.
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[COLLECTION, STALE];
    type Output = Started;

    fn check(&self) -> Result<(), Error> {
        if self.collections.len() > MOST_NAMED {
            return Err(Error::issue("collections", "TOO_LONG", format!("has more than {MOST_NAMED} items")));
        }
        Ok(())
    }

    async fn run(mut self, cx: &mut Cx<'_>) -> Result<Started, Error> {
        // Each once, however often it is named.
        let mut named = BTreeSet::new();
        self.collections.retain(|slug| named.insert(slug.clone()));
        let known = cx.read().collections().all().await?;
        if let Some(unknown) = self.collections.iter().find(|slug| known.iter().all(|known| known.slug != **slug)) {
            return Err(Error::with(Code::CollectionNotFound, format!("there is no collection `{unknown}`")));
        }
        let (now, owner) = (cx.now(), cx.actor().user());
        let wanted = Wanted::new(ExportLines { collections: self.collections.clone() });
        let name = owner.map_or_else(|| "server".to_owned(), |owner| owner.to_string());
        // Of two who ask at once the second one waits here for the first, and is refused.
        let job = cx.enqueue_first(wanted.only(name)).await?;
        for earlier in exports_of_caller(cx).await? {
            cx.drop_file_of(earlier).await?;
        }
        cx.begin_file(job, now.after(KEPT)).await?;
        cx.audit("job", job, &json!({ "parts": self.collections }));
        Ok(Started { job })
    }
}

/// The exports of the caller whose files are there.
async fn exports_of_caller(cx: &Cx<'_>) -> Result<Vec<JobId>, Error> {
    let (now, owner) = (cx.now(), cx.actor().user());
    let mut exports = Vec::new();
    for file in cx.read().files().all().await? {
        let Some(job) = file.job.filter(|_| file.owner == owner && file.expires_at > now) else { continue };
        if cx.read().jobs().get(job).await?.is_some_and(|job| job.kind == ExportLines::KIND) {
            exports.push(job);
        }
    }
    Ok(exports)
}
