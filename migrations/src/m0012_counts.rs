//! When a count of requests ends, so that short ones are not kept as long as the longest; and the applications that can give way, in the
//! order in which they do.
//!
//! Counts from before are over: whoever was refused is let in once more.

crate::step::migration!(
    "m0012_counts",
    r"
ALTER TABLE rate_limits ADD COLUMN ends_at bigint NOT NULL DEFAULT 0;
CREATE INDEX rate_limits_end ON rate_limits (ends_at);
CREATE INDEX oauth_clients_unused ON oauth_clients (created_at, id) WHERE registered AND last_used_at IS NULL
"
);
