//! Download what was exported.

use cms_domain::{
    access::{Access, Permission, Scope},
    id::JobId,
    job::JobState,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, STALE, THING},
    files::Given,
    jobs::Order,
    operation::{Gives, Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{NDJSON, export_job::ExportLines};

/// Download an export.
///
/// Newline-delimited JSON, each line an entry. It is there for seven days after the export was started.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DownloadExport {
    /// The job that exported.
    pub id: JobId,
}

impl Operation for DownloadExport {
    const ID: &'static str = "content.download_export";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::ContentExport);
    const HTTP: Http = Http::get("downloadExport", "/admin/exports/{id}/file").gives(Gives::File(NDJSON));
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[THING, STALE];
    type Output = Given;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Given, Error> {
        let job = cx.read().jobs().get(self.id).await?.filter(|job| job.kind == ExportLines::KIND);
        let job = job.ok_or_else(|| Error::with(Code::NotFound, "there is no such export"))?;
        if !job.state.is_over() {
            return Err(Error::with(Code::Conflict, "the export is not done yet"));
        }
        let file = cx.read().files().of_job(self.id, cx.now()).await?.filter(|_| job.state == JobState::Done);
        let file = file.ok_or_else(|| Error::with(Code::NotFound, "the file of this export is not there any more: export again"))?;
        // Whoever has it now has all of the content, whatever becomes of them later.
        cx.audit("job", self.id, &json!({ "bytes": file.bytes }));
        let day = file.created_at.to_string().chars().take("2000-01-01".len()).collect::<String>();
        Ok(Given { file: file.id, name: format!("content-{day}.ndjson"), bytes: file.bytes })
    }
}
