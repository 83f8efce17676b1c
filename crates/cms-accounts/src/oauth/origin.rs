//! Under which address a request reached this server. Metadata, `iss` and device pages repeat it, so that it is believed only
//! where it is configured, or where it can mean nobody but the machine itself.

use cms_domain::product::{Origin, Product};
use cms_frame::Cx;
use url::Url;

use super::{
    FaultCode, RESOURCE,
    answer::{Stop, bounded, refuse},
};

/// The origin that a request was sent to: the configured one; without one the host it names, if that is this machine.
///
/// None when the host could be anybody's: whoever points a name of theirs at this server must not have it speak for them.
pub fn asked(configured: Option<&Origin>, host: Option<&str>) -> Option<String> {
    match configured {
        Some(origin) => Some(origin.to_string()),
        None => host.filter(|host| is_this_machine(host)).map(|host| format!("http://{host}")),
    }
}

/// Whether an authority is this machine, by address or by the name that browsers resolve themselves (RFC 6761, 6.3).
fn is_this_machine(authority: &str) -> bool {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => authority,
    };
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// The origin of an invocation: the one that its request was sent to, or the one that the world knows.
pub(super) fn of(cx: &Cx<'_>) -> String {
    cx.client().origin.clone().unwrap_or_else(|| cx.product().origin().to_string())
}

/// Who issues tokens, as clients know it (RFC 8414, 2).
pub(super) fn issuer(product: &Product, origin: &str) -> String {
    format!("{origin}{}", product.prefix)
}

/// Whether a resource that an application names is of this server (RFC 8707, 2): any address below the prefix. A token is good
/// for all of them, as all of them are one resource server.
pub(super) fn is_ours(cx: &Cx<'_>, resource: &str) -> bool {
    let Ok(url) = Url::parse(resource) else { return false };
    let origin = url.origin().ascii_serialization();
    let path = url.path();
    let below = path.strip_prefix(cx.product().prefix.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    url.fragment().is_none() && (origin == of(cx) || origin == cx.product().origin().as_str()) && (below || path == "/")
}

/// Refuses a request for a resource that is none of this server (RFC 8707, 2).
pub(super) fn check_resource(cx: &Cx<'_>, resource: Option<&str>) -> Result<(), Stop> {
    bounded(resource, RESOURCE, "resource has at most 2000 characters")?;
    match resource {
        Some(resource) if !is_ours(cx, resource) => refuse(FaultCode::InvalidTarget, "resource is none of this server"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_may_say_what_it_is_called() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080", "[::1]"] {
            assert_eq!(asked(None, Some(host)), Some(format!("http://{host}")), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1:80@evil.example", "localhost:", "localhost:x", "a\"b", "", "::1"]
        {
            assert_eq!(asked(None, Some(host)), None, "{host}");
        }
        assert_eq!(asked(None, None), None);
        assert_eq!(asked("https://cms.example/".parse().ok().as_ref(), Some("localhost")).as_deref(), Some("https://cms.example"));
    }
}
