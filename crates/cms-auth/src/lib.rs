//! Proofs of identity. This crate says whether something that was sent proves what it claims to: an access token, an answer of a passkey, somebody's return
//! from a provider such as GitHub, the statement of a gateway. It makes secrets and checks them, and never stores any.
//!
//! Who may come in is not decided here, and who they are is not remembered here: that is `cms-accounts`. What you find here can be used without the rest.
//!
//! # A token
//!
//! Tokens are 256 bits of chance behind a prefix that says what they are. What is stored is a hash, and their owner sees them once:
//!
//! ```
//! use cms_auth::token::{NewToken, hash, is_hash_of, is_plausible};
//!
//! # fn main() -> Result<(), cms_auth::token::RandomError> {
//! let token = NewToken::make("cms_pat_")?;
//! assert!(token.text.starts_with("cms_pat_"));
//! assert_eq!(token.hash, hash(&token.text));
//!
//! // Later, somebody sends a text and says that it is the token. What could not be one
//! // needs no look into the database.
//! assert!(is_plausible("cms_pat_", &token.text));
//! assert!(is_hash_of(&token.hash, &token.text));
//! assert!(!is_hash_of(&token.hash, "cms_pat_somethingelse"));
//! # Ok(())
//! # }
//! ```
//!
//! # Where to go on
//!
//! - [`passkey`]: both ceremonies of WebAuthn, over the checks of `webauthn-rs-core`, and [`decoy`], which keeps strangers from learning who has an account.
//! - [`provider::Provider`]: sign-in elsewhere, as one trait. [`oidc`] and [`github`] implement it, and so can you: `examples/custom_provider.rs` in `cms-core`
//!   signs in the members of a club.
//! - [`gateway`]: who a request is from, where a gateway in front of the server vouches for people.
//! - [`outbound`]: how this crate reaches others over HTTPS.

pub mod address;
pub mod decoy;
pub mod gateway;
#[cfg(feature = "providers")]
pub mod github;
#[cfg(feature = "providers")]
mod oauth;
#[cfg(feature = "providers")]
pub mod oidc;
#[cfg(feature = "providers")]
pub mod outbound;
pub mod passkey;
pub mod provider;
#[cfg(test)]
#[cfg(feature = "providers")]
mod stand;
pub mod token;
