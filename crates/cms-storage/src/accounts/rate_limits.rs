//! How often something was done, by whom, in windows of time.

use std::time::Duration;

use cms_domain::time::Timestamp;
use sea_orm::{
    EntityTrait, Set,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use self::entity::{ActiveModel, Column, Entity, Model};
use crate::{Error, column::Stored, executor::Executor, expiry, row::time_value};

mod entity {
    use cms_domain::time::Timestamp;
    use sea_orm::entity::prelude::*;

    use crate::column::Stored;

    #[derive(Debug, Clone, PartialEq, DeriveEntityModel)]
    #[sea_orm(table_name = "rate_limits")]
    pub(super) struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) key: String,
        #[sea_orm(primary_key, auto_increment = false)]
        pub(super) window_start: Stored<Timestamp>,
        pub(super) count: i64,
        pub(super) ends_at: Stored<Timestamp>,
    }

    #[derive(Debug, Clone, Copy, EnumIter, DeriveRelation)]
    pub(super) enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

/// Counts.
#[derive(Clone, Copy)]
pub struct RateLimitWriter<'a> {
    executor: Executor<'a>,
}

impl crate::Tx {
    /// Counts of what is limited.
    pub fn rate_limits(&self) -> RateLimitWriter<'_> {
        RateLimitWriter::new(self.executor())
    }
}

impl<'a> RateLimitWriter<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// Counts once more under a key, in the window that `now` falls into. Answers with the count and with the window's end.
    pub async fn count(self, key: &str, window: Duration, now: Timestamp) -> Result<(i64, Timestamp), Error> {
        let (start, end) = bounds(window, now);
        let first = ActiveModel { key: Set(key.to_owned()), window_start: Set(Stored(start)), count: Set(1), ends_at: Set(Stored(end)) };
        let once_more = Expr::col((Entity, Column::Count)).add(1);
        let or_once_more = OnConflict::columns([Column::Key, Column::WindowStart]).value(Column::Count, once_more).to_owned();
        let counted = Entity::insert(first).on_conflict(or_once_more).exec_with_returning(&self.executor).await?;
        Ok((counted.count, end))
    }

    /// Removes up to `limit` counts of windows that ended until `now`, and says how many.
    pub async fn prune(self, now: Timestamp, limit: usize) -> Result<u64, Error> {
        expiry::remove(self.executor, "rate_limits", "ends_at <= $1", vec![time_value(now)], limit).await
    }
}

/// The window that an instant falls into, and where it ends.
fn bounds(window: Duration, now: Timestamp) -> (Timestamp, Timestamp) {
    let length = Ord::max(i64::try_from(window.as_millis()).unwrap_or(i64::MAX), 1);
    let start = Timestamp::from_milliseconds(now.milliseconds().div_euclid(length) * length);
    (start, start.after(window))
}

/// Reads counts.
#[derive(Clone, Copy)]
pub struct RateLimitReader<'a> {
    executor: Executor<'a>,
}

impl<'a> crate::Reader<'a> {
    /// Counts of what is limited.
    pub fn rate_limits(self) -> RateLimitReader<'a> {
        RateLimitReader::new(self.executor())
    }
}

impl<'a> RateLimitReader<'a> {
    pub(crate) fn new(executor: Executor<'a>) -> Self {
        Self { executor }
    }

    /// What was counted under a key so far in the window that `now` falls into, and the window's end.
    pub async fn counted(self, key: &str, window: Duration, now: Timestamp) -> Result<(i64, Timestamp), Error> {
        let (start, end) = bounds(window, now);
        let counted: Option<Model> = self.executor.find(Entity::find_by_id((key.to_owned(), Stored(start)))).await?;
        Ok((counted.map_or(0, |counted| counted.count), end))
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
            let counted = async |key, seconds| tx.reader().rate_limits().counted(key, Duration::from_mins(1), at(seconds)).await.unwrap();
            assert_eq!((counted("a", 30).await, counted("b", 61).await), ((2, at(60)), (0, at(120))));
            assert_eq!(tx.rate_limits().prune(at(59), 100).await.unwrap(), 0);
            assert_eq!(tx.rate_limits().prune(at(60), 100).await.unwrap(), 2);
            assert_eq!(count("a", 61).await, (2, at(120)));
        }
    }
}
