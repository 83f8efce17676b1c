//! Accounts: sessions and what opens them, what applications were granted, limits, and the trail of who did what.

mod audit;
mod challenges;
mod rate_limits;
mod sessions;

pub use audit::{AuditFilter, AuditLine, AuditReader, AuditWriter};
pub use challenges::{Challenge, ChallengeWriter};
pub use rate_limits::RateLimitWriter;
pub use sessions::{SessionReader, SessionWriter, StoredSession};

/// SHA-256 of a secret: the only form in which one is stored.
pub type SecretHash = [u8; 32];
