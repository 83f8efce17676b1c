//! Fields: made, changed, put in order, indexed.

use cms_content::{
    entries::{get::GetEntry, list::ListEntries, publish::PublishEntry, update::UpdateEntry},
    schema::{
        fields::{GetField, ListFields, ReorderFields},
        update_collection::UpdateCollection,
    },
};
use cms_core::both;
use cms_domain::user::Role;
use serde_json::json;

use super::*;

/// Every type, with what it needs to be made.
fn sixteen() -> Value {
    json!([
        { "slug": "string", "type": "string" }, { "slug": "text", "type": "text" }, { "slug": "url", "type": "url" },
        { "slug": "number", "type": "number" }, { "slug": "integer", "type": "integer" }, { "slug": "boolean", "type": "boolean" },
        { "slug": "datetime", "type": "datetime" }, { "slug": "select", "type": "select", "validation": { "options": ["a"] } },
        { "slug": "multi", "type": "multiSelect" }, { "slug": "body", "type": "portableText" }, { "slug": "image", "type": "image" },
        { "slug": "file", "type": "file" }, { "slug": "reference", "type": "reference", "options": { "collection": "posts" } },
        { "slug": "json", "type": "json" }, { "slug": "address", "type": "slug" },
        { "slug": "rows", "type": "repeater", "validation": { "subFields": [{ "slug": "a", "type": "string", "label": "A" }] } },
    ])
}

async fn fields(app: &TestApp) -> Vec<Value> {
    let answer = app.call::<ListFields>(Role::Editor, json!({ "collection": "posts" })).await.unwrap();
    answer["items"].as_array().unwrap().clone()
}

async fn read(app: &TestApp, id: &str) -> Value {
    app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap()["item"].clone()
}

async fn publish(app: &TestApp, id: &str) -> Result<Value, Error> {
    app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await
}

