//! The entries that bulk changes are over, in the order in which they are taken, and what has become of each: by that a change is undone.

crate::step::migration!(
    "m0020_bulk",
    r"
CREATE TABLE bulk_entries (
    job_id {id} NOT NULL,
    number bigint NOT NULL,
    entry_id {id} NOT NULL,
    change text,
    PRIMARY KEY (job_id, number)
)
"
);
