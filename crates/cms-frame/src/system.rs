//! Time and ids from the machine; tests bring their own.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use cms_domain::time::Timestamp;
use ulid::Ulid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Says what the time was by the database's clock, which all servers share, at some moment of the last while. A clock may go by it.
    fn correct(&self, then: Timestamp, within: Duration) {
        let _ = (then, within);
    }
}

/// How far a clock may be off the database's: clocks are read in whole milliseconds, and threads wait for their turn.
const TOLERATED: Duration = Duration::from_millis(200);

/// A clock that is put right by the database's: what is due, how long a lease lasts and what has expired is the same on every server. It begins
/// with the machine's time and counts on by itself, so that it does not follow when somebody sets the machine's clock.
#[derive(Debug)]
pub struct SharedClock {
    began: Instant,
    /// What time it was when it began, in milliseconds.
    origin: AtomicI64,
}

impl Default for SharedClock {
    fn default() -> Self {
        Self { began: Instant::now(), origin: AtomicI64::new(SystemClock.now().milliseconds()) }
    }
}

impl SharedClock {
    fn elapsed(&self) -> i64 {
        milliseconds(self.began.elapsed())
    }
}

impl Clock for SharedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_milliseconds(self.origin.load(Ordering::Relaxed).saturating_add(self.elapsed()))
    }

    fn correct(&self, then: Timestamp, within: Duration) {
        // It was read some time between the question and the answer: in the middle is never wrong by more than half of that.
        let unsure = within / 2;
        let origin = then.milliseconds().saturating_add(milliseconds(unsure)).saturating_sub(self.elapsed());
        let off = origin.saturating_sub(self.origin.load(Ordering::Relaxed));
        if off.unsigned_abs() > milliseconds(TOLERATED + unsure).unsigned_abs() {
            tracing::warn!(
                milliseconds = off,
                "the clock of this server is off the database's, and is put right by it: is the machine's set by NTP?"
            );
            self.origin.store(origin, Ordering::Relaxed);
        }
    }
}

fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// Makes ids.
pub trait Ids: Send + Sync {
    /// The 16 bytes of a new ULID. Later calls give greater ones.
    fn next(&self, now: Timestamp) -> [u8; 16];
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_milliseconds(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Ids from the clock and the machine's random source, in the order of their making.
#[derive(Debug, Default)]
pub struct SystemIds {
    last: Mutex<Ulid>,
}

impl Ids for SystemIds {
    fn next(&self, now: Timestamp) -> [u8; 16] {
        let milliseconds = u64::try_from(now.milliseconds()).unwrap_or(0);
        let mut last = self.last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        // Within one millisecond, or when the clock went back, count on: ids stay in order.
        let next = match last.increment() {
            Some(next) if last.timestamp_ms() >= milliseconds => next,
            _ => {
                // Without chance an id is still unique on this node: it counts on from the last one.
                let chance = cms_auth::token::random::<16>().map_or(last.random() + 1, u128::from_be_bytes);
                Ulid::from_parts(milliseconds, chance)
            }
        };
        *last = next;
        next.to_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_off_goes_by_the_databases() {
        let clock = SharedClock::default();
        let ahead = |by: i64| Timestamp::from_milliseconds(SystemClock.now().milliseconds() + by);
        let tolerated = milliseconds(TOLERATED);
        clock.correct(ahead(tolerated / 2), Duration::ZERO);
        assert!(clock.now() < ahead(tolerated / 2), "asking takes time");
        clock.correct(ahead(3_600_000), Duration::ZERO);
        assert!(clock.now() >= ahead(3_600_000 - tolerated) && clock.now() < ahead(3_600_000 + tolerated));
        clock.correct(ahead(0), Duration::ZERO);
        assert!(clock.now() < ahead(tolerated), "and back");
        let slow = Duration::from_secs(10);
        clock.correct(ahead(5_000), slow);
        assert!(clock.now() > ahead(10_000 - tolerated), "an answer that took long is good for what it is");
        clock.correct(ahead(5_000), Duration::ZERO);
        clock.correct(ahead(2_000), slow);
        assert!(clock.now() < ahead(5_000 + tolerated), "and for no more");
    }

    #[test]
    fn ids_grow_even_within_a_millisecond_and_when_the_clock_goes_back() {
        let ids = SystemIds::default();
        let made: Vec<_> = [5, 5, 5, 4, 6].map(|at| ids.next(Timestamp::from_milliseconds(at))).to_vec();
        assert!(made.is_sorted() && made.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
