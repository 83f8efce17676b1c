//! Drafts: staged whole, published whole, and never a lost update.

use std::time::Duration;

use cms_content::entries::{
    compare::CompareEntry,
    create::CreateEntry,
    delete::DeleteEntry,
    discard_draft::DiscardDraft,
    duplicate::DuplicateEntry,
    get::GetEntry,
    list::ListEntries,
    permanent_delete::PermanentDeleteEntry,
    publish::PublishEntry,
    restore::RestoreEntry,
    revisions::{ListRevisions, RestoreRevision},
    schedule::ScheduleEntry,
    unpublish::UnpublishEntry,
    unschedule::UnscheduleEntry,
    update::UpdateEntry,
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, issues, named, with};

both! {
    async fn an_edit_of_seo_is_staged_with_the_rest(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let saved = site.update(&entry, json!({ "seo": { "title": "S" }, "data": { "body": "b" } })).await;
        assert_eq!(saved["item"]["seo"]["title"], "S");
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["seo"]["title"], Value::Null);
        site.publish(&entry).await;
        let public = site.get(Role::Subscriber, &entry).await;
        assert_eq!((&public["item"]["seo"]["title"], &public["item"]["data"]["body"]), (&json!("S"), &json!("b")));
    }

    async fn a_slug_sent_alone_is_staged_too(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let saved = site.update(&entry, json!({ "slug": "b" })).await;
        assert_eq!(saved["item"]["slug"], "b");
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["slug"], "a");
        site.publish(&entry).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["slug"], "b");
    }

    async fn nothing_is_saved_while_any_part_of_an_update_is_wrong(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let wrong = json!({ "data": { "body": "b", "price": "x", "nope": 1 }, "seo": { "canonical": "javascript:1" } });
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, wrong)).await;
        assert_eq!(issues(&refused), ["data.price INVALID_TYPE", "data.nope UNKNOWN_FIELD", "seo.canonical INVALID_URL"]);
        assert_eq!(site.get(Role::Author, &entry).await, entry);
    }

    async fn readers_see_the_same_bytes_until_a_draft_is_published(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let before = site.get(Role::Subscriber, &entry).await.to_string();
        site.clock().advance(Duration::from_secs(1));
        site.update(&entry, json!({ "data": { "title": "B" }, "slug": "b" })).await;
        let soon = site.now().after(Duration::from_mins(1));
        site.done::<ScheduleEntry>(Role::Author, with(&entry, json!({ "scheduledAt": soon }))).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await.to_string(), before);
    }

    async fn saving_a_draft_moves_the_version_and_not_the_date(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.clock().advance(Duration::from_secs(1));
        let saved = site.update(&entry, json!({ "data": { "title": "B" } })).await;
        assert_eq!(saved["item"]["updatedAt"], entry["item"]["updatedAt"]);
        assert_eq!(saved["item"]["version"], json!(entry["item"]["version"].as_i64().unwrap() + 1));
        assert_ne!(saved["_rev"], entry["_rev"]);
        let public = site.publish(&entry).await;
        assert_ne!(public["item"]["updatedAt"], entry["item"]["updatedAt"]);
    }

    async fn an_editor_gets_the_draft_and_the_live_values_beside_it(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        assert_eq!(entry["item"].get("liveData"), None);
        let saved = site.update(&entry, json!({ "data": { "title": "B" } })).await;
        assert_eq!(saved["item"]["data"]["title"], "B");
        assert_eq!(saved["item"]["liveData"]["title"], "A");
        assert_eq!(saved["item"]["status"], "published");
        assert_eq!(saved["item"]["hasDraft"], true);
    }

    async fn a_collection_without_drafts_is_public_at_once(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "plain", "data": { "title": "A" }, "status": "published" });
        let entry = site.done::<CreateEntry>(Role::Author, new).await;
        let saved = site.update(&entry, json!({ "data": { "title": "B" } })).await;
        assert_eq!(saved["item"]["hasDraft"], false);
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["title"], "B");
    }

    async fn a_save_that_changes_nothing_keeps_the_rev(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "price": 3 })).await;
        site.clock().advance(Duration::from_secs(1));
        let same = json!({ "data": { "title": "A", "price": 3, "body": null }, "slug": "a", "seo": {}, "_rev": entry["_rev"] });
        assert_eq!(site.update(&entry, same).await, entry);
    }

    async fn update_with_a_stale_or_malformed_rev_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "data": { "title": "B" }, "_rev": entry["_rev"] })).await;
        for rev in [entry["_rev"].clone(), json!("nonsense"), json!("")] {
            let stale = with(&entry, json!({ "data": { "title": "C" }, "_rev": rev }));
            assert_eq!(site.code::<UpdateEntry>(Role::Author, stale).await, Code::Conflict, "{rev}");
        }
        assert_eq!(site.get(Role::Author, &entry).await["item"]["data"]["title"], "B");
    }

    async fn of_many_updates_with_one_rev_one_wins(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let tries = (0..8).map(|n| {
            let (app, input) = ((*site).clone(), with(&entry, json!({ "data": { "title": format!("T{n}") }, "_rev": entry["_rev"] })));
            tokio::spawn(async move { app.call::<UpdateEntry>(Role::Author, input).await })
        });
        let mut won = 0;
        for task in tries.collect::<Vec<_>>() {
            match task.await.unwrap() {
                Ok(_) => won += 1,
                Err(error) => assert_eq!(error.code(), Code::Conflict),
            }
        }
        assert_eq!(won, 1);
    }

    async fn every_change_bumps_the_version_takes_a_rev_and_answers_with_the_next(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let at = site.now().after(Duration::from_hours(1));
        let revision = site.admin::<ListRevisions>(named(&entry)).await["items"][0]["id"].clone();
        let mut rev = entry["_rev"].clone();
        let mut version = 1;
        macro_rules! change {
            ($operation:ty, $input:expr) => {{
                let mut input = $input;
                input["_rev"] = json!("1-0");
                assert_eq!(site.code::<$operation>(Role::Admin, input.clone()).await, Code::Conflict, "{input}");
                input["_rev"] = rev.clone();
                let answer = site.admin::<$operation>(input).await;
                assert!(answer["_rev"] != rev && answer["_rev"].is_string(), "{answer}");
                rev = answer["_rev"].clone();
                version += 1;
                answer
            }};
        }
        change!(UpdateEntry, with(&entry, json!({ "data": { "title": "B" } })));
        change!(ScheduleEntry, with(&entry, json!({ "scheduledAt": at })));
        change!(UnscheduleEntry, named(&entry));
        change!(PublishEntry, named(&entry));
        change!(UpdateEntry, with(&entry, json!({ "data": { "title": "C" } })));
        change!(DiscardDraft, named(&entry));
        change!(RestoreRevision, json!({ "revisionId": revision }));
        change!(UnpublishEntry, named(&entry));
        change!(DeleteEntry, named(&entry));
        let restored = change!(RestoreEntry, named(&entry));
        assert_eq!(restored["item"]["version"], version);
        let deleted = change!(DeleteEntry, named(&entry));
        assert_eq!((&deleted["deleted"], &deleted["_rev"], version), (&json!(true), &rev, 12));
        let stale = with(&entry, json!({ "_rev": "1-0" }));
        assert_eq!(site.code::<PermanentDeleteEntry>(Role::Admin, stale).await, Code::Conflict);
    }

    async fn every_change_answers_the_whole_item(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let keys = |answer: &Value| answer["item"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let expected = keys(&site.get(Role::Author, &entry).await);
        let at = site.now().after(Duration::from_hours(1));
        for answer in [
            site.admin::<ScheduleEntry>(with(&entry, json!({ "scheduledAt": at }))).await,
            site.admin::<UnscheduleEntry>(named(&entry)).await,
            site.admin::<UnpublishEntry>(named(&entry)).await,
            site.admin::<PublishEntry>(named(&entry)).await,
            site.admin::<DiscardDraft>(named(&entry)).await,
            site.admin::<DuplicateEntry>(named(&entry)).await,
        ] {
            assert_eq!(keys(&answer), expected);
        }
        site.admin::<DeleteEntry>(named(&entry)).await;
        assert_eq!(keys(&site.admin::<RestoreEntry>(named(&entry)).await), expected);
    }

    async fn an_editors_list_shows_the_newest_content(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "price": 1 })).await;
        site.update(&entry, json!({ "data": { "title": "B", "price": 2 } })).await;
        let list = |role, price| site.done::<ListEntries>(role, json!({ "collection": "posts", "fieldFilters": { "price": price } }));
        assert_eq!(list(Role::Author, 2).await["items"][0]["data"]["title"], "B");
        assert_eq!(list(Role::Author, 1).await["items"], json!([]));
        assert_eq!(list(Role::Subscriber, 1).await["items"][0]["data"]["title"], "A");
        assert_eq!(list(Role::Subscriber, 2).await["items"], json!([]));
    }

    async fn a_copy_has_the_newest_content_and_its_own_name(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "code": "x" })).await;
        site.update(&entry, json!({ "data": { "title": "B" }, "seo": { "canonical": "https://a.example/", "title": "S" } })).await;
        let copy = site.done::<DuplicateEntry>(Role::Editor, named(&entry)).await;
        assert_eq!(copy["item"]["data"]["title"], "B (Copy)");
        assert_eq!(copy["item"]["slug"], "b-copy");
        assert_eq!(copy["item"]["status"], "draft");
        assert_eq!(copy["item"]["authorId"], json!(TestApp::user(Role::Editor)));
        assert_eq!(copy["item"]["translationGroup"], copy["item"]["id"]);
        assert_eq!(copy["item"]["seo"], json!({ "title": "S", "description": null, "image": null, "canonical": null, "noIndex": false }));
        assert_eq!(copy["item"]["data"].get("code"), None);
        assert_eq!(site.code::<DuplicateEntry>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
    }

    async fn create_and_publish_is_one_transaction(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        assert_eq!(entry["item"]["status"], "published");
        assert!(entry["_rev"].is_string() && entry["item"]["liveRevisionId"].is_string());
        let unaddressed = json!({ "collection": "posts", "data": { "title": "!" }, "slug": null, "status": "published" });
        site.done::<CreateEntry>(Role::Author, unaddressed).await;
        // A contributor may create, and not publish: nothing is left behind.
        let new = json!({ "collection": "posts", "data": { "title": "C" }, "status": "published" });
        assert_eq!(site.code::<CreateEntry>(Role::Contributor, new).await, Code::InsufficientPermissions);
        let list = site.done::<ListEntries>(Role::Author, json!({ "collection": "posts", "includeTotal": true })).await;
        assert_eq!(list["total"], 2);
    }

    async fn status_on_update_leaves_no_impossible_state(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let drafted = site.update(&entry, json!({ "status": "draft", "data": { "title": "B" } })).await;
        assert_eq!(drafted["item"]["status"], "draft");
        assert_eq!(drafted["item"]["liveRevisionId"], Value::Null);
        assert_eq!(drafted["item"]["data"]["title"], "B");
        assert_eq!(drafted["item"]["publishedAt"], entry["item"]["publishedAt"]);
        let public = site.update(&entry, json!({ "status": "published", "data": { "title": "C" } })).await;
        assert_eq!((&public["item"]["status"], &public["item"]["hasDraft"]), (&json!("published"), &json!(false)));
        assert_eq!(public["item"]["publishedAt"], entry["item"]["publishedAt"]);
    }

    async fn publishing_again_keeps_the_date_and_an_editor_may_set_it(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.clock().advance(Duration::from_mins(1));
        assert_eq!(site.publish(&entry).await["item"]["publishedAt"], entry["item"]["publishedAt"]);
        let dated = with(&entry, json!({ "publishedAt": "2020-01-01T01:00:00+01:00" }));
        assert_eq!(site.code::<PublishEntry>(Role::Author, dated.clone()).await, Code::InsufficientPermissions);
        let answer = site.done::<PublishEntry>(Role::Editor, dated).await;
        assert_eq!(answer["item"]["publishedAt"], "2020-01-01T00:00:00.000Z");
        let cleared = with(&entry, json!({ "publishedAt": null }));
        assert_eq!(site.code::<UpdateEntry>(Role::Author, cleared.clone()).await, Code::InsufficientPermissions);
        assert_eq!(issues(&site.refused::<UpdateEntry>(Role::Editor, cleared).await), ["publishedAt REQUIRED"]);
    }

    async fn an_edit_by_an_editor_leaves_the_owner(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let saved = site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "data": { "title": "B" } }))).await;
        assert_eq!(saved["item"]["authorId"], json!(TestApp::user(Role::Author)));
        let given = with(&entry, json!({ "authorId": TestApp::user(Role::Editor) }));
        assert_eq!(site.code::<UpdateEntry>(Role::Author, given.clone()).await, Code::InsufficientPermissions);
        let saved = site.done::<UpdateEntry>(Role::Editor, given).await;
        assert_eq!(saved["item"]["authorId"], json!(TestApp::user(Role::Editor)));
        let nobody = with(&entry, json!({ "authorId": "01ARZ3NDEKTSV4RRFFQ69G5FAV" }));
        assert_eq!(issues(&site.refused::<UpdateEntry>(Role::Editor, nobody).await), ["authorId UNKNOWN_USER"]);
    }

    async fn compare_tells_what_differs_by_field(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A", "body": "b" })).await;
        let compared = site.done::<CompareEntry>(Role::Author, named(&entry)).await;
        assert_eq!((&compared["hasChanges"], &compared["draft"], &compared["changes"]), (&json!(false), &Value::Null, &json!([])));
        site.update(&entry, json!({ "data": { "title": "B", "body": null, "price": 1 }, "slug": "b", "seo": { "noIndex": true } })).await;
        let compared = site.done::<CompareEntry>(Role::Author, named(&entry)).await;
        assert_eq!(compared["hasChanges"], true);
        assert_eq!(compared["live"]["data"]["title"], "A");
        assert_eq!(compared["draft"]["slug"], "b");
        assert_eq!(
            compared["changes"],
            json!([
                { "path": "data.title", "kind": "changed", "live": "A", "draft": "B" },
                { "path": "data.body", "kind": "removed", "live": "b", "draft": null },
                { "path": "slug", "kind": "changed", "live": "a", "draft": "b" },
                { "path": "seo.noIndex", "kind": "changed", "live": false, "draft": true },
                { "path": "data.price", "kind": "added", "live": null, "draft": 1 },
            ])
        );
        // A draft that says what is live already changes nothing, whatever its pointers are.
        site.update(&entry, json!({ "data": { "title": "A", "body": "b", "price": null }, "slug": "a", "seo": { "noIndex": false } })).await;
        assert_eq!(site.done::<CompareEntry>(Role::Author, named(&entry)).await["hasChanges"], false);
    }

    async fn compare_shows_what_was_never_published(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let compared = site.done::<CompareEntry>(Role::Contributor, named(&entry)).await;
        assert_eq!((&compared["hasChanges"], &compared["live"]), (&json!(true), &Value::Null));
        assert_eq!(compared["draft"]["data"]["title"], "A");
    }

    async fn a_discarded_draft_leaves_what_is_live(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        let kept = site.done::<DiscardDraft>(Role::Author, named(&entry)).await;
        assert_eq!((&kept["item"]["data"]["title"], &kept["item"]["hasDraft"]), (&json!("A"), &json!(false)));
        assert_eq!(kept["item"]["draftRevisionId"], Value::Null);
        assert_eq!(site.done::<DiscardDraft>(Role::Author, named(&entry)).await, kept);
    }

    async fn the_trash_hides_an_entry_and_keeps_its_state(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<DeleteEntry>(Role::Author, named(&entry)).await;
        for role in [Role::Subscriber, Role::Admin] {
            assert_eq!(site.code::<GetEntry>(role, named(&entry)).await, Code::NotFound);
        }
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": {} }))).await, Code::NotFound);
        let taken = json!({ "collection": "posts", "data": { "title": "B" }, "slug": "a" });
        assert_eq!(site.code::<CreateEntry>(Role::Author, taken).await, Code::SlugConflict);
        site.done::<RestoreEntry>(Role::Author, with(&entry, json!({ "id": "a" }))).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["slug"], "a");
        assert_eq!(site.code::<RestoreEntry>(Role::Author, named(&entry)).await, Code::NotFound);
    }

    async fn only_what_is_in_the_trash_is_removed_for_ever(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        assert_eq!(site.code::<PermanentDeleteEntry>(Role::Editor, named(&entry)).await, Code::InsufficientPermissions);
        assert_eq!(site.code::<PermanentDeleteEntry>(Role::Admin, named(&entry)).await, Code::NotFound);
        let revision = site.admin::<ListRevisions>(named(&entry)).await["items"][0]["id"].clone();
        site.admin::<DeleteEntry>(named(&entry)).await;
        let gone = site.admin::<PermanentDeleteEntry>(named(&entry)).await;
        assert_eq!(gone, json!({ "deleted": true, "id": entry["item"]["id"] }));
        let restore = json!({ "revisionId": revision });
        assert_eq!(site.code::<RestoreRevision>(Role::Admin, restore).await, Code::NotFound);
        site.published(json!({ "title": "A", "code": "x" })).await;
    }

    async fn a_publication_date_waits_with_the_draft_and_goes_live_with_it(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let date = json!("2020-01-01T00:00:00.000Z");
        let dated = with(&entry, json!({ "publishedAt": date }));
        let before = site.get(Role::Subscriber, &entry).await;
        site.clock().advance(Duration::from_secs(1));
        let saved = site.done::<UpdateEntry>(Role::Editor, dated.clone()).await;
        assert_eq!((&saved["item"]["publishedAt"], &saved["item"]["hasDraft"]), (&date, &json!(true)));
        assert_eq!(site.get(Role::Subscriber, &entry).await, before);
        let compared = site.done::<CompareEntry>(Role::Author, named(&entry)).await;
        let change = json!({ "path": "publishedAt", "kind": "changed", "live": before["item"]["publishedAt"], "draft": date });
        assert_eq!((&compared["hasChanges"], &compared["changes"]), (&json!(true), &json!([change])));
        // A later save of somebody who may not give dates keeps the one that waits.
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        let public = site.publish(&entry).await;
        assert_eq!((&public["item"]["publishedAt"], &public["item"]["data"]["title"]), (&date, &json!("B")));
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["publishedAt"], date);
        // The date that is live already is no change.
        assert_eq!(site.done::<UpdateEntry>(Role::Editor, dated).await, public);
    }

    async fn a_discarded_draft_takes_its_publication_date_along(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let dated = with(&entry, json!({ "publishedAt": "2020-01-01T00:00:00Z", "data": { "title": "B" } }));
        site.done::<UpdateEntry>(Role::Editor, dated).await;
        let kept = site.done::<DiscardDraft>(Role::Author, named(&entry)).await;
        assert_eq!((&kept["item"]["publishedAt"], &kept["item"]["hasDraft"]), (&entry["item"]["publishedAt"], &json!(false)));
        assert_eq!(site.publish(&entry).await["item"]["publishedAt"], entry["item"]["publishedAt"]);
    }

    async fn a_publication_date_is_public_at_once_where_edits_are(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "plain", "data": { "title": "A" }, "status": "published" });
        let entry = site.done::<CreateEntry>(Role::Author, new).await;
        site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "publishedAt": "2020-01-01T00:00:00Z" }))).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["publishedAt"], "2020-01-01T00:00:00.000Z");
    }
}
