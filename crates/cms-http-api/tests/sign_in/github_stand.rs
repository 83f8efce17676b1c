//! GitHub as its documentation has it, on this machine: it exchanges codes once, and only with everything that belongs to them.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::Url;

/// Somebody at GitHub.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) id: u64,
    pub(crate) login: &'static str,
    /// Address, whether it is the primary one, whether it is verified.
    pub(crate) emails: Vec<(&'static str, bool, bool)>,
}

pub(crate) fn person(id: u64, login: &'static str, email: &'static str, verified: bool) -> Person {
    Person { id, login, emails: vec![("other@elsewhere.example", false, true), (email, true, verified)] }
}

struct Code {
    challenge: String,
    redirect_uri: String,
    person: Person,
}

#[derive(Default)]
struct Memory {
    codes: BTreeMap<String, Code>,
    tokens: BTreeMap<String, Person>,
}

#[derive(Clone)]
pub(crate) struct GitHubStand {
    pub(crate) origin: String,
    memory: Arc<Mutex<Memory>>,
}

impl GitHubStand {
    pub(crate) async fn open() -> Self {
        let memory = Arc::<Mutex<Memory>>::default();
        let router = Router::new()
            .route("/login/oauth/access_token", post(exchange))
            .route("/user", get(user))
            .route("/user/emails", get(emails))
            .with_state(Arc::clone(&memory));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { origin, memory }
    }

    /// What GitHub does when somebody agrees: it makes a code. Answers with the path that the browser is sent back to.
    pub(crate) fn agree(&self, location: &str, person: &Person) -> String {
        let asked = Url::parse(location).unwrap();
        assert_eq!(asked.path(), "/login/oauth/authorize");
        let parameters: BTreeMap<_, _> = asked.query_pairs().into_owned().collect();
        for (name, value) in
            [("client_id", "client"), ("response_type", "code"), ("code_challenge_method", "S256"), ("scope", "read:user user:email")]
        {
            assert_eq!(parameters[name], value);
        }
        let mut memory = self.memory.lock().unwrap();
        let code = format!("code{}", memory.codes.len() + memory.tokens.len());
        let (challenge, redirect_uri) = (parameters["code_challenge"].clone(), parameters["redirect_uri"].clone());
        let back = Url::parse_with_params(&redirect_uri, [("code", code.as_str()), ("state", &parameters["state"])]).unwrap();
        memory.codes.insert(code, Code { challenge, redirect_uri, person: person.clone() });
        format!("{}?{}", back.path(), back.query().unwrap())
    }
}

async fn exchange(State(memory): State<Arc<Mutex<Memory>>>, body: String) -> Json<Value> {
    let form: BTreeMap<_, _> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let mut memory = memory.lock().unwrap();
    // GitHub refuses with the status of success.
    let Some(code) = memory.codes.remove(&form["code"]) else { return Json(json!({ "error": "bad_verification_code" })) };
    let verified = URL_SAFE_NO_PAD.encode(Sha256::digest(form["code_verifier"].as_bytes())) == code.challenge;
    let ours = form["client_id"] == "client" && form["client_secret"] == "s3cret" && form["redirect_uri"] == code.redirect_uri;
    if !verified || !ours {
        return Json(json!({ "error": "incorrect_client_credentials" }));
    }
    let token = format!("gho_{}", memory.tokens.len());
    memory.tokens.insert(token.clone(), code.person);
    Json(json!({ "access_token": token, "scope": "read:user,user:email", "token_type": "bearer" }))
}

fn caller(memory: &Mutex<Memory>, headers: &HeaderMap) -> Result<Person, StatusCode> {
    // GitHub refuses programs that do not say their name.
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let token = text("authorization").strip_prefix("Bearer ").filter(|_| !text("user-agent").is_empty());
    token.and_then(|token| memory.lock().unwrap().tokens.get(token).cloned()).ok_or(StatusCode::UNAUTHORIZED)
}

async fn user(State(memory): State<Arc<Mutex<Memory>>>, headers: HeaderMap) -> Result<Json<Value>, StatusCode> {
    let person = caller(&memory, &headers)?;
    Ok(Json(
        json!({ "id": person.id, "login": person.login, "name": null, "email": "shown@profile.example", "avatar_url": "https://avatars.example/1" }),
    ))
}

async fn emails(State(memory): State<Arc<Mutex<Memory>>>, headers: HeaderMap) -> Result<Json<Value>, StatusCode> {
    let person = caller(&memory, &headers)?;
    let email = |(email, primary, verified): &(&str, bool, bool)| json!({ "email": email, "primary": primary, "verified": verified, "visibility": null });
    Ok(Json(person.emails.iter().map(email).collect()))
}
