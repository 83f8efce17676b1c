//! Changes of a field's type that convert its values.

use cms_content::{
    entries::{
        create::CreateEntry,
        duplicate::DuplicateEntry,
        get::GetEntry,
        import::ImportEntry,
        list::ListEntries,
        merge::MergeEntry,
        publish::PublishEntry,
        revisions::{ListRevisions, RestoreRevision},
        update::UpdateEntry,
    },
    schema::{check_type::CheckType, delete_field::DeleteField, fields::GetField, plan::ApplySchema, rename_field::RenameField},
};
use cms_core::both;
use cms_domain::user::Role;
use proptest::{prelude::*, strategy::ValueTree};
use serde_json::json;

use super::*;

async fn data(app: &TestApp, id: &str) -> Value {
    app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap()["item"]["data"].clone()
}

async fn converted(app: &TestApp, field: &str, field_type: &str) -> Value {
    update_field(app, field, json!({ "type": field_type, "convert": true })).await.unwrap()
}

async fn save(app: &TestApp, id: &str, data: Value) {
    app.call::<UpdateEntry>(Role::Editor, json!({ "collection": "posts", "id": id, "data": data })).await.unwrap();
}

async fn forecast(app: &TestApp, field: &str, field_type: &str) -> Value {
    let input = json!({ "collection": "posts", "fieldSlug": field, "type": field_type });
    app.call::<CheckType>(Role::Admin, input).await.unwrap()
}

