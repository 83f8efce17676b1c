//! What waits for approval: the publication date of a staged edit; and preview links, each with whoever made it.
//!
//! A link that was made with an access token goes with the token, and one that an application made goes with its grant. Links made
//! before have no rows and open nothing any more; `preview_revocations` stays for servers that are not updated yet.

crate::step::migration!(
    "m0011_approval",
    r"
ALTER TABLE entries ADD COLUMN draft_published_at bigint;

CREATE TABLE preview_links (
    id {id} NOT NULL PRIMARY KEY,
    hash {bytes} NOT NULL,
    entry_id {id} NOT NULL,
    user_id {id} REFERENCES users (id),
    token_id {id} REFERENCES tokens (id) ON DELETE CASCADE,
    grant_id {id} REFERENCES oauth_grants (id) ON DELETE CASCADE,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX preview_links_hash ON preview_links (hash);
CREATE INDEX preview_links_entry ON preview_links (entry_id, id);
CREATE INDEX preview_links_user ON preview_links (user_id);
CREATE INDEX preview_links_token ON preview_links (token_id);
CREATE INDEX preview_links_grant ON preview_links (grant_id);
CREATE INDEX preview_links_expiry ON preview_links (expires_at)
"
);
