//! The cookies of this site: a session's secret, and what tells one browser from all others.

use cms_core::Cookie as Kept;
use cms_domain::time::Timestamp;
use cookie::{Cookie, SameSite, time::Duration};
use http::{HeaderMap, HeaderValue, header};

use crate::options::HttpOptions;

/// How long a browser keeps what tells it from others: as long as what begins in it may take to end.
const BROWSER: Duration = Duration::days(1);

/// How this site's cookies are called and sent.
pub(crate) struct Cookies {
    session: String,
    browser: String,
    secure: bool,
}

impl Cookies {
    pub(crate) fn new(options: &HttpOptions) -> Self {
        let secure = options.public_origin.as_deref().is_some_and(|origin| origin.starts_with("https://"));
        // No other host of the domain can set a cookie with this prefix (RFC 6265bis, 4.1.3.2).
        let prefix = if secure { "__Host-" } else { "" };
        let name = &options.session_cookie;
        Self { session: format!("{prefix}{name}"), browser: format!("{prefix}{name}_browser"), secure }
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
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (found, value) = pair.trim().split_once('=')?;
        (found == name).then_some(value)
    })
}
