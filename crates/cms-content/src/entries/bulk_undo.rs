//! Look at a bulk change, and take it back.

use cms_domain::{
    access::{Access, Permission, to},
    event::Event,
    id::{EntryId, JobId},
    job::{JobCommand, JobState},
    slug::CollectionSlug,
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, STALE, THING},
    jobs::{Order, Wanted, not_taken},
    operation::{Http, Operation, Tool},
};
use cms_storage::{FailedItem, StoredJob};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    EDIT, READ_DRAFTS,
    bulk::{MOST_JOBS, Started},
    bulk_job::{At, BulkChange, BulkSummary, What},
    lease,
};

/// How many entries that could not be changed are named: as many as anybody reads. All are counted, and whoever manages jobs finds more.
const NAMED: usize = 100;

/// Get a bulk change that you asked for: how far it is, or what came of it.
///
/// Whoever manages jobs sees those of others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetBulk {
    /// The job.
    pub id: JobId,
}

/// A bulk change.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkView {
    /// The job.
    pub id: JobId,
    /// The collection.
    pub collection: CollectionSlug,
    /// What is done to each entry; `undo` where it takes back what another one did.
    pub action: &'static str,
    /// The one that it takes back.
    pub undoes: Option<JobId>,
    /// How far it is.
    pub state: JobState,
    /// How many entries it is over, as far as they are found.
    pub total: Option<u64>,
    /// What came of it so far.
    #[serde(flatten)]
    pub summary: BulkSummary,
    /// The first of the entries that could not be changed.
    pub failed_items: Vec<FailedEntry>,
    /// Why it ended before it was done; why its last attempt failed, where it is tried again.
    pub error: Option<String>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ended, well or not.
    pub finished_at: Option<Timestamp>,
}

/// An entry that could not be changed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FailedEntry {
    /// The entry; null where it is not known any more, since an earlier release changed it.
    pub id: Option<EntryId>,
    /// Which one, for people: its title, or its id where it has none.
    pub item: String,
    /// Why, for people.
    pub message: String,
    /// Why, as a code of the API; null where the id is.
    pub code: Option<String>,
}

impl From<FailedItem> for FailedEntry {
    fn from(FailedItem { item, message, entry, code, .. }: FailedItem) -> Self {
        Self { id: entry, item, message, code }
    }
}

/// A bulk change as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub struct BulkItem {
    /// The bulk change.
    pub item: BulkView,
}

impl Operation for GetBulk {
    const ID: &'static str = "content.get_bulk";
    const ACCESS: Access = READ_DRAFTS;
    const HTTP: Http = Http::get("getBulk", "/bulk/{id}");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING];
    type Output = BulkItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BulkItem, Error> {
        let (job, order) = bulk(cx, self.id).await?;
        BulkItem::of(cx, job, order).await
    }
}

impl BulkItem {
    async fn of(cx: &Cx<'_>, job: StoredJob, order: BulkChange) -> Result<Self, Error> {
        let failed = cx.read().jobs().failed_items(job.id, 0, NAMED).await?;
        let summary = summary(&job)?;
        let (action, undoes) = match order.what {
            What::Change { action, .. } => (action.name(), None),
            What::Undo { job } => ("undo", Some(job)),
        };
        let item = BulkView {
            id: job.id,
            collection: order.collection,
            action,
            undoes,
            state: job.state,
            total: job.total,
            summary,
            failed_items: failed.into_iter().map(FailedEntry::from).collect(),
            error: job.error,
            created_at: job.created_at,
            finished_at: job.finished_at,
        };
        Ok(Self { item })
    }
}

/// End a bulk change that you asked for.
///
/// What it has done stays done, and `content.undo_bulk` takes it back; the entry that it is at is not changed. Whoever manages jobs ends those of others.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelBulk {
    /// The job.
    pub id: JobId,
}

impl Operation for CancelBulk {
    const ID: &'static str = "content.cancel_bulk";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("cancelBulk", "/bulk/{id}/cancel");
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[THING, STALE];
    type Output = BulkItem;

