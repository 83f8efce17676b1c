//! 200 clients begin bodies that never end: the server forgets nobody else, and fits into its memory.
#![expect(clippy::unwrap_used, reason = "a test ends where it fails")]

use std::time::{Duration, Instant};

use cms_tests::{Server, Site, posts};
use http::{Method, StatusCode};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet, time::timeout};

const CLIENTS: usize = 200;
const MEGABYTE: usize = 1024 * 1024;
/// What a body says that it has, and what of it is sent.
const DECLARED: usize = 10 * MEGABYTE;
const SENT: usize = DECLARED / 2;
/// How long the clients go on. The server gives up on bodies later.
const ATTACK: Duration = Duration::from_secs(6);
/// The most that the server may ever take besides its own program, in kilobytes: what they send is ten times as much.
const MEMORY: u64 = 150_000;

/// Sends half of a body, as far as the server takes it, and holds on to the connection.
async fn hold(address: String, path: &'static str, token: Option<String>) {
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let head = format!(
        "POST /_cms/api{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n\
         {authorization}Content-Length: {DECLARED}\r\n\r\n"
    );
    let mut connection = TcpStream::connect(address).await.unwrap();
    // Whoever is turned away finds the connection closed.
    if connection.write_all(head.as_bytes()).await.is_ok() {
        let chunk = vec![b' '; MEGABYTE / 4];
        for _ in 0..SENT / chunk.len() {
            if connection.write_all(&chunk).await.is_err() {
                break;
            }
        }
    }
    std::future::pending::<()>().await;
}

/// The most memory that the server ever had besides its own program, in kilobytes: a build with debug assertions is 70,000 large.
fn peak(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let read = |name: &str| -> u64 {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    read("VmHWM:").saturating_sub(read("RssFile:"))
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_bodies_fill_no_memory_and_keep_nobody_out() {
    let site = Site::sqlite();
    let token = site.token();
    let server = site.serve().await;
    let client = server.client(&token);
    posts::make(&client).await;

    let address = server.address().trim_start_matches("http://").to_owned();
    let before = peak(&server);
    let mut clients = JoinSet::new();
    for number in 0..CLIENTS {
        let (path, token) = match number % 4 {
            0 => ("/auth/magic-link/send", None),
            1 => ("/content/posts", None),
            2 => ("/content/posts", Some(token.clone())),
            _ => ("/mcp", Some(token.clone())),
        };
        clients.spawn(hold(address.clone(), path, token));
    }
    let (begun, mut served) = (Instant::now(), 0);
    while begun.elapsed() < ATTACK {
        let post = posts::new(&format!("post-{served}"), 1);
        let made = timeout(Duration::from_secs(5), client.send(Method::POST, "/content/posts", Some(&post))).await;
        assert_eq!(made.unwrap().unwrap().status, StatusCode::CREATED, "after {served}");
        served += 1;
    }
    assert!(served > 20, "only {served} were served in {ATTACK:?}");
    let after = peak(&server);
    assert!(after < MEMORY, "{after} kB, {before} kB before the clients came");
    clients.abort_all();
    drop(server);
    site.must_be_sound();
}
