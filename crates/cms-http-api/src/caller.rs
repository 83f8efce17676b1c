//! Finds out who sends a request and from where, and whether a page of somebody else has a browser send it.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    Router,
    extract::{ConnectInfo, Request},
    middleware,
};
use cms_core::{Client, Cms, Code, Error, accounts::gateway::GatewayMode, credentials, oauth::origin, request_id};
use cms_domain::access::Actor;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header, request::Parts, uri::Authority};

use crate::{
    cookies::{self, Cookies},
    options::HttpOptions,
    request_id::{REQUEST_ID, RequestId},
};

const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Tells another door, as an extension of each request, which [`Client`] sends it: proxies are trusted for all doors alike.
pub fn with_clients(router: Router, options: &HttpOptions) -> Router {
    let callers = Arc::new(Callers::new(options));
    router.layer(middleware::map_request(move |request: Request| {
        let callers = Arc::clone(&callers);
        async move {
            let (mut parts, body) = request.into_parts();
            RequestId::give(&mut parts.headers);
            let client = callers.client(&parts);
            parts.extensions.insert(client);
            Request::from_parts(parts, body)
        }
    }))
}

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
        let gateway = cms.services().gateway.as_deref();
        // Where there is a gateway, no session is a substitute for what it says.
        let session = self.cookies.session(headers).filter(|_| gateway.is_none());
        let statement = gateway.and_then(|mode| statement(headers, mode));
        let is_bearer = headers.contains_key(header::AUTHORIZATION);
        if is_unsafe(&parts.method) && !is_bearer {
            self.refuse_foreign_pages(headers, session.is_some() || statement.is_some())?;
        }
        let client = self.client(parts);
        let actor = match (session, statement) {
            (_, Some(statement)) if !is_bearer => cms.identify_vouched(&statement, &client).await?,
            (Some(secret), _) if !is_bearer => cms.identify_session(secret).await?,
            _ => credentials::identify(cms, headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes)).await?,
        };
        Ok(Sender { actor, client })
    }

    /// From where a request comes, whoever sends it.
    pub(crate) fn client(&self, parts: &Parts) -> Client {
        let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        Client {
            address: self.address(parts),
            agent: text(header::USER_AGENT).map(str::to_owned),
            request_id: text(REQUEST_ID).filter(|id| request_id::is_well_formed(id.as_bytes())).map(str::to_owned),
            browser: self.cookies.browser(&parts.headers).map(str::to_owned),
            // HTTP/2 has the host in the address (RFC 9113, 8.3.1).
            origin: origin::asked(self.public_origin.as_deref(), text(header::HOST).or(parts.uri.authority().map(Authority::as_str))),
        }
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

/// What the gateway says of a request: its header, or the cookie that a browser has of it. One that is there twice is none that can
/// be believed.
fn statement(headers: &HeaderMap, mode: &GatewayMode) -> Option<String> {
    let mut sent = headers.get_all(&mode.header).iter();
    match (sent.next(), sent.next()) {
        (Some(only), None) => Some(String::from_utf8_lossy(only.as_bytes()).into_owned()),
        (Some(_), Some(_)) => Some(String::new()),
        (None, _) => cookies::find(headers, &mode.cookie).map(str::to_owned),
    }
}

fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
