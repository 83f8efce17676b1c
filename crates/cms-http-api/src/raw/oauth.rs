//! The endpoints of the authorization server: requests and answers as the RFCs have them, forms and plain JSON, in no envelope.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    extract::{Request, State},
    middleware,
    response::Response,
    routing,
};
use cms_core::{
    Client, Cms, Code, Counted, Door, Error, Kind,
    descriptor::Declaration,
    oauth::{
        Answer, Fault, FaultCode, authorize::BeginAuthorization, device::RequestDeviceCode, metadata, register::RegisterOAuthClient,
        revoke::RevokeGrantedToken, token_request::IssueToken,
    },
    operation::Operation,
    refusal,
};
use cms_domain::access::Actor;
use http::{HeaderValue, StatusCode, header, request::Parts};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tracing::Instrument;

use super::oauth_body;
use crate::{
    body::Limits,
    caller::Callers,
    error::{self, note},
    options::HttpOptions,
    query, reply,
};

/// The parameters of an authorization request that mean something here. Others are passed over (RFC 6749, 3.1).
const PARAMETERS: [&str; 8] =
    ["client_id", "redirect_uri", "response_type", "code_challenge", "code_challenge_method", "state", "scope", "resource"];
/// What a value in a query need not escape.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// How long a browser remembers that it may ask.
const PREFLIGHT: HeaderValue = HeaderValue::from_static("86400");

/// What all of the endpoints need.
struct Endpoints {
    cms: Cms,
    callers: Callers,
    limits: Limits,
    time: Duration,
    prefix: String,
    public_origin: Option<String>,
}

type Shared = State<Arc<Endpoints>>;

/// The endpoints, and the documents that tell of them.
pub(crate) fn routes(cms: Cms, options: &HttpOptions) -> Router {
    let (prefix, root) = (&options.prefix, options.root());
    let endpoints = Endpoints {
        callers: Callers::new(options),
        limits: Limits { size: options.body_limit, time: options.body_timeout, intake: cms.intake().clone() },
        cms,
        time: options.request_timeout,
        prefix: prefix.clone(),
        public_origin: options.public_origin.clone(),
    };
    let post = |post: routing::MethodRouter<Arc<Endpoints>>| {
        post.options(async || preflight("POST, OPTIONS")).fallback(async || wrong_method("POST, OPTIONS"))
    };
    let document = format!("{}{prefix}", metadata::AUTHORIZATION_SERVER);
    let describe =
        routing::get(authorization_server).options(async || preflight("GET, OPTIONS")).fallback(async || wrong_method("GET, OPTIONS"));
    Router::new()
        .route(&format!("{root}/oauth/token"), post(routing::post(token)))
        .route(&format!("{root}/oauth/register"), post(routing::post(register)))
        .route(&format!("{root}/oauth/revoke"), post(routing::post(revoke)))
        .route(&format!("{root}/oauth/device/code"), post(routing::post(device_code)))
        .route(&format!("{prefix}/oauth/authorize"), routing::get(authorize).fallback(async || wrong_method("GET")))
        .route(&document, describe)
        .route(&format!("{prefix}/.well-known/auth"), routing::get(ways_in).fallback(async || wrong_method("GET")))
        .layer(middleware::from_fn(super::frame))
        .with_state(Arc::new(endpoints))
}

async fn token(State(endpoints): Shared, request: Request) -> Response {
    endpoints.exchange::<IssueToken, _>(request, |members| read(Value::Object(members))).await
}

async fn revoke(State(endpoints): Shared, request: Request) -> Response {
    endpoints.exchange::<RevokeGrantedToken, _>(request, |members| read(Value::Object(members))).await
}

async fn device_code(State(endpoints): Shared, request: Request) -> Response {
    endpoints.exchange::<RequestDeviceCode, _>(request, |members| read(Value::Object(members))).await
}

async fn register(State(endpoints): Shared, request: Request) -> Response {
    let mut response = endpoints.exchange::<RegisterOAuthClient, _>(request, |metadata| Ok(RegisterOAuthClient { metadata })).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::CREATED;
    }
    response
}

