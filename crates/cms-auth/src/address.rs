//! Which addresses secrets may be sent to.

use url::{Host, Url};

/// Whether nobody on the way can read what is sent to an address: it is encrypted, or it does not leave the machine.
pub fn is_safe(address: &Url) -> bool {
    let local = match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    address.scheme() == "https" || (address.scheme() == "http" && local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stays_on_the_machine_may_be_plain() {
        for (address, safe) in [
            ("https://provider.example", true),
            ("http://localhost:1", true),
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://provider.example", false),
            ("http://localhost.example", false),
            ("ftp://localhost", false),
        ] {
            assert_eq!(is_safe(&address.parse().unwrap()), safe, "{address}");
        }
    }
}
