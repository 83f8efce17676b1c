//! A browser of the REST API over sockets: it keeps cookies, and has no token.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::{Method, Request, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as Pool, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;

use crate::Reply;

/// A browser on a page of the site.
pub struct Browser {
    pool: Pool<HttpConnector, Full<Bytes>>,
    root: String,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    pub(crate) fn new(root: String) -> Self {
        Self { pool: Pool::builder(TokioExecutor::new()).build_http(), root, cookies: BTreeMap::new() }
    }

    /// Sends a request below the API's root, as a script of the site does, and keeps what it is told to keep.
    ///
    /// # Panics
    /// Panics when the connection fails, or when the answer is not JSON.
    pub async fn ask(&mut self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ");
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.root))
            .header(header::COOKIE, cookies)
            .header(header::CONTENT_TYPE, "application/json")
            .header("X-CMS-Request", "1")
            .header("Sec-Fetch-Site", "same-origin")
            .body(Full::from(body.map(Value::to_string).unwrap_or_default()));
        let request = request.unwrap_or_else(|error| panic!("{path}: {error}"));
        let response = self.pool.request(request).await.unwrap_or_else(|error| panic!("{path}: {error}"));
        for cookie in response.headers().get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok()) {
            let pair = cookie.split(';').next().and_then(|pair| pair.split_once('='));
            self.cookies.extend(pair.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap_or_else(|error| panic!("{path}: {error}")).to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {status}: {error}"));
        Reply { status, headers, body }
    }
}
