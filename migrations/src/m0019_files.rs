//! Files that wait: what is imported until it is in, and what was exported until it is fetched. They come and go in parts, so that nobody waits for one.
//!
//! `file_lines` has the lines of a file that are come back to. `acts_for` of a job is whoever it does what it does for, and how they came.

crate::step::migration!(
    "m0019_files",
    r"
CREATE TABLE files (
    id {id} NOT NULL PRIMARY KEY,
    owner {id},
    job_id {id},
    bytes bigint NOT NULL,
    lines bigint NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX files_job ON files (job_id) WHERE job_id IS NOT NULL;
CREATE INDEX files_expire ON files (expires_at);

CREATE TABLE file_parts (
    file_id {id} NOT NULL REFERENCES files (id),
    number bigint NOT NULL,
    bytes {bytes} NOT NULL,
    PRIMARY KEY (file_id, number)
);

CREATE TABLE file_lines (
    file_id {id} NOT NULL REFERENCES files (id),
    number bigint NOT NULL,
    begins bigint NOT NULL,
    PRIMARY KEY (file_id, number)
);

ALTER TABLE jobs ADD COLUMN acts_for text
"
);
