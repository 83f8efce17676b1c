//! Follows which files entries use.

use std::time::Duration;

use cms_frame::{Cms, Error};
use tokio::time::Instant;

use super::{Outcome, Task};

/// How long to wait when nothing happened here: other servers change things, too.
const IDLE: Duration = Duration::from_secs(1);
/// How often it is looked whether every collection is looked through, or will be.
const RESUMED: Duration = Duration::from_secs(30);

/// Follows what happens to entries.
#[derive(Default)]
pub(super) struct FollowMediaUsage {
    resumed: Option<Instant>,
}

impl Task for FollowMediaUsage {
    const NAME: &'static str = "follow_media_usage";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        if cms_media::usage::follow::follow(cms).await? {
            return Ok(Outcome::More);
        }
        if self.resumed.is_none_or(|at| at.elapsed() >= RESUMED) {
            cms_media::usage::follow::resume(cms).await?;
            self.resumed = Some(Instant::now());
        }
        Ok(Outcome::Done)
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(IDLE)
    }

    async fn woken(cms: &Cms) {
        cms.something_happened().await;
    }
}
