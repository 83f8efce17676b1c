//! Somebody leaves, and a script locks them out over the wire: with an admin's bearer token and nothing else.

use axum::body::Body;
use cms_core::testing::TestApp;
use cms_domain::{access::Scope, user::Role};
use http::Request;
use serde_json::{Value, json};

use crate::site::{Answer, Site, site};

/// Sends a request with a bearer token.
async fn send(site: &Site, token: &str, method: &str, path: &str, body: Value) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(format!("/_cms/api{path}"))
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    site.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn a_script_locks_out_who_leaves() {
    site(|site| async move {
        let leaver = format!("/admin/users/{}", TestApp::user(Role::Editor));
        let (session, theirs) =
            (site.app.sign_in(Role::Editor).await.unwrap(), site.app.token_of(Role::Editor, &[Scope::ContentRead]).await.unwrap());
        let admin = site.app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        let found = send(&site, &admin, "GET", "/admin/users?search=editor", Value::Null).await.expect(200);
        assert_eq!(found["items"][0]["id"], json!(TestApp::user(Role::Editor)));
        let held = send(&site, &admin, "GET", &format!("{leaver}/access"), Value::Null).await.expect(200);
        assert_eq!(held["sessions"]["items"].as_array().unwrap().len(), 1);
        let named = |item: &&Value| item["name"] == "test";
        let token = held["tokens"]["items"].as_array().unwrap().iter().find(named).unwrap()["id"].as_str().unwrap().to_owned();
        send(&site, &admin, "DELETE", &format!("{leaver}/tokens/{token}"), Value::Null).await.expect(200);
        assert_eq!(send(&site, &theirs, "GET", "/auth/me", Value::Null).await.failure(), "401 INVALID_TOKEN");

        send(&site, &admin, "POST", &format!("{leaver}/disable"), json!({})).await.expect(200);
        assert!(site.app.cms().identify_session(&session).await.unwrap().user().is_none());
        let ended =
            send(&site, &admin, "POST", &format!("{leaver}/end-access"), json!({ "kinds": ["tokens", "passkeys"] })).await.expect(200);
        assert_eq!((&ended["tokens"], &ended["passkeys"]), (&json!(1), &json!(0)));
        // To let them in again takes a person.
        let enable = send(&site, &admin, "POST", &format!("{leaver}/enable"), json!({ "restoreAccess": true })).await;
        assert_eq!(enable.failure(), "403 SESSION_REQUIRED");
        let enable = site.signed_in("POST", &format!("/_cms/api{leaver}/enable"), Body::from("{}")).await;
        enable.expect(200);
    })
    .await;
}

#[tokio::test]
async fn a_script_narrows_an_allowed_domain_and_a_person_widens_it() {
    site(|site| async move {
        let admin = site.app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        let make = Body::from(json!({ "domain": "example.net", "defaultRole": 30 }).to_string());
        site.signed_in("POST", "/_cms/api/admin/allowed-domains", make).await.expect(201);
        let path = "/admin/allowed-domains/example.net";
        let narrowed = send(&site, &admin, "PUT", path, json!({ "enabled": false, "defaultRole": 10 })).await.expect(200);
        assert_eq!((&narrowed["domain"]["enabled"], &narrowed["domain"]["defaultRole"]), (&json!(false), &json!(10)));
        assert_eq!(send(&site, &admin, "PUT", path, json!({ "enabled": true })).await.failure(), "403 SESSION_REQUIRED");
        assert_eq!(send(&site, &admin, "PATCH", path, json!({ "enabled": false })).await.failure(), "405 METHOD_NOT_ALLOWED");
        let widened = site.signed_in("PUT", &format!("/_cms/api{path}"), Body::from(json!({ "enabled": true }).to_string())).await;
        assert_eq!(widened.expect(200)["domain"]["enabled"], json!(true));
    })
    .await;
}
