//! What becomes of fields and collections that go, and of their content.

use cms_content::{
    entries::{
        compare::CompareEntry,
        delete::DeleteEntry,
        get::GetEntry,
        lock::AcquireLock,
        publish::PublishEntry,
        revisions::{GetRevision, ListRevisions},
        update::UpdateEntry,
    },
    schema::{collections::ListCollections, delete_collection::DeleteCollection, orphans::ListOrphans},
};
use cms_core::both;
use cms_domain::user::Role;
use cms_storage::Totals;
use serde_json::json;

use super::*;

async fn act<O: cms_frame::operation::Operation>(app: &TestApp, id: &str, mut input: Value) -> Value {
    input["collection"] = json!("posts");
    input["id"] = json!(id);
    app.call::<O>(Role::Editor, input).await.unwrap()
}

/// Every stored document of `posts`, published or staged.
async fn documents(app: &TestApp) -> Vec<Value> {
    let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
    let entries = app.store().reader().entries().by_collection(collection.id, None, 100).await.unwrap();
    let documents = entries.iter().flat_map(|entry| std::iter::once(&entry.live).chain(&entry.draft));
    documents.map(|document| document.data.as_stored().members().unwrap().into()).collect()
}

both! {
    async fn a_dropped_field_in_a_draft_does_not_keep_it_from_being_published(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "mood", "type": "string" }])).await;
        let id = entry(&app, json!({ "title": "One", "mood": "glad" })).await;
        act::<PublishEntry>(&app, &id, json!({})).await;
        act::<UpdateEntry>(&app, &id, json!({ "data": { "title": "Two", "mood": "sad" } })).await;
        drop_field(&app, "mood").await;
        let item = act::<PublishEntry>(&app, &id, json!({})).await["item"].clone();
        assert_eq!(item["data"], json!({ "title": "Two" }));
    }

    async fn values_of_a_dropped_field_are_gone_for_readers_at_once_and_from_documents_soon(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "mood", "type": "string" }])).await;
        let id = entry(&app, json!({ "title": "One", "mood": "glad" })).await;
        act::<PublishEntry>(&app, &id, json!({})).await;
        act::<UpdateEntry>(&app, &id, json!({ "data": { "mood": "sad" } })).await;
        let before = act::<GetEntry>(&app, &id, json!({})).await;
        drop_field(&app, "mood").await;
        let item = act::<GetEntry>(&app, &id, json!({})).await["item"].clone();
        assert_eq!((&item["data"], &item["liveData"]), (&json!({ "title": "One" }), &json!({ "title": "One" })));
        let revision = json!({ "revisionId": before["item"]["draftRevisionId"] });
        let revision = app.call::<GetRevision>(Role::Editor, revision).await.unwrap();
        assert!(!revision.to_string().contains("sad"), "{revision}");
        act::<CompareEntry>(&app, &id, json!({})).await;
        assert!(documents(&app).await.iter().all(|document| document["mood"] != Value::Null));
        app.settle().await.unwrap();
        assert_eq!(documents(&app).await, [json!({ "title": "One" }), json!({ "title": "One" })]);
        let after = act::<GetEntry>(&app, &id, json!({})).await;
        assert_eq!(after["_rev"], before["_rev"], "nothing that an editor wrote has changed");
        let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
        assert!(!collection.has_leftovers);
    }

    async fn a_new_field_does_not_find_the_values_of_a_dropped_one_of_its_name(app: TestApp) {
        posts(&app, json!([{ "slug": "mood", "type": "string" }])).await;
        let id = entry(&app, json!({ "mood": "glad" })).await;
        drop_field(&app, "mood").await;
        add_field(&app, json!({ "slug": "mood", "type": "integer" })).await.unwrap();
        assert_eq!(act::<GetEntry>(&app, &id, json!({})).await["item"]["data"], json!({}));
        app.settle().await.unwrap();
        act::<UpdateEntry>(&app, &id, json!({ "data": { "mood": 1 } })).await;
        app.settle().await.unwrap();
        assert_eq!(documents(&app).await, [json!({ "mood": 1 })]);
    }

    async fn what_names_a_dropped_field_no_longer_does(app: TestApp) {
        let fields = labelled(json!([{ "slug": "name", "type": "string" }, { "slug": "day", "type": "datetime" }, { "slug": "n", "type": "integer" }]));
        let input = json!({
            "slug": "posts", "label": "Posts", "fields": fields, "titleField": "name", "dateField": "day",
            "admin": { "listColumns": ["name", "n"] }, "indexes": [{ "fields": ["name", "day"] }, { "fields": ["n", "day"] }],
        });
        collection(&app, input).await;
        drop_field(&app, "name").await;
        let item = get(&app).await;
        assert_eq!((&item["titleField"], &item["dateField"]), (&Value::Null, &json!("day")));
        assert_eq!(item["admin"], json!({ "listColumns": ["n"] }));
        assert_eq!(item["indexes"], json!([{ "fields": ["n", "day"], "state": "ready" }]));
    }

    async fn a_collection_with_entries_is_kept_even_when_they_are_in_the_trash(app: TestApp) {
        posts(&app, json!([])).await;
        let id = entry(&app, json!({})).await;
        act::<DeleteEntry>(&app, &id, json!({})).await;
        let error = app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts" })).await.unwrap_err();
        assert_eq!((error.code(), error.details_json()), (Code::CollectionHasContent, Some(&json!({ "entries": 0, "trashed": 1 }))));
    }

    async fn an_empty_collection_is_deleted_and_its_name_is_free(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        let deleted = app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts" })).await.unwrap();
        assert_eq!(deleted, json!({ "deleted": true, "slug": "posts" }));
        posts(&app, json!([])).await;
    }

    async fn nothing_of_a_deleted_collection_stays_behind(app: TestApp) {
        let fields = json!([
            { "slug": "title", "type": "string" }, { "slug": "sku", "type": "string", "unique": true },
            { "slug": "next", "type": "reference", "options": { "collection": "posts", "onDelete": "restrict" } },
        ]);
        let made = posts(&app, fields.clone()).await;
        let first = entry(&app, json!({ "title": "One", "sku": "a" })).await;
        let second = entry(&app, json!({ "title": "Two", "sku": "b", "next": first })).await;
        act::<AcquireLock>(&app, &first, json!({})).await;
        let revisions = act::<ListRevisions>(&app, &second, json!({})).await;
        act::<DeleteEntry>(&app, &second, json!({})).await;
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        assert_eq!(app.call::<ListCollections>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
        assert_eq!(app.call::<ListOrphans>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
        let (rows, now) = (app.store().reader(), cms_frame::Clock::now(app.clock()));
        assert_eq!(rows.entries().totals(made["id"].as_str().unwrap().parse().unwrap()).await.unwrap(), Totals::default());
        assert!(rows.entries().referring(first.parse().unwrap()).await.unwrap().is_empty());
        assert!(rows.locks().get(first.parse().unwrap(), now).await.unwrap().is_none());
        for revision in revisions["items"].as_array().unwrap() {
            assert!(rows.revisions().get(revision["id"].as_str().unwrap().parse().unwrap()).await.unwrap().is_none());
        }
        posts(&app, fields).await;
        entry(&app, json!({ "title": "One", "sku": "a" })).await;
    }

    async fn references_to_a_deleted_collection_are_taken_out_of_others(app: TestApp) {
        posts(&app, json!([])).await;
        let field = json!({ "slug": "about", "label": "About", "type": "reference", "options": { "collection": "posts" } });
        collection(&app, json!({ "slug": "notes", "label": "Notes", "fields": [field] })).await;
        let post = entry(&app, json!({})).await;
        let note = entry_in(&app, json!({ "collection": "notes", "data": { "about": post } })).await;
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        let note = app.call::<GetEntry>(Role::Editor, json!({ "collection": "notes", "id": note })).await.unwrap();
        assert_eq!(note["item"]["data"], json!({}));
    }

    async fn a_reference_that_keeps_its_target_keeps_the_whole_collection(app: TestApp) {
        posts(&app, json!([])).await;
        let options = json!({ "collection": "posts", "onDelete": "restrict" });
        let field = json!({ "slug": "about", "label": "About", "type": "reference", "options": options });
        collection(&app, json!({ "slug": "notes", "label": "Notes", "fields": [field] })).await;
        let post = entry(&app, json!({})).await;
        entry_in(&app, json!({ "collection": "notes", "data": { "about": post } })).await;
        let error = app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap_err();
        assert_eq!(error.code(), Code::Referenced);
        act::<GetEntry>(&app, &post, json!({})).await;
    }
}
