//! Whom the program that embeds the API says sends a request, and what a page of somebody else can do with that.

use axum::body::Body;
use cms_core::testing::TestApp;
use cms_domain::{access::Scope, user::Role};
use cms_http_api::{HostCaller, HttpOptions};
use http::{Request, request::Builder};
use serde_json::json;

use crate::site::{Answer, POSTS, Site, site};

const PUBLIC: &str = "https://blog.example";

fn vouched(role: Role) -> HostCaller {
    HostCaller::user(TestApp::user(role), role)
}

/// Sends a request as a host hands it on, which knows its sender.
async fn send(site: &Site, caller: &HostCaller, request: Builder, body: &str) -> Answer {
    let mut request =
        request.header("host", "blog.example").header("content-type", "application/json").body(Body::from(body.to_owned())).unwrap();
    request.extensions_mut().insert(caller.clone());
    site.send(request).await
}

async fn create(site: &Site, caller: &HostCaller, headers: &[(&str, &str)]) -> Answer {
    let request = headers.iter().fold(Request::post(POSTS), |request, (name, value)| request.header(*name, *value));
    send(site, caller, request, &json!({ "data": { "title": "A" } }).to_string()).await
}

#[tokio::test]
async fn whom_the_host_vouches_for_may_what_their_role_may() {
    site(|site| async move {
        let marked = [("x-cms-request", "1")];
        let made = create(&site, &vouched(Role::Author), &marked).await.expect(201);
        assert_eq!(made["item"]["authorId"], TestApp::user(Role::Author).to_string());
        assert_eq!(create(&site, &vouched(Role::Subscriber), &marked).await.failure(), "403 INSUFFICIENT_PERMISSIONS");
        assert_eq!(create(&site, &HostCaller::nobody(), &marked).await.failure(), "401 NOT_AUTHENTICATED");
        let address = format!("{POSTS}/{}", made["item"]["id"].as_str().unwrap());
        let seen = send(&site, &vouched(Role::Editor), Request::get(&address), "").await;
        assert_eq!((seen.expect(200)["item"]["status"].clone(), seen.header("cache-control")), (json!("draft"), "private, no-store"));
        assert_eq!(send(&site, &vouched(Role::Subscriber), Request::get(&address), "").await.failure(), "404 NOT_FOUND");
    })
    .await;
}

#[tokio::test]
async fn no_page_of_another_site_changes_something_in_the_name_of_whom_the_host_knows() {
    site(|site| async move {
        let named = "https://www.example".to_owned();
        let site = site.known_as(PUBLIC).with(HttpOptions { cors_origins: vec![named.clone()], ..HttpOptions::default() });
        let author = vouched(Role::Author);
        let foreign: [&[(&str, &str)]; 7] = [
            &[],
            &[("x-cms-request", "0")],
            &[("origin", PUBLIC)],
            &[("sec-fetch-site", "same-origin")],
            &[("x-cms-request", "1"), ("origin", "https://evil.example")],
            &[("x-cms-request", "1"), ("origin", &named)],
            &[("x-cms-request", "1"), ("sec-fetch-site", "cross-site")],
        ];
        for headers in foreign {
            assert_eq!(create(&site, &author, headers).await.failure(), "403 CSRF_REJECTED", "{headers:?}");
        }
        create(&site, &author, &[("x-cms-request", "1"), ("origin", PUBLIC), ("sec-fetch-site", "same-origin")]).await.expect(201);
    })
    .await;
}

#[tokio::test]
async fn a_token_goes_before_what_the_host_says_and_a_bad_one_is_not_made_good_by_it() {
    site(|site| async move {
        let narrow = site.narrow_token(Role::Author, Scope::ContentRead).await;
        let refused = create(&site, &vouched(Role::Admin), &[("authorization", &format!("Bearer {narrow}"))]).await;
        assert_eq!(refused.failure(), "403 INSUFFICIENT_SCOPE");
        let bad = create(&site, &vouched(Role::Admin), &[("authorization", "Bearer cms_pat_nonsense"), ("x-cms-request", "1")]).await;
        assert_eq!(bad.failure(), "401 INVALID_TOKEN");
    })
    .await;
}

#[tokio::test]
async fn where_the_host_says_who_it_is_a_session_of_this_system_is_nothing() {
    site(|site| async move {
        let cookie = format!("cms_session={}", site.app.sign_in(Role::Admin).await.unwrap());
        let headers = [("cookie", cookie.as_str()), ("x-cms-request", "1")];
        assert_eq!(create(&site, &HostCaller::nobody(), &headers).await.failure(), "401 NOT_AUTHENTICATED");
        assert_eq!(create(&site, &vouched(Role::Subscriber), &headers).await.failure(), "403 INSUFFICIENT_PERMISSIONS");
    })
    .await;
}
