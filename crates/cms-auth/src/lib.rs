//! Proofs of identity: makes and checks secrets, and never stores any.

pub mod decoy;
pub mod gateway;
pub mod github;
mod oauth;
pub mod oidc;
pub mod outbound;
pub mod passkey;
pub mod provider;
#[cfg(test)]
mod stand;
pub mod token;
