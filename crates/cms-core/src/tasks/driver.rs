//! Drives the tasks: when each runs, what becomes of one that fails, and how they stop.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor},
    time::Timestamp,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep},
};

use super::{
    Outcome, Task,
    announce::{announce, listen},
    follow_events::FollowEvents,
    follow_media_usage::FollowMediaUsage,
    prune::PruneAll,
    record_use::WriteUses,
    reindex_fields::ReindexFields,
    seal_audit::SealLines,
    sweep_media::SweepMedia,
    tell_hooks::TellHooks,
    watch_schedule::WatchSchedule,
    watch_version::WatchVersion,
};
use crate::jobs::worker;

/// How often a task says that it is alive when it has nothing else to say.
const HEARTBEAT: Duration = Duration::from_mins(1);
/// After how long without such a sign a server is missed.
pub const MISSED_AFTER: Duration = HEARTBEAT.saturating_mul(5);
/// The longest wait after failures in a row.
const LONGEST_BACKOFF: Duration = Duration::from_mins(1);

/// Runs the background tasks until `shutdown` ends and the steps that were under way are done.
pub async fn run_tasks(cms: Cms, shutdown: impl Future<Output = ()>) {
    let (stop, stopped) = watch::channel(false);
    let cms = cms.beside_requests();
    let node = cms.new_id::<Driver>(cms.now()).to_string();
    tracing::info!(node, "work beside requests begins: `cms doctor` calls this server by that name");
    let mut driver = Driver { cms, node, stopped };
    // From here on what is remembered is believed for as long as somebody follows.
    driver.cms.upkeep().heard(Instant::now());
    let hints = {
        let Driver { cms, node, mut stopped } = driver.clone();
        async move {
            let hints = async { tokio::join!(announce(&cms, &node), listen(&cms, &node)) };
            tokio::select! {
                _ = stopped.wait_for(|stopped| *stopped) => {}
                _ = hints => {}
            }
        }
    };
    tokio::join!(
        hints,
        async {
            shutdown.await;
            driver.cms.upkeep().stop();
            // The drivers hold the other end.
            stop.send_replace(true);
        },
        driver.clone().supervise::<FollowEvents>(),
        async {
            if !driver.clone().knows_the_time().await {
                return;
            }
            tokio::join!(
                driver.clone().supervise::<WatchSchedule>(),
                driver.clone().supervise::<ReindexFields>(),
                driver.clone().supervise::<PruneAll>(),
                driver.clone().supervise::<WriteUses>(),
                driver.clone().supervise::<SealLines>(),
                driver.clone().supervise::<SweepMedia>(),
                driver.clone().supervise::<FollowMediaUsage>(),
                driver.clone().supervise::<TellHooks>(),
                driver.clone().supervise::<WatchVersion>(),
                worker::work(driver.cms.clone(), driver.node.clone(), driver.stopped.clone()),
            );
        },
    );
    driver.leave().await;
}

/// Runs one task until it is stopped.
#[cfg(test)]
pub(super) async fn supervise_alone<T: Task>(cms: Cms, stopped: watch::Receiver<bool>) {
    Driver { cms, node: "alone".to_owned(), stopped }.supervise::<T>().await;
}

/// What one task's driver knows.
#[derive(Clone)]
struct Driver {
    cms: Cms,
    /// Names this server, for as long as it runs.
    node: String,
    stopped: watch::Receiver<bool>,
}

impl Driver {
    /// Waits until the clock was put right by the database's: what is due and what has expired is not a matter of this machine's. Says whether
    /// it was, before the server stops.
    async fn knows_the_time(mut self) -> bool {
        while let Err(error) = FollowEvents::default().run(&self.cms).await {
            tracing::warn!(%error, "the database does not tell the time: nothing is published and nothing is pruned until it does");
            if self.stops_within(FollowEvents::LONGEST_BACKOFF).await {
                return false;
            }
        }
        true
    }

    /// Drives a task, and begins anew with it should it panic: the others never notice.
    async fn supervise<T: Task>(mut self) {
        let mut failures = 0;
        while tokio::spawn(self.clone().drive::<T>()).await.is_err() {
            tracing::error!(task = T::NAME, "task panicked");
            failures += 1;
            if self.stops_within(backoff(failures)).await {
                return;
            }
        }
    }

    async fn drive<T: Task>(mut self) {
        let mut task = T::default();
        let mut journal = Journal::default();
        self.keep_at::<T>(&mut task, &mut journal).await;
        task.end().await;
        // Whoever stops is forgotten: nothing may be said of it later.
        journal.listen().await;
    }

