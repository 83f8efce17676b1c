//! Stateless Streamable HTTP: who calls is settled, and the body is read and bounded, before the protocol sees a request.

use std::{str::FromStr, sync::Arc};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    middleware,
    response::Response,
    routing,
};
use cms_core::{
    Cms, Code, Error, Kind, Options, credentials,
    input::{LINGER, LINGER_TIME},
    intake::Share,
    oauth::metadata::PROTECTED_RESOURCE,
    refusal, request_id,
};
use cms_domain::{access::Actor, json};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header, request::Parts, uri::Authority};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager};
use serde_json::Value;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::{Instrument, Span};

use crate::{
    McpOptions, discovery, reply,
    server::{Server, client},
    splice::Splice,
    step_up::StepUp,
};

/// The header that carries the id of a request, both ways.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id of a message, in bytes: it comes back with the answer. Clients count, or send a UUID.
const LONGEST_ID: usize = 1024;

/// Allows the pages of every site: without a token they can do nothing, and the browser has none to add.
const EVERY_ORIGIN: &str = "*";

/// The endpoint for tools, and the document that tells clients how to get in.
pub fn router(cms: Cms, options: McpOptions) -> Router {
    let path = options.path();
    // Clients of our challenge ask at the well-known path, those of RFC 9728 alone below it.
    let metadata = [PROTECTED_RESOURCE.to_owned(), format!("{PROTECTED_RESOURCE}{path}")];
    let mut endpoint = routing::post(post).fallback(no_session).layer(middleware::map_response(personal));
    if let Some(cors) = cors(&options.allowed_origins) {
        endpoint = endpoint.layer(cors);
    }
    let router = Router::new().route(&path, endpoint);
    metadata
        .iter()
        .fold(router, |router, path| router.route(path, routing::get(discovery::metadata)))
        .with_state(Transport::new(cms, options))
}

/// What every request needs.
#[derive(Clone)]
pub(crate) struct Transport(Arc<Inner>);

struct Inner {
    cms: Cms,
    options: Arc<McpOptions>,
    service: StreamableHttpService<Server, NeverSessionManager>,
}

impl Transport {
    fn new(cms: Cms, options: McpOptions) -> Self {
        let options = Arc::new(options);
        let server = Server::new(cms.clone(), Arc::clone(&options));
        // Hosts and origins are checked here, where the configured ones are known.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(options.body_limit)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
        Self(Arc::new(Inner { cms, options, service }))
    }

    pub(crate) fn options(&self) -> &McpOptions {
        &self.0.options
    }

    /// How the site is set up.
    pub(crate) fn known(&self) -> &Options {
        self.0.cms.options()
    }
}

async fn post(State(transport): State<Transport>, mut request: Request) -> Response {
    let id = match request.headers().get(REQUEST_ID) {
        Some(sent) if request_id::is_well_formed(sent.as_bytes()) => sent.clone(),
        // What is made is well-formed, so that it always fits a header.
        _ => HeaderValue::try_from(request_id::make()).unwrap_or(HeaderValue::from_static("0")),
    };
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let span = tracing::info_span!("request", request = id.to_str().unwrap_or_default(), door = "mcp");
    let mut response = answer(&transport, request).instrument(span).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

async fn answer(transport: &Transport, request: Request) -> Response {
    let (mut parts, mut body) = request.into_parts();
    match admitted(transport, &parts, &mut body).await {
        // The room is given back when the answer is made: until then the message is kept.
        Ok((actor, message, _share)) => {
            // The protocol demands that clients accept both; ours are answered with JSON whatever they can read besides.
            parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
            let (step_up, splice) = (StepUp::default(), Splice::default());
            parts.extensions.insert(actor);
            parts.extensions.insert(step_up.clone());
            parts.extensions.insert(splice.clone());
            parts.extensions.insert(Span::current());
            let request = Request::from_parts(parts, Body::from(message));
            let answered = as_json_rpc(transport.0.service.handle(request).await.map(Body::new)).await;
            let mut response = splice.put(answered).await.unwrap_or_else(|error| {
                tracing::error!(cause = error.private().map(tracing::field::debug), "an answer was lost");
                reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reply::INTERNAL, Code::InternalError.message())
            });
            step_up.put(&mut response);
            response
        }
        Err(response) => {
            if response.status() != StatusCode::REQUEST_TIMEOUT {
                finish_reading(transport.options(), &parts.headers, &mut body).await;
            }
            *response
        }
    }
}

