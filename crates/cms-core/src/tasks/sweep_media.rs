//! Removes what the store of files has and no item of the library.

use std::time::Duration;

use cms_frame::{Cms, Error};

use super::{Outcome, Task};

/// How often it looks. What nobody has waits for nobody.
const PAUSE: Duration = Duration::from_mins(1);

/// Removes objects that no item has.
#[derive(Default)]
pub(super) struct SweepMedia;

impl Task for SweepMedia {
    const NAME: &'static str = "sweep_media";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        Ok(if cms_media::sweep::sweep(cms).await? { Outcome::More } else { Outcome::Done })
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(PAUSE)
    }
}
