//! Compresses large answers for callers who accept it.

use http::{Extensions, HeaderMap, StatusCode, Version, header};
use tower_http::compression::{
    CompressionLayer,
    predicate::{And, Predicate, SizeAbove},
};

/// Smaller answers travel in a packet or two anyway.
const MIN_COMPRESSED: u64 = 4 * 1024;

/// Whether an answer may be compressed.
type MayBe = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// What compresses.
pub(crate) fn layer() -> CompressionLayer<And<SizeAbove, MayBe>> {
    CompressionLayer::new().gzip(true).compress_when(SizeAbove::new(MIN_COMPRESSED).and(may_be_compressed as MayBe))
}

/// A strong tag names exact bytes: they go out as they are.
fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    headers.get(header::ETAG).is_none_or(|tag| tag.as_bytes().starts_with(b"W/"))
}
