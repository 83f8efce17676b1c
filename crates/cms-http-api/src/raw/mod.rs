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

use crate::{reply, request_id::RequestId};

/// Surrounds the answer to any request of these routes: one id for the log, the operation and the answer. The log has the route's
/// template: paths and queries have codes, states and tokens in them, which others must not read.
async fn frame(mut request: Request, next: Next) -> Response {
    let id = RequestId::give(request.headers_mut());
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let span = tracing::info_span!("request", request = %id, method = %request.method(), path);
    let mut response = next.run(request).instrument(span).await;
    reply::finish(&mut response, id);
    response
}
