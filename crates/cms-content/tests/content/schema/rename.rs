//! A field that gets another name: its values are where they were, by the new name, and nothing takes another field's for its own.

use std::collections::BTreeMap;

use cms_content::{
    entries::{
        compare::CompareEntry,
        create::CreateEntry,
        delete::DeleteEntry,
        get::GetEntry,
        list::ListEntries,
        list_trashed::ListTrashed,
        publish::PublishEntry,
        revisions::{ListRevisions, RestoreRevision},
        update::UpdateEntry,
    },
    schema::{rename_field::RenameField, update_collection::UpdateCollection},
};
use cms_core::both;
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};

use super::*;

/// How many changes one run makes.
const CHANGES: usize = 150;
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

async fn rename(app: &TestApp, from: &str, to: &str) -> Result<Value, Error> {
    app.call::<RenameField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": from, "slug": to })).await
}

async fn act<O: cms_frame::operation::Operation>(app: &TestApp, id: &str, mut input: Value) -> Value {
    input["collection"] = json!("posts");
    input["id"] = json!(id);
    app.call::<O>(Role::Editor, input).await.unwrap()
}

async fn titled(app: &TestApp) {
    posts(app, json!([{ "slug": "title", "type": "string", "indexed": true }, { "slug": "price", "type": "integer", "indexed": true }]))
        .await;
}

