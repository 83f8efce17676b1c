//! Jobs: work that goes on beside requests, and what of it failed.
//!
//! `due_at` is when whoever finds a job may take it: at its next attempt, or when the server that does it was not heard of any more. It is
//! empty while a job is stopped, and when it is over. Of the jobs of one `name` one is under way.

crate::step::migration!(
    "m0016_jobs",
    r"
CREATE TABLE jobs (
    id {id} NOT NULL PRIMARY KEY,
    kind {text} NOT NULL,
    version integer NOT NULL,
    input text NOT NULL,
    name {text},
    asked_by {id},
    priority smallint NOT NULL,
    state {text} NOT NULL,
    done bigint NOT NULL,
    total bigint,
    note text,
    errors bigint NOT NULL,
    checkpoint text,
    result text,
    error text,
    attempts integer NOT NULL,
    claim bigint NOT NULL,
    node text,
    due_at bigint,
    created_at bigint NOT NULL,
    started_at bigint,
    finished_at bigint
);
CREATE INDEX jobs_due ON jobs (priority, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX jobs_state ON jobs (state, id);
CREATE INDEX jobs_open ON jobs (id) WHERE finished_at IS NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_name ON jobs (name) WHERE finished_at IS NULL AND name IS NOT NULL;

CREATE TABLE job_errors (
    job_id {id} NOT NULL REFERENCES jobs (id),
    number bigint NOT NULL,
    item text NOT NULL,
    message text NOT NULL,
    PRIMARY KEY (job_id, number)
)
"
);
