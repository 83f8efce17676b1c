//! How often something may be done: counted in the database, so that all servers count together.

use std::time::Duration;

use serde_json::json;

use crate::{Client, Cms, Code, Error, operation::Limit};

/// The longest window that a limit has. Counts of older ones are removed.
pub(crate) const LONGEST_WINDOW: Duration = Duration::from_hours(24);

/// Counts one more request of a client, and refuses it when there were too many. Clients without an address share one count:
/// a limit that cannot tell them apart must still hold.
pub(crate) async fn admit(cms: &Cms, what: &str, client: &Client, limit: Limit) -> Result<(), Error> {
    let who = client.address.map_or_else(|| "unknown".to_owned(), |address| network(address).to_string());
    count(cms, &format!("{what} {who}"), limit).await
}

/// Counts once more under a key, and refuses what is too much.
pub(crate) async fn count(cms: &Cms, key: &str, limit: Limit) -> Result<(), Error> {
    let now = cms.now();
    let tx = cms.store().write().await?;
    let (count, end) = tx.rate_limits().count(key, limit.within, now).await?;
    // The count stands whatever becomes of the request.
    tx.commit().await?;
    if count <= i64::from(limit.times) {
        return Ok(());
    }
    let seconds = (end.milliseconds() - now.milliseconds()).max(0).unsigned_abs().div_ceil(1000).max(1);
    Err(Error::new(Code::RateLimited).details(json!({ "retryAfter": seconds })))
}

/// An address as limits see it: one IPv6 customer has a whole /64 (RFC 6177).
fn network(address: std::net::IpAddr) -> std::net::IpAddr {
    match address.to_canonical() {
        std::net::IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ std::net::IpAddr::V4(_) => address,
    }
}
