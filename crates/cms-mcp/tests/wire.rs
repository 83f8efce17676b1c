//! The tool endpoint as it is on the wire: who is let in, what a body may be, and how answers are spelled.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use axum::body::{Body, Bytes};
use cms_domain::{access::Scope, product::Product, user::Role};
use cms_http_api::HttpOptions;
use cms_mcp::McpOptions;
use cms_testkit::{Answer, Doors, TestApp, TestStore, site};
use http::{Request, StatusCode, header};
use serde_json::{Map, Value, json};

/// Runs a test against the doors, with an administrator's token.
async fn with<T: Future<Output = ()> + Send>(options: McpOptions, test: impl FnOnce(Doors, String) -> T + Send + 'static) {
    with_frame(HttpOptions::default(), options, test).await;
}

/// Runs a test against the doors of another product, with an administrator's token.
async fn being<T: Future<Output = ()> + Send>(
    change: impl FnOnce(&mut Product) + Send + 'static,
    options: McpOptions,
    test: impl FnOnce(Doors, String) -> T + Send + 'static,
) {
    opened(change, HttpOptions::default(), options, test).await;
}

/// Runs a test against doors whose frame is set up otherwise.
async fn with_frame<T: Future<Output = ()> + Send>(
    frame: HttpOptions,
    options: McpOptions,
    test: impl FnOnce(Doors, String) -> T + Send + 'static,
) {
    opened(|_| {}, frame, options, test).await;
}

async fn opened<T: Future<Output = ()> + Send>(
    change: impl FnOnce(&mut Product) + Send + 'static,
    frame: HttpOptions,
    options: McpOptions,
    test: impl FnOnce(Doors, String) -> T + Send + 'static,
) {
    cms_testkit::run(TestStore::sqlite().await.map(Some), |app: TestApp| async move {
        let app = app.another(|options| change(&mut options.product));
        let doors = Doors::with(&app, frame, options);
        let token = doors.token(Role::Admin, &[Scope::Admin]).await;
        test(doors, token).await;
    })
    .await;
}

fn publicly(product: &mut Product) {
    product.public_origin = Some("https://cms.example".parse().unwrap());
}

const PATH: &str = "/_cms/api/mcp";

