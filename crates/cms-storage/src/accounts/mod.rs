//! Accounts: sessions and what opens them, what applications were granted, limits, and the trail of who did what.

pub(crate) mod allowed_domains;
pub(crate) mod audit;
mod audit_chain;
mod callers;
mod challenges;
pub(crate) mod connections;
mod device_codes;
pub(crate) mod links;
pub(crate) mod oauth_clients;
mod oauth_codes;
pub(crate) mod oauth_grants;
pub(crate) mod passkeys;
mod provider_records;
mod rate_limits;
mod sessions;
mod ways;

pub use allowed_domains::{AllowedDomain, AllowedDomainReader, AllowedDomainWriter};
pub use audit::{AuditActor, AuditFilter, AuditLine, AuditReader, AuditWriter};
pub use audit_chain::{ChainCheck, ChainFlaw, ChainLink};
pub use callers::{Callers, Credential, Standing};
pub use challenges::{Challenge, ChallengeWriter};
pub use connections::{ConnectionReader, ConnectionWriter, StoredConnection};
pub use device_codes::{DeviceCodeReader, DeviceCodeWriter, DeviceStatus, StoredDeviceCode};
pub use links::{Link, LinkKind, LinkReader, LinkWriter};
pub use oauth_clients::{OAuthClientReader, OAuthClientWriter, StoredClient};
pub use oauth_codes::{OAuthCodeWriter, StoredCode};
pub use oauth_grants::{GrantToken, OAuthGrantReader, OAuthGrantWriter, StoredGrant, TokenKind};
pub use passkeys::{PasskeyReader, PasskeyWriter, StoredPasskey};
pub use provider_records::{ProviderRecordReader, ProviderRecordWriter};
pub use rate_limits::{RateLimitReader, RateLimitWriter};
pub use sessions::{SessionReader, SessionWriter, StoredSession};
pub use ways::{Counted, HeldWays, WayReader};

use cms_domain::{id::Id, time::Timestamp};

use crate::{
    Error,
    executor::Executor,
    row::{id_value, time_value},
    statement::Text,
};

/// SHA-256 of a secret: the only form in which one is stored.
pub type SecretHash = [u8; 32];

/// How many uses one statement notes.
const TOUCHED: usize = 500;

/// Notes when rows of a table were last used; an earlier use than the noted one changes nothing.
pub(crate) async fn touch<K>(executor: Executor<'_>, table: &str, used: &[(Id<K>, Timestamp)]) -> Result<(), Error> {
    // One order for all servers, so that two of them do not wait for each other.
    let mut used: Vec<_> = used.iter().collect();
    used.sort_unstable();
    for batch in used.chunks(TOUCHED) {
        let mut text = Text::new("WITH used(id, at) AS (VALUES ");
        for (n, (id, at)) in batch.iter().enumerate() {
            text.bind_row(n, [id_value(*id), time_value(*at)]);
        }
        text.push(&format!(
            ") UPDATE {table} SET last_used_at = used.at FROM used \
             WHERE {table}.id = used.id AND ({table}.last_used_at IS NULL OR {table}.last_used_at < used.at)"
        ));
        executor.execute(text).await?;
    }
    Ok(())
}
