//! Changes of the model where entries are so many that a job finishes what the change begins.

use cms_content::{
    entries::{get::GetEntry, list::ListEntries, update::UpdateEntry},
    schema::{collections::GetCollection, delete_collection::DeleteCollection, orphans::ListOrphans},
};
use cms_core::{
    both,
    jobs::{list::ListJobs, list_failed_items::ListFailedItems},
};
use cms_domain::{
    access::{Actor, to},
    user::Role,
};
use serde_json::json;

use super::*;

/// More than one step of a job works on.
const MANY: usize = 230;

/// So many entries of a collection, with the data of each by its number.
async fn many(app: &TestApp, collection: &str, data: impl Fn(usize) -> Value) -> Vec<String> {
    let mut made = Vec::new();
    // One after the other, so that the last ones are the last to be looked at.
    for n in 0..MANY {
        made.push(entry_in(app, json!({ "collection": collection, "data": data(n) })).await);
    }
    made
}

/// The jobs of a kind, as `(state, what it is at, how much is done)`.
async fn jobs(app: &TestApp, kind: &str) -> Vec<(String, Value, Value)> {
    let jobs = app.call::<ListJobs>(Role::Admin, json!({ "kind": kind })).await.unwrap();
    let seen = |job: &Value| (job["state"].as_str().unwrap().to_owned(), job["note"].clone(), job["done"].clone());
    jobs["items"].as_array().unwrap().iter().map(seen).collect()
}

async fn sku(app: &TestApp) -> (Value, Value) {
    let field = get(app).await["fields"].as_array().unwrap().iter().find(|field| field["slug"] == "sku").unwrap().clone();
    (field["unique"].clone(), field["uniqueState"].clone())
}

async fn save(app: &TestApp, id: &str, data: Value) -> Result<Value, Error> {
    app.call::<UpdateEntry>(Role::Editor, json!({ "collection": "posts", "id": id, "data": data })).await
}

