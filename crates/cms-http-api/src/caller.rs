//! Finds out who sends a request and from where, and whether a page of somebody else has a browser send it.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;
use cms_accounts::{
    Services,
    gateway::{self, GatewayMode},
    oauth::origin,
};
use cms_domain::{
    access::{Actor, Caller, Via},
    id::UserId,
    product::{self, Origin, Product},
    time::Timestamp,
    user::Role,
};
use cms_frame::{Client, Cms, Code, Error, credentials, request_id};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header, request::Parts, uri::Authority};

use crate::{
    cookies::{self, Cookies},
    forwarded::{self, ForwardedHeader},
    options::HttpOptions,
    request_id::REQUEST_ID,
};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Who sends a request, as the program says that embeds the API and knows people by a session of its own: its middleware puts this into the extensions of
/// the request. It is believed for that request, whatever is in the tables, in place of sessions of this system and of its gateway.
///
/// It counts as something that a browser adds by itself, as cookies are: what changes something must carry [`Product::csrf_header`] and must not
/// come from a page of another site, or it is refused. A request with `Authorization` is of whoever that names, and of nobody else; a program that uses
/// that header itself takes it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostCaller(Actor);

impl HostCaller {
    /// A user, for whom the program vouches. Nobody becomes the system itself by a request.
    pub const fn user(user: UserId, role: Role) -> Self {
        Self(Actor::User(Caller { user, role, via: Via::Host }))
    }

    /// Nobody whom the program knows: a session of this system is nothing then, either.
    pub const fn nobody() -> Self {
        Self(Actor::Anonymous)
    }

    /// The same caller for [`Cms::invoke`].
    pub const fn actor(&self) -> &Actor {
        &self.0
    }
}

/// How callers are recognized.
pub(crate) struct Callers {
    pub(crate) cookies: Cookies,
    csrf_header: product::HeaderName,
    public_origin: Option<Origin>,
    cors_origins: Vec<String>,
    trusted_hops: usize,
    forwarded_header: ForwardedHeader,
}

/// Who sends a request, and from where.
pub(crate) struct Sender {
    /// Who.
    pub(crate) actor: Actor,
    /// From where.
    pub(crate) client: Client,
}

impl Callers {
    pub(crate) fn new(product: &Product, options: &HttpOptions) -> Self {
        Self {
            cookies: Cookies::new(product),
            csrf_header: product.csrf_header.clone(),
            public_origin: product.public_origin.clone(),
            cors_origins: options.cors_origins.clone(),
            trusted_hops: options.trusted_hops,
            forwarded_header: options.forwarded_header,
        }
    }

    /// Who sends a request, and from where. A bearer token goes before a session, this system's or the host's; a bad one is not made good by a session.
    pub(crate) async fn identify(&self, cms: &Cms, parts: &Parts) -> Result<Sender, Error> {
        let headers = &parts.headers;
        let host = parts.extensions.get::<HostCaller>().map(HostCaller::actor);
        // What the host says needs nobody else's word.
        let gateway = Services::of(cms).gateway.as_deref().filter(|_| host.is_none());
        // Where there is a gateway, no session is a substitute for what it says.
        let session = self.cookies.session(headers).filter(|_| gateway.is_none() && host.is_none());
        let statement = gateway.and_then(|mode| statement(headers, mode));
        let is_bearer = headers.contains_key(header::AUTHORIZATION);
        if is_unsafe(&parts.method) && !is_bearer {
            let has_host_session = host.is_some_and(|actor| *actor != Actor::Anonymous);
            self.refuse_foreign_pages(headers, session.is_some() || statement.is_some() || has_host_session)?;
        }
        let client = self.client(parts, cms.now());
        let actor = match (host, session, statement) {
            (Some(actor), ..) if !is_bearer => actor.clone(),
            (_, _, Some(statement)) if !is_bearer => gateway::identify(cms, &statement, &client).await?,
            (_, Some(secret), _) if !is_bearer => cms.identify_session(secret).await?,
            _ => credentials::identify(cms, headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes)).await?,
        };
        Ok(Sender { actor, client })
    }

    /// From where a request comes, whoever sends it.
    pub(crate) fn client(&self, parts: &Parts, now: Timestamp) -> Client {
        let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let is_trusted = self.trusted_hops > 0;
        let is_forwarded = !is_trusted && forwarded::is_said(&parts.headers);
        if is_forwarded {
            forwarded::warn(peer, now);
        }
        Client {
            address: if is_trusted { self.forwarded_header.client(&parts.headers, self.trusted_hops) } else { peer },
            // Whoever is far away could say so to be counted with others.
            shares_address: is_forwarded && peer.is_some_and(forwarded::is_nearby),
            agent: parts.headers.get(header::USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()).into_owned()),
            request_id: text(REQUEST_ID).filter(|id| request_id::is_well_formed(id.as_bytes())).map(str::to_owned),
            browser: self.cookies.browser(&parts.headers).map(str::to_owned),
            // HTTP/2 has the host in the address (RFC 9113, 8.3.1).
            origin: origin::asked(self.public_origin.as_ref(), text(header::HOST).or(parts.uri.authority().map(Authority::as_str))),
            stream: None,
        }
    }

    /// Refuses changes that a page of another site has a browser ask for. The header is one that only scripts of this site can add, since a
    /// header of one's own makes a browser ask first (Fetch, CORS-preflight): with it a request is ours. A request that carries a session
    /// must have it, and must not say besides that it comes from elsewhere; another one may have our origin instead. Where there is no
    /// origin, the browser says where a request comes from (Fetch Metadata), and what says nothing at all is no browser.
    fn refuse_foreign_pages(&self, headers: &HeaderMap, has_session: bool) -> Result<(), Error> {
        let is_marked = headers.get(self.csrf_header.as_str()).is_some_and(|value| value == "1");
        let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
        let comes_from_here = match origin {
            // What may be done without any session may be done from the pages that the operator named.
            Some(origin) => self.is_own(origin, headers) || (!has_session && self.cors_origins.iter().any(|named| named == origin)),
            None => !is_from_elsewhere(headers),
        };
        let is_ours = if has_session { is_marked && comes_from_here } else { is_marked || comes_from_here };
        if is_ours { Ok(()) } else { Err(Error::new(Code::CsrfRejected)) }
    }

    /// Whether an origin is ours: the public one, or the one that the request itself was sent to.
    fn is_own(&self, origin: &str, headers: &HeaderMap) -> bool {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        self.public_origin.as_ref().is_some_and(|own| own.as_str() == origin)
            || origin.split_once("://").is_some_and(|(_, authority)| Some(authority) == host)
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

/// Whether a browser says that a page of another site, or of another host of this one, had it send a request (Fetch Metadata, 2.4).
pub(crate) fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    headers.get(SEC_FETCH_SITE).is_some_and(|site| !matches!(site.as_bytes(), b"same-origin" | b"none"))
}

fn is_unsafe(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
