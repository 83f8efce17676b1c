//! `cms jobs`: what goes on beside requests, and how to stop it.

use std::{fmt::Write, process::ExitCode, time::Duration};

use clap::{Args, Subcommand, ValueEnum};
use cms_core::{
    Cms, Door,
    jobs::{
        JobView,
        command::{CancelJob, PauseJob, ResumeJob, RetryJob},
        get::GetJob,
        list::ListJobs,
        list_failed_items::{FailedItemView, ListFailedItems},
        list_tasks::{Health, ListTasks, TaskView},
    },
    operation::Operation,
};
use cms_domain::{access::Actor, id::JobId, job::JobState, page::PageSize};
use serde_json::json;
use tokio::time::sleep;

use super::App;
use crate::wire;

/// How often a job that is waited for is looked at.
const LOOK: Duration = Duration::from_millis(500);

#[derive(Debug, Subcommand)]
pub(super) enum Jobs {
    /// List jobs, the one that was asked for last first.
    List {
        /// Those in this state.
        #[arg(long)]
        state: Option<State>,
        /// The most that are listed.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u8).range(1..=100))]
        limit: u8,
    },
    /// Show a job, and what failed of it.
    Show(Job),
    /// Wait until a job is over. The exit code says whether it ended well.
    Wait(Job),
    /// Stop a job until it is resumed.
    Pause(Job),
    /// Let a job go on that was stopped.
    Resume(Job),
    /// End a job that is not over.
    Cancel(Job),
    /// Try a job again that failed, from where it failed.
    Retry(Job),
    /// Show what each server does again and again, and how it goes.
    Tasks,
}

#[derive(Debug, Args)]
pub(super) struct Job {
    /// Its id.
    id: JobId,
}

/// The states of jobs, as they are typed.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum State {
    Queued,
    Running,
    Paused,
    Done,
    Failed,
    Cancelled,
}

impl From<State> for JobState {
    fn from(state: State) -> Self {
        match state {
            State::Queued => Self::Queued,
            State::Running => Self::Running,
            State::Paused => Self::Paused,
            State::Done => Self::Done,
            State::Failed => Self::Failed,
            State::Cancelled => Self::Cancelled,
        }
    }
}

pub(super) async fn run(app: &App, command: Jobs) -> anyhow::Result<ExitCode> {
    wire::must_exist(&app.config)?;
    let (cms, store) = wire::cms(&app.config).await?;
    let code = answer(app, &cms, command).await;
    store.close().await;
    code
}

