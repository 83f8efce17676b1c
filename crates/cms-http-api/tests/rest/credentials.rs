//! Who a request comes from.

use std::time::Duration;

use axum::body::Body;
use cms_domain::{access::Scope, user::Role};
use cms_http_api::HttpOptions;
use http::Request;
use serde_json::{Value, json};

use crate::site::{POSTS, Site, site, site_with};

async fn with_credentials(site: &Site, credentials: &str) -> String {
    site.read(None, POSTS, &[("authorization", credentials)]).await.failure()
}

/// Only a person who is signed in makes tokens.
async fn make_token(site: &Site, input: Value) -> Value {
    site.signed_in("POST", "/_cms/api/admin/api-tokens", Body::from(input.to_string())).await.expect(201)
}

#[tokio::test]
async fn a_caller_without_credentials_is_told_how_to_bring_some() {
    site(|site| async move {
        let answer = site.read(None, POSTS, &[]).await;
        assert_eq!((answer.failure().as_str(), answer.header("www-authenticate")), ("401 NOT_AUTHENTICATED", "Bearer"));
    })
    .await;
}

#[tokio::test]
async fn credentials_that_are_no_token_are_refused_even_where_the_public_may_read() {
    site_with(
        HttpOptions::default(),
        |options| options.public_read = true,
        |site| async move {
            for credentials in
                ["Basic YTpi", "Bearer", "Bearer ", "Bearer a b", "Bearer cms_pat_nothing", "cms_pat_nothing", "Bearer \u{e4}"]
            {
                assert_eq!(with_credentials(&site, credentials).await, "401 INVALID_TOKEN", "{credentials}");
            }
        },
    )
    .await;
}

#[tokio::test]
async fn a_refused_token_is_named_in_the_challenge() {
    site(|site| async move {
        let site = site.known_as("https://example.com");
        let answer = site.read(None, POSTS, &[("authorization", "Bearer cms_pat_nothing")]).await;
        let expected = r#"Bearer error="invalid_token", resource_metadata="https://example.com/.well-known/oauth-protected-resource""#;
        assert_eq!(answer.header("www-authenticate"), expected);
    })
    .await;
}

#[tokio::test]
async fn a_narrow_token_is_told_the_scope_it_lacks() {
    site(|site| async move {
        let token = site.narrow_token(Role::Admin, Scope::MediaRead).await;
        let answer = site.read(None, POSTS, &[("authorization", &format!("Bearer {token}"))]).await;
        assert_eq!(answer.failure(), "403 INSUFFICIENT_SCOPE");
        assert_eq!(answer.header("www-authenticate"), r#"Bearer error="insufficient_scope", scope="content:read""#);
    })
    .await;
}

#[tokio::test]
async fn who_may_not_learns_nothing_of_the_input() {
    site(|site| async move {
        let post = |token: Option<&str>| {
            let mut request = Request::post("/_cms/api/schema/collections").header("content-type", "application/json");
            if let Some(token) = token {
                request = request.header("authorization", format!("Bearer {token}"));
            }
            request.body(Body::from(json!({ "nonsense": 1 }).to_string())).unwrap()
        };
        assert_eq!(site.send(post(None)).await.failure(), "401 NOT_AUTHENTICATED");
        assert_eq!(site.send(post(Some(site.token(Role::Editor)))).await.failure(), "403 INSUFFICIENT_PERMISSIONS");
    })
    .await;
}

#[tokio::test]
async fn a_token_ends_at_its_time() {
    site(|site| async move {
        let until = cms_frame::Clock::now(site.app.clock()).after(Duration::from_hours(1));
        let made = make_token(&site, json!({ "name": "short", "scopes": ["content:read"], "expiresAt": until })).await;
        let credentials = format!("Bearer {}", made["token"].as_str().unwrap());
        assert_eq!(site.read(None, POSTS, &[("authorization", &credentials)]).await.status, 200);
        site.app.clock().advance(Duration::from_hours(1));
        assert_eq!(with_credentials(&site, &credentials).await, "401 INVALID_TOKEN");
    })
    .await;
}

#[tokio::test]
async fn a_revoked_token_stops_at_once() {
    site(|site| async move {
        let made = make_token(&site, json!({ "name": "short", "scopes": ["content:read"] })).await;
        let credentials = format!("Bearer {}", made["token"].as_str().unwrap());
        assert_eq!(site.read(None, POSTS, &[("authorization", &credentials)]).await.status, 200);
        site.signed_in("DELETE", &format!("/_cms/api/admin/api-tokens/{}", made["info"]["id"].as_str().unwrap()), Body::empty())
            .await
            .expect(200);
        assert_eq!(with_credentials(&site, &credentials).await, "401 INVALID_TOKEN");
    })
    .await;
}