    async fn run(self, cx: &mut Cx<'_>) -> Result<BulkItem, Error> {
        let (job, order) = bulk(cx, self.id).await?;
        let permit = cx.permit(to::EndJob(job.asked_by))?;
        let now = cx.now();
        let Some(ended) = cx.tx().await?.jobs().end(&permit, job.id, now).await? else {
            let (known, order) = bulk(cx, self.id).await?;
            not_taken(JobCommand::Cancel, known.state)?;
            return BulkItem::of(cx, known, order).await;
        };
        cx.emit(Event::Job { job: ended.id });
        cx.audit_named("job", ended.id, Some(order.collection.as_str()), &json!({ "done": ended.done, "total": ended.total }));
        BulkItem::of(cx, ended, order).await
    }
}

/// Take back what a bulk change did.
///
/// A job gives each entry that was changed the state back that it had: what was published is unpublished, and the other way round, plans are made or
/// called off, what went to the trash comes out of it and what came out goes back, owners own again. It is done with what whoever takes it back may do, and can be taken
/// back in its turn. It is one of the five bulk changes that one person may have under way.
///
/// What somebody changed since stays as it is, and is named. Some of it cannot be taken back: a staged edit that became the content (what it took the
/// place of is in the entry's revisions), a plan whose time has passed, and what others were told meanwhile. The date of a first publication stays.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoBulk {
    /// The job, which is over: done, failed or cancelled.
    pub id: JobId,
    /// Whether to change entries though other users are editing them.
    #[serde(default)]
    pub override_lock: bool,
}

impl Operation for UndoBulk {
    const ID: &'static str = "content.undo_bulk";
    const ACCESS: Access = EDIT;
    const HTTP: Http = Http::post("undoBulk", "/bulk/{id}/undo").created();
    const TOOL: Tool = Tool::Destructive;
    const FAILURES: Failures = &[THING, STALE, &[Code::RateLimited]];
    type Output = Started;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Started, Error> {
        let (job, order) = bulk(cx, self.id).await?;
        if !job.state.is_over() {
            let message = "the bulk change is not over: let it end, or cancel it";
            return Err(Error::with(Code::Conflict, message).details(json!({ "state": job.state })));
        }
        let undoable = summary(&job)?.undoable;
        let what = What::Undo { job: job.id };
        let order = BulkChange { heeds_locks: lease::binds(cx) && !self.override_lock, what, ..order };
        let collection = order.collection.clone();
        let wanted = Wanted::new(order).of(undoable).only(job.id).at_most(MOST_JOBS);
        // Of two who ask at once, the second one is told.
        let undo = cx.enqueue_first(wanted).await?;
        cx.audit_named("job", undo, Some(collection.as_str()), &json!({ "undoes": job.id, "entries": undoable }));
        Ok(Started { job: undo })
    }
}

/// A bulk change that the caller asked for, or may see as somebody who manages jobs.
async fn bulk(cx: &Cx<'_>, id: JobId) -> Result<(StoredJob, BulkChange), Error> {
    let job = cx.read().jobs().get(id).await?.filter(|job| {
        let is_own = job.asked_by.is_some() && job.asked_by == cx.actor().user();
        job.kind == BulkChange::KIND && (is_own || cx.permit(Permission::JobsManage).is_ok())
    });
    let gone = || {
        Error::with(
            Code::NotFound,
            format!("there is no bulk change `{id}` of yours: it may have been over for so long that it was forgotten"),
        )
    };
    let job = job.ok_or_else(gone)?;
    let order = serde_json::from_str(&job.input)?;
    Ok((job, order))
}

/// What came of a bulk change so far.
fn summary(job: &StoredJob) -> Result<BulkSummary, Error> {
    if let Some(result) = &job.result {
        return Ok(serde_json::from_str(result)?);
    }
    let at: Option<At> = job.checkpoint.as_deref().map(serde_json::from_str).transpose()?;
    Ok(at.map(|at| at.summary).unwrap_or_default())
}
