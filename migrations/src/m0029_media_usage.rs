//! Which entries use which files, and how far that is known of each collection. It is derived, and can be built anew at any time.

crate::step::migration!(
    "m0029_media_usage",
    r"
CREATE TABLE media_usage (
    media_id {id} NOT NULL,
    collection_id {id} NOT NULL,
    entry_id {id} NOT NULL,
    counts boolean NOT NULL,
    PRIMARY KEY (media_id, collection_id, entry_id)
);
CREATE INDEX media_usage_by_entry ON media_usage (entry_id);
CREATE INDEX media_usage_by_collection ON media_usage (collection_id);

CREATE TABLE media_usage_coverage (
    collection_id {id} NOT NULL PRIMARY KEY,
    status smallint NOT NULL,
    looks_at {text} NOT NULL,
    entries bigint NOT NULL,
    failed bigint NOT NULL,
    begun_at bigint NOT NULL,
    ended_at bigint
)
"
);
