//! How the background tasks of each server are doing: one that is well no longer speaks for one that is not.

crate::step::migration!(
    "m0014_nodes",
    r"
CREATE TABLE node_tasks (
    node {text} NOT NULL,
    name {text} NOT NULL,
    last_started_at bigint NOT NULL,
    last_finished_at bigint,
    last_succeeded_at bigint,
    last_error text,
    attempts integer NOT NULL,
    PRIMARY KEY (node, name)
)
"
);
