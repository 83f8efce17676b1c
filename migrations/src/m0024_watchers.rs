//! Who has which entry open: a row for each entry and event stream.

crate::step::migration!(
    "m0024_watchers",
    r"
CREATE TABLE entry_watchers (
    entry_id {id} NOT NULL,
    stream_id {id} NOT NULL,
    user_id {id} NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (entry_id, stream_id)
)
"
);
