//! What the server keeps for itself: settings, the heartbeats of its tasks, and the outbox.
//!
//! An event carries the number of its transaction where transactions run side by side, because serial numbers are given in
//! another order than transactions end in; SQLite runs one at a time and stores zero.

use crate::step::Step;

const TABLES: &str = r"
CREATE TABLE settings (
    name {text} NOT NULL PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE task_state (
    name {text} NOT NULL PRIMARY KEY,
    last_started_at bigint,
    last_finished_at bigint,
    last_succeeded_at bigint,
    last_error text,
    attempts integer NOT NULL,
    node text
);
";

const SQLITE_OUTBOX: &str = r"
CREATE TABLE outbox (
    seq {sequence},
    xid bigint NOT NULL DEFAULT 0,
    at bigint NOT NULL,
    event text NOT NULL
);
CREATE INDEX outbox_at ON outbox (at);
";

const POSTGRES_OUTBOX: &str = r"
CREATE TABLE outbox (
    seq {sequence},
    xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text::bigint),
    at bigint NOT NULL,
    event text NOT NULL
);
CREATE INDEX outbox_order ON outbox (xid, seq);
CREATE INDEX outbox_at ON outbox (at);
";

pub(crate) const STEP: Step = Step::expands("m0005_server", &[TABLES, SQLITE_OUTBOX], &[TABLES, POSTGRES_OUTBOX]);
