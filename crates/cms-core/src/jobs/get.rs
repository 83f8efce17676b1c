//! Get a job.

use cms_domain::{
    access::{Access, Permission, Scope},
    id::JobId,
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    JobView,
    view::{JobItem, job},
};

/// Get a job: how far it is, or what came of it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetJob {
    /// The job.
    pub id: JobId,
}

impl Operation for GetJob {
    const ID: &'static str = "jobs.get";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("getJob", "/admin/jobs/{id}");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING];
    type Output = JobItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<JobItem, Error> {
        Ok(JobItem { item: JobView::of(cx.cms(), job(cx, self.id).await?)? })
    }
}
