//! Every limit of the catalog: how often, and what is said to whoever comes once more.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::body::Body;
use cms_core::{both, testing::TestApp};
use cms_domain::{access::Access, time::Timestamp, user::Role};
use cms_frame::{
    Clock,
    descriptor::Descriptor,
    operation::{Http, Limit, Method, Surface},
};
use cms_http_api::HttpOptions;
use http::{Request, header};
use serde_json::{Value, json};

use crate::site::{Answer, Site};

/// One limit, and a request that counts against it.
struct Row {
    what: &'static str,
    limit: Limit,
    request: Asked,
    refusal: Refusal,
    /// How long to wait between two requests, so that no narrower limit is met.
    apart: Duration,
    /// Whether each request comes from another address: the limit counts something else.
    from_everywhere: bool,
}

/// A request.
struct Asked {
    method: &'static str,
    path: String,
    body: Value,
    /// Who sends it, taking turns; nobody in particular, if it is for strangers.
    senders: &'static [Role],
}

/// How somebody is told that they come too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    /// As everything is told.
    Envelope,
    /// As the RFCs of OAuth have it.
    Plain,
    /// On a page, for people.
    Page,
    /// On the sign-in page, where a browser is sent. Its redirect does not say when to come back: there `Retry-After` would be how long
    /// the browser waits before it goes on (RFC 9110, 10.2.3).
    SignInPage,
}

/// Begin to sign in at a provider, as a link does.
const BY_LINK: &str = "/_cms/api/auth/oauth/github";

/// What one user may try no oftener than one address may: the limit of the address shows when several users are behind it.
const TRIED_BY_SEVERAL: [&str; 2] = ["oauth.describe_device", "oauth.decide_device"];

/// The operations that have a limit, each with a request that gets as far as that.
fn rows() -> Vec<Row> {
    let row = |operation: &Arc<Descriptor>| {
        let (id, limit) = (operation.id, operation.limit?);
        let senders: &[Role] = match operation.access {
            Access::Account(_) if TRIED_BY_SEVERAL.contains(&id) => &Role::ALL,
            Access::Account(_) => &[Role::Admin],
            _ => &[],
        };
        let (request, refusal) = match plain(id) {
            Some((method, path, body, refusal)) => (Asked { method, path: path.to_owned(), body, senders }, refusal),
            None => (asked(id, &operation.http, senders), Refusal::Envelope),
        };
        Some(Row { what: id, limit, request, refusal, apart: Duration::ZERO, from_everywhere: false })
    };
    cms_core::built_in().iter().filter_map(row).collect()
}

/// Limits that operations have besides, of what they count themselves. Those that nobody may learn of are tested where letters are.
fn further_rows() -> Vec<Row> {
    let find = |id| rows().into_iter().find(|row| row.what == id).unwrap();
    let day = Limit { times: 100, within: Duration::from_hours(24) };
    let registration = json!({ "redirect_uris": ["https://app.example/callback"] });
    let guesses = |row: Row| {
        let request = Asked { senders: &[Role::Author], ..row.request };
        Row { what: "user_code", limit: Limit::five_minutes(20), apart: Duration::from_secs(4), request, ..row }
    };
    vec![
        guesses(find("oauth.describe_device")),
        guesses(find("oauth.decide_device")),
        Row { what: "email_change", from_everywhere: true, ..find("account.change_email") },
        Row { what: "proof_link", from_everywhere: true, ..find("proof.send_link") },
        Row {
            what: "oauth.register a day",
            limit: day,
            apart: Duration::from_secs(6),
            request: Asked { method: "POST", path: "/_cms/api/oauth/register".to_owned(), body: registration, senders: &[] },
            ..find("oauth.register")
        },
        Row {
            what: "provider.begin by a link",
            request: Asked { method: "GET", path: BY_LINK.to_owned(), body: Value::Null, senders: &[] },
            refusal: Refusal::SignInPage,
            ..find("provider.begin")
        },
    ]
}

/// The requests of operations whose routes are other people's standards.
fn plain(id: &str) -> Option<(&'static str, &'static str, Value, Refusal)> {
    Some(match id {
        "oauth.begin" => ("GET", "/_cms/oauth/authorize?client_id=x&redirect_uri=https%3A%2F%2Fapp.example%2F", Value::Null, Refusal::Page),
        "oauth.token" => ("POST", "/_cms/api/oauth/token", json!({ "grant_type": "x" }), Refusal::Plain),
        "oauth.revoke" => ("POST", "/_cms/api/oauth/revoke", json!({ "token": "x" }), Refusal::Plain),
        "oauth.register" => ("POST", "/_cms/api/oauth/register", json!({}), Refusal::Plain),
        "oauth.device_code" => ("POST", "/_cms/api/oauth/device/code", json!({ "client_id": "x" }), Refusal::Plain),
        "provider.finish" => ("GET", "/_cms/api/auth/oauth/github/callback?state=x", Value::Null, Refusal::SignInPage),
        _ => return None,
    })
}

