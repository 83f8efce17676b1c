//! Collections with their fields and indexes. The name of a collection outlives its registration, so that content of an
//! unregistered one is found again under its name.

crate::step::migration!(
    "m0002_collections",
    r"
CREATE TABLE content_types (
    id {id} NOT NULL PRIMARY KEY,
    slug {text} NOT NULL
);
CREATE UNIQUE INDEX content_types_slug ON content_types (slug);

CREATE TABLE collections (
    id {id} NOT NULL PRIMARY KEY REFERENCES content_types (id),
    definition text NOT NULL,
    sort_order integer,
    has_leftovers boolean NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);

CREATE TABLE fields (
    id {id} NOT NULL PRIMARY KEY,
    collection_id {id} NOT NULL REFERENCES collections (id),
    slug {text} NOT NULL,
    sort_order integer NOT NULL,
    definition text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX fields_slug ON fields (collection_id, slug);

CREATE TABLE indexes (
    id {serial},
    collection_id {id} NOT NULL REFERENCES content_types (id),
    fields text NOT NULL,
    state smallint NOT NULL,
    cursor {id},
    done bigint NOT NULL,
    total bigint NOT NULL,
    attempts integer NOT NULL,
    last_error text
);
CREATE INDEX indexes_collection ON indexes (collection_id);
"
);
