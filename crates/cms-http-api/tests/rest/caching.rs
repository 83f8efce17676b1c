//! Answers that are kept: who gets them, and until when.

use axum::body::Body;
use cms_domain::user::Role;
use cms_http_api::HttpOptions;
use http::Request;
use serde_json::json;

use crate::site::{Answer, POSTS, Site, public_site, site, site_with};

const ENTRY: &str = "/_cms/api/content/posts/a";

fn title(answer: &Answer) -> String {
    answer.expect(200)["item"]["data"]["title"].as_str().unwrap().to_owned()
}

async fn edit(site: &Site, title: &str) {
    site.put(ENTRY, json!({ "data": { "title": title } })).await.expect(200);
}

#[tokio::test]
async fn published_reads_carry_a_strong_tag_and_others_none() {
    public_site(|site| async move {
        site.published("a", "A").await;
        let anonymous = site.read(None, ENTRY, &[]).await;
        assert_eq!(anonymous.header("cache-control"), "public, max-age=0, must-revalidate");
        assert!(anonymous.header("etag").starts_with('"'));
        assert_eq!(anonymous.header("vary"), "authorization");
        let reader = site.read(Some(Role::Subscriber), ENTRY, &[]).await;
        assert_eq!(reader.header("cache-control"), "private, max-age=0, must-revalidate");
        assert_eq!(reader.header("etag"), anonymous.header("etag"));
        let editor = site.read(Some(Role::Editor), ENTRY, &[]).await;
        assert_eq!((editor.header("cache-control"), editor.header("etag")), ("private, no-store", ""));
    })
    .await;
}

#[tokio::test]
async fn rich_text_as_markdown_has_a_tag_of_its_own() {
    public_site(|site| async move {
        site.published("a", "A").await;
        let body = json!([{ "_type": "block", "_key": "a", "children": [{ "_type": "span", "_key": "s", "text": "Words." }] }]);
        site.put(ENTRY, json!({ "data": { "body": body }, "status": "published" })).await.expect(200);
        let blocks = site.read(None, ENTRY, &[]).await;
        let address = format!("{ENTRY}?format=markdown");
        for _ in 0..2 {
            let markdown = site.read(None, &address, &[("if-none-match", blocks.header("etag"))]).await;
            assert_eq!(markdown.expect(200)["item"]["data"]["body"], "Words.\n");
        }
        assert!(site.read(None, ENTRY, &[]).await.expect(200)["item"]["data"]["body"].is_array());
    })
    .await;
}

#[tokio::test]
async fn a_reader_who_has_the_answer_is_told_so() {
    public_site(|site| async move {
        site.published("a", "A").await;
        let first = site.read(None, ENTRY, &[]).await;
        let again = site.read(None, ENTRY, &[("if-none-match", &format!("\"x\", W/{}", first.header("etag")))]).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
        assert_eq!((again.header("etag"), again.header("cache-control")), (first.header("etag"), first.header("cache-control")));
        assert_eq!(site.read(None, ENTRY, &[("if-none-match", "\"x\"")]).await.status, 200);
    })
    .await;
}

#[tokio::test]
async fn publishing_replaces_the_answer_and_saving_a_draft_does_not() {
    public_site(|site| async move {
        site.published("a", "old").await;
        let (entry, list) = (site.read(None, ENTRY, &[]).await, site.read(None, POSTS, &[]).await);
        edit(&site, "new").await;
        assert_eq!(site.read(None, ENTRY, &[]).await.bytes, entry.bytes);
        assert_eq!(site.read(None, POSTS, &[]).await.header("etag"), list.header("etag"));
        site.post(&format!("{ENTRY}/publish"), json!({})).await.expect(200);
        assert_eq!(title(&site.read(None, ENTRY, &[]).await), "new");
        assert_ne!(site.read(None, POSTS, &[]).await.header("etag"), list.header("etag"));
    })
    .await;
}