both! {
    async fn values_are_shown_as_what_they_say_and_come_back_with_their_type(app: TestApp) {
        posts(&app, json!([{ "slug": "price", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let (good, bad) = (entry(&app, json!({ "price": " 12.50" })).await, entry(&app, json!({ "price": "ask us" })).await);
        let error = update_field(&app, "price", json!({ "type": "number" })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        let told = forecast(&app, "price", "number").await;
        assert_eq!((&told["converted"], &told["aside"], &told["same"], &told["entries"]), (&json!(1), &json!(1), &json!(0), &json!(2)));
        let example = json!({ "id": good, "locale": "en", "title": null, "from": "\" 12.50\"", "to": "12.5" });
        assert_eq!(told["convertedExamples"], json!([example]));
        assert_eq!(told["asideExamples"][0]["id"], json!(bad));
        let field = converted(&app, "price", "number").await;
        assert_eq!(field["formerTypes"][0]["type"], "string");
        assert_eq!((data(&app, &good).await, data(&app, &bad).await), (json!({ "price": 12.5 }), json!({})));
        // Saving something else changes neither.
        save(&app, &good, json!({ "b": "x" })).await;
        save(&app, &bad, json!({ "b": "x" })).await;
        let listed = app.call::<ListEntries>(Role::Editor, json!({ "collection": "posts", "order": "asc" })).await.unwrap();
        assert_eq!(listed["items"][0]["data"], json!({ "price": 12.5, "b": "x" }));
        let field = update_field(&app, "price", json!({ "type": "string", "convert": true })).await.unwrap();
        assert_eq!(field["formerTypes"][0]["type"], "number");
        assert_eq!(data(&app, &good).await, json!({ "price": " 12.50", "b": "x" }));
        assert_eq!(data(&app, &bad).await, json!({ "price": "ask us", "b": "x" }));
    }

    async fn what_somebody_wrote_since_is_what_stays(app: TestApp) {
        posts(&app, json!([{ "slug": "price", "type": "string" }])).await;
        let ids = [entry(&app, json!({ "price": "1" })).await, entry(&app, json!({ "price": "x" })).await, entry(&app, json!({ "price": "y" })).await];
        converted(&app, "price", "number").await;
        save(&app, &ids[0], json!({ "price": 7 })).await;
        save(&app, &ids[1], json!({ "price": 8 })).await;
        save(&app, &ids[2], json!({ "price": null })).await;
        let new = entry(&app, json!({ "price": 9 })).await;
        converted(&app, "price", "string").await;
        for (id, expected) in [(&ids[0], json!({ "price": "7" })), (&ids[1], json!({ "price": "8" })), (&ids[2], json!({})), (&new, json!({ "price": "9" }))] {
            assert_eq!(data(&app, id).await, expected);
        }
    }

    async fn an_index_and_unique_values_are_those_of_the_new_type(app: TestApp) {
        posts(&app, json!([{ "slug": "n", "type": "string", "indexed": true, "unique": true }])).await;
        let (two, ten) = (entry(&app, json!({ "n": "2" })).await, entry(&app, json!({ "n": "10" })).await);
        converted(&app, "n", "integer").await;
        app.settle().await.unwrap();
        let list = json!({ "collection": "posts", "orderBy": "n", "order": "asc" });
        let page = app.call::<ListEntries>(Role::Editor, list).await.unwrap();
        assert_eq!([&page["items"][0]["id"], &page["items"][1]["id"]], [&json!(two), &json!(ten)], "2 comes before 10 among numbers");
        let same = json!({ "collection": "posts", "data": { "n": 10 } });
        assert_eq!(app.call::<CreateEntry>(Role::Editor, same).await.unwrap_err().code(), Code::UniqueConflict);
        let filter = json!({ "collection": "posts", "fieldFilters": { "n": 10 } });
        assert_eq!(app.call::<ListEntries>(Role::Editor, filter).await.unwrap()["items"][0]["id"], json!(ten));
    }

    async fn values_that_become_the_same_cannot_be_unique(app: TestApp) {
        posts(&app, json!([{ "slug": "n", "type": "string", "unique": true }])).await;
        entry(&app, json!({ "n": "1" })).await;
        entry(&app, json!({ "n": "1.0" })).await;
        assert_eq!(update_field(&app, "n", json!({ "type": "number", "convert": true })).await.unwrap_err().code(), Code::FieldHasValues);
        assert_eq!(app.call::<GetField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "n" })).await.unwrap()["item"]["type"], "string");
    }

    async fn what_is_kept_aside_comes_along_to_copies_and_back_with_revisions(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "words" })).await;
        converted(&app, "a", "integer").await;
        let copy = app.call::<DuplicateEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        save(&app, &id, json!({ "a": 5, "b": "x" })).await;
        let revisions = app.call::<ListRevisions>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        let first = revisions["items"].as_array().unwrap().last().unwrap()["id"].clone();
        app.call::<RestoreRevision>(Role::Editor, json!({ "revisionId": first })).await.unwrap();
        // A change of something else that says again that there is nothing.
        let merge = json!({ "collection": "posts", "id": id, "base": { "a": null, "b": null }, "data": { "a": null, "b": "y" } });
        app.call::<MergeEntry>(Role::Editor, merge).await.unwrap();
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id, "slug": "one" })).await.ok();
        converted(&app, "a", "string").await;
        assert_eq!(data(&app, &id).await, json!({ "a": "words", "b": "y" }));
        assert_eq!(data(&app, copy["item"]["id"].as_str().unwrap()).await, json!({ "a": "words" }));
    }

    async fn a_field_with_former_types_changes_in_place_only_what_is_shown_as_it_is(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "5" })).await;
        converted(&app, "a", "integer").await;
        let error = update_field(&app, "a", json!({ "type": "string" })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues, "5 would be \"5\"");
        update_field(&app, "a", json!({ "type": "json" })).await.unwrap_err();
        update_field(&app, "a", json!({ "type": "json", "convert": true })).await.unwrap();
        assert_eq!(data(&app, &id).await, json!({ "a": "5" }));
    }

    async fn values_of_a_deleted_field_never_turn_up_in_one_that_changes_its_type(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "1", "b": "2" })).await;
        converted(&app, "a", "integer").await;
        app.call::<DeleteField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "a" })).await.unwrap();
        app.call::<RenameField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "b", "slug": "a" })).await.unwrap();
        converted(&app, "a", "integer").await;
        assert_eq!(data(&app, &id).await, json!({ "a": 2 }));
        converted(&app, "a", "string").await;
        assert_eq!(data(&app, &id).await, json!({ "a": "2" }));
    }

    async fn one_reference_becomes_several_and_keeps_whom_it_refers_to(app: TestApp) {
        posts(&app, json!([{ "slug": "next", "type": "reference", "options": { "onDelete": "restrict" } }])).await;
        let first = entry(&app, json!({})).await;
        let second = entry(&app, json!({ "next": first })).await;
        let options = json!({ "options": { "onDelete": "restrict", "allowMultiple": true }, "convert": true });
        update_field(&app, "next", options).await.unwrap();
        assert_eq!(data(&app, &second).await, json!({ "next": [first] }));
        let delete = json!({ "collection": "posts", "id": first });
        app.call::<cms_content::entries::delete::DeleteEntry>(Role::Editor, delete.clone()).await.unwrap();
        let error = app.call::<cms_content::entries::permanent_delete::PermanentDeleteEntry>(Role::Admin, delete).await.unwrap_err();
        assert_eq!(error.code(), Code::Referenced);
    }

    async fn a_plan_converts_what_it_names_and_refuses_to_convert_what_stays(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "1", "b": "x" })).await;
        let fields = labelled(json!([{ "slug": "a", "type": "integer" }, { "slug": "b", "type": "string" }]));
        let model = |convert: &[&str]| json!({ "collections": [{ "slug": "posts", "label": "Posts", "fields": fields }], "partial": true, "convert": convert });
        assert_eq!(app.call::<ApplySchema>(Role::Admin, model(&[])).await.unwrap_err().code(), Code::FieldHasValues);
        let error = app.call::<ApplySchema>(Role::Admin, model(&["posts.a", "posts.b"])).await.unwrap_err();
        assert_eq!(problems(&error), issue("convert", "NOT_ALLOWED"));
        app.call::<ApplySchema>(Role::Admin, model(&["posts.a"])).await.unwrap();
        assert_eq!(data(&app, &id).await, json!({ "a": 1, "b": "x" }));
    }

    async fn a_forecast_says_what_would_refer_to_nothing_and_when_there_is_something_to_convert(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "at", "type": "datetime" }])).await;
        let target = entry(&app, json!({})).await;
        let good = entry(&app, json!({ "a": target, "at": "2027-01-01T00:00:00Z" })).await;
        let told = forecast(&app, "a", "reference").await;
        assert_eq!((&told["same"], &told["dangling"], &told["needsConvert"]), (&json!(1), &json!(0), &json!(true)), "{good}");
        assert_eq!(update_field(&app, "a", json!({ "type": "reference" })).await.unwrap_err().code(), Code::FieldHasValues);
        let told = forecast(&app, "at", "string").await;
        assert_eq!((&told["same"], &told["needsConvert"]), (&json!(1), &json!(false)));
        let gone = entry(&app, json!({ "a": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).await;
        let told = forecast(&app, "a", "reference").await;
        assert_eq!((&told["dangling"], &told["danglingExamples"][0]["id"]), (&json!(1), &json!(gone)));
        let error = update_field(&app, "a", json!({ "type": "reference", "convert": true })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        collection(&app, json!({ "slug": "pages", "label": "Pages" })).await;
        save(&app, &gone, json!({ "a": null })).await;
        let elsewhere = json!({ "type": "reference", "options": { "collection": "pages" }, "convert": true });
        assert_eq!(update_field(&app, "a", elsewhere).await.unwrap_err().code(), Code::FieldHasValues, "it is in another collection");
        converted(&app, "a", "reference").await;
    }

    async fn a_copy_leaves_out_what_is_kept_aside_of_a_unique_field(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string", "unique": true }])).await;
        let id = entry(&app, json!({ "a": "words" })).await;
        converted(&app, "a", "integer").await;
        app.call::<DuplicateEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        converted(&app, "a", "string").await;
        assert_eq!(data(&app, &id).await, json!({ "a": "words" }));
    }

    async fn an_import_of_what_was_exported_keeps_what_is_aside_in_its_place(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let id = entry_in(&app, json!({ "collection": "posts", "slug": "one", "data": { "a": "live" } })).await;
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        save(&app, &id, json!({ "a": "staged", "b": "x" })).await;
        converted(&app, "a", "integer").await;
        let line = json!({ "collection": "posts", "id": id, "slug": "one", "status": "published", "data": {}, "draft": { "data": { "b": "x" }, "slug": "one" } });
        let mut import: ImportEntry = serde_json::from_value(line).unwrap();
        import.replace = true;
        app.cms().invoke(&cms_domain::access::Actor::System, cms_frame::Door::Local, import).await.unwrap();
        converted(&app, "a", "string").await;
        let seen = |role| app.call::<GetEntry>(role, json!({ "collection": "posts", "id": id }));
        assert_eq!(seen(Role::Subscriber).await.unwrap()["item"]["data"], json!({ "a": "live" }));
        assert_eq!(seen(Role::Editor).await.unwrap()["item"]["data"], json!({ "a": "staged", "b": "x" }));
    }

    async fn a_forecast_goes_on_page_by_page_and_answers_only_who_may_change_the_model(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        let input = json!({ "collection": "posts", "fieldSlug": "a", "type": "integer" });
        assert_eq!(app.call::<CheckType>(Role::Editor, input.clone()).await.unwrap_err().code(), Code::InsufficientPermissions);
        let missing = json!({ "collection": "posts", "fieldSlug": "b", "type": "integer" });
        assert_eq!(app.call::<CheckType>(Role::Admin, missing).await.unwrap_err().code(), Code::FieldNotFound);
        let told = app.call::<CheckType>(Role::Admin, input).await.unwrap();
        assert_eq!((&told["entries"], &told["needsConvert"], &told["nextCursor"]), (&json!(0), &json!(false), &Value::Null));
    }
}

const TYPES: [&str; 12] =
    ["string", "text", "number", "integer", "boolean", "datetime", "select", "multiSelect", "portableText", "json", "url", "slug"];

/// What somebody does to the field or to one of three entries.
#[derive(Debug, Clone)]
enum Deed {
    Retype(usize),
    Write(usize, usize),
    Clear(usize),
    Touch(usize),
    Rename,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0..TYPES.len()).prop_map(Deed::Retype),
        2 => (0..3_usize, 0..9_usize).prop_map(|(entry, value)| Deed::Write(entry, value)),
        1 => (0..3_usize).prop_map(Deed::Clear),
        2 => (0..3_usize).prop_map(Deed::Touch),
        1 => Just(Deed::Rename),
    ]
}

