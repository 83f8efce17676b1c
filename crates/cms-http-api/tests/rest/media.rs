//! Files of the library over the wire: as the parts of forms, as whole bodies, and as they are served.

use axum::body::Body;
use bytes::Bytes;
use cms_domain::user::Role;
use futures_util::stream;
use http::{Request, header};
use serde_json::{Value, json};

use crate::site::{Answer, Site, site};

const MEDIA: &str = "/_cms/api/media";
const BOUNDARY: &str = "a-line-of-its-own";

fn pdf(n: usize) -> String {
    format!("%PDF-1.4\n{n} 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")
}

/// A part of a form.
fn part(head: &str, content: &str) -> String {
    format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n{content}\r\n")
}

fn file(name: &str, content: &str) -> String {
    part(&format!("name=\"file\"; filename=\"{name}\"\r\nContent-Type: application/pdf"), content)
}

fn end() -> String {
    format!("--{BOUNDARY}--\r\n")
}

async fn send(site: &Site, method: &str, path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(header::AUTHORIZATION, format!("Bearer {}", site.token(Role::Admin)));
    site.send(request.header(header::CONTENT_TYPE, content_type).body(body.into()).unwrap()).await
}

async fn form(site: &Site, parts: &[String]) -> Answer {
    send(site, "POST", MEDIA, &format!("multipart/form-data; boundary={BOUNDARY}"), parts.concat()).await
}

async fn uploaded(site: &Site, n: usize) -> Value {
    form(site, &[file("a.pdf", &pdf(n)), end()]).await.expect(201)["item"].clone()
}

/// What is in the store.
async fn kept(site: &Site) -> usize {
    let store = cms_media::of(site.app.cms()).library().store.clone().unwrap();
    store.list("", None, 100).await.unwrap().len()
}

#[tokio::test]
async fn a_file_and_what_is_said_of_it_come_as_the_parts_of_a_form() {
    site(|site| async move {
        let parts =
            [part("name=\"alt\"", "Ein Ü"), file("Über uns.pdf", &pdf(1)), part("name=\"focalPoint\"", r#"{"x":0.5,"y":1}"#), end()];
        let made = form(&site, &parts).await.expect(201);
        let item = &made["item"];
        assert_eq!(
            (&item["filename"], &item["alt"], &item["mimeType"]),
            (&json!("Über uns.pdf"), &json!("Ein Ü"), &json!("application/pdf"))
        );
        assert_eq!((&item["focalPoint"], &item["size"]), (&json!({ "x": 0.5, "y": 1.0 }), &json!(pdf(1).len())));
        let again = form(&site, &parts).await.expect(200);
        assert_eq!((&again["item"], &again["deduplicated"]), (item, &json!(true)));

        // In pieces of odd sizes, as networks deliver them.
        let whole = [file("b.pdf", &(pdf(2) + &"x".repeat(300_000))), end()].concat();
        let pieces: Vec<_> = whole.as_bytes().chunks(777).map(|piece| Ok::<_, std::io::Error>(Bytes::copy_from_slice(piece))).collect();
        let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let made = send(&site, "POST", MEDIA, &content_type, Body::from_stream(stream::iter(pieces))).await.expect(201);
        assert_eq!(made["item"]["size"], json!(pdf(2).len() + 300_000));
    })
    .await;
}

#[tokio::test]
async fn a_form_that_is_none_is_refused_and_leaves_nothing() {
    site(|site| async move {
        for (parts, expected) in [
            (vec![end()], "400 NO_FILE"),
            (vec![part("name=\"alt\"", "A"), end()], "400 NO_FILE"),
            (vec![file("a.pdf", ""), end()], "400 NO_FILE"),
            (vec![file("a.pdf", &pdf(1))], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", &pdf(1)), file("b.pdf", &pdf(2)), end()], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", &pdf(1)), part("name=\"alt\"", "A"), part("name=\"alt\"", "B"), end()], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", &pdf(1)), part("name=\"nonsense\"", "A"), end()], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", &pdf(1)), part("name=\"width\"", "wide"), end()], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", &pdf(1)), part("name=\"data\"", "JVBERg=="), end()], "400 VALIDATION_ERROR"),
            (vec![part("filename=\"a.pdf\"", &pdf(1)), end()], "400 VALIDATION_ERROR"),
            (vec![part("name=\"alt\"", &"A".repeat(70_000)), end()], "413 PAYLOAD_TOO_LARGE"),
            (vec![part("name=\"alt\"", "A"); 60], "400 VALIDATION_ERROR"),
            (vec![format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{}\"", "n".repeat(600_000))], "400 VALIDATION_ERROR"),
            (vec![file("a.pdf", "<!doctype html><p>"), end()], "400 INVALID_TYPE"),
            (vec!["nonsense".to_owned()], "400 VALIDATION_ERROR"),
        ] {
            let refused = form(&site, &parts).await;
            assert_eq!(
                refused.failure(),
                expected,
                "{:?}",
                parts.iter().map(|part| part.chars().take(90).collect::<String>()).collect::<Vec<_>>()
            );
        }
        let unbounded = send(&site, "POST", MEDIA, "multipart/form-data", end()).await;
        assert_eq!(unbounded.failure(), "400 VALIDATION_ERROR");
        assert_eq!(send(&site, "POST", MEDIA, "text/plain", pdf(1)).await.failure(), "415 UNSUPPORTED_MEDIA_TYPE");
        site.app.clock().advance(std::time::Duration::from_hours(4));
        site.app.settle().await.unwrap();
        assert_eq!(kept(&site).await, 0);
    })
    .await;
}

