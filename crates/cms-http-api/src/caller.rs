//! Finds out who sends a request and from where, and whether a page of somebody else has a browser send it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::ConnectInfo;
use cms_core::{Client, Cms, Code, Error, credentials};
use cms_domain::access::Actor;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header, request::Parts};

use crate::{cookies::Cookies, options::HttpOptions};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// How callers are recognized.
pub(crate) struct Callers {
    pub(crate) cookies: Cookies,
    csrf_header: HeaderName,
    public_origin: Option<String>,
    cors_origins: Vec<String>,
    trusted_hops: usize,
}

/// Who sends a request, and from where.
pub(crate) struct Sender {
    /// Who.
    pub(crate) actor: Actor,
    /// From where.
    pub(crate) client: Client,
}

impl Callers {
    pub(crate) fn new(options: &HttpOptions) -> Self {
        Self {
            cookies: Cookies::new(options),
            csrf_header: options.csrf_header.clone(),
            public_origin: options.public_origin.clone(),
            cors_origins: options.cors_origins.clone(),
            trusted_hops: options.trusted_hops,
        }
    }

    /// Who sends a request, and from where. A bearer token goes before a session; a bad one is not made good by a session.
    pub(crate) async fn identify(&self, cms: &Cms, parts: &Parts) -> Result<Sender, Error> {
        let headers = &parts.headers;
        let (session, browser) = (self.cookies.session(headers), self.cookies.browser(headers));
        let is_bearer = headers.contains_key(header::AUTHORIZATION);
        if is_unsafe(&parts.method) && !is_bearer {
            self.refuse_foreign_pages(headers, session.is_some())?;
        }
        let actor = match session {
            Some(secret) if !is_bearer => cms.identify_session(secret).await?,
            _ => credentials::identify(cms, headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes)).await?,
        };
        let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok(Sender { actor, client: Client { address: self.address(parts), agent, browser: browser.map(str::to_owned) } })
    }

    /// Refuses changes that a page of another site has a browser ask for. Browsers say where a request comes from
    /// (Fetch Metadata, `Sec-Fetch-Site`); one that carries a session must also have a header that only scripts of this site can
    /// add, since a header of one's own makes a browser ask first (Fetch, CORS-preflight).
    fn refuse_foreign_pages(&self, headers: &HeaderMap, has_session: bool) -> Result<(), Error> {
        let marked = headers.get(&self.csrf_header).is_some_and(|value| value == "1");
        let origin = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
        let foreign = match headers.get(SEC_FETCH_SITE).map(HeaderValue::as_bytes) {
            Some(b"same-origin" | b"none") => false,
            Some(_) => true,
            None => headers.contains_key(header::ORIGIN) && !origin.is_some_and(|origin| self.is_own(origin, headers)),
        };
        // What may be done without any session may be done from the pages that the operator named.
        let foreign = foreign && (has_session || !origin.is_some_and(|origin| self.cors_origins.iter().any(|named| named == origin)));
        if foreign || (has_session && !marked) { Err(Error::new(Code::CsrfRejected)) } else { Ok(()) }
    }

    /// Whether an origin is ours: the public one, or the one that the request itself was sent to.
    fn is_own(&self, origin: &str, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        self.public_origin.as_deref() == Some(origin) || origin.split_once("://").map(|(_, authority)| authority) == host
    }

    /// The address that the outermost trusted proxy saw. Each proxy appends the address that it saw, so that the list is
    /// good from its end, and only as far as the proxies are ours.
    fn address(&self, parts: &Parts) -> Option<IpAddr> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let Some(back) = self.trusted_hops.checked_sub(1) else { return peer };
        let values = parts.headers.get_all(FORWARDED_FOR).iter().filter_map(|value| value.to_str().ok());
        let hops: Vec<&str> = values.flat_map(|list| list.split(',')).map(str::trim).collect();
        let hop = hops.len().checked_sub(1 + back).and_then(|at| hops.get(at));
        hop.and_then(|hop| hop.parse().ok())
    }
}

fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
