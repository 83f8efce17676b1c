//! Entries, what is derived from them, and their revisions.
//!
//! `-62135596800001` is one millisecond before the first instant that a timestamp can hold: it stands for a missing date, so
//! that no column of a list's order is null.

crate::step::migration!(
    "m0003_entries",
    r"
CREATE TABLE entries (
    id {id} NOT NULL PRIMARY KEY,
    collection_id {id} NOT NULL REFERENCES content_types (id),
    locale {text} NOT NULL,
    translation_group {id} NOT NULL,
    slug {text},
    status smallint NOT NULL,
    author_id {id},
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    published_at bigint,
    ever_live boolean NOT NULL,
    scheduled_at bigint,
    deleted_at bigint,
    live_revision {id},
    draft_revision {id},
    schedule_attempts integer NOT NULL,
    schedule_error text,
    schedule_retry_at bigint,
    seo text,
    data text NOT NULL,
    draft text
);
CREATE UNIQUE INDEX entries_slug ON entries (collection_id, slug, locale);
CREATE UNIQUE INDEX entries_translation ON entries (translation_group, locale);
CREATE INDEX entries_all ON entries (collection_id, id);
CREATE INDEX entries_created ON entries (collection_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_updated ON entries (collection_id, updated_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_published ON entries (collection_id, (coalesce(published_at, -62135596800001)), id) WHERE deleted_at IS NULL;
CREATE INDEX entries_scheduled ON entries (collection_id, (coalesce(scheduled_at, -62135596800001)), id) WHERE deleted_at IS NULL;
CREATE INDEX entries_by_slug ON entries (collection_id, (coalesce(slug, '')), id) WHERE deleted_at IS NULL;
CREATE INDEX entries_status ON entries (collection_id, status, locale, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_locale ON entries (collection_id, locale, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_author ON entries (collection_id, author_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX entries_trash ON entries (collection_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
CREATE INDEX entries_due ON entries (scheduled_at) WHERE scheduled_at IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE entry_index (
    index_id integer NOT NULL,
    stage smallint NOT NULL,
    key {bytes} NOT NULL,
    sort_at bigint NOT NULL,
    entry_id {id} NOT NULL,
    PRIMARY KEY (index_id, stage, key, sort_at, entry_id)
) {clustered};
CREATE INDEX entry_index_entry ON entry_index (entry_id, index_id, stage);

CREATE TABLE entry_unique (
    field_id {id} NOT NULL,
    locale {text} NOT NULL,
    key {bytes} NOT NULL,
    entry_id {id} NOT NULL,
    PRIMARY KEY (field_id, locale, key)
) {clustered};
CREATE INDEX entry_unique_entry ON entry_unique (entry_id);

CREATE TABLE entry_references (
    field_id {id} NOT NULL,
    entry_id {id} NOT NULL,
    stage smallint NOT NULL,
    position integer NOT NULL,
    target_id {id} NOT NULL,
    PRIMARY KEY (field_id, entry_id, stage, position)
) {clustered};
CREATE INDEX entry_references_entry ON entry_references (entry_id);
CREATE INDEX entry_references_target ON entry_references (target_id);

CREATE TABLE entry_counts (
    collection_id {id} NOT NULL,
    status smallint NOT NULL,
    locale {text} NOT NULL,
    shard smallint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (collection_id, status, locale, shard)
) {clustered};

CREATE TABLE revisions (
    id {id} NOT NULL PRIMARY KEY,
    collection_id {id} NOT NULL REFERENCES content_types (id),
    entry_id {id} NOT NULL,
    document text NOT NULL,
    author_id {id},
    autosave boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE INDEX revisions_entry ON revisions (entry_id, id);
CREATE INDEX revisions_collection ON revisions (collection_id, id);
"
);
