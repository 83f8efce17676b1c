//! A site for one test: a system over an empty store, a door to it, and a token for each role.

use std::collections::HashMap;

use axum::{Router, body::Body};
use cms_accounts::tokens::CreateToken;
use cms_core::testing::{self, TestApp, TestStore};
use cms_domain::{
    access::{Actor, Scope, Scopes},
    product::Product,
    user::Role,
};
use cms_frame::{Door, operation::Operation};
use cms_http_api::{HttpOptions, Origin};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::conformance;

pub(crate) const POSTS: &str = "/_cms/api/content/posts";

#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) app: TestApp,
    router: Router,
    tokens: HashMap<Role, String>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    /// How it came to be, where many may have it.
    pub(crate) origin: Option<Origin>,
}

/// Runs a test on a site with a collection `posts`.
pub(crate) async fn site<T: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Site) -> T + Send + 'static) {
    site_with(HttpOptions::default(), |_| {}, test).await;
}

/// Runs a test on a site that lets the public read.
pub(crate) async fn public_site<T: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Site) -> T + Send + 'static) {
    site_with(HttpOptions::default(), |options| options.public_read = true, test).await;
}

/// Runs a test on a site that is set up otherwise.
pub(crate) async fn site_with<T: Future<Output = ()> + Send + 'static>(
    http: HttpOptions,
    change: impl FnOnce(&mut cms_frame::Options) + Send + 'static,
    test: impl FnOnce(Site) -> T + Send + 'static,
) {
    testing::run(TestStore::sqlite().await.map(Some), |app| async move {
        let site = Site::open(app.another(change), http).await;
        site.post("/_cms/api/schema/collections", posts()).await.expect(201);
        test(site).await;
    })
    .await;
}

/// A collection with a field of each sort that text cannot spell alone.
fn posts() -> Value {
    let field = |slug: &str, kind: &str, more: Value| {
        let mut field = json!({ "slug": slug, "label": slug, "type": kind });
        field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        field
    };
    json!({
        "slug": "posts",
        "label": "Posts",
        "fields": [
            field("title", "string", json!({ "required": true })),
            field("summary", "text", json!({})),
            field("link", "url", json!({})),
            field("code", "slug", json!({ "validation": { "pattern": "^(a+)+$" } })),
            field("price", "number", json!({ "indexed": true })),
            field("count", "integer", json!({})),
            field("flag", "boolean", json!({})),
            field("day", "datetime", json!({})),
            field("kind", "select", json!({ "validation": { "options": ["a", "b"] } })),
            field("tags", "multiSelect", json!({ "validation": { "options": ["a", "b"] } })),
            field("body", "portableText", json!({})),
            field("picture", "image", json!({})),
            field("paper", "file", json!({})),
            field("other", "reference", json!({ "options": { "collection": "posts" } })),
            field("rows", "repeater", json!({ "validation": { "subFields": [{ "slug": "name", "label": "Name", "type": "string" }] } })),
            field("anything", "json", json!({})),
        ]
    })
}

impl Site {
    /// A site over a system.
    pub(crate) async fn open(app: TestApp, options: HttpOptions) -> Self {
        let mut tokens = HashMap::new();
        for role in Role::ALL {
            let scopes = Scope::ALL.iter().copied().filter(|scope| scope.least_role() <= role).collect();
            tokens.insert(role, token(&app, role, scopes).await);
        }
        let router = cms_http_api::router(app.cms().clone(), options);
        Self { app, router, tokens }
    }

    /// The same system behind a door of its own.
    pub(crate) fn with(&self, options: HttpOptions) -> Self {
        Self { router: cms_http_api::router(self.app.cms().clone(), options), ..self.clone() }
    }

    /// The same site as another product: behind a door of its own.
    pub(crate) fn being(&self, change: impl FnOnce(&mut Product)) -> Self {
        let app = self.app.another(|options| change(&mut options.product));
        Self { app, ..self.clone() }.with(HttpOptions::default())
    }

