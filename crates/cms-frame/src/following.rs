//! How long ago this process last knew everything that others did, and so whether what it remembers may be believed.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::time::Instant;

/// For how long a process that does not hear what others do believes what it remembers.
pub const BELIEVED: Duration = Duration::from_secs(5);

/// Says whether somebody follows what others do, and when they last knew everything.
#[derive(Debug)]
pub struct Following {
    began: Instant,
    /// Milliseconds since the beginning, and one; zero while nobody follows.
    heard: AtomicU64,
}

impl Default for Following {
    fn default() -> Self {
        Self { began: Instant::now(), heard: AtomicU64::new(0) }
    }
}

impl Following {
    /// Everything that others had done at an instant is known.
    pub(crate) fn heard(&self, at: Instant) {
        let milliseconds = u64::try_from(at.saturating_duration_since(self.began).as_millis()).unwrap_or(u64::MAX - 1);
        self.heard.fetch_max(milliseconds + 1, Ordering::AcqRel);
    }

    /// How long ago everything was known; none where nobody follows, because nobody else is there.
    pub(crate) fn lag(&self) -> Option<Duration> {
        self.lag_at(Instant::now())
    }

    fn lag_at(&self, now: Instant) -> Option<Duration> {
        let heard = self.heard.load(Ordering::Acquire).checked_sub(1)?;
        Some(now.saturating_duration_since(self.began).saturating_sub(Duration::from_millis(heard)))
    }

    /// Whether what is remembered may be believed. Otherwise it is passed over: the rows say how things are.
    pub fn is_current(&self) -> bool {
        self.is_current_at(Instant::now())
    }

    fn is_current_at(&self, now: Instant) -> bool {
        self.lag_at(now).is_none_or(|lag| lag < BELIEVED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_hears_nothing_for_five_seconds_is_not_current_until_they_do() {
        let following = Following::default();
        let begin = Instant::now();
        let later = begin + BELIEVED + Duration::from_millis(1);
        assert!(following.is_current_at(later), "nobody follows");
        following.heard(begin);
        assert!(following.is_current_at(begin + BELIEVED - Duration::from_millis(1)));
        assert!(!following.is_current_at(later));
        following.heard(later);
        assert!(following.is_current_at(later));
        following.heard(begin);
        assert!(following.is_current_at(later), "what is known is not unknown again");
    }
}
