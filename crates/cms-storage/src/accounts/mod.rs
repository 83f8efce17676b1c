//! Accounts: sessions and what opens them, what applications were granted, limits, and the trail of who did what.

mod allowed_domains;
mod audit;
mod challenges;
mod connections;
mod device_codes;
mod links;
mod oauth_clients;
mod oauth_codes;
mod oauth_grants;
mod passkeys;
mod provider_records;
mod rate_limits;
mod sessions;

pub use allowed_domains::{AllowedDomain, AllowedDomainReader, AllowedDomainWriter};
pub use audit::{AuditActor, AuditFilter, AuditLine, AuditReader, AuditWriter};
pub use challenges::{Challenge, ChallengeWriter};
pub use connections::{ConnectionReader, ConnectionWriter, StoredConnection};
pub use device_codes::{DeviceCodeReader, DeviceCodeWriter, DeviceStatus, StoredDeviceCode};
pub use links::{Link, LinkKind, LinkReader, LinkWriter};
pub use oauth_clients::{OAuthClientReader, OAuthClientWriter, StoredClient};
pub use oauth_codes::{OAuthCodeWriter, StoredCode};
pub use oauth_grants::{GrantToken, OAuthGrantReader, OAuthGrantWriter, StoredGrant, TokenKind};
pub use passkeys::{PasskeyReader, PasskeyWriter, StoredPasskey};
pub use provider_records::{ProviderRecordReader, ProviderRecordWriter};
pub use rate_limits::RateLimitWriter;
pub use sessions::{SessionReader, SessionWriter, StoredSession};

/// SHA-256 of a secret: the only form in which one is stored.
pub type SecretHash = [u8; 32];
