//! How often, and for how long, work is done again that other transactions kept from being done.

use std::time::{Duration, Instant};

use tokio::time::sleep;

use crate::Error;

/// How often work that lost against another transaction is done again before its caller is told to.
const ATTEMPTS: u32 = 4;
/// A quarter of the longest pause before the second attempt; each further pause is up to four times as long. A transaction takes some
/// milliseconds.
const FIRST_PAUSE: Duration = Duration::from_millis(4);
/// For how long work is begun again that gave way to others, because somebody held a row that it needs or changed what it had read. Meanwhile it
/// keeps nothing that others wait for.
const GIVES_WAY: Duration = Duration::from_secs(3);

/// What is left of it for one piece of work.
#[derive(Debug)]
pub(crate) struct Patience {
    began: Instant,
    lost: u32,
}

impl Patience {
    pub(crate) fn new() -> Self {
        Self { began: Instant::now(), lost: 0 }
    }

    /// Waits before the work is done again that failed; gives the error back when it is to fail.
    pub(crate) async fn wait(&mut self, error: Error) -> Result<(), Error> {
        let Some(pause) = self.pause(&error) else { return Err(error) };
        sleep(pause).await;
        Ok(())
    }

    /// How long to wait; none when there is nothing to wait for.
    fn pause(&mut self, error: &Error) -> Option<Duration> {
        if error.is_overtaken() {
            self.lost = (self.lost + 1).min(ATTEMPTS - 1);
            return (self.began.elapsed() < GIVES_WAY).then(|| pause(self.lost));
        }
        if error.is_worth_another_try() && self.lost + 1 < ATTEMPTS {
            self.lost += 1;
            return Some(pause(self.lost));
        }
        (error.is_worth_waiting() && self.began.elapsed() < GIVES_WAY).then(|| pause(ATTEMPTS - 1))
    }
}

/// Does work, which begins a transaction of its own, until it does not lose any more or there is nothing to wait for.
pub(crate) async fn patiently<T, F: Future<Output = Result<T, Error>>>(work: impl Fn() -> F) -> Result<T, Error> {
    let mut patience = Patience::new();
    loop {
        match work().await {
            Err(error) => patience.wait(error).await?,
            Ok(done) => return Ok(done),
        }
    }
}

/// How long who lost waits before another try: by chance, so that those who met do not meet again, and longer each time.
fn pause(attempt: u32) -> Duration {
    let longest = FIRST_PAUSE.saturating_mul(1 << (2 * attempt).min(8));
    // Without chance the longest pause is as good as another.
    cms_auth::token::random::<2>().map_or(longest, |chance| longest * u32::from(u16::from_be_bytes(chance)) / u32::from(u16::MAX))
}
