//! Background tasks: reconcilers without input, safe to repeat and to run on every server at once. They decide when;
//! operations decide what.

mod announce;
pub mod driver;
mod follow_events;
mod follow_media_usage;
pub mod prune;
pub mod publish_due;
pub mod record_use;
pub mod reindex_fields;
pub mod seal_audit;
mod sweep_media;
pub mod tell_hooks;
#[cfg(test)]
mod tests;
mod watch_schedule;
mod watch_version;

use std::time::Duration;

use cms_frame::{Cms, Error};

/// Something that is done again and again.
trait Task: Default + Send + 'static {
    /// Its name in the log and among the tasks' states.
    const NAME: &'static str;
    /// The longest wait after failures in a row.
    const LONGEST_BACKOFF: Duration = Duration::from_mins(1);

    /// Does one step. What it waits for in between is its own affair; a server that stops lets it end.
    fn run(&mut self, cms: &Cms) -> impl Future<Output = Result<Outcome, Error>> + Send;

    /// How long to wait after a step that left nothing to do.
    fn pause(&self, cms: &Cms) -> impl Future<Output = Result<Duration, Error>> + Send;

    /// Ends when there may be something to do before the pause is over.
    fn woken(cms: &Cms) -> impl Future<Output = ()> + Send {
        let _ = cms;
        std::future::pending()
    }

    /// Lets what is still under way come to its end, when the server stops.
    fn end(self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// How a step of a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing is left to do for now.
    Done,
    /// There is more to do: the next step follows at once.
    More,
}

/// Does what the background would do at this moment, until nothing is left to do.
#[cfg(any(test, feature = "testing"))]
pub async fn settle(cms: &Cms) -> Result<(), Error> {
    async fn exhaust(cms: &Cms, mut task: impl Task) -> Result<(), Error> {
        while task.run(cms).await? == Outcome::More {}
        Ok(())
    }
    exhaust(cms, watch_schedule::WatchSchedule).await?;
    exhaust(cms, reindex_fields::ReindexFields).await?;
    exhaust(cms, follow_media_usage::FollowMediaUsage::default()).await?;
    crate::jobs::worker::exhaust(cms).await?;
    exhaust(cms, tell_hooks::TellHooks::default()).await?;
    exhaust(cms, prune::PruneAll::default()).await?;
    exhaust(cms, sweep_media::SweepMedia).await?;
    exhaust(cms, seal_audit::SealLines).await?;
    exhaust(cms, record_use::WriteUses).await
}
