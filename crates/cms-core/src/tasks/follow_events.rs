//! Lets what this process remembers follow what other processes do: other servers, and the command line beside a server.

use std::time::Duration;

use cms_storage::OutboxPosition;

use super::{Outcome, Task};
use crate::{Cms, Error};

/// How many events are read at once.
const BATCH: usize = 1000;

/// Reads the outbox from where it was.
#[derive(Default)]
pub(super) struct FollowEvents {
    position: Option<OutboxPosition>,
}

impl Task for FollowEvents {
    const NAME: &'static str = "follow_events";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let outbox = cms.store().reader().outbox();
        let Some(position) = self.position else {
            // What was remembered before this position may have missed an event.
            self.position = Some(outbox.head().await?);
            cms.forget();
            return Ok(Outcome::Done);
        };
        let (positions, events): (Vec<_>, Vec<_>) = outbox.read_after(position, BATCH).await?.into_iter().unzip();
        cms.follow(&events);
        self.position = positions.last().copied().or(self.position);
        Ok(if events.len() == BATCH { Outcome::More } else { Outcome::Done })
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        // Beside other servers a second would be felt; a lone server only has the command line beside it.
        let alone = !cms.store().backend().has_concurrent_writers();
        Ok(if alone { Duration::from_secs(1) } else { Duration::from_millis(250) })
    }
}
