//! Where a client learns how to get in: protected-resource metadata (RFC 9728) and the challenge that names it.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use cms_domain::access::Scope;
use http::{HeaderMap, HeaderValue, header, uri::Authority};
use serde_json::json;

use crate::{McpOptions, transport::Transport};

/// Path of the metadata below the origin.
pub(crate) const METADATA: &str = "/.well-known/oauth-protected-resource";

/// The origin that callers use: the configured one, or the host that the request names.
pub(crate) fn origin(options: &McpOptions, headers: &HeaderMap) -> String {
    if let Some(origin) = &options.public_origin {
        return origin.trim_end_matches('/').to_owned();
    }
    // Only what is a host and a port is repeated into an answer.
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).and_then(|host| host.parse::<Authority>().ok());
    format!("http://{}", host.as_ref().map_or("localhost", Authority::as_str))
}

/// What a refused caller is told (RFC 6750, section 3). `parameters` say what was wrong with the token.
pub(crate) fn challenge(origin: &str, parameters: &[(&str, &str)]) -> String {
    let mut challenge = format!("Bearer resource_metadata=\"{origin}{METADATA}\"");
    for (name, value) in parameters {
        challenge.extend([", ", name, "=\"", value, "\""]);
    }
    challenge
}

/// Answers with the metadata. It is public, and the same for everyone.
pub(crate) async fn metadata(State(transport): State<Transport>, headers: HeaderMap) -> Response {
    let options = transport.options();
    let scopes: Vec<_> = Scope::ALL.iter().map(|scope| scope.name()).collect();
    let document = json!({
        "resource": format!("{}{}", origin(options, &headers), options.path()),
        "resource_name": options.title,
        "bearer_methods_supported": ["header"],
        "scopes_supported": scopes,
    });
    let public = [
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
        (header::VARY, HeaderValue::from_static("Host")),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (public, Json(document)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(host: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))])
    }

    #[test]
    fn the_configured_origin_wins_over_what_the_request_says() {
        let options = McpOptions { public_origin: Some("https://cms.example.com/".to_owned()), ..McpOptions::default() };
        assert_eq!(origin(&options, &asked("evil.example")), "https://cms.example.com");
        assert_eq!(origin(&McpOptions::default(), &asked("127.0.0.1:8080")), "http://127.0.0.1:8080");
    }

    #[test]
    fn a_host_that_is_none_is_not_repeated() {
        assert_eq!(origin(&McpOptions::default(), &asked("a\", x=\"b")), "http://localhost");
    }

    #[test]
    fn a_challenge_names_the_metadata_and_what_was_wrong() {
        let expected = "Bearer resource_metadata=\"http://a/.well-known/oauth-protected-resource\", error=\"invalid_token\"";
        assert_eq!(challenge("http://a", &[("error", "invalid_token")]), expected);
    }
}
