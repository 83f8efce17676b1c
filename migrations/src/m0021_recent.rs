//! Finds the entries of all collections that changed last, and those of one author.

crate::step::migration!(
    "m0021_recent",
    r"
CREATE INDEX entries_recent ON entries (updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_recent_author ON entries (author_id, updated_at, id) WHERE deleted_at IS NULL
"
);
