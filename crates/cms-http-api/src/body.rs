//! Reads bodies as they arrive, within a size and a time.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use cms_domain::{access::Access, json};
use cms_frame::{
    Code, Error,
    input::{LINGER, LINGER_TIME},
    intake::{self, Intake, Share},
    operation::Takes,
};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

use crate::query;

/// How much of the parser's message is told: it quotes keys, and a key can be as long as the body.
const MAX_MESSAGE: usize = 200;

/// How long the body of somebody who may be anybody takes to arrive at most: it is a packet or two, and who sends half of one holds
/// room that others need.
const STRANGERS: Duration = Duration::from_secs(10);

/// What bodies are held to.
#[derive(Debug, Clone)]
pub(crate) struct Limits {
    /// The largest body, in bytes.
    pub(crate) size: usize,
    /// How long one may take.
    pub(crate) time: Duration,
    /// Where all of them wait.
    pub(crate) intake: Intake,
}

impl Limits {
    /// What the body of a request for an operation is held to.
    pub(crate) fn of(&self, access: Access) -> Self {
        let time = if access == Access::Public { self.time.min(STRANGERS) } else { self.time };
        Self { size: intake::largest(access, self.size), time, intake: self.intake.clone() }
    }
}

/// The members of a body. No body has no members.
pub(crate) async fn members(takes: Takes, headers: &HeaderMap, body: &mut Body, limits: &Limits) -> Result<Map<String, Value>, Error> {
    if body.is_end_stream() {
        return Ok(Map::new());
    }
    let declared = Declared::of(headers, takes)?;
    let (bytes, _share) = read(body, limits).await?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    match declared {
        Declared::Json => json_members(&bytes),
        Declared::Form => form_members(&bytes),
        Declared::Nothing => Err(Error::new(Code::UnsupportedMediaType)),
    }
}

/// The members of a form. One that is given twice is refused.
fn form_members(bytes: &[u8]) -> Result<Map<String, Value>, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::issue("", "INVALID_ENCODING", "the form is not UTF-8"))?;
    let (pairs, issues) = query::pairs(text);
    if issues.is_empty() { Ok(pairs.into_iter().map(|(name, value)| (name, value.into())).collect()) } else { Err(Error::invalid(issues)) }
}

fn json_members(bytes: &[u8]) -> Result<Map<String, Value>, Error> {
    match json::parse(bytes).map_err(|error| unreadable(&error))? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::issue("", "INVALID_TYPE", "the body is a JSON object")),
    }
}

/// Makes sure that a request whose members are all in its address has no body: a member there would vanish silently.
pub(crate) async fn none(body: &mut Body, limits: &Limits) -> Result<(), Error> {
    let limits = Limits { size: limits.size.min(intake::SMALL), ..limits.clone() };
    if body.is_end_stream() || read(body, &limits).await?.0.iter().all(u8::is_ascii_whitespace) {
        return Ok(());
    }
    Err(Error::issue("", "UNEXPECTED_BODY", "this method has no body; its members go into the query"))
}

/// Throws away what is left of a body, within bounds. Says whether nothing is left.
pub(crate) async fn discard(body: &mut Body, time: Duration) -> bool {
    if body.size_hint().lower() > u64::try_from(LINGER).unwrap_or(u64::MAX) {
        return false;
    }
    let rest = async {
        let mut left = LINGER;
        while let Some(Ok(frame)) = body.frame().await {
            left = match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
                Some(left) => left,
                None => return false,
            };
        }
        true
    };
    timeout(time.min(LINGER_TIME), rest).await.unwrap_or(false)
}

