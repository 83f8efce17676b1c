//! When entries will be taken off the public site again.

crate::step::migration!(
    "m0023_unpublish_at",
    r"
ALTER TABLE entries ADD COLUMN unpublish_at bigint;
CREATE INDEX entries_ending ON entries (unpublish_at) WHERE unpublish_at IS NOT NULL AND deleted_at IS NULL
"
);