/// A request that an operation reads, whatever becomes of it.
fn asked(id: &str, http: &Http, senders: &'static [Role]) -> Asked {
    assert_ne!(http.surface, Surface::None, "{id} has a limit, no route in the catalog, and no request here");
    let path = http.path.replace("{id}", &TestApp::user(Role::Author).to_string()).replace("{provider}", "github");
    assert!(!path.contains('{'), "{id}: say what is in its path");
    let path = format!("/_cms/api{path}");
    let (method, body) = match http.method {
        Method::Get => return Asked { method: "GET", path: format!("{path}?{}", query(id)), body: Value::Null, senders },
        Method::Delete => ("DELETE", Value::Null),
        Method::Post => ("POST", body(id)),
        Method::Put => ("PUT", body(id)),
        Method::Patch => ("PATCH", body(id)),
    };
    Asked { method, path, body, senders }
}

fn query(id: &str) -> &'static str {
    match id {
        "oauth.describe_request" => "client_id=x&redirect_uri=https%3A%2F%2Fapp.example%2F",
        "oauth.describe_device" => "code=ABCD-EFGH",
        _ => panic!("{id} has a limit and no request here"),
    }
}

fn body(id: &str) -> Value {
    let made =
        json!({ "id": "AA", "rawId": "AA", "type": "public-key", "response": { "clientDataJSON": "e30", "attestationObject": "AA" } });
    let used = json!({
        "id": "AA", "rawId": "AA", "type": "public-key",
        "response": { "clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": null },
    });
    match id {
        "setup.begin" => json!({ "token": "x", "title": "Site" }),
        "setup.begin_admin" | "magic_link.send" | "sign_up.request" | "invitation.create" | "account.change_email" => {
            json!({ "email": "somebody@example.net" })
        }
        "setup.finish" | "passkey.register" => json!({ "credential": made }),
        "passkey.sign_in" | "proof.passkey" => json!({ "credential": used }),
        "proof.begin_passkey" | "proof.send_link" | "proof.begin_provider" => json!({}),
        "proof.link" => json!({ "token": "x" }),
        "passkey.begin_sign_in" | "passkey.begin" | "user.send_recovery" | "invitation.resend" | "provider.begin" | "connection.begin" => {
            json!({})
        }
        "magic_link.verify"
        | "sign_up.check"
        | "sign_up.begin"
        | "invitation.check"
        | "invitation.begin"
        | "account.confirm_email"
        | "account.refuse_email_change" => {
            json!({ "token": "x" })
        }
        "sign_up.complete" | "invitation.complete" => json!({ "token": "x", "credential": made }),
        "token.create" => json!({ "name": "ci", "scopes": ["content:read"] }),
        "oauth.decide" => json!({ "request": { "client_id": "x", "redirect_uri": "https://app.example/" }, "action": "approve" }),
        "oauth.decide_device" => json!({ "user_code": "ABCD-EFGH" }),
        _ => panic!("{id} has a limit and no request here"),
    }
}

async fn send(site: &Site, row: &Row, sessions: &HashMap<Role, String>, n: u32) -> Answer {
    let body = &row.request.body;
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    send_body(site, row, sessions, n, body).await
}

async fn send_body(site: &Site, row: &Row, sessions: &HashMap<Role, String>, n: u32, body: Body) -> Answer {
    let Asked { method, path, senders, .. } = &row.request;
    let address = format!("192.0.2.{}", if row.from_everywhere { n } else { 0 });
    let mut request = Request::builder()
        .method(*method)
        .uri(path)
        .header(header::HOST, "localhost:8080")
        .header(header::CONTENT_TYPE, "application/json")
        .header("x-forwarded-for", address);
    if let Some(sender) = senders.iter().cycle().nth(usize::try_from(n).unwrap()) {
        let session = &sessions[sender];
        request = request.header(header::COOKIE, format!("cms_session={session}")).header("x-cms-request", "1");
    }
    site.send(request.body(body).unwrap()).await
}

