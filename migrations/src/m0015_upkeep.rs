//! Finds when the next entry is due without reading all that are planned: those that were never tried, and those that are tried again.

crate::step::migration!(
    "m0015_upkeep",
    r"
CREATE INDEX entries_first_attempt ON entries (scheduled_at)
    WHERE schedule_attempts = 0 AND scheduled_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX entries_further_attempt ON entries (schedule_retry_at)
    WHERE schedule_retry_at IS NOT NULL AND scheduled_at IS NOT NULL AND deleted_at IS NULL
"
);
