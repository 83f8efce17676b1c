//! What the log says of a request beside each line.

use axum::extract::MatchedPath;
use http::request::Parts;
use tracing::Span;

use crate::request_id::RequestId;

/// The span of a request. It has the template of its address and never the address, nor its query: secrets are in both.
pub(crate) fn of(parts: &Parts, id: &RequestId) -> Span {
    let route = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    tracing::info_span!("request", request = %id, method = %parts.method, route)
}
