//! Preview links: one entry, for a while, until revoked.

use std::time::Duration;

use cms_domain::{access::Actor, user::Role};
use serde_json::{Value, json};

use super::{Site, named, with};
use crate::{
    Code, Door, both,
    content::{
        create::CreateEntry,
        delete::DeleteEntry,
        preview::{GetPreview, MakePreviewUrl, RevokePreviews},
    },
};

impl Site {
    async fn link(&self, answer: &Value, more: Value) -> Value {
        self.done::<MakePreviewUrl>(Role::Contributor, with(answer, more)).await
    }

    /// What anyone sees who follows a link.
    async fn follow(&self, link: &Value) -> Result<Value, Code> {
        let token = link["url"].as_str().unwrap().split_once("?_preview=").unwrap().1.to_owned();
        let shown = self.cms().invoke(&Actor::Anonymous, Door::Rest, GetPreview { token }).await;
        shown.map(|answer| serde_json::to_value(answer).unwrap()).map_err(|error| error.code())
    }
}

both! {
    async fn a_link_shows_the_working_copy_of_one_entry_to_anyone(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({})).await;
        assert_eq!(link["expiresAt"], json!(site.now().after(Duration::from_hours(1))));
        assert!(link["url"].as_str().unwrap().starts_with(&format!("/posts/{}?_preview=", entry["item"]["id"].as_str().unwrap())));
        site.update(&entry, json!({ "data": { "title": "B" }, "slug": "b", "seo": { "title": "S" } })).await;
        let shown = site.follow(&link).await.unwrap();
        assert_eq!(
            (&shown["item"]["data"]["title"], &shown["item"]["slug"], &shown["item"]["seo"]["title"]),
            (&json!("B"), &json!("b"), &json!("S"))
        );
        for hidden in ["liveData", "version", "draftRevisionId", "hasDraft", "scheduledAt"] {
            assert_eq!(shown["item"].get(hidden), None, "{hidden}");
        }
    }

    async fn a_link_ends_at_its_time_and_with_its_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({ "expiresIn": "15m" })).await;
        let longer = site.link(&entry, json!({ "expiresIn": 7200 })).await;
        site.clock().advance(Duration::from_mins(15));
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        assert!(site.follow(&longer).await.is_ok());
        site.admin::<DeleteEntry>(named(&entry)).await;
        assert_eq!(site.follow(&longer).await, Err(Code::NotFound));
    }

    async fn revoked_links_end_at_once_and_new_ones_count(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let link = site.link(&entry, json!({})).await;
        assert_eq!(site.code::<RevokePreviews>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
        site.done::<RevokePreviews>(Role::Author, named(&entry)).await;
        assert_eq!(site.follow(&link).await, Err(Code::NotFound));
        site.clock().advance(Duration::from_millis(1));
        let link = site.link(&entry, json!({})).await;
        assert!(site.follow(&link).await.is_ok());
    }

    async fn a_bad_lifetime_or_path_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for wrong in [json!({ "expiresIn": "soon" }), json!({ "expiresIn": "59s" }), json!({ "expiresIn": -1 }), json!({ "expiresIn": "31d" }), json!({ "pathPattern": "//evil.example/{id}" })] {
            assert_eq!(site.code::<MakePreviewUrl>(Role::Author, with(&entry, wrong.clone())).await, Code::ValidationError, "{wrong}");
        }
        let link = site.link(&entry, json!({ "pathPattern": "/{locale}/blog/{slug}/" })).await;
        assert!(link["url"].as_str().unwrap().starts_with("/blog/a?_preview="));
    }

    async fn previews_are_for_collections_that_support_them(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.done::<CreateEntry>(Role::Author, json!({ "collection": "plain", "data": { "title": "A" } })).await;
        assert_eq!(site.code::<MakePreviewUrl>(Role::Author, named(&entry)).await, Code::NotSupported);
        let entry = site.draft(json!({ "title": "A" })).await;
        assert_eq!(site.code::<MakePreviewUrl>(Role::Subscriber, named(&entry)).await, Code::InsufficientPermissions);
        assert_eq!(site.follow(&json!({ "url": "/?_preview=AAAA" })).await, Err(Code::NotFound));
    }
}
