//! What people do to a job: stop it, let it go on, end it, try it again.

use cms_domain::{
    access::{Access, Permission, Permit, Scope, to},
    event::Event,
    id::JobId,
    job::JobCommand,
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, STALE, THING},
    jobs::not_taken,
    operation::{Http, Operation, Tool},
};
use cms_storage::StoredJob;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    JobView,
    view::{JobItem, job},
};

/// Stop a job until it is resumed.
///
/// What it is at is not done: it goes on from the step before. A job that waits to be done waits on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PauseJob {
    /// The job.
    pub id: JobId,
}

/// Let a job go on that was stopped.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumeJob {
    /// The job.
    pub id: JobId,
}

/// End a job that is not over.
///
/// What it has done stays done; the step that it is at is not. Cancelling one that is done to the last item meanwhile is refused: it is done.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelJob {
    /// The job.
    pub id: JobId,
}

/// Try a job again that failed, from where it failed.
///
/// One that was done for whoever asked for it, with what they may, is done for whoever tries it again.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryJob {
    /// The job.
    pub id: JobId,
}

/// Operations that do one thing to a job.
macro_rules! commands {
    ($($operation:ident, $id:literal, $route:literal, $path:literal, $tool:ident, $command:ident;)*) => {
        $(impl Operation for $operation {
            const ID: &'static str = $id;
            const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
            const HTTP: Http = Http::post($route, $path);
            const TOOL: Tool = Tool::$tool;
            const FAILURES: Failures = &[THING, STALE];
            type Output = JobItem;

            async fn run(self, cx: &mut Cx<'_>) -> Result<JobItem, Error> {
                command(cx, self.id, JobCommand::$command).await
            }
        })*
    };
}

commands! {
    PauseJob, "jobs.pause", "pauseJob", "/admin/jobs/{id}/pause", Idempotent, Pause;
    ResumeJob, "jobs.resume", "resumeJob", "/admin/jobs/{id}/resume", Idempotent, Resume;
    CancelJob, "jobs.cancel", "cancelJob", "/admin/jobs/{id}/cancel", Destructive, Cancel;
    RetryJob, "jobs.retry", "retryJob", "/admin/jobs/{id}/retry", Idempotent, Retry;
}

async fn command(cx: &mut Cx<'_>, id: JobId, command: JobCommand) -> Result<JobItem, Error> {
    let now = cx.now();
    let permit = cx.permit(to::ManageJobs)?;
    let jobs = cx.tx().await?.jobs();
    let Some(changed) = jobs.command(&permit, id, command, now).await? else {
        let known = job(cx, id).await?;
        not_taken(command, known.state)?;
        return Ok(JobItem { item: JobView::of(cx.cms(), known)? });
    };
    match command {
        JobCommand::Retry => take_over(cx, &permit, &changed).await?,
        // What it was to read, or has made so far, is good for nothing any more.
        JobCommand::Cancel => cx.drop_file_of(id).await?,
        JobCommand::Pause | JobCommand::Resume => {}
    }
    cx.emit(Event::Job { job: id });
    cx.audit_named("job", id, Some(&changed.kind), &json!({ "done": changed.done, "total": changed.total }));
    Ok(JobItem { item: JobView::of(cx.cms(), changed)? })
}

/// A job that is done for somebody is done for the caller from now on.
async fn take_over(cx: &mut Cx<'_>, permit: &Permit<to::ManageJobs>, job: &StoredJob) -> Result<(), Error> {
    let kinds = cx.cms().job_kinds();
    let Some(kind) = kinds.iter().find(|kind| kind.id == job.kind) else { return Ok(()) };
    let acts_for = kind.acts_for(cx.actor())?;
    Ok(cx.tx().await?.jobs().act_for(permit, job.id, acts_for).await?)
}
