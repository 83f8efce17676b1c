//! How often something may be done: counted in the database, so that all servers count together.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use cms_domain::time::Timestamp;
use serde_json::json;

use crate::{Client, Cms, Code, Error, operation::Limit, patience::patiently};

/// How much oftener than one client those may come together who share an address, or who have none. They cannot be told apart: the limit of
/// one would keep a whole site out that forgot to name its proxy, and no limit at all would let everybody guess.
const SHARED: u32 = 20;
/// How much oftener than one address those of a network may come together, by the bits that they share. Customers get a /64 each, small
/// businesses and some homes a /56, organizations a /48 (RFC 6177); without a bound on these, one of them has 65,536 clients. An IPv4 /24
/// is what is routed, and rented, as one.
const IPV6: [(u32, u32); 3] = [(64, 1), (56, 4), (48, 16)];
const IPV4: [(u32, u32); 2] = [(32, 1), (24, 16)];

/// Counts one more request of a client, and refuses it when there were too many: from its address, or from the networks around it.
pub(crate) async fn admit(cms: &Cms, what: &str, client: &Client, limit: Limit) -> Result<(), Error> {
    let counted = |(who, factor): (String, u32)| (format!("{what} {who}"), limit.times.saturating_mul(factor));
    count_all(cms, whereabouts(client).into_iter().map(counted), limit.within).await
}

/// Counts once more under a key, and refuses what is too much.
pub(crate) async fn count(cms: &Cms, key: &str, limit: Limit) -> Result<(), Error> {
    count_all(cms, [(key.to_owned(), limit.times)], limit.within).await
}

/// Counts once more under each key, and refuses what is too much under one of them. What is refused counts no further: one client alone
/// must not use up what its network has.
async fn count_all(cms: &Cms, keys: impl IntoIterator<Item = (String, u32)> + Send, within: Duration) -> Result<(), Error> {
    let now = cms.now();
    let keys: Vec<_> = keys.into_iter().collect();
    // Those of a network that has used up what it has are refused without a trace: they could leave a row for each of its addresses.
    for (key, times) in keys.iter().skip(1) {
        let (count, end) = cms.store().reader().rate_limits().counted(key, within, now).await?;
        if count >= i64::from(*times) {
            return Err(too_often(now, end));
        }
    }
    // Many may come from one network at once.
    let refused = patiently(|| count_once(cms, &keys, within, now)).await?;
    refused.map_or(Ok(()), |end| Err(too_often(now, end)))
}

/// Counts, and says until when it is too much, if it is.
async fn count_once(cms: &Cms, keys: &[(String, u32)], within: Duration, now: Timestamp) -> Result<Option<Timestamp>, Error> {
    let tx = cms.store().write().await?;
    let mut refused = None;
    for (key, times) in keys {
        let (count, end) = tx.rate_limits().count(key, within, now).await?;
        if count > i64::from(*times) {
            refused = Some(end);
            break;
        }
    }
    // The count stands whatever becomes of the request.
    tx.commit().await?;
    Ok(refused)
}

/// The refusal of whoever came too often, until a window ends.
fn too_often(now: Timestamp, end: Timestamp) -> Error {
    let seconds = (end.milliseconds() - now.milliseconds()).max(0).unsigned_abs().div_ceil(1000).max(1);
    Error::new(Code::RateLimited).details(json!({ "retryAfter": seconds }))
}

/// What a client is counted as, the narrowest first, and how much oftener than one client each may come.
fn whereabouts(client: &Client) -> Vec<(String, u32)> {
    let Some(address) = client.address else { return vec![("unknown".to_owned(), SHARED)] };
    if client.shares_address {
        return vec![(format!("{address} shared"), SHARED)];
    }
    match address.to_canonical() {
        IpAddr::V4(address) => {
            let network = |bits| Ipv4Addr::from_bits(address.to_bits() & u32::MAX << (32 - bits));
            IPV4.map(|(bits, factor)| (format!("{}/{bits}", network(bits)), factor)).into()
        }
        IpAddr::V6(address) => {
            let network = |bits| Ipv6Addr::from_bits(address.to_bits() & u128::MAX << (128 - bits));
            IPV6.map(|(bits, factor)| (format!("{}/{bits}", network(bits)), factor)).into()
        }
    }
}