/// A site whose callers come through a proxy, and a session for each role.
async fn behind_a_proxy(app: TestApp) -> (Site, HashMap<Role, String>) {
    let site = Site::open(app.clone(), HttpOptions { trusted_hops: 1, ..HttpOptions::default() }).await;
    let mut sessions = HashMap::new();
    for role in Role::ALL {
        sessions.insert(role, app.sign_in(role).await.unwrap());
    }
    (site, sessions)
}

/// Whether an answer says that this was too often, as it is said there.
fn is_refused(answer: &Answer, row: &Row) -> bool {
    const SENT_ON: &str = "/_cms/admin/login?error=rate_limited";
    match row.refusal {
        Refusal::SignInPage => answer.status == 302 && answer.header("location") == SENT_ON && answer.header("retry-after").is_empty(),
        _ if answer.status != 429 => false,
        Refusal::Page => answer.header("content-type").starts_with("text/html"),
        Refusal::Plain => answer.json()["error"] == "temporarily_unavailable",
        Refusal::Envelope => {
            let details = &answer.json()["error"]["details"];
            answer.failure() == "429 RATE_LIMITED" && details["retryAfter"].as_u64() == answer.header("retry-after").parse().ok()
        }
    }
}

/// Moves the clock to the beginning of the next window of any length.
fn begin_a_window(app: &TestApp, limit: Limit) {
    let window = i64::try_from(limit.within.max(Duration::from_mins(5)).as_millis()).unwrap();
    let next = (app.clock().now().milliseconds() / window + 1) * window;
    app.clock().set(Timestamp::from_milliseconds(next));
}

both! {
    async fn whoever_comes_too_often_is_told_when_to_come_back(app: TestApp) {
        let mail = std::sync::Arc::new(cms_accounts::mail::testing::PostBox::default());
        let app = app.serving(move |services| services.mail = Some(mail));
        let (site, _) = behind_a_proxy(app.clone()).await;
        for row in rows().into_iter().chain(further_rows()) {
            let (what, limit) = (row.what, row.limit);
            begin_a_window(&app, limit);
            let begin = app.clock().now();
            // Who signed in just now is asked for no other proof.
            let mut sessions = HashMap::new();
            for role in Role::ALL {
                sessions.insert(role, app.sign_in(role).await.unwrap());
            }
            for n in 0..limit.times {
                let answer = send(&site, &row, &sessions, n).await;
                assert!(answer.status != 429 && !is_refused(&answer, &row), "{what}: refused after {n} of {}", limit.times);
                app.clock().advance(row.apart);
            }
            app.clock().advance(Duration::from_secs(7));
            let left = limit.within.as_secs() - begin.until(app.clock().now()).as_secs();
            let refused = send(&site, &row, &sessions, limit.times).await;
            assert!(is_refused(&refused, &row), "{what}: {} {}", refused.status, String::from_utf8_lossy(&refused.bytes));
            if row.refusal != Refusal::SignInPage {
                assert_eq!(refused.header("retry-after"), left.to_string(), "{what}");
            }
            app.clock().advance(Duration::from_secs(left - 1));
            assert!(is_refused(&send(&site, &row, &sessions, limit.times).await, &row), "{what}: let in too soon");
            app.clock().advance(Duration::from_secs(1));
            assert!(!is_refused(&send(&site, &row, &sessions, limit.times).await, &row), "{what}: it is time to let them in");
        }
        app.cms().finish_background().await;
    }
}

both! {
    async fn what_cannot_be_read_counts_once_like_what_can(app: TestApp) {
        let (site, sessions) = behind_a_proxy(app.clone()).await;
        for row in rows().into_iter().filter(|row| !row.request.body.is_null()) {
            let (what, limit) = (row.what, row.limit);
            begin_a_window(&app, limit);
            for n in 0..limit.times {
                let answer = send_body(&site, &row, &sessions, n, Body::from("{")).await;
                assert_eq!(answer.status, 400, "{what}: after {n} of {}", limit.times);
            }
            for body in ["{", "{}"] {
                let refused = send_body(&site, &row, &sessions, limit.times, Body::from(body)).await;
                assert!(is_refused(&refused, &row), "{what}: {} {}", refused.status, String::from_utf8_lossy(&refused.bytes));
            }
        }
    }
}

#[test]
fn whatever_a_stranger_may_have_done_has_a_limit() {
    /// It ends what the caller has, and needs no limit.
    const UNLIMITED: [&str; 1] = ["session.sign_out"];
    let catalog = cms_core::built_in();
    let public = catalog.iter().filter(|operation| operation.access == Access::Public && operation.http.method != Method::Get);
    let unlimited: Vec<_> = public.filter(|operation| operation.limit.is_none()).map(|operation| operation.id).collect();
    assert_eq!(unlimited, UNLIMITED);
}
