//! Changes of a field's type.

use cms_content::entries::{
    delete::DeleteEntry, get::GetEntry, list::ListEntries, permanent_delete::PermanentDeleteEntry, publish::PublishEntry,
    update::UpdateEntry,
};
use cms_core::both;
use cms_domain::{
    field::{FieldKind, FieldType, Validation, retype},
    id::EntryId,
    user::Role,
};
use proptest::prelude::*;
use serde_json::{Map, json};

use super::*;

async fn data(app: &TestApp, id: &str) -> Value {
    app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap()["item"]["data"].clone()
}

both! {
    async fn a_change_of_type_that_fits_every_value_keeps_them_all(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "One" })).await;
        for field_type in ["text", "slug", "select", "string", "json", "text"] {
            let field = update_field(&app, "a", json!({ "type": field_type })).await.unwrap();
            assert_eq!(field["type"], field_type);
            assert_eq!(data(&app, &id).await, json!({ "a": "One" }), "{field_type}");
        }
    }

    async fn a_change_of_type_is_refused_with_the_entries_that_do_not_fit(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "number" }])).await;
        entry(&app, json!({ "a": 2 })).await;
        let half = entry(&app, json!({ "a": 2.5 })).await;
        let error = update_field(&app, "a", json!({ "type": "integer" })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
        let entries = error.details_json().unwrap()["entries"].as_array().unwrap().clone();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0]["id"], json!(half));
        assert_eq!(data(&app, &half).await, json!({ "a": 2.5 }));
        let whole = json!({ "collection": "posts", "id": half, "data": { "a": 3 } });
        app.call::<UpdateEntry>(Role::Editor, whole).await.unwrap();
        update_field(&app, "a", json!({ "type": "integer" })).await.unwrap();
    }

    async fn values_of_drafts_and_of_the_trash_are_looked_at_too(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "number" }])).await;
        let published = entry_in(&app, json!({ "collection": "posts", "slug": "one", "data": { "a": 1 } })).await;
        let trashed = entry(&app, json!({ "a": 1.5 })).await;
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": published })).await.unwrap();
        let staged = json!({ "collection": "posts", "id": published, "data": { "a": 0.5 } });
        app.call::<UpdateEntry>(Role::Editor, staged).await.unwrap();
        app.call::<DeleteEntry>(Role::Editor, json!({ "collection": "posts", "id": trashed })).await.unwrap();
        let error = update_field(&app, "a", json!({ "type": "integer" })).await.unwrap_err();
        let ids: Vec<_> = error.details_json().unwrap()["entries"].as_array().unwrap().iter().map(|entry| entry["id"].clone()).collect();
        assert_eq!(ids, [json!(published), json!(trashed)]);
    }

    async fn a_field_with_values_never_becomes_what_they_cannot_be(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }])).await;
        update_field(&app, "a", json!({ "type": "boolean" })).await.unwrap();
        entry(&app, json!({ "a": true })).await;
        let error = update_field(&app, "a", json!({ "type": "integer" })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
    }

    async fn one_answer_names_ten_entries_at_most(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "boolean" }])).await;
        for _ in 0..12 {
            entry(&app, json!({ "a": true })).await;
        }
        let error = update_field(&app, "a", json!({ "type": "string" })).await.unwrap_err();
        assert_eq!(error.details_json().unwrap()["entries"].as_array().unwrap().len(), 10);
    }

    async fn narrower_rules_of_the_same_type_hold_from_the_next_write_on(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string" }, { "slug": "b", "type": "string" }])).await;
        let id = entry(&app, json!({ "a": "long" })).await;
        update_field(&app, "a", json!({ "validation": { "maxLength": 2 } })).await.unwrap();
        let other = json!({ "collection": "posts", "id": id, "data": { "b": "x" } });
        app.call::<UpdateEntry>(Role::Editor, other).await.unwrap();
        let same = json!({ "collection": "posts", "id": id, "data": { "a": "longer" } });
        assert_eq!(problems(&app.call::<UpdateEntry>(Role::Editor, same).await.unwrap_err()), issue("data.a", "TOO_LONG"));
    }

    async fn rules_that_the_new_type_does_not_know_are_refused(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string", "validation": { "pattern": "x" } }])).await;
        let error = update_field(&app, "a", json!({ "type": "json" })).await.unwrap_err();
        assert_eq!(problems(&error), issue("validation.pattern", "INVALID_RULE"));
        update_field(&app, "a", json!({ "type": "json", "validation": null })).await.unwrap();
    }

    async fn a_title_field_stays_one_that_can_name_an_entry(app: TestApp) {
        let fields = labelled(json!([{ "slug": "name", "type": "string" }]));
        collection(&app, json!({ "slug": "posts", "label": "Posts", "fields": fields, "titleField": "name" })).await;
        update_field(&app, "name", json!({ "type": "text" })).await.unwrap();
        assert_eq!(problems(&update_field(&app, "name", json!({ "type": "json" })).await.unwrap_err()), issue("type", "INVALID_TYPE"));
    }

    async fn a_change_of_type_builds_the_index_anew_when_its_keys_change(app: TestApp) {
        posts(&app, json!([{ "slug": "at", "type": "datetime", "indexed": true }])).await;
        let id = entry(&app, json!({ "at": "2027-01-01T00:00:00Z" })).await;
        let field = update_field(&app, "at", json!({ "type": "string" })).await.unwrap();
        assert_eq!(field["index"]["state"], "building");
        app.settle().await.unwrap();
        let filter = json!({ "collection": "posts", "fieldFilters": { "at": "2027-01-01T00:00:00.000Z" } });
        assert_eq!(app.call::<ListEntries>(Role::Editor, filter).await.unwrap()["items"][0]["id"], json!(id));
        let field = update_field(&app, "at", json!({ "type": "slug" })).await.unwrap();
        assert_eq!(field["index"]["state"], "ready", "texts have the same keys");
    }

    async fn a_json_field_becomes_a_reference_when_its_values_are_ids_of_entries(app: TestApp) {
        posts(&app, json!([{ "slug": "next", "type": "json" }])).await;
        let first = entry(&app, json!({})).await;
        let second = entry(&app, json!({ "next": first })).await;
        let nowhere = entry(&app, json!({ "next": EntryId::from_parts(1, 1) })).await;
        let error = update_field(&app, "next", json!({ "type": "reference" })).await.unwrap_err();
        assert_eq!(error.details_json().unwrap()["entries"][0]["id"], json!(nowhere));
        for command in [json!({ "collection": "posts", "id": nowhere, "data": { "next": null } })] {
            app.call::<UpdateEntry>(Role::Editor, command).await.unwrap();
        }
        update_field(&app, "next", json!({ "type": "reference", "options": { "onDelete": "restrict" } })).await.unwrap();
        app.call::<DeleteEntry>(Role::Editor, json!({ "collection": "posts", "id": first })).await.unwrap();
        let target = json!({ "collection": "posts", "id": first });
        assert_eq!(app.call::<PermanentDeleteEntry>(Role::Admin, target.clone()).await.unwrap_err().code(), Code::Referenced);
        update_field(&app, "next", json!({ "type": "json", "options": null })).await.unwrap();
        app.call::<PermanentDeleteEntry>(Role::Admin, target).await.unwrap();
        assert_eq!(data(&app, &second).await, json!({ "next": first }));
    }

    async fn one_reference_does_not_become_several(app: TestApp) {
        posts(&app, json!([{ "slug": "next", "type": "reference" }])).await;
        let first = entry(&app, json!({})).await;
        entry(&app, json!({ "next": first })).await;
        let error = update_field(&app, "next", json!({ "options": { "allowMultiple": true } })).await.unwrap_err();
        assert_eq!(error.code(), Code::FieldHasValues);
    }
}

