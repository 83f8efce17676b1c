//! Where browsers may be sent with an answer.

use url::{Host, Url, form_urlencoded};

/// The longest redirect URI. Browsers and proxies take addresses of 2,000 characters everywhere.
pub(super) const LONGEST: usize = 2000;
/// Addresses of the machine itself that mean it everywhere (RFC 8252, 7.3). `localhost` is a name, and names can be changed.
const LOOPBACK: [&str; 2] = ["http://127.0.0.1", "http://[::1]"];

/// Why text cannot be a redirect URI: `https` anywhere, or `http` on the machine itself; no fragment, no user, nothing that a
/// browser would read as something else.
pub(super) fn check(text: &str) -> Result<(), &'static str> {
    if text.len() > LONGEST {
        return Err("a redirect URI has at most 2000 characters");
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"<>^`{|}#".contains(&byte)) {
        return Err("a redirect URI has only characters that RFC 3986 allows, and no fragment");
    }
    let Ok(url) = Url::parse(text) else { return Err("a redirect URI is absolute") };
    let secure = text.starts_with("https://") && url.scheme() == "https";
    let local = text.starts_with("http://")
        && match url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback() && text.starts_with(LOOPBACK[0]),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        };
    if !(secure || local) {
        return Err("a redirect URI begins with https://, or with http:// and 127.0.0.1, [::1] or localhost");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a redirect URI names no user");
    }
    Ok(())
}

/// Whether a registered URI admits the one that a request names: they are the same, byte by byte, but for the port of a
/// loopback address, which a native application cannot know beforehand (RFC 8252, 7.3).
pub(super) fn admits(registered: &str, asked: &str) -> bool {
    registered == asked || without_port(registered).is_some_and(|registered| without_port(asked) == Some(registered))
}

/// A loopback URI without its port: its origin, and what follows.
fn without_port(uri: &str) -> Option<(&'static str, &str)> {
    let (origin, rest) = LOOPBACK.into_iter().find_map(|origin| Some((origin, uri.strip_prefix(origin)?)))?;
    let rest = match rest.strip_prefix(':') {
        Some(rest) => {
            let end = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
            let (port, rest) = rest.split_at(end);
            port.parse::<u16>().ok()?;
            rest
        }
        None => rest,
    };
    (rest.is_empty() || rest.starts_with(['/', '?'])).then_some((origin, rest))
}

/// The host that a user sees before they are sent there.
pub(super) fn host(uri: &str) -> String {
    Url::parse(uri).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// A redirect URI with an answer. What it has of a query stays.
pub(super) fn with_answer<'a>(uri: &str, answer: impl IntoIterator<Item = (&'static str, &'a str)>) -> String {
    let answer = form_urlencoded::Serializer::new(String::new()).extend_pairs(answer).finish();
    let separator = match uri.split_once('?') {
        None => "?",
        Some((_, "")) => "",
        Some(_) => "&",
    };
    format!("{uri}{separator}{answer}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_the_machine_itself_may_be_registered() {
        for good in [
            "https://app.example/callback?a=b",
            "https://app.example:8443/",
            "http://127.0.0.1/cb",
            "http://127.0.0.1:8080/cb",
            "http://[::1]:1/",
            "http://localhost:3000/cb",
        ] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "/callback",
            "https:app.example",
            "https:/app.example/",
            "http://app.example/",
            "http://localhost.evil.example/",
            "http://127.0.0.1.evil.example/",
            "http://127.1/",
            "http://127.0.0.2/",
            "http://0x7f000001/",
            "http://127.0.0.1@evil.example/",
            "https://user@app.example/",
            "https://app.example/#fragment",
            "https://app.example\\@evil.example/",
            "https://app.example/ ",
            "https://app.example/\n",
            "javascript:alert(1)",
            "myapp://callback",
            "data:text/html,x",
            "//app.example/",
            &format!("https://app.example/{}", "a".repeat(LONGEST)),
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn any_port_of_a_loopback_address_will_do_and_nothing_else_differs() {
        for (registered, asked) in [
            ("http://127.0.0.1/cb", "http://127.0.0.1:54321/cb"),
            ("http://127.0.0.1:1/cb?x=1", "http://127.0.0.1:2/cb?x=1"),
            ("http://[::1]:1/cb", "http://[::1]/cb"),
            ("https://app.example/cb", "https://app.example/cb"),
        ] {
            assert!(admits(registered, asked), "{registered} {asked}");
        }
        for (registered, asked) in [
            ("http://127.0.0.1/cb", "http://[::1]/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1/other"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb/"),
            ("http://127.0.0.1/cb", "https://127.0.0.1:1/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:1@evil.example/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:99999/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1.evil.example/cb"),
            ("http://127.0.0.1/cb", "http://127.0.0.1:/cb"),
            ("http://localhost:1/cb", "http://localhost:2/cb"),
            ("https://app.example/cb", "https://app.example:444/cb"),
            ("https://app.example/cb", "https://app.example/CB"),
            ("https://app.example/cb", "https://app.example/cb?x"),
            ("https://app.example/cb", "https://app.example/cb/../cb"),
        ] {
            assert!(!admits(registered, asked), "{registered} {asked}");
        }
    }

    #[test]
    fn an_answer_goes_behind_what_the_uri_has_of_a_query() {
        let answer = |uri| with_answer(uri, [("code", "a b"), ("state", "&=\"")]);
        assert_eq!(answer("https://a.example/cb"), "https://a.example/cb?code=a+b&state=%26%3D%22");
        assert_eq!(answer("https://a.example/cb?x=1"), "https://a.example/cb?x=1&code=a+b&state=%26%3D%22");
        assert_eq!(answer("https://a.example/cb?"), "https://a.example/cb?code=a+b&state=%26%3D%22");
        assert_eq!(host("http://127.0.0.1:80/cb"), "127.0.0.1");
    }
}
