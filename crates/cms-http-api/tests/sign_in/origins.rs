//! Addresses that the server tells others: whatever a request claims to be for, they are the server's own.

use std::{sync::Arc, time::Duration};

use cms_accounts::mail::testing::PostBox;
use cms_core::testing::{TestApp, TestStore};
use cms_domain::user::Role;
use cms_http_api::HttpOptions;
use http::Method;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::{
    browser::{Answer, Browser},
    github_stand::GitHubStand,
    providers::with_providers,
};

/// What requests claim. It is in no answer and in no letter.
const EVIL: &str = "evil.example";
/// What of an address a query escapes.
const IN_A_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.');
const CALLBACK: &str = "https://app.example/callback";

/// How a request can claim to be for somebody else.
#[derive(Debug, Clone, Copy)]
enum Lie {
    /// In headers, as a proxy would.
    Headers,
    /// In the address itself, as HTTP/2 has it.
    Address,
}

/// A request, and what its answer or the letter that follows must say. `{origin}` stands for the server's address, `{escaped}` for
/// the same in a query, `{host}` for its host.
struct Row {
    method: Method,
    path: &'static str,
    body: Value,
    sender: Option<Role>,
    says: &'static str,
}

fn get(path: &'static str, says: &'static str) -> Row {
    Row { method: Method::GET, path, body: Value::Null, sender: None, says }
}

fn post(path: &'static str, body: Value, sender: Option<Role>, says: &'static str) -> Row {
    Row { method: Method::POST, path, body, sender, says }
}

/// Every place that makes an address, or tells where it is.
fn rows(client: &str) -> Vec<Row> {
    let redirected = "redirect_uri={escaped}%2F_cms%2Fapi%2Fauth%2Foauth%2Fgithub%2Fcallback";
    let decision = json!({
        "request": {
            "client_id": client, "redirect_uri": CALLBACK, "response_type": "code", "scope": "content:read",
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        },
        "scopes": ["content:read"], "action": "approve",
    });
    let author = json!({ "email": "author@example.com" });
    let guest = json!({ "email": "guest@allowed.example" });
    vec![
        post("/_cms/api/auth/magic-link/send", author.clone(), None, "{origin}/_cms/admin/magic-link#token="),
        post("/_cms/api/auth/signup/request", guest.clone(), None, "{origin}/_cms/admin/signup#token="),
        post("/_cms/api/auth/invite", guest, Some(Role::Admin), "{origin}/_cms/admin/invite/accept#token="),
        post(
            "/_cms/api/auth/me/email",
            json!({ "email": "new@example.net" }),
            Some(Role::Editor),
            "{origin}/_cms/admin/confirm-email#token=",
        ),
        post(
            "/_cms/api/auth/me/email",
            json!({ "email": "newer@example.net" }),
            Some(Role::Contributor),
            "{origin}/_cms/admin/refuse-email#token=",
        ),
        post("/_cms/api/admin/users/{author}/send-recovery", json!({}), Some(Role::Admin), "{origin}/_cms/admin/magic-link#token="),
        post("/_cms/api/auth/passkey/options", author, None, "\"rpId\":\"{host}\""),
        post("/_cms/api/auth/oauth/github/begin", json!({}), None, redirected),
        post("/_cms/api/auth/connections/github", json!({}), Some(Role::Editor), redirected),
        get("/_cms/api/auth/oauth/github", redirected),
        get("/_cms/api/auth/oauth/club/about.json", "\"redirect_uri\":\"{origin}/_cms/api/auth/oauth/club/callback\""),
        get("/_cms/api/auth/oauth/github/callback?state=x", "location: /_cms/admin/login?error=invalid_state"),
        get("/_cms/api/auth/me", "www-authenticate: Bearer"),
        get("/_cms/api/openapi.json", "/_cms/api"),
        get("/_cms/.well-known/auth", "\"authorization_endpoint\":\"/_cms/oauth/authorize\""),
        get("/.well-known/oauth-authorization-server/_cms", "\"issuer\":\"{origin}/_cms\""),
        post("/_cms/api/oauth/device/code", json!({ "client_id": "cms-cli" }), None, "\"verification_uri\":\"{origin}/_cms/admin/device\""),
        post("/_cms/api/oauth/authorize", decision, Some(Role::Editor), "&iss={escaped}%2F_cms"),
    ]
}