    async fn keep_at<T: Task>(&mut self, task: &mut T, journal: &mut Journal) {
        loop {
            let started_at = self.cms.now();
            let result = match task.run(&self.cms).await {
                Ok(Outcome::More) => Ok(Duration::ZERO),
                Ok(Outcome::Done) => task.pause(&self.cms).await,
                Err(error) => Err(error),
            };
            if let Err(error) = &result {
                tracing::warn!(task = T::NAME, %error, cause = error.private().map(tracing::field::debug), "task failed");
            }
            journal.note::<T>(self, started_at, result.as_ref().err()).await;
            let pause = result.unwrap_or_else(|_| backoff(journal.failures).min(T::LONGEST_BACKOFF));
            if pause.is_zero() {
                if *self.stopped.borrow() {
                    return;
                }
                // Whoever else waits for this thread goes first.
                tokio::task::yield_now().await;
                continue;
            }
            let cms = self.cms.clone();
            tokio::select! {
                stops = self.stops_within(pause) => if stops { return },
                () = T::woken(&cms) => {}
            }
        }
    }

    /// Takes what is known of this server's tasks away: who stopped is not missed.
    async fn leave(&mut self) {
        let Self { cms, node, .. } = self;
        if let Err(error) = cms.invoke(&Actor::System, Door::Local, ForgetNode { node: node.clone() }).await {
            tracing::debug!(%error, "the server could not say that it stops");
        }
    }

    /// Waits; says whether the server stops instead.
    async fn stops_within(&mut self, pause: Duration) -> bool {
        tokio::select! {
            // An error means that nobody is left who could stop it: the driver itself is being dropped.
            _ = self.stopped.wait_for(|stopped| *stopped) => true,
            () = sleep(pause) => false,
        }
    }
}

/// What was last written of a task.
#[derive(Default)]
struct Journal {
    said: Option<Said>,
    /// What is being written, and whether it is stored.
    saying: Option<(Said, JoinHandle<bool>)>,
    failures: u32,
}

/// How a step ended.
struct Said {
    at: Instant,
    failed: bool,
}

impl Journal {
    /// Writes how a step ended: each failure and each recovery, and otherwise a sign of life now and then. The task does not wait for it.
    async fn note<T: Task>(&mut self, driver: &Driver, started_at: Timestamp, error: Option<&Error>) {
        let failed = error.is_some();
        self.failures = if failed { self.failures + 1 } else { 0 };
        if self.saying.as_ref().is_some_and(|(_, saying)| !saying.is_finished()) {
            return;
        }
        self.listen().await;
        if !failed && self.said.as_ref().is_some_and(|said| !said.failed && said.at.elapsed() < HEARTBEAT) {
            return;
        }
        let note = NoteTask {
            name: T::NAME.to_owned(),
            node: driver.node.clone(),
            started_at,
            error: error.map(|error| error.message().to_owned()),
        };
        let cms = driver.cms.clone();
        let saying = async move { cms.invoke(&Actor::System, Door::Local, note).await.is_ok() };
        self.saying = Some((Said { at: Instant::now(), failed }, tokio::spawn(saying)));
    }

    /// Waits for what is being written. What could not be said is said at the next step, such as that a task is well again that failed as the
    /// disk was full.
    async fn listen(&mut self) {
        if let Some((said, saying)) = self.saying.take() {
            self.said = saying.await.unwrap_or(false).then_some(said);
        }
    }
}

/// Note how a task is doing.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NoteTask {
    /// Its name.
    pub name: String,
    /// The server that ran it.
    pub node: String,
    /// When it began.
    pub started_at: Timestamp,
    /// Why it failed; null when it ended well.
    pub error: Option<String>,
}

/// The note is taken.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskNoted {
    /// When the task ended.
    pub at: Timestamp,
}

impl Operation for NoteTask {
    const ID: &'static str = "system.note_task";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = TaskNoted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TaskNoted, Error> {
        let at = cx.now();
        let tasks = cx.tx().await?.tasks();
        tasks.started(&self.name, &self.node, self.started_at).await?;
        match self.error {
            None => tasks.finished(&self.name, &self.node, at).await?,
            Some(error) => tasks.failed(&self.name, &self.node, &error, at).await?,
        }
        Ok(TaskNoted { at })
    }
}

/// Forget how the tasks of a server were doing, because it stops.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ForgetNode {
    /// The server.
    pub node: String,
}

impl Operation for ForgetNode {
    const ID: &'static str = "system.forget_node";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = TaskNoted;

    async fn run(self, cx: &mut Cx<'_>) -> Result<TaskNoted, Error> {
        let at = cx.now();
        cx.tx().await?.tasks().stopped(&self.node).await?;
        Ok(TaskNoted { at })
    }
}

/// 1, 2, 4 … seconds, up to a bound.
fn backoff(failures: u32) -> Duration {
    Duration::from_secs(1 << failures.saturating_sub(1).min(6)).min(LONGEST_BACKOFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_minute() {
        assert_eq!([1, 2, 3, 6, 7, 60].map(|failures| backoff(failures).as_secs()), [1, 2, 4, 32, 60, 60]);
    }
}
