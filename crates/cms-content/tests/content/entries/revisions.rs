//! History: one revision a save, with its author.

use std::time::Duration;

use cms_content::{
    entries::{
        create::CreateEntry,
        revisions::{GetRevision, ListRevisions, RestoreRevision},
        update::UpdateEntry,
    },
    schema::{create_field::CreateField, delete_field::DeleteField, update_field::UpdateField},
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

both! {
    async fn a_revision_names_who_saved(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "data": { "title": "B" } }))).await;
        let page = site.done::<ListRevisions>(Role::Contributor, named(&entry)).await;
        let seen: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| (&item["data"]["title"], &item["authorId"])).collect();
        let (author, editor) = (json!(TestApp::user(Role::Author)), json!(TestApp::user(Role::Editor)));
        assert_eq!(seen, [(&json!("B"), &editor), (&json!("A"), &author)]);
        assert_eq!(page["total"], 2);
    }

    async fn a_revision_tells_what_whoever_saved_is_known_as_though_they_own_no_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "data": { "title": "B" } }))).await;
        let editor = site.store().reader().users().by_id(TestApp::user(Role::Editor)).await.unwrap().unwrap();
        let page = site.done::<ListRevisions>(Role::Contributor, named(&entry)).await;
        assert_eq!(page["items"][0]["authorName"], editor.known_as());
        let one = site.done::<GetRevision>(Role::Contributor, json!({ "revisionId": page["items"][0]["id"] })).await;
        assert_eq!(one["item"]["authorName"], editor.known_as());
    }

    async fn autosaves_of_one_author_replace_one_revision(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let save = async |role, title| {
            let change = json!({ "data": { "title": title }, "skipRevision": true });
            site.done::<UpdateEntry>(role, with(&entry, change)).await["item"]["draftRevisionId"].clone()
        };
        let first = save(Role::Author, "B").await;
        assert_eq!(save(Role::Author, "C").await, first);
        let other = save(Role::Editor, "D").await;
        assert_ne!(other, first);
        site.clock().advance(Duration::from_mins(10));
        assert_ne!(save(Role::Editor, "E").await, other);
        let page = site.admin::<ListRevisions>(named(&entry)).await;
        let titles: Vec<_> = page["items"].as_array().unwrap().iter().map(|item| item["data"]["title"].as_str().unwrap()).collect();
        assert_eq!(titles, ["E", "D", "C", "A"]);
    }

    async fn an_autosave_never_replaces_what_is_live_or_was_asked_for(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let autosaved = site.update(&entry, json!({ "data": { "title": "B" }, "skipRevision": true })).await;
        let public = site.publish(&entry).await;
        assert_eq!(public["item"]["liveRevisionId"], autosaved["item"]["draftRevisionId"]);
        let next = site.update(&entry, json!({ "data": { "title": "C" }, "skipRevision": true })).await;
        assert_ne!(next["item"]["draftRevisionId"], public["item"]["liveRevisionId"]);
        let saved = site.update(&entry, json!({ "data": { "title": "D" } })).await;
        assert_ne!(saved["item"]["draftRevisionId"], next["item"]["draftRevisionId"]);
        let last = site.update(&entry, json!({ "data": { "title": "E" }, "skipRevision": true })).await;
        assert_ne!(last["item"]["draftRevisionId"], saved["item"]["draftRevisionId"]);
    }

    async fn a_restored_revision_is_a_new_draft(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "b" })).await;
        site.update(&entry, json!({ "data": { "title": "B", "body": null, "price": 1 }, "slug": "b", "seo": { "title": "S" } })).await;
        site.publish(&entry).await;
        let page = site.admin::<ListRevisions>(named(&entry)).await;
        let oldest = page["items"][1]["id"].clone();
        let restored = site.done::<RestoreRevision>(Role::Author, json!({ "revisionId": oldest })).await;
        assert_eq!(restored["item"]["data"], json!({ "title": "A", "kind": "article", "body": "b" }));
        assert_eq!((&restored["item"]["slug"], &restored["item"]["seo"]["title"]), (&json!("a"), &Value::Null));
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["title"], "B");
        assert_eq!(site.publish(&entry).await["item"]["data"]["title"], "A");
    }

    async fn a_revision_from_before_a_change_of_fields_fits_the_fields_there_are(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "b" })).await;
        let first = entry["item"]["liveRevisionId"].clone();
        site.admin::<DeleteField>(json!({ "collection": "posts", "fieldSlug": "body" })).await;
        site.admin::<CreateField>(json!({ "collection": "posts", "slug": "lead", "label": "Lead", "type": "string" })).await;
        site.update(&entry, json!({ "data": { "title": "B", "lead": "l" } })).await;
        site.admin::<UpdateField>(json!({ "collection": "posts", "fieldSlug": "lead", "required": true })).await;
        let restored = site.done::<RestoreRevision>(Role::Author, json!({ "revisionId": first })).await;
        assert_eq!(restored["item"]["data"], json!({ "title": "A", "kind": "article", "lead": "l" }));
        site.admin::<UpdateField>(json!({ "collection": "posts", "fieldSlug": "title", "validation": { "minLength": 2 } })).await;
        site.update(&entry, json!({ "data": { "title": "Long" } })).await;
        let refused = site.refused::<RestoreRevision>(Role::Author, json!({ "revisionId": first })).await;
        assert_eq!(issues(&refused), ["data.title TOO_SHORT"]);
    }

    async fn revisions_come_in_pages(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "0" })).await;
        for n in 1..4 {
            site.update(&entry, json!({ "data": { "title": n.to_string() } })).await;
        }
        let first = site.admin::<ListRevisions>(with(&entry, json!({ "limit": 3 }))).await;
        assert_eq!((first["items"].as_array().unwrap().len(), &first["total"]), (3, &json!(4)));
        let second = site.admin::<ListRevisions>(with(&entry, json!({ "limit": 3, "cursor": first["nextCursor"] }))).await;
        assert_eq!(second["items"][0]["data"]["title"], "0");
        assert_eq!(second.get("nextCursor"), None);
        let other = site.draft(json!({ "title": "Other" })).await;
        let foreign = with(&other, json!({ "cursor": first["nextCursor"] }));
        assert_eq!(site.code::<ListRevisions>(Role::Admin, foreign).await, Code::InvalidCursor);
    }

    async fn history_is_for_those_who_may_read_drafts(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let id = json!({ "revisionId": entry["item"]["liveRevisionId"] });
        assert_eq!(site.code::<GetRevision>(Role::Subscriber, id.clone()).await, Code::InsufficientPermissions);
        assert_eq!(site.code::<ListRevisions>(Role::Subscriber, named(&entry)).await, Code::InsufficientPermissions);
        assert_eq!(site.done::<GetRevision>(Role::Contributor, id.clone()).await["item"]["data"]["title"], "A");
        assert_eq!(site.code::<RestoreRevision>(Role::Contributor, id).await, Code::InsufficientPermissions);
    }

    async fn a_collection_without_revisions_keeps_none(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "plain", "data": { "title": "A" }, "status": "published" });
        let entry = site.done::<CreateEntry>(Role::Author, new).await;
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        assert_eq!(site.admin::<ListRevisions>(named(&entry)).await, json!({ "items": [], "total": 0 }));
        assert_eq!(entry["item"]["liveRevisionId"], Value::Null);
    }
}
