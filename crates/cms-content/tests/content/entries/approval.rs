//! What a contributor writes becomes public when somebody who may publish says so, as it was when they said so.

use std::time::Duration;

use cms_accounts::account::GetAccount;
use cms_content::entries::{
    create::CreateEntry,
    delete::DeleteEntry,
    discard_draft::DiscardDraft,
    duplicate::DuplicateEntry,
    get::GetEntry,
    permanent_delete::PermanentDeleteEntry,
    publish::PublishEntry,
    restore::RestoreEntry,
    revisions::{ListRevisions, RestoreRevision},
    schedule::ScheduleEntry,
    unpublish::UnpublishEntry,
    unschedule::UnscheduleEntry,
    update::UpdateEntry,
};
use cms_core::{both, tasks::publish_due::publish_due, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::Code;
use serde_json::{Value, json};

use super::{Site, named, with};

const CONTRIBUTOR: Role = Role::Contributor;

impl Site {
    /// What a contributor wrote, saved twice.
    async fn written(&self, title: &str) -> Value {
        let new = json!({ "collection": "posts", "data": { "title": "First words", "brand": "first" } });
        let entry = self.done::<CreateEntry>(CONTRIBUTOR, new).await;
        let change = json!({ "data": { "title": title, "brand": "approved" }, "slug": title.to_lowercase(), "seo": { "title": title } });
        self.done::<UpdateEntry>(CONTRIBUTOR, with(&entry, change)).await
    }

    /// An editor has an entry published in an hour.
    async fn approve(&self, entry: &Value) -> Value {
        let at = self.now().after(Duration::from_hours(1));
        self.done::<ScheduleEntry>(Role::Editor, with(entry, json!({ "scheduledAt": at }))).await
    }

    async fn hour_passes(&self) {
        self.clock().advance(Duration::from_hours(1));
        publish_due(self.cms()).await.unwrap();
    }

    /// Has a contributor try everything that changes an entry, or brings it before readers. Nothing works.
    async fn contributor_tries_everything(&self, entry: &Value) {
        let revisions = self.admin::<ListRevisions>(named(entry)).await;
        let first = &revisions["items"].as_array().unwrap().last().unwrap()["id"];
        let soon = self.now().after(Duration::from_mins(1));
        macro_rules! refused {
            ($operation:ty, $input:expr) => {
                let input = $input;
                assert_eq!(self.code::<$operation>(CONTRIBUTOR, input.clone()).await, Code::InsufficientPermissions, "{input}");
            };
        }
        for change in [
            json!({ "data": { "title": "Other words" } }),
            json!({ "data": { "brand": "theirs" }, "skipRevision": true }),
            json!({ "slug": "other" }),
            json!({ "seo": { "title": "Other words" } }),
            json!({ "publishedAt": "2020-01-01T00:00:00Z" }),
            json!({ "authorId": TestApp::user(Role::Author) }),
            json!({ "status": "published" }),
            json!({ "status": "draft" }),
            json!({}),
        ] {
            refused!(UpdateEntry, with(entry, change));
        }
        refused!(RestoreRevision, json!({ "revisionId": first }));
        refused!(DiscardDraft, named(entry));
        refused!(PublishEntry, named(entry));
        refused!(UnpublishEntry, named(entry));
        refused!(ScheduleEntry, with(entry, json!({ "scheduledAt": soon })));
        refused!(UnscheduleEntry, named(entry));
        refused!(DeleteEntry, named(entry));
        refused!(PermanentDeleteEntry, named(entry));
        refused!(DuplicateEntry, named(entry));
        let translation = json!({ "title": "Andere Worte", "brand": "theirs" });
        let id = &entry["item"]["id"];
        refused!(CreateEntry, json!({ "collection": "posts", "locale": "de", "translationOf": id, "data": translation }));
    }
}

both! {
    async fn a_contributor_against_every_way_content_becomes_public(app: TestApp) {
        let site = Site::open(app).await;
        // What is new is a draft, whatever one asks for.
        for wish in [json!({ "status": "published" }), json!({ "publishedAt": "2020-01-01T00:00:00Z" }), json!({ "createdAt": "2020-01-01T00:00:00Z" })] {
            let mut new = json!({ "collection": "posts", "data": { "title": "A" } });
            new.as_object_mut().unwrap().extend(wish.as_object().unwrap().clone());
            assert_eq!(site.code::<CreateEntry>(CONTRIBUTOR, new).await, Code::InsufficientPermissions);
        }
        // What is scheduled stays as it was approved, and so does what is public.
        let entry = site.written("Approved").await;
        let approved = site.approve(&entry).await;
        site.contributor_tries_everything(&entry).await;
        assert_eq!(site.get(Role::Editor, &entry).await, approved);
        site.hour_passes().await;
        let public = site.get(Role::Subscriber, &entry).await;
        assert_eq!(
            (&public["item"]["data"]["title"], &public["item"]["slug"], &public["item"]["seo"]["title"]),
            (&json!("Approved"), &json!("approved"), &json!("Approved"))
        );
        site.contributor_tries_everything(&entry).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await, public);
        // What was public once is not a contributor's to bring back.
        let drafted = site.done::<UnpublishEntry>(Role::Editor, named(&entry)).await;
        site.contributor_tries_everything(&entry).await;
        assert_eq!(site.get(Role::Editor, &entry).await, drafted);
    }

    async fn a_contributor_brings_nothing_back_from_the_trash_that_goes_public(app: TestApp) {
        let site = Site::open(app).await;
        for approve in [true, false] {
            let entry = site.written(if approve { "Planned" } else { "Draft" }).await;
            if approve {
                site.approve(&entry).await;
            }
            site.done::<DeleteEntry>(Role::Editor, named(&entry)).await;
            let restored = site.call::<RestoreEntry>(CONTRIBUTOR, named(&entry)).await;
            assert_eq!(restored.err().map(|error| error.code()), approve.then_some(Code::InsufficientPermissions));
        }
        site.hour_passes().await;
        assert_eq!(site.code::<GetEntry>(Role::Subscriber, json!({ "collection": "posts", "id": "planned" })).await, Code::NotFound);
    }

    async fn shared_values_of_a_contributors_translation_reach_no_approved_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.written("Approved").await;
        let translation = json!({ "collection": "posts", "locale": "de", "translationOf": entry["item"]["id"], "data": { "title": "Deutsch" } });
        let translation = site.done::<CreateEntry>(CONTRIBUTOR, translation).await;
        site.approve(&entry).await;
        // The translation is still a draft of the contributor's own.
        site.done::<UpdateEntry>(CONTRIBUTOR, with(&translation, json!({ "data": { "brand": "theirs" } }))).await;
        site.hour_passes().await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["brand"], "approved");
        assert_eq!(site.get(CONTRIBUTOR, &translation).await["item"]["data"]["brand"], "approved");
        site.done::<UpdateEntry>(CONTRIBUTOR, with(&translation, json!({ "data": { "brand": "theirs" } }))).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["brand"], "approved");
        assert_eq!(site.code::<GetEntry>(Role::Subscriber, named(&translation)).await, Code::NotFound);
    }

    async fn an_editor_approves_what_they_read_and_nothing_that_came_after(app: TestApp) {
        let site = Site::open(app).await;
        let read = site.written("Approved").await;
        site.done::<UpdateEntry>(CONTRIBUTOR, with(&read, json!({ "data": { "title": "Other words" } }))).await;
        let at = site.now().after(Duration::from_hours(1));
        let schedule = with(&read, json!({ "scheduledAt": at, "_rev": read["_rev"] }));
        assert_eq!(site.code::<ScheduleEntry>(Role::Editor, schedule).await, Code::Conflict);
        assert_eq!(site.code::<PublishEntry>(Role::Editor, with(&read, json!({ "_rev": read["_rev"] }))).await, Code::Conflict);
    }

    async fn whoever_may_publish_goes_on_editing_what_is_scheduled(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.written("Approved").await;
        site.approve(&entry).await;
        let edited = site.done::<UpdateEntry>(Role::Editor, with(&entry, json!({ "data": { "title": "Edited" } }))).await;
        assert_eq!(edited["item"]["status"], "scheduled");
        let own = site.draft(json!({ "title": "Own" })).await;
        site.approve(&own).await;
        site.update(&own, json!({ "data": { "title": "Own, edited" } })).await;
        site.hour_passes().await;
        for (entry, title) in [(&entry, "Edited"), (&own, "Own, edited")] {
            assert_eq!(site.get(Role::Subscriber, entry).await["item"]["data"]["title"], title);
        }
    }

    async fn a_schedule_that_is_cancelled_gives_the_draft_back_to_its_contributor(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.written("Approved").await;
        site.approve(&entry).await;
        let refused = site.refused::<UpdateEntry>(CONTRIBUTOR, with(&entry, json!({ "data": { "title": "B" } }))).await;
        assert!(refused.message().contains("is scheduled, so it stays as it was approved"), "{refused}");
        site.done::<UnscheduleEntry>(Role::Editor, named(&entry)).await;
        site.done::<UpdateEntry>(CONTRIBUTOR, with(&entry, json!({ "data": { "title": "B" } }))).await;
        site.hour_passes().await;
        assert_eq!(site.code::<GetEntry>(Role::Subscriber, named(&entry)).await, Code::NotFound);
    }

    async fn a_site_may_let_contributors_create_and_not_edit(app: TestApp) {
        let site = Site::open(app.another(|options| options.contributors_edit_own_drafts = false)).await;
        let new = json!({ "collection": "posts", "data": { "title": "A" } });
        let entry = site.done::<CreateEntry>(CONTRIBUTOR, new).await;
        let revision = site.admin::<ListRevisions>(named(&entry)).await["items"][0]["id"].clone();
        let change = with(&entry, json!({ "data": { "title": "B" } }));
        assert_eq!(site.code::<UpdateEntry>(CONTRIBUTOR, change.clone()).await, Code::InsufficientPermissions);
        assert_eq!(site.code::<RestoreRevision>(CONTRIBUTOR, json!({ "revisionId": revision })).await, Code::InsufficientPermissions);
        assert_eq!(site.code::<DuplicateEntry>(CONTRIBUTOR, named(&entry)).await, Code::InsufficientPermissions);
        site.done::<UpdateEntry>(Role::Editor, change).await;
        site.update(&site.draft(json!({ "title": "Own" })).await, json!({ "data": { "title": "Edited" } })).await;
        let account = site.done::<GetAccount>(CONTRIBUTOR, json!({})).await;
        assert!(!account["permissions"].as_array().unwrap().contains(&json!("content:edit_own_draft")));
    }
}
