//! The parameters of a request to the authorization server: a form, as the RFCs have it, or a JSON object.

use axum::body::Body;
use cms_core::{
    Error,
    oauth::{Fault, FaultCode},
};
use cms_domain::json;
use http::{HeaderMap, header};
use serde_json::{Map, Value};

use crate::{
    body::{self, Limits},
    query,
};

/// The parameters of a body. One without a value counts as left out (RFC 6749, 3.2); one that is given twice is refused.
pub(super) async fn members(headers: &HeaderMap, body: &mut Body, limits: &Limits) -> Result<Result<Map<String, Value>, Fault>, Error> {
    let declared = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let bytes = body::read(body, limits).await?;
    let invalid = |description| Ok(Err(Fault::new(FaultCode::InvalidRequest, description)));
    let mut members = match media_type.as_str() {
        "application/x-www-form-urlencoded" => {
            let Ok(text) = std::str::from_utf8(&bytes) else { return invalid("the form is not text") };
            let (pairs, issues) = query::pairs(text);
            if !issues.is_empty() {
                return invalid("a parameter is given twice, or is not text");
            }
            pairs.into_iter().map(|(name, value)| (name, Value::from(value))).collect()
        }
        "application/json" => match json::parse(&bytes) {
            Ok(Value::Object(members)) => members,
            _ => return invalid("the body is not a JSON object whose keys are each given once"),
        },
        _ => return invalid("send the parameters as application/x-www-form-urlencoded or application/json"),
    };
    members.retain(|_, value| *value != "" && !value.is_null());
    Ok(Ok(members))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use cms_core::intake::Intake;
    use http::HeaderValue;

    use super::*;

    async fn read(media_type: &'static str, text: &'static str) -> Result<Value, &'static str> {
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static(media_type))]);
        let limits = Limits { size: 100, time: Duration::from_secs(1), intake: Intake::new(1_000) };
        let members = members(&headers, &mut Body::from(text), &limits).await.unwrap();
        members.map(Value::Object).map_err(|fault| fault.error.as_str())
    }

    #[tokio::test]
    async fn forms_and_json_are_read_alike() {
        let expected = serde_json::json!({ "a": "ä b", "c": "d" });
        assert_eq!(read("application/x-www-form-urlencoded; charset=utf-8", "a=%C3%A4+b&c=d&e=").await, Ok(expected.clone()));
        assert_eq!(read("Application/JSON", r#"{"a":"ä b","c":"d","e":null,"f":""}"#).await, Ok(expected));
    }

    #[tokio::test]
    async fn what_two_readers_could_read_in_two_ways_is_refused() {
        for (media_type, text) in [
            ("application/x-www-form-urlencoded", "a=1&a=2"),
            ("application/x-www-form-urlencoded", "a=%ff"),
            ("application/json", r#"{"a":"1","a":"2"}"#),
            ("application/json", "[]"),
            ("text/plain", "a=1"),
            ("", "a=1"),
        ] {
            assert_eq!(read(media_type, text).await, Err("invalid_request"), "{media_type} {text}");
        }
    }
}
