//! Watch the jobs that go on.

use cms_domain::access::{Access, Permission, Scope};
use cms_frame::{
    Cx, Error,
    operation::{Gives, Http, Operation, Tool},
};
use cms_storage::JobFilter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JobView;

/// How many jobs of each sort are shown: what fits a screen, and says whether there is more.
const SHOWN: usize = 50;

/// Watch the jobs that go on.
///
/// An event stream: each event has the jobs that are not over, and those that were asked for last. It is sent again whenever one of them got on.
/// Whoever loses the connection asks anew, and has missed nothing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WatchJobs {}

/// The jobs at one moment.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WatchedJobs {
    /// The fifty oldest that are not over.
    pub open: Vec<JobView>,
    /// The fifty that were asked for last, over or not, the last one first.
    pub latest: Vec<JobView>,
}

impl Operation for WatchJobs {
    const ID: &'static str = "jobs.watch";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("watchJobs", "/admin/job-events").gives(Gives::Events).internal();
    const TOOL: Tool = Tool::Hidden;
    type Output = WatchedJobs;

    async fn run(self, cx: &mut Cx<'_>) -> Result<WatchedJobs, Error> {
        let jobs = cx.read().jobs();
        let open = jobs.open(SHOWN).await?;
        let latest = jobs.list(&JobFilter::default(), SHOWN).await?;
        let view = |jobs: Vec<_>| jobs.into_iter().map(|job| JobView::of(cx.cms(), job)).collect::<Result<_, _>>();
        Ok(WatchedJobs { open: view(open)?, latest: view(latest)? })
    }
}