/// A value that somebody may try to write.
fn words(n: usize) -> Value {
    [
        json!("7"),
        json!("true"),
        json!("2027-01-01"),
        json!("a, b"),
        json!(7),
        json!(true),
        json!("https://example.com/"),
        json!(["a"]),
        json!([{ "_type": "block", "_key": "k", "children": [{ "_type": "span", "_key": "s", "text": "rich", "marks": [] }] }]),
    ][n]
        .clone()
}

both! {
    async fn a_forecast_is_what_becomes_of_the_values_whatever_was_done_before(app: TestApp) {
        let mut runner = proptest::test_runner::TestRunner::deterministic();
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "other", "type": "string" }])).await;
        let mut ids = Vec::new();
        for value in ["7", "true", "words"] {
            ids.push(entry(&app, json!({ "a": value })).await);
        }
        let mut name = "a".to_owned();
        for _ in 0..100 {
            let deed = deed().new_tree(&mut runner).unwrap().current();
            match &deed {
                Deed::Retype(to) => {
                    let mut before = Vec::new();
                    for id in &ids {
                        before.push(data(&app, id).await.get(&name).cloned());
                    }
                    let told = forecast(&app, &name, TYPES[*to]).await;
                    update_field(&app, &name, json!({ "type": TYPES[*to], "convert": true })).await.unwrap();
                    let (mut same, mut converted, mut aside) = (0, 0, 0);
                    for (id, before) in ids.iter().zip(before) {
                        match (before, data(&app, id).await.get(&name).cloned()) {
                            (None, None) => {}
                            (Some(before), Some(after)) if before == after => same += 1,
                            (_, Some(_)) => converted += 1,
                            (Some(_), None) => aside += 1,
                        }
                    }
                    assert_eq!([&told["same"], &told["converted"], &told["aside"]], [&json!(same), &json!(converted), &json!(aside)], "{deed:?}");
                }
                Deed::Write(entry, value) => {
                    // What does not fit is refused, and changes nothing.
                    let before = data(&app, &ids[*entry]).await;
                    let input = json!({ "collection": "posts", "id": ids[*entry], "data": { &name: words(*value) } });
                    if app.call::<UpdateEntry>(Role::Editor, input).await.is_err() {
                        assert_eq!(data(&app, &ids[*entry]).await, before);
                    }
                }
                Deed::Clear(entry) => save(&app, &ids[*entry], json!({ &name: null })).await,
                Deed::Touch(entry) => {
                    let before = data(&app, &ids[*entry]).await.get(&name).cloned();
                    save(&app, &ids[*entry], json!({ "other": "x" })).await;
                    assert_eq!(data(&app, &ids[*entry]).await.get(&name).cloned(), before, "{deed:?}");
                }
                Deed::Rename => {
                    let to = if name == "a" { "b" } else { "a" };
                    let input = json!({ "collection": "posts", "fieldSlug": name, "slug": to });
                    app.call::<RenameField>(Role::Admin, input).await.unwrap();
                    to.clone_into(&mut name);
                }
            }
        }
    }
}
