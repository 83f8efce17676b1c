//! A gateway on this machine: keys of its own, statements that it signs, and what it knows of people.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{Json, Router, extract::State, routing::get};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cms_accounts::gateway::{GatewayMode, GatewayPolicy};
use cms_auth::{
    gateway::{Gateway, GatewayOptions},
    outbound::Outbound,
};
use http::{HeaderMap, StatusCode};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use rsa::{RsaPrivateKey, pkcs1v15, rand_core::OsRng, signature::SignatureEncoding, traits::PublicKeyParts};
use serde_json::{Value, json};
use sha2::Sha256;

/// The header that carries the gateway's statement.
pub(crate) const HEADER: &str = "gateway-jwt-assertion";

/// What a statement is signed with.
pub(crate) enum Key {
    Ec(SigningKey),
    Rsa(Box<RsaPrivateKey>),
}

impl Key {
    pub(crate) fn ec(seed: u8) -> Self {
        Self::Ec(SigningKey::from_slice(&[seed; 32]).unwrap())
    }

    /// Half as long as in earnest: it is made anew for each test.
    pub(crate) fn rsa() -> Self {
        Self::Rsa(Box::new(RsaPrivateKey::new(&mut OsRng, 1024).unwrap()))
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Ec(_) => "ES256",
            Self::Rsa(_) => "RS256",
        }
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Ec(key) => Signer::<Signature>::sign(key, message).to_bytes().to_vec(),
            Self::Rsa(key) => {
                let signer = pkcs1v15::SigningKey::<Sha256>::new((**key).clone());
                rsa::signature::Signer::sign(&signer, message).to_vec()
            }
        }
    }

    fn public(&self, id: &str) -> Value {
        match self {
            Self::Ec(key) => {
                let point = key.verifying_key().to_sec1_point(false);
                let (x, y) = point.as_bytes()[1..].split_at(32);
                json!({ "kid": id, "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "x": encode(x), "y": encode(y) })
            }
            Self::Rsa(key) => {
                let (n, e) = (key.n().to_bytes_be(), key.e().to_bytes_be());
                json!({ "kid": id, "kty": "RSA", "alg": "RS256", "use": "sig", "n": encode(&n), "e": encode(&e) })
            }
        }
    }
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A statement with any head, signed by anything.
pub(crate) fn signed(head: &Value, claims: &Value, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> String {
    let text = format!("{}.{}", encode(head.to_string()), encode(claims.to_string()));
    let signature = encode(sign(text.as_bytes()));
    format!("{text}.{signature}")
}

#[derive(Default)]
pub(crate) struct Memory {
    /// What is at the address of the keys.
    pub(crate) keys: Vec<Value>,
    /// What the gateway knows of people, by their addresses.
    pub(crate) people: BTreeMap<String, Value>,
    /// How often it was asked for its keys, and about people.
    pub(crate) asked: (usize, usize),
    /// Whether it gives out no keys when it is asked.
    pub(crate) fails: bool,
}

#[derive(Clone)]
pub(crate) struct GatewayStand {
    pub(crate) origin: String,
    pub(crate) memory: Arc<Mutex<Memory>>,
}

impl GatewayStand {
    pub(crate) async fn open() -> Self {
        let memory = Arc::<Mutex<Memory>>::default();
        let router = Router::new()
            .route("/cdn-cgi/access/certs", get(certs))
            .route("/cdn-cgi/access/get-identity", get(identity))
            .with_state(Arc::clone(&memory));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, memory }
    }

    /// What a site behind the gateway is told of it.
    pub(crate) fn mode(&self, policy: GatewayPolicy) -> Arc<GatewayMode> {
        let options = GatewayOptions {
            team_domain: self.origin.clone(),
            audience: "tag".to_owned(),
            certs_path: "/cdn-cgi/access/certs".to_owned(),
            identity_path: "/cdn-cgi/access/get-identity".to_owned(),
            cookie: "CF_Authorization".to_owned(),
        };
        let gateway = Gateway::new(options, Outbound::new().unwrap()).unwrap();
        Arc::new(GatewayMode { gateway, header: HEADER.to_owned(), cookie: "CF_Authorization".to_owned(), policy })
    }

    /// Gives out a key.
    pub(crate) fn publish(&self, id: &str, key: &Key) {
        self.memory.lock().unwrap().keys.push(key.public(id));
    }

    /// Knows somebody.
    pub(crate) fn knows(&self, email: &str, name: &str, groups: &[&str]) {
        let groups: Vec<_> = groups.iter().map(|group| json!({ "id": format!("id of {group}"), "name": group })).collect();
        let person = json!({ "id": "1", "name": name, "email": email, "groups": groups, "idp": { "id": "1", "type": "saml" } });
        self.memory.lock().unwrap().people.insert(email.to_lowercase(), person);
    }

    /// What a good statement says.
    pub(crate) fn claims(&self, email: &str, now: i64) -> Value {
        json!({
            "aud": ["tag"], "iss": self.origin, "email": email, "type": "app", "sub": "1",
            "iat": now, "nbf": now, "exp": now + 3600,
        })
    }

    pub(crate) fn asked(&self) -> (usize, usize) {
        self.memory.lock().unwrap().asked
    }
}

/// A statement that a key signs.
pub(crate) fn statement(id: &str, key: &Key, claims: &Value) -> String {
    signed(&json!({ "alg": key.algorithm(), "kid": id, "typ": "JWT" }), claims, |text| key.sign(text))
}

async fn certs(State(memory): State<Arc<Mutex<Memory>>>) -> Result<Json<Value>, StatusCode> {
    let mut memory = memory.lock().unwrap();
    memory.asked.0 += 1;
    if memory.fails {
        return Err(StatusCode::BAD_GATEWAY);
    }
    Ok(Json(json!({ "keys": memory.keys, "public_cert": { "kid": "1", "cert": "PEM" } })))
}

async fn identity(State(memory): State<Arc<Mutex<Memory>>>, headers: HeaderMap) -> Result<Json<Value>, StatusCode> {
    let mut memory = memory.lock().unwrap();
    memory.asked.1 += 1;
    let cookie = headers.get("cookie").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let statement = cookie.strip_prefix("CF_Authorization=").ok_or(StatusCode::BAD_REQUEST)?;
    let claims = URL_SAFE_NO_PAD.decode(statement.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    let email = claims["email"].as_str().unwrap().to_lowercase();
    memory.people.get(&email).cloned().map(Json).ok_or(StatusCode::UNAUTHORIZED)
}
