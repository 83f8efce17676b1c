//! A load of HTTP requests over kept-alive connections, as lean as the machine that also serves them needs it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// What a load measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// Answers a second.
    pub(super) rate: f64,
    /// Median time of an answer.
    pub(super) median: Duration,
    /// Time within which 99 of 100 answers came.
    pub(super) p99: Duration,
    /// The longest time of an answer.
    pub(super) max: Duration,
    /// Bytes of a body.
    pub(super) bytes: usize,
}

/// A request whose bytes are known before the load begins.
pub(super) fn get(path: &str, token: Option<&str>) -> Vec<u8> {
    let authorization = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}\r\n").into_bytes()
}

/// A request that makes something of a JSON body.
pub(super) fn post(path: &str, token: &str, body: &str) -> Vec<u8> {
    with_body("POST", path, token, body)
}

/// A request that changes something to a JSON body.
pub(super) fn put(path: &str, token: &str, body: &str) -> Vec<u8> {
    with_body("PUT", path, token, body)
}

/// A request that removes something.
pub(super) fn delete(path: &str, token: &str) -> Vec<u8> {
    with_body("DELETE", path, token, "")
}

fn with_body(method: &str, path: &str, token: &str, body: &str) -> Vec<u8> {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Sends requests on `connections` connections, each waiting for its answer before the next, until the time is over or
/// there are no more. `request(n)` makes the n-th request; `None` ends the load.
pub(super) fn load(
    address: &str,
    connections: usize,
    duration: Duration,
    request: impl Fn(usize) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> anyhow::Result<Measured> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let (request, next, stop) = (Arc::new(request), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let began = Instant::now();
        let mut tasks = Vec::new();
        for _ in 0..connections {
            let mut connection = Connection::open(address).await?;
            let (request, next, stop) = (Arc::clone(&request), Arc::clone(&next), Arc::clone(&stop));
            tasks.push(tokio::spawn(async move {
                let mut times = Vec::new();
                let mut bytes = 0;
                while !stop.load(Ordering::Relaxed) && began.elapsed() < duration {
                    let Some(sent) = request(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let at = Instant::now();
                    let answer = connection.exchange(&sent).await;
                    match answer {
                        Ok(length) => bytes = length,
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                    }
                    times.push(at.elapsed());
                }
                Ok((times, bytes))
            }));
        }
        let mut times = Vec::new();
        let mut bytes = 0;
        for task in tasks {
            let (some, length) = task.await??;
            times.extend(some);
            bytes = bytes.max(length);
        }
        let elapsed = began.elapsed().as_secs_f64();
        ensure!(!times.is_empty(), "no answers");
        times.sort_unstable();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52 answers")]
        let rate = times.len() as f64 / elapsed;
        Ok(Measured { rate, median: times[times.len() / 2], p99: times[times.len() * 99 / 100], max: times[times.len() - 1], bytes })
    })
}

/// One kept-alive connection.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    async fn open(address: &str) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// Sends a request and reads its whole answer; anything but success is an error. Returns the body's length.
    async fn exchange(&mut self, request: &[u8]) -> anyhow::Result<usize> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        loop {
            ensure!(self.stream.read_buf(&mut self.buffer).await? > 0, "the server closed the connection");
            if let Some((head, length)) = head(&self.buffer)? {
                while self.buffer.len() < head + length {
                    ensure!(self.stream.read_buf(&mut self.buffer).await? > 0, "the server closed the connection");
                }
                return Ok(length);
            }
        }
    }
}

/// The length of the head and of the body, once the head is complete.
fn head(buffer: &[u8]) -> anyhow::Result<Option<(usize, usize)>> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(head) = response.parse(buffer)? else {
        return Ok(None);
    };
    let code = response.code.unwrap_or_default();
    if !(200..300).contains(&code) {
        bail!("answered {code}: {}", String::from_utf8_lossy(&buffer[head..]));
    }
    let length = response.headers.iter().find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = length.and_then(|header| std::str::from_utf8(header.value).ok()?.parse().ok()).context("no Content-Length")?;
    Ok(Some((head, length)))
}
