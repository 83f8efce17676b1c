//! What holds of the log: whose line it is can always be told, and what it says can be relied upon.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use axum::{Router, body::Body};
use cms_core::{
    Client, Code, Error,
    accounts::users::UpdateUser,
    refusal,
    testing::{TestApp, TestStore},
};
use cms_domain::user::Role;
use http::{Method, Request, header};
use regex::Regex;
use sea_orm::{ConnectionTrait, Database};
use serde_json::Value;
use tower::ServiceExt;
use tracing::subscriber::DefaultGuard;

use super::*;
use crate::{config::Config, testing::site, wire};

/// What was logged. A clone is another handle to the same.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// The log of this thread, from now on.
    fn begin(json: bool) -> (Self, DefaultGuard) {
        let (written, filter) = (Self::default(), EnvFilter::new("info"));
        let writer = written.clone();
        let guard = tracing::dispatcher::set_default(&dispatch(json, false, filter, move || writer.clone()));
        (written, guard)
    }

    fn lines(&self) -> Vec<String> {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap().lines().map(str::to_owned).collect()
    }

    /// The lines that tell of refusals.
    fn refused(&self) -> Vec<String> {
        self.lines().into_iter().filter(|line| line.contains("refused")).collect()
    }
}

/// A server over a site, whose clients are who its one proxy says.
async fn server(store: &TestStore) -> Router {
    let app = site(store).await;
    let mut config = Config::default();
    config.server.trusted_proxies = 1;
    wire::router(app.cms(), &config, None)
}

fn request(method: Method, path: &str, headers: &[(&str, &str)], body: &'static str) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, "localhost").header("x-forwarded-for", "192.0.2.7");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body)).unwrap()
}

/// The id that the sender of a request was told.
async fn id_told(router: &Router, request: Request<Body>) -> String {
    let response = router.clone().oneshot(request).await.unwrap();
    let ids: Vec<_> = response.headers().get_all("x-request-id").iter().collect();
    assert_eq!(ids.len(), 1);
    ids[0].to_str().unwrap().to_owned()
}

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");
const BAD_TOKEN: (&str, &str) = ("authorization", "Bearer cms_pat_thisIsNoTokenOfThisSiteAtAllItIsMadeUp01234");

/// Requests of all doors that are refused, with the operation and the code that the log tells.
fn refusals() -> Vec<(Request<Body>, &'static str, &'static str)> {
    let api = |path: &str| format!("/_cms/api{path}");
    let link = r#"{"token":"nothing"}"#;
    vec![
        (request(Method::POST, &api("/auth/magic-link/verify"), &[JSON], link), "magic_link.verify", "INVALID_LINK"),
        (request(Method::GET, &api("/content/posts"), &[BAD_TOKEN], ""), "content.list", "INVALID_TOKEN"),
        (request(Method::GET, &api("/content/posts"), &[], ""), "content.list", "NOT_AUTHENTICATED"),
        (
            request(Method::POST, &api("/auth/magic-link/verify"), &[JSON, ("sec-fetch-site", "cross-site")], link),
            "magic_link.verify",
            "CSRF_REJECTED",
        ),
        (
            request(Method::POST, &api("/oauth/token"), &[FORM], "grant_type=refresh_token&refresh_token=x&client_id=y"),
            "oauth.token",
            "invalid_client",
        ),
        (request(Method::POST, &api("/mcp"), &[JSON, BAD_TOKEN], "{}"), "none", "INVALID_TOKEN"),
        (request(Method::POST, &api("/mcp"), &[JSON, ("origin", "https://evil.example")], "{}"), "none", "CSRF_REJECTED"),
    ]
}

