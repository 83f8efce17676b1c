//! What holds of where files are used.

use std::{collections::BTreeMap, time::Duration};

use cms_content::{
    entries::{
        create::CreateEntry, delete::DeleteEntry, discard_draft::DiscardDraft, permanent_delete::PermanentDeleteEntry,
        publish::PublishEntry, restore::RestoreEntry, unpublish::UnpublishEntry, update::UpdateEntry,
    },
    schema::{
        create_collection::CreateCollection, create_field::CreateField, delete_collection::DeleteCollection, delete_field::DeleteField,
    },
};
use cms_core::{both, testing::TestApp};
use cms_domain::{access::Scope, media::MediaId, media_uses, user::Role};
use cms_frame::{Code, Door, operation::Operation};
use cms_media::{
    items::{DeleteMedia, GetMedia, ListMedia},
    usage::{
        places::GetMediaUsage,
        progress::{AdvanceMediaUsageProgress, GetMediaUsageProgress},
        repair::RepairMediaUsage,
    },
};
use serde_json::{Value, json};

use crate::files::{pdf, upload};

/// A collection that names files in every way.
async fn posts(app: &TestApp) {
    let rows = json!({ "subFields": [{ "slug": "logo", "type": "image", "label": "Logo" }] });
    let fields = json!([
        { "slug": "title", "type": "string", "label": "Title" },
        { "slug": "sheet", "type": "file", "label": "Sheet" },
        { "slug": "body", "type": "portableText", "label": "Body" },
        { "slug": "logos", "type": "repeater", "label": "Logos", "validation": rows },
    ]);
    let posts = json!({ "slug": "posts", "label": "Posts", "supports": ["drafts", "seo"], "fields": fields });
    app.call::<CreateCollection>(Role::Admin, posts).await.unwrap();
}