/// Text with the server's address where it belongs.
fn filled(text: &str, origin: &str) -> String {
    let escaped = utf8_percent_encode(origin, IN_A_QUERY).to_string();
    let host = origin.split_once("://").unwrap().1.split(':').next().unwrap();
    text.replace("{origin}", origin).replace("{escaped}", &escaped).replace("{host}", host)
}

/// The same site where the world reaches it, or on a machine that nobody was told of.
fn at(app: &TestApp, stand: &GitHubStand, known: Option<&str>) -> (TestApp, Arc<PostBox>, Browser) {
    let app = app.another(|options| {
        options.product.public_origin = known.map(|origin| origin.parse().unwrap());
    });
    let post = Arc::new(PostBox::default());
    let mail = post.clone();
    let app = with_providers(&app, stand).serving(move |services| services.mail = Some(mail));
    let browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
    (app, post, browser)
}

async fn send(browser: Browser, row: &Row, lie: Lie) -> Answer {
    let path = row.path.replace("{author}", &TestApp::user(Role::Author).to_string());
    let body = Some(row.body.clone()).filter(|body| !body.is_null());
    match lie {
        Lie::Headers => {
            let mut lying = browser
                .with("host", format!("{EVIL}:8443"))
                .with("x-forwarded-host", EVIL)
                .with("x-forwarded-server", EVIL)
                .with("x-forwarded-port", "8443")
                .with("x-forwarded-proto", "https")
                .with("x-original-host", EVIL)
                .with("x-original-url", format!("https://{EVIL}/"))
                .with("forwarded", format!("for=192.0.2.1;host={EVIL};proto=https"))
                .with("referer", format!("https://{EVIL}/"));
            lying.send(row.method.clone(), &path, body).await
        }
        Lie::Address => {
            let mut browser = browser;
            browser.send(row.method.clone(), &format!("https://{EVIL}:8443{path}"), body).await
        }
    }
}

#[tokio::test]
async fn no_address_that_a_caller_made_up_is_told_to_anybody() {
    let (store, stand) = (TestStore::sqlite().await.unwrap(), GitHubStand::open().await);
    let app = TestApp::open(store.store().clone()).await.unwrap();
    let (_, _, mut browser) = at(&app, &stand, None);
    let registered = browser.post("/_cms/api/oauth/register", json!({ "redirect_uris": [CALLBACK] })).await;
    let client = registered.json["client_id"].as_str().unwrap().to_owned();
    browser.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Admin).await.unwrap());
    browser.post("/_cms/api/admin/allowed-domains", json!({ "domain": "allowed.example", "defaultRole": 20 })).await.data();
    for known in [None, Some("https://cms.example")] {
        let origin = known.unwrap_or("http://localhost:8080");
        let (app, letters, browser) = at(&app, &stand, known);
        for lie in [Lie::Headers, Lie::Address] {
            // So many letters may be asked for in five minutes.
            app.clock().advance(Duration::from_mins(5));
            for row in rows(&client) {
                let mut browser = browser.other();
                if let Some(role) = row.sender {
                    let name = if known.is_some() { "__Host-cms_session" } else { "cms_session" };
                    browser.cookies.insert(name.to_owned(), app.sign_in(role).await.unwrap());
                }
                let mut whole = send(browser, &row, lie).await.whole;
                app.cms().finish_background().await;
                whole.extend(letters.empty().iter().map(|letter| format!("{}\n{}\n{}", letter.subject, letter.text, letter.html)));
                let says = filled(row.says, origin);
                let told = format!("{} to {lie:?} with {known:?}: {whole}", row.path);
                assert!(whole.contains(&says), "`{says}` is missing: {told}");
                assert!(!whole.contains(EVIL), "{told}");
            }
        }
    }
    store.remove().await.unwrap();
}
