//! List jobs.

use cms_domain::{
    access::{Access, Permission, Scope},
    bounded::Bounded,
    id::JobId,
    job::JobState,
    page::{Cursor, PageSize},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, PAGED},
    operation::{Http, Operation, Tool},
};
use cms_storage::JobFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// A page of jobs.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobPage {
    /// The jobs.
    pub items: Vec<JobView>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
}

impl Operation for ListJobs {
    const ID: &'static str = "jobs.list";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("listJobs", "/admin/jobs");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[PAGED];
    type Output = JobPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<JobPage, Error> {
        let mut filter = JobFilter { state: self.state, kind: self.kind.map(Bounded::into_string), before: None };
        let list = format!("jobs.list {filter:?}");
        let opened = self.cursor.map(|cursor| cursor.open::<JobId>(&list)).transpose();
        filter.before = opened.map_err(|_| Error::new(Code::InvalidCursor))?;
        let limit = self.limit.get();
        // One more than the page has tells whether there is another.
        let mut found = cx.read().jobs().list(&filter, limit + 1).await?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next_cursor = match found.last() {
            Some(last) if more => Some(Cursor::seal(&list, &last.id)?),
            _ => None,
        };
        let items = found.into_iter().map(|job| JobView::of(cx.cms(), job)).collect::<Result<_, _>>()?;
        Ok(JobPage { items, next_cursor })
    }
}