#[tokio::test]
async fn an_announced_file_is_sent_as_a_whole_body() {
    site(|site| async move {
        let target = json!({ "filename": "a.pdf", "contentType": "application/pdf", "size": pdf(1).len() });
        let target = site.post(&format!("{MEDIA}/upload-url"), target).await.expect(200);
        let address = target["uploadUrl"].as_str().unwrap();
        assert_eq!(send(&site, "PUT", address, "image/png", pdf(1)).await.failure(), "400 INVALID_TYPE");
        assert_eq!(send(&site, "PUT", address, "application/pdf", "").await.failure(), "400 NO_FILE");
        assert_eq!(send(&site, "PUT", address, "application/pdf", pdf(1) + "more").await.failure(), "400 UPLOAD_SIZE_MISMATCH");
        send(&site, "PUT", address, "application/pdf", pdf(1)).await.expect(200);
        let confirm = format!("{MEDIA}/{}/confirm", target["mediaId"].as_str().unwrap());
        let made = site.post(&confirm, json!({ "size": pdf(1).len() })).await.expect(200);
        assert_eq!(made["item"]["id"], target["mediaId"]);
        assert_eq!(send(&site, "PUT", address, "application/pdf", pdf(1)).await.failure(), "404 NOT_FOUND", "it is confirmed");
    })
    .await;
}

#[tokio::test]
async fn a_file_is_replaced_by_the_part_of_a_form() {
    site(|site| async move {
        let item = uploaded(&site, 1).await;
        let address = format!("{MEDIA}/{}/replace", item["id"].as_str().unwrap());
        let parts = [part("name=\"_rev\"", item["_rev"].as_str().unwrap()), file("b.pdf", &pdf(2)), end()].concat();
        let content_type = format!("multipart/form-data; boundary={BOUNDARY}");
        let replaced = send(&site, "PUT", &address, &content_type, parts.clone()).await.expect(200)["item"].clone();
        assert_eq!((&replaced["id"], &replaced["filename"]), (&item["id"], &json!("a.pdf")));
        assert_eq!(send(&site, "PUT", &address, &content_type, parts).await.failure(), "409 CONFLICT");
        assert_eq!(site.read(None, item["url"].as_str().unwrap(), &[]).await.status, 404);
        assert_eq!(site.read(None, replaced["url"].as_str().unwrap(), &[]).await.bytes, pdf(2).as_bytes());
    })
    .await;
}

#[tokio::test]
async fn a_file_is_served_to_anybody_whole_in_part_or_not_again() {
    site(|site| async move {
        let item = uploaded(&site, 1).await;
        let url = item["url"].as_str().unwrap();
        let whole = site.read(None, url, &[]).await;
        assert_eq!((whole.status.as_u16(), whole.bytes.as_ref()), (200, pdf(1).as_bytes()));
        assert_eq!(whole.header("content-type"), "application/pdf");
        assert_eq!(whole.header("content-disposition"), "attachment; filename=\"a.pdf\"; filename*=UTF-8''a%2Epdf");
        assert_eq!(whole.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!((whole.header("x-content-type-options"), whole.header("access-control-allow-origin")), ("nosniff", "*"));
        assert!(whole.header("content-security-policy").starts_with("sandbox; default-src 'none'"));
        let tag = whole.header("etag").to_owned();

        let again = site.read(None, url, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
        let part = site.read(None, url, &[("range", "bytes=1-3")]).await;
        assert_eq!((part.status.as_u16(), part.bytes.as_ref()), (206, &b"PDF"[..]));
        assert_eq!(part.header("content-range"), format!("bytes 1-3/{}", pdf(1).len()));
        assert_eq!(site.read(None, url, &[("range", "bytes=1-3"), ("if-range", "\"other\"")]).await.status, 200);
        let beyond = site.read(None, url, &[("range", "bytes=1000-")]).await;
        assert_eq!((beyond.status.as_u16(), beyond.header("content-range")), (416, format!("bytes */{}", pdf(1).len()).as_str()));

        assert_eq!(site.read(None, &format!("{url}?w=100"), &[]).await.bytes, pdf(1).as_bytes(), "no picture is made of it");
        assert_eq!(site.read(None, &format!("{url}?w=0"), &[]).await.failure(), "400 VALIDATION_ERROR");
        for nothing in ["nothing.pdf", "made", "..%2Fcms.db", ".hidden"] {
            assert_eq!(site.read(None, &format!("{MEDIA}/file/{nothing}"), &[]).await.failure(), "404 NOT_FOUND", "{nothing}");
        }
        let gone = site.admin("DELETE", &format!("{MEDIA}/{}", item["id"].as_str().unwrap()), Body::empty()).await;
        gone.expect(200);
        assert_eq!(site.read(None, url, &[("if-none-match", &tag)]).await.status, 404);
    })
    .await;
}

#[tokio::test]
async fn whoever_may_not_is_told_before_anything_is_read() {
    site(|site| async move {
        let never = || Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        for (credential, status) in [(None, 401), (Some(site.token(Role::Subscriber)), 403)] {
            let mut request = Request::post(MEDIA).header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"));
            if let Some(token) = credential {
                request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
            }
            // Refused with the head: what is left of the body is waited for in vain, and not for long.
            let request = request.header(header::EXPECT, "100-continue").body(never()).unwrap();
            assert_eq!(site.send(request).await.status.as_u16(), status);
        }
        assert_eq!(kept(&site).await, 0);
    })
    .await;
}
