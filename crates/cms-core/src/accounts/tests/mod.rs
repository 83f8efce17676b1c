//! What holds of accounts, on both databases.

mod addresses;
mod invitations;
mod inviters;
mod letters;
mod links;
mod magic_links;
mod notices;
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
