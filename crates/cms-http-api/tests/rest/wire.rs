//! What every answer carries, and how the door answers what no operation does.

use std::time::Duration;

use axum::body::Body;
use cms_domain::{access::Access, user::Role};
use cms_frame::{
    Cx, Error,
    operation::{Http, Operation, Tool},
};
use cms_http_api::HttpOptions;
use http::Request;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::site::{POSTS, public_site, site, site_with};

/// Panic.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Panics {
    /// Unused.
    number: u8,
}

impl Operation for Panics {
    const ID: &'static str = "test.panics";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::post("panics", "/panics");
    const TOOL: Tool = Tool::Hidden;
    type Output = ();

    async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
        panic!("secret {}", self.number)
    }
}

/// Fail.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Fails {}

impl Operation for Fails {
    const ID: &'static str = "test.fails";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("fails", "/fails");
    const TOOL: Tool = Tool::Hidden;
    type Output = ();

    async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
        Err(Error::internal("secret"))
    }
}

/// Wait.
#[derive(Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Waits {}

impl Operation for Waits {
    const ID: &'static str = "test.waits";
    const ACCESS: Access = Access::Public;
    const HTTP: Http = Http::get("waits", "/waits");
    const TOOL: Tool = Tool::Hidden;
    type Output = ();

    async fn run(self, _: &mut Cx<'_>) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_mins(1)).await;
        Ok(())
    }
}