/// A whole body, whatever is in it, and the room that it takes.
pub(crate) async fn read(body: &mut Body, limits: &Limits) -> Result<(Vec<u8>, Share), Error> {
    if body.size_hint().lower() > u64::try_from(limits.size).unwrap_or(u64::MAX) {
        return Err(too_large(limits.size));
    }
    let all = async {
        // What a sender declares is not set aside: it may never come.
        let mut share = limits.intake.begin();
        while let Some(frame) = body.frame().await {
            // The sender is gone; nobody reads the answer.
            let frame = frame.map_err(|_| Error::with(Code::InvalidJson, "the body ended before its end"))?;
            let Ok(data) = frame.into_data() else { continue };
            if share.arrived() + data.len() > limits.size {
                return Err(too_large(limits.size));
            }
            share.append(&data)?;
        }
        Ok((share.finish(), share))
    };
    timeout(limits.time, all).await.unwrap_or_else(|_| Err(Error::new(Code::RequestTimeout)))
}

fn too_large(limit: usize) -> Error {
    Error::with(Code::PayloadTooLarge, format!("the body has more than {limit} bytes")).details(json!({ "limit": limit }))
}

fn unreadable(error: &serde_json::Error) -> Error {
    let message: String = error.to_string().chars().take(MAX_MESSAGE).collect();
    Error::with(Code::InvalidJson, format!("the body is not accepted: {message}"))
        .details(json!({ "line": error.line(), "column": error.column() }))
}

/// What a body is said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declared {
    Json,
    Form,
    Nothing,
}

impl Declared {
    /// What the head of a request says; refuses what is not taken.
    fn of(headers: &HeaderMap, takes: Takes) -> Result<Self, Error> {
        let Some(media_type) = media_type(headers)? else { return Ok(Self::Nothing) };
        match media_type.as_str() {
            "application/json" => Ok(Self::Json),
            other if other.starts_with("application/") && other.ends_with("+json") => Ok(Self::Json),
            "application/x-www-form-urlencoded" if takes == Takes::Form => Ok(Self::Form),
            _ => Err(Error::new(Code::UnsupportedMediaType)),
        }
    }
}

/// The media type that the head of a request says the body has. Bodies that are encoded are refused.
pub(crate) fn media_type(headers: &HeaderMap) -> Result<Option<String>, Error> {
    if headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Error::with(Code::UnsupportedMediaType, "send the body without a `Content-Encoding`"));
    }
    let Some(declared) = headers.get(header::CONTENT_TYPE) else { return Ok(None) };
    Ok(Some(declared.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stranger_has_less_room_and_less_time_than_others() {
        let site = Limits { size: 10 * intake::SMALL, time: Duration::from_mins(1), intake: Intake::new(0) };
        let of = |access| {
            let limits = site.of(access);
            (limits.size, limits.time)
        };
        assert_eq!(of(Access::Public), (intake::SMALL, STRANGERS));
        assert_eq!(of(Access::SignedIn), (site.size, site.time));
    }

    async fn form(media_type: &'static str, text: &'static str) -> Result<Value, Code> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, http::HeaderValue::from_static(media_type))]);
        let limits = Limits { size: 100, time: Duration::from_secs(1), intake: Intake::new(1_000) };
        let members = members(Takes::Form, &headers, &mut Body::from(text), &limits).await;
        members.map(Value::Object).map_err(|error| error.code())
    }

    #[tokio::test]
    async fn forms_and_json_are_read_alike() {
        let expected = json!({ "a": "ä b", "c": "d", "e": "" });
        assert_eq!(form("application/x-www-form-urlencoded; charset=utf-8", "a=%C3%A4+b&c=d&e=").await, Ok(expected.clone()));
        assert_eq!(form("Application/JSON", r#"{"a":"ä b","c":"d","e":""}"#).await, Ok(expected));
    }

    #[tokio::test]
    async fn what_two_readers_could_read_in_two_ways_is_refused() {
        for (media_type, text, code) in [
            ("application/x-www-form-urlencoded", "a=1&a=2", Code::ValidationError),
            ("application/x-www-form-urlencoded", "a=%ff", Code::ValidationError),
            ("application/json", r#"{"a":"1","a":"2"}"#, Code::InvalidJson),
            ("application/json", "[]", Code::ValidationError),
            ("text/plain", "a=1", Code::UnsupportedMediaType),
            ("", "a=1", Code::UnsupportedMediaType),
        ] {
            assert_eq!(form(media_type, text).await, Err(code), "{media_type} {text}");
        }
    }
}
