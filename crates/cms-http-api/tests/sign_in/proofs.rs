//! Proving again who one is, as a browser does; and what a session is good for whose user does not.

use std::time::Duration;

use cms_accounts::oauth::clients::CreateOAuthClient;
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::operation::Proof;
use cms_http_api::HttpOptions;
use http::Method;
use serde_json::{Value, json};

use crate::{
    browser::{Answer, Browser},
    github_stand::{GitHubStand, Person, person},
    providers::with_providers,
};

const CALLBACK: &str = "https://app.example/callback";

/// A browser at a site with GitHub, where a user of a role is signed in.
async fn signed_in(app: &TestApp, stand: &GitHubStand, role: Role) -> (TestApp, Browser) {
    let app = with_providers(app, stand);
    let mut browser = Browser::new(cms_http_api::router(app.cms().clone(), HttpOptions::default()));
    browser.cookies.insert("cms_session".to_owned(), app.sign_in(role).await.unwrap());
    (app, browser)
}

/// Goes to GitHub and comes back. Answers with where the browser ends.
async fn round_trip(browser: &mut Browser, stand: &GitHubStand, path: &str, somebody: &Person) -> String {
    let begun = browser.post(path, json!({ "return": "/_cms/admin/account" })).await;
    let back = stand.agree(begun.data()["url"].as_str().unwrap(), somebody);
    browser.get(&back).await.location
}

async fn make_token(browser: &mut Browser) -> Answer {
    browser.post("/_cms/api/admin/api-tokens", json!({ "name": "ci", "scopes": ["content:read"] })).await
}

/// Everything that gives somebody a way in which is still there when the session has ended.
fn lasting(user_code: &str) -> Vec<(Method, String, Value)> {
    let author = TestApp::user(Role::Author);
    let user = |rest: &str| format!("/admin/users/{author}{rest}");
    let request = json!({
        "client_id": "https://app.example", "redirect_uri": CALLBACK, "response_type": "code", "scope": "admin",
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    });
    let rows = [
        (Method::POST, "/auth/passkey/register/options".to_owned(), json!({})),
        (Method::DELETE, format!("/auth/passkey/{author}"), Value::Null),
        (Method::POST, "/admin/api-tokens".to_owned(), json!({ "name": "ci", "scopes": ["content:read"] })),
        (Method::POST, "/auth/me/email".to_owned(), json!({ "email": "thief@example.org" })),
        (Method::POST, "/auth/connections/github".to_owned(), json!({})),
        (Method::DELETE, "/auth/connections/github/9".to_owned(), Value::Null),
        // What signs the owner out is no more the thief's to do.
        (Method::DELETE, format!("/auth/sessions/{author}"), Value::Null),
        (Method::DELETE, "/auth/sessions".to_owned(), Value::Null),
        (Method::PUT, user(""), json!({ "role": 50 })),
        (Method::PUT, user(""), json!({ "email": "thief@example.org" })),
        (Method::POST, user("/enable"), json!({})),
        (Method::POST, user("/send-recovery"), json!({})),
        (Method::POST, "/auth/invite".to_owned(), json!({ "email": "thief@example.org", "role": 50 })),
        (Method::POST, format!("/auth/invites/{author}/resend"), json!({})),
        (Method::POST, "/admin/allowed-domains".to_owned(), json!({ "domain": "thief.example", "defaultRole": 50 })),
        (Method::PUT, "/admin/allowed-domains/example.org".to_owned(), json!({ "defaultRole": 50 })),
        (Method::PUT, "/admin/allowed-domains/example.org".to_owned(), json!({ "enabled": true })),
        (Method::POST, "/admin/oauth-clients".to_owned(), json!({ "id": "thief", "name": "App", "redirectUris": [CALLBACK] })),
        (Method::PUT, "/admin/oauth-clients/https:%2F%2Fapp.example".to_owned(), json!({ "redirectUris": ["https://thief.example"] })),
        (Method::POST, "/oauth/authorize".to_owned(), json!({ "request": request, "scopes": ["admin"], "action": "approve" })),
        (Method::POST, "/oauth/device/authorize".to_owned(), json!({ "user_code": user_code, "action": "approve" })),
    ];
    rows.into_iter().map(|(method, path, body)| (method, format!("/_cms/api{path}"), body)).collect()
}