/// An operation of its parameters. Parameters that mean nothing are passed over.
fn read<O: DeserializeOwned>(members: Value) -> Result<O, Fault> {
    serde_json::from_value(members).map_err(|_| Fault::new(FaultCode::InvalidRequest, "every parameter is text"))
}

impl Endpoints {
    /// Does an operation with the parameters of a request, as nobody in particular: cookies mean nothing here, so that no page of
    /// anybody can use a browser's.
    async fn exchange<O, T>(&self, request: Request, read: impl FnOnce(Map<String, Value>) -> Result<O, Fault>) -> Response
    where
        O: Operation<Output = Answer<T>>,
        T: Serialize + Send + 'static,
    {
        let (parts, mut body) = request.into_parts();
        let client = self.callers.client(&parts, self.cms.now());
        let done = async {
            let counted = self.cms.count(&Declaration::of::<O>(), &client).await.map_err(note)?;
            // No client has a secret, so that none can prove one.
            if parts.headers.contains_key(header::AUTHORIZATION) {
                return Ok(Err(Fault::new(FaultCode::InvalidClient, "clients have no secrets here: send client_id in the body alone")));
            }
            let members = match oauth_body::members(&parts.headers, &mut body, &self.limits.of(O::ACCESS)).await? {
                Ok(members) if members.contains_key("client_secret") => {
                    return Ok(Err(Fault::new(FaultCode::InvalidClient, "clients have no secrets here: send client_id alone")));
                }
                Ok(members) => members,
                Err(fault) => return Ok(Err(fault)),
            };
            match read(members) {
                Ok(operation) => self.call(client.clone(), operation, counted).await.map(Ok),
                Err(fault) => Ok(Err(fault)),
            }
        };
        match done.await {
            Ok(Ok(Answer::Done(answer))) => plain(StatusCode::OK, &answer),
            Ok(Ok(Answer::Refused(fault)) | Err(fault)) => {
                refusal::tell_fault(&client, O::ID, &fault);
                refused(&fault, parts.headers.contains_key(header::AUTHORIZATION))
            }
            Err(error) => {
                refusal::tell(&client, None, O::ID, &error);
                failed(&error)
            }
        }
    }

    /// Does an operation to its end, even if whoever asked goes away meanwhile.
    async fn call<O: Operation>(&self, client: Client, operation: O, counted: Counted) -> Result<O::Output, Error> {
        let cms = self.cms.clone();
        let run = async move { cms.call_counted(&Actor::Anonymous, Door::Rest, &client, operation, Some(counted)).await };
        match tokio::time::timeout(self.time, tokio::spawn(run.in_current_span())).await {
            Ok(Ok(done)) => Ok(done?.output),
            Ok(Err(broken)) => Err(note(Error::internal(broken))),
            Err(_) => Err(Error::with(Code::Busy, "the request took too long")),
        }
    }

    fn origin(&self, parts: &Parts) -> String {
        self.callers.client(parts, self.cms.now()).origin.unwrap_or_else(|| self.cms.options().public_origin.clone())
    }
}

/// Sends a browser on to the page where its user decides. Until it is certain who asks and where the answer goes, it stays here.
async fn authorize(State(endpoints): Shared, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let client = endpoints.callers.client(&parts, endpoints.cms.now());
    let counted = match endpoints.cms.count(&Declaration::of::<BeginAuthorization>(), &client).await.map_err(note) {
        Ok(counted) => counted,
        Err(error) => {
            refusal::tell(&client, None, BeginAuthorization::ID, &error);
            return failed_page(&error);
        }
    };
    let (pairs, issues) = query::pairs(parts.uri.query().unwrap_or_default());
    if !issues.is_empty() {
        return page(StatusCode::BAD_REQUEST, "a parameter is given twice, or is not text");
    }
    let known: Vec<_> = pairs.into_iter().filter(|(name, value)| PARAMETERS.contains(&name.as_str()) && !value.is_empty()).collect();
    let members = known.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    let begun = match endpoints.cms.read::<BeginAuthorization>(members) {
        Ok(begin) => endpoints.call(client.clone(), begin, counted).await,
        Err(error) => Err(error),
    };
    match begun {
        Ok(begun) => found(&begun.redirect.unwrap_or_else(|| {
            let escaped = known.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, PLAIN)));
            format!("{}/admin/authorize?{}", endpoints.prefix, escaped.collect::<Vec<_>>().join("&"))
        })),
        Err(error) => {
            refusal::tell(&client, None, BeginAuthorization::ID, &error);
            failed_page(&error)
        }
    }
}

