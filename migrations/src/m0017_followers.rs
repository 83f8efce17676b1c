//! Followers: whoever is told of everything that happens, once and in its order, with how far each has come.

crate::step::migration!(
    "m0017_followers",
    r"
CREATE TABLE followers (
    id {text} NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    xid bigint NOT NULL,
    seq bigint NOT NULL,
    moved_at bigint NOT NULL,
    attempts integer NOT NULL,
    error text,
    due_at bigint NOT NULL
)
"
);
