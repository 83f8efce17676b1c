//! Compresses large answers for callers who accept it.

use std::convert::Infallible;

use axum::{body::Body, extract::Request, response::Response};
use futures_util::FutureExt;
use http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::{
    CompressionLayer,
    predicate::{Predicate, SizeAbove},
};

/// Smaller answers travel in a packet or two anyway.
const MIN_COMPRESSED: u64 = 4 * 1024;

/// The answer to a request, compressed where that is wanted and worth it.
pub(crate) async fn compressed<T: Future<Output = Response>>(request: Request, answer: impl Fn(Request) -> T) -> Response {
    let layer = CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(MIN_COMPRESSED).and(may_be_compressed));
    let Ok(response) = layer.layer(service_fn(|request| answer(request).map(Ok::<_, Infallible>))).oneshot(request).await;
    response.map(Body::new)
}

/// A strong tag names exact bytes: they go out as they are.
fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    // And events go out as they come.
    let is_stream = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    !is_stream && headers.get(header::ETAG).is_none_or(|tag| tag.as_bytes().starts_with(b"W/"))
}
