//! A change that others hold up is made again, however far it had come.

use std::time::Duration;

use cms_content::{
    entries::{create::CreateEntry, list::ListEntries},
    schema::create_collection::CreateCollection,
};
use cms_core::both;
use cms_domain::user::Role;
use serde_json::json;
use tokio::time::sleep;

both! {
    async fn a_change_is_made_once_when_its_last_rows_wait_for_others(app: TestApp) {
        // What a change tells is written when it ends. A second is longer than one attempt waits.
        const HELD: &str = "DO $$ BEGIN LOCK TABLE outbox; PERFORM pg_sleep(1); END $$";
        app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts" })).await.unwrap();
        if !app.store().backend().has_concurrent_writers() {
            return;
        }
        let held = tokio::spawn({
            let store = app.store().clone();
            async move { store.tamper(HELD).await.unwrap() }
        });
        sleep(Duration::from_millis(200)).await;
        app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": {} })).await.unwrap();
        held.await.unwrap();
        let found = app.call::<ListEntries>(Role::Editor, json!({ "collection": "posts" })).await.unwrap();
        assert_eq!(found["items"].as_array().unwrap().len(), 1, "{found}");
    }
}
