//! When the user of a session last proved who they are.
//!
//! A session that a server of an earlier version opens meanwhile has never been proven: its user is asked once more.

crate::step::migration!(
    "m0008_proofs",
    r"
ALTER TABLE sessions ADD COLUMN authenticated_at bigint NOT NULL DEFAULT 0;
UPDATE sessions SET authenticated_at = created_at
"
);
