//! List what failed of a job.

use cms_domain::{
    access::{Access, Permission, Scope},
    id::{EntryId, JobId},
    page::{Cursor, PageSize},
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, PAGED, THING},
    operation::{Http, Operation, Tool},
    page::{Page, Paging},
};
use cms_storage::FailedItem;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::job;

/// List the items of a job that failed, in the order in which they did.
///
/// The first thousand are remembered; `failedItems` of the job counts all.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListFailedItems {
    /// The job.
    pub id: JobId,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most items of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// An item of a job that failed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedItemView {
    /// Its place among those that failed, from 1 on.
    pub number: u64,
    /// Which one: the line of a file, say.
    pub item: String,
    /// Why.
    pub message: String,
    /// The id of the entry that it is; null where it is none.
    pub id: Option<EntryId>,
    /// Why, as a code of the API; null where there is none.
    pub code: Option<String>,
}

impl From<FailedItem> for FailedItemView {
    fn from(FailedItem { number, item, message, entry, code }: FailedItem) -> Self {
        Self { number, item, message, id: entry, code }
    }
}

impl Operation for ListFailedItems {
    const ID: &'static str = "jobs.list_failed_items";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("listFailedItems", "/admin/jobs/{id}/failed-items");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING, PAGED];
    type Output = Page<FailedItemView>;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Page<FailedItemView>, Error> {
        job(cx, self.id).await?;
        let paging = Paging::new(format!("jobs.list_failed_items {}", self.id), self.limit);
        let after: Option<u64> = paging.after(self.cursor)?;
        let found = cx.read().jobs().failed_items(self.id, after.unwrap_or_default(), paging.rows()).await?;
        Ok(paging.page(found, |last| last.number)?.map(FailedItemView::from))
    }
}
