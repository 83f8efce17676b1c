//! List jobs.

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::Bounded,
    job::JobState,
    page::{Cursor, PageSize},
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, PAGED},
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use cms_storage::JobFilter;
use schemars::JsonSchema;
use serde::Deserialize;

use super::JobView;

/// List jobs, the one that was asked for last first.
///
/// A job is work that goes on beside requests: it survives the server that does it, and is done by whichever server has time. Jobs that are over are
/// forgotten after thirty days.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListJobs {
    /// Those in this state.
    pub state: Option<JobState>,
    /// Those of this kind.
    pub kind: Option<Bounded<1, 100>>,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

impl Operation for ListJobs {
    const ID: &'static str = "jobs.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("listJobs", "/admin/jobs");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[PAGED];
    type Output = Page<JobView>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<JobView>, Error> {
        let mut filter = JobFilter { state: self.state, kind: self.kind.map(Bounded::into_string), before: None };
        let paging = Paging::new(format!("jobs.list {filter:?}"), self.limit);
        filter.before = paging.after(self.cursor)?;
        let found = cx.read().jobs().list(&filter, paging.rows()).await?;
        paging.page(found, |last| last.id)?.try_map(|job| JobView::of(cx.cms(), job))
    }
}
