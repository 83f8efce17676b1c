//! Accounts: who people are, how they sign in, and what they let programs do for them.
//!
//! `cms-auth` proves, this folder decides, `cms-storage` remembers. Every way to sign in ends in `session::open`, every answer
//! that a browser brings back begins with `challenge::take`.

pub mod accept_invitation;
pub mod account;
pub mod allowed_domains;
pub mod audit;
pub mod audit_export;
pub mod binary;
pub(crate) mod challenge;
pub mod connections;
pub mod email_change;
pub mod end_access;
pub(crate) mod endings;
pub mod enter_by_provider;
pub mod gateway;
pub mod invitations;
pub mod links;
pub mod magic_link;
pub(crate) mod notices;
pub mod passkey_sign_in;
pub mod passkeys;
pub mod policies;
pub mod proof;
pub mod prove_by_link;
pub mod prove_by_passkey;
pub mod prove_by_provider;
pub mod provider_records;
pub mod provider_sign_in;
pub mod providers;
pub mod recovery;
pub mod registration;
pub mod rescue;
pub(crate) mod roles;
pub(crate) mod session;
pub mod sessions;
pub mod setup;
pub mod sign_up;
#[cfg(test)]
mod tests;
pub mod tokens;
pub mod user_access;
pub mod users;
pub(crate) mod ways;
