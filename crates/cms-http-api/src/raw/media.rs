//! Files of the library, as they are or as pictures that are made of them: whole or in part, kept by whoever likes for as long as they like.

use std::{ops::Range, sync::Arc};

use axum::{body::Body, response::Response};
use cms_frame::{Code, Error};
use cms_media::{
    FILE,
    serve::{self, Served, Wanted},
};
use futures_util::TryStreamExt;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{Asked, Raw};
use crate::{error::note, query, reply, shared::Shared};

/// The bytes of a key never change, and a version of them neither (RFC 8246).
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Whatever is in a file, it does nothing here: no scripts, no forms, an origin of its own.
const NOTHING_ACTS: HeaderValue = HeaderValue::from_static(
    "sandbox; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'",
);
/// Sites on other origins show pictures that are here.
const FOR_ALL: HeaderValue = HeaderValue::from_static("cross-origin");

/// The route of files.
pub(crate) fn routes(shared: &Arc<Shared>) -> Vec<Raw> {
    let shared = Arc::clone(shared);
    vec![
        Raw::new(FILE, move |asked| {
            let shared = Arc::clone(&shared);
            Box::pin(async move { answer(&shared, asked).await })
        })
        .open(),
    ]
}

async fn answer(shared: &Shared, asked: Asked<'_>) -> Result<Response, Error> {
    let key = asked.parameters.decoded().next().flatten().ok_or_else(|| Error::new(Code::NotFound))?;
    let (pairs, issues) = query::pairs(asked.parts.uri.query().unwrap_or_default());
    if !issues.is_empty() {
        return Err(Error::invalid(issues));
    }
    let wanted = Wanted::read(&pairs)?;
    let headers = &asked.parts.headers;
    let served = serve::serve(&shared.cms, &key, &wanted, accepts(headers, "image/webp")).await?;
    let mut response = Response::default();
    let tag = header_of(format!("\"{}\"", served.tag))?;
    let range = match range(headers, &tag, served.size) {
        Asks::Whole => None,
        Asks::Part(range) => Some(range),
        Asks::Nothing => {
            *response.status_mut() = StatusCode::RANGE_NOT_SATISFIABLE;
            response.headers_mut().insert(header::CONTENT_RANGE, header_of(format!("bytes */{}", served.size))?);
            return Ok(response);
        }
    };
    let out = response.headers_mut();
    out.insert(header::CACHE_CONTROL, FOR_EVER);
    out.insert(header::ETAG, tag.clone());
    out.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    out.insert(header::CONTENT_SECURITY_POLICY, NOTHING_ACTS);
    out.insert("cross-origin-resource-policy", FOR_ALL);
    if wanted.varies() {
        out.insert(header::VARY, HeaderValue::from_static("accept"));
    }
    if reply::names(headers, &tag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        return Ok(response);
    }
    out.insert(header::CONTENT_TYPE, header_of(served.media_type.clone())?);
    out.insert(header::CONTENT_DISPOSITION, header_of(disposition(&served))?);
    let length = range.as_ref().map_or(served.size, |range| range.end - range.start);
    out.insert(header::CONTENT_LENGTH, length.into());
    if let Some(range) = &range {
        out.insert(header::CONTENT_RANGE, header_of(format!("bytes {}-{}/{}", range.start, range.end - 1, served.size))?);
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
    }
    if asked.parts.method != Method::HEAD && length > 0 {
        let object = served.read(&shared.cms, range).await.map_err(note)?;
        *response.body_mut() = Body::from_stream(object.bytes.map_err(|error| {
            tracing::warn!(%error, "a file broke off while it was sent");
            error
        }));
    }
    Ok(response)
}

fn header_of(text: String) -> Result<HeaderValue, Error> {
    HeaderValue::try_from(text).map_err(|error| note(Error::internal(error)))
}

/// How a file is shown, and what it is called (RFC 6266, with the name in RFC 8187).
fn disposition(served: &Served) -> String {
    let way = if served.is_inline { "inline" } else { "attachment" };
    let plain: String =
        served.filename.chars().map(|c| if c.is_ascii_graphic() && !"\"\\%".contains(c) || c == ' ' { c } else { '_' }).collect();
    let exact = utf8_percent_encode(&served.filename, NON_ALPHANUMERIC);
    format!("{way}; filename=\"{plain}\"; filename*=UTF-8''{exact}")
}