/// There are no sessions to listen to or to end.
async fn no_session(method: Method) -> Response {
    let message = format!("{method} is not served: there are no sessions here; send each message with POST");
    let mut response = reply::refused(StatusCode::METHOD_NOT_ALLOWED, reply::INTERNAL, &message);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

/// The caller and the message, or what to answer instead.
async fn admitted(transport: &Transport, parts: &Parts, body: &mut Body) -> Result<(Actor, Bytes, Share), Box<Response>> {
    let (options, headers) = (transport.options(), &parts.headers);
    if !is_trusted(options, headers) {
        refusal::tell(&client(parts), None, refusal::NO_OPERATION, &Error::new(Code::CsrfRejected));
        return Err(refused(StatusCode::FORBIDDEN, reply::INTERNAL, "requests from this origin are not allowed"));
    }
    let actor = caller(transport, headers)
        .await
        .inspect_err(|error| refusal::tell(&client(parts), None, refusal::NO_OPERATION, error))
        .map_err(|error| refused_caller(&error, &discovery::origin(options, transport.known(), headers)))?;
    if !accepts_json(headers) {
        return Err(refused(StatusCode::NOT_ACCEPTABLE, reply::INTERNAL, "accept `application/json`"));
    }
    if !is_json(headers) {
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, reply::INTERNAL, Code::UnsupportedMediaType.message()));
    }
    let (message, share) = read(transport, body).await?;
    Ok((actor, message, share))
}

/// Reads what is left of a body that was refused: a sender that is cut off in the middle does not get to read why.
async fn finish_reading(options: &McpOptions, headers: &HeaderMap, body: &mut Body) {
    // Who waits to be told to go on sends nothing when told otherwise.
    if !headers.contains_key(header::EXPECT) {
        let mut left = Limited::new(body, LINGER);
        let rest = async { while let Some(Ok(_)) = left.frame().await {} };
        // Whoever sends more, or without end, is cut off after all.
        let _ = tokio::time::timeout(options.body_timeout.min(LINGER_TIME), rest).await;
    }
}

fn refused(status: StatusCode, code: i32, message: &str) -> Box<Response> {
    Box::new(reply::refused(status, code, message))
}

async fn caller(transport: &Transport, headers: &HeaderMap) -> Result<Actor, Error> {
    match credentials::identify(&transport.0.cms, headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes)).await? {
        Actor::Anonymous => Err(Error::new(Code::NotAuthenticated)),
        actor => Ok(actor),
    }
}

fn refused_caller(error: &Error, origin: &str) -> Box<Response> {
    Box::new(match error.code().kind() {
        Kind::Unauthenticated => reply::unauthenticated(error, origin),
        Kind::Unavailable => reply::busy(error),
        _ => {
            tracing::error!(code = error.code().as_str(), cause = error.private().map(tracing::field::debug), "caller not identified");
            reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reply::INTERNAL, error.message())
        }
    })
}

/// The whole body, held against the same rules as a body of the REST API, and the room that it takes.
async fn read(transport: &Transport, body: &mut Body) -> Result<(Bytes, Share), Box<Response>> {
    let options = transport.options();
    let (bytes, share) = match tokio::time::timeout(options.body_timeout, arriving(transport, body)).await {
        Ok(arrived) => arrived?,
        Err(_) => return Err(refused(StatusCode::REQUEST_TIMEOUT, reply::INTERNAL, Code::RequestTimeout.message())),
    };
    let message = json::parse(&bytes).map_err(|error| {
        let message = format!("{}: {error}", Code::InvalidJson.message());
        refused(StatusCode::BAD_REQUEST, reply::PARSE_ERROR, &message)
    })?;
    match malformed(&message) {
        None => Ok((bytes, share)),
        Some(problem) => Err(refused(StatusCode::BAD_REQUEST, reply::INVALID_REQUEST, problem)),
    }
}