#[tokio::test]
async fn drafts_do_not_leak_through_kept_answers() {
    public_site(|site| async move {
        site.published("a", "public").await;
        edit(&site, "secret").await;
        // Whoever asks first, everyone gets what is theirs.
        for round in 0..2 {
            assert_eq!(title(&site.read(Some(Role::Editor), ENTRY, &[]).await), "secret", "round {round}");
            for reader in [None, Some(Role::Subscriber)] {
                assert_eq!(title(&site.read(reader, ENTRY, &[]).await), "public", "round {round}");
                let list = site.read(reader, POSTS, &[]).await;
                assert!(!String::from_utf8_lossy(&list.bytes).contains("secret"), "round {round}");
            }
        }
    })
    .await;
}

#[tokio::test]
async fn an_entry_that_is_taken_back_is_gone_for_readers() {
    public_site(|site| async move {
        site.published("a", "A").await;
        assert_eq!(site.read(None, ENTRY, &[]).await.status, 200);
        site.post(&format!("{ENTRY}/unpublish"), json!({})).await.expect(200);
        assert_eq!(site.read(None, ENTRY, &[]).await.failure(), "404 NOT_FOUND");
    })
    .await;
}

#[tokio::test]
async fn a_change_of_fields_replaces_the_answers() {
    public_site(|site| async move {
        site.post(POSTS, json!({ "slug": "a", "status": "published", "data": { "title": "A", "summary": "gone" } })).await.expect(201);
        assert_eq!(site.read(None, ENTRY, &[]).await.expect(200)["item"]["data"]["summary"], "gone");
        site.admin("DELETE", "/_cms/api/schema/collections/posts/fields/summary", Body::empty()).await.expect(200);
        assert_eq!(site.read(None, ENTRY, &[]).await.expect(200)["item"]["data"], json!({ "title": "A" }));
    })
    .await;
}

#[tokio::test]
async fn kept_answers_are_for_those_who_may() {
    site(|site| async move {
        site.published("a", "A").await;
        assert_eq!(site.read(Some(Role::Subscriber), ENTRY, &[]).await.status, 200);
        assert_eq!(site.read(None, ENTRY, &[]).await.failure(), "401 NOT_AUTHENTICATED");
        assert_eq!(site.read(None, ENTRY, &[("authorization", "Bearer cms_pat_x")]).await.failure(), "401 INVALID_TOKEN");
    })
    .await;
}

#[tokio::test]
async fn refusals_are_not_kept() {
    public_site(|site| async move {
        assert_eq!(site.read(None, ENTRY, &[]).await.failure(), "404 NOT_FOUND");
        site.published("a", "A").await;
        assert_eq!(title(&site.read(None, ENTRY, &[]).await), "A");
    })
    .await;
}

#[tokio::test]
async fn an_unexpected_body_is_refused_though_the_answer_is_known() {
    public_site(|site| async move {
        site.published("a", "A").await;
        assert_eq!(site.read(None, ENTRY, &[]).await.status, 200);
        let answer = site.send(Request::get(ENTRY).body(Body::from("{\"locale\":\"de\"}")).unwrap()).await;
        assert_eq!(answer.issues(), [" UNEXPECTED_BODY"]);
    })
    .await;
}

#[tokio::test]
async fn without_room_nothing_is_kept_and_everything_answers_the_same() {
    let options = HttpOptions { cache_bytes: 0, ..HttpOptions::default() };
    site_with(
        options,
        |options| options.public_read = true,
        |site| async move {
            site.published("a", "A").await;
            let first = site.read(None, ENTRY, &[]).await;
            assert_eq!(site.read(None, ENTRY, &[("if-none-match", first.header("etag"))]).await.status, 304);
        },
    )
    .await;
}

#[tokio::test]
async fn the_document_carries_a_tag() {
    site(|site| async move {
        let first = site.read(None, "/_cms/api/openapi.json", &[]).await;
        assert_eq!(first.status, 200);
        let again = site.read(None, "/_cms/api/openapi.json", &[("if-none-match", first.header("etag"))]).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    })
    .await;
}
