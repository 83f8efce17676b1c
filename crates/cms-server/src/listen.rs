//! The listener: connections in, within limits; out, gracefully.

use std::{future::Future, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::Context;
use axum::{Router, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
};
use tower::ServiceExt;

use crate::config::Server;

/// How long accepting rests when the system has no more handles to give.
const REST: Duration = Duration::from_millis(100);
/// The longest head of a request: the longest cursor, filter and cookies fit ten times.
const HEAD: usize = 64 * 1024;

/// Opens the address to listen on.
pub(crate) async fn bind(address: &str) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))
}

/// Serves connections until `shutdown` ends, then lets requests end within the grace period. Says whether all did.
pub(crate) async fn serve(listener: TcpListener, router: Router, settings: &Server, shutdown: impl Future<Output = ()>) -> bool {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(settings.header_timeout.0).max_buf_size(HEAD);
    let builder = Arc::new(builder);
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(usize::try_from(settings.max_connections.get()).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)));
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&room).acquire_owned().await else { return };
            let (stream, peer) = accept(&listener).await;
            // The doors ask who is at the other end.
            let service = router.clone().map_request(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                request
            });
            let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service)));
            tokio::spawn(async move {
                if let Err(error) = connection.await {
                    // The client went away, was too slow, or does not speak HTTP: its affair.
                    tracing::debug!(%error, "a connection ended early");
                }
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = shutdown => {}
    }
    drop(listener);
    tokio::time::timeout(settings.shutdown_grace.0, graceful.shutdown()).await.is_ok()
}

/// The next connection.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Answers are written whole: waiting to fill packets only delays them.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(REST).await;
            }
        }
    }
}

/// Ends when the process is asked to stop.
pub(crate) async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::oneshot,
        task::JoinHandle,
        time::{Instant, sleep},
    };

    use super::*;
    use crate::config::Span;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /// A server whose answers take as long as given, and what stops it.
    async fn server(answer_takes: Duration, settings: Server) -> (SocketAddr, oneshot::Sender<()>, JoinHandle<bool>) {
        let listener = bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new().route(
            "/",
            get(move || async move {
                sleep(answer_takes).await;
                "done"
            }),
        );
        let (stop, stopped) = oneshot::channel::<()>();
        let served = tokio::spawn(async move { serve(listener, router, &settings, async move { drop(stopped.await) }).await });
        (address, stop, served)
    }

    async fn answer(stream: &mut TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).await.unwrap();
        text
    }

    #[tokio::test]
    async fn a_request_that_is_being_answered_ends_before_the_server_does() {
        let (address, stop, served) = server(Duration::from_millis(300), Server::default()).await;
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(REQUEST).await.unwrap();
        sleep(Duration::from_millis(100)).await;
        stop.send(()).unwrap();
        assert!(answer(&mut stream).await.ends_with("done"));
        assert!(served.await.unwrap());
        assert!(TcpStream::connect(address).await.is_err());
    }

    #[tokio::test]
    async fn a_request_that_does_not_end_is_cut_off_after_the_grace_period() {
        let settings = Server { shutdown_grace: Span(Duration::from_millis(100)), ..Server::default() };
        let (address, stop, served) = server(Duration::from_mins(1), settings).await;
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(REQUEST).await.unwrap();
        sleep(Duration::from_millis(100)).await;
        stop.send(()).unwrap();
        assert!(!served.await.unwrap());
    }

    #[tokio::test]
    async fn a_client_that_dribbles_its_request_is_disconnected() {
        let settings = Server { header_timeout: Span(Duration::from_millis(200)), ..Server::default() };
        let (address, _stop, _served) = server(Duration::ZERO, settings).await;
        for sent in [&b""[..], b"GET / HTTP/1.1\r\nHos", REQUEST] {
            let begun = Instant::now();
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(sent).await.unwrap();
            answer(&mut stream).await;
            assert!(begun.elapsed() < Duration::from_secs(5), "{sent:?}");
        }
    }

    #[tokio::test]
    async fn connections_over_the_limit_wait_for_their_turn() {
        let settings = Server { max_connections: std::num::NonZeroU32::MIN, ..Server::default() };
        let (address, _stop, _served) = server(Duration::ZERO, settings).await;
        let idle = TcpStream::connect(address).await.unwrap();
        sleep(Duration::from_millis(100)).await;
        let mut waits = TcpStream::connect(address).await.unwrap();
        waits.write_all(&[&REQUEST[..REQUEST.len() - 2], b"Connection: close\r\n\r\n"].concat()).await.unwrap();
        let mut first = [0; 1];
        assert!(tokio::time::timeout(Duration::from_millis(200), waits.read(&mut first)).await.is_err());
        drop(idle);
        assert!(answer(&mut waits).await.ends_with("done"));
    }
}