    /// The same site where the world reaches it, behind a door of its own.
    pub(crate) fn known_as(&self, origin: &str) -> Self {
        self.being(|product| product.public_origin = Some(origin.parse().unwrap()))
    }

    /// Another server over the same rows, behind a door of its own.
    pub(crate) fn beside(&self, options: HttpOptions) -> Self {
        Self { app: self.app.another(|_| {}), ..self.clone() }.with(options)
    }

    /// The same site with an operation of the test's.
    pub(crate) fn having<O: Operation>(&self) -> Self {
        Self { app: self.app.having::<O>(), ..self.clone() }
    }

    /// A token of a role's user.
    pub(crate) fn token(&self, role: Role) -> &str {
        &self.tokens[&role]
    }

    /// A token with fewer scopes than the role allows.
    pub(crate) async fn narrow_token(&self, role: Role, scope: Scope) -> String {
        token(&self.app, role, Scopes::from([scope])).await
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        if parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream") {
            // It ends with whoever reads it: that it was begun is all that is asked here.
            return Answer { status: parts.status, origin: None, headers: parts.headers, bytes: Vec::new() };
        }
        let bytes = body.collect().await.unwrap().to_bytes().to_vec();
        if parts.status != StatusCode::METHOD_NOT_ALLOWED && !parts.headers.contains_key(header::CONTENT_ENCODING) {
            conformance::check(&method, &path, parts.status, &bytes);
        }
        Answer { status: parts.status, origin: parts.extensions.get().copied(), headers: parts.headers, bytes }
    }

    /// A request of the admin's.
    pub(crate) async fn admin(&self, method: &str, path: &str, body: Body) -> Answer {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token(Role::Admin)))
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body).unwrap()).await
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.admin("GET", path, Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Answer {
        self.admin("POST", path, Body::from(body.to_string())).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Answer {
        self.admin("PUT", path, Body::from(body.to_string())).await
    }

    /// A request of the admin's, who is signed in.
    pub(crate) async fn signed_in(&self, method: &str, path: &str, body: Body) -> Answer {
        let secret = self.app.sign_in(Role::Admin).await.unwrap();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, format!("cms_session={secret}"))
            .header("x-cms-request", "1")
            .header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(body).unwrap()).await
    }

    /// A reading of somebody who may be nobody, with headers.
    pub(crate) async fn read(&self, role: Option<Role>, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::get(path);
        if let Some(role) = role {
            request = request.header(header::AUTHORIZATION, format!("Bearer {}", self.token(role)));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// A published entry.
    pub(crate) async fn published(&self, slug: &str, title: &str) -> Value {
        let made = self.post(POSTS, json!({ "slug": slug, "status": "published", "data": { "title": title } })).await;
        made.expect(201)["item"].clone()
    }
}

async fn token(app: &TestApp, role: Role, scopes: Scopes) -> String {
    let user = Some(format!("{role}@example.com").parse().unwrap());
    let make = CreateToken { user, name: "test".to_owned(), scopes, expires_at: None };
    app.cms().invoke(&Actor::System, Door::Local, make).await.unwrap().token
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|_| panic!("not JSON: {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// The data of an answer that has the status.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.bytes));
        self.json()["data"].clone()
    }

    /// Status and code of a failure: `404 NOT_FOUND`.
    #[track_caller]
    pub(crate) fn failure(&self) -> String {
        let json = self.json();
        assert_eq!(json["success"], false, "{json}");
        format!("{} {}", self.status.as_u16(), json["error"]["code"].as_str().unwrap())
    }

    /// The problems of a refused input: `path CODE`.
    #[track_caller]
    pub(crate) fn issues(&self) -> Vec<String> {
        assert_eq!(self.failure(), "400 VALIDATION_ERROR");
        let json = self.json();
        let issues = json["error"]["details"]["issues"].as_array().unwrap();
        issues.iter().map(|issue| format!("{} {}", issue["path"].as_str().unwrap(), issue["code"].as_str().unwrap())).collect()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
