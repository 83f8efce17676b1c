//! What only a connection shows.

use cms_domain::user::Role;
use cms_http_api::HttpOptions;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::site::{POSTS, Site, site};

const MEGABYTE: usize = 1024 * 1024;

/// Serves the site on a port of its own.
async fn serve(site: &Site) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = cms_http_api::router(site.app.cms().clone(), HttpOptions::default());
    tokio::spawn(async move { axum::serve(listener, router).await });
    TcpStream::connect(address).await.unwrap()
}

/// Sends all of a request before it reads anything, as simple clients do, and answers the first line of the response.
async fn post(connection: &mut TcpStream, token: Option<&str>, body: &str, length: usize) -> String {
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let head = format!("POST {POSTS} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n{authorization}{body}\r\n\r\n");
    connection.write_all(head.as_bytes()).await.unwrap();
    let chunk = vec![b' '; MEGABYTE];
    let mut left = length;
    while left > 0 {
        let part = &chunk[..left.min(MEGABYTE)];
        if body.starts_with("Transfer-Encoding") {
            connection.write_all(format!("{:x}\r\n", part.len()).as_bytes()).await.unwrap();
        }
        connection.write_all(part).await.unwrap();
        if body.starts_with("Transfer-Encoding") {
            connection.write_all(b"\r\n").await.unwrap();
        }
        left -= part.len();
    }
    if body.starts_with("Transfer-Encoding") {
        connection.write_all(b"0\r\n\r\n").await.unwrap();
    }
    let (mut answer, mut text) = (vec![0; 64 * 1024], String::new());
    loop {
        let read = connection.read(&mut answer).await.unwrap();
        text.push_str(&String::from_utf8_lossy(&answer[..read]));
        // Leave to send comes before the answer.
        let last = text.strip_prefix("HTTP/1.1 100 Continue\r\n\r\n").unwrap_or(&text);
        match last.split_once("\r\n") {
            Some((line, _)) => return line.to_owned(),
            None if read == 0 => return last.to_owned(),
            None => {}
        }
    }
}

#[tokio::test]
async fn a_sender_of_too_much_reads_the_answer_and_goes_on_with_the_connection() {
    site(|site| async move {
        let (mut connection, token) = (serve(&site).await, site.token(Role::Admin));
        let length = 30 * MEGABYTE;
        for body in [format!("Content-Length: {length}"), "Transfer-Encoding: chunked".to_owned()] {
            assert_eq!(post(&mut connection, Some(token), &body, length).await, "HTTP/1.1 413 Payload Too Large", "{body}");
        }
        assert_eq!(post(&mut connection, None, &format!("Content-Length: {length}"), length).await, "HTTP/1.1 401 Unauthorized");
        assert_eq!(post(&mut connection, Some(token), "Content-Length: 2", 2).await, "HTTP/1.1 400 Bad Request");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_got_leave_to_send_and_sends_too_much_reads_the_answer() {
    site(|site| async move {
        let (mut connection, token) = (serve(&site).await, site.token(Role::Admin));
        let body = "Transfer-Encoding: chunked\r\nExpect: 100-continue";
        assert_eq!(post(&mut connection, Some(token), body, 30 * MEGABYTE).await, "HTTP/1.1 413 Payload Too Large");
        assert_eq!(post(&mut connection, Some(token), "Content-Length: 2", 2).await, "HTTP/1.1 400 Bad Request");
    })
    .await;
}

#[tokio::test]
async fn a_client_that_asks_before_it_sends_is_refused_without_sending() {
    site(|site| async move {
        let mut connection = serve(&site).await;
        let body = "Expect: 100-continue\r\nContent-Length: 20000000";
        assert_eq!(post(&mut connection, None, body, 0).await, "HTTP/1.1 401 Unauthorized");
        let mut connection = serve(&site).await;
        assert_eq!(post(&mut connection, Some(site.token(Role::Admin)), body, 0).await, "HTTP/1.1 413 Payload Too Large");
    })
    .await;
}
