//! A provider on this machine, for tests: it answers what it is told to, and remembers what it was asked.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{Router, extract::State};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_domain::time::Timestamp;
use http::{HeaderMap, StatusCode, Uri, header};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::{Value, json};

use crate::provider::{Promise, ProviderError, Record, Room};

/// What somebody asked for at a path.
#[derive(Clone)]
pub(crate) struct Question {
    path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Question {
    pub(crate) fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn form(&self) -> BTreeMap<String, String> {
        parameters(&self.body)
    }
}

/// What a query or a form says.
pub(crate) fn parameters(text: &str) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(text.as_bytes()).into_owned().collect()
}

#[derive(Default)]
struct Memory {
    answers: BTreeMap<String, (StatusCode, String)>,
    questions: Vec<Question>,
}

pub(crate) struct Stand {
    pub(crate) origin: String,
    memory: Arc<Mutex<Memory>>,
}

impl Stand {
    pub(crate) async fn open() -> Self {
        let memory = Arc::<Mutex<Memory>>::default();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&memory));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, memory }
    }

    /// Answers questions at a path with JSON.
    pub(crate) fn says(&self, path: &str, answer: &Value) {
        self.answers(path, StatusCode::OK, &answer.to_string());
    }

    pub(crate) fn answers(&self, path: &str, status: StatusCode, body: &str) {
        self.memory.lock().unwrap().answers.insert(path.to_owned(), (status, body.to_owned()));
    }

    /// What was asked at a path, in order.
    pub(crate) fn asked(&self, path: &str) -> Vec<Question> {
        self.memory.lock().unwrap().questions.iter().filter(|question| question.path == path).cloned().collect()
    }
}

type Answer = (StatusCode, [(header::HeaderName, &'static str); 2], String);

async fn answer(State(memory): State<Arc<Mutex<Memory>>>, uri: Uri, headers: HeaderMap, body: String) -> Answer {
    let mut memory = memory.lock().unwrap();
    memory.questions.push(Question { path: uri.path().to_owned(), headers, body });
    let (status, body) = memory.answers.get(uri.path()).cloned().unwrap_or((StatusCode::NOT_FOUND, String::new()));
    // Only an answer that redirects uses the second.
    (status, [(header::CONTENT_TYPE, "application/json"), (header::LOCATION, "/elsewhere")], body)
}

/// What a provider signs with.
pub(crate) struct Key(SigningKey);

impl Key {
    pub(crate) fn new(seed: u8) -> Self {
        Self(SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    pub(crate) fn public(&self, id: &str) -> Value {
        let point = self.0.verifying_key().to_sec1_point(false);
        let (x, y) = point.as_bytes()[1..].split_at(32);
        json!({ "kid": id, "kty": "EC", "crv": "P-256", "use": "sig", "x": encode(x), "y": encode(y) })
    }

    pub(crate) fn sign(&self, text: &[u8]) -> Vec<u8> {
        Signer::<Signature>::sign(&self.0, text).to_bytes().to_vec()
    }

    /// A JWT under the name of a key.
    pub(crate) fn statement(&self, id: &str, claims: &Value) -> String {
        signed(&json!({ "alg": "ES256", "kid": id }), claims, |text| self.sign(text))
    }
}

/// A JWT with any head, signed by anything.
pub(crate) fn signed(head: &Value, claims: &Value, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
    let signature = encode(sign(text.as_bytes()));
    format!("{text}.{signature}")
}

pub(crate) fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A room that knows the time and nothing else.
pub(crate) struct At(pub(crate) Timestamp);

impl Room for At {
    fn now(&self) -> Timestamp {
        self.0
    }

    fn public_origin(&self) -> &'static str {
        "https://site.example"
    }

    fn redirect_uri(&self) -> &'static str {
        "https://site.example/back"
    }

    fn put(&self, _: Record) -> Promise<'_, Result<(), ProviderError>> {
        Box::pin(async { Err(ProviderError::Callback("there is no place")) })
    }

    fn get<'a>(&'a self, _: &'a str, _: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>> {
        Box::pin(async { Ok(None) })
    }

    fn take<'a>(&'a self, _: &'a str, _: &'a str) -> Promise<'a, Result<Option<Value>, ProviderError>> {
        Box::pin(async { Ok(None) })
    }
}
