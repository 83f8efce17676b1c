//! Content whose collection is not registered.

use cms_content::{
    entries::{get::GetEntry, list::ListEntries, publish::PublishEntry, update::UpdateEntry},
    schema::orphans::{ListOrphans, RegisterOrphan},
};
use cms_core::both;
use cms_domain::{
    access::{Actor, to},
    user::Role,
};
use serde_json::json;

use super::*;

/// Takes the registration of `posts` away, as a partial restore leaves it.
async fn orphan(app: &TestApp) {
    let permit = Actor::System.permit(to::ManageSchema).unwrap();
    let tx = app.store().write().await.unwrap();
    let posts = tx.reader().collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
    tx.collections().unregister(&permit, posts.id).await.unwrap();
    tx.commit().await.unwrap();
    app.cms().upkeep().forget();
}

both! {
    async fn content_without_a_collection_is_listed(app: TestApp) {
        posts(&app, json!([])).await;
        entry(&app, json!({})).await;
        assert_eq!(app.call::<ListOrphans>(Role::Admin, json!({})).await.unwrap(), json!({ "items": [] }));
        orphan(&app).await;
        let orphans = json!({ "items": [{ "slug": "posts", "rowCount": 1 }] });
        assert_eq!(app.call::<ListOrphans>(Role::Admin, json!({})).await.unwrap(), orphans);
    }

    async fn a_registered_orphan_has_the_fields_of_its_documents_and_takes_writes(app: TestApp) {
        let fields = json!([
            { "slug": "title", "type": "string" }, { "slug": "rating", "type": "integer" }, { "slug": "day", "type": "datetime" },
            { "slug": "done", "type": "boolean" }, { "slug": "extra", "type": "json" },
        ]);
        posts(&app, fields).await;
        let data = json!({ "title": "One", "rating": 5, "day": "2027-01-01T00:00:00.000Z", "done": true, "extra": { "a": [1] } });
        let id = entry(&app, data.clone()).await;
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id, })).await.unwrap();
        let staged = json!({ "collection": "posts", "id": id, "data": { "rating": 4 } });
        app.call::<UpdateEntry>(Role::Editor, staged).await.unwrap();
        orphan(&app).await;
        let made = app.call::<RegisterOrphan>(Role::Admin, json!({ "slug": "posts" })).await.unwrap()["item"].clone();
        assert_eq!((&made["label"], &made["source"]), (&json!("Posts"), &json!("discovered")));
        let types: Vec<_> = made["fields"].as_array().unwrap().iter().map(|field| (&field["slug"], &field["type"])).collect();
        let expected = [("title", "string"), ("rating", "integer"), ("day", "datetime"), ("done", "boolean"), ("extra", "json")];
        assert_eq!(types, expected.map(|(slug, field_type)| (json!(slug), json!(field_type))).iter().map(|(a, b)| (a, b)).collect::<Vec<_>>());
        app.settle().await.unwrap();
        let item = app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap()["item"].clone();
        assert_eq!((&item["liveData"], &item["data"]["rating"]), (&data, &json!(4)));
        let save = json!({ "collection": "posts", "id": id, "data": { "title": "Two" } });
        app.call::<UpdateEntry>(Role::Editor, save).await.unwrap();
        let by_title = json!({ "collection": "posts", "orderBy": "title" });
        assert_eq!(app.call::<ListEntries>(Role::Editor, by_title).await.unwrap()["items"][0]["id"], json!(id));
    }

    async fn only_an_orphan_can_be_registered(app: TestApp) {
        let register = async || app.call::<RegisterOrphan>(Role::Admin, json!({ "slug": "posts" })).await.unwrap_err().code();
        assert_eq!(register().await, Code::NotFound);
        posts(&app, json!([])).await;
        assert_eq!(register().await, Code::CollectionExists);
    }

    async fn a_new_collection_does_not_take_over_an_orphans_content(app: TestApp) {
        posts(&app, json!([])).await;
        entry(&app, json!({})).await;
        orphan(&app).await;
        let error = app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts" })).await.unwrap_err();
        assert_eq!(error.code(), Code::CollectionExists);
    }
}
