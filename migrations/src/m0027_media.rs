//! The library: its items, the folders that they are in, files that are announced and awaited, and objects of the store that no item has.

crate::step::migration!(
    "m0027_media",
    r"
CREATE TABLE media_folders (
    id {id} NOT NULL PRIMARY KEY,
    name {text} NOT NULL,
    name_key {text} NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX media_folders_name_key ON media_folders (name_key);

CREATE TABLE media (
    id {id} NOT NULL PRIMARY KEY,
    object_key {text} NOT NULL,
    media_type {text} NOT NULL,
    size bigint NOT NULL,
    sha1 {bytes} NOT NULL,
    sha256 {bytes} NOT NULL,
    picture {text},
    filename {text} NOT NULL,
    filename_key {text} NOT NULL,
    alt {text},
    caption {text},
    focal_point {text},
    folder_id {id},
    author_id {id},
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX media_object_key ON media (object_key);
CREATE UNIQUE INDEX media_sha256 ON media (sha256);
CREATE INDEX media_sha1 ON media (sha1);
CREATE INDEX media_by_folder ON media (folder_id, id);
CREATE INDEX media_by_type ON media (media_type, id);

CREATE TABLE media_awaited (
    id {id} NOT NULL PRIMARY KEY,
    object_key {text} NOT NULL,
    filename {text} NOT NULL,
    media_type {text} NOT NULL,
    size bigint NOT NULL,
    arrived {text},
    author_id {id},
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX media_awaited_expire ON media_awaited (expires_at);

CREATE TABLE loose_files (
    object_key {text} NOT NULL PRIMARY KEY,
    due_at bigint NOT NULL
);
CREATE INDEX loose_files_due ON loose_files (due_at)
"
);
