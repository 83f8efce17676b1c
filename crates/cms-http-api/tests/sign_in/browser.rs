//! A browser: it keeps cookies, and does not follow redirects by itself.

use std::{collections::BTreeMap, convert::Infallible};

use axum::{Router, body::Body};
use futures_util::stream;
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

#[derive(Clone)]
pub(crate) struct Browser {
    router: Router,
    pub(crate) cookies: BTreeMap<String, String>,
    headers: Vec<(&'static str, String)>,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) location: String,
    pub(crate) json: Value,
    /// Every header and the body, as text.
    pub(crate) whole: String,
}

impl Answer {
    /// Status and code of a failure: `404 NOT_FOUND`.
    pub(crate) fn failure(&self) -> String {
        format!("{} {}", self.status.as_u16(), self.json["error"]["code"].as_str().unwrap_or_default())
    }

    /// The data of an answer that succeeded.
    #[track_caller]
    pub(crate) fn data(&self) -> &Value {
        assert!(self.status.is_success(), "{self:?}");
        &self.json["data"]
    }
}

impl Browser {
    pub(crate) fn new(router: Router) -> Self {
        Self { router, cookies: BTreeMap::new(), headers: Vec::new() }
    }

    /// The same door, for a browser that was never here.
    pub(crate) fn other(&self) -> Self {
        Self::new(self.router.clone())
    }

    /// Sends a header with every request from now on.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&mut self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(crate) async fn send(&mut self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.send_body(method, path, body.map_or_else(Body::empty, |body| Body::from(body.to_string()))).await
    }

    /// Sends a request at once, and its body when something else is done: the server waits for it and knows by then who sends it.
    pub(crate) async fn send_after(
        &mut self,
        meanwhile: impl Future<Output = ()> + Send + 'static,
        method: Method,
        path: &str,
        body: String,
    ) -> Answer {
        let chunk = async move {
            meanwhile.await;
            Ok::<_, Infallible>(body)
        };
        self.send_body(method, path, Body::from_stream(stream::once(chunk))).await
    }

    async fn send_body(&mut self, method: Method, path: &str, body: Body) -> Answer {
        let mut request = Request::builder().method(&method).uri(path);
        if !self.headers.iter().any(|(name, _)| *name == "sec-fetch-site") {
            request = request.header("sec-fetch-site", "same-origin");
        }
        if method != Method::GET {
            request = request.header("x-cms-request", "1").header(header::CONTENT_TYPE, "application/json");
        }
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let cookies: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        let request = request.body(body).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        for cookie in response.headers().get_all(header::SET_COOKIE) {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let location = response.headers().get(header::LOCATION).map_or("", |location| location.to_str().unwrap()).to_owned();
        let status = response.status();
        let mut whole = String::new();
        for (name, value) in response.headers() {
            whole.extend([name.as_str(), ": ", &String::from_utf8_lossy(value.as_bytes()), "\n"]);
        }
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        whole.push_str(&String::from_utf8_lossy(&bytes));
        Answer { status, location, json: serde_json::from_slice(&bytes).unwrap_or_default(), whole }
    }

    /// Who the browser is signed in as; nobody's address is empty.
    pub(crate) async fn whoami(&mut self) -> String {
        let answer = self.get("/_cms/api/auth/me").await;
        answer.json["data"]["email"].as_str().unwrap_or_default().to_owned()
    }

    /// The role that the browser is signed in with.
    pub(crate) async fn role(&mut self) -> i64 {
        self.get("/_cms/api/auth/me").await.json["data"]["role"].as_i64().unwrap_or_default()
    }
}
