//! The entries of all collections in one list.

use std::time::Duration;

use cms_content::{
    entries::{create::CreateEntry, delete::DeleteEntry, list_all::ListAll},
    schema::delete_collection::DeleteCollection,
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, named};

/// What is in the list, page by page.
async fn titles(site: &Site, filter: Value) -> Vec<String> {
    let (mut titles, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let mut input = json!({ "limit": 2, "cursor": cursor });
        input.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        let page = site.done::<ListAll>(Role::Contributor, input).await;
        titles.extend(page["items"].as_array().unwrap().iter().map(|item| {
            let title = item["title"].as_str().or(item["slug"].as_str()).unwrap_or("-");
            format!("{} {title}", item["type"].as_str().unwrap())
        }));
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            return titles;
        }
    }
}

/// Five entries of three collections, a second apart.
async fn five(site: &Site) -> Vec<Value> {
    let mut entries = Vec::new();
    for (role, collection, status, data) in [
        (Role::Author, "posts", "draft", json!({ "title": "One" })),
        (Role::Author, "plain", "published", json!({ "title": "Two" })),
        (Role::Editor, "notes", "draft", json!({ "text": "three" })),
        (Role::Editor, "posts", "published", json!({ "title": "Four" })),
        (Role::Author, "plain", "draft", json!({ "title": "Five" })),
    ] {
        let input = json!({ "collection": collection, "status": status, "data": data });
        entries.push(site.done::<CreateEntry>(role, input).await);
        site.clock().advance(Duration::from_secs(1));
    }
    entries
}

both! {
    async fn entries_of_all_collections_come_with_what_names_them_the_last_change_first(app: TestApp) {
        let site = Site::open(app).await;
        let entries = five(&site).await;
        let all = ["plain Five", "posts Four", "notes -", "plain Two", "posts One"];
        assert_eq!(titles(&site, json!({})).await, all);
        site.update(&entries[0], json!({ "data": { "title": "First" } })).await;
        site.done::<DeleteEntry>(Role::Author, named(&entries[4])).await;
        assert_eq!(titles(&site, json!({})).await, ["posts First", "posts Four", "notes -", "plain Two"]);
    }

    async fn each_filter_leaves_out_what_does_not_pass(app: TestApp) {
        let site = Site::open(app).await;
        let entries = five(&site).await;
        assert_eq!(titles(&site, json!({ "status": "published" })).await, ["posts Four", "plain Two"]);
        assert_eq!(titles(&site, json!({ "authorId": TestApp::user(Role::Editor) })).await, ["posts Four", "notes -"]);
        assert_eq!(titles(&site, json!({ "collections": "posts,notes, posts" })).await, ["posts Four", "notes -", "posts One"]);
        assert_eq!(titles(&site, json!({ "collections": "plain" })).await, ["plain Five", "plain Two"]);
        assert_eq!(titles(&site, json!({ "locale": "en", "status": "draft" })).await, ["plain Five", "notes -", "posts One"]);
        let (from, to) = (&entries[1]["item"]["updatedAt"], &entries[2]["item"]["updatedAt"]);
        assert_eq!(titles(&site, json!({ "dateFrom": from, "dateTo": to })).await, ["notes -", "plain Two"]);
    }

    async fn what_is_in_a_collection_that_is_gone_is_not_listed(app: TestApp) {
        let site = Site::open(app).await;
        five(&site).await;
        site.admin::<DeleteCollection>(json!({ "slug": "plain", "force": true })).await;
        assert_eq!(titles(&site, json!({})).await, ["posts Four", "notes -", "posts One"]);
    }

    async fn cursors_of_other_lists_and_collections_that_are_not_there_are_refused(app: TestApp) {
        let site = Site::open(app).await;
        five(&site).await;
        let page = site.done::<ListAll>(Role::Editor, json!({ "limit": 2 })).await;
        let other = json!({ "cursor": page["nextCursor"], "status": "draft" });
        assert_eq!(site.code::<ListAll>(Role::Editor, other).await, Code::InvalidCursor);
        assert_eq!(site.code::<ListAll>(Role::Editor, json!({ "collections": "missing" })).await, Code::CollectionNotFound);
        assert_eq!(site.code::<ListAll>(Role::Editor, json!({ "collections": "posts,No" })).await, Code::ValidationError);
        assert_eq!(site.code::<ListAll>(Role::Subscriber, json!({})).await, Code::InsufficientPermissions);
    }
}
