//! What is around every answer, whatever makes it: operations, pages, the wire of OAuth, and routes that another door adds.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{
    Router,
    body::{Body, Bytes},
    response::Response,
};
use cms_domain::user::Role;
use cms_frame::{
    Code, Error,
    catalog::Wire,
    operation::{Gives, Http, Method, to_the_end},
};
use cms_http_api::{AskedFor, HttpOptions, Raw};
use futures_util::{StreamExt, stream};
use http::{Request, StatusCode, header};
use http_body_util::BodyExt;
use tower::ServiceExt;

use crate::site::{POSTS, Site, public_site, site};

/// A route of the test's that takes bytes and gives bytes.
const ECHO: Wire = Wire::new("test.echo", Http::post("", "/echo").bytes().gives(Gives::Bytes));

fn request(method: &str, path: &str) -> http::request::Builder {
    Request::builder().method(method).uri(path)
}

async fn send(router: &Router, request: Request<Body>) -> Response {
    router.clone().oneshot(request).await.unwrap()
}

fn door(site: &Site, raws: Vec<Raw>) -> Router {
    cms_http_api::router_with(site.app.cms().clone(), HttpOptions { body_limit: 10, ..HttpOptions::default() }, raws)
}

/// The operation that a response says was asked for.
async fn asked_for(site: &Site, method: &str, path: &str) -> Option<&'static str> {
    let response = send(&door(site, Vec::new()), request(method, path).body(Body::empty()).unwrap()).await;
    response.extensions().get::<AskedFor>().map(|asked| asked.operation)
}

#[tokio::test]
async fn what_is_asked_for_has_a_name_also_where_the_method_is_wrong() {
    site(|site| async move {
        for (method, path, name) in [
            ("GET", POSTS, "content.list"),
            ("PATCH", POSTS, "content.list"),
            ("POST", "/_cms/api/oauth/token", "oauth.token"),
            ("GET", "/_cms/api/oauth/token", "oauth.token"),
            ("OPTIONS", "/_cms/api/oauth/token", "oauth.token"),
            ("POST", "/_cms/api/oauth/register", "oauth.register"),
            ("GET", "/_cms/oauth/authorize", "oauth.begin"),
            ("GET", "/_cms/api/auth/oauth/github", "provider.begin"),
            ("GET", "/_cms/api/auth/oauth/github/callback", "provider.finish"),
            ("GET", "/_cms/api/openapi.json", "openapi"),
            ("GET", "/_cms/api/docs", "docs"),
            ("GET", "/.well-known/oauth-authorization-server/_cms", "oauth.authorization_server"),
        ] {
            assert_eq!(asked_for(&site, method, path).await, Some(name), "{method} {path}");
        }
        assert_eq!(asked_for(&site, "GET", "/_cms/api/nothing").await, None);
    })
    .await;
}

#[tokio::test]
async fn every_address_that_is_kept_free_for_doors_is_one_of_theirs() {
    site(|site| async move {
        for &Wire { id, http } in cms_core::built_in().wires() {
            // Another door has the tools, and which pages there are is for providers to say.
            if [Wire::TOOLS.id, cms_accounts::wires::PROVIDER_PAGE.id].contains(&id) {
                continue;
            }
            let path = format!("/_cms/api{}", http.path.replace("{provider}", "github"));
            assert_eq!(asked_for(&site, "PUT", &path).await, Some(id));
            let refused = send(&door(&site, Vec::new()), request("PUT", &path).body(Body::empty()).unwrap()).await;
            assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED, "{path}");
            let expected = match (http.method, id) {
                (Method::Post, _) => "POST, OPTIONS",
                (_, "provider.begin" | "provider.finish") => "GET",
                // Pages of every site may ask.
                (_, "media.file") => "GET, HEAD, OPTIONS",
                _ => "GET, HEAD",
            };
            assert_eq!(refused.headers()[header::ALLOW], expected, "{path}");
        }
    })
    .await;
}

