//! The endpoints of the authorization server: requests and answers as the RFCs have them, forms and plain JSON, in no envelope.

use std::sync::Arc;

use axum::response::Response;
use bytes::Bytes;
use cms_accounts::{
    oauth::{Fault, FaultCode, metadata},
    wires,
};
use cms_domain::{access::Actor, product::Product};
use cms_frame::{
    Client, Cms, Code, Error, Kind,
    catalog::{Wire, kept},
    descriptor::Answer,
    operation::{Gives, Http},
};
use http::{HeaderValue, StatusCode, header};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value, json};

use super::{Asked, Raw, found, member, refusal};
use crate::{error::note, query, reply, shared::Shared};

/// The parameters of an authorization request that mean something here. Others are passed over (RFC 6749, 3.1).
const PARAMETERS: [&str; 8] =
    ["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "state", "scope", "resource"];
/// What a value in a query need not escape.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The faults that are told in the log: somebody tries what they may not.
const TOLD: [FaultCode; 3] = [FaultCode::InvalidClient, FaultCode::InvalidGrant, FaultCode::UnauthorizedClient];
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// What all of the endpoints need.
struct Endpoints {
    shared: Arc<Shared>,
}

/// The endpoints, and the documents that tell of them.
pub(crate) fn routes(shared: &Arc<Shared>) -> Vec<Raw> {
    let endpoints = Arc::new(Endpoints { shared: Arc::clone(shared) });
    let exchanges = [wires::TOKEN, wires::REGISTER, wires::REVOKE, wires::DEVICE_CODE].map(|wire| {
        let endpoints = Arc::clone(&endpoints);
        let route = Raw::new(wire, move |asked| {
            let endpoints = Arc::clone(&endpoints);
            Box::pin(async move { endpoints.exchange(wire, asked).await })
        });
        plainly(route)
    });
    exchanges.into_iter().chain([authorize(&endpoints), ways_in(&endpoints)]).chain(documents(&endpoints)).collect()
}

/// A route whose failures are told as RFC 6749, 5.2, has it. Pages of every site may read them, and the answers.
fn plainly(route: Raw) -> Raw {
    route.open().refusing(|_, error, status| Some(failed(error, status)))
}

/// A document that anybody may keep for a while.
type Document = fn(&Cms, &str) -> Value;

/// The document of the authorization server (RFC 8414), and that of what its tokens are for (RFC 9728). Clients of our challenge ask for
/// the latter at the well-known path, those of the RFC alone below it.
fn documents(endpoints: &Arc<Endpoints>) -> impl Iterator<Item = Raw> {
    let product = endpoints.product();
    let (server, resource): (Document, Document) = (metadata::authorization_server, metadata::protected_resource);
    let tools = format!("{}{}{}", metadata::PROTECTED_RESOURCE, product.api(), Wire::TOOLS.http.path);
    let documents = [
        ("oauth.authorization_server", format!("{}{}", metadata::AUTHORIZATION_SERVER, product.prefix), server),
        ("oauth.protected_resource", metadata::PROTECTED_RESOURCE.to_owned(), resource),
        ("oauth.protected_resource", tools, resource),
    ];
    let endpoints = Arc::clone(endpoints);
    documents.into_iter().map(move |(id, path, document)| {
        let endpoints = Arc::clone(&endpoints);
        let route = Raw::new(Wire::new(id, Http::get("", kept(&path)).gives(Gives::Plain)), move |asked| {
            let response = endpoints.document(document, &asked);
            Box::pin(async move { Ok(response) })
        });
        plainly(route.elsewhere())
    })
}

fn ways_in(endpoints: &Arc<Endpoints>) -> Raw {
    let endpoints = Arc::clone(endpoints);
    let path = kept(&format!("{}/.well-known/auth", endpoints.product().prefix));
    let route = Raw::new(Wire::new("oauth.ways_in", Http::get("", path).gives(Gives::Plain)), move |_| {
        let cms = endpoints.shared.cms.clone();
        Box::pin(async move { Ok(plain(StatusCode::OK, metadata::ways_in(&cms).await.map_err(note)?.to_string())) })
    });
    plainly(route.elsewhere())
}

fn authorize(endpoints: &Arc<Endpoints>) -> Raw {
    let endpoints = Arc::clone(endpoints);
    let http = Http::get("", kept(&format!("{}/oauth/authorize", endpoints.product().prefix))).gives(Gives::Redirect("redirect"));
    let route = Raw::new(Wire::new("oauth.begin", http), move |asked| {
        let endpoints = Arc::clone(&endpoints);
        Box::pin(async move { endpoints.authorize(http, asked).await })
    });
    route.elsewhere().refusing(|parts, error, status| Some(refusal::page(&parts.headers, status, error)))
}

impl Endpoints {
    fn product(&self) -> &Product {
        self.shared.cms.product()
    }

    /// Does an operation with the parameters of a request, as nobody in particular: cookies mean nothing here, so that no page of
    /// anybody can use a browser's.
    async fn exchange(&self, wire: Wire, asked: Asked<'_>) -> Result<Response, Error> {
        let Asked { parts, client, body, .. } = asked;
        let operation = self.shared.operation(wire.id)?;
        let counted = self.shared.cms.count(&operation, client).await.map_err(note)?;
        // No client has a secret, so that none can prove one.
        if parts.headers.contains_key(header::AUTHORIZATION) {
            let fault = Fault::new(FaultCode::InvalidClient, "clients have no secrets here: send client_id in the body alone");
            let mut response = refused(wire, client, StatusCode::UNAUTHORIZED, &fault);
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"oauth\""));
            return Ok(response);
        }
        let mut members = body.members(wire.http.takes, operation.access).await?;
        // One without a value counts as left out (RFC 6749, 3.2).
        members.retain(|_, value| *value != "" && !value.is_null());
        if members.contains_key("client_secret") {
            let fault = Fault::new(FaultCode::InvalidClient, "clients have no secrets here: send client_id alone");
            return Ok(refused(wire, client, StatusCode::BAD_REQUEST, &fault));
        }
        let invocation = operation.read(input(wire, members)).map_err(|error| match error.code().kind() {
            Kind::Invalid => Error::with(Code::ValidationError, "every parameter is text"),
            _ => note(error),
        })?;
        let answer = self.shared.perform(true, Actor::Anonymous, client.clone(), invocation, counted).await?;
        told(wire, client, &answer)
    }

    /// Sends a browser on to the page where its user decides. Until it is certain who asks and where the answer goes, it stays here.
    async fn authorize(&self, http: Http, asked: Asked<'_>) -> Result<Response, Error> {
        let operation = self.shared.operation("oauth.begin")?;
        let counted = self.shared.cms.count(&operation, asked.client).await.map_err(note)?;
        let (pairs, issues) = query::pairs(asked.parts.uri.query().unwrap_or_default());
        if !issues.is_empty() {
            return Err(Error::with(Code::ValidationError, "a parameter is given twice, or is not text"));
        }
        let known: Vec<_> = pairs.into_iter().filter(|(name, value)| PARAMETERS.contains(&name.as_str()) && !value.is_empty()).collect();
        let invocation = operation.read(known.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect())?;
        let answer = self.shared.perform(true, Actor::Anonymous, asked.client.clone(), invocation, counted).await?;
        let at_fault = match http.gives {
            Gives::Redirect(name) => member(&answer, name)?,
            _ => None,
        };
        let address = at_fault.unwrap_or_else(|| {
            let escaped = known.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, PLAIN)));
            format!("{}/authorize?{}", self.product().admin(), escaped.collect::<Vec<_>>().join("&"))
        });
        found(&address).ok_or_else(|| Error::with(Code::ValidationError, "the address for the answer is not one"))
    }

    fn document(&self, document: Document, asked: &Asked) -> Response {
        let product = self.product();
        let origin = asked.client.origin.as_deref().unwrap_or(product.origin().as_str());
        let mut response = plain(StatusCode::OK, document(&self.shared.cms, origin).to_string());
        let headers = response.headers_mut();
        headers.remove(header::PRAGMA);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
        if product.public_origin.is_none() {
            headers.insert(header::VARY, HeaderValue::from_static("host"));
        }
        response
    }
}