/// Everything that happened is followed. On PostgreSQL it can be read when older transactions have ended, of other tests too.
async fn followed(app: &TestApp) {
    for _ in 0..500 {
        app.settle().await.unwrap();
        let rows = app.store().reader();
        let position = rows.followers().get("media.usage").await.unwrap().unwrap().position;
        if rows.outbox().read_all_after(position, 1).await.unwrap().is_empty() {
            return app.settle().await.unwrap();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("what happened is not followed");
}

async fn item(app: &TestApp, n: usize) -> String {
    upload(app, Role::Author, &format!("{n}.pdf"), &pdf(n)).await.unwrap()["item"]["id"].as_str().unwrap().to_owned()
}

async fn entry(app: &TestApp, data: Value) -> String {
    let made = app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": data })).await.unwrap();
    made["item"]["id"].as_str().unwrap().to_owned()
}

async fn deed<O: Operation>(app: &TestApp, id: &str) {
    app.call::<O>(Role::Admin, json!({ "collection": "posts", "id": id })).await.unwrap();
}

async fn save(app: &TestApp, id: &str, data: Value) {
    app.call::<UpdateEntry>(Role::Editor, json!({ "collection": "posts", "id": id, "data": data })).await.unwrap();
}

async fn usage(app: &TestApp, role: Role, id: &str) -> Value {
    app.call::<GetMedia>(role, json!({ "id": id, "includeUsage": "1" })).await.unwrap()["item"]["usage"].clone()
}

fn complete(count: Option<u64>) -> Value {
    json!({ "count": count, "coverage": { "scope": "all_content_collections", "status": "complete" } })
}

async fn places(app: &TestApp, id: &str) -> Vec<String> {
    let page = app.call::<GetMediaUsage>(Role::Editor, json!({ "id": id })).await.unwrap();
    let mut told = Vec::new();
    for entry in page["items"].as_array().unwrap() {
        for source in entry["sources"].as_array().unwrap() {
            for place in source["occurrences"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
                told.push(format!(
                    "{} {} {} {}",
                    text(&entry["title"]),
                    text(&source["variant"]),
                    text(&place["fieldPath"]),
                    text(&place["referenceType"])
                ));
            }
        }
    }
    told
}

both! {
    async fn it_is_told_by_how_many_entries_and_where_a_file_is_used(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        let everywhere = json!({
            "title": "One", "sheet": { "id": id }, "logos": [{ "logo": { "id": id } }],
            "body": [{ "_type": "gallery", "images": [{ "asset": { "_ref": id } }] }, { "_type": "box", "in": [{ "_type": "image", "asset": { "_ref": id } }] }],
        });
        let one = entry(&app, everywhere).await;
        entry(&app, json!({ "title": "Two", "sheet": { "id": id } })).await;
        entry(&app, json!({ "title": "None" })).await;
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(2)));
        assert_eq!(usage(&app, Role::Subscriber, &id).await, complete(None), "drafts are not everybody's");
        let listed = app.call::<ListMedia>(Role::Editor, json!({ "includeUsage": "1" })).await.unwrap();
        assert_eq!(listed["items"][0]["usage"], complete(Some(2)));
        assert!(app.call::<ListMedia>(Role::Editor, json!({})).await.unwrap()["items"][0].get("usage").is_none());
        assert_eq!(app.call::<ListMedia>(Role::Editor, json!({ "includeUsage": "true" })).await.unwrap_err().code(), Code::ValidationError);
        let expected = [
            "One columns sheet file_field",
            "One columns body[0].images[0].asset portable_text_gallery",
            "One columns body[1].in[0].asset portable_text_image",
            "One columns logos[0].logo image_field",
            "Two columns sheet file_field",
        ];
        assert_eq!(places(&app, &id).await, expected);
        // What is staged is told beside what is public, and counts once.
        deed::<PublishEntry>(&app, &one).await;
        save(&app, &one, json!({ "logos": [], "body": [], "sheet": { "id": id } })).await;
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(2)));
        assert!(places(&app, &id).await.contains(&"One draft_overlay sheet file_field".to_owned()));
        let first = app.call::<GetMediaUsage>(Role::Editor, json!({ "id": id, "limit": 1 })).await.unwrap();
        let rest = app.call::<GetMediaUsage>(Role::Editor, json!({ "id": id, "limit": 1, "cursor": first["nextCursor"] })).await.unwrap();
        assert_eq!((rest["items"][0]["title"].as_str(), rest.get("nextCursor")), (Some("Two"), None));
    }

    async fn what_is_in_the_trash_is_told_and_does_not_count(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        let one = entry(&app, json!({ "title": "One", "sheet": { "id": id } })).await;
        deed::<DeleteEntry>(&app, &one).await;
        followed(&app).await;
        assert_eq!((usage(&app, Role::Editor, &id).await, places(&app, &id).await.len()), (complete(Some(0)), 1));
        deed::<RestoreEntry>(&app, &one).await;
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(1)));
        deed::<DeleteEntry>(&app, &one).await;
        deed::<PermanentDeleteEntry>(&app, &one).await;
        followed(&app).await;
        assert_eq!((usage(&app, Role::Editor, &id).await, places(&app, &id).await), (complete(Some(0)), Vec::new()));
    }

    async fn a_file_in_use_is_not_deleted_by_whoever_says_so_however_lately_it_came_to_be_used(app: TestApp) {
        posts(&app).await;
        let (used, free) = (item(&app, 1).await, item(&app, 2).await);
        followed(&app).await;
        let unused = app.call::<ListMedia>(Role::Editor, json!({ "unused": true })).await.unwrap();
        assert_eq!(unused["items"].as_array().unwrap().len(), 2);
        // Nobody has followed this yet.
        let one = entry(&app, json!({ "title": "One", "sheet": { "id": used } })).await;
        let refused = app.call::<DeleteMedia>(Role::Editor, json!({ "id": used, "ifUnused": true })).await.unwrap_err();
        assert_eq!(refused.code(), Code::MediaInUse);
        app.call::<DeleteMedia>(Role::Editor, json!({ "id": free, "ifUnused": true })).await.unwrap();
        followed(&app).await;
        assert_eq!(app.call::<ListMedia>(Role::Editor, json!({ "unused": true })).await.unwrap()["items"], json!([]));
        deed::<DeleteEntry>(&app, &one).await;
        followed(&app).await;
        app.call::<DeleteMedia>(Role::Editor, json!({ "id": used, "ifUnused": true })).await.unwrap();
    }

    async fn who_may_not_read_drafts_learns_nothing_of_what_they_use(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        let list = json!({ "unused": true });
        assert_eq!(app.call::<ListMedia>(Role::Subscriber, list.clone()).await.unwrap_err().code(), Code::InsufficientPermissions);
        assert_eq!(app.call::<GetMediaUsage>(Role::Subscriber, json!({ "id": id })).await.unwrap_err().code(), Code::InsufficientPermissions);
        let token = app.token_of(Role::Editor, &[Scope::MediaRead]).await.unwrap();
        let narrow = app.cms().identify(&token).await.unwrap();
        let asked: GetMediaUsage = serde_json::from_value(json!({ "id": id })).unwrap();
        assert_eq!(app.cms().invoke(&narrow, Door::Local, asked).await.unwrap_err().code(), Code::InsufficientScope);
        let elsewhere = json!({ "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
        assert_eq!(app.call::<GetMediaUsage>(Role::Editor, elsewhere).await.unwrap_err().code(), Code::NotFound);
    }

    async fn a_change_of_the_model_is_looked_through(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        entry(&app, json!({ "title": "One", "sheet": { "id": id } })).await;
        followed(&app).await;
        app.call::<DeleteField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "sheet" })).await.unwrap();
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(0)));
        app.call::<CreateField>(Role::Admin, json!({ "collection": "posts", "slug": "cover", "type": "image", "label": "Cover" })).await.unwrap();
        entry(&app, json!({ "title": "Two", "cover": { "id": id } })).await;
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(1)));
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        followed(&app).await;
        assert_eq!((usage(&app, Role::Editor, &id).await, places(&app, &id).await), (complete(Some(0)), Vec::new()));
        assert!(app.store().reader().usage_coverage().all().await.unwrap().is_empty());
    }

    async fn what_is_lost_is_looked_through_anew_and_until_then_no_count_is_told(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        for n in 0..3 {
            entry(&app, json!({ "title": n.to_string(), "sheet": { "id": id } })).await;
        }
        followed(&app).await;
        // As after a restore: nothing that is derived is there.
        let collection = app.store().reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap().id;
        let tx = app.store().write().await.unwrap();
        while tx.media_usage().clear(collection, 100).await.unwrap() > 0 {}
        tx.usage_coverage().forget(collection).await.unwrap();
        tx.commit().await.unwrap();
        let told = usage(&app, Role::Editor, &id).await;
        assert_eq!((&told["count"], &told["coverage"]["status"]), (&Value::Null, &json!("never")));
        assert_eq!(app.call::<DeleteMedia>(Role::Editor, json!({ "id": id, "ifUnused": true })).await.unwrap_err().code(), Code::MediaInUse);
        let progress = app.call::<GetMediaUsageProgress>(Role::Admin, json!({})).await.unwrap();
        assert_eq!(progress, json!({ "status": "indexing", "readyCollections": 0, "totalCollections": 1, "nextRequestInMs": 1000 }));
        app.call::<AdvanceMediaUsageProgress>(Role::Admin, json!({})).await.unwrap();
        followed(&app).await;
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(3)));
        let progress = app.call::<GetMediaUsageProgress>(Role::Admin, json!({})).await.unwrap();
        assert_eq!(progress, json!({ "status": "ready", "readyCollections": 1, "totalCollections": 1, "nextRequestInMs": null }));
    }

    async fn repairing_looks_through_what_it_is_asked_for(app: TestApp) {
        posts(&app).await;
        let id = item(&app, 1).await;
        entry(&app, json!({ "title": "One", "sheet": { "id": id } })).await;
        let repaired = app.call::<RepairMediaUsage>(Role::Admin, json!({ "scope": "collection", "collection": "posts" })).await.unwrap();
        assert_eq!((&repaired["status"], &repaired["indexedSourceCount"], &repaired["failedSourceCount"]), (&json!("complete"), &json!(1), &json!(0)));
        assert_eq!(repaired["collections"][0]["collection"], "posts");
        assert_eq!(usage(&app, Role::Editor, &id).await, complete(Some(1)));
        assert_eq!(app.call::<RepairMediaUsage>(Role::Admin, json!({ "scope": "all" })).await.unwrap()["status"], "complete");
        let nowhere = json!({ "scope": "collection", "collection": "nowhere" });
        assert_eq!(app.call::<RepairMediaUsage>(Role::Admin, nowhere).await.unwrap_err().code(), Code::CollectionNotFound);
        for input in [json!({ "scope": "collection" }), json!({ "scope": "all", "collection": "posts" }), json!({ "scope": "some" })] {
            assert_eq!(app.call::<RepairMediaUsage>(Role::Admin, input).await.unwrap_err().code(), Code::ValidationError);
        }
        assert_eq!(app.call::<RepairMediaUsage>(Role::Editor, json!({ "scope": "all" })).await.unwrap_err().code(), Code::InsufficientPermissions);
    }

    async fn counts_are_those_of_whoever_looks_at_every_entry_after_many_deeds(app: TestApp) {
        posts(&app).await;
        let mut items = Vec::new();
        for n in 0..4 {
            items.push(item(&app, n).await);
        }
        // A fixed sequence that looks like chance (Knuth, MMIX).
        let mut state = 7_u64;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        let (mut there, mut trashed) = (Vec::<String>::new(), Vec::<String>::new());
        for deeds in 0..200 {
            let data = json!({ "title": "A", "sheet": { "id": items[next(4)] }, "body": [{ "_type": "image", "asset": { "_ref": items[next(4)] } }] });
            match next(8) {
                0 | 1 => there.push(entry(&app, data).await),
                _ if there.is_empty() => {}
                2 | 3 => save(&app, &there[next(there.len())], data).await,
                4 => deed::<PublishEntry>(&app, &there[next(there.len())]).await,
                5 => match next(2) {
                    0 => deed::<UnpublishEntry>(&app, &there[next(there.len())]).await,
                    _ => deed::<DiscardDraft>(&app, &there[next(there.len())]).await,
                },
                6 => {
                    let id = there.swap_remove(next(there.len()));
                    deed::<DeleteEntry>(&app, &id).await;
                    trashed.push(id);
                }
                _ => if let Some(id) = trashed.pop() {
                    if next(3) == 0 {
                        deed::<PermanentDeleteEntry>(&app, &id).await;
                    } else {
                        deed::<RestoreEntry>(&app, &id).await;
                        there.push(id);
                    }
                },
            }
            if deeds % 50 == 49 {
                followed(&app).await;
                assert_eq!(told(&app, &items).await, looked_up(&app, &items).await, "after {deeds} deeds");
            }
        }
    }
}

/// What the library says of how often items are used.
async fn told(app: &TestApp, items: &[String]) -> Vec<u64> {
    let mut counts = Vec::new();
    for id in items {
        counts.push(usage(app, Role::Editor, id).await["count"].as_u64().unwrap());
    }
    counts
}

/// The same, from every entry.
async fn looked_up(app: &TestApp, items: &[String]) -> Vec<u64> {
    let rows = app.store().reader();
    let collection = rows.collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
    let mut counts = BTreeMap::<MediaId, u64>::new();
    for entry in rows.entries().by_collection(collection.id, None, 10_000).await.unwrap() {
        if entry.lifecycle.deleted_at.is_some() {
            continue;
        }
        let mut used: Vec<MediaId> =
            entry.contents().flat_map(|document| media_uses::uses(&collection, document).unwrap()).map(|found| found.media).collect();
        used.sort_unstable();
        used.dedup();
        for id in used {
            *counts.entry(id).or_default() += 1;
        }
    }
    items.iter().map(|id| counts.get(&id.parse().unwrap()).copied().unwrap_or(0)).collect()
}