both! {
    async fn every_type_can_be_made(app: TestApp) {
        posts(&app, json!([])).await;
        for field in sixteen().as_array().unwrap() {
            let made = add_field(&app, field.clone()).await.unwrap();
            assert_eq!(made["type"], field["type"]);
        }
        assert_eq!(fields(&app).await.len(), 16);
    }

    async fn a_new_field_has_the_defaults_and_null_where_nothing_is_set(app: TestApp) {
        let collection = posts(&app, json!([])).await;
        app.clock().advance(std::time::Duration::from_secs(1));
        let made = add_field(&app, json!({ "slug": "note", "type": "string" })).await.unwrap();
        assert_ne!(made["_rev"], collection["_rev"]);
        let expected = json!({
            "id": made["id"], "collectionId": collection["id"], "slug": "note", "formerSlugs": [], "formerTypes": [], "label": "note", "type": "string", "required": false,
            "unique": false, "uniqueState": null, "defaultValue": null, "validation": null, "widget": null, "options": null, "sortOrder": 0,
            "searchable": false, "indexed": false, "translatable": true, "index": null,
            "createdAt": "2027-01-01T00:00:01.000Z", "updatedAt": "2027-01-01T00:00:01.000Z", "_rev": made["_rev"],
        });
        assert_eq!(made, expected);
        let input = json!({ "collection": "posts", "fieldSlug": "note" });
        assert_eq!(app.call::<GetField>(Role::Editor, input).await.unwrap()["item"], expected);
    }

    async fn a_field_comes_last_unless_it_has_a_place(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string", "sortOrder": 7 }])).await;
        assert_eq!(add_field(&app, json!({ "slug": "b", "type": "string" })).await.unwrap()["sortOrder"], 8);
    }

    async fn names_of_entry_members_are_reserved(app: TestApp) {
        posts(&app, json!([])).await;
        for slug in ["id", "slug", "status", "locale", "translation_group", "version", "terms", "bylines", "reorder"] {
            assert_eq!(add_field(&app, json!({ "slug": slug, "type": "string" })).await.unwrap_err().code(), Code::ReservedSlug, "{slug}");
        }
    }

    async fn a_field_exists_once(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        assert_eq!(add_field(&app, json!({ "slug": "a", "type": "text" })).await.unwrap_err().code(), Code::FieldExists);
    }

    async fn a_missing_field_is_404(app: TestApp) {
        posts(&app, json!([])).await;
        assert_eq!(update_field(&app, "a", json!({})).await.unwrap_err().code(), Code::FieldNotFound);
        let input = json!({ "collection": "posts", "fieldSlug": "a" });
        assert_eq!(app.call::<GetField>(Role::Admin, input.clone()).await.unwrap_err().code(), Code::FieldNotFound);
        assert_eq!(app.call::<DeleteField>(Role::Admin, input).await.unwrap_err().code(), Code::FieldNotFound);
    }

    async fn a_default_follows_the_rules_of_its_field(app: TestApp) {
        posts(&app, json!([])).await;
        for (field, code) in [
            (json!({ "slug": "a", "type": "integer", "defaultValue": "1" }), "INVALID_TYPE"),
            (json!({ "slug": "a", "type": "string", "validation": { "maxLength": 2 }, "defaultValue": "abc" }), "TOO_LONG"),
            (json!({ "slug": "a", "type": "select", "validation": { "options": ["x"] }, "defaultValue": "y" }), "INVALID_OPTION"),
            (json!({ "slug": "a", "type": "string", "required": true, "defaultValue": "" }), "REQUIRED"),
        ] {
            assert_eq!(problems(&add_field(&app, field.clone()).await.unwrap_err()), issue("defaultValue", code), "{field}");
        }
        let made = add_field(&app, json!({ "slug": "a", "type": "datetime", "defaultValue": "2027-01-01T01:00:00+01:00" })).await.unwrap();
        assert_eq!(made["defaultValue"], "2027-01-01T00:00:00.000Z", "in its canonical form");
    }

    async fn a_new_required_field_fills_nothing_in_and_is_asked_for_when_an_entry_is_next_published(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }])).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        publish(&app, &id).await.unwrap();
        add_field(&app, json!({ "slug": "rating", "type": "integer", "required": true })).await.unwrap();
        assert_eq!(read(&app, &id).await["data"], json!({ "title": "One" }));
        let save = json!({ "collection": "posts", "id": id, "data": { "title": "Two" } });
        app.call::<UpdateEntry>(Role::Editor, save).await.unwrap();
        assert_eq!(problems(&publish(&app, &id).await.unwrap_err()), issue("data.rating", "REQUIRED"));
        let save = json!({ "collection": "posts", "id": id, "data": { "rating": 5 } });
        app.call::<UpdateEntry>(Role::Editor, save).await.unwrap();
        publish(&app, &id).await.unwrap();
    }

    async fn what_is_left_out_of_an_update_stays_and_null_clears(app: TestApp) {
        let field = json!({
            "slug": "a", "type": "string", "required": true, "defaultValue": "x", "validation": { "maxLength": 9 }, "widget": "w",
            "options": { "rows": 2 }, "searchable": true, "indexed": true, "unique": false, "translatable": false,
        });
        posts(&app, json!([field])).await;
        let before = fields(&app).await[0].clone();
        app.clock().advance(std::time::Duration::from_secs(1));
        let mut after = update_field(&app, "a", json!({})).await.unwrap();
        assert_eq!(after["updatedAt"].take(), "2027-01-01T00:00:01.000Z");
        assert_ne!(after["_rev"].take(), before["_rev"], "it is another state, though it looks the same");
        for changed in ["updatedAt", "_rev"] {
            after[changed] = before[changed].clone();
        }
        assert_eq!(after, before);
        let cleared = update_field(&app, "a", json!({ "defaultValue": null, "validation": null, "widget": null, "options": null })).await.unwrap();
        for name in ["defaultValue", "validation", "widget", "options"] {
            assert_eq!(cleared[name], Value::Null, "{name}");
        }
    }

    async fn an_order_of_fields_that_leaves_one_out_is_refused_and_changes_nothing(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }, { "slug": "c", "type": "string" }])).await;
        let reorder = async |slugs: Value| app.call::<ReorderFields>(Role::Admin, json!({ "collection": "posts", "fieldSlugs": slugs })).await;
        let names = |fields: Vec<Value>| fields.iter().map(|field| field["slug"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        reorder(json!(["c", "a", "b"])).await.unwrap();
        assert_eq!(names(fields(&app).await), ["c", "a", "b"]);
        for wrong in [json!(["a"]), json!(["a", "b", "c", "c"]), json!(["a", "b", "x"])] {
            assert_eq!(reorder(wrong).await.unwrap_err().code(), Code::ReorderMismatch);
        }
        assert_eq!(names(fields(&app).await), ["c", "a", "b"]);
    }

    async fn an_index_over_existing_entries_is_built_in_the_background(app: TestApp) {
        posts(&app, json!([{ "slug": "rating", "type": "integer" }])).await;
        for rating in [3, 1, 2] {
            entry(&app, json!({ "rating": rating })).await;
        }
        let list = json!({ "collection": "posts", "orderBy": "rating", "order": "asc" });
        assert_eq!(problems(&app.call::<ListEntries>(Role::Editor, list.clone()).await.unwrap_err()).0, Code::ValidationError);
        let field = update_field(&app, "rating", json!({ "indexed": true })).await.unwrap();
        assert_eq!(field["index"], json!({ "state": "building", "done": 0, "total": 3, "attempts": 0, "lastError": null }));
        let building = app.call::<ListEntries>(Role::Editor, list.clone()).await.unwrap_err();
        assert_eq!(building.code(), Code::IndexBuilding);
        app.settle().await.unwrap();
        assert_eq!(fields(&app).await[0]["index"], json!({ "state": "ready" }));
        let listed = app.call::<ListEntries>(Role::Editor, list.clone()).await.unwrap();
        let ratings: Vec<_> = listed["items"].as_array().unwrap().iter().map(|item| item["data"]["rating"].clone()).collect();
        assert_eq!(ratings, [1, 2, 3]);
        assert_eq!(update_field(&app, "rating", json!({ "indexed": false })).await.unwrap()["index"], Value::Null);
        app.settle().await.unwrap();
        assert!(app.call::<ListEntries>(Role::Editor, list).await.is_err());
    }

    async fn an_entry_that_is_saved_while_its_index_is_built_is_found(app: TestApp) {
        posts(&app, json!([{ "slug": "rating", "type": "integer" }])).await;
        let id = entry(&app, json!({ "rating": 3 })).await;
        update_field(&app, "rating", json!({ "indexed": true })).await.unwrap();
        let save = json!({ "collection": "posts", "id": id, "data": { "rating": 4 } });
        app.call::<UpdateEntry>(Role::Editor, save).await.unwrap();
        let new = entry(&app, json!({ "rating": 4 })).await;
        app.settle().await.unwrap();
        let filter = json!({ "collection": "posts", "fieldFilters": { "rating": 4 }, "order": "asc" });
        let found = app.call::<ListEntries>(Role::Editor, filter).await.unwrap();
        let ids: Vec<_> = found["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(ids, [id, new]);
        let none = json!({ "collection": "posts", "fieldFilters": { "rating": 3 } });
        assert_eq!(app.call::<ListEntries>(Role::Editor, none).await.unwrap()["items"], json!([]));
    }

    async fn an_index_over_nothing_is_ready_at_once(app: TestApp) {
        posts(&app, json!([])).await;
        let made = add_field(&app, json!({ "slug": "a", "type": "string", "indexed": true })).await.unwrap();
        assert_eq!(made["index"], json!({ "state": "ready" }));
    }

    async fn the_title_and_date_fields_have_indexes(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "other", "type": "text" }, { "slug": "day", "type": "datetime" }])).await;
        let indexed = async || fields(&app).await.iter().map(|field| !field["index"].is_null()).collect::<Vec<_>>();
        assert_eq!(indexed().await, [true, false, false]);
        let named = json!({ "slug": "posts", "titleField": "other", "dateField": "day" });
        app.call::<UpdateCollection>(Role::Admin, named).await.unwrap();
        assert_eq!(indexed().await, [false, true, true]);
    }

    async fn a_field_of_long_values_cannot_be_indexed(app: TestApp) {
        posts(&app, json!([])).await;
        for field_type in ["text", "portableText", "image", "file", "json"] {
            let error = add_field(&app, json!({ "slug": "a", "type": field_type, "indexed": true })).await.unwrap_err();
            assert_eq!(problems(&error), issue("indexed", "FIELD_NOT_INDEXABLE"), "{field_type}");
        }
    }

    async fn a_field_that_is_the_same_in_all_translations_must_be_so_already(app: TestApp) {
        posts(&app, json!([{ "slug": "price", "type": "integer" }])).await;
        let id = entry(&app, json!({ "price": 1 })).await;
        let other = json!({ "collection": "posts", "locale": "de", "translationOf": id, "data": { "price": 2 } });
        let other = entry_in(&app, other).await;
        let error = update_field(&app, "price", json!({ "translatable": false })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        assert_eq!(error.details_json().unwrap()["entries"][0]["id"], json!(other));
        let same = json!({ "collection": "posts", "id": other, "data": { "price": 1 } });
        app.call::<UpdateEntry>(Role::Editor, same).await.unwrap();
        update_field(&app, "price", json!({ "translatable": false })).await.unwrap();
        update_field(&app, "price", json!({ "translatable": true })).await.unwrap();
    }

    async fn a_reference_points_at_a_collection_that_there_is(app: TestApp) {
        posts(&app, json!([])).await;
        let field = |target: &str| json!({ "slug": "next", "type": "reference", "options": { "collection": target } });
        let wrong = add_field(&app, field("notes")).await.unwrap_err();
        assert_eq!(problems(&wrong), issue("options.collection", "UNKNOWN_COLLECTION"));
        collection(&app, json!({ "slug": "notes", "label": "Notes" })).await;
        add_field(&app, field("notes")).await.unwrap();
        app.call::<cms_content::schema::delete_collection::DeleteCollection>(Role::Admin, json!({ "slug": "notes" })).await.unwrap();
        update_field(&app, "next", json!({ "label": "Next" })).await.unwrap();
        update_field(&app, "next", json!({ "options": { "collection": "posts" } })).await.unwrap();
    }

    async fn a_collection_has_two_hundred_fields_at_most(app: TestApp) {
        let fields: Vec<_> = (0..200).map(|n| json!({ "slug": format!("f{n}"), "type": "json" })).collect();
        posts(&app, json!(fields)).await;
        assert_eq!(problems(&add_field(&app, json!({ "slug": "more", "type": "json" })).await.unwrap_err()), issue("", "TOO_MANY"));
    }

    async fn changes_that_two_admins_make_at_once_are_both_kept(app: TestApp) {
        posts(&app, json!([])).await;
        let other = app.another(|_| {});
        let change = async |app: &TestApp, mut change: Value| {
            change["slug"] = json!("posts");
            app.call::<UpdateCollection>(Role::Admin, change).await.unwrap();
        };
        for n in 0..5 {
            let (label, icon) = (format!("label {n}"), format!("icon {n}"));
            let fields = [format!("a{n}"), format!("b{n}")].map(|slug| json!({ "slug": slug, "type": "string" }));
            let [first, second] = fields;
            tokio::join!(
                change(&app, json!({ "label": label })),
                change(&other, json!({ "icon": icon })),
                async { add_field(&app, first).await.unwrap() },
                async { add_field(&other, second).await.unwrap() },
            );
            let item = get(&app).await;
            assert_eq!((&item["label"], &item["icon"]), (&json!(label), &json!(icon)));
            assert_eq!(item["fields"].as_array().unwrap().len(), 2 * (n + 1));
        }
    }

    async fn entries_that_are_written_while_fields_change_agree_with_them(app: TestApp) {
        posts(&app, json!([{ "slug": "title", "type": "string" }, { "slug": "mood", "type": "string" }])).await;
        let other = app.another(|_| {});
        let write = async |app: &TestApp| {
            for n in 0..20 {
                let input = json!({ "collection": "posts", "data": { "title": format!("t{n}"), "mood": "glad" } });
                match app.call::<CreateEntry>(Role::Editor, input).await {
                    Ok(_) => {}
                    Err(error) => assert_eq!(problems(&error), issue("data.mood", "UNKNOWN_FIELD")),
                }
            }
        };
        // However the others meet, one entry has the value before the field goes.
        app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": { "mood": "calm" } })).await.unwrap();
        tokio::join!(write(&app), write(&other), async {
            update_field(&app, "mood", json!({ "indexed": true })).await.unwrap();
            app.settle().await.unwrap();
            drop_field(&other, "mood").await;
        });
        app.settle().await.unwrap();
        let rows = app.store().reader();
        let collection = rows.collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
        let entries = rows.entries().by_collection(collection.id, None, 100).await.unwrap();
        assert!(!entries.is_empty());
        let left: Vec<_> = entries.iter().map(|entry| entry.live.data.as_stored().as_str()).filter(|data| data.contains("mood")).collect();
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(rows.entries().check_batch(&collection, None, 100).await.unwrap().1, []);
        assert_eq!(rows.entries().check_strays().await.unwrap(), []);
    }
}
