//! Lets what this process remembers follow what other processes do: other servers, and the command line beside a server.
//!
//! What matters is that it is soon, not in which order. Whoever does not know what it missed forgets everything: then nothing is stale.

use std::time::Duration;

use cms_domain::time::Timestamp;
use cms_frame::{Cms, Code, Error, following::BELIEVED};
use cms_storage::Seen;
use tokio::time::{Instant, timeout};

use super::{Outcome, Task};
use crate::rows::Rows;

/// How many events are taken one by one. Whoever has more to catch up with starts anew.
const MOST: usize = 1000;
/// How long the database may take to tell what happened. Shorter than what is remembered is believed.
const PATIENCE: Duration = Duration::from_secs(4);
/// The longest wait after failures in a row: nothing that is remembered is believed meanwhile.
const LONGEST_BACKOFF: Duration = Duration::from_secs(2);

/// Hears what happened since the last time.
#[derive(Default)]
pub(super) struct FollowEvents {
    /// What was seen, and when; none when something may have been missed.
    last: Option<(Seen, Timestamp)>,
}

impl Task for FollowEvents {
    const NAME: &'static str = "follow_events";
    const LONGEST_BACKOFF: Duration = LONGEST_BACKOFF;

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let asked = Instant::now();
        let last = self.last.take();
        let store = Rows::of(cms).following();
        let asking = store.reader().outbox().news(last.as_ref().map(|(seen, _)| seen), MOST);
        let answer = timeout(PATIENCE, asking).await;
        let news = answer.map_err(|_| Error::with(Code::Busy, "the database did not tell in time what happened"))??;
        cms.upkeep().correct_clock(news.now, asked.elapsed());
        // By the database's clock, which goes on while a machine sleeps. Whoever was away may have missed what is no longer kept.
        let was_here = last.is_some_and(|(_, at)| at.until(news.now) < BELIEVED);
        if news.complete && was_here {
            cms.upkeep().follow(&news.events);
        } else {
            cms.upkeep().forget();
        }
        cms.upkeep().heard(asked);
        self.last = Some((news.seen, news.now));
        Ok(Outcome::Done)
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        // Beside other servers a second would be felt; a lone server only has the command line beside it.
        let alone = !Rows::of(cms).backend().has_concurrent_writers();
        Ok(if alone { Duration::from_secs(1) } else { Duration::from_millis(250) })
    }

    async fn woken(cms: &Cms) {
        cms.upkeep().told().notified().await;
    }
}
