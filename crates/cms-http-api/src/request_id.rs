//! Gives each request the id under which the log tells of it.

use std::fmt;

use cms_frame::request_id;
use http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries the id of a request, both ways.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of one request, fit for a header and for the log.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// The id that a request brings if it is well-formed, or a new one.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        match headers.get(REQUEST_ID) {
            Some(sent) if request_id::is_well_formed(sent.as_bytes()) => Self(sent.clone()),
            // What is made is well-formed, so that it always fits a header.
            _ => Self(HeaderValue::try_from(request_id::make()).unwrap_or(HeaderValue::from_static("0"))),
        }
    }

    /// The id of a request from now on: whoever reads it from the headers later reads the one that the sender is told.
    pub(crate) fn give(headers: &mut HeaderMap) -> Self {
        let id = Self::of(headers);
        headers.insert(REQUEST_ID, id.0.clone());
        id
    }

    /// The id as a header says it.
    pub(crate) fn into_header(self) -> HeaderValue {
        self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.to_str().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_for(sent: &str) -> String {
        let headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::try_from(sent).unwrap())]);
        RequestId::of(&headers).to_string()
    }

    #[test]
    fn a_well_formed_id_is_kept_and_any_other_is_replaced() {
        assert_eq!(id_for("a.B_c-9"), "a.B_c-9");
        assert_ne!(id_for("a b"), "a b");
    }

    #[test]
    fn an_id_that_was_given_is_the_id_from_then_on() {
        for sent in ["a.B_c-9", "a b"] {
            let mut headers = HeaderMap::from_iter([(REQUEST_ID, HeaderValue::try_from(sent).unwrap())]);
            let given = RequestId::give(&mut headers).to_string();
            assert_eq!(RequestId::of(&headers).to_string(), given);
        }
    }
}
