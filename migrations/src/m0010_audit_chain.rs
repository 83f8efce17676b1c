//! The audit log says more of each line, and its lines are a chain: each has a number and a hash that depends on all before it.
//!
//! A line is written without number and hash, with what it tells of, and sealed soon after: then its place in the chain is known.

crate::step::migration!(
    "m0010_audit_chain",
    r"
ALTER TABLE audit ADD COLUMN actor_name text;
ALTER TABLE audit ADD COLUMN resource_label text;
ALTER TABLE audit ADD COLUMN agent text;
ALTER TABLE audit ADD COLUMN request_id {text};
ALTER TABLE audit ADD COLUMN door text;
ALTER TABLE audit ADD COLUMN number bigint;
ALTER TABLE audit ADD COLUMN hash {bytes};
CREATE UNIQUE INDEX audit_number ON audit (number);
CREATE INDEX audit_unsealed ON audit (id) WHERE number IS NULL;
CREATE INDEX audit_request ON audit (request_id, id)
"
);