both! {
    async fn a_field_of_many_entries_is_unique_from_the_next_write_on_and_for_all_when_its_job_is_done(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string" }])).await;
        let ids = many(&app, "posts", |n| json!({ "sku": format!("s{n}") })).await;
        assert_eq!(update_field(&app, "sku", json!({ "unique": true })).await.unwrap()["uniqueState"], "building");
        save(&app, &ids[MANY - 1], json!({ "sku": "another" })).await.unwrap();
        let taken = save(&app, &ids[MANY - 2], json!({ "sku": "another" })).await.unwrap_err();
        assert_eq!(taken.code(), Code::UniqueConflict);
        app.settle().await.unwrap();
        assert_eq!(sku(&app).await, (json!(true), json!("ready")));
        assert_eq!(jobs(&app, "content.register_unique").await, [("done".to_owned(), json!("posts.sku"), json!(MANY))]);
        let taken = save(&app, &ids[0], json!({ "sku": format!("s{}", MANY - 3) })).await.unwrap_err();
        assert_eq!(taken.code(), Code::UniqueConflict);
        save(&app, &ids[0], json!({ "sku": format!("s{}", MANY - 1) })).await.unwrap();
    }

    async fn a_field_in_which_a_late_entry_repeats_a_value_is_not_unique_after_all_and_its_job_says_why(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string" }])).await;
        let ids = many(&app, "posts", |n| json!({ "sku": format!("s{}", n % (MANY - 1)) })).await;
        update_field(&app, "sku", json!({ "unique": true })).await.unwrap();
        app.settle().await.unwrap();
        assert_eq!(sku(&app).await, (json!(false), Value::Null));
        let failed = app.call::<ListJobs>(Role::Admin, json!({ "kind": "content.register_unique" })).await.unwrap()["items"][0].clone();
        assert_eq!(failed["state"], "failed");
        assert!(failed["error"].as_str().unwrap().contains("the same value in the field `posts.sku`"), "{failed}");
        let items = app.call::<ListFailedItems>(Role::Admin, json!({ "id": failed["id"] })).await.unwrap();
        let reason = format!("the entry `{}` has the same value", ids[0]);
        assert_eq!((&items["items"][0]["item"], &items["items"][0]["message"]), (&json!(ids[MANY - 1]), &json!(reason)));
        save(&app, &ids[1], json!({ "sku": "s0" })).await.unwrap();
        assert_eq!(jobs(&app, "content.clear_rows").await.len(), 1);
        assert!(app.store().reader().entries().check_strays().await.unwrap().is_empty());
        // Once they are others, it comes to be unique.
        for id in [&ids[1], &ids[MANY - 1]] {
            save(&app, id, json!({ "sku": id })).await.unwrap();
        }
        update_field(&app, "sku", json!({ "unique": true })).await.unwrap();
        app.settle().await.unwrap();
        assert_eq!(sku(&app).await, (json!(true), json!("ready")));
    }

    async fn a_field_that_is_made_again_finds_no_value_however_many_there_were(app: TestApp) {
        posts(&app, json!([{ "slug": "mood", "type": "string" }, { "slug": "title", "type": "string" }])).await;
        let ids = many(&app, "posts", |n| json!({ "mood": "glad", "title": n.to_string() })).await;
        drop_field(&app, "mood").await;
        add_field(&app, json!({ "slug": "mood", "type": "integer" })).await.unwrap();
        save(&app, &ids[MANY - 1], json!({ "mood": 1 })).await.unwrap();
        app.settle().await.unwrap();
        let data = async |id| app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap()["item"]["data"].clone();
        assert_eq!(data(&ids[0]).await, json!({ "title": "0" }));
        assert_eq!(data(&ids[MANY - 1]).await, json!({ "title": (MANY - 1).to_string(), "mood": 1 }));
        assert_eq!(jobs(&app, "content.purge_leftovers").await[0].0, "done");
    }

    async fn values_of_many_entries_are_taken_out_in_steps_that_begin_anew_when_another_field_goes(app: TestApp) {
        posts(&app, json!([{ "slug": "a", "type": "string", "unique": true }, { "slug": "b", "type": "string" }, { "slug": "c", "type": "string" }])).await;
        many(&app, "posts", |n| json!({ "a": n.to_string(), "b": "b", "c": "c" })).await;
        drop_field(&app, "a").await;
        drop_field(&app, "b").await;
        assert_eq!(jobs(&app, "content.purge_leftovers").await.len(), 1, "one does both");
        app.settle().await.unwrap();
        let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
        assert!(!collection.has_leftovers);
        for entry in app.store().reader().entries().by_collection(collection.id, None, 1000).await.unwrap() {
            assert_eq!(Value::from(entry.live.data.as_stored().members().unwrap()), json!({ "c": "c" }));
        }
        assert!(app.store().reader().entries().check_strays().await.unwrap().is_empty());
    }

    async fn a_collection_of_many_entries_is_gone_at_once_and_its_entries_when_their_job_is_done(app: TestApp) {
        posts(&app, json!([{ "slug": "sku", "type": "string", "unique": true }])).await;
        let fields = labelled(json!([{ "slug": "about", "type": "reference", "options": { "allowMultiple": true } }]));
        collection(&app, json!({ "slug": "notes", "label": "Notes", "fields": fields })).await;
        let kept = entry_in(&app, json!({ "collection": "notes", "data": {} })).await;
        let targets = many(&app, "posts", |n| json!({ "sku": n.to_string() })).await;
        let notes = many(&app, "notes", |n| json!({ "about": [targets[n], kept, targets[(n + 1) % MANY]] })).await;
        let id = get(&app).await["id"].as_str().unwrap().parse().unwrap();
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        // From here on nobody finds them.
        let gone = app.call::<GetCollection>(Role::Admin, json!({ "slug": "posts" })).await.unwrap_err();
        assert_eq!(gone.code(), Code::CollectionNotFound);
        assert_eq!(app.call::<ListOrphans>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
        let another = json!({ "collection": "notes", "data": { "about": [targets[7]] } });
        assert_eq!(app.call::<CreateEntry>(Role::Editor, another).await.unwrap_err().code(), Code::ValidationError);
        // The name is free.
        posts(&app, json!([{ "slug": "sku", "type": "string", "unique": true }])).await;
        entry(&app, json!({ "sku": "1" })).await;
        app.settle().await.unwrap();
        assert_eq!(jobs(&app, "content.remove_entries").await, [("done".to_owned(), json!("posts"), json!(MANY))]);
        assert!(app.store().reader().entries().by_collection(id, None, 1).await.unwrap().is_empty());
        assert!(app.store().reader().collections().condemned().await.unwrap().is_empty());
        for id in [&notes[0], &notes[MANY - 1]] {
            let note = app.call::<GetEntry>(Role::Editor, json!({ "collection": "notes", "id": id })).await.unwrap();
            assert_eq!(note["item"]["data"], json!({ "about": [kept] }));
        }
        assert!(app.store().reader().entries().check_strays().await.unwrap().is_empty());
        let listed = app.call::<ListEntries>(Role::Editor, json!({ "collection": "posts" })).await.unwrap();
        assert_eq!(listed["items"].as_array().unwrap().len(), 1);
    }

    async fn work_that_no_job_does_is_asked_for_again_as_after_a_restore(app: TestApp) {
        posts(&app, json!([{ "slug": "mood", "type": "string" }])).await;
        entry(&app, json!({ "mood": "glad" })).await;
        collection(&app, json!({ "slug": "notes", "label": "Notes" })).await;
        entry_in(&app, json!({ "collection": "notes", "data": {} })).await;
        let rows = app.store().reader().collections();
        let posts = rows.by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
        let notes = rows.by_slug(&"notes".parse().unwrap()).await.unwrap().unwrap();
        let permit = Actor::System.permit(to::ManageSchema).unwrap();
        let tx = app.store().write().await.unwrap();
        tx.collections().set_leftovers(posts.id, true).await.unwrap();
        let mut field = posts.fields[0].clone();
        (field.unique, field.register.complete) = (true, false);
        tx.collections().update_field(&permit, posts.id, &field).await.unwrap();
        tx.collections().condemn(&permit, notes.id).await.unwrap();
        tx.commit().await.unwrap();
        app.cms().upkeep().forget();
        app.settle().await.unwrap();
        for kind in ["content.purge_leftovers", "content.register_unique", "content.remove_entries"] {
            assert_eq!(jobs(&app, kind).await.iter().map(|(state, ..)| state.as_str()).collect::<Vec<_>>(), ["done"], "{kind}");
        }
        app.settle().await.unwrap();
        assert_eq!(jobs(&app, "content.remove_entries").await.len(), 1, "it is asked for once");
        assert!(app.store().reader().collections().condemned().await.unwrap().is_empty());
    }
}
