//! What bad input gets: a refusal with a stable code and the path of each problem, and nothing written.

use std::{convert::Infallible, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use cms_domain::user::Role;
use cms_http_api::HttpOptions;
use futures_util::{StreamExt, stream};
use http::{Request, Version};
use serde_json::{Value, json};

use crate::site::{Answer, POSTS, Site, site, site_with};

/// A collection whose entries nobody may have changed meanwhile.
async fn create(site: &Site, body: impl Into<Body>) -> Answer {
    site.admin("POST", POSTS, body.into()).await
}

/// The problems of one value of one field.
async fn value(site: &Site, field: &str, value: Value) -> Vec<String> {
    let mut data = json!({ "title": "A" });
    data[field] = value;
    create(site, json!({ "data": data }).to_string()).await.issues()
}

async fn assert_empty(site: &Site) {
    assert_eq!(site.get(POSTS).await.expect(200)["items"], json!([]));
}

#[tokio::test]
async fn every_wrong_type_in_every_field_is_refused_at_its_path() {
    site(|site| async move {
        let samples = [json!("x y"), json!(1.5), json!(true), json!([]), json!([1]), json!({}), json!({ "a": 1 })];
        let fitting: &[(&str, &[usize])] = &[
            ("title", &[0]),
            ("summary", &[0]),
            ("link", &[]),
            ("code", &[]),
            ("price", &[1]),
            ("count", &[]),
            ("flag", &[2]),
            ("day", &[]),
            ("kind", &[]),
            ("tags", &[3]),
            ("body", &[3]),
            ("picture", &[]),
            ("paper", &[]),
            ("other", &[]),
            ("rows", &[3]),
        ];
        for (field, fitting) in fitting {
            for (place, sample) in samples.iter().enumerate().filter(|(place, _)| !fitting.contains(place)) {
                let issues = value(&site, field, sample.clone()).await;
                assert!(
                    !issues.is_empty() && issues.iter().all(|issue| issue.starts_with(&format!("data.{field}"))),
                    "{field} {place}: {issues:?}"
                );
            }
        }
        assert_empty(&site).await;
    })
    .await;
}

#[tokio::test]
async fn all_problems_are_told_at_once() {
    site(|site| async move {
        let body = json!({ "data": { "title": 1, "count": "x", "flag": "yes" } });
        assert_eq!(create(&site, body.to_string()).await.issues().len(), 3);
        let body = json!({ "data": 1, "slug": 2, "colour": 3 });
        let mut issues = create(&site, body.to_string()).await.issues();
        issues.sort();
        assert_eq!(issues, ["colour UNKNOWN_KEY", "data INVALID_TYPE", "slug INVALID_TYPE"]);
    })
    .await;
}

#[tokio::test]
async fn a_string_of_ten_megabytes_is_refused() {
    site(|site| async move {
        let long = "x".repeat(10_000_000);
        let answer = create(&site, json!({ "data": { "title": long } }).to_string()).await;
        assert!(answer.status.is_client_error() && answer.bytes.len() < 2_000, "{}", answer.status);
        let answer = create(&site, json!({ "data": { "title": "A" }, long.as_str(): 1 }).to_string()).await;
        assert!(answer.status.is_client_error() && answer.bytes.len() < 2_000, "{}", answer.status);
        assert_empty(&site).await;
    })
    .await;
}

#[tokio::test]
async fn nesting_a_thousand_levels_is_refused() {
    site(|site| async move {
        for levels in [1_000, 1_000_000] {
            let body = format!(r#"{{"data":{{"title":"A","anything":{}1{}}}}}"#, "[".repeat(levels), "]".repeat(levels));
            assert_eq!(create(&site, body).await.failure(), "400 INVALID_JSON");
        }
    })
    .await;
}

#[tokio::test]
async fn a_million_elements_are_refused() {
    site(|site| async move {
        let body = format!(r#"{{"data":{{"title":"A","anything":[{}0]}}}}"#, "0,".repeat(999_999));
        assert_eq!(create(&site, body).await.failure(), "400 INVALID_JSON");
    })
    .await;
}

#[tokio::test]
async fn bodies_that_are_not_json_are_refused() {
    site(|site| async move {
        for body in [
            &b"{"[..],
            b"\"\xff\"",
            b"{\"data\":{\"title\":\"\xc3\x28\"}}",
            b"{'a':1}",
            b"{} {}",
            b"NaN",
            b"{\"data\":{\"title\":\"\\ud800\"}}",
        ] {
            assert_eq!(create(&site, body.to_vec()).await.failure(), "400 INVALID_JSON", "{}", String::from_utf8_lossy(body));
        }
        assert_eq!(create(&site, "[]").await.issues(), [" INVALID_TYPE"]);
    })
    .await;
}

#[tokio::test]
async fn a_key_that_is_given_twice_is_refused() {
    site(|site| async move {
        let answer = create(&site, r#"{"data":{"title":"A","title":"B"}}"#).await;
        assert_eq!(answer.failure(), "400 INVALID_JSON");
        assert!(answer.json()["error"]["message"].as_str().unwrap().contains("`title`"));
        assert_empty(&site).await;
    })
    .await;
}

#[tokio::test]
async fn nul_is_refused_wherever_it_is() {
    site(|site| async move {
        assert_eq!(create(&site, r#"{"data":{"title":"a\u0000b"}}"#).await.failure(), "400 INVALID_JSON");
        assert_eq!(site.get(&format!("{POSTS}?locale=%00")).await.issues(), ["locale INVALID_ENCODING"]);
        assert_eq!(site.get(&format!("{POSTS}/%00")).await.issues(), ["id INVALID_ENCODING"]);
    })
    .await;
}

#[tokio::test]
async fn unknown_keys_are_refused_wherever_they_are() {
    site(|site| async move {
        assert_eq!(create(&site, r#"{"data":{"title":"A"},"titel":1}"#).await.issues(), ["titel UNKNOWN_KEY"]);
        assert_eq!(value(&site, "titel", json!(1)).await, ["data.titel UNKNOWN_FIELD"]);
        assert_eq!(site.get(&format!("{POSTS}?sort=title")).await.issues(), ["sort UNKNOWN_KEY"]);
        assert_eq!(site.post(&format!("{POSTS}?draft=1"), json!({ "data": { "title": "A" } })).await.issues(), ["draft UNKNOWN_KEY"]);
        assert_empty(&site).await;
    })
    .await;
}

#[tokio::test]
async fn a_member_that_later_areas_bring_says_so() {
    site(|site| async move {
        let answer = create(&site, r#"{"data":{"title":"A"},"bylines":[]}"#).await;
        assert_eq!(answer.issues(), ["bylines UNKNOWN_KEY"]);
        assert!(answer.json()["error"]["message"].as_str().unwrap().contains("not available yet"));
    })
    .await;
}

#[tokio::test]
async fn members_in_the_wrong_place_are_refused_with_what_else_is_wrong() {
    site(|site| async move {
        let mut issues = site.put(&format!("{POSTS}/a?_rev=1"), json!({ "id": "b", "locale": "de", "data": 1 })).await.issues();
        issues.sort();
        assert_eq!(issues, ["_rev UNKNOWN_KEY", "data INVALID_TYPE", "id MISPLACED", "locale MISPLACED"]);
        assert_eq!(site.get(&format!("{POSTS}?collection=posts")).await.issues(), ["collection MISPLACED"]);
        let answer = site.admin("DELETE", &format!("{POSTS}/a"), Body::from(r#"{"_rev":"1-0"}"#)).await;
        assert_eq!(answer.issues(), [" UNEXPECTED_BODY"]);
    })
    .await;
}

#[tokio::test]
async fn queries_that_can_be_read_in_two_ways_are_refused() {
    site(|site| async move {
        for (query, issue) in [
            ("limit=1&limit=2", "limit DUPLICATE"),
            ("locale=%FF", "locale INVALID_ENCODING"),
            ("locale=%", "locale INVALID_ENCODING"),
            ("limit=01", "limit INVALID_TYPE"),
            ("limit=ten", "limit INVALID_TYPE"),
            ("limit=1.0", "limit INVALID_TYPE"),
            ("limit=", "limit INVALID_TYPE"),
            ("limit=0", "limit TOO_SMALL"),
            ("limit=101", "limit TOO_LARGE"),
            ("includeTotal=yes", "includeTotal INVALID_TYPE"),
            ("status=public", "status INVALID_VALUE"),
        ] {
            assert_eq!(site.get(&format!("{POSTS}?{query}")).await.issues(), [issue], "{query}");
        }
        assert_eq!(site.get(&format!("{POSTS}?limit=1&includeTotal=1")).await.expect(200)["total"], 0);
    })
    .await;
}

#[tokio::test]
async fn a_cursor_of_another_list_is_refused() {
    site(|site| async move {
        for slug in ["a", "b"] {
            site.post(POSTS, json!({ "slug": slug, "data": { "title": slug } })).await.expect(201);
        }
        let page = site.get(&format!("{POSTS}?limit=1")).await.expect(200);
        let cursor = page["nextCursor"].as_str().unwrap();
        assert_eq!(site.get(&format!("{POSTS}?limit=1&cursor={cursor}")).await.status, 200);
        for query in [
            format!("cursor={cursor}&order=asc"),
            format!("cursor={cursor}&status=draft"),
            "cursor=AAAA".to_owned(),
            "cursor=%C3%A4".to_owned(),
        ] {
            assert_eq!(site.get(&format!("{POSTS}?{query}")).await.failure(), "400 INVALID_CURSOR", "{query}");
        }
        assert_eq!(site.get(&format!("{POSTS}?cursor={}", "A".repeat(5_000))).await.issues(), ["cursor TOO_LONG"]);
    })
    .await;
}

#[tokio::test]
async fn a_stale_or_malformed_rev_is_a_conflict() {
    site(|site| async move {
        let made = site.post(POSTS, json!({ "slug": "a", "data": { "title": "A" } })).await.expect(201);
        let entry = format!("{POSTS}/a");
        let change = |rev: &Value| json!({ "_rev": rev, "data": { "title": "B" } });
        site.put(&entry, change(&made["_rev"])).await.expect(200);
        for rev in [&made["_rev"], &json!(""), &json!("nonsense"), &json!("1"), &json!("ä")] {
            assert_eq!(site.put(&entry, change(rev)).await.failure(), "409 CONFLICT", "{rev}");
        }
        assert_eq!(site.put(&entry, change(&json!(1))).await.issues(), ["_rev INVALID_TYPE"]);
        assert_eq!(site.get(&entry).await.expect(200)["item"]["version"], 2);
    })
    .await;
}

#[tokio::test]
async fn dates_without_a_zone_and_days_that_are_not_are_refused() {
    site(|site| async move {
        for date in ["2027-01-01T00:00:00", "2027-01-01 00:00:00Z", "2027-02-30T00:00:00Z", "2027-13-01T00:00:00Z", "yesterday", "1", ""] {
            assert_eq!(value(&site, "day", json!(date)).await.len(), 1, "{date}");
            let body = json!({ "data": { "title": "A" }, "publishedAt": date });
            assert_eq!(create(&site, body.to_string()).await.issues().len(), 1, "{date}");
        }
        assert_empty(&site).await;
    })
    .await;
}

#[tokio::test]
async fn ids_that_are_not_ids_find_nothing_or_are_refused() {
    site(|site| async move {
        for id in ["nothing", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"] {
            assert_eq!(site.get(&format!("{POSTS}/{id}")).await.failure(), "404 NOT_FOUND", "{id}");
        }
        for id in ["A%20B", "%27%3BDROP", "..%2F..", "%F0%9F%98%80", "-"] {
            let answer = site.get(&format!("{POSTS}/{id}")).await;
            assert!(matches!(answer.status.as_u16(), 400 | 404), "{id}: {}", answer.status);
        }
        assert_eq!(site.get(&format!("{POSTS}/%FF")).await.issues(), [" INVALID_ENCODING"]);
        assert_eq!(site.get(&format!("{POSTS}?authorId=me")).await.issues(), ["authorId PATTERN"]);
        assert_eq!(value(&site, "other", json!("nothing")).await.len(), 1);
    })
    .await;
}

#[tokio::test]
async fn unknown_locales_and_collections_are_refused() {
    site(|site| async move {
        assert_eq!(site.get(&format!("{POSTS}?locale=fr")).await.issues(), ["locale UNKNOWN_LOCALE"]);
        assert_eq!(site.get(&format!("{POSTS}?locale=english")).await.issues(), ["locale PATTERN"]);
        assert_eq!(create(&site, r#"{"data":{"title":"A"},"locale":"fr"}"#).await.issues(), ["locale UNKNOWN_LOCALE"]);
        assert_eq!(site.get("/_cms/api/content/pages").await.failure(), "404 COLLECTION_NOT_FOUND");
        assert_eq!(site.get("/_cms/api/content/No%20Name").await.issues(), ["collection PATTERN"]);
    })
    .await;
}

#[tokio::test]
async fn a_pattern_that_would_backtrack_takes_linear_time() {
    site(|site| async move {
        let began = std::time::Instant::now();
        assert_eq!(value(&site, "code", json!(format!("{}b", "a".repeat(100_000)))).await.len(), 1);
        assert!(began.elapsed() < Duration::from_secs(5));
        let field = json!({ "slug": "bad", "label": "Bad", "type": "string", "validation": { "pattern": "(a)\\1" } });
        assert_eq!(site.post("/_cms/api/schema/collections/posts/fields", field).await.issues().len(), 1);
    })
    .await;
}

/// A body without a declared length.
fn chunked(chunks: usize, size: usize) -> Body {
    Body::from_stream(stream::iter((0..chunks).map(move |_| Ok::<_, Infallible>(Bytes::from(vec![b' '; size])))))
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_however_it_comes() {
    site(|site| async move {
        let too_large = create(&site, vec![b' '; 10 * 1024 * 1024 + 1]).await;
        assert_eq!(too_large.failure(), "413 PAYLOAD_TOO_LARGE");
        assert_eq!(too_large.json()["error"]["details"]["limit"], 10 * 1024 * 1024);
        assert_eq!(create(&site, chunked(200, 64 * 1024)).await.failure(), "413 PAYLOAD_TOO_LARGE");
    })
    .await;
}

#[tokio::test]
async fn the_rest_of_a_refused_body_is_read_so_that_its_sender_hears_why() {
    site(|site| async move {
        let sent = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let counter = std::sync::Arc::clone(&sent);
        let chunks = stream::iter(0..300).map(move |_| {
            counter.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            Ok::<_, Infallible>(Bytes::from(vec![b' '; 64 * 1024]))
        });
        let answer = create(&site, Body::from_stream(chunks)).await;
        assert_eq!((answer.failure().as_str(), answer.header("connection")), ("413 PAYLOAD_TOO_LARGE", ""));
        assert_eq!(sent.load(std::sync::atomic::Ordering::SeqCst), 300);
        // A sender who never ends is cut off.
        assert_eq!(create(&site, chunked(2_000, 64 * 1024)).await.header("connection"), "close");
    })
    .await;
}

#[tokio::test]
async fn a_slow_body_is_given_up() {
    let options = HttpOptions { body_timeout: Duration::from_millis(50), ..HttpOptions::default() };
    site_with(
        options,
        |_| {},
        |site| async move {
            let slow = stream::iter([Ok::<_, Infallible>(Bytes::from_static(b"{"))]).chain(stream::pending());
            let answer = create(&site, Body::from_stream(slow)).await;
            assert_eq!((answer.failure().as_str(), answer.header("connection")), ("408 REQUEST_TIMEOUT", "close"));
        },
    )
    .await;
}

#[tokio::test]
async fn a_body_that_breaks_off_is_refused() {
    site(|site| async move {
        let broken = stream::iter([Ok(Bytes::from_static(b"{")), Err(std::io::Error::other("gone"))]);
        assert_eq!(create(&site, Body::from_stream(broken)).await.failure(), "400 INVALID_JSON");
    })
    .await;
}

#[tokio::test]
async fn bodies_of_other_types_are_refused() {
    site(|site| async move {
        let send = |name: &'static str, value: &'static str| {
            let request =
                Request::post(POSTS).version(Version::HTTP_11).header("authorization", format!("Bearer {}", site.token(Role::Admin)));
            let request = if name.is_empty() { request } else { request.header(name, value) };
            site.send(request.body(Body::from(r#"{"data":{"title":"A"}}"#)).unwrap())
        };
        for (name, value) in
            [("", ""), ("content-type", "text/plain"), ("content-type", "multipart/form-data"), ("content-type", "text/x+json")]
        {
            assert_eq!(send(name, value).await.failure(), "415 UNSUPPORTED_MEDIA_TYPE", "{value}");
        }
        for value in ["application/json", "Application/JSON; charset=utf-8", "application/merge-patch+json"] {
            assert_eq!(send("content-type", value).await.status, 201, "{value}");
        }
    })
    .await;
}