/// What an operation answered. A fault has its own status, and some are told in the log.
fn told(wire: Wire, client: &Client, answer: &Answer) -> Result<Response, Error> {
    let fault = member(answer, "error")?;
    if let Some(told) = fault.as_deref().and_then(|fault| TOLD.into_iter().find(|told| told.as_str() == fault)) {
        Fault::new(told, "").tell(client, wire.id);
    }
    let status = match fault {
        Some(_) => StatusCode::BAD_REQUEST,
        None if wire.http.created => StatusCode::CREATED,
        None => StatusCode::OK,
    };
    Ok(plain(status, answer.to_json().map_err(note)?))
}

/// A fault that needs no operation to be found.
fn refused(wire: Wire, client: &Client, status: StatusCode, fault: &Fault) -> Response {
    fault.tell(client, wire.id);
    plain(status, json!(fault).to_string())
}

/// The input of an operation that parameters are for. Those that mean nothing are passed over; what an application says of itself is one
/// member.
fn input(wire: Wire, members: Map<String, Value>) -> Map<String, Value> {
    if wire.id == wires::REGISTER.id { [("metadata".to_owned(), Value::Object(members))].into_iter().collect() } else { members }
}

/// JSON that nobody keeps.
fn plain(status: StatusCode, document: impl Into<Bytes>) -> Response {
    let mut response = reply::json(status, document.into());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    response
}

/// What keeps the server from answering, in the words of RFC 6749, 5.2.
fn failed(error: &Error, status: StatusCode) -> Response {
    let (code, status) = match error.code().kind() {
        Kind::Internal => ("server_error", status),
        Kind::RateLimited | Kind::Unavailable => ("temporarily_unavailable", status),
        // To the RFC, what cannot be read is one thing, however it was declared.
        Kind::Unsupported => ("invalid_request", StatusCode::BAD_REQUEST),
        _ => ("invalid_request", status),
    };
    // Parts of the request are quoted, and the RFC has printable characters of ASCII alone, without quotation marks and backslashes.
    let plainly = |character| match character {
        ' '..='!' | '#'..='[' | ']'..='~' => character,
        '"' => '\'',
        _ => '?',
    };
    let description: String = error.message().chars().map(plainly).collect();
    plain(status, json!({ "error": code, "error_description": description }).to_string())
}
