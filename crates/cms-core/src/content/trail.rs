//! What the audit log says of entries: what became public or ceased to be, what was planned, and what was thrown away. Drafts that are
//! saved leave no line: their revisions tell.

use cms_domain::{collection::Collection, entry::Entry, event::EntryAction};
use serde_json::{Map, Value, json};

use super::slugs;
use crate::{Cx, Error, audit_line};

/// What a line says of a change of an entry's state, if it is one that leaves a line.
pub(super) fn state(cx: &mut Cx<'_>, collection: &Collection, before: &Entry, after: &Entry, action: EntryAction) -> Result<(), Error> {
    match action {
        EntryAction::Created | EntryAction::Saved | EntryAction::DraftDiscarded => return Ok(()),
        EntryAction::Published
        | EntryAction::Unpublished
        | EntryAction::Scheduled
        | EntryAction::Unscheduled
        | EntryAction::Trashed
        | EntryAction::Restored
        | EntryAction::Removed => {}
    }
    let (from, to) = (&before.lifecycle, &after.lifecycle);
    let details = audit_line::changes([
        ("status", json!(from.status), json!(to.status)),
        ("publishedAt", json!(from.published_at), json!(to.published_at)),
        ("scheduledAt", json!(from.scheduled_at), json!(to.scheduled_at)),
        ("deletedAt", json!(from.deleted_at), json!(to.deleted_at)),
    ]);
    entry(cx, collection, after, details)
}

/// What a line says of an entry besides where it is.
pub(super) fn entry(cx: &mut Cx<'_>, collection: &Collection, entry: &Entry, mut details: Map<String, Value>) -> Result<(), Error> {
    details.insert("collection".to_owned(), json!(collection.slug));
    details.insert("locale".to_owned(), json!(entry.locale));
    let working = entry.working();
    let members = working.data.members()?;
    let slug = working.slug.as_ref().map(cms_domain::slug::EntrySlug::as_str);
    let label = slugs::title(collection, &members).or(slug);
    cx.audit_named("entry", entry.id, label, &Value::Object(details));
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use cms_domain::user::Role;
    use serde_json::{Value, json};

    use crate::{
        Clock,
        accounts::audit::ListAudit,
        both,
        content::{
            create::CreateEntry, delete::DeleteEntry, permanent_delete::PermanentDeleteEntry, preview::MakePreviewUrl,
            publish::PublishEntry, restore::RestoreEntry, schedule::ScheduleEntry, unpublish::UnpublishEntry, unschedule::UnscheduleEntry,
            update::UpdateEntry,
        },
        operation::Operation,
        schema::create_collection::CreateCollection,
        tasks::publish_due,
        testing::TestApp,
    };

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
}
