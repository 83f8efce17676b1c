//! Routes that are not operations in an envelope: their requests and answers are other people's standards.

pub(crate) mod oauth;
mod oauth_body;
pub(crate) mod providers;

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};
use tracing::Instrument;

use crate::{reply, request_id::RequestId, span};

/// Surrounds the answer to any request of these routes: one id for the log, the operation and the answer. The log has the route's
/// template: paths and queries have codes, states and tokens in them, which others must not read.
async fn frame(request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let id = RequestId::give(&mut parts.headers);
    let span = span::of(&parts, &id, parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str));
    let mut response = next.run(Request::from_parts(parts, body)).instrument(span).await;
    reply::finish(&mut response, id);
    response
}
