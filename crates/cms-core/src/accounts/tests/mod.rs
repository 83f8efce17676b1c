//! What holds of accounts, on both databases.

mod addresses;
mod invitations;
mod letters;
mod magic_links;
mod passkey_sign_in;
mod passkeys;
mod setup;
mod sign_up;
mod tokens;
mod trail;
mod users;
