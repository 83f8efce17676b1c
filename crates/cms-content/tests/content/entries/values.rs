//! Values: they come back as they went in, or every problem is told.

use cms_content::{
    entries::{create::CreateEntry, delete::DeleteEntry, publish::PublishEntry, restore::RestoreEntry, update::UpdateEntry},
    schema::{delete_field::DeleteField, update_field::UpdateField},
};
use cms_core::both;
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

both! {
    async fn values_come_back_as_they_went_in(app: TestApp) {
        let site = Site::open(app).await;
        let data = json!({
            "title": "{\"a\":1}", "body": "[1]", "price": 0.1, "flag": true, "kind": "12",
            "any": { "n": "007", "list": [null, false, 1.5, "x"], "deep": { "a": {} } }, "tags": ["b", "a"],
        });
        let entry = site.published(data.clone()).await;
        assert_eq!(entry["item"]["data"], data);
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"].to_string(), data.to_string());
        let off = site.update(&entry, json!({ "data": { "flag": false, "any": null } })).await;
        assert_eq!((&off["item"]["data"]["flag"], off["item"]["data"].get("any")), (&json!(false), None));
    }

    async fn long_texts_are_written_and_written_again(app: TestApp) {
        let site = Site::open(app).await;
        let text = |letter: &str| letter.repeat(5 << 20);
        let entry = site.published(json!({ "title": "A", "any": text("a") })).await;
        for letter in ["b", "c"] {
            site.update(&entry, json!({ "data": { "any": text(letter) }, "skipRevision": true })).await;
            site.publish(&entry).await;
        }
        assert!(site.get(Role::Subscriber, &entry).await["item"]["data"]["any"] == text("c").as_str());
        site.done::<DeleteEntry>(Role::Author, named(&entry)).await;
    }

    async fn no_entry_has_the_id_that_walks_through_entries_begin_behind(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "id": "00000000000000000000000000", "data": { "title": "A" } });
        assert_eq!(issues(&site.refused::<CreateEntry>(Role::Author, new).await), ["id NOT_ALLOWED"]);
    }

    async fn a_default_is_applied_when_the_field_is_left_out(app: TestApp) {
        let site = Site::open(app).await;
        assert_eq!(site.draft(json!({ "title": "A" })).await["item"]["data"]["kind"], "article");
        assert_eq!(site.draft(json!({ "title": "A", "kind": "page" })).await["item"]["data"]["kind"], "page");
        assert_eq!(site.draft(json!({ "title": "A", "kind": null })).await["item"]["data"].get("kind"), None);
    }

    async fn every_problem_is_told_with_its_path(app: TestApp) {
        let site = Site::open(app).await;
        let data = json!({ "body": 1, "at": "yesterday", "link": "javascript:alert(1)", "_slug": "x", "id": "y", "tags": ["a", "a"] });
        let new = json!({ "collection": "posts", "data": data, "seo": { "canonical": "/a" } });
        let refused = site.refused::<CreateEntry>(Role::Author, new).await;
        let expected = [
            "data.body INVALID_TYPE", "data.at INVALID_DATE", "data.link INVALID_URL", "data._slug UNKNOWN_FIELD", "data.id UNKNOWN_FIELD",
            "data.tags.1 DUPLICATE", "data.title REQUIRED", "seo.canonical INVALID_URL",
        ];
        assert_eq!((refused.code(), issues(&refused)), (Code::ValidationError, expected.map(str::to_owned).to_vec()));
    }

    async fn a_media_type_that_is_not_allowed_is_refused_in_drafts_and_at_publication(app: TestApp) {
        let site = Site::open(app).await;
        let picture = |media_type: &str| json!({ "picture": { "id": "m", "mimeType": media_type } });
        let entry = site.published(json!({ "title": "A" })).await;
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": picture("text/html") }))).await;
        assert_eq!(issues(&refused), ["data.picture.mimeType INVALID_MIME_FOR_FIELD"]);
        site.update(&entry, json!({ "data": picture("image/gif") })).await;
        let rules = json!({ "collection": "posts", "fieldSlug": "picture", "validation": { "allowedMimeTypes": ["image/png"] } });
        site.admin::<UpdateField>(rules).await;
        let refused = site.refused::<PublishEntry>(Role::Author, named(&entry)).await;
        assert_eq!(issues(&refused), ["data.picture.mimeType INVALID_MIME_FOR_FIELD"]);
    }

    async fn what_a_media_value_says_beyond_its_known_members_is_kept(app: TestApp) {
        let site = Site::open(app).await;
        let picture = json!({ "id": "m", "alt": "", "size": 7, "url": "/x", "focus": { "x": 0.5 } });
        let entry = site.published(json!({ "title": "A", "picture": picture })).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["picture"], picture);
    }

    async fn a_required_field_is_not_cleared(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for value in [Value::Null, json!("")] {
            let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": { "title": value } }))).await;
            assert_eq!(issues(&refused), ["data.title REQUIRED"]);
        }
    }

    async fn a_unique_value_belongs_to_one_entry_a_locale_drafts_and_trash_included(app: TestApp) {
        let site = Site::open(app).await;
        let first = site.published(json!({ "title": "A", "code": "x" })).await;
        let taken = json!({ "collection": "posts", "data": { "title": "B", "code": "x" } });
        let refused = site.refused::<CreateEntry>(Role::Author, taken.clone()).await;
        assert_eq!((refused.code(), refused.details_json()), (Code::UniqueConflict, Some(&json!({ "field": "code", "path": "data.code" }))));
        // Another locale, another entry.
        let german = json!({ "collection": "posts", "data": { "title": "B", "code": "x" }, "locale": "de" });
        site.done::<CreateEntry>(Role::Author, german).await;
        // The live value stays taken while a draft changes it, and so is the draft's.
        site.update(&first, json!({ "data": { "code": "y" } })).await;
        for code in ["x", "y"] {
            let new = json!({ "collection": "posts", "data": { "title": "B", "code": code } });
            assert_eq!(site.code::<CreateEntry>(Role::Author, new).await, Code::UniqueConflict, "{code}");
        }
        site.publish(&first).await;
        let second = site.done::<CreateEntry>(Role::Author, taken).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&second, json!({ "data": { "code": "y" } }))).await, Code::UniqueConflict);
        site.done::<DeleteEntry>(Role::Author, named(&first)).await;
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&second, json!({ "data": { "code": "y" } }))).await, Code::UniqueConflict);
        site.done::<RestoreEntry>(Role::Author, named(&first)).await;
    }

    async fn a_dropped_field_neither_shows_nor_keeps_a_draft_from_being_published(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "b" })).await;
        site.update(&entry, json!({ "data": { "title": "B", "body": "c" } })).await;
        site.admin::<DeleteField>(json!({ "collection": "posts", "fieldSlug": "body" })).await;
        let draft = site.get(Role::Author, &entry).await;
        assert_eq!(draft["item"]["data"].get("body").or(draft["item"]["liveData"].get("body")), None);
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"].get("body"), None);
        let public = site.done::<PublishEntry>(Role::Author, named(&entry)).await;
        assert_eq!(public["item"]["data"], json!({ "title": "B", "kind": "article" }));
    }

    async fn seo_members_are_refused_where_there_are_none(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "plain", "data": { "title": "A" }, "seo": { "title": "S" } });
        assert_eq!(issues(&site.refused::<CreateEntry>(Role::Author, new).await), ["seo NOT_SUPPORTED"]);
        let new = json!({ "collection": "plain", "data": { "title": "A" } });
        assert_eq!(site.done::<CreateEntry>(Role::Author, new).await["item"].get("seo"), None);
    }

    async fn seo_members_that_are_left_out_stay_and_null_clears(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "seo": { "title": "S", "description": "D", "noIndex": true } })).await;
        let saved = site.update(&entry, json!({ "seo": { "title": null } })).await;
        assert_eq!(saved["item"]["seo"], json!({ "title": null, "description": "D", "image": null, "canonical": null, "noIndex": true }));
    }
}