/// What happens to a collection and its one entry.
#[derive(Debug, Clone)]
enum Change {
    Make(&'static str),
    Delete(&'static str),
    Rename(&'static str, &'static str),
    Write(&'static str, u8),
    Clear(&'static str),
    Publish,
}

fn change() -> impl Strategy<Value = Change> {
    let name = || prop::sample::select(&NAMES[..]);
    prop_oneof![
        2 => name().prop_map(Change::Make),
        1 => name().prop_map(Change::Delete),
        4 => (name(), name()).prop_map(|(from, to)| Change::Rename(from, to)),
        4 => (name(), any::<u8>()).prop_map(|(name, value)| Change::Write(name, value)),
        1 => name().prop_map(Change::Clear),
        1 => Just(Change::Publish),
    ]
}

/// The values of an entry, published and staged, as somebody would keep them in mind.
#[derive(Debug, Default, PartialEq)]
struct Known {
    fields: Vec<&'static str>,
    live: BTreeMap<&'static str, String>,
    staged: BTreeMap<&'static str, String>,
}

impl Known {
    fn rename(&mut self, from: &str, to: &'static str) {
        self.fields.iter_mut().filter(|name| **name == from).for_each(|name| *name = to);
        for values in [&mut self.live, &mut self.staged] {
            if let Some(value) = values.remove(from) {
                values.insert(to, value);
            }
        }
    }

    fn delete(&mut self, name: &str) {
        self.fields.retain(|kept| *kept != name);
        self.live.remove(name);
        self.staged.remove(name);
    }
}

both! {
    async fn a_renamed_field_has_its_values_at_once_wherever_they_are(app: TestApp) {
        titled(&app).await;
        let live = entry(&app, json!({ "title": "One", "price": 1 })).await;
        act::<PublishEntry>(&app, &live, json!({})).await;
        act::<UpdateEntry>(&app, &live, json!({ "data": { "title": "Two" } })).await;
        let trashed = entry(&app, json!({ "title": "Gone" })).await;
        act::<DeleteEntry>(&app, &trashed, json!({})).await;
        let answer = rename(&app, "title", "headline").await.unwrap();
        assert_eq!((&answer["item"]["slug"], &answer["item"]["formerSlugs"]), (&json!("headline"), &json!(["title"])));
        assert_eq!(answer["item"]["index"]["state"], "ready", "the index is what it was");

        let item = act::<GetEntry>(&app, &live, json!({})).await["item"].clone();
        assert_eq!((&item["data"], &item["liveData"]), (&json!({ "headline": "Two", "price": 1 }), &json!({ "headline": "One", "price": 1 })));
        let trash = app.call::<ListTrashed>(Role::Editor, json!({ "collection": "posts" })).await.unwrap();
        assert_eq!(trash["items"][0]["data"], json!({ "headline": "Gone" }));
        let compared = act::<CompareEntry>(&app, &live, json!({})).await;
        assert!(compared.to_string().contains("data.headline"), "{compared}");
        let found = json!({ "collection": "posts", "fieldFilters": { "headline": "Two" }, "orderBy": "headline" });
        assert_eq!(app.call::<ListEntries>(Role::Editor, found).await.unwrap()["items"][0]["id"], live.as_str());
        let published = json!({ "collection": "posts", "fieldFilters": { "headline": "One" }, "fields": "headline" });
        assert_eq!(app.call::<ListEntries>(Role::Subscriber, published).await.unwrap()["items"][0]["data"], json!({ "headline": "One" }));

        let revisions = act::<ListRevisions>(&app, &live, json!({})).await["items"].as_array().unwrap().clone();
        assert!(revisions.iter().all(|revision| revision["data"]["title"].is_null()), "{revisions:?}");
        let first = revisions.last().unwrap()["id"].clone();
        act::<PublishEntry>(&app, &live, json!({})).await;
        let restored = app.call::<RestoreRevision>(Role::Editor, json!({ "revisionId": first })).await.unwrap();
        assert_eq!(restored["item"]["data"]["headline"], "One");
    }

    async fn whoever_uses_the_former_name_is_told_the_new_one(app: TestApp) {
        titled(&app).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        rename(&app, "title", "headline").await.unwrap();
        let input = json!({ "collection": "posts", "id": id, "data": { "title": "Two" } });
        let error = app.call::<UpdateEntry>(Role::Editor, input).await.unwrap_err();
        assert_eq!(problems(&error), issue("data.title", "UNKNOWN_FIELD"));
        assert!(error.details_json().unwrap().to_string().contains("which is called `headline` now"), "{error:?}");
        let error = rename(&app, "title", "heading").await.unwrap_err();
        assert_eq!((error.code(), error.to_string().contains("called `headline` now")), (Code::FieldNotFound, true), "{error}");
    }

    async fn everything_of_the_collection_that_names_the_field_follows(app: TestApp) {
        let fields = json!([
            { "slug": "title", "type": "string" }, { "slug": "price", "type": "integer", "indexed": true },
            { "slug": "hint", "type": "string", "options": { "condition": { "field": "title", "isSet": true }, "help": "title" } },
            { "slug": "address", "type": "slug", "options": { "source": "title" } },
        ]);
        posts(&app, fields).await;
        let change = json!({
            "slug": "posts", "titleField": "title", "admin": { "listColumns": ["price", "title"] },
            "indexes": [{ "fields": ["title", "price"] }],
        });
        app.call::<UpdateCollection>(Role::Admin, change).await.unwrap();
        let before = get(&app).await;
        let planned = json!({ "collection": "posts", "fieldSlug": "title", "slug": "headline", "dryRun": true });
        let planned = app.call::<RenameField>(Role::Admin, planned).await.unwrap();
        assert_eq!(get(&app).await, before, "a dry run changes nothing");
        let done = rename(&app, "title", "headline").await.unwrap();
        let followed = json!(["titleField", "admin.listColumns", "index", "indexes", "fields.hint.options", "fields.address.options"]);
        assert_eq!((&planned["followed"], &done["followed"]), (&followed, &followed));
        assert_eq!((&planned["dryRun"], &done["dryRun"]), (&json!(true), &json!(false)));
        let after = get(&app).await;
        assert_eq!(after["titleField"], "headline");
        assert_eq!(after["admin"]["listColumns"], json!(["price", "headline"]));
        assert_eq!(after["indexes"], json!([{ "fields": ["headline", "price"], "state": "ready" }]));
        let options = |slug: &str| after["fields"].as_array().unwrap().iter().find(|field| field["slug"] == slug).unwrap()["options"].clone();
        assert_eq!(options("hint"), json!({ "condition": { "field": "headline", "isSet": true }, "help": "title" }));
        assert_eq!(options("address"), json!({ "source": "headline" }));
        rename(&app, "headline", "title").await.unwrap();
        let back = get(&app).await;
        for member in ["titleField", "admin", "indexes"] {
            assert_eq!(back[member], before[member], "{member}");
        }
    }

    async fn a_name_that_is_taken_or_means_something_else_is_refused(app: TestApp) {
        titled(&app).await;
        assert_eq!(rename(&app, "title", "price").await.unwrap_err().code(), Code::FieldExists);
        assert_eq!(rename(&app, "title", "status").await.unwrap_err().code(), Code::ReservedSlug);
        assert_eq!(rename(&app, "nothing", "else").await.unwrap_err().code(), Code::FieldNotFound);
        assert_eq!(problems(&rename(&app, "title", "title").await.unwrap_err()), issue("slug", "DUPLICATE"));
    }

    async fn a_new_field_by_the_former_name_has_values_of_its_own(app: TestApp) {
        titled(&app).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        rename(&app, "title", "headline").await.unwrap();
        let made = add_field(&app, json!({ "slug": "title", "type": "string", "unique": true })).await.unwrap();
        assert_eq!(made["formerSlugs"], json!([]));
        assert_eq!(act::<GetEntry>(&app, &id, json!({})).await["item"]["data"], json!({ "headline": "One" }));
        let item = act::<UpdateEntry>(&app, &id, json!({ "data": { "title": "Another" } })).await["item"].clone();
        assert_eq!(item["data"], json!({ "headline": "One", "title": "Another" }));
        let again = json!({ "collection": "posts", "data": { "headline": "One", "title": "Another" } });
        let error = app.call::<CreateEntry>(Role::Editor, again).await.unwrap_err();
        assert_eq!(error.code(), Code::UniqueConflict, "the values are registered as those of the new field");
        drop_field(&app, "headline").await;
        assert_eq!(act::<GetEntry>(&app, &id, json!({})).await["item"]["data"], json!({ "title": "Another" }));
    }

    async fn whatever_is_made_renamed_and_deleted_each_field_keeps_its_own_values(app: TestApp) {
        posts(&app, json!([])).await;
        let id = entry_in(&app, json!({ "collection": "posts", "slug": "one", "data": {} })).await;
        let (mut known, mut runner) = (Known::default(), TestRunner::deterministic());
        for n in 0..CHANGES {
            let change = change().new_tree(&mut runner).unwrap().current();
            let has = |name: &str| known.fields.contains(&name);
            match change {
                Change::Make(name) if !has(name) => {
                    add_field(&app, json!({ "slug": name, "type": "string", "indexed": true })).await.unwrap();
                    known.fields.push(name);
                }
                Change::Delete(name) if has(name) => {
                    drop_field(&app, name).await;
                    known.delete(name);
                }
                Change::Rename(from, to) if has(from) && !has(to) => {
                    rename(&app, from, to).await.unwrap();
                    known.rename(from, to);
                }
                Change::Write(name, value) if has(name) => {
                    act::<UpdateEntry>(&app, &id, json!({ "data": { (name): value.to_string() } })).await;
                    known.staged.insert(name, value.to_string());
                }
                Change::Clear(name) if has(name) => {
                    act::<UpdateEntry>(&app, &id, json!({ "data": { (name): null } })).await;
                    known.staged.remove(name);
                }
                Change::Publish => {
                    act::<PublishEntry>(&app, &id, json!({})).await;
                    known.live = known.staged.clone();
                }
                _ => continue,
            }
            let item = act::<GetEntry>(&app, &id, json!({})).await["item"].clone();
            assert_eq!(item["data"], json!(known.staged), "after {n}: {change:?}");
            if !item["liveData"].is_null() {
                assert_eq!(item["liveData"], json!(known.live), "after {n}: {change:?}");
            }
        }
        let fields: Vec<_> = get(&app).await["fields"].as_array().unwrap().iter().map(|field| field["slug"].clone()).collect();
        known.fields.sort_unstable();
        assert_eq!(fields.len(), known.fields.len());
    }
}
