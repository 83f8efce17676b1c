//! Proofs of identity: makes and checks secrets, and never stores any.

pub mod preview;
pub mod token;
