//! Who may come in: users and tokens are made, and shut out again, at a server or beside it.

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use fastrand::Rng;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{Answer, Ask, Caller, KNOWN_WITHIN, Run, lock};

/// How many tokens work at a time.
const TOKENS: usize = 4;
/// How many tokens that were shut out are still tried.
const TRIED: usize = 8;
/// How long a command may take. One that is not done by then may be done, or not.
const COMMAND: Duration = Duration::from_secs(20);
/// How long the doorkeeper rests, in milliseconds.
const RESTS: std::ops::Range<u64> = 300..1_500;

/// A token of a user of its own.
#[derive(Debug)]
pub(super) struct Credential {
    token: String,
    token_id: String,
    user_id: String,
    facts: Mutex<Facts>,
}

#[derive(Debug, Clone, Copy)]
struct Facts {
    works: bool,
    since: Instant,
    under_way: bool,
}

/// Lets somebody in, or shuts somebody out.
pub(super) async fn change(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.u64(RESTS))).await;
    let working: Vec<_> = lock(&run.credentials).iter().filter(|credential| credential.works()).cloned().collect();
    match rng.choice(&working).filter(|_| working.len() >= TOKENS) {
        Some(credential) => shut_out(run, rng, credential).await,
        None => let_in(run).await,
    }
}

async fn let_in(run: &Run) {
    let email = format!("reader-{}@example.com", run.journal.began.elapsed().as_micros());
    let user = json!({ "email": email, "role": 10 }).to_string();
    let Some(user) = command(run, &["call", "user.create", "--input", &user]).await else { return };
    let made = command(run, &["token", "create", "--user", &email, "--name", "torture", "--scope", "content:read"]).await;
    let Some(made) = made else { return };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let facts = Mutex::new(Facts { works: true, since: Instant::now(), under_way: false });
    let credential = Credential { token: text(&made["token"]), token_id: text(&made["info"]["id"]), user_id: text(&user["id"]), facts };
    let mut credentials = lock(&run.credentials);
    let gone = credentials.iter().filter(|credential| !credential.works()).count();
    if gone > TRIED
        && let Some(oldest) = credentials.iter().position(|credential| !credential.works())
    {
        credentials.remove(oldest);
    }
    credentials.push(Arc::new(credential));
}

async fn shut_out(run: &Run, rng: &mut Rng, credential: &Credential) {
    lock(&credential.facts).under_way = true;
    let (user, token) = (&credential.user_id, &credential.token_id);
    let done = match rng.u8(..3) {
        0 => command(run, &["token", "revoke", token]).await.is_some(),
        1 => done(run, rng, Ask::new("revoke", Method::DELETE, format!("/admin/users/{user}/tokens/{token}"))).await,
        _ => done(run, rng, Ask::new("disable", Method::POST, format!("/admin/users/{user}/disable")).body(json!({}))).await,
    };
    // What has no answer stays under way: nothing is expected of the token.
    *lock(&credential.facts) = Facts { works: false, since: Instant::now(), under_way: !done };
}

async fn done(run: &Run, rng: &mut Rng, ask: Ask) -> bool {
    match run.ask_any(rng, ask).await.answer {
        Answer::Done(_) => true,
        Answer::Refused(status, code) => {
            run.journal.violation(&format!("nobody could be shut out: {status} {code}"));
            false
        }
        Answer::Unknown => false,
    }
}

/// Does a command beside the servers; none when it was not done, or nobody knows.
pub(super) async fn command(run: &Run, arguments: &[&str]) -> Option<Value> {
    let mut command = tokio::process::Command::from(run.site.command(&[&["--json"], arguments].concat()));
    let output = timeout(COMMAND, command.kill_on_drop(true).output()).await.ok().and_then(Result::ok)?;
    let done = output.status.success();
    run.journal.answered("command", if done { "done" } else { "failed" }.to_owned(), None);
    run.journal.line(&format!("command: cms {} → {}", arguments.join(" "), output.status));
    if !done {
        run.journal.line(&String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).ok().filter(|_| done)
}

/// Tries a token at some server, and compares with what the server must know.
pub(super) async fn knock(run: &Run, rng: &mut Rng) {
    let credentials = lock(&run.credentials).clone();
    let Some(credential) = rng.choice(&credentials) else { return };
    let ask = Ask::get("knock", "/content/articles?limit=1").by(Caller::Token(credential.token.clone()));
    let sent = run.ask_any(rng, ask).await;
    let facts = *lock(&credential.facts);
    let is_known = sent.at.checked_duration_since(facts.since).is_some_and(|age| age >= KNOWN_WITHIN);
    if facts.under_way || !is_known || !sent.steady {
        return;
    }
    run.journal.judged();
    match sent.answer {
        Answer::Done(_) if !facts.works => run.journal.violation(&format!("the token {} still works", credential.token_id)),
        Answer::Refused(StatusCode::UNAUTHORIZED, _) if !facts.works => {}
        Answer::Refused(status, code) => run.journal.violation(&format!("the token {} is refused: {status} {code}", credential.token_id)),
        Answer::Done(_) | Answer::Unknown => {}
    }
}

impl Credential {
    fn works(&self) -> bool {
        lock(&self.facts).works
    }
}
