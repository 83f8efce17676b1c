//! Edit locks, and the instants before which preview links no longer count.

crate::step::migration!(
    "m0004_editing",
    r"
CREATE TABLE edit_locks (
    entry_id {id} NOT NULL PRIMARY KEY,
    user_id {id} NOT NULL,
    token {text},
    acquired_at bigint NOT NULL,
    expires_at bigint NOT NULL
);

CREATE TABLE preview_revocations (
    entry_id {id} NOT NULL PRIMARY KEY,
    revoked_before bigint NOT NULL
);
"
);
