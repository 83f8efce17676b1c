//! Reads where a request comes from, of what the proxies in front of the server say about it.

use std::{
    net::IpAddr,
    sync::atomic::{AtomicI64, Ordering},
};

use cms_domain::time::Timestamp;
use http::{HeaderMap, HeaderName, header};

/// The header in which proxies say for whom they ask. One is believed and never the other: a proxy sets one of them, and passes the other on
/// as whoever is behind it wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ForwardedHeader {
    /// `X-Forwarded-For`: addresses with commas between them.
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239), whose parameter `for` has the address.
    Forwarded,
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// How often it is worth saying that a header is not believed, in milliseconds: once an hour.
const SAID_EVERY: i64 = 60 * 60 * 1000;

impl ForwardedHeader {
    const fn name(self) -> HeaderName {
        match self {
            Self::XForwardedFor => X_FORWARDED_FOR,
            Self::Forwarded => header::FORWARDED,
        }
    }

    /// The address that the outermost of so many trusted proxies saw. Each appends what it saw, so that the list is good from its end, and
    /// only as far as the proxies are ours: what comes before may be any bytes at all, and changes nothing. Quotes do not hold a list
    /// together for the same reason: whoever opens one must not swallow what a proxy appends.
    pub(crate) fn client(self, headers: &HeaderMap, trusted_hops: usize) -> Option<IpAddr> {
        let back = trusted_hops.checked_sub(1)?;
        let lines: Vec<&[u8]> = headers.get_all(self.name()).iter().map(http::HeaderValue::as_bytes).collect();
        let hop = lines.iter().rev().flat_map(|line| line.rsplit(|byte| *byte == b',')).nth(back)?;
        let hop = std::str::from_utf8(hop).ok()?;
        match self {
            Self::XForwardedFor => node(hop),
            Self::Forwarded => hop.split(';').find_map(|parameter| {
                let (name, value) = parameter.split_once('=')?;
                name.trim().eq_ignore_ascii_case("for").then(|| node(value))?
            }),
        }
    }
}

/// The address of a node: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`, quoted or not.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text);
    let address = match (text.strip_prefix('['), text.split_once(':')) {
        (Some(bracketed), _) => bracketed.split_once(']')?.0,
        // A second colon makes it an IPv6 address, which has no port without brackets.
        (None, Some((address, port))) if !port.contains(':') => address,
        (None, _) => text,
    };
    address.parse().ok()
}

/// Whether a request says for whom it was forwarded.
pub(crate) fn is_said(headers: &HeaderMap) -> bool {
    headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(header::FORWARDED)
}

/// Whether an address is one that only neighbours have: proxies on the machine itself, or in its network.
pub(crate) fn is_nearby(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => address.is_loopback() || address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local(),
    }
}

/// Says, once an hour and process, that requests were forwarded by nobody who is trusted: until then nothing else shows why all clients of a
/// proxy share one limit.
pub(crate) fn warn(peer: Option<IpAddr>, now: Timestamp) {
    static SAID: AtomicI64 = AtomicI64::new(i64::MIN);
    if is_time(&SAID, now.milliseconds()) {
        tracing::warn!(
            peer = peer.map(tracing::field::display),
            "a request says for whom it was forwarded, and no proxy is trusted to say so: if there is one in front of this server, say how many \
             with `server.trusted_proxies`; until then all of its clients share one limit"
        );
    }
}

