//! `cms jobs`: what goes on beside requests, and how to stop it. All of it is operations of the catalog, here or at another server.

use std::{fmt::Write, process::ExitCode, time::Duration};

use clap::{Args, Subcommand, builder::PossibleValuesParser};
use cms_domain::{id::JobId, job::JobState};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    App,
    place::{Place, Remote},
};
use crate::output::{items, text};

/// How often a job that is waited for is looked at: often enough for its progress to move, and seldom enough for the limits of another server.
const LOOK: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(super) struct Jobs {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    remote: Remote,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List jobs, the one that was asked for last first.
    List {
        /// Those in this state.
        #[arg(long, value_parser = PossibleValuesParser::new(JobState::ALL.map(JobState::as_str)))]
        state: Option<String>,
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
struct Job {
    /// Its id.
    id: JobId,
}

pub(super) async fn run(app: &App, command: Jobs) -> anyhow::Result<ExitCode> {
    let mut place = Place::open(app, command.remote).await?;
    let code = answer(app, &mut place, command.command).await;
    place.close(app).await;
    code
}

async fn answer(app: &App, place: &mut Place, command: Command) -> anyhow::Result<ExitCode> {
    let (operation, id) = match command {
        Command::List { state, limit } => {
            let page = place.ask("jobs.list", json!({ "state": state, "limit": limit })).await?;
            app.out.answer(&page, || listed(items(&page)))?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Tasks => {
            let tasks = place.ask("jobs.list_tasks", json!({})).await?;
            app.out.answer(&tasks, || told(items(&tasks)))?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Show(Job { id }) => {
            let job = place.ask("jobs.get", json!({ "id": id })).await?;
            let failed = place.ask("jobs.list_failed_items", json!({ "id": id })).await?;
            let answer = json!({ "item": job["item"], "failedItems": failed["items"] });
            app.out.answer(&answer, || shown(&job["item"], items(&failed)))?;
            return Ok(ExitCode::SUCCESS);
        }
        Command::Wait(Job { id }) => {
            wait(app, place, id).await?;
            ("jobs.get", id)
        }
        Command::Pause(Job { id }) => ("jobs.pause", id),
        Command::Resume(Job { id }) => ("jobs.resume", id),
        Command::Cancel(Job { id }) => ("jobs.cancel", id),
        Command::Retry(Job { id }) => ("jobs.retry", id),
    };
    let job = place.ask(operation, json!({ "id": id })).await?;
    app.out.answer(&job, || listed(std::slice::from_ref(&job["item"])))?;
    Ok(if job["item"]["state"] == JobState::Failed.as_str() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Looks at a job until it is over, and says on the way how far it is.
async fn wait(app: &App, place: &mut Place, id: JobId) -> anyhow::Result<()> {
    let mut said = String::new();
    loop {
        let job = place.ask("jobs.get", json!({ "id": id })).await?;
        let state: JobState = serde_json::from_value(job["item"]["state"].clone())?;
        if state.is_over() {
            return Ok(());
        }
        let line = progress(&job["item"]);
        if line != said {
            app.out.remark(&line);
            said = line;
        }
        sleep(LOOK).await;
    }
}

/// How far a job is, in a few words.
fn progress(job: &Value) -> String {
    let share = match job["total"].as_u64() {
        Some(total) => format!("{} of {total}", job["done"]),
        None => job["done"].to_string(),
    };
    let note = job["note"].as_str().map(|note| format!(", {note}")).unwrap_or_default();
    format!("{} {share}{note}", text(job, "state"))
}

fn listed(jobs: &[Value]) -> String {
    if jobs.is_empty() {
        return "There are no jobs.".to_owned();
    }
    let mut list = String::new();
    for job in jobs {
        let failed =
            job["failedItems"].as_u64().filter(|failed| *failed > 0).map(|failed| format!(", {failed} failed")).unwrap_or_default();
        let error = job["error"].as_str().map(|error| format!("\n      {error}")).unwrap_or_default();
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{}  {:<9}  {}: {}{failed}{error}", text(job, "id"), text(job, "state"), text(job, "title"), progress(job));
    }
    list
}

fn shown(job: &Value, failed: &[Value]) -> String {
    let mut list = listed(std::slice::from_ref(job));
    for one in failed {
        let item = text(one, "item");
        let id = one["id"].as_str().filter(|id| *id != item).map(|id| format!(" ({id})")).unwrap_or_default();
        let _ = writeln!(list, "      {item}{id}: {}", text(one, "message"));
    }
    let all = job["failedItems"].as_u64().unwrap_or_default();
    if all > failed.len() as u64 {
        let _ = writeln!(list, "      … and {} more", all - failed.len() as u64);
    }
    list
}

fn told(tasks: &[Value]) -> String {
    if tasks.is_empty() {
        return "No server is running.".to_owned();
    }
    let mut list = String::new();
    for task in tasks {
        let health = match text(task, "health") {
            "well" => "well",
            "missed" => "MISSED",
            _ => "FAILING",
        };
        let error = task["lastError"].as_str().map(|error| format!(": {error}")).unwrap_or_default();
        let _ = writeln!(list, "{}  {health:<8} {}{error}", text(task, "node"), text(task, "name"));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_told_in_a_line_with_its_failure_below() {
        let id = JobId::from_parts(1, 1).to_string();
        let job = json!({ "id": id, "title": "Make sample content", "state": "failed", "done": 3, "total": 5, "note": null, "failedItems": 60, "error": "no disk" });
        let line = format!("{id}  failed     Make sample content: failed 3 of 5, 60 failed\n      no disk\n");
        assert_eq!(listed(std::slice::from_ref(&job)), line);
        let line_seven = json!({ "item": "line 7", "message": "has no title", "id": null });
        let entry = json!({ "item": "Essay", "message": "is locked", "id": id });
        let failed = format!("      line 7: has no title\n      Essay ({id}): is locked\n");
        assert_eq!(shown(&job, &[line_seven, entry]), format!("{line}{failed}      … and 58 more\n"));
        assert_eq!(listed(&[]), "There are no jobs.");
    }
}
