//! How results and failures are spelled: tool results, JSON-RPC errors, and the envelope of a refused caller.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use cms_domain::access::{Actor, Caller, Via};
use cms_frame::{Code, Error, Kind};
use http::{HeaderValue, StatusCode, header};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::{Map, json};

use crate::discovery;

/// JSON-RPC: the body is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the body is JSON but no request.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// JSON-RPC: the server failed, or its transport refused the request.
pub(crate) const INTERNAL: i32 = -32603;

/// Why a tool did not: the code in brackets, what to do about it, and each problem on its line. Of a failure inside only
/// the log tells more, under the request's id.
pub(crate) fn failure(error: &Error, origin: &str, request_id: &str) -> CallToolResult {
    let mut text = error.to_string();
    let mut meta = Map::new();
    meta.insert("code".to_owned(), error.code().as_str().into());
    if error.code().kind() == Kind::Internal {
        meta.insert("details".to_owned(), json!({ "requestId": request_id }));
    } else if let Some(details) = error.details_json() {
        for issue in details["issues"].as_array().into_iter().flatten() {
            let part = |key: &str| issue[key].as_str().unwrap_or_default();
            text.extend(["\n- ", part("path"), ": ", part("message"), " (", part("code"), ")"]);
        }
        if let (Code::InsufficientScope, Some(scope)) = (error.code(), details["scope"].as_str()) {
            let challenge = discovery::challenge(origin, &[("error", "insufficient_scope"), ("scope", scope)]);
            meta.insert("mcp/www_authenticate".to_owned(), json!([challenge]));
        }
        meta.insert("details".to_owned(), details.clone());
    }
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.meta = Some(MetaObject(meta));
    result
}

/// The scopes that an application has to ask its user for, besides those that it has: asking replaces what was granted. A personal access
/// token is as wide as it was made; whoever sends one is told by the result alone.
pub(crate) fn wanted(error: &Error, actor: &Actor) -> Option<String> {
    let Actor::User(Caller { via: Via::Grant(_, held), .. }) = actor else { return None };
    let missing = error.details_json().filter(|_| error.code() == Code::InsufficientScope)?["scope"].as_str()?;
    let held = held.iter().map(|scope| scope.name());
    Some(held.chain([missing]).collect::<Vec<_>>().join(" "))
}

/// A request that never reached a tool.
pub(crate) fn refused(status: StatusCode, code: i32, message: &str) -> Response {
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message } });
    (status, Json(error)).into_response()
}

/// A caller without a token, or with a bad one, in the envelope of the REST API.
pub(crate) fn unauthenticated(error: &Error, origin: &str) -> Response {
    let parameters: &[_] = if error.code() == Code::InvalidToken { &[("error", "invalid_token")] } else { &[] };
    let envelope = json!({ "success": false, "error": { "code": error.code().as_str(), "message": error.message() } });
    let mut response = (StatusCode::UNAUTHORIZED, Json(envelope)).into_response();
    if let Ok(challenge) = HeaderValue::try_from(discovery::challenge(origin, parameters)) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}

#[cfg(test)]
mod tests {
    use cms_domain::{access::Refusal, access::Scope, issue::Issue};

    use super::*;

    #[test]
    fn a_failure_begins_with_its_code_and_lists_each_problem() {
        let error = Error::invalid(vec![Issue::new("data.title", "REQUIRED", "is required"), Issue::new("limit", "TOO_LARGE", "is 101")]);
        let result = serde_json::to_value(failure(&error, "http://a", "1")).unwrap();
        assert_eq!(
            result["content"][0]["text"],
            "[VALIDATION_ERROR] the request has 2 problems\n- data.title: is required (REQUIRED)\n- limit: is 101 (TOO_LARGE)"
        );
        assert_eq!(result["isError"], true);
        assert_eq!(result["_meta"]["code"], "VALIDATION_ERROR");
        assert_eq!(result["_meta"]["details"]["issues"][1]["path"], "limit");
    }

    #[test]
    fn a_scope_that_is_missing_is_named_in_a_challenge() {
        let error = Error::from(Refusal::Scope(Scope::ContentWrite));
        let result = serde_json::to_value(failure(&error, "http://a", "1")).unwrap();
        let challenge = result["_meta"]["mcp/www_authenticate"][0].as_str().unwrap();
        assert!(challenge.ends_with("error=\"insufficient_scope\", scope=\"content:write\""), "{challenge}");
    }

    #[test]
    fn a_failure_inside_tells_only_the_id_of_the_request() {
        let result = serde_json::to_value(failure(&Error::internal("secret"), "http://a", "r-1")).unwrap();
        assert_eq!(result["_meta"]["details"], json!({ "requestId": "r-1" }));
        assert!(!result.to_string().contains("secret"));
    }
}
