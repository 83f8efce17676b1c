//! What the scheduler asks: which entries are due, when the next one is, and what failed.

use cms_domain::{
    entry::ScheduleFailure,
    id::{CollectionId, EntryId},
    time::Timestamp,
};
use sea_orm::QueryResult;

use super::{EntryReader, EntryWriter};
use crate::{
    Error,
    row::{Row, id_value, optional_time_value, time_value},
};

impl EntryReader<'_> {
    /// Entries whose time has come, with the instant that was planned, the oldest first. Entries whose last attempt failed are
    /// due again when their next one is.
    pub async fn due(self, now: Timestamp, limit: usize) -> Result<Vec<(EntryId, CollectionId, Timestamp)>, Error> {
        const DUE: &str = "SELECT id, collection_id, scheduled_at FROM entries \
            WHERE scheduled_at <= $1 AND scheduled_at IS NOT NULL AND deleted_at IS NULL \
            AND (schedule_attempts = 0 OR schedule_retry_at <= $1) ORDER BY scheduled_at LIMIT $2";
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.executor.all((DUE, [time_value(now), limit.into()])).await?;
        let due = |row: &QueryResult| Ok((row.read_id("id")?, row.read_id("collection_id")?, row.read_time("scheduled_at")?));
        rows.iter().map(due).collect()
    }

    /// When the next entry is due.
    pub async fn next_due(self) -> Result<Option<Timestamp>, Error> {
        const NEXT: &str = "SELECT min(CASE WHEN schedule_attempts = 0 THEN scheduled_at ELSE schedule_retry_at END) AS next \
            FROM entries WHERE scheduled_at IS NOT NULL AND deleted_at IS NULL";
        match self.executor.one(NEXT).await? {
            Some(row) => row.read_optional_time("next"),
            None => Ok(None),
        }
    }
}

impl EntryWriter<'_> {
    /// Notes that publishing an entry at a planned instant failed. Does nothing when another instant is planned by now.
    pub async fn record_schedule_failure(self, id: EntryId, planned: Timestamp, failure: &ScheduleFailure) -> Result<(), Error> {
        const RECORD: &str = "UPDATE entries SET schedule_attempts = $3, schedule_error = $4, schedule_retry_at = $5 \
            WHERE id = $1 AND scheduled_at = $2";
        let attempts = i32::try_from(failure.attempts).unwrap_or(i32::MAX);
        let values = [
            id_value(id),
            time_value(planned),
            attempts.into(),
            failure.last_error.as_str().into(),
            optional_time_value(failure.next_attempt_at),
        ];
        self.executor.execute((RECORD, values)).await.map(|_| ())
    }
}
