//! What tests of the server stand on: a site with content, on either database, and a hand that damages rows.

use cms_core::{
    content::{
        entries::{create::CreateEntry, update::UpdateEntry},
        schema::{create_collection::CreateCollection, create_field::CreateField},
    },
    testing::{TestApp, TestStore},
};
use cms_domain::user::Role;
use sea_orm::{ConnectionTrait, Database};
use serde_json::json;

/// Runs a test on SQLite, and on PostgreSQL where there is one.
pub(crate) async fn on_both(test: impl AsyncFn(&TestStore)) {
    let mut stores = vec![TestStore::sqlite().await.unwrap()];
    stores.extend(TestStore::postgres().await.unwrap());
    for store in stores {
        test(&store).await;
        store.remove().await.unwrap();
    }
}

/// A site with a few entries: published, staged, drafts; with an index, a unique field and references.
pub(crate) async fn site(store: &TestStore) -> TestApp {
    let app = TestApp::open(store.store().clone()).await.unwrap();
    let supports = ["drafts", "revisions", "scheduling"];
    app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts", "supports": supports })).await.unwrap();
    for field in [
        json!({ "collection": "posts", "slug": "title", "label": "Title", "type": "string", "required": true }),
        json!({ "collection": "posts", "slug": "code", "label": "Code", "type": "string", "unique": true, "indexed": true }),
        json!({ "collection": "posts", "slug": "lead", "label": "Lead", "type": "reference" }),
    ] {
        app.call::<CreateField>(Role::Admin, field).await.unwrap();
    }
    let mut lead = serde_json::Value::Null;
    for n in 0..5 {
        let data = json!({ "title": format!("Post {n}"), "code": format!("c{n}"), "lead": lead });
        let status = if n % 2 == 0 { "published" } else { "draft" };
        let created = app.call::<CreateEntry>(Role::Admin, json!({ "collection": "posts", "status": status, "data": data })).await.unwrap();
        lead = created["item"]["id"].clone();
    }
    app.call::<UpdateEntry>(Role::Admin, json!({ "collection": "posts", "id": lead, "data": { "code": "staged" } })).await.unwrap();
    app.settle().await.unwrap();
    app
}

/// Does to the rows what no program of ours would.
pub(crate) async fn damage(store: &TestStore, statement: &str) {
    let connection = Database::connect(&store.options().url).await.unwrap();
    let done = connection.execute_unprepared(statement).await.unwrap();
    assert!(done.rows_affected() > 0, "nothing was damaged: {statement}");
    connection.close().await.unwrap();
}
