//! What the scheduler asks: which entries are due, when the next one is, and what failed.

use cms_domain::{
    entry::ScheduleFailure,
    id::{CollectionId, EntryId},
    time::Timestamp,
};
use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QueryResult, QuerySelect, Set,
    sea_query::{Expr, ExprTrait, Query},
};

use super::{
    EntryReader, EntryWriter,
    row::{
        attempts_number,
        entity::{ActiveModel, Column, Entity},
    },
};
use crate::{
    Error,
    column::Stored,
    row::{Row, at_most, time_value},
};

/// An entry whose time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// The entry.
    pub entry: EntryId,
    /// Its collection.
    pub collection: CollectionId,
    /// The instant that was planned.
    pub planned: Timestamp,
    /// How many attempts failed.
    pub attempts: u32,
}

impl EntryReader<'_> {
    /// Entries whose time has come, the oldest first. Entries whose last attempt failed are due again when their next one is.
    ///
    /// First attempts and further ones have an index each, so that entries that were given up are not met again and again.
    pub async fn due(self, now: Timestamp, limit: usize) -> Result<Vec<Due>, Error> {
        const DUE: &str = "SELECT id, collection_id, scheduled_at, schedule_attempts FROM ( \
            SELECT * FROM (SELECT id, collection_id, scheduled_at, schedule_attempts FROM entries \
                WHERE scheduled_at <= $1 AND schedule_attempts = 0 AND scheduled_at IS NOT NULL AND deleted_at IS NULL \
                ORDER BY scheduled_at LIMIT $2) first_attempts \
            UNION ALL \
            SELECT * FROM (SELECT id, collection_id, scheduled_at, schedule_attempts FROM entries \
                WHERE schedule_retry_at <= $1 AND scheduled_at <= $1 \
                AND schedule_retry_at IS NOT NULL AND scheduled_at IS NOT NULL AND deleted_at IS NULL \
                ORDER BY schedule_retry_at LIMIT $2) further_attempts \
            ) due ORDER BY scheduled_at LIMIT $2";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.executor.all((DUE, [time_value(now), limit.into()])).await?;
        let due = |row: &QueryResult| {
            Ok(Due {
                entry: row.read_id("id")?,
                collection: row.read_id("collection_id")?,
                planned: row.read_time("scheduled_at")?,
                attempts: u32::try_from(row.read::<i32>("schedule_attempts")?).unwrap_or_default(),
            })
        };
        rows.iter().map(due).collect()
    }

    /// Entries whose end has come, with the instant that was planned, the oldest first.
    pub async fn ending(self, now: Timestamp, limit: usize) -> Result<Vec<(EntryId, Timestamp)>, Error> {
        let ending = Entity::find()
            .select_only()
            .columns([Column::Id, Column::UnpublishAt])
            .filter(Column::UnpublishAt.lte(Stored(now)))
            .filter(Column::DeletedAt.is_null())
            .order_by_asc(Column::UnpublishAt)
            .limit(at_most(limit));
        let rows: Vec<(Stored<EntryId>, Stored<Timestamp>)> = ending.into_tuple().all(&self.executor).await?;
        Ok(rows.into_iter().map(|(id, at)| (id.0, at.0)).collect())
    }

    /// When the next entry is due to be published, or to be public no more.
    pub async fn next_due(self) -> Result<Option<Timestamp>, Error> {
        let earliest = |column: Column, condition: Expr| {
            Query::select().expr(Expr::col(column).min()).from(Entity).and_where(condition).and_where(Column::DeletedAt.is_null()).take()
        };
        let planned = Column::ScheduledAt.is_not_null();
        // The number stands in the statement: the index is one of those that were never tried.
        let untried = Column::ScheduleAttempts.into_expr().eq(Expr::Constant(0.into()));
        let next = Query::select()
            .expr_as(Expr::from(earliest(Column::ScheduledAt, planned.clone().and(untried))), "first_attempt")
            .expr_as(Expr::from(earliest(Column::ScheduleRetryAt, planned.and(Column::ScheduleRetryAt.is_not_null()))), "further_attempt")
            .expr_as(Expr::from(earliest(Column::UnpublishAt, Column::UnpublishAt.is_not_null())), "ending")
            .take();
        let Some(row) = self.executor.one(&next).await? else { return Ok(None) };
        let times = ["first_attempt", "further_attempt", "ending"].map(|time| row.read_optional_time(time));
        times.into_iter().try_fold(None, |first: Option<Timestamp>, time| Ok(first.into_iter().chain(time?).min()))
    }
}

impl EntryWriter<'_> {
    /// Notes that publishing an entry at a planned instant failed, and says whether it did: it does nothing when another instant is
    /// planned by now, or when another server noted this attempt already.
    pub async fn record_schedule_failure(self, id: EntryId, planned: Timestamp, failure: &ScheduleFailure) -> Result<bool, Error> {
        let attempts = attempts_number(Some(failure));
        let as_known = Entity::update_many()
            .filter(Column::Id.eq(Stored(id)))
            .filter(Column::ScheduledAt.eq(Stored(planned)))
            .filter(Column::ScheduleAttempts.eq(attempts - 1));
        let failed = ActiveModel {
            schedule_attempts: Set(attempts),
            schedule_error: Set(Some(failure.last_error.clone())),
            schedule_retry_at: Set(failure.next_attempt_at.map(Stored)),
            ..ActiveModel::default()
        };
        Ok(as_known.set(failed).exec(&self.executor).await?.rows_affected > 0)
    }
}
