//! How often something was done, by whom, in windows of time.

use std::time::Duration;

use cms_domain::time::Timestamp;

use crate::{
    Error,
    executor::Executor,
    row::{Row, time_value},
};

/// Counts.
#[derive(Clone, Copy)]
pub struct RateLimitWriter<'a> {
    executor: Executor<'a>,
}

impl<'a> RateLimitWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Counts once more under a key, in the window that `now` falls into. Answers with the count and with the window's end.
    pub async fn count(self, key: &str, window: Duration, now: Timestamp) -> Result<(i64, Timestamp), Error> {
        const COUNT: &str = "INSERT INTO rate_limits AS l (key, window_start, count) VALUES ($1, $2, 1) \
            ON CONFLICT (key, window_start) DO UPDATE SET count = l.count + 1 RETURNING count";
        let length = i64::try_from(window.as_millis()).unwrap_or(i64::MAX).max(1);
        let start = Timestamp::from_milliseconds(now.milliseconds().div_euclid(length) * length);
        let row = self.executor.one((COUNT, [key.into(), time_value(start)])).await?;
        let count = row.ok_or(Error::Busy)?.read("count")?;
        Ok((count, start.after(window)))
    }

    /// Removes the counts of windows that began before `before`.
    pub async fn prune(self, before: Timestamp) -> Result<u64, Error> {
        self.executor.execute(("DELETE FROM rate_limits WHERE window_start < $1", [time_value(before)])).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Store, both};

    both! {
        async fn each_window_counts_from_one(store: Store) {
            let tx = store.write().await.unwrap();
            let at = |seconds: i64| Timestamp::from_milliseconds(seconds * 1000);
            let count = async |key, seconds| tx.rate_limits().count(key, Duration::from_mins(1), at(seconds)).await.unwrap();
            assert_eq!(count("a", 5).await, (1, at(60)));
            assert_eq!(count("a", 59).await, (2, at(60)));
            assert_eq!(count("b", 59).await, (1, at(60)));
            assert_eq!(count("a", 60).await, (1, at(120)));
            assert_eq!(tx.rate_limits().prune(at(60)).await.unwrap(), 2);
            assert_eq!(count("a", 61).await, (2, at(120)));
        }
    }
}
