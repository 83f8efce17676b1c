//! A contributor at the REST door, against every way content becomes public.

use std::time::Duration;

use axum::body::Body;
use cms_domain::user::Role;
use cms_frame::Clock;
use http::{Request, header};
use serde_json::{Value, json};

use crate::site::{Answer, POSTS, Site, site};

async fn ask(site: &Site, role: Role, method: &str, path: &str, body: Value) -> Answer {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {}", site.token(role)))
        .header(header::CONTENT_TYPE, "application/json");
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    site.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn a_contributor_against_every_way_content_becomes_public() {
    site(|site| async move {
        let contributor = Role::Contributor;
        let new = json!({ "data": { "title": "First words" }, "slug": "first" });
        let made = ask(&site, contributor, "POST", POSTS, new).await.expect(201);
        let id = made["item"]["id"].as_str().unwrap().to_owned();
        let entry = format!("{POSTS}/{id}");
        let approved = json!({ "data": { "title": "Approved" }, "slug": "approved" });
        let approved = ask(&site, contributor, "PUT", &entry, approved).await.expect(200);
        let at = site.app.clock().now().after(Duration::from_hours(1));
        let schedule = json!({ "scheduledAt": at, "_rev": approved["_rev"] });
        ask(&site, Role::Editor, "POST", &format!("{entry}/schedule"), schedule).await.expect(200);

        let history = ask(&site, contributor, "GET", &format!("{entry}/revisions"), Value::Null).await.expect(200);
        let first = history["items"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
        let soon = site.app.clock().now().after(Duration::from_mins(1));
        let ways = [
            ("PUT", entry.clone(), json!({ "data": { "title": "Other words" } })),
            ("PUT", entry.clone(), json!({ "slug": "other" })),
            ("PUT", entry.clone(), json!({ "status": "published" })),
            ("PUT", entry.clone(), json!({ "authorId": made["item"]["authorId"], "data": { "title": "Other words" } })),
            ("POST", format!("/_cms/api/revisions/{first}/restore"), json!({})),
            ("POST", format!("{entry}/publish"), json!({})),
            ("POST", format!("{entry}/schedule"), json!({ "scheduledAt": soon })),
            ("DELETE", format!("{entry}/schedule"), Value::Null),
            ("POST", format!("{entry}/unpublish"), json!({})),
            ("POST", format!("{entry}/discard-draft"), json!({})),
            ("POST", format!("{entry}/duplicate"), json!({})),
            ("DELETE", entry.clone(), Value::Null),
            ("POST", POSTS.to_owned(), json!({ "data": { "title": "B" }, "status": "published" })),
        ];
        for (method, path, body) in ways {
            let answer = ask(&site, contributor, method, &path, body.clone()).await;
            assert_eq!(answer.failure(), "403 INSUFFICIENT_PERMISSIONS", "{method} {path} {body}");
        }
        let told = ask(&site, contributor, "PUT", &entry, json!({ "data": { "title": "Other words" } })).await.json();
        assert!(told["error"]["message"].as_str().unwrap().contains("stays as it was approved"), "{told}");

        site.app.clock().advance(Duration::from_hours(1));
        site.app.settle().await.unwrap();
        let public = ask(&site, Role::Subscriber, "GET", &entry, Value::Null).await.expect(200);
        assert_eq!((&public["item"]["data"]["title"], &public["item"]["slug"]), (&json!("Approved"), &json!("approved")));
    })
    .await;
}
