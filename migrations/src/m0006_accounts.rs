//! Accounts: sessions, the proofs that open them, what applications were granted, and who did what.
//!
//! Secrets are stored as hashes only.

crate::step::migration!(
    "m0006_accounts",
    r"
ALTER TABLE users ADD COLUMN email_verified boolean NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN avatar_url text;
ALTER TABLE users ADD COLUMN welcomed boolean NOT NULL DEFAULT FALSE;
ALTER TABLE users ADD COLUMN last_sign_in_at bigint;
CREATE INDEX users_age ON users (created_at, id);

CREATE TABLE sessions (
    id {id} NOT NULL PRIMARY KEY,
    hash {bytes} NOT NULL,
    user_id {id} NOT NULL REFERENCES users (id),
    method text NOT NULL,
    address text,
    agent text,
    created_at bigint NOT NULL,
    last_used_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX sessions_hash ON sessions (hash);
CREATE INDEX sessions_user ON sessions (user_id, id);
CREATE INDEX sessions_used ON sessions (last_used_at);

CREATE TABLE challenges (
    hash {bytes} NOT NULL PRIMARY KEY,
    kind text NOT NULL,
    browser {bytes},
    user_id {id} REFERENCES users (id),
    data text NOT NULL,
    expires_at bigint NOT NULL
);
CREATE INDEX challenges_expiry ON challenges (expires_at);

CREATE TABLE passkeys (
    id {id} NOT NULL PRIMARY KEY,
    credential_id {bytes} NOT NULL,
    user_id {id} NOT NULL REFERENCES users (id),
    name text NOT NULL,
    credential text NOT NULL,
    transports text NOT NULL,
    user_verified boolean NOT NULL,
    backup_eligible boolean NOT NULL,
    backed_up boolean NOT NULL,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_user ON passkeys (user_id, id);

CREATE TABLE links (
    id {id} NOT NULL PRIMARY KEY,
    hash {bytes} NOT NULL,
    kind {text} NOT NULL,
    email {text} NOT NULL,
    user_id {id} REFERENCES users (id),
    role smallint,
    invited_by {id} REFERENCES users (id),
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX links_hash ON links (hash);
CREATE UNIQUE INDEX links_invitation ON links (email) WHERE kind = 'invitation';
CREATE INDEX links_user ON links (user_id);
CREATE INDEX links_expiry ON links (expires_at);

CREATE TABLE allowed_domains (
    domain {text} NOT NULL PRIMARY KEY,
    default_role smallint NOT NULL,
    enabled boolean NOT NULL,
    created_at bigint NOT NULL
);

CREATE TABLE connections (
    id {id} NOT NULL PRIMARY KEY,
    provider {text} NOT NULL,
    account {text} NOT NULL,
    user_id {id} NOT NULL REFERENCES users (id),
    email text,
    name text,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE UNIQUE INDEX connections_account ON connections (provider, account);
CREATE INDEX connections_user ON connections (user_id);

CREATE TABLE provider_records (
    provider {text} NOT NULL,
    collection {text} NOT NULL,
    key {text} NOT NULL,
    value text NOT NULL,
    expires_at bigint,
    PRIMARY KEY (provider, collection, key)
);
CREATE INDEX provider_records_expiry ON provider_records (expires_at);

CREATE TABLE oauth_clients (
    id {text} NOT NULL PRIMARY KEY,
    name text NOT NULL,
    redirect_uris text NOT NULL,
    grant_types text NOT NULL,
    scopes text,
    registered boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    last_used_at bigint
);
CREATE INDEX oauth_clients_age ON oauth_clients (registered, created_at);

CREATE TABLE oauth_grants (
    id {id} NOT NULL PRIMARY KEY,
    client_id {text} NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    user_id {id} NOT NULL REFERENCES users (id),
    scopes text NOT NULL,
    resource text,
    created_at bigint NOT NULL,
    last_used_at bigint
);
CREATE INDEX oauth_grants_user ON oauth_grants (user_id, id);
CREATE INDEX oauth_grants_client ON oauth_grants (client_id);

CREATE TABLE oauth_tokens (
    hash {bytes} NOT NULL PRIMARY KEY,
    grant_id {id} NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
    kind text NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    spent_at bigint
);
CREATE INDEX oauth_tokens_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens (expires_at);

CREATE TABLE oauth_codes (
    hash {bytes} NOT NULL PRIMARY KEY,
    client_id {text} NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    user_id {id} NOT NULL REFERENCES users (id),
    redirect_uri text NOT NULL,
    scopes text NOT NULL,
    challenge text NOT NULL,
    resource text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    grant_id {id}
);
CREATE INDEX oauth_codes_expiry ON oauth_codes (expires_at);

CREATE TABLE device_codes (
    hash {bytes} NOT NULL PRIMARY KEY,
    user_code {text} NOT NULL,
    client_id {text} NOT NULL REFERENCES oauth_clients (id) ON DELETE CASCADE,
    scopes text NOT NULL,
    resource text,
    status text NOT NULL,
    user_id {id} REFERENCES users (id),
    poll_seconds integer NOT NULL,
    last_polled_at bigint,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE UNIQUE INDEX device_codes_user_code ON device_codes (user_code);
CREATE INDEX device_codes_expiry ON device_codes (expires_at);

CREATE TABLE rate_limits (
    key {text} NOT NULL,
    window_start bigint NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (key, window_start)
);
CREATE INDEX rate_limits_age ON rate_limits (window_start);

CREATE TABLE audit (
    id {id} NOT NULL PRIMARY KEY,
    at bigint NOT NULL,
    action {text} NOT NULL,
    actor_kind text NOT NULL,
    actor_id {id},
    address text,
    resource_type {text} NOT NULL,
    resource_id {text},
    details text
);
CREATE INDEX audit_age ON audit (at);
CREATE INDEX audit_action ON audit (action, id);
CREATE INDEX audit_actor ON audit (actor_id, id);
CREATE INDEX audit_resource ON audit (resource_type, resource_id, id)
"
);
