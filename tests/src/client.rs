//! A client of the REST API over sockets.

use std::error::Error;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode, header};
use http_body_util::{BodyExt, Full};
use hyper_util::{
    client::legacy::{Client as Pool, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;

/// A client, with a token or without. Clones share their connections.
#[derive(Clone)]
pub struct Client {
    pool: Pool<HttpConnector, Full<Bytes>>,
    root: String,
    token: Option<String>,
}

/// What the server answered.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Value,
}

impl Reply {
    /// What the operation answered.
    ///
    /// # Panics
    /// Panics when it was refused.
    pub fn data(self) -> Value {
        assert!(self.status.is_success(), "{} {}", self.status, self.body);
        self.body["data"].clone()
    }

    /// The code of the failure.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }
}

impl Client {
    pub(crate) fn new(root: String, token: Option<&str>) -> Self {
        Self { pool: Pool::builder(TokioExecutor::new()).build_http(), root, token: token.map(str::to_owned) }
    }

    /// A client of whatever answers for a server there, such as a proxy.
    pub fn at(origin: &str, token: &str) -> Self {
        Self::new(format!("{origin}/_cms/api"), Some(token))
    }

    /// The same client with another token, or without one.
    pub fn with_token(&self, token: Option<&str>) -> Self {
        Self { token: token.map(str::to_owned), ..self.clone() }
    }

    /// Sends a request below the API's root. Fails when the connection does.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        self.send_as(method, path, "application/json", body.map(Value::to_string).unwrap_or_default()).await
    }

    async fn send_as(&self, method: Method, path: &str, media_type: &str, body: String) -> Result<Reply, Box<dyn Error + Send + Sync>> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.root)).header(header::CONTENT_TYPE, media_type);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::from(body))?;
        let (head, body) = self.pool.request(request).await?.into_parts();
        let bytes = body.collect().await?.to_bytes();
        Ok(Reply { status: head.status, headers: head.headers, body: serde_json::from_slice(&bytes)? })
    }

    /// Sends a file to a server that must answer.
    ///
    /// # Panics
    /// Panics when the connection fails.
    pub async fn post_file(&self, path: &str, media_type: &str, file: String) -> Reply {
        match self.send_as(Method::POST, path, media_type, file).await {
            Ok(reply) => reply,
            Err(error) => panic!("POST {path}: {error}"),
        }
    }

    /// Sends a request to a server that must answer.
    ///
    /// # Panics
    /// Panics when the connection fails.
    pub async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        match self.send(method, path, body).await {
            Ok(reply) => reply,
            Err(error) => panic!("{path}: {error}"),
        }
    }

    /// Reads.
    pub async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None).await.data()
    }

    /// Does something that must succeed.
    pub async fn post(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, path, Some(body)).await.data()
    }

    /// Every item of a list, page by page.
    pub async fn all(&self, path: &str) -> Vec<Value> {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}{}limit=100{cursor}", if path.contains('?') { '&' } else { '?' })).await;
            items.extend(page["items"].as_array().into_iter().flatten().cloned());
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return items,
            }
        }
    }
}