/// What keeps a browser from being sent on.
fn failed_page(error: &Error) -> Response {
    let status = error::status(error.code().kind());
    let said = if error.code().kind() == Kind::Invalid { error.message() } else { error.code().message() };
    let mut response = page(status, said);
    wait(&mut response, error);
    response
}

fn found(address: &str) -> Response {
    let mut response = Response::default();
    match HeaderValue::try_from(address) {
        Ok(address) => {
            *response.status_mut() = StatusCode::FOUND;
            response.headers_mut().insert(header::LOCATION, address);
            response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
            response
        }
        Err(_) => page(StatusCode::BAD_REQUEST, "the address for the answer is not one"),
    }
}

/// A page for a person who was sent here by something that is broken, or by somebody who means them harm.
fn page(status: StatusCode, said: &str) -> Response {
    let said = said.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>This request cannot be answered</title><h1>This request cannot be answered</h1>\
         <p>An application sent you here with a request that is not valid: {said}.</p>\
         <p>Nothing was granted, and you were sent nowhere else. Close this page, or tell whoever makes the application.</p></html>"
    );
    let mut response = Response::new(html.into());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    response
}

async fn authorization_server(State(endpoints): Shared, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    let document = metadata::authorization_server(endpoints.cms.options(), &endpoints.origin(&parts));
    let mut response = plain(StatusCode::OK, &document);
    let headers = response.headers_mut();
    headers.remove(header::PRAGMA);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    if endpoints.public_origin.is_none() {
        headers.insert(header::VARY, HeaderValue::from_static("host"));
    }
    response
}

async fn ways_in(State(endpoints): Shared) -> Response {
    match metadata::ways_in(&endpoints.cms).await {
        Ok(document) => plain(StatusCode::OK, &document),
        Err(error) => failed(&note(error)),
    }
}

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const ANYONE: HeaderValue = HeaderValue::from_static("*");

/// A document that pages of every site may read: there is nothing in it that a browser adds by itself.
fn plain(status: StatusCode, document: &impl Serialize) -> Response {
    let bytes = match serde_json::to_vec(document) {
        Ok(bytes) => bytes,
        Err(error) => return failed(&note(error.into())),
    };
    let mut response = reply::json(status, bytes.into());
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE);
    response
}

/// A fault as RFC 6749, 5.2, has it: 400, and 401 where a client tried the header that it does not need.
fn refused(fault: &Fault, tried_to_prove: bool) -> Response {
    if fault.error != FaultCode::InvalidClient || !tried_to_prove {
        return plain(StatusCode::BAD_REQUEST, fault);
    }
    let mut response = plain(StatusCode::UNAUTHORIZED, fault);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Basic realm=\"oauth\""));
    response
}

/// What keeps the server from answering, in the same words.
fn failed(error: &Error) -> Response {
    let kind = error.code().kind();
    let code = match kind {
        Kind::Internal => "server_error",
        Kind::RateLimited | Kind::Unavailable => "temporarily_unavailable",
        _ => "invalid_request",
    };
    let mut response = plain(error::status(kind), &json!({ "error": code, "error_description": error.message() }));
    wait(&mut response, error);
    response
}

/// Says when it is worth trying again, where it is.
fn wait(response: &mut Response, error: &Error) {
    if let Some(seconds) = error::retry_after(error) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
}

fn preflight(methods: &'static str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANYONE);
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
    // Clients of the tool endpoint say which version they speak with every request, discovery included.
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type, mcp-protocol-version"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT);
    response
}

fn wrong_method(allowed: &'static str) -> Response {
    let document = json!({ "error": "invalid_request", "error_description": "this address does not have the method" });
    let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, &document);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
    response
}