both! {
    async fn a_stolen_session_that_is_eleven_minutes_old_makes_no_way_in_that_outlives_it(app: TestApp) {
        let stand = GitHubStand::open().await;
        let client = json!({ "id": "https://app.example", "name": "App", "redirectUris": [CALLBACK] });
        app.call::<CreateOAuthClient>(Role::Admin, client).await.unwrap();
        let (app, mut thief) = signed_in(&app, &stand, Role::Admin).await;
        let mut program = thief.other();
        let waits = program.post("/_cms/api/oauth/device/code", json!({ "client_id": "cms-cli", "scope": "admin" })).await;
        let user_code = waits.json["user_code"].as_str().unwrap();
        app.clock().advance(Duration::from_mins(11));
        for (method, path, body) in lasting(user_code) {
            let body = (!body.is_null()).then_some(body);
            let answer = thief.send(method.clone(), &path, body).await;
            assert_eq!(answer.failure(), "403 REAUTHENTICATION_REQUIRED", "{method} {path}: {answer:?}");
            assert_eq!(answer.json["error"]["details"], json!({ "methods": [], "within": 600 }), "{method} {path}");
        }
        // It cannot renew itself, with accounts and passkeys that are not its user's.
        let answer = thief.post("/_cms/api/auth/reauth/provider/github", json!({})).await;
        assert_eq!(answer.failure(), "404 NOT_FOUND");
        assert_eq!(thief.post("/_cms/api/auth/reauth/passkey/options", json!({})).await.failure(), "404 NOT_FOUND");
        assert_eq!(thief.post("/_cms/api/auth/reauth/magic-link/send", json!({})).await.failure(), "503 EMAIL_NOT_CONFIGURED");
        // What it can do all the same is over when the session is: look, and leave.
        let sessions = thief.get("/_cms/api/auth/sessions").await;
        let own = format!("/_cms/api/auth/sessions/{}", sessions.data()["items"][0]["id"].as_str().unwrap());
        assert!(thief.send(Method::DELETE, &own, None).await.status.is_success());
    }

    async fn an_account_at_a_provider_renews_the_proof_of_its_own_user_alone(app: TestApp) {
        let stand = GitHubStand::open().await;
        let (app, mut browser) = signed_in(&app, &stand, Role::Author).await;
        let own = person(9, "me", "me@elsewhere.example", false);
        assert_eq!(round_trip(&mut browser, &stand, "/_cms/api/auth/connections/github", &own).await, "/_cms/admin/account");
        app.clock().advance(Proof::GRACE);
        let refused = make_token(&mut browser).await;
        assert_eq!(refused.failure(), "403 REAUTHENTICATION_REQUIRED");
        assert_eq!(refused.json["error"]["details"]["methods"], json!(["provider:github"]));
        assert_eq!(browser.get("/_cms/api/auth/me").await.data()["provenUntil"], json!("2027-01-01T00:10:00.000Z"));

        let (path, mut thief) = ("/_cms/api/auth/reauth/provider/github", browser.clone());
        // GitHub knows the thief, and so may we: it is not whose session it is.
        for somebody in [person(10, "thief", "thief@elsewhere.example", true), person(11, "x", "author@example.com", true)] {
            let landed = round_trip(&mut browser, &stand, path, &somebody).await;
            assert_eq!(landed, "/_cms/admin/account?error=proof_rejected");
            assert_eq!(make_token(&mut browser).await.failure(), "403 REAUTHENTICATION_REQUIRED");
        }
        // Nor is it another session of the same user, though the browser is the same.
        let begun = browser.post(path, json!({ "return": "/_cms/admin/account" })).await;
        let back = stand.agree(begun.data()["url"].as_str().unwrap(), &own);
        assert!(begun.data()["url"].as_str().unwrap().contains("prompt=select_account"), "{begun:?}");
        let mut other = browser.clone();
        other.cookies.insert("cms_session".to_owned(), app.sign_in(Role::Author).await.unwrap());
        assert_eq!(other.get(&back).await.location, "/_cms/admin/account?error=proof_rejected");

        assert_eq!(round_trip(&mut browser, &stand, path, &own).await, "/_cms/admin/account");
        assert_eq!(make_token(&mut browser).await.status, 201);
        assert_eq!(make_token(&mut thief).await.status, 401, "a copy of the cookie is as good as none");
        let lines = app.store().reader().audit().list(&cms_storage::AuditFilter::default(), 100).await.unwrap();
        let proof = lines.iter().find(|line| line.resource_type == "session" && line.action == "provider.sign_in").unwrap();
        let details: Value = serde_json::from_str(proof.details.as_deref().unwrap()).unwrap();
        assert_eq!((&details["method"], details["before"].is_string()), (&json!("provider:github"), true), "{details}");
    }
}
