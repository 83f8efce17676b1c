//! Files as bodies: kept as they arrive, refused before they do where that is known, and sent for as long as whoever gets them may have them.

use axum::body::Body;
use bytes::Bytes;
use cms_core::testing::TestApp;
use cms_domain::{
    access::{Actor, Scope, to},
    user::{Role, User},
};
use cms_frame::files::PART;
use futures_util::{StreamExt, stream};
use http::{Request, StatusCode, header};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::site::{POSTS, Site, site};

const IMPORTS: &str = "/_cms/api/admin/imports";
const NDJSON: &str = "application/x-ndjson";

async fn import(site: &Site, query: &str, content_type: &str, body: Body) -> (StatusCode, Value) {
    let request = Request::post(format!("{IMPORTS}{query}"));
    let request =
        request.header(header::AUTHORIZATION, format!("Bearer {}", site.token(Role::Admin))).header(header::CONTENT_TYPE, content_type);
    let answer = site.send(request.body(body).unwrap()).await;
    (answer.status, serde_json::from_slice(&answer.bytes).unwrap())
}

async fn files(app: &TestApp) -> Vec<u64> {
    let now = cms_core::Clock::now(app.clock());
    let all = app.store().reader().files().all().await.unwrap();
    all.iter().filter(|file| file.expires_at > now).map(|file| file.bytes).collect()
}

/// A body that comes in pieces of odd sizes.
fn pieces(text: String) -> Body {
    let pieces: Vec<_> = text.as_bytes().chunks(50_001).map(|piece| Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece))).collect();
    Body::from_stream(stream::iter(pieces))
}

#[tokio::test]
async fn a_file_is_kept_in_parts_as_it_arrives_and_given_to_its_job() {
    site(|site| async move {
        let text = "{\"collection\":\"nowhere\",\"data\":{}}\n".repeat(10_000);
        let (status, body) = import(&site, "?onConflict=skip&ignore=%5B%22a%22%5D&dryRun=true", NDJSON, pieces(text.clone())).await;
        assert_eq!(status, StatusCode::CREATED, "{body}");
        assert_eq!(files(&site.app).await, [text.len() as u64]);
        let reader = site.app.store().reader();
        let file = reader.files().all().await.unwrap().remove(0);
        assert_eq!((file.lines, file.job.map(|job| job.to_string().into())), (10_000, Some(body["data"]["job"].clone())));
        let mut kept = Vec::new();
        for number in 0..text.len().div_ceil(PART) {
            let part = reader.files().part(file.id, number as u64).await.unwrap().unwrap();
            assert!(part.len() == PART || number == text.len() / PART);
            kept.extend(part);
        }
        assert!(kept == text.as_bytes());
    })
    .await;
}

#[tokio::test]
async fn what_cannot_be_is_refused_before_the_file_is_kept() {
    site(|site| async move {
        for (query, content_type, status, code) in [
            ("", "application/json", StatusCode::UNSUPPORTED_MEDIA_TYPE, "UNSUPPORTED_MEDIA_TYPE"),
            ("?onConflict=perhaps", NDJSON, StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
            ("?file=01ARZ3NDEKTSV4RRFFQ69G5FAV", NDJSON, StatusCode::BAD_REQUEST, "VALIDATION_ERROR"),
        ] {
            let (answered, body) = import(&site, query, content_type, Body::from("{}")).await;
            assert_eq!((answered, &body["error"]["code"]), (status, &code.into()), "{query}: {body}");
        }
        let all = site.app.store().reader().files().all().await.unwrap();
        assert_eq!(all, []);
    })
    .await;
}

#[tokio::test]
async fn what_breaks_off_or_is_refused_in_the_end_leaves_nothing() {
    site(|site| async move {
        let broken = [Ok(Bytes::from(vec![b'x'; 2 * PART])), Err(std::io::Error::other("the sender is gone"))];
        let (status, body) = import(&site, "", NDJSON, Body::from_stream(stream::iter(broken))).await;
        assert_eq!((status, &body["error"]["code"]), (StatusCode::BAD_REQUEST, &"VALIDATION_ERROR".into()));
        let (status, body) = import(&site, "?collection=nowhere", NDJSON, Body::from("{}")).await;
        assert_eq!((status, &body["error"]["code"]), (StatusCode::NOT_FOUND, &"COLLECTION_NOT_FOUND".into()));
        assert_eq!(files(&site.app).await, [0; 0]);
    })
    .await;
}

#[tokio::test]
async fn an_export_is_sent_as_an_attachment_to_whoever_still_may_have_it() {
    site(|site| async move {
        let token = site.app.token_of(Role::Admin, &[Scope::Admin]).await.unwrap();
        for title in ["One", "Two"] {
            site.post(POSTS, json!({ "data": { "title": title } })).await;
        }
        let started = site.post("/_cms/api/admin/exports", json!({})).await;
        assert_eq!(started.status, StatusCode::CREATED);
        let started: Value = serde_json::from_slice(&started.bytes).unwrap();
        site.app.settle().await.unwrap();
        let path = format!("/_cms/api/admin/exports/{}/file", started["data"]["job"].as_str().unwrap());
        let ask = |tag: Option<&str>| {
            let request =
                Request::get(&path).header(header::AUTHORIZATION, format!("Bearer {token}")).header(header::ACCEPT_ENCODING, "gzip");
            let request = if let Some(tag) = tag { request.header(header::IF_NONE_MATCH, tag) } else { request };
            request.body(Body::empty()).unwrap()
        };
        let answer = site.send(ask(None)).await;
        assert_eq!((answer.status, &answer.headers[header::CONTENT_TYPE]), (StatusCode::OK, &NDJSON.parse().unwrap()));
        assert_eq!(answer.headers[header::CONTENT_LENGTH].to_str().unwrap().parse(), Ok(answer.bytes.len()));
        assert!(answer.headers[header::CONTENT_DISPOSITION].to_str().unwrap().starts_with("attachment; filename=\"content-"));
        assert!(!answer.headers.contains_key(header::CONTENT_ENCODING));
        let lines: Vec<Value> = answer
            .bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect();
        assert!(lines.len() == 2 && lines.iter().all(|line| line["collection"] == "posts"));
        let again = site.send(ask(Some(answer.headers[header::ETAG].to_str().unwrap()))).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));

        // Whoever loses what they came with gets no more of it.
        let router = cms_http_api::router(site.app.cms().clone(), cms_http_api::HttpOptions::default());
        let response = router.oneshot(ask(None)).await.unwrap();
        let permit = Actor::System.permit(to::ManageUsers).unwrap();
        let admin = site.app.store().reader().users().by_id(TestApp::user(Role::Admin)).await.unwrap().unwrap();
        let tx = site.app.store().write().await.unwrap();
        tx.users().update(&permit, &User { disabled: true, ..admin }).await.unwrap();
        tx.commit().await.unwrap();
        assert!(response.into_body().into_data_stream().next().await.unwrap().is_err());
    })
    .await;
}
