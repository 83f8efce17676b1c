//! Saved views of lists, personal and shared.

crate::step::migration!(
    "m0022_views",
    r"
CREATE TABLE saved_views (
    id {id} NOT NULL PRIMARY KEY,
    collection_id {id} NOT NULL,
    owner_id {id} NOT NULL,
    name {text} NOT NULL,
    search {text} NOT NULL,
    is_shared boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE INDEX saved_views_collection ON saved_views (collection_id, id);
CREATE INDEX saved_views_owner ON saved_views (owner_id, id)
"
);