async fn answer(app: &App, cms: &Cms, command: Jobs) -> anyhow::Result<ExitCode> {
    let job = match command {
        Jobs::List { state, limit } => {
            let limit = PageSize::try_from(u64::from(limit)).map_err(anyhow::Error::msg)?;
            let list = ListJobs { state: state.map(JobState::from), limit, ..ListJobs::default() };
            let page = invoke(cms, list).await?;
            app.out.answer(&page, || listed(&page.items))?;
            return Ok(ExitCode::SUCCESS);
        }
        Jobs::Tasks => {
            let tasks = invoke(cms, ListTasks {}).await?;
            app.out.answer(&tasks, || told(&tasks.items))?;
            return Ok(ExitCode::SUCCESS);
        }
        Jobs::Show(Job { id }) => {
            let job = invoke(cms, GetJob { id }).await?.item;
            let failed = invoke(cms, ListFailedItems { id, cursor: None, limit: PageSize::DEFAULT }).await?;
            app.out.answer(&json!({ "item": job, "failedItems": failed.items }), || shown(&job, &failed.items))?;
            return Ok(ExitCode::SUCCESS);
        }
        Jobs::Wait(Job { id }) => wait(app, cms, id).await?,
        Jobs::Pause(Job { id }) => invoke(cms, PauseJob { id }).await?.item,
        Jobs::Resume(Job { id }) => invoke(cms, ResumeJob { id }).await?.item,
        Jobs::Cancel(Job { id }) => invoke(cms, CancelJob { id }).await?.item,
        Jobs::Retry(Job { id }) => invoke(cms, RetryJob { id }).await?.item,
    };
    app.out.answer(&json!({ "item": job }), || listed(std::slice::from_ref(&job)))?;
    let failed = matches!(job.state, JobState::Failed);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

async fn invoke<O: Operation>(cms: &Cms, operation: O) -> anyhow::Result<O::Output> {
    Ok(cms.invoke(&Actor::System, Door::Local, operation).await?)
}

/// Looks at a job until it is over, and says on the way how far it is.
async fn wait(app: &App, cms: &Cms, id: JobId) -> anyhow::Result<JobView> {
    let mut said = String::new();
    loop {
        let job = invoke(cms, GetJob { id }).await?.item;
        if job.state.is_over() {
            return Ok(job);
        }
        let line = progress(&job);
        if line != said {
            app.out.remark(&line);
            said = line;
        }
        sleep(LOOK).await;
    }
}

/// How far a job is, in a few words.
fn progress(job: &JobView) -> String {
    let share = match job.total {
        Some(total) => format!("{} of {total}", job.done),
        None => job.done.to_string(),
    };
    let note = job.note.as_deref().map(|note| format!(", {note}")).unwrap_or_default();
    format!("{} {share}{note}", job.state.as_str())
}

fn listed(jobs: &[JobView]) -> String {
    if jobs.is_empty() {
        return "There are no jobs.".to_owned();
    }
    let mut text = String::new();
    for job in jobs {
        let failed = if job.failed_items > 0 { format!(", {} failed", job.failed_items) } else { String::new() };
        let error = job.error.as_deref().map(|error| format!("\n      {error}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}  {:<9}  {}: {}{failed}{error}", job.id, job.state.as_str(), job.title, progress(job));
    }
    text
}

fn shown(job: &JobView, failed: &[FailedItemView]) -> String {
    let mut text = listed(std::slice::from_ref(job));
    for FailedItemView { item, message, id, .. } in failed {
        let id = id.map(|id| id.to_string()).filter(|id| id != item).map(|id| format!(" ({id})")).unwrap_or_default();
        let _ = writeln!(text, "      {item}{id}: {message}");
    }
    if job.failed_items > failed.len() as u64 {
        let _ = writeln!(text, "      … and {} more", job.failed_items - failed.len() as u64);
    }
    text
}

fn told(tasks: &[TaskView]) -> String {
    if tasks.is_empty() {
        return "No server is running.".to_owned();
    }
    let mut text = String::new();
    for task in tasks {
        let health = match task.health {
            Health::Well => "well",
            Health::Failing => "FAILING",
            Health::Missed => "MISSED",
        };
        let error = task.last_error.as_deref().map(|error| format!(": {error}")).unwrap_or_default();
        let _ = writeln!(text, "{}  {health:<8} {}{error}", task.node, task.name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_told_in_a_line_with_its_failure_below() {
        let job = JobView {
            id: JobId::from_parts(1, 1),
            kind: "site.sample_content".to_owned(),
            title: "Make sample content".to_owned(),
            state: JobState::Failed,
            done: 3,
            total: Some(5),
            note: None,
            failed_items: 60,
            error: Some("no disk".to_owned()),
            attempts: 5,
            next_attempt_at: None,
            result: None,
            node: None,
            asked_by: None,
            created_at: cms_domain::time::Timestamp::from_milliseconds(0),
            started_at: None,
            finished_at: None,
        };
        let id = job.id;
        let line = format!("{id}  failed     Make sample content: failed 3 of 5, 60 failed\n      no disk\n");
        assert_eq!(listed(std::slice::from_ref(&job)), line);
        let line_seven = FailedItemView { number: 1, item: "line 7".to_owned(), message: "has no title".to_owned(), id: None, code: None };
        let entry =
            FailedItemView { number: 2, item: "Essay".to_owned(), message: "is locked".to_owned(), id: Some(id.cast()), code: None };
        let failed = format!("      line 7: has no title\n      Essay ({id}): is locked\n");
        assert_eq!(shown(&job, &[line_seven, entry]), format!("{line}{failed}      … and 58 more\n"));
        assert_eq!(listed(&[]), "There are no jobs.");
    }
}
