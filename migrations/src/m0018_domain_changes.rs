//! When an allowed domain last changed, so that of two who change it one learns that the other was faster.

crate::step::migration!("m0018_domain_changes", "ALTER TABLE allowed_domains ADD COLUMN updated_at bigint NOT NULL DEFAULT 0");
