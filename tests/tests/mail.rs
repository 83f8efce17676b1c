//! Mail of the built server, delivered to a mail server that others wrote.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::{
    fs,
    process::{Command, Stdio},
};

use cms_tests::{Browser, Server, Site, clients, python, repository};
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, Lines},
    process::{Child, ChildStdout},
};

/// A name that would like to be more than it is.
const NAME: &str = "Ada <script>alert(1)</script>";

/// A mail server on a port of its own.
struct MailServer {
    // Dropped, it is killed.
    _process: Child,
    letters: Lines<BufReader<ChildStdout>>,
    port: u64,
}

impl MailServer {
    async fn start(arguments: &[&str]) -> Self {
        let mut command = tokio::process::Command::from(Command::new(python("python")));
        command.arg(repository().join("tests/python/mail_server.py")).args(arguments);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut letters = BufReader::new(process.stdout.take().unwrap()).lines();
        let port = next(&mut letters).await["port"].as_u64().unwrap();
        Self { _process: process, letters, port }
    }

    /// The next letter that arrives.
    async fn letter(&mut self) -> Value {
        next(&mut self.letters).await
    }
}

async fn next(lines: &mut Lines<BufReader<ChildStdout>>) -> Value {
    let line = tokio::time::timeout(std::time::Duration::from_secs(30), lines.next_line()).await;
    serde_json::from_str(&line.unwrap().unwrap().unwrap()).unwrap()
}

/// The secret of the link in a text.
fn token(text: &Value) -> String {
    let text = text.as_str().unwrap();
    let token = text.split_once("#token=").unwrap_or_else(|| panic!("no link in {text}")).1;
    token.chars().take_while(|character| !character.is_whitespace()).collect()
}

fn header<'a>(letter: &'a Value, name: &str) -> Vec<&'a str> {
    let headers = letter["headers"].as_array().unwrap().iter();
    headers.filter(|header| header[0] == name).map(|header| header[1].as_str().unwrap()).collect()
}

/// A site with an admin whose server sends mail, and logs whatever it can.
async fn site(mail: &str) -> (Site, Server) {
    let site = Site::sqlite();
    fs::write(site.folder().join("cms.toml"), format!("[log]\nlevel = \"trace\"\n[mail]\n{mail}\n")).unwrap();
    site.run(&["admin", "create", "--email", "admin@example.com", "--name", NAME]);
    let server = site.serve().await;
    (site, server)
}

/// Signs the admin in with a link from their letter.
async fn sign_in(server: &Server, mail: &mut MailServer, secrets: &mut Vec<String>) -> Browser {
    let mut admin = server.browser();
    let asked = admin.ask(Method::POST, "/auth/magic-link/send", Some(&json!({ "email": "admin@example.com" }))).await.data();
    assert_eq!(asked["success"], true);
    let letter = mail.letter().await;
    secrets.push(token(&letter["text"]));
    let verified = admin.ask(Method::POST, "/auth/magic-link/verify", Some(&json!({ "token": secrets[0] }))).await.data();
    assert_eq!(verified["user"]["email"], "admin@example.com");
    admin
}

/// Nothing that the server said has a secret of a link, or the password of the mail server.
fn nothing_told(site: &Site, secrets: &[String]) {
    let log = fs::read_to_string(site.folder().join("server.log")).unwrap();
    assert!(log.contains("magic_link."), "{log}");
    for secret in secrets.iter().map(String::as_str).chain(["p:ss/word", "p%3Ass%2Fword"]) {
        assert!(!log.contains(secret), "the log has {secret}:\n{}", log.lines().find(|line| line.contains(secret)).unwrap_or_default());
    }
    let shown = site.run(&["config"]);
    assert!(shown.contains("mail.url") && !shown.contains("p%3A"), "{shown}");
}

