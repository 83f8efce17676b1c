//! What a body may cost before anybody knows what is in it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::body::{Body, Bytes};
use cms_domain::user::Role;
use cms_http_api::HttpOptions;
use futures_util::{StreamExt, stream};
use http::{Request, header};

use crate::site::{POSTS, Site, site, site_with};

const SEND_LINK: &str = "/_cms/api/auth/magic-link/send";
const TOKEN: &str = "/_cms/api/oauth/token";
const SMALL: usize = 64 * 1024;

fn request(path: &str, token: Option<&str>) -> http::request::Builder {
    let request = Request::post(path).header(header::CONTENT_TYPE, "application/json");
    match token {
        Some(token) => request.header(header::AUTHORIZATION, format!("Bearer {token}")),
        None => request,
    }
}

/// A JSON object of so many bytes.
fn body_of(bytes: usize) -> Body {
    Body::from(format!("{{\"x\":\"{}\"}}", "x".repeat(bytes - 8)))
}

/// A body that begins, and then neither goes on nor ends; and whether anybody asked for it.
fn half_a_body(begins_with: usize) -> (Body, Arc<AtomicBool>) {
    let asked = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked);
    let stream = stream::once(async move {
        flag.store(true, Ordering::Relaxed);
        Ok::<_, std::io::Error>(Bytes::from(vec![b' '; begins_with]))
    });
    (Body::from_stream(stream.chain(stream::pending())), asked)
}

async fn until(asked: &AtomicBool) {
    while !asked.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_stranger_sends_64_kib_at_most() {
    site(|site| async move {
        for path in [SEND_LINK, TOKEN] {
            assert_eq!(site.send(request(path, None).body(body_of(SMALL)).unwrap()).await.status, 400, "{path}");
            assert_eq!(site.send(request(path, None).body(body_of(SMALL + 1)).unwrap()).await.status, 413, "{path}");
        }
        let token = site.token(Role::Admin);
        assert_eq!(site.send(request(SEND_LINK, Some(token)).body(body_of(SMALL + 1)).unwrap()).await.status, 413);
        assert_eq!(site.send(request(POSTS, Some(token)).body(body_of(SMALL + 1)).unwrap()).await.status, 400);
    })
    .await;
}

#[tokio::test]
async fn a_body_is_not_read_before_its_request_is_counted() {
    let behind_a_proxy = HttpOptions { trusted_hops: 1, ..HttpOptions::default() };
    site_with(
        behind_a_proxy,
        |_| {},
        |site| async move {
            for path in [SEND_LINK, TOKEN] {
                let mut refused = None;
                while refused.is_none() {
                    let (body, asked) = half_a_body(1);
                    // Who waits to be told to go on is answered at once, without a look at the body.
                    let request = request(path, None).header(header::EXPECT, "100-continue").header("x-forwarded-for", "192.0.2.1");
                    let sent = site.send(request.body(body).unwrap());
                    refused = tokio::select! {
                        answer = sent => Some((answer.status.as_u16(), asked.load(Ordering::Relaxed))),
                        () = until(&asked) => None,
                    };
                }
                assert_eq!(refused, Some((429, false)), "{path}");
            }
        },
    )
    .await;
}

/// A site with room for one megabyte of bodies.
async fn small_site<T: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Site) -> T + Send + 'static) {
    site_with(HttpOptions::default(), |options| options.body_memory = 1024 * 1024, test).await;
}

#[tokio::test]
async fn bodies_together_take_no_more_room_than_there_is() {
    small_site(|site| async move {
        let token = site.token(Role::Admin);
        let held = site.clone();
        let (body, asked) = half_a_body(700 * 1024);
        let holding = request(POSTS, Some(token)).body(body).unwrap();
        let holding = tokio::spawn(async move { held.send(holding).await });
        until(&asked).await;
        let answer = site.send(request(POSTS, Some(token)).body(body_of(100 * 1024)).unwrap()).await;
        assert_eq!((answer.failure().as_str(), answer.header("retry-after")), ("503 BUSY", "1"));
        assert_eq!(site.send(request(POSTS, Some(token)).body(body_of(SMALL)).unwrap()).await.status, 400);
        assert_eq!(site.send(request(TOKEN, None).body(body_of(SMALL)).unwrap()).await.status, 400);
        holding.abort();
        assert!(holding.await.is_err());
        assert_eq!(site.send(request(POSTS, Some(token)).body(body_of(100 * 1024)).unwrap()).await.status, 400);
    })
    .await;
}
