//! What a program must know to work on these tables: the number of the newest migration that took something away.
//!
//! Programs from before do not look at it. They take other locks than later ones, so they must not run beside them: stop them before the
//! upgrade. From here on servers of two releases run side by side.

crate::step::migration!(
    "m0013_versions",
    contracts,
    r"
CREATE TABLE schema_version (
    id smallint NOT NULL PRIMARY KEY CHECK (id = 1),
    min_program integer NOT NULL
);
INSERT INTO schema_version (id, min_program) VALUES (1, 0)
"
);
