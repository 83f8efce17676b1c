//! Which entry an item of a job is that failed, and why it did as programs read it.

crate::step::migration!(
    "m0025_failed_items",
    r"
ALTER TABLE job_errors ADD COLUMN entry_id {id};
ALTER TABLE job_errors ADD COLUMN code {text}
"
);
