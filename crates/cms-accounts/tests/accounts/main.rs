//! What holds of accounts, on both databases.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod addresses;
mod invitations;
mod inviters;
mod letters;
mod links;
mod magic_links;
mod notices;
mod oauth;
mod passkey_sign_in;
mod passkeys;
mod policies;
mod proofs;
mod provider_records;
mod setup;
mod sign_up;
mod staff;
mod stolen_sessions;
mod strangers;
mod tokens;
mod trail;
mod users;
