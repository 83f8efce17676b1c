//! Time and ids from the machine; tests bring their own.

use std::sync::{
    Mutex,
    atomic::{AtomicI64, Ordering},
};

use cms_domain::time::Timestamp;
use ulid::Ulid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Says what the time is by the database's clock, which all servers share. A clock may go by it.
    fn correct(&self, now: Timestamp) {
        let _ = now;
    }
}

/// How far a machine's clock may be off the database's: asking takes time too.
const TOLERATED: i64 = 200;

/// The machine's clock, put right by the database's: what is due, how long a lease lasts and what has expired is the same on every server.
#[derive(Debug, Default)]
pub struct SharedClock {
    /// What is added to the machine's time, in milliseconds.
    offset: AtomicI64,
}

impl Clock for SharedClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_milliseconds(SystemClock.now().milliseconds().saturating_add(self.offset.load(Ordering::Relaxed)))
    }

    fn correct(&self, now: Timestamp) {
        let offset = now.milliseconds().saturating_sub(SystemClock.now().milliseconds());
        if offset.abs_diff(self.offset.load(Ordering::Relaxed)) > TOLERATED.unsigned_abs() {
            tracing::warn!(
                milliseconds = offset,
                "the clock of this machine is off the database's, and is put right by it: is it set by NTP?"
            );
            self.offset.store(offset, Ordering::Relaxed);
        }
    }
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
        clock.correct(ahead(TOLERATED / 2));
        assert!(clock.now() < ahead(TOLERATED / 2), "asking takes time");
        clock.correct(ahead(3_600_000));
        assert!(clock.now() >= ahead(3_600_000 - TOLERATED) && clock.now() < ahead(3_600_000 + TOLERATED));
        clock.correct(ahead(0));
        assert!(clock.now() < ahead(TOLERATED), "and back");
    }

    #[test]
    fn ids_grow_even_within_a_millisecond_and_when_the_clock_goes_back() {
        let ids = SystemIds::default();
        let made: Vec<_> = [5, 5, 5, 4, 6].map(|at| ids.next(Timestamp::from_milliseconds(at))).to_vec();
        assert!(made.is_sorted() && made.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