#[tokio::test]
async fn routes_elsewhere_name_their_methods_and_carry_what_every_answer_does() {
    site(|site| async move {
        for (path, methods) in [
            ("/_cms/oauth/authorize", "GET, HEAD"),
            ("/_cms/.well-known/auth", "GET, HEAD, OPTIONS"),
            ("/.well-known/oauth-authorization-server/_cms", "GET, HEAD, OPTIONS"),
            ("/.well-known/oauth-protected-resource", "GET, HEAD, OPTIONS"),
            ("/.well-known/oauth-protected-resource/_cms/api/mcp", "GET, HEAD, OPTIONS"),
        ] {
            let refused = site.send(request("DELETE", path).body(Body::empty()).unwrap()).await;
            assert_eq!((refused.status.as_u16(), refused.header("allow")), (405, methods), "{path}");
            assert!(!refused.header("x-request-id").is_empty() && refused.header("x-frame-options") == "DENY", "{path}");
        }
    })
    .await;
}

/// A body that neither goes on nor ends.
fn endless() -> Body {
    Body::from_stream(stream::once(async { Ok::<_, std::io::Error>(Bytes::from_static(b"x")) }).chain(stream::pending()))
}

#[tokio::test]
async fn whoever_is_answered_before_their_body_is_read_is_told_that_the_connection_ends() {
    site(|site| async move {
        for (method, path) in [
            ("POST", "/_cms/api/oauth/token"),
            ("PUT", "/_cms/api/oauth/token"),
            ("POST", "/_cms/api/docs"),
            ("POST", "/_cms/oauth/authorize"),
            ("POST", POSTS),
        ] {
            let request = request(method, path).header(header::EXPECT, "100-continue").header(header::AUTHORIZATION, "Basic YTpi");
            let answer = site.send(request.body(endless()).unwrap()).await;
            assert!(answer.status.is_client_error(), "{method} {path}");
            assert_eq!(answer.header("connection"), "close", "{method} {path}");
        }
    })
    .await;
}

#[tokio::test]
async fn what_is_left_of_a_body_is_read_whatever_the_answer_is() {
    site(|site| async move {
        for (method, path, status) in [
            ("GET", "/_cms/api/openapi.json", 200),
            ("GET", "/_cms/api/docs", 200),
            ("GET", "/_cms/.well-known/auth", 200),
            ("PUT", "/_cms/api/docs", 405),
        ] {
            let is_read = Arc::new(AtomicBool::new(false));
            let end = Arc::clone(&is_read);
            let chunks = stream::iter([b"one", b"two"]).map(|chunk| Ok::<_, std::io::Error>(Bytes::from_static(chunk)));
            let end = stream::once(async move {
                end.store(true, Ordering::Relaxed);
                Ok(Bytes::new())
            });
            let answer = site.send(request(method, path).body(Body::from_stream(chunks.chain(end))).unwrap()).await;
            assert_eq!((answer.status.as_u16(), answer.header("connection")), (status, ""), "{method} {path}");
            assert!(is_read.load(Ordering::Relaxed), "{method} {path}");
        }
    })
    .await;
}

