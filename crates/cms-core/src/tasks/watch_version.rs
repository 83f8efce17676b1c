//! Looks whether a newer program took away what this one needs.

use std::time::Duration;

use cms_frame::{Cms, Error};

use super::{Outcome, Task};
use crate::rows::Rows;

/// How long this server may go on working on tables that are not its own any more. Migrations that take something away come a release later
/// than those that replace it, so that what is done meanwhile is what the release before did all along.
const PAUSE: Duration = Duration::from_secs(5);

/// Looks at the migration that programs must know.
#[derive(Default)]
pub(super) struct WatchVersion;

impl Task for WatchVersion {
    const NAME: &'static str = "watch_version";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        cms.note_min_program(Rows::of(cms).on_watch().min_program().await?);
        Ok(Outcome::Done)
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(PAUSE)
    }
}