/// A request that lacks only its body.
fn request(token: &str) -> http::request::Builder {
    Request::post(PATH)
        .header(header::AUTHORIZATION, format!("Bearer {token}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
}

/// A ping with some headers changed; an empty value removes one.
fn ping(token: &str, headers: &[(&'static str, &'static str)]) -> Request<Body> {
    let mut request = request(token).body(Body::from(call("ping", json!({})).to_string())).unwrap();
    for (name, value) in headers {
        if value.is_empty() {
            request.headers_mut().remove(*name);
        } else {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
    }
    request
}

fn call(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

/// The status, and the JSON-RPC error, of a refused request.
fn refusal(answer: &Answer) -> (u16, i64) {
    assert_eq!(answer.body["jsonrpc"], "2.0", "{answer:?}");
    (answer.status.as_u16(), answer.body["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer:?}")))
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => panic!("not an object"),
    }
}

#[tokio::test]
async fn a_caller_without_a_token_is_told_where_to_get_one() {
    with(McpOptions::default(), |doors, token| async move {
        // A host that may be anybody's is not repeated.
        for (cookie, host, origin) in [("", "localhost:1", "localhost:1"), ("session=1", "cms.example:8080", "localhost:8080")] {
            let answer = doors.send(ping(&token, &[("authorization", ""), ("cookie", cookie), ("host", host)])).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
            assert_eq!(answer.body["success"], false);
            assert_eq!(answer.body["error"]["code"], "NOT_AUTHENTICATED");
            let expected = format!(r#"Bearer resource_metadata="http://{origin}/.well-known/oauth-protected-resource""#);
            assert_eq!(answer.header("www-authenticate"), Some(expected.as_str()));
        }
    })
    .await;
}

#[tokio::test]
async fn a_token_that_is_none_is_called_invalid() {
    being(publicly, McpOptions::default(), |doors, token| async move {
        for sent in ["Bearer cms_pat_0000000000000000000000000000000000000000000", "Bearer ", "Basic YTpi", "Bearer"] {
            let answer = doors.send(ping(&token, &[("authorization", sent)])).await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{sent}");
            assert_eq!(answer.body["error"]["code"], "INVALID_TOKEN", "{sent}");
            let expected = r#"Bearer resource_metadata="https://cms.example/.well-known/oauth-protected-resource", error="invalid_token""#;
            assert_eq!(answer.header("www-authenticate"), Some(expected));
        }
    })
    .await;
}

#[tokio::test]
async fn the_metadata_names_the_endpoint_and_the_scopes() {
    with(McpOptions::default(), |doors, _| async move {
        for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/_cms/api/mcp"] {
            let answer = doors.send(Request::get(path).header(header::HOST, "localhost:1").body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status, StatusCode::OK);
            assert_eq!(answer.body["resource"], "http://localhost:1/_cms/api/mcp");
            assert_eq!(answer.body["authorization_servers"], json!(["http://localhost:1/_cms"]));
            assert_eq!(answer.body["bearer_methods_supported"], json!(["header"]));
            assert!(answer.body["scopes_supported"].as_array().unwrap().contains(&json!("content:write")));
            assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
        }
    })
    .await;
}

#[tokio::test]
async fn there_is_no_session_to_listen_to_or_to_end() {
    with(McpOptions::default(), |doors, token| async move {
        for method in ["GET", "DELETE", "PUT"] {
            let answer = doors.send(request(&token).method(method).body(Body::empty()).unwrap()).await;
            assert_eq!(refusal(&answer), (405, -32603), "{method}");
            assert_eq!(answer.header("allow"), Some("POST"));
            assert!(answer.header("x-request-id").is_some() && answer.header("x-frame-options") == Some("DENY"), "{method}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_of_another_site_may_not_call() {
    with(McpOptions::default(), |doors, token| async move {
        for (origin, host, status) in [
            ("", "127.0.0.1:8080", StatusCode::OK),
            ("http://127.0.0.1:8080", "127.0.0.1:8080", StatusCode::OK),
            ("http://localhost:8080", "localhost:8080", StatusCode::OK),
            ("http://localhost:9999", "localhost:8080", StatusCode::FORBIDDEN),
            ("https://evil.example", "localhost:8080", StatusCode::FORBIDDEN),
            // The other site's name may lead to this machine.
            ("http://evil.example:8080", "evil.example:8080", StatusCode::FORBIDDEN),
            ("null", "localhost:8080", StatusCode::FORBIDDEN),
        ] {
            let answer = doors.send(ping(&token, &[("origin", origin), ("host", host)])).await;
            assert_eq!(answer.status, status, "{origin} to {host}");
        }
    })
    .await;
}

#[tokio::test]
async fn pages_of_our_own_and_of_configured_origins_may_call() {
    let options = McpOptions { allowed_origins: vec!["https://agent.example".to_owned()], ..McpOptions::default() };
    being(publicly, options, |doors, token| async move {
        let agent = doors.send(ping(&token, &[("origin", "https://agent.example")])).await;
        assert_eq!(agent.status, StatusCode::OK);
        assert_eq!(agent.header("access-control-allow-origin"), Some("https://agent.example"));
        assert_eq!(agent.header("access-control-allow-credentials"), None);
        assert_eq!(doors.send(ping(&token, &[("origin", "https://cms.example")])).await.status, StatusCode::OK);
        let other = doors.send(ping(&token, &[("origin", "http://localhost:8080"), ("host", "localhost:8080")])).await;
        assert_eq!(other.status, StatusCode::FORBIDDEN);
    })
    .await;
}

#[tokio::test]
async fn a_browser_that_asks_first_is_told_what_a_page_may_send() {
    let options = McpOptions { allowed_origins: vec!["https://agent.example".to_owned()], ..McpOptions::default() };
    with(options, |doors, _| async move {
        for (origin, told) in [("https://agent.example", Some("https://agent.example")), ("https://other.example", None)] {
            let request = Request::options(PATH).header(header::ORIGIN, origin).header("access-control-request-method", "POST");
            let answer = doors.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, told));
            assert!(answer.header("access-control-allow-methods").is_some_and(|methods| methods.contains("POST")));
            let headers = answer.header("access-control-allow-headers").unwrap();
            assert!(["authorization", "content-type", "mcp-protocol-version"].iter().all(|header| headers.contains(header)), "{headers}");
        }
    })
    .await;
}

#[tokio::test]
async fn every_origin_may_call_where_that_is_configured() {
    with(McpOptions { allowed_origins: vec!["*".to_owned()], ..McpOptions::default() }, |doors, token| async move {
        let answer = doors.send(ping(&token, &[("origin", "https://any.example")])).await;
        assert_eq!((answer.status, answer.header("access-control-allow-origin")), (StatusCode::OK, Some("*")));
        assert_eq!(answer.header("access-control-allow-credentials"), None);
    })
    .await;
}

#[tokio::test]
async fn a_client_that_reads_only_json_is_answered_and_one_that_cannot_is_refused() {
    with(McpOptions::default(), |doors, token| async move {
        for accept in ["", "*/*", "application/json", "text/event-stream, application/json;q=0.5", "application/*"] {
            let answer = doors.send(ping(&token, &[("accept", accept)])).await;
            assert_eq!(answer.status, StatusCode::OK, "{accept}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert_eq!(answer.body["result"], json!({}));
        }
        for accept in ["text/event-stream", "text/html", "application/json;q=0"] {
            assert_eq!(refusal(&doors.send(ping(&token, &[("accept", accept)])).await), (406, -32603), "{accept}");
        }
    })
    .await;
}

#[tokio::test]
async fn only_json_is_read() {
    with(McpOptions::default(), |doors, token| async move {
        for content_type in ["", "text/plain", "application/x-www-form-urlencoded"] {
            let answer = doors.send(ping(&token, &[("content-type", content_type)])).await;
            assert_eq!(refusal(&answer), (415, -32603), "{content_type}");
        }
        let answer = doors.send(ping(&token, &[("content-type", "application/json; charset=utf-8")])).await;
        assert_eq!(answer.status, StatusCode::OK);
    })
    .await;
}

#[tokio::test]
async fn a_body_that_is_no_message_is_refused_as_one_of_the_rest_api_would_be() {
    with(McpOptions::default(), |doors, token| async move {
        let with_value = |value: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":{value}}}}}"#);
        let deep = with_value(&format!("{}{}", "[".repeat(1_000), "]".repeat(1_000)));
        let many = with_value(&format!("[{}0]", "0,".repeat(1_000_000)));
        // It comes back with the answer, and the library writes it into the log.
        let long_id = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"ping"}}"#, "x".repeat(1_025));
        for (body, code) in [
            (&b"{"[..], -32700),
            (b"", -32700),
            (b"\"\xff\"", -32700),
            (br#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#, -32700),
            (with_value(r#""\u0000""#).as_bytes(), -32700),
            (deep.as_bytes(), -32700),
            (many.as_bytes(), -32700),
            (b"[]", -32600),
            (br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
            (br#"{"id":1,"method":"ping"}"#, -32600),
            (br#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
            (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
            (br#"{"jsonrpc":"2.0","id":"a\nb","method":"ping"}"#, -32600),
            (br#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, -32600),
            (long_id.as_bytes(), -32600),
            (br#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600),
            (br#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32600),
            (b"7", -32600),
        ] {
            let answer = doors.send(request(&token).body(Body::from(body.to_vec())).unwrap()).await;
            assert_eq!(refusal(&answer), (400, code), "{}", String::from_utf8_lossy(&body[..body.len().min(80)]));
        }
    })
    .await;
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_while_it_arrives() {
    with_frame(HttpOptions { body_limit: 1_000, ..HttpOptions::default() }, McpOptions::default(), |doors, token| async move {
        // Without a length in its head: the stream itself is counted.
        let long = call("ping", json!({ "a": "x".repeat(2_000) })).to_string();
        assert_eq!(refusal(&doors.send(request(&token).body(Body::from(long)).unwrap()).await), (413, -32603));
    })
    .await;
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_not_waited_for_without_end() {
    let frame = HttpOptions { body_timeout: std::time::Duration::from_millis(50), ..HttpOptions::default() };
    with_frame(frame, McpOptions::default(), |doors, token| async move {
        let (_open, body) = http_body_util::channel::Channel::<Bytes>::new(1);
        assert_eq!(refusal(&doors.send(request(&token).body(Body::new(body)).unwrap()).await), (408, -32603));
    })
    .await;
}

#[tokio::test]
async fn initialize_says_who_answers_and_offers_tools_alone() {
    being(
        |product| product.version = "9.8.7".to_owned(),
        McpOptions::default(),
        |doors, token| async move {
            let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
            let answer = doors.message(Some(&token), &call("initialize", client)).await;
            let result = &answer.body["result"];
            assert_eq!(result["protocolVersion"], "2025-11-25");
            assert_eq!(result["serverInfo"]["name"], "cms");
            assert_eq!(result["serverInfo"]["version"], "9.8.7");
            assert_eq!(result["capabilities"], json!({ "tools": {} }));
            assert!(result["instructions"].as_str().unwrap().contains("_rev"));
            assert_eq!(answer.header("mcp-session-id"), None);
            assert_eq!(answer.header("cache-control"), Some("private, no-store"));
        },
    )
    .await;
}

#[tokio::test]
async fn what_is_not_offered_is_not_there() {
    with(McpOptions::default(), |doors, token| async move {
        for (method, params) in [
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("prompts/list", json!({})),
            ("logging/setLevel", json!({ "level": "info" })),
            ("completion/complete", json!({ "ref": { "type": "ref/prompt", "name": "a" }, "argument": { "name": "b", "value": "c" } })),
            ("nonsense", json!({})),
        ] {
            let answer = doors.message(Some(&token), &call(method, params)).await;
            assert_eq!(refusal(&answer).1, -32601, "{method}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_notification_is_taken_without_an_answer() {
    with(McpOptions::default(), |doors, token| async move {
        let answer = doors.message(Some(&token), &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        assert_eq!((answer.status, answer.bytes.len()), (StatusCode::ACCEPTED, 0));
    })
    .await;
}

#[tokio::test]
async fn an_unknown_protocol_version_is_refused() {
    with(McpOptions::default(), |doors, token| async move {
        assert_eq!(refusal(&doors.send(ping(&token, &[("mcp-protocol-version", "1999-01-01")])).await), (400, -32603));
    })
    .await;
}

#[tokio::test]
async fn a_client_of_the_protocol_without_a_handshake_is_served() {
    with(McpOptions::default(), |doors, token| async move {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "t", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let message = call("tools/call", json!({ "name": "schema_list_collections", "arguments": {}, "_meta": meta }));
        let request = request(&token)
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "schema_list_collections");
        let answer = doors.send(request.body(Body::from(message.to_string())).unwrap()).await;
        assert_eq!(answer.body["result"]["structuredContent"], json!({ "items": [] }), "{answer:?}");
    })
    .await;
}

#[tokio::test]
async fn parameters_that_cannot_be_read_are_invalid_and_not_an_unknown_method() {
    with(McpOptions::default(), |doors, token| async move {
        for params in [json!({}), json!({ "name": 5 }), json!({ "name": "content_list", "arguments": "posts" })] {
            assert_eq!(refusal(&doors.message(Some(&token), &call("tools/call", params)).await).1, -32602);
        }
        let answer = doors.message(Some(&token), &call("tools/list", json!({ "cursor": "nothing" }))).await;
        assert_eq!(refusal(&answer).1, -32602);
    })
    .await;
}

#[tokio::test]
async fn absent_arguments_are_no_arguments() {
    with(McpOptions::default(), |doors, token| async move {
        let answer = doors.message(Some(&token), &call("tools/call", json!({ "name": "schema_list_collections" }))).await;
        assert_eq!(answer.body["result"]["structuredContent"], json!({ "items": [] }));
        assert_eq!(answer.body["result"]["isError"], false);
    })
    .await;
}

#[tokio::test]
async fn an_unknown_tool_and_bad_arguments_fail_in_the_same_envelope() {
    with(McpOptions::default(), |doors, token| async move {
        let unknown = doors.call_tool(Some(&token), "nonsense", &Map::new()).await.body["result"].clone();
        assert_eq!(unknown["isError"], true);
        assert_eq!(unknown["_meta"]["code"], "UNKNOWN_TOOL");
        assert_eq!(unknown["content"][0]["text"], "[UNKNOWN_TOOL] there is no such tool");

        let arguments = members(json!({ "collection": "Posts", "nonsense": 1, "data": [] }));
        let bad = doors.call_tool(Some(&token), "content_create", &arguments).await.body["result"].clone();
        let issues = bad["_meta"]["details"]["issues"].as_array().unwrap();
        let mut paths: Vec<_> = issues.iter().map(|issue| issue["path"].as_str().unwrap()).collect();
        paths.sort_unstable();
        assert_eq!(paths, ["collection", "data", "nonsense"]);
        assert!(bad["content"][0]["text"].as_str().unwrap().starts_with("[VALIDATION_ERROR] "));
    })
    .await;
}

#[tokio::test]
async fn a_narrow_token_is_told_which_scope_it_needs() {
    with(McpOptions::default(), |doors, _| async move {
        site::build(doors.app()).await;
        let narrow = doors.token(Role::Admin, &[Scope::ContentRead]).await;
        let arguments = members(json!({ "collection": "posts", "id": "live" }));
        let refused = doors.call_tool(Some(&narrow), "content_publish", &arguments).await.body["result"].clone();
        assert_eq!(refused["_meta"]["code"], "INSUFFICIENT_SCOPE");
        let challenge = refused["_meta"]["mcp/www_authenticate"][0].as_str().unwrap();
        assert!(challenge.contains(r#"error="insufficient_scope", scope="content:write""#), "{challenge}");
    })
    .await;
}

#[tokio::test]
async fn every_answer_carries_the_id_of_its_request() {
    with(McpOptions::default(), |doors, token| async move {
        assert_eq!(doors.send(ping(&token, &[("x-request-id", "mine-1")])).await.header("x-request-id"), Some("mine-1"));
        let made = doors.send(ping(&token, &[("x-request-id", "not an id")])).await;
        assert!(made.header("x-request-id").is_some_and(|id| id != "not an id"));
        assert!(doors.send(ping(&token, &[("authorization", "")])).await.header("x-request-id").is_some());
    })
    .await;
}

#[tokio::test]
async fn the_prefix_is_configuration() {
    being(
        |product| product.prefix = "/brand".parse().unwrap(),
        McpOptions::default(),
        |doors, token| async move {
            let mut request = ping(&token, &[]);
            *request.uri_mut() = "/brand/api/mcp".parse().unwrap();
            assert_eq!(doors.send(request).await.status, StatusCode::OK);
            assert_eq!(doors.send(ping(&token, &[])).await.status, StatusCode::NOT_FOUND);
        },
    )
    .await;
}