#[tokio::test]
async fn every_answer_carries_its_security_headers() {
    site(|site| async move {
        for path in [POSTS, "/_cms/api/nothing", "/_cms/api/openapi.json"] {
            let answer = site.get(path).await;
            assert_eq!(answer.header("x-content-type-options"), "nosniff");
            assert_eq!(answer.header("x-frame-options"), "DENY");
            assert_eq!(answer.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
            assert_eq!(answer.header("referrer-policy"), "no-referrer");
        }
    })
    .await;
}

#[tokio::test]
async fn a_request_id_is_kept_or_made() {
    site(|site| async move {
        assert_eq!(site.read(None, POSTS, &[("x-request-id", "a.B-1_2")]).await.header("x-request-id"), "a.B-1_2");
        let made = site.read(None, POSTS, &[("x-request-id", "no spaces")]).await;
        assert!(!made.header("x-request-id").is_empty() && made.header("x-request-id") != "no spaces");
    })
    .await;
}

#[tokio::test]
async fn an_address_with_nothing_answers_in_the_envelope() {
    site(|site| async move {
        for path in ["/_cms/api", "/_cms/api/", "/_cms/api/nothing", "/_cms/api/content/posts/", "/_cms/api/content/posts/a/b/c/d"] {
            assert_eq!(site.get(path).await.failure(), "404 NOT_FOUND", "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_method_that_an_address_lacks_names_those_it_has() {
    site(|site| async move {
        let entry = format!("{POSTS}/a");
        for (method, path, methods) in [
            ("PUT", POSTS, "GET, HEAD, POST"),
            ("POST", &entry, "GET, HEAD, PUT, PATCH, DELETE"),
            ("OPTIONS", &entry, "GET, HEAD, PUT, PATCH, DELETE"),
            ("TRACE", POSTS, "GET, HEAD, POST"),
            ("POST", "/_cms/api/openapi.json", "GET, HEAD"),
        ] {
            let answer = site.admin(method, path, Body::empty()).await;
            assert_eq!((answer.failure().as_str(), answer.header("allow")), ("405 METHOD_NOT_ALLOWED", methods), "{method} {path}");
        }
    })
    .await;
}

#[tokio::test]
async fn head_answers_as_get_does_without_the_body() {
    public_site(|site| async move {
        site.published("a", "A").await;
        for path in [POSTS, "/_cms/api/openapi.json", "/_cms/api/schema/collections"] {
            let get = site.get(path).await;
            let head = site.admin("HEAD", path, Body::empty()).await;
            assert_eq!((head.status, head.bytes.len()), (get.status, 0), "{path}");
            assert_eq!(head.header("content-length"), get.bytes.len().to_string(), "{path}");
            for name in ["content-type", "etag", "cache-control"] {
                assert_eq!(head.header(name), get.header(name), "{path} {name}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_panic_is_a_failure_that_tells_nothing_but_its_request() {
    site(|site| async move {
        let answer = site.having::<Panics>().post("/_cms/api/panics", json!({ "number": 7 })).await;
        assert_eq!(answer.failure(), "500 INTERNAL_ERROR");
        assert_eq!(answer.json()["error"]["details"]["requestId"], answer.header("x-request-id"));
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("secret"));
    })
    .await;
}

#[tokio::test]
async fn a_server_failure_tells_nothing_but_its_request() {
    site(|site| async move {
        let answer = site.having::<Fails>().get("/_cms/api/fails").await;
        assert_eq!(answer.failure(), "500 INTERNAL_ERROR");
        assert_eq!(answer.json()["error"]["details"], json!({ "requestId": answer.header("x-request-id") }));
        assert!(!String::from_utf8_lossy(&answer.bytes).contains("secret"));
    })
    .await;
}

#[tokio::test]
async fn an_operation_that_takes_too_long_is_given_up() {
    site(|site| async move {
        let options = HttpOptions { request_timeout: Duration::from_millis(20), ..HttpOptions::default() };
        let answer = site.with(options).having::<Waits>().get("/_cms/api/waits").await;
        assert_eq!((answer.failure().as_str(), answer.header("retry-after")), ("503 BUSY", "1"));
    })
    .await;
}

#[tokio::test]
async fn created_things_answer_201() {
    site(|site| async move {
        let made = site.post(POSTS, json!({ "data": { "title": "A" } })).await;
        assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "private, no-store"));
    })
    .await;
}

#[tokio::test]
async fn a_change_without_members_needs_no_body() {
    site(|site| async move {
        site.post(POSTS, json!({ "slug": "a", "data": { "title": "A" } })).await.expect(201);
        let publish = Request::post(format!("{POSTS}/a/publish")).header("authorization", format!("Bearer {}", site.token(Role::Admin)));
        assert_eq!(site.send(publish.body(Body::empty()).unwrap()).await.expect(200)["item"]["status"], "published");
    })
    .await;
}

#[tokio::test]
async fn members_come_from_path_query_and_body() {
    site(|site| async move {
        for locale in ["en", "de"] {
            site.post(POSTS, json!({ "slug": "a", "locale": locale, "data": { "title": locale } })).await.expect(201);
        }
        let changed = site.put(&format!("{POSTS}/a?locale=de"), json!({ "data": { "title": "neu" } })).await.expect(200);
        assert_eq!((&changed["item"]["locale"], &changed["item"]["data"]["title"]), (&json!("de"), &json!("neu")));
    })
    .await;
}

#[tokio::test]
async fn a_prefix_of_ones_own_moves_everything() {
    site(|site| async move {
        let site = site.being(|product| product.prefix = "/shop".parse().unwrap());
        assert_eq!(site.get("/shop/api/content/posts").await.status, 200);
        let document = site.get("/shop/api/openapi.json").await.json();
        assert_eq!(document["servers"], json!([{ "url": "/shop/api" }]));
    })
    .await;
}

#[tokio::test]
async fn pages_of_other_origins_are_let_in_by_name() {
    let preflight = [("origin", "https://a.example"), ("access-control-request-method", "PUT")];
    let options = HttpOptions { cors_origins: vec!["https://a.example".to_owned()], ..HttpOptions::default() };
    site_with(
        options,
        |_| {},
        move |site| async move {
            let mut request = Request::options(POSTS);
            for (name, value) in preflight {
                request = request.header(name, value);
            }
            let allowed = site.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!((allowed.status.as_u16(), allowed.header("access-control-allow-origin")), (200, "https://a.example"));
            assert_eq!(allowed.header("access-control-allow-credentials"), "");
            let other = site.read(None, POSTS, &[("origin", "https://b.example")]).await;
            assert_eq!(other.header("access-control-allow-origin"), "");
        },
    )
    .await;
}

#[tokio::test]
async fn pages_of_other_origins_are_not_let_in_unless_configured() {
    site(|site| async move {
        let answer = site.read(Some(Role::Admin), POSTS, &[("origin", "https://a.example")]).await;
        assert_eq!(answer.header("access-control-allow-origin"), "");
    })
    .await;
}

#[tokio::test]
async fn large_answers_are_compressed_on_request_unless_a_strong_tag_names_their_bytes() {
    public_site(|site| async move {
        site.published("a", &"A".repeat(10_000)).await;
        let encoding = [("accept-encoding", "gzip")];
        assert_eq!(site.read(Some(Role::Admin), POSTS, &encoding).await.header("content-encoding"), "gzip");
        assert_eq!(site.read(Some(Role::Admin), POSTS, &[]).await.header("content-encoding"), "");
        assert_eq!(site.read(None, POSTS, &encoding).await.header("content-encoding"), "");
    })
    .await;
}

#[tokio::test]
async fn the_server_says_that_it_lives_and_is_ready() {
    site(|site| async move {
        let health = cms_http_api::health(site.app.cms().clone());
        for path in ["/healthz", "/readyz"] {
            let answer = tower::ServiceExt::oneshot(health.clone(), Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
            assert_eq!(answer.status(), 200, "{path}");
        }
        site.app.store().close().await;
        // For so long an answer of the database is good.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let answer = tower::ServiceExt::oneshot(health, Request::get("/readyz").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), 503);
    })
    .await;
}

#[tokio::test]
async fn the_types_of_the_collections_are_plain_source_text() {
    site(|site| async move {
        let types = site.get("/_cms/api/schema?format=typescript").await;
        assert_eq!((types.status.as_u16(), types.header("content-type")), (200, "text/typescript; charset=utf-8"));
        assert!(String::from_utf8(types.bytes).unwrap().contains("export interface Post"));
        assert!(site.get("/_cms/api/schema?format=json").await.expect(200)["version"].is_string());
        assert_eq!(site.get("/_cms/api/schema?format=xml").await.failure(), "400 VALIDATION_ERROR");
    })
    .await;
}
