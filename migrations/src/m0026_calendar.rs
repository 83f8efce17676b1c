//! Finds the entries of all collections by when they were published.

crate::step::migration!(
    "m0026_calendar",
    r"
CREATE INDEX entries_by_publication ON entries (status, published_at, id) WHERE deleted_at IS NULL
"
);
