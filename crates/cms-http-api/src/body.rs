//! Reads bodies as they arrive, within a size and a time.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use bytes::Bytes;
use cms_core::{
    Code, Error,
    input::{LINGER, LINGER_TIME},
    intake::{self, Intake},
};
use cms_domain::{access::Access, json};
use http::{HeaderMap, header};
use http_body_util::BodyExt;
use serde_json::{Map, Value, json};
use tokio::time::timeout;

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

/// The members of a body that is a JSON object. No body is an object without members.
pub(crate) async fn members(headers: &HeaderMap, body: &mut Body, limits: &Limits) -> Result<Map<String, Value>, Error> {
    if body.is_end_stream() {
        return Ok(Map::new());
    }
    let declared = declares_json(headers)?;
    let bytes = read(body, limits).await?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    if !declared {
        return Err(Error::new(Code::UnsupportedMediaType));
    }
    match json::parse(&bytes).map_err(|error| unreadable(&error))? {
        Value::Object(members) => Ok(members),
        _ => Err(Error::issue("", "INVALID_TYPE", "the body is a JSON object")),
    }
}

/// Makes sure that a request whose members are all in its address has no body: a member there would vanish silently.
pub(crate) async fn none(body: &mut Body, limits: &Limits) -> Result<(), Error> {
    let limits = Limits { size: limits.size.min(intake::SMALL), ..limits.clone() };
    if body.is_end_stream() || read(body, &limits).await?.iter().all(u8::is_ascii_whitespace) {
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

/// A whole body, whatever is in it.
pub(crate) async fn read(body: &mut Body, limits: &Limits) -> Result<Vec<u8>, Error> {
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
        Ok(share.finish())
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

/// Whether the body is declared as JSON; refuses what is declared as something else.
fn declares_json(headers: &HeaderMap) -> Result<bool, Error> {
    if headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Err(Error::with(Code::UnsupportedMediaType, "send the body without a `Content-Encoding`"));
    }
    let Some(declared) = headers.get(header::CONTENT_TYPE) else { return Ok(false) };
    let media_type = declared.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_json = media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"));
    if is_json { Ok(true) } else { Err(Error::new(Code::UnsupportedMediaType)) }
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
}
