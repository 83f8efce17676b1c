//! Stateless Streamable HTTP: who calls is settled before the body is read, and what is read before the protocol sees it. What surrounds an
//! answer is the frame's, in which the host of this door runs it.

use std::{str::FromStr, sync::Arc};

use axum::{
    body::{Body, Bytes},
    extract::Request,
    response::Response,
};
use cms_domain::{access::Actor, json, product::Product};
use cms_frame::{Client, Cms, Code, Error, Kind, credentials, intake::Share};
use http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts, uri::Authority};
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager};
use serde_json::Value;
use tracing::Span;

use crate::{McpOptions, discovery, reply, server::Server, splice::Splice, step_up::StepUp};

/// The longest id of a message, in bytes: it comes back with the answer. Clients count, or send a UUID.
const LONGEST_ID: usize = 1024;

/// Allows the pages of every site: without a token they can do nothing, and the browser has none to add.
const EVERY_ORIGIN: &str = "*";

/// The endpoint for tools. A clone is another handle to the same one.
#[derive(Clone)]
pub struct Endpoint(Arc<Inner>);

struct Inner {
    cms: Cms,
    options: Arc<McpOptions>,
    service: StreamableHttpService<Server, NeverSessionManager>,
}

impl Endpoint {
    /// The endpoint of a system.
    pub fn new(cms: Cms, options: McpOptions) -> Self {
        let options = Arc::new(options);
        let server = Server::new(cms.clone(), Arc::clone(&options));
        // Hosts and origins are checked here, where the configured ones are known; how long a body may be, where it is read.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let service = StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config);
        Self(Arc::new(Inner { cms, options, service }))
    }

    /// Answers a message that a client sent with POST, or says why not. The body is read, as `body` does it, when it is settled who calls.
    pub async fn answer(
        &self,
        parts: &Parts,
        client: &Client,
        body: impl Future<Output = Result<(Vec<u8>, Share), Error>>,
    ) -> Result<Response, Error> {
        self.admit(&parts.headers).await?;
        // The room is given back when the answer is made: until then the message is kept.
        let (message, _share) = body.await?;
        // Whoever sends it may have lost what they had while it was on its way.
        let actor = self.admit(&parts.headers).await?;
        let refused = match json::parse(&message) {
            Err(error) => Some((reply::PARSE_ERROR, format!("{}: {error}", Code::InvalidJson.message()))),
            Ok(message) => malformed(&message).map(|problem| (reply::INVALID_REQUEST, problem.to_owned())),
        };
        Ok(match refused {
            Some((code, problem)) => personal(reply::refused(StatusCode::BAD_REQUEST, code, &problem)),
            None if !accepts_json(&parts.headers) => {
                personal(reply::refused(StatusCode::NOT_ACCEPTABLE, reply::INTERNAL, "accept `application/json`"))
            }
            None => personal(self.speak(parts, client, actor, message).await),
        })
    }

    /// How a failure is told: a caller without a token in the envelope of the REST API, anything else in the words of the protocol.
    pub fn refused(&self, parts: &Parts, error: &Error, status: StatusCode) -> Response {
        personal(match error.code().kind() {
            Kind::Unauthenticated => {
                let origin = discovery::origin(self.0.cms.product(), &parts.headers);
                reply::unauthenticated(error, &origin)
            }
            // There are no sessions to listen to or to end.
            Kind::Method => {
                let message = format!("{} is not served: there are no sessions here; send each message with POST", parts.method);
                reply::refused(status, reply::INTERNAL, &message)
            }
            _ => reply::refused(status, reply::INTERNAL, error.message()),
        })
    }

    /// The caller, if one may call at all.
    async fn admit(&self, headers: &HeaderMap) -> Result<Actor, Error> {
        if !is_trusted(&self.0.options, self.0.cms.product(), headers) {
            return Err(Error::with(Code::CsrfRejected, "requests from this origin are not allowed"));
        }
        let sent = headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        let actor = credentials::identify(&self.0.cms, sent).await.inspect_err(|error| {
            if error.code().kind() == Kind::Internal {
                tracing::error!(cause = error.private().map(tracing::field::debug), "caller not identified");
            }
        })?;
        if actor == Actor::Anonymous {
            return Err(Error::new(Code::NotAuthenticated));
        }
        if is_json(headers) { Ok(actor) } else { Err(Error::new(Code::UnsupportedMediaType)) }
    }

    /// Has the protocol's library answer a message.
    async fn speak(&self, parts: &Parts, client: &Client, actor: Actor, message: Vec<u8>) -> Response {
        let mut parts = parts.clone();
        // The protocol demands that clients accept both; ours are answered with JSON whatever they can read besides.
        parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        let (step_up, splice) = (StepUp::default(), Splice::default());
        parts.extensions.insert(actor);
        parts.extensions.insert(client.clone());
        parts.extensions.insert(step_up.clone());
        parts.extensions.insert(splice.clone());
        parts.extensions.insert(Span::current());
        let request = Request::from_parts(parts, Body::from(Bytes::from(message)));
        let answered = as_json_rpc(self.0.service.handle(request).await.map(Body::new)).await;
        let mut response = splice.put(answered).await.unwrap_or_else(|error| {
            tracing::error!(cause = error.private().map(tracing::field::debug), "an answer was lost");
            reply::refused(StatusCode::INTERNAL_SERVER_ERROR, reply::INTERNAL, Code::InternalError.message())
        });
        step_up.put(&mut response);
        response
    }
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
fn is_trusted(options: &McpOptions, product: &Product, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let is = |allowed: &str| allowed.trim_end_matches('/').eq_ignore_ascii_case(origin);
    options.allowed_origins.iter().any(|allowed| allowed == EVERY_ORIGIN || is(allowed))
        || match &product.public_origin {
            Some(own) => is(own.as_str()),
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
fn personal(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}
