//! Accounts: who people are, how they sign in, and what they let programs do for them.
//!
//! `cms-auth` proves, this folder decides, `cms-storage` remembers. Every way to sign in ends in [`session::open`], every answer
//! that a browser brings back begins with [`challenge::take`].

pub(crate) mod challenge;
pub(crate) mod session;
pub mod sessions;
pub mod tokens;
pub mod users;
