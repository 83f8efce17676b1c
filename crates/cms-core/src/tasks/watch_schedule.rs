//! Publishes entries when their time has come.

use std::time::Duration;

use cms_content::Content;
use cms_frame::{Cms, Error};

use super::{Outcome, Task, publish_due::publish_due};
use crate::rows::Rows;

/// Looks at what is due. Each look publishes all of it.
#[derive(Default)]
pub(super) struct WatchSchedule;

/// The longest sleep: another server may have scheduled something for sooner.
const LONGEST: Duration = Duration::from_secs(30);
/// The shortest sleep, should what is due stay due.
const SHORTEST: Duration = Duration::from_millis(100);

impl Task for WatchSchedule {
    const NAME: &'static str = "publish_due";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        publish_due(cms).await
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        let next = Rows::of(cms).reader().entries().next_due().await?;
        Ok(next.map_or(LONGEST, |at| cms.now().until(at).clamp(SHORTEST, LONGEST)))
    }

    async fn woken(cms: &Cms) {
        Content::of(cms).due().notified().await;
    }
}
