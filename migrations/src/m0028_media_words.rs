//! What else people say of files: tags, and texts in other languages; and where an announced file is to go.

crate::step::migration!(
    "m0028_media_words",
    r"
ALTER TABLE media ADD COLUMN tags {text};
ALTER TABLE media ADD COLUMN tag_keys {text};
ALTER TABLE media ADD COLUMN translations {text};
ALTER TABLE media_awaited ADD COLUMN folder_id {id}
"
);