fn plain(field_type: FieldType) -> FieldKind {
    let validation = if field_type == FieldType::Repeater {
        serde_json::from_value(json!({ "subFields": [{ "slug": "a", "type": "string", "label": "A" }] })).unwrap()
    } else {
        Validation::default()
    };
    FieldKind::new(field_type, &validation, &Map::new()).unwrap()
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-1e12..1e12_f64).prop_map(Value::from),
        ".{0,300}".prop_map(Value::from),
        "[a-z]{1,8}".prop_map(Value::from),
        Just(json!("https://example.com/a")),
        Just(json!("2027-01-01T00:00:00.000Z")),
        Just(json!(["a", "b"])),
        Just(json!([{ "a": "x" }])),
        Just(json!([{ "_type": "block", "_key": "k", "children": [] }])),
        Just(json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" })),
        Just(json!("01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_free_change_of_type_never_loses_a_value(value in value(), from in 0..16_usize, to in 0..16_usize) {
        let (from, to) = (plain(FieldType::ALL[from]), plain(FieldType::ALL[to]));
        if retype::fits(&from, &value).is_ok() && retype::retype(&from, &to) == retype::Retype::Free {
            prop_assert!(retype::fits(&to, &value).is_ok(), "{from:?} to {to:?}: {value}");
        }
    }
}