/// The bytes of a body, as they arrive.
async fn arriving(transport: &Transport, body: &mut Body) -> Result<(Bytes, Share), Box<Response>> {
    let mut share = transport.0.cms.intake().begin();
    let mut body = Limited::new(body, transport.options().body_limit);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            if error.is::<LengthLimitError>() {
                refused(StatusCode::PAYLOAD_TOO_LARGE, reply::INTERNAL, Code::PayloadTooLarge.message())
            } else {
                refused(StatusCode::BAD_REQUEST, reply::INTERNAL, "the body broke off")
            }
        })?;
        let Ok(data) = frame.into_data() else { continue };
        share.append(&data).map_err(|full| Box::new(reply::busy(&full)))?;
    }
    Ok((share.finish().into(), share))
}

/// What keeps a JSON document from being a message of the protocol.
fn malformed(message: &Value) -> Option<&'static str> {
    if message.is_array() {
        return Some("batches are not served: send one message a request");
    }
    // The protocol's library writes ids into the log as they came.
    let is_text = |id: &str| id.len() <= LONGEST_ID && !id.chars().any(char::is_control);
    let is_id = |id: &Value| id.as_str().is_some_and(is_text) || id.is_i64();
    let fits = message["jsonrpc"] == "2.0"
        && (message["method"].is_string() || message.get("result").is_some() || message.get("error").is_some())
        && message.get("id").is_none_or(is_id)
        && message.get("params").is_none_or(Value::is_object);
    (!fits).then_some(
        "expected a JSON-RPC 2.0 message: `jsonrpc` is \"2.0\", `method` a string, `id` a string of at most 1,024 bytes without control characters or an integer of 64 bits, `params` an object",
    )
}

/// Whether a browser may send the request: one that says where it comes from must come from here or from where it is let.
fn is_trusted(options: &McpOptions, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let is = |allowed: &str| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
    options.allowed_origins.iter().any(|allowed| allowed == EVERY_ORIGIN || is(allowed))
        || match &options.public_origin {
            Some(own) => is(own),
            None => is_this_machine(origin, headers),
        }
}

/// Whether an origin is the host that was asked, under a name that no one else can point here: a page of another site
/// can give its own name this machine's address, and then host and origin agree (DNS rebinding).
fn is_this_machine(origin: &str, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).and_then(|host| Authority::from_str(host).ok());
    let origin = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    matches!((host, origin), (Some(host), Some(origin)) if host.as_str().eq_ignore_ascii_case(origin)
        && matches!(host.host(), "localhost" | "127.0.0.1" | "[::1]"))
}

/// Whether JSON may be answered (RFC 9110, section 12.5.1). Who says nothing takes anything.
fn accepts_json(headers: &HeaderMap) -> bool {
    let mut ranges =
        headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).peekable();
    ranges.peek().is_none()
        || ranges.any(|range| {
            let mut parts = range.split(';').map(str::trim);
            let is_json = matches!(parts.next(), Some("application/json" | "application/*" | "*/*"));
            is_json && !parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
}

fn is_json(headers: &HeaderMap) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.split(';').next().is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

/// The protocol library's own refusals are plain text; clients read JSON-RPC.
async fn as_json_rpc(response: Response) -> Response {
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if is_json || !(response.status().is_client_error() || response.status().is_server_error()) {
        return response;
    }
    let status = response.status();
    let text = axum::body::to_bytes(response.into_body(), 16 * 1024).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    // Text of a failure inside stays inside.
    let (code, message) = if status.is_server_error() {
        tracing::error!(cause = %text, "the protocol failed");
        (reply::INTERNAL, Code::InternalError.message())
    } else {
        (reply::INTERNAL, text.as_ref())
    };
    reply::refused(status, code, message)
}

/// Every answer of the endpoint is for its caller alone.
async fn personal(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Lets browser programs of the configured origins call, and nobody's cookies with them.
fn cors(origins: &[String]) -> Option<CorsLayer> {
    if origins.is_empty() {
        return None;
    }
    let origins = if origins.iter().any(|origin| origin == EVERY_ORIGIN) {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| origin.trim_end_matches('/').parse().ok()))
    };
    let asked = ["mcp-protocol-version", "mcp-method", "mcp-name", "last-event-id"].map(HeaderName::from_static);
    let asked = [header::AUTHORIZATION, header::CONTENT_TYPE, header::ACCEPT].into_iter().chain(asked);
    Some(
        CorsLayer::new()
            .allow_origin(origins)
            .allow_methods([Method::POST])
            .allow_headers(asked.collect::<Vec<_>>())
            .expose_headers([header::WWW_AUTHENTICATE, REQUEST_ID]),
    )
}
