//! The cookies of this site: a session's secret, and what tells one browser from all others.

use cms_domain::{product::Product, time::Timestamp};
use cms_frame::Cookie as Kept;
use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};

/// How long a browser keeps what tells it from others: as long as what begins in it may take to end.
const BROWSER: Duration = Duration::days(1);

/// How this site's cookies are called and sent.
pub(crate) struct Cookies {
    session: String,
    browser: String,
    secure: bool,
}

impl Cookies {
    pub(crate) fn new(product: &Product) -> Self {
        let secure = product.is_secure();
        // No other host of the domain can set a cookie with this prefix (RFC 6265bis, 4.1.3.2).
        let prefix = if secure { "__Host-" } else { "" };
        let name = &product.session_cookie;
        Self { session: format!("{prefix}{name}"), browser: format!("{prefix}{name}_browser"), secure }
    }

    /// What the cookie of a session is called.
    pub(crate) fn session_name(&self) -> &str {
        &self.session
    }

    /// The secret of the session that a request carries.
    pub(crate) fn session<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        find(headers, &self.session)
    }

    /// What tells the browser that sends a request from all others.
    pub(crate) fn browser<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        find(headers, &self.browser)
    }

    /// Has a browser keep what it is to keep.
    pub(crate) fn set(&self, headers: &mut HeaderMap, kept: &[Kept], now: Timestamp) {
        for cookie in kept {
            let (name, value, life) = match cookie {
                Kept::Session { secret, expires_at } => {
                    let life = Duration::milliseconds(expires_at.milliseconds() - now.milliseconds());
                    (&self.session, secret.as_str(), life)
                }
                Kept::SignedOut => (&self.session, "", Duration::ZERO),
                Kept::Browser { secret } => (&self.browser, secret.as_str(), BROWSER),
            };
            let cookie =
                Cookie::build((name, value)).path("/").http_only(true).secure(self.secure).same_site(SameSite::Lax).max_age(life).build();
            // Names are of the configuration, values base64: both fit a header.
            if let Ok(value) = HeaderValue::try_from(cookie.to_string()) {
                headers.append(header::SET_COOKIE, value);
            }
        }
    }
}

/// The value of a cookie.
pub(crate) fn find<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    // A cookie of somebody else that is not text leaves the others as they are.
    let pairs = headers.get_all(header::COOKIE).iter().flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    pairs.filter_map(|pair| std::str::from_utf8(pair).ok()).find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_that_is_not_text_leaves_the_others_as_they_are() {
        let sent = HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_bytes(b"other=\xff\xfe; cms_session=secret; \xff").unwrap())]);
        assert_eq!(find(&sent, "cms_session"), Some("secret"));
        assert_eq!(find(&sent, "cms"), None);
    }
}