/// Whether `Accept` names a media type, and does not refuse it (RFC 9110, section 12.5.1). What takes anything may not know it.
fn accepts(headers: &HeaderMap, media_type: &str) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    accepted.into_iter().any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let named = parts.next().is_some_and(|named| named.eq_ignore_ascii_case(media_type));
        let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32)));
        named && !refused
    })
}

/// What of a file is asked for.
#[derive(Debug, PartialEq, Eq)]
enum Asks {
    Whole,
    Part(Range<u64>),
    /// What is beyond its end.
    Nothing,
}

/// The part that `Range` asks for (RFC 9110, section 14). One part is sent; of several, or of what is written otherwise, all is.
fn range(headers: &HeaderMap, tag: &HeaderValue, size: u64) -> Asks {
    let Some(text) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()).and_then(|text| text.strip_prefix("bytes=")) else {
        return Asks::Whole;
    };
    // Who has a part of something else gets all of this. A date names nothing here.
    if headers.get(header::IF_RANGE).is_some_and(|named| named != tag) {
        return Asks::Whole;
    }
    let Some((first, last)) = text.trim().split_once('-') else { return Asks::Whole };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(first) || !digits(last) {
        return Asks::Whole;
    }
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), _) if first >= size => Asks::Nothing,
        (Ok(first), Ok(last)) if last >= first => Asks::Part(first..last.saturating_add(1).min(size)),
        (Ok(first), Err(_)) if last.is_empty() => Asks::Part(first..size),
        (Err(_), Ok(0)) if first.is_empty() => Asks::Nothing,
        (Err(_), Ok(last)) if first.is_empty() && size > 0 => Asks::Part(size.saturating_sub(last)..size),
        _ => Asks::Whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(range_text: &str, size: u64) -> Asks {
        let headers = HeaderMap::from_iter([(header::RANGE, HeaderValue::try_from(range_text).unwrap())]);
        range(&headers, &HeaderValue::from_static("\"a\""), size)
    }

    #[test]
    fn a_part_is_what_the_range_says_within_the_file() {
        assert_eq!(asks("bytes=0-0", 10), Asks::Part(0..1));
        assert_eq!(asks("bytes=2-", 10), Asks::Part(2..10));
        assert_eq!(asks("bytes=-3", 10), Asks::Part(7..10));
        assert_eq!(asks("bytes=-30", 10), Asks::Part(0..10));
        assert_eq!(asks("bytes=5-99", 10), Asks::Part(5..10));
        assert_eq!(asks("bytes=9-18446744073709551615", 10), Asks::Part(9..10));
        for beyond in ["bytes=10-", "bytes=10-12", "bytes=-0"] {
            assert_eq!(asks(beyond, 10), Asks::Nothing, "{beyond}");
        }
        for other in ["bytes=", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=3-1", "bytes=99999999999999999999-"] {
            assert_eq!(asks(other, 10), Asks::Whole, "{other}");
        }
        assert_eq!(asks("bytes=-3", 0), Asks::Whole);
    }

    #[test]
    fn who_has_a_part_of_something_else_gets_all_of_it() {
        let tag = HeaderValue::from_static("\"a\"");
        let asks = |named: &'static str| {
            let headers = [(header::RANGE, HeaderValue::from_static("bytes=1-")), (header::IF_RANGE, HeaderValue::from_static(named))];
            range(&HeaderMap::from_iter(headers), &tag, 3)
        };
        assert_eq!((asks("\"a\""), asks("\"b\"")), (Asks::Part(1..3), Asks::Whole));
    }

    #[test]
    fn a_format_is_accepted_where_it_is_named_and_not_refused() {
        let accepts = |text: &'static str| accepts(&HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(text))]), "image/webp");
        assert!(accepts("image/avif,image/webp,image/apng,*/*;q=0.8") && accepts("Image/WebP;q=0.1"));
        assert!(!accepts("*/*") && !accepts("image/webp;q=0, */*") && !accepts("image/png"));
    }
}