#[tokio::test]
async fn each_refusal_leaves_one_line_with_the_client_the_operation_the_code_and_the_id_that_was_told() {
    let store = TestStore::sqlite().await.unwrap();
    let router = server(&store).await;
    for (request, operation, code) in refusals() {
        let (log, guard) = Written::begin(true);
        let id = id_told(&router, request).await;
        drop(guard);
        let lines = log.refused();
        assert_eq!(lines.len(), 1, "{operation} {code}: {lines:?}");
        let line: Value = serde_json::from_str(&lines[0]).unwrap();
        let told = ["level", "target", "message", "address", "operation", "code", "request"].map(|name| line[name].as_str().unwrap());
        assert_eq!(told, ["INFO", "refused", "refused", "192.0.2.7", operation, code, &id]);
    }
    store.remove().await.unwrap();
}

#[tokio::test]
async fn what_went_well_or_was_only_a_slip_is_no_refusal() {
    let store = TestStore::sqlite().await.unwrap();
    let router = server(&store).await;
    let (log, _guard) = Written::begin(true);
    id_told(&router, request(Method::GET, "/healthz", &[], "")).await;
    id_told(&router, request(Method::GET, "/_cms/api/nothing", &[], "")).await;
    id_told(&router, request(Method::POST, "/_cms/api/auth/magic-link/verify", &[JSON], "{")).await;
    assert_eq!(log.refused(), [""; 0]);
    store.remove().await.unwrap();
}

#[tokio::test]
async fn what_is_done_is_told_in_the_log_too_in_one_line() {
    let store = TestStore::sqlite().await.unwrap();
    let app = site(&store).await;
    for json in [true, false] {
        let (log, guard) = Written::begin(json);
        let change = serde_json::json!({ "id": TestApp::user(Role::Author), "name": format!("Ada \"audit\" {json}") });
        app.call::<UpdateUser>(Role::Admin, change).await.unwrap();
        drop(guard);
        let lines: Vec<_> = log.lines().into_iter().filter(|line| line.contains("user.update")).collect();
        let [line] = lines.as_slice() else { panic!("{lines:?}") };
        if json {
            let line: Value = serde_json::from_str(line).unwrap();
            let told = ["level", "target", "message", "actor_kind", "resource_type"].map(|name| line[name].as_str().unwrap());
            assert_eq!(told, ["INFO", "audit", "audit", "user", "user"]);
            let details: Value = serde_json::from_str(line["details"].as_str().unwrap()).unwrap();
            assert_eq!(details["name"]["to"], format!("Ada \"audit\" {json}"));
        }
    }
    // What failed was not done.
    let (log, _guard) = Written::begin(true);
    app.call::<UpdateUser>(Role::Editor, serde_json::json!({ "id": TestApp::user(Role::Author), "name": "Eve" })).await.unwrap_err();
    assert!(!log.lines().iter().any(|line| line.contains(r#""target":"audit""#)), "{:?}", log.lines());
    store.remove().await.unwrap();
}

#[tokio::test]
async fn a_failure_inside_is_told_with_its_cause_under_the_id_that_the_caller_was_told_at_every_door() {
    let store = TestStore::sqlite().await.unwrap();
    let router = server(&store).await;
    let connection = Database::connect(&store.options().url).await.unwrap();
    for table in ["rate_limits", "tokens"] {
        connection.execute_unprepared(&format!("ALTER TABLE {table} RENAME TO gone_{table}")).await.unwrap();
    }
    for request in [
        request(Method::POST, "/_cms/api/auth/magic-link/verify", &[JSON], r#"{"token":"nothing"}"#),
        request(Method::POST, "/_cms/api/oauth/token", &[FORM], "grant_type=refresh_token&refresh_token=x&client_id=y"),
        request(Method::GET, "/_cms/api/content/posts", &[BAD_TOKEN], ""),
        request(Method::POST, "/_cms/api/mcp", &[JSON, BAD_TOKEN], "{}"),
    ] {
        let what = request.uri().to_string();
        let (log, guard) = Written::begin(true);
        let id = id_told(&router, request).await;
        drop(guard);
        let lines: Vec<Value> = log.lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.iter().any(|line| line["level"] == "ERROR" && line["cause"].is_string()), "{what}: {lines:?}");
        assert!(lines.iter().all(|line| line["request"] == *id), "{what}: {id} is not on every line: {lines:?}");
    }
    store.remove().await.unwrap();
}

#[test]
fn a_line_of_json_has_no_key_twice_and_loses_nothing() {
    let (log, _guard) = Written::begin(true);
    let outer = tracing::info_span!("request", request = "id", level = 3);
    let inner = tracing::info_span!(parent: &outer, "operation", operation = "content.list", request = "id");
    inner.in_scope(|| tracing::warn!(message = "first", target = "theirs", n = 1_u64, "second"));
    let line = log.lines().remove(0);
    for key in ["message", "level", "target", "request", "operation", "timestamp"] {
        assert_eq!(line.matches(&format!("\"{key}\":")).count(), 1, "{key} in {line}");
    }
    let line: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&line["level"], &line["request.level"], &line["event.target"]), (&"WARN".into(), &3.into(), &"theirs".into()));
    assert_eq!((&line["request"], &line["operation"], &line["n"]), (&"id".into(), &"content.list".into(), &1.into()));
}

/// The filters in the documentation, with what fail2ban puts in the place of `<HOST>`.
fn documented_filters() -> Vec<Regex> {
    let page = include_str!("../../../../docs/security-log.md");
    let (_, filters) = page.split_once("failregex =").unwrap();
    let (filters, _) = filters.split_once("```").unwrap();
    let lines = filters.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| Regex::new(&line.replace("<HOST>", r"(?P<host>[0-9A-Fa-f:.]+)")).unwrap()).collect()
}

