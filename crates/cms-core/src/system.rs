//! Time and ids from the machine; tests bring their own.

use std::sync::Mutex;

use cms_domain::time::Timestamp;
use ulid::Ulid;

/// Tells the time.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
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
    fn ids_grow_even_within_a_millisecond_and_when_the_clock_goes_back() {
        let ids = SystemIds::default();
        let made: Vec<_> = [5, 5, 5, 4, 6].map(|at| ids.next(Timestamp::from_milliseconds(at))).to_vec();
        assert!(made.is_sorted() && made.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
