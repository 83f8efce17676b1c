//! Connections by issuer, and links by whoever made them for somebody else.
//!
//! An account at a provider is known by who vouches for it, not by what the provider is called here. Rows from before have no issuer
//! until the server gives them the one of the provider that has their name when it first starts.

crate::step::migration!(
    "m0007_staff",
    r"
ALTER TABLE connections ADD COLUMN issuer {text};
DROP INDEX connections_account;
CREATE UNIQUE INDEX connections_subject ON connections (issuer, account);
CREATE INDEX links_inviter ON links (invited_by)
"
);
