//! What of entries is in the audit log.

use std::time::Duration;

use cms_accounts::audit::ListAudit;
use cms_content::{
    entries::{
        create::CreateEntry, delete::DeleteEntry, permanent_delete::PermanentDeleteEntry, preview::MakePreviewUrl, publish::PublishEntry,
        restore::RestoreEntry, schedule::ScheduleEntry, unpublish::UnpublishEntry, unschedule::UnscheduleEntry, update::UpdateEntry,
    },
    schema::create_collection::CreateCollection,
};
use cms_core::{both, tasks::publish_due, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{Clock, operation::Operation};
use serde_json::{Value, json};

/// A site with an empty collection.
async fn site(app: &TestApp) {
    let fields = json!([{ "slug": "title", "label": "Title", "type": "string" }]);
    let supports = ["drafts", "revisions", "scheduling", "preview"];
    let posts = json!({ "slug": "posts", "label": "Posts", "supports": supports, "fields": fields });
    app.call::<CreateCollection>(Role::Admin, posts).await.unwrap();
}

async fn create(app: &TestApp, status: &str) -> Value {
    let input = json!({ "collection": "posts", "status": status, "slug": "hello", "data": { "title": "Hello" } });
    app.call::<CreateEntry>(Role::Admin, input).await.unwrap()["item"]["id"].clone()
}

async fn call<O: Operation>(app: &TestApp, id: &Value, more: Value) {
    let mut input = json!({ "collection": "posts", "id": id });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    app.call::<O>(Role::Admin, input).await.unwrap();
}

/// The lines of entries, the oldest first.
async fn lines(app: &TestApp) -> Vec<Value> {
    let found = app.call::<ListAudit>(Role::Admin, json!({ "resourceType": "entry" })).await.unwrap();
    found["items"].as_array().unwrap().iter().rev().cloned().collect()
}

async fn actions(app: &TestApp) -> Vec<String> {
    lines(app).await.iter().map(|line| line["action"].as_str().unwrap().to_owned()).collect()
}

both! {
    async fn what_becomes_public_or_goes_leaves_a_line_and_drafts_leave_none(app: TestApp) {
        site(&app).await;
        let id = create(&app, "draft").await;
        call::<UpdateEntry>(&app, &id, json!({ "data": { "title": "Hello again" } })).await;
        assert_eq!(actions(&app).await, [""; 0]);
        let later = app.clock().now().after(Duration::from_hours(1));
        call::<ScheduleEntry>(&app, &id, json!({ "scheduledAt": later })).await;
        call::<UnscheduleEntry>(&app, &id, json!({})).await;
        call::<PublishEntry>(&app, &id, json!({})).await;
        call::<MakePreviewUrl>(&app, &id, json!({})).await;
        call::<UnpublishEntry>(&app, &id, json!({})).await;
        call::<DeleteEntry>(&app, &id, json!({})).await;
        call::<RestoreEntry>(&app, &id, json!({})).await;
        call::<DeleteEntry>(&app, &id, json!({})).await;
        call::<PermanentDeleteEntry>(&app, &id, json!({})).await;
        let deeds = ["schedule", "unschedule", "publish", "preview_url", "unpublish", "delete", "restore", "delete", "permanent_delete"];
        assert_eq!(actions(&app).await, deeds.map(|deed| format!("content.{deed}")));
        for line in lines(&app).await {
            assert_eq!(line["resource"], json!({ "type": "entry", "id": id, "label": "Hello again" }), "{line}");
            assert_eq!((&line["details"]["collection"], &line["details"]["locale"]), (&json!("posts"), &json!("en")), "{line}");
        }
        let published = lines(&app).await.remove(2);
        assert!(published["changes"].as_array().unwrap().contains(&json!({ "member": "status", "from": "draft", "to": "published" })));
    }

    async fn saving_that_publishes_leaves_the_line_of_a_publication(app: TestApp) {
        site(&app).await;
        let id = create(&app, "published").await;
        call::<UpdateEntry>(&app, &id, json!({ "status": "draft" })).await;
        call::<UpdateEntry>(&app, &id, json!({ "status": "published" })).await;
        assert_eq!(actions(&app).await, ["content.create", "content.update", "content.update"]);
    }

    async fn a_publication_on_schedule_is_the_systems(app: TestApp) {
        site(&app).await;
        let id = create(&app, "draft").await;
        let later = app.clock().now().after(Duration::from_hours(1));
        call::<ScheduleEntry>(&app, &id, json!({ "scheduledAt": later })).await;
        app.clock().advance(Duration::from_hours(2));
        publish_due::publish_due(app.cms()).await.unwrap();
        let line = lines(&app).await.remove(1);
        assert_eq!((&line["action"], &line["actor"]["kind"], &line["door"]), (&json!("content.publish_due"), &json!("system"), &json!("local")));
    }
}
