//! Turns failures into answers: each kind of failure has one status.

use axum::response::Response;
use bytes::Bytes;
use cms_accounts::oauth::metadata::PROTECTED_RESOURCE;
use cms_domain::product::Product;
use cms_frame::{Code, Error, Kind};
use http::{HeaderValue, StatusCode, header};
use serde_json::{Value, json};

use crate::{reply, request_id::RequestId};

/// The status of a kind of failure.
pub(crate) const fn status(kind: Kind) -> StatusCode {
    match kind {
        Kind::Invalid => StatusCode::BAD_REQUEST,
        Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::RateLimited => StatusCode::TOO_MANY_REQUESTS,
        Kind::Gone => StatusCode::GONE,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Method => StatusCode::METHOD_NOT_ALLOWED,
        Kind::Timeout => StatusCode::REQUEST_TIMEOUT,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Kind::Unsupported => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Every code with its status and its meaning, as a page of Markdown.
pub fn error_reference() -> String {
    let mut page = "# Error codes\n\nA failure answers `{success: false, error: {code, message, details?}}`. The code is stable; the message says what to do.\n\
        Tools answer the same codes. This page is generated.\n\n| Code | Status | Meaning |\n|---|---|---|\n"
        .to_owned();
    for code in Code::ALL {
        let status = status(code.kind());
        page.extend(["| `", code.as_str(), "` | ", status.as_str(), " | ", code.message(), " |\n"]);
    }
    page
}

/// Says what credentials a caller who lacks them needs (RFC 6750, RFC 9728): where to find out is told only where the server knows its own address.
#[derive(Debug, Default)]
pub(crate) struct Challenge(Option<String>);

impl Challenge {
    pub(crate) fn new(product: &Product) -> Self {
        Self(product.public_origin.as_ref().map(|origin| format!("{origin}{PROTECTED_RESOURCE}")))
    }

    fn header(&self, error: &Error) -> Option<HeaderValue> {
        let mut parameters = Vec::new();
        match error.code() {
            Code::InvalidToken => parameters.push(r#"error="invalid_token""#.to_owned()),
            Code::InsufficientScope => {
                parameters.push(r#"error="insufficient_scope""#.to_owned());
                parameters
                    .extend(error.details_json().and_then(|details| details["scope"].as_str()).map(|scope| format!(r#"scope="{scope}""#)));
            }
            code if code.kind() == Kind::Unauthenticated => {}
            _ => return None,
        }
        parameters.extend(self.0.as_ref().map(|address| format!(r#"resource_metadata="{address}""#)));
        let challenge = if parameters.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", parameters.join(", ")) };
        HeaderValue::try_from(challenge).ok()
    }
}

/// Writes down why the server failed where no operation did: operations have their failures written down already.
pub(crate) fn note(error: Error) -> Error {
    if error.code().kind() == Kind::Internal {
        tracing::error!(cause = error.private().map(tracing::field::debug), "a request failed");
    }
    error
}

/// The answer that tells of a failure. What happened inside is told by the log, under the request's id.
pub(crate) fn response(error: &Error, challenge: &Challenge, id: &RequestId) -> Response {
    let kind = error.code().kind();
    let mut failure = json!({ "code": error.code().as_str(), "message": error.message() });
    let details = match kind {
        Kind::Internal => Some(json!({ "requestId": id.to_string() })),
        _ => error.details_json().cloned(),
    };
    if let Some(details) = details {
        failure["details"] = details;
    }
    let mut response = reply::json(status(kind), body(&failure));
    if let Some(challenge) = challenge.header(error) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    wait(&mut response, error);
    response
}

/// Says when it is worth trying again, where it is.
pub(crate) fn wait(response: &mut Response, error: &Error) {
    if let Some(seconds) = retry_after(error) {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// After how many seconds it is worth trying again.
fn retry_after(error: &Error) -> Option<u64> {
    match error.code().kind() {
        // Waiting does not bring a mail server.
        Kind::Unavailable if error.code() == Code::EmailNotConfigured => None,
        Kind::Unavailable => Some(1),
        Kind::RateLimited => Some(error.details_json().and_then(|details| details["retryAfter"].as_u64()).unwrap_or(1)),
        _ => None,
    }
}

fn body(failure: &Value) -> Bytes {
    json!({ "success": false, "error": failure }).to_string().into()
}