#[tokio::test]
async fn head_answers_as_get_does_also_when_that_is_compressed() {
    public_site(|site| async move {
        let ask = async |method: &str| {
            let request = request(method, "/_cms/api/openapi.json").header(header::ACCEPT_ENCODING, "gzip");
            site.send(request.body(Body::empty()).unwrap()).await
        };
        let (get, head) = (ask("GET").await, ask("HEAD").await);
        assert_eq!((get.header("content-encoding"), head.bytes.len()), ("gzip", 0));
        for name in ["content-encoding", "content-length", "content-type", "etag", "vary"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_route_of_another_door_reads_bytes_and_gives_bytes_in_the_same_frame() {
    site(|site| async move {
        let echo = Raw::new(ECHO, |asked| {
            Box::pin(async move {
                let (bytes, _share) = asked.body.read().await?;
                assert_ne!(bytes, b"panic", "secret");
                Ok(Response::new(Body::from(bytes)))
            })
        });
        let router = door(&site, vec![echo]);
        let ask = async |body: &'static str| {
            let response =
                send(&router, request("POST", "/_cms/api/echo").header("x-request-id", "mine").body(Body::from(body)).unwrap()).await;
            assert_eq!(response.headers()["x-request-id"], "mine");
            assert_eq!(response.headers()["x-content-type-options"], "nosniff");
            let status = response.status().as_u16();
            (status, String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap())
        };
        assert_eq!(ask("bytes").await, (200, "bytes".to_owned()));
        let (status, told) = ask("more than ten").await;
        assert!(status == 413 && told.contains("PAYLOAD_TOO_LARGE"), "{told}");
        let (status, told) = ask("panic").await;
        assert!(status == 500 && told.contains("\"requestId\":\"mine\"") && !told.contains("secret"), "{told}");
    })
    .await;
}

#[tokio::test]
async fn a_route_of_another_door_learns_who_asks_and_stands_beside_operations() {
    // Operations have other methods of the address.
    const BESIDE: Wire = Wire::new("test.purge", Http::delete("", "/content/{anything}").gives(Gives::Bytes));
    site(|site| async move {
        let who = Raw::new(BESIDE, |mut asked| {
            Box::pin(async move {
                let actor = asked.identify().await?;
                Ok(Response::new(Body::from(format!("{}", actor.user().is_some()))))
            })
        });
        let router = door(&site, vec![who]);
        let token = format!("Bearer {}", site.token(Role::Admin));
        for (method, authorization, status, told) in [
            ("DELETE", token.as_str(), 200, "true"),
            ("DELETE", "Bearer nothing", 401, "INVALID_TOKEN"),
            ("GET", token.as_str(), 200, "\"items\":[]"),
            ("PATCH", token.as_str(), 405, "METHOD_NOT_ALLOWED"),
        ] {
            let request = request(method, POSTS).header(header::AUTHORIZATION, authorization);
            let response = send(&router, request.body(Body::empty()).unwrap()).await;
            assert_eq!(response.status(), status, "{method}");
            assert_eq!(response.headers().get(header::ALLOW).is_some_and(|methods| methods == "GET, HEAD, POST, DELETE"), status == 405);
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            assert!(String::from_utf8_lossy(&bytes).contains(told), "{method}: {bytes:?}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_route_of_another_door_tells_of_failures_in_its_own_words() {
    site(|site| async move {
        let route = Raw::new(ECHO, |_| Box::pin(async { Err(Error::new(Code::Busy)) })).refusing(|_, error, status| {
            let mut response = Response::new(Body::from(format!("no: {}", error.code().as_str())));
            *response.status_mut() = status;
            Some(response)
        });
        let router = door(&site, vec![route]);
        for (method, status, told, header, value) in
            [("POST", 503, "no: BUSY", "retry-after", "1"), ("GET", 405, "no: METHOD_NOT_ALLOWED", "allow", "POST")]
        {
            let response = send(&router, request(method, "/_cms/api/echo").body(Body::empty()).unwrap()).await;
            assert_eq!((response.status().as_u16(), response.headers()[header].to_str().unwrap()), (status, value));
            assert_eq!(response.into_body().collect().await.unwrap().to_bytes(), told);
        }
    })
    .await;
}

#[tokio::test]
async fn what_changes_something_is_done_to_its_end_although_nobody_waits() {
    let second = std::time::Duration::from_secs(1);
    for changes in [true, false] {
        let is_done = Arc::new(AtomicBool::new(false));
        let done = Arc::clone(&is_done);
        let work = to_the_end(changes, second, async move {
            tokio::time::sleep(second / 20).await;
            done.store(true, Ordering::Relaxed);
            Ok(())
        });
        // Whoever asked goes away after a moment.
        assert!(tokio::time::timeout(second / 100, work).await.is_err());
        tokio::time::sleep(second / 5).await;
        assert_eq!(is_done.load(Ordering::Relaxed), changes);
    }
}
