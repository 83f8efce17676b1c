//! Finds the codes of an application: one without codes can give way to another, and one that goes takes its codes along.

crate::step::migration!(
    "m0009_oauth_indexes",
    r"
CREATE INDEX oauth_codes_client ON oauth_codes (client_id);
CREATE INDEX device_codes_client ON device_codes (client_id);
"
);
