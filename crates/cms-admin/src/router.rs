//! The routes of the admin application: its files, and its page for every other address below its root.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{Path, State},
    response::{Redirect, Response},
    routing::get,
};
use bytes::Bytes;
use cms_domain::product::Product;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::{
    files::{self, File},
    page,
};

/// A file whose name says its content never changes: it may be kept for a year, the most that caches are asked for
/// (RFC 9111, 5.2.2.1 sets no bound; a year is what browsers treat as for ever).
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The page names the files of its version, so that it must be the newest.
const NEVER: HeaderValue = HeaderValue::from_static("no-store");
/// A file without a digest in its name may be kept for an hour.
const FOR_AN_HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

const NEVER_KEPT: [(HeaderName, HeaderValue); 1] = [(header::CACHE_CONTROL, NEVER)];

const PERMISSIONS_POLICY: HeaderName = HeaderName::from_static("permissions-policy");

struct Site {
    page: Bytes,
    policy: HeaderValue,
    files: &'static [File],
}

/// The admin application at `{prefix}/admin`: its page for every screen, and its files.
pub fn router(product: &Product) -> Router {
    // An origin is made of what a header may have in it.
    let policy = HeaderValue::try_from(page::policy(product)).unwrap_or(HeaderValue::from_static(page::POLICY));
    let site = match files::built() {
        Some(built) => Site { page: page::page(built.index, product).into(), policy, files: built.files },
        None => Site { page: Bytes::from_static(page::NOT_BUILT.as_bytes()), policy, files: &[] },
    };
    let root = product.admin();
    Router::new()
        .route(&root, get(screen))
        .route(&format!("{root}/"), get(screen))
        .route(&format!("{root}/{{*path}}"), get(below))
        .with_state(Arc::new(site))
}

/// Leads whoever opens the address of the server, or a part of the application's address, to the application. For a server that has no pages of its
/// own at these addresses.
pub fn entrances(product: &Product) -> Router {
    let home = format!("{}/", product.admin());
    let prefix = product.prefix.as_str().to_owned();
    let entrances: BTreeSet<_> = ["/".to_owned(), "/admin".to_owned(), format!("{prefix}/"), prefix].into();
    let entrances = entrances.into_iter().filter(|path| path.starts_with('/') && *path != product.admin());
    entrances.fold(Router::new(), |router, path| {
        let home = home.clone();
        router.route(&path, get(move || async move { (NEVER_KEPT, Redirect::to(&home)) }))
    })
}

async fn screen(State(site): State<Arc<Site>>) -> Response {
    the_page(&site)
}

async fn below(State(site): State<Arc<Site>>, Path(path): Path<String>, asked: HeaderMap) -> Response {
    match site.files.iter().find(|file| file.name == path) {
        Some(file) => the_file(file, &asked),
        // A page in the place of a missing script would only fail later and less clearly.
        None if path.starts_with("assets/") => response(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", NEVER, Bytes::new()),
        None => the_page(&site),
    }
}

fn the_page(site: &Site) -> Response {
    let mut response = response(StatusCode::OK, "text/html; charset=utf-8", NEVER, site.page.clone());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, site.policy.clone());
    headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    // Another site that opened this one in a window keeps no hold of it.
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    headers.insert(
        PERMISSIONS_POLICY,
        HeaderValue::from_static(
            "camera=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self)",
        ),
    );
    response
}

fn the_file(file: &File, asked: &HeaderMap) -> Response {
    let (bytes, coding) = file.copy_for(asked);
    let keeping = if file.is_named_by_content() { FOR_EVER } else { FOR_AN_HOUR };
    let mut response = response(StatusCode::OK, "", keeping, Bytes::from_static(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, file.kind());
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some(coding) = coding {
        headers.insert(header::CONTENT_ENCODING, coding);
    }
    response
}

/// An answer with the headers that all of them carry.
fn response(status: StatusCode, kind: &'static str, keeping: HeaderValue, bytes: Bytes) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, keeping);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    async fn ask(path: &str) -> (StatusCode, HeaderMap, String) {
        let request = http::Request::get(path).header(header::ACCEPT_ENCODING, "identity").body(Body::empty()).unwrap();
        let response = router(&Product::default()).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, String::from_utf8_lossy(&body.collect().await.unwrap().to_bytes()).into_owned())
    }

    #[tokio::test]
    async fn every_screen_begins_with_the_page_and_is_never_kept() {
        for path in ["/_cms/admin", "/_cms/admin/", "/_cms/admin/users/01J?q=a", "/_cms/admin/invite/accept"] {
            let (status, headers, body) = ask(path).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert_eq!(headers[header::CACHE_CONTROL], "no-store");
            assert_eq!(headers[header::CONTENT_SECURITY_POLICY], page::POLICY);
            assert!(body.starts_with("<!doctype html>"), "{path}");
        }
    }

    #[tokio::test]
    async fn who_opens_a_part_of_the_address_is_led_to_the_application() {
        for path in ["/", "/admin", "/_cms", "/_cms/"] {
            let request = http::Request::get(path).body(Body::empty()).unwrap();
            let response = entrances(&Product::default()).oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::SEE_OTHER, "{path}");
            assert_eq!(response.headers()[header::LOCATION], "/_cms/admin/", "{path}");
        }
        // An application that is there already leads nowhere.
        let product = Product { prefix: "/x".parse().unwrap(), ..Product::default() };
        let _ = entrances(&product).merge(router(&product));
    }

    #[tokio::test]
    async fn a_missing_file_is_no_page() {
        assert_eq!(ask("/_cms/admin/assets/gone-1.js").await.0, StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn files_of_the_page_are_kept_for_ever() {
        let Some(built) = files::built() else { return };
        for file in built.files.iter().filter(|file| file.is_named_by_content()) {
            let (status, headers, _) = ask(&format!("/_cms/admin/{}", file.name)).await;
            assert_eq!((status, &headers[header::CACHE_CONTROL]), (StatusCode::OK, &FOR_EVER), "{}", file.name);
        }
    }

    #[tokio::test]
    async fn whoever_distributes_the_application_finds_the_licenses_of_what_is_in_it() {
        if files::built().is_none() {
            return;
        }
        let (status, headers, body) = ask("/_cms/admin/licenses.txt").await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(headers[header::CONTENT_TYPE], "text/plain; charset=utf-8");
        assert!(body.contains("@fontsource-variable/inter") && body.contains("SIL OPEN FONT LICENSE") && body.contains("react-dom"));
    }

    #[test]
    fn the_page_has_nothing_inline_that_its_policy_would_refuse() {
        let Some(built) = files::built() else { return };
        let page = page::page(built.index, &Product::default());
        assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains("=\"./"));
        assert!(page.split("<script").skip(1).all(|script| script.split('>').next().is_some_and(|tag| tag.contains("src="))));
    }
}
