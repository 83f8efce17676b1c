//! Whether a page of somebody else can have a browser change something.

use axum::body::Body;
use cms_domain::{access::Access, user::Role};
use cms_frame::operation::{Method, Surface};
use cms_http_api::HttpOptions;
use http::Request;

use crate::{
    gate::{open, sign_in},
    site::{Answer, Site, site},
};

const PUBLIC: &str = "https://cms.example";
const HOST: &str = "localhost:8080";

/// What a request says of its sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    Nobody,
    Session,
    Bearer,
}

async fn send(site: &Site, (sender, credential): (Sender, &str), method: &str, headers: &[(&str, Option<&str>)]) -> Answer {
    let (path, body) = match method {
        "POST" => ("/auth/me", r#"{"action":"dismissWelcome"}"#),
        "DELETE" => ("/auth/sessions", ""),
        _ => ("/auth/me", "{}"),
    };
    let mut request = Request::builder().method(method).uri(format!("/_cms/api{path}")).header("host", HOST);
    request = match sender {
        Sender::Nobody => request,
        Sender::Session => request.header("cookie", format!("__Host-cms_session={credential}")),
        Sender::Bearer => request.header("authorization", format!("Bearer {credential}")),
    };
    for (name, value) in headers {
        if let Some(value) = value {
            request = request.header(*name, *value);
        }
    }
    let body = if matches!(method, "GET" | "HEAD") { Body::empty() } else { Body::from(body) };
    site.send(request.header("content-type", "application/json").body(body).unwrap()).await
}

fn is_refused(answer: &Answer) -> bool {
    answer.status == 403 && answer.failure() == "403 CSRF_REJECTED"
}

#[tokio::test]
async fn only_pages_of_this_site_have_a_browser_change_something() {
    site(|site| async move {
        let plain = open(&site, HttpOptions::default());
        let secret = sign_in(&plain, Role::Author, None).await;
        let site = open(&site.known_as(PUBLIC), HttpOptions::default());
        let token = site.token(Role::Author).to_owned();
        let senders = [(Sender::Nobody, ""), (Sender::Session, secret.as_str()), (Sender::Bearer, token.as_str())];
        // Where the browser says the request comes from, and where a page says it is: and whether that is this site.
        let fetch_sites = [None, Some("same-origin"), Some("none"), Some("same-site"), Some("cross-site"), Some("nonsense")];
        let origins = [
            (None, true),
            (Some(PUBLIC), true),
            (Some("http://localhost:8080"), true),
            (Some("https://evil.example"), false),
            (Some("https://cms.example.evil.example"), false),
            (Some("http://localhost:8081"), false),
            (Some("null"), false),
        ];
        for (sender, credential) in senders {
            for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
                for marked in [None, Some("1"), Some("0"), Some("")] {
                    for fetch_site in fetch_sites {
                        for (origin, is_own) in origins {
                            // The origin says more than the browser's word for it, which counts where there is no origin.
                            let is_foreign = match (origin, fetch_site) {
                                (Some(_), _) => !is_own,
                                (None, site) => !matches!(site, None | Some("same-origin" | "none")),
                            };
                            let changes = !matches!(method, "GET" | "HEAD");
                            let expected = changes
                                && match sender {
                                    Sender::Bearer => false,
                                    Sender::Session => is_foreign || marked != Some("1"),
                                    Sender::Nobody => is_foreign && marked != Some("1"),
                                };
                            let headers = [("x-cms-request", marked), ("sec-fetch-site", fetch_site), ("origin", origin)];
                            let answer = send(&site, (sender, credential), method, &headers).await;
                            assert_eq!(is_refused(&answer), expected, "{sender:?} {method} {headers:?}");
                        }
                    }
                }
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_page_that_the_operator_named_does_what_needs_no_session_and_no_more() {
    site(|site| async move {
        let plain = open(&site, HttpOptions::default());
        let secret = sign_in(&plain, Role::Author, None).await;
        let named = "https://www.example";
        let site = open(&site.known_as(PUBLIC), HttpOptions { cors_origins: vec![named.to_owned()], ..HttpOptions::default() });
        let headers = [("origin", Some(named)), ("sec-fetch-site", Some("cross-site")), ("x-cms-request", Some("1"))];
        assert!(!is_refused(&send(&site, (Sender::Nobody, ""), "POST", &headers).await));
        assert!(is_refused(&send(&site, (Sender::Session, &secret), "POST", &headers).await));
        assert!(!is_refused(&send(&site, (Sender::Nobody, ""), "POST", &headers[..2]).await), "its origin is enough");
        let other = [("origin", Some("https://other.example")), ("sec-fetch-site", Some("cross-site"))];
        assert!(is_refused(&send(&site, (Sender::Nobody, ""), "POST", &other).await));
    })
    .await;
}

/// The addresses at which strangers have something done: above all those that sign a browser in.
fn open_to_strangers() -> Vec<&'static str> {
    let catalog = cms_core::built_in();
    let public = catalog.iter().filter(|operation| operation.access == Access::Public).map(|operation| operation.http);
    public.filter(|http| http.surface != Surface::None && http.method == Method::Post).map(|http| http.path).collect()
}

#[tokio::test]
async fn no_page_of_another_site_signs_a_browser_in_as_somebody_else() {
    site(|site| async move {
        let paths = open_to_strangers();
        assert!(paths.contains(&"/auth/magic-link/verify") && paths.contains(&"/auth/passkey/verify"), "{paths:?}");
        // What a page can send without being asked for leave: a form, in browsers that say where it is from and in those that do not.
        for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example"), ("origin", "null")] {
            for path in &paths {
                let request = Request::post(format!("/_cms/api{}", path.replace("{provider}", "github")))
                    .header("host", HOST)
                    .header("content-type", "text/plain")
                    .header(name, value);
                let answer = site.send(request.body(Body::from("{}")).unwrap()).await;
                assert!(is_refused(&answer) && answer.header("set-cookie").is_empty(), "{path} {name} {value}");
            }
        }
    })
    .await;
}
