//! A job as people see it.

use cms_domain::{
    id::{JobId, UserId},
    job::JobState,
    time::Timestamp,
};
use cms_frame::{Cms, Code, Cx, Error};
use cms_storage::StoredJob;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// A job.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct JobView {
    /// Identifies it.
    pub id: JobId,
    /// What sort of work it is.
    pub kind: String,
    /// What people call such work. The name of the kind where this program does not know it.
    pub title: String,
    /// How far it is.
    pub state: JobState,
    /// How much of it is done, in items of whatever it works on.
    pub done: u64,
    /// How much there is to do; null where nobody knows.
    pub total: Option<u64>,
    /// What it is at.
    pub note: Option<String>,
    /// How many of its items failed, while it went on with the others.
    pub failed_items: u64,
    /// Why it failed; why its last attempt did, where it is tried again.
    pub error: Option<String>,
    /// How often in a row it was tried without getting on.
    pub attempts: i32,
    /// When it is tried again; null where it does not wait for that.
    pub next_attempt_at: Option<Timestamp>,
    /// What came of it: the members depend on the kind.
    pub result: Option<Value>,
    /// The server that does it, or did last.
    pub node: Option<String>,
    /// Who asked for it; null where the server did.
    pub asked_by: Option<UserId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When a server first began with it.
    pub started_at: Option<Timestamp>,
    /// When it ended, well or not.
    pub finished_at: Option<Timestamp>,
}

impl JobView {
    /// A job as it is stored.
    pub fn of(cms: &Cms, job: StoredJob) -> Result<Self, Error> {
        let kinds = cms.job_kinds();
        let title = kinds.iter().find(|kind| kind.id == job.kind).map_or_else(|| job.kind.clone(), |kind| kind.title.to_owned());
        let waits = job.state == JobState::Queued && job.error.is_some();
        Ok(Self {
            id: job.id,
            kind: job.kind,
            title,
            state: job.state,
            done: job.done,
            total: job.total,
            note: job.note,
            failed_items: job.errors,
            error: job.error,
            attempts: job.attempts,
            next_attempt_at: job.due_at.filter(|_| waits),
            result: job.result.map(|result| serde_json::from_str(&result)).transpose()?,
            node: job.node,
            asked_by: job.asked_by,
            created_at: job.created_at,
            started_at: job.started_at,
            finished_at: job.finished_at,
        })
    }
}

/// The failure of whoever names a job that is not there.
pub(super) fn no_job(id: JobId) -> Error {
    Error::with(Code::NotFound, format!("there is no job `{id}`: it may have been over for so long that it was forgotten"))
}

/// A job.
pub(super) async fn job(cx: &Cx<'_>, id: JobId) -> Result<StoredJob, Error> {
    cx.read().jobs().get(id).await?.ok_or_else(|| no_job(id))
}

/// The answer of operations on one job.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "JobItem")]
pub struct JobItem {
    /// The job.
    pub item: JobView,
}
