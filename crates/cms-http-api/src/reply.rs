//! Turns what operations answer into bytes, and bytes into responses.

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use cms_frame::{Error, descriptor::Answer, operation::PlainText};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use serde_json::Value;
use twox_hash::XxHash3_128;

use crate::request_id::{REQUEST_ID, RequestId};

const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Room for all headers of an answer, so that adding them does not move them.
const HEADERS: usize = 16;

/// The envelope around what an operation answers.
pub(crate) fn envelope(answer: &Answer) -> Result<Bytes, Error> {
    let mut bytes = br#"{"success":true,"data":"#.to_vec();
    answer.write(&mut bytes)?;
    bytes.push(b'}');
    Ok(bytes.into())
}

/// What is the caller's alone is kept by nobody on the way, nor by their browser (RFC 9111, section 5.2.2.5).
pub(crate) const NO_STORE: HeaderValue = HeaderValue::from_static("private, no-store");

/// An answer that is the caller's alone.
pub(crate) fn json(status: StatusCode, bytes: Bytes) -> Response {
    let mut headers = HeaderMap::with_capacity(HEADERS);
    headers.insert(header::CONTENT_TYPE, JSON);
    headers.insert(header::CACHE_CONTROL, NO_STORE);
    response(status, headers, bytes)
}

/// The text of an answer in its envelope, sent as it is; none when the answer has none.
pub(crate) fn text(enveloped: &Bytes, text: PlainText) -> Option<Response> {
    let answer: Value = serde_json::from_slice(enveloped).ok()?;
    let source = answer["data"].get(text.member)?.as_str()?.to_owned();
    let mut response = json(StatusCode::OK, source.into());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(text.media_type));
    Some(response)
}

/// Finished bytes that are the same for everyone who may have them, and the tag that names them.
#[derive(Debug, Clone)]
pub(crate) struct Finished {
    /// The bytes.
    pub(crate) bytes: Bytes,
    /// Their entity tag.
    tag: HeaderValue,
}

/// Who may keep an answer, if they ask each time whether it is still good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keepers {
    /// Anyone on the way.
    Anyone,
    /// The caller alone.
    Caller,
}

impl Finished {
    /// Bytes that go out exactly as they are.
    pub(crate) fn new(bytes: Bytes) -> Self {
        Self { tag: tag("", &bytes), bytes }
    }

    /// Bytes that may go out compressed.
    pub(crate) fn weak(bytes: Bytes) -> Self {
        Self { tag: tag("W/", &bytes), bytes }
    }

    /// The answer, or the word that the caller has it already.
    pub(crate) fn answer(&self, asked: &HeaderMap, content_type: HeaderValue, keepers: Keepers) -> Response {
        let mut headers = HeaderMap::with_capacity(HEADERS);
        let keeping = match keepers {
            Keepers::Anyone => HeaderValue::from_static("public, max-age=0, must-revalidate"),
            Keepers::Caller => HeaderValue::from_static("private, max-age=0, must-revalidate"),
        };
        headers.insert(header::ETAG, self.tag.clone());
        headers.insert(header::CACHE_CONTROL, keeping);
        headers.insert(header::VARY, HeaderValue::from_static("authorization"));
        if self.is_named_by(asked) {
            return response(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        headers.insert(header::CONTENT_TYPE, content_type);
        response(StatusCode::OK, headers, self.bytes.clone())
    }

    /// The answer in JSON.
    pub(crate) fn json(&self, asked: &HeaderMap, keepers: Keepers) -> Response {
        self.answer(asked, JSON, keepers)
    }

    fn is_named_by(&self, asked: &HeaderMap) -> bool {
        names(asked, &self.tag)
    }
}

/// Whether `If-None-Match` has a tag. The comparison is the weak one (RFC 9110, 13.1.2).
pub(crate) fn names(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    let named = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    named.flat_map(|list| list.split(',')).map(str::trim).any(|named| named == "*" || opaque(named.as_bytes()) == opaque(tag.as_bytes()))
}

/// A tag made of a hash of the bytes. It need not withstand anyone: who could make two answers with one tag could only keep readers
/// of their own entries at the older one. A cryptographic digest takes as long as the rest of a list's answer.
fn tag(strength: &str, bytes: &[u8]) -> HeaderValue {
    let hash = XxHash3_128::oneshot(bytes).to_be_bytes();
    let tag = format!("{strength}\"{}\"", URL_SAFE_NO_PAD.encode(hash));
    // Base64 and quotes always fit a header.
    HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// A tag without its strength.
fn opaque(tag: &[u8]) -> &[u8] {
    tag.strip_prefix(b"W/").unwrap_or(tag)
}

/// Adds what every answer carries.
pub(crate) fn finish(response: &mut Response, id: RequestId) {
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.into_header());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // A page of ours brings its own policy; data needs nothing.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"));
    headers.entry(PERMISSIONS_POLICY).or_insert(HeaderValue::from_static("camera=(), geolocation=(), microphone=(), payment=()"));
}

/// Leaves out the body, but says how long it would be.
pub(crate) fn without_body(response: &mut Response) {
    let body = std::mem::take(response.body_mut());
    if let Some(length) = body.size_hint().exact()
        && response.status() != StatusCode::NOT_MODIFIED
    {
        response.headers_mut().insert(header::CONTENT_LENGTH, length.into());
    }
}

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

fn response(status: StatusCode, headers: HeaderMap, bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(if_none_match: &str) -> bool {
        let finished = Finished { bytes: Bytes::new(), tag: HeaderValue::from_static("\"a\"") };
        finished.is_named_by(&HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::try_from(if_none_match).unwrap())]))
    }

    #[test]
    fn a_tag_is_found_alone_in_a_list_weak_or_as_a_star() {
        assert!(asks("\"a\"") && asks("\"b\" , \"a\"") && asks("W/\"a\"") && asks("*"));
        assert!(!asks("\"b\"") && !asks("a") && !asks(""));
    }

    #[test]
    fn the_tag_names_the_bytes() {
        let tag = |bytes: &'static str| Finished::new(Bytes::from_static(bytes.as_bytes())).tag;
        assert_eq!(tag("x"), tag("x"));
        assert_ne!(tag("x"), tag("y"));
    }
}
