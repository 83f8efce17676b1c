//! Edit locks: leases of seven minutes.

use std::time::Duration;

use cms_content::entries::{
    create::CreateEntry,
    delete::DeleteEntry,
    lease,
    lock::{AcquireLock, GetLock, ReleaseLock},
    publish::PublishEntry,
    update::UpdateEntry,
};
use cms_core::{both, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{Code, Door};
use serde_json::{Value, json};

use super::{Site, named, with};

both! {
    async fn an_entry_that_another_user_edits_is_not_changed_over_rest(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<AcquireLock>(Role::Editor, named(&entry)).await;
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": { "title": "B" } }))).await;
        assert_eq!(refused.code(), Code::EntryLocked);
        let holder = &refused.details_json().unwrap()["holder"];
        assert_eq!((&holder["userId"], &holder["userName"]), (&json!(TestApp::user(Role::Editor)), &json!("editor")));
        assert_eq!(holder["expiresAt"], json!(site.now().after(lease::LIFE)));
        assert_eq!(site.code::<PublishEntry>(Role::Author, named(&entry)).await, Code::EntryLocked);
        assert_eq!(site.code::<DeleteEntry>(Role::Author, named(&entry)).await, Code::EntryLocked);
        site.update(&entry, json!({ "data": { "title": "B" }, "overrideLock": true })).await;
        site.done::<DeleteEntry>(Role::Author, with(&entry, json!({ "overrideLock": true }))).await;
    }

    async fn a_tool_call_is_not_subject_to_edit_locks(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<AcquireLock>(Role::Editor, named(&entry)).await;
        let change: UpdateEntry = serde_json::from_value(with(&entry, json!({ "data": { "title": "B" } }))).unwrap();
        site.cms().invoke(&TestApp::actor(Role::Author), Door::Tool, change).await.unwrap();
    }

    async fn a_stale_rev_is_told_before_a_lease(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<AcquireLock>(Role::Editor, named(&entry)).await;
        let stale = with(&entry, json!({ "_rev": "1-0" }));
        assert_eq!(site.code::<UpdateEntry>(Role::Author, stale).await, Code::Conflict);
    }

    async fn a_lease_ends_after_seven_minutes_and_a_save_extends_it(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<AcquireLock>(Role::Author, named(&entry)).await;
        site.clock().advance(Duration::from_mins(6));
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        site.clock().advance(Duration::from_mins(6));
        let change = with(&entry, json!({ "data": { "title": "C" } }));
        assert_eq!(site.code::<UpdateEntry>(Role::Editor, change.clone()).await, Code::EntryLocked);
        site.clock().advance(Duration::from_mins(1));
        site.done::<UpdateEntry>(Role::Editor, change).await;
        assert_eq!(state(&site.admin::<GetLock>(named(&entry)).await), (true, false, Value::Null));
    }

    async fn another_users_lease_is_only_taken_over_on_purpose(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let held = site.done::<AcquireLock>(Role::Author, named(&entry)).await;
        assert_eq!(state(&held), (true, true, json!(TestApp::user(Role::Author))));
        assert_eq!(site.code::<AcquireLock>(Role::Editor, named(&entry)).await, Code::EntryLocked);
        let taken = site.done::<AcquireLock>(Role::Editor, with(&entry, json!({ "takeover": true }))).await;
        assert_eq!(state(&taken), (true, true, json!(TestApp::user(Role::Editor))));
        let seen = site.done::<GetLock>(Role::Author, named(&entry)).await;
        assert_eq!(state(&seen), (true, false, json!(TestApp::user(Role::Editor))));
    }

    async fn a_second_tab_cannot_release_the_lease_of_the_first(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.done::<AcquireLock>(Role::Author, with(&entry, json!({ "token": "one" }))).await;
        site.done::<AcquireLock>(Role::Author, with(&entry, json!({ "token": "two" }))).await;
        for token in [json!("two"), Value::Null] {
            let kept = site.done::<ReleaseLock>(Role::Author, with(&entry, json!({ "token": token }))).await;
            assert_eq!(state(&kept), (true, true, json!(TestApp::user(Role::Author))));
        }
        let released = site.done::<ReleaseLock>(Role::Author, with(&entry, json!({ "token": "one" }))).await;
        assert_eq!(state(&released), (true, false, Value::Null));
    }

    async fn a_contributor_gives_the_lease_back_when_the_entry_was_published_meanwhile(app: TestApp) {
        let site = Site::open(app).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" } });
        let entry = site.done::<CreateEntry>(Role::Contributor, new).await;
        site.done::<AcquireLock>(Role::Contributor, with(&entry, json!({ "token": "one" }))).await;
        site.done::<PublishEntry>(Role::Editor, with(&entry, json!({ "overrideLock": true }))).await;
        assert_eq!(site.code::<AcquireLock>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
        let released = site.done::<ReleaseLock>(Role::Contributor, with(&entry, json!({ "token": "one" }))).await;
        assert_eq!(state(&released), (true, false, Value::Null));
        assert_eq!(site.code::<ReleaseLock>(Role::Contributor, named(&entry)).await, Code::InsufficientPermissions);
    }

    async fn a_collection_without_edit_locks_has_no_leases(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.done::<CreateEntry>(Role::Author, json!({ "collection": "notes", "data": {} })).await;
        let off = json!({ "enabled": false, "heldByCaller": false, "holder": null });
        assert_eq!(site.done::<AcquireLock>(Role::Author, named(&entry)).await, off);
        assert_eq!(site.done::<GetLock>(Role::Editor, named(&entry)).await, off);
        site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "data": { "text": "x" } }))).await;
    }
}

fn state(answer: &Value) -> (bool, bool, Value) {
    (answer["enabled"] == true, answer["heldByCaller"] == true, answer["holder"]["userId"].clone())
}
