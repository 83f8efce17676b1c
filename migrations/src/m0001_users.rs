//! Users and their access tokens.

crate::step::migration!(
    "m0001_users",
    r"
CREATE TABLE users (
    id {id} NOT NULL PRIMARY KEY,
    email {text} NOT NULL,
    name text,
    role smallint NOT NULL,
    disabled boolean NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE UNIQUE INDEX users_email ON users (email);

CREATE TABLE tokens (
    id {id} NOT NULL PRIMARY KEY,
    user_id {id} NOT NULL REFERENCES users (id),
    name text NOT NULL,
    prefix text NOT NULL,
    hash {bytes} NOT NULL,
    scopes text NOT NULL,
    expires_at bigint,
    last_used_at bigint,
    created_at bigint NOT NULL
);
CREATE UNIQUE INDEX tokens_hash ON tokens (hash);
CREATE INDEX tokens_user ON tokens (user_id, id);
"
);
