//! Requests: who asks which server for what, and what became of it.

use std::time::{Duration, Instant};

use fastrand::Rng;
use http::{Method, StatusCode, header};
use serde_json::Value;

use super::{KNOWN_WITHIN, Run};
use crate::{Client, Reply};

/// How long a read may take at a server that runs, whatever writers wait for.
const READ_WITHIN: Duration = Duration::from_secs(3);
/// How long a change may take at a server that runs: longer than anybody here holds what it waits for.
const CHANGED_WITHIN: Duration = Duration::from_secs(15);
/// The code of an answer that a hook failed, and that nothing happened.
const HOOK_FAILED: &str = "HOOK_FAILED";
/// How long anybody waits for an answer: longer than a server is stopped.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(30);

/// A request, before anybody answers it.
pub(super) struct Ask {
    /// What it is counted as.
    what: &'static str,
    method: Method,
    path: String,
    pub(super) body: Option<Value>,
    caller: Caller,
    /// How much longer than usual it may take.
    spare: Duration,
}

/// Who asks.
pub(super) enum Caller {
    Admin,
    Anybody,
    Token(String),
}

/// What became of a request.
pub(super) struct Sent {
    /// When it was sent.
    pub(super) at: Instant,
    /// Whether the server ran all the while, and had run for long enough before to know everything that it must.
    pub(super) steady: bool,
    pub(super) answer: Answer,
}

/// What was answered.
pub(super) enum Answer {
    /// It was done.
    Done(Value),
    /// It was refused, with this code: nothing happened.
    Refused(StatusCode, String),
    /// Nobody knows: there was no answer, or one that promises nothing.
    Unknown,
}

impl Ask {
    pub(super) fn new(what: &'static str, method: Method, path: impl Into<String>) -> Self {
        Self { what, method, path: path.into(), body: None, caller: Caller::Admin, spare: Duration::ZERO }
    }

    pub(super) fn get(what: &'static str, path: impl Into<String>) -> Self {
        Self::new(what, Method::GET, path)
    }

    pub(super) fn body(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }

    pub(super) fn by(self, caller: Caller) -> Self {
        Self { caller, ..self }
    }

    pub(super) fn taking(self, spare: Duration) -> Self {
        Self { spare, ..self }
    }
}

impl Run {
    /// Asks some server.
    pub(super) async fn ask_any(&self, rng: &mut Rng, ask: Ask) -> Sent {
        let node = self.some_node(rng).await;
        self.ask(node, ask).await
    }

    /// Asks some host.
    pub(super) async fn ask_host(&self, rng: &mut Rng, ask: Ask) -> Sent {
        let node = self.some_host(rng).await;
        self.ask(node, ask).await
    }

    /// Asks a server, and looks at what holds of every answer.
    pub(super) async fn ask(&self, number: usize, ask: Ask) -> Sent {
        let node = &self.nodes[number];
        let began = node.moment();
        let at = Instant::now();
        let reply = match node.client() {
            Some(client) => Some(tokio::time::timeout(GIVEN_UP_AFTER + ask.spare, send(&client, &ask)).await),
            None => None,
        };
        let took = at.elapsed();
        let ran = node.ran_since(began, Duration::ZERO);
        let within = ask.spare + if ask.method == Method::GET { READ_WITHIN } else { CHANGED_WITHIN };
        let (short, answer, problem) = match reply {
            None => ("no server".to_owned(), Answer::Unknown, None),
            Some(Err(_)) => ("given up".to_owned(), Answer::Unknown, ran.then(|| "no answer came".to_owned())),
            Some(Ok(Err(error))) => ("no answer".to_owned(), Answer::Unknown, ran.then(|| format!("the connection failed: {error}"))),
            Some(Ok(Ok(reply))) => {
                let problem = improper(&reply).or_else(|| (ran && took > within).then(|| "the answer came late".to_owned()));
                (short(&reply), answer(reply), problem)
            }
        };
        let shown = ask.body.as_ref().map(Value::to_string).unwrap_or_default();
        let line = format!("{}: {} {} {shown} at server {number} → {short} in {} ms", ask.what, ask.method, ask.path, took.as_millis());
        match problem {
            Some(problem) => self.journal.violation(&format!("{problem}: {line}")),
            None => self.journal.line(&line),
        }
        self.journal.answered(ask.what, short, ran.then_some(took));
        Sent { at, steady: node.ran_since(began, KNOWN_WITHIN), answer }
    }
}

async fn send(client: &Client, ask: &Ask) -> Result<Reply, Box<dyn std::error::Error + Send + Sync>> {
    let path = &ask.path;
    match &ask.caller {
        Caller::Admin => client.send(ask.method.clone(), path, ask.body.as_ref()).await,
        Caller::Anybody => client.with_token(None).send(ask.method.clone(), path, ask.body.as_ref()).await,
        Caller::Token(token) => client.with_token(Some(token)).send(ask.method.clone(), path, ask.body.as_ref()).await,
    }
}

/// What must be in no answer.
fn improper(reply: &Reply) -> Option<String> {
    match reply.status {
        StatusCode::SERVICE_UNAVAILABLE if !reply.headers.contains_key(header::RETRY_AFTER) => {
            Some("a 503 without `Retry-After`".to_owned())
        }
        StatusCode::SERVICE_UNAVAILABLE => None,
        // Whoever asked knows whether a hook is to fail.
        _ if reply.code() == HOOK_FAILED => None,
        status if status.is_server_error() => Some(format!("the server failed: {}", reply.body)),
        StatusCode::TOO_MANY_REQUESTS => Some("too many requests, of which there is no limit".to_owned()),
        _ => None,
    }
}

fn short(reply: &Reply) -> String {
    if reply.status.is_success() { reply.status.as_u16().to_string() } else { format!("{} {}", reply.status.as_u16(), reply.code()) }
}

fn answer(reply: Reply) -> Answer {
    match reply.status {
        status if status.is_success() => Answer::Done(reply.data()),
        status if status.is_client_error() || reply.code() == HOOK_FAILED => Answer::Refused(status, reply.code().to_owned()),
        _ => Answer::Unknown,
    }
}