fn banned(line: &str) -> Option<String> {
    documented_filters().iter().find_map(|filter| Some(filter.captures(line)?["host"].to_owned()))
}

#[tokio::test]
async fn the_documented_filter_finds_who_tries_credentials_in_both_forms_of_the_log() {
    let store = TestStore::sqlite().await.unwrap();
    let router = server(&store).await;
    for json in [true, false] {
        for (request, operation, code) in refusals() {
            let (log, guard) = Written::begin(json);
            id_told(&router, request).await;
            drop(guard);
            let expected = (code != "NOT_AUTHENTICATED").then(|| "192.0.2.7".to_owned());
            assert_eq!(banned(&log.refused()[0]), expected, "{operation} {code}: {:?}", log.refused());
        }
    }
    store.remove().await.unwrap();
}

#[test]
fn the_documented_filter_finds_who_fails_to_prove_that_a_session_is_theirs_and_not_who_is_only_asked_to() {
    let client = Client { address: Some([192, 0, 2, 7].into()), ..Client::default() };
    for json in [true, false] {
        for (code, is_found) in [(Code::ProofRejected, true), (Code::ReauthenticationRequired, false)] {
            let (log, guard) = Written::begin(json);
            refusal::tell(&client, None, "proof.passkey", &Error::new(code));
            drop(guard);
            assert_eq!(banned(&log.refused()[0]).as_deref(), is_found.then_some("192.0.2.7"), "{code:?}: {:?}", log.refused());
        }
    }
}

#[tokio::test]
async fn no_caller_writes_a_line_or_an_address_of_their_choice() {
    let store = TestStore::sqlite().await.unwrap();
    let router = server(&store).await;
    let forged = r#"x" address=198.51.100.1 code=UNAUTHORIZED ","address":"198.51.100.1"#;
    for json in [true, false] {
        let (log, guard) = Written::begin(json);
        let headers = [JSON, ("user-agent", forged), ("x-request-id", "a b\" address=198.51.100.1")];
        id_told(&router, request(Method::POST, "/_cms/api/auth/magic-link/verify", &headers, r#"{"token":"x\n2026 INFO refused"}"#)).await;
        drop(guard);
        let lines = log.refused();
        assert_eq!(lines.len(), 1);
        assert_eq!(banned(&lines[0]).as_deref(), Some("192.0.2.7"), "{lines:?}");
        assert!(!json || serde_json::from_str::<Value>(&lines[0]).unwrap()["agent"] == *forged);
    }
    store.remove().await.unwrap();
}
