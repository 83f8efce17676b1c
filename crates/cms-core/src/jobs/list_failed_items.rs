//! List what failed of a job.

use cms_domain::{
    access::{Access, Permission, Scope},
    id::JobId,
    page::{Cursor, PageSize},
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, PAGED, THING},
    operation::{Http, Operation, Tool},
};
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

/// A page of items that failed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedItemPage {
    /// The items.
    pub items: Vec<FailedItemView>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
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
}

impl Operation for ListFailedItems {
    const ID: &'static str = "jobs.list_failed_items";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::get("listFailedItems", "/admin/jobs/{id}/failed-items");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING, PAGED];
    type Output = FailedItemPage;

    async fn run(self, cx: &mut Cx<'_>) -> Result<FailedItemPage, Error> {
        job(cx, self.id).await?;
        let list = format!("jobs.list_failed_items {}", self.id);
        let after = self.cursor.map(|cursor| cursor.open::<u64>(&list)).transpose().map_err(|_| Error::new(Code::InvalidCursor))?;
        let limit = self.limit.get();
        let mut found = cx.read().jobs().failed_items(self.id, after.unwrap_or_default(), limit + 1).await?;
        let more = found.len() > limit;
        found.truncate(limit);
        let next_cursor = match found.last() {
            Some(last) if more => Some(Cursor::seal(&list, &last.number)?),
            _ => None,
        };
        let items = found.into_iter().map(|item| FailedItemView { number: item.number, item: item.item, message: item.message });
        Ok(FailedItemPage { items: items.collect(), next_cursor })
    }
}
