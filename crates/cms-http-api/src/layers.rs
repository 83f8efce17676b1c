//! What a site may switch on around the whole door: calls from pages of other origins, and compression.

use std::time::Duration;

use axum::Router;
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Version, header};
use tower_http::{
    compression::{
        CompressionLayer,
        predicate::{Predicate, SizeAbove},
    },
    cors::{AllowOrigin, CorsLayer},
};

use crate::{options::HttpOptions, request_id::REQUEST_ID};

/// Smaller answers travel in a packet or two anyway.
const MIN_COMPRESSED: u64 = 4 * 1024;
/// How long a browser remembers what it may send.
const PREFLIGHT: Duration = Duration::from_hours(1);

/// Adds what is switched on.
pub(crate) fn add(mut router: Router, options: &HttpOptions) -> Router {
    if options.compress {
        router = router.layer(CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(MIN_COMPRESSED).and(may_be_compressed)));
    }
    if !options.cors_origins.is_empty() {
        router = router.layer(cross_origin(&options.cors_origins));
    }
    router
}

/// A strong tag names exact bytes: they go out as they are.
fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    headers.get(header::ETAG).is_none_or(|tag| tag.as_bytes().starts_with(b"W/"))
}

/// Cookies are never part of it, so that `*` gives away nothing but what is public.
fn cross_origin(origins: &[String]) -> CorsLayer {
    let origins = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::try_from(origin).ok()))
    };
    CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, header::IF_NONE_MATCH, REQUEST_ID])
        .expose_headers([header::ETAG, header::RETRY_AFTER, header::WWW_AUTHENTICATE, REQUEST_ID])
        .max_age(PREFLIGHT)
}