/// What people get is what the server wrote, over every kind of connection.
async fn letters_arrive(arguments: &[&str], url: impl Fn(u64) -> String, more: &str) {
    if !clients() {
        return;
    }
    let mut mail = MailServer::start(arguments).await;
    let settings = format!("url = {:?}\nfrom = \"Gazette <cms@example.org>\"\nreply_to = \"office@example.org\"\n{more}", url(mail.port));
    let (site, server) = site(&settings).await;
    let mut secrets = Vec::new();
    let mut admin = sign_in(&server, &mut mail, &mut secrets).await;

    let invite = json!({ "email": "grace@example.org", "role": 40 });
    let made = admin.ask(Method::POST, "/auth/invite", Some(&invite)).await.data();
    assert_eq!((&made["sent"], made.get("inviteUrl")), (&json!(true), None), "{made}");
    let letter = mail.letter().await;
    assert_eq!((&letter["sender"], &letter["recipients"]), (&json!("cms@example.org"), &json!(["grace@example.org"])));
    assert_eq!((&letter["greeting"], &letter["tls"]), (&json!("localhost"), &json!(!arguments.is_empty())));
    assert_eq!(letter["user"], if arguments.is_empty() { Value::Null } else { json!("cms") });
    assert_eq!(header(&letter, "From"), ["Gazette <cms@example.org>"]);
    assert_eq!(header(&letter, "To"), ["grace@example.org"]);
    assert_eq!(header(&letter, "Reply-To"), ["office@example.org"]);
    assert_eq!(header(&letter, "Auto-Submitted"), ["auto-generated"]);
    assert!(header(&letter, "Subject")[0].starts_with("You've been invited to "), "{letter}");
    assert!(letter["text"].as_str().unwrap().contains(&format!("{NAME} invites you to join")), "{letter}");
    let html = letter["html"].as_str().unwrap();
    assert!(!html.contains("<script>") && html.contains("Ada &#60;script&#62;"), "{html}");
    secrets.push(token(&letter["text"]));

    let mut guest = server.browser();
    let welcome = guest.ask(Method::POST, "/auth/invite/accept", Some(&json!({ "token": secrets[1] }))).await.data();
    assert_eq!((&welcome["email"], &welcome["roleName"]), (&json!("grace@example.org"), &json!("editor")));
    let begun =
        guest.ask(Method::POST, "/auth/invite/register-options", Some(&json!({ "token": secrets[1], "name": "Grace" }))).await.data();
    assert_eq!(begun["options"]["user"]["name"], "grace@example.org");
    let again = guest.ask(Method::POST, "/auth/magic-link/verify", Some(&json!({ "token": secrets[0] }))).await;
    assert_eq!((again.status, again.code()), (StatusCode::NOT_FOUND, "INVALID_LINK"));
    nothing_told(&site, &secrets);
    drop(server);
    site.remove().await;
}

#[tokio::test]
async fn letters_reach_their_readers() {
    letters_arrive(&[], |port| format!("smtp://127.0.0.1:{port}?tls=none"), "").await;
}

#[tokio::test]
async fn letters_go_over_an_encrypted_connection_with_a_password() {
    let folder = tempfile::tempdir().unwrap();
    for (flag, scheme, name) in [("--starttls", "smtp", "starttls.pem"), ("--tls", "smtps", "tls.pem")] {
        let file = folder.path().join(name).display().to_string();
        let url = |port| format!("{scheme}://cms:p%3Ass%2Fword@localhost:{port}");
        letters_arrive(&[flag, &file], url, &format!("ca_file = {file:?}")).await;
    }
}

#[tokio::test]
async fn no_letter_goes_to_a_mail_server_that_nobody_vouches_for_or_that_encrypts_nothing() {
    if !clients() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ca.pem").display().to_string();
    for arguments in [&["--starttls", &file][..], &[]] {
        let mail = MailServer::start(arguments).await;
        let (site, server) = site(&format!("url = \"smtp://localhost:{}\"\nfrom = \"cms@example.org\"", mail.port)).await;
        let recovered = recover(&site, &server).await;
        assert_eq!(recovered["sent"], false);
        assert!(recovered["message"].as_str().unwrap().contains("could not be delivered"), "{recovered}");
        drop(server);
        site.remove().await;
    }
}

/// Has the admin invite somebody, once the operator has let them in.
async fn recover(site: &Site, server: &Server) -> Value {
    let printed = site.run(&["admin", "recover", "--email", "admin@example.com"]);
    let mut admin = server.browser();
    let secret = token(&json!(printed));
    admin.ask(Method::POST, "/auth/magic-link/verify", Some(&json!({ "token": secret }))).await.data();
    admin.ask(Method::POST, "/auth/invite", Some(&json!({ "email": "grace@example.org" }))).await.data()
}

#[tokio::test]
async fn whoever_waits_for_a_letter_learns_that_it_was_refused_and_nobody_else_does() {
    if !clients() {
        return;
    }
    let mail = MailServer::start(&["--refuse"]).await;
    let (site, server) = site(&format!("url = \"smtp://127.0.0.1:{}?tls=none\"\nfrom = \"cms@example.org\"", mail.port)).await;
    let asked = server.browser().ask(Method::POST, "/auth/magic-link/send", Some(&json!({ "email": "admin@example.com" }))).await;
    assert_eq!(asked.data()["success"], true);

    let made = recover(&site, &server).await;
    let message = made["message"].as_str().unwrap();
    assert!(message.contains("550") && !message.contains(&token(&made["inviteUrl"])), "{message}");
    let secret = token(&made["inviteUrl"]);
    let welcome = server.browser().ask(Method::POST, "/auth/invite/accept", Some(&json!({ "token": secret }))).await.data();
    assert_eq!(welcome["role"], 30);
    let log = fs::read_to_string(site.folder().join("server.log")).unwrap();
    assert!(log.contains("a letter could not be delivered"), "{log}");
    nothing_told(&site, &[secret]);
    drop(server);
    site.remove().await;
}