/// Whether it is time to say something again. Of those who ask at the same time one is told so.
fn is_time(said: &AtomicI64, now: i64) -> bool {
    let before = said.load(Ordering::Relaxed);
    now.saturating_sub(before) >= SAID_EVERY && said.compare_exchange(before, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn sent(header: ForwardedHeader, lines: &[Vec<u8>]) -> HeaderMap {
        lines.iter().map(|line| (header.name(), HeaderValue::from_bytes(line).unwrap())).collect()
    }

    #[test]
    fn an_address_is_read_however_a_proxy_spells_it() {
        for (text, address) in [
            ("192.0.2.1", Some("192.0.2.1")),
            (" 192.0.2.1:4711 ", Some("192.0.2.1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]", Some("2001:db8::1")),
            ("[2001:db8::1]:4711", Some("2001:db8::1")),
            ("\"[2001:db8::1]:4711\"", Some("2001:db8::1")),
            ("\"192.0.2.1:80\"", Some("192.0.2.1")),
            ("::ffff:192.0.2.1", Some("::ffff:192.0.2.1")),
            ("unknown", None),
            ("_hidden", None),
            ("", None),
            ("[", None),
            ("192.0.2", None),
        ] {
            assert_eq!(node(text), address.map(|address| address.parse().unwrap()), "{text}");
        }
    }

    #[test]
    fn the_parameter_of_the_standard_header_is_found_among_others() {
        let client = |line: &str| ForwardedHeader::Forwarded.client(&sent(ForwardedHeader::Forwarded, &[line.into()]), 1);
        let address = Some("2001:db8::1".parse().unwrap());
        assert_eq!(client("for=192.0.2.9, proto=https;For=\"[2001:db8::1]:80\";by=10.0.0.1"), address);
        assert_eq!(client("for=\"192.0.2.9, for=\"[2001:db8::1]\""), address, "a quote that somebody opened");
        assert_eq!(client("for=192.0.2.9, proto=https"), None);
    }

    #[test]
    fn only_the_header_that_the_proxies_set_is_believed() {
        let forged = sent(ForwardedHeader::Forwarded, &[b"for=192.0.2.9".to_vec()]);
        assert_eq!(ForwardedHeader::XForwardedFor.client(&forged, 1), None);
        let forged = sent(ForwardedHeader::XForwardedFor, &[b"192.0.2.9".to_vec()]);
        assert_eq!(ForwardedHeader::Forwarded.client(&forged, 1), None);
        assert_eq!(ForwardedHeader::XForwardedFor.client(&forged, 0), None);
    }

    #[test]
    fn a_warning_is_said_once_an_hour() {
        let said = AtomicI64::new(i64::MIN);
        let times = [0, 1, SAID_EVERY - 1, SAID_EVERY, SAID_EVERY + 1, 3 * SAID_EVERY];
        assert_eq!(times.map(|now| is_time(&said, now)), [true, false, false, true, false, true]);
    }

    /// Any bytes that a header can have.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(prop_oneof![Just(b'\t'), 0x20..=0x7e_u8, 0x80..=0xff_u8, Just(b','), Just(b'"'), Just(b';')], 0..40)
    }

    fn address() -> impl Strategy<Value = IpAddr> {
        prop_oneof![any::<Ipv4Addr>().prop_map(IpAddr::V4), any::<Ipv6Addr>().prop_map(IpAddr::V6)]
    }

    proptest! {
        #[test]
        fn whatever_a_caller_sends_the_address_is_the_one_that_the_outermost_trusted_proxy_saw(
            forged in prop::collection::vec(bytes(), 0..4),
            seen in prop::collection::vec((address(), any::<Option<u16>>(), any::<bool>()), 1..4),
            is_standard in any::<bool>(),
        ) {
            let header = if is_standard { ForwardedHeader::Forwarded } else { ForwardedHeader::XForwardedFor };
            let mut lines = forged;
            for (address, port, on_a_line_of_its_own) in &seen {
                let node = match (address, port) {
                    (IpAddr::V4(address), None) => address.to_string(),
                    (IpAddr::V4(address), Some(port)) => format!("{address}:{port}"),
                    (IpAddr::V6(address), None) => format!("[{address}]"),
                    (IpAddr::V6(address), Some(port)) => format!("[{address}]:{port}"),
                };
                let entry = if is_standard { format!("for=\"{node}\";proto=https") } else { node };
                match lines.last_mut().filter(|_| !on_a_line_of_its_own) {
                    Some(line) => line.extend([b", ", entry.as_bytes()].concat()),
                    None => lines.push(entry.into_bytes()),
                }
            }
            prop_assert_eq!(header.client(&sent(header, &lines), seen.len()), Some(seen[0].0));
        }
    }
}
