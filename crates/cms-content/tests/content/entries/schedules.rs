//! Schedules: exact, once, and not failing in silence.

use std::time::Duration;

use cms_content::{
    entries::{
        create::CreateEntry, delete::DeleteEntry, discard_draft::DiscardDraft, get::GetEntry, list::ListEntries, publish_due::PublishDue,
        restore::RestoreEntry, schedule::ScheduleEntry, schedule_unpublish::ScheduleUnpublish, unschedule::UnscheduleEntry,
        update::UpdateEntry,
    },
    schema::update_field::UpdateField,
};
use cms_core::{both, tasks::publish_due::publish_due};
use cms_domain::{access::Actor, user::Role};
use cms_frame::{Code, Door};
use serde_json::{Value, json};

use super::{Site, issues, named, with};

impl Site {
    async fn schedule(&self, answer: &Value, seconds: u64) -> Value {
        let at = self.now().after(Duration::from_secs(seconds));
        self.done::<ScheduleEntry>(Role::Author, with(answer, json!({ "scheduledAt": at }))).await
    }

    async fn end(&self, answer: &Value, seconds: u64) -> Value {
        let at = self.now().after(Duration::from_secs(seconds));
        self.done::<ScheduleUnpublish>(Role::Author, with(answer, json!({ "unpublishAt": at }))).await
    }

    async fn tick(&self, seconds: u64) {
        self.clock().advance(Duration::from_secs(seconds));
        publish_due(self.cms()).await.unwrap();
    }

    async fn item(&self, answer: &Value) -> Value {
        self.get(Role::Author, answer).await["item"].clone()
    }
}

both! {
    async fn a_due_entry_is_published_with_the_date_that_was_planned(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let scheduled = site.schedule(&entry, 60).await;
        assert_eq!(scheduled["item"]["status"], "scheduled");
        site.tick(59).await;
        assert_eq!(site.item(&entry).await["status"], "scheduled");
        site.tick(100).await;
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], &item["scheduledAt"]), (&json!("published"), &Value::Null));
        assert_eq!(item["publishedAt"], scheduled["item"]["scheduledAt"]);
    }

    async fn the_pending_draft_of_a_published_entry_is_published_on_schedule(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "data": { "title": "B" } })).await;
        let scheduled = site.schedule(&entry, 60).await;
        assert_eq!(scheduled["item"]["status"], "published");
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["title"], "A");
        site.tick(60).await;
        let public = site.get(Role::Subscriber, &entry).await;
        assert_eq!(public["item"]["data"]["title"], "B");
        assert_eq!(public["item"]["publishedAt"], entry["item"]["publishedAt"]);
    }

    async fn a_time_with_an_offset_is_that_instant_and_other_text_is_refused(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let at = with(&entry, json!({ "scheduledAt": "2027-06-01T12:00:00+02:00" }));
        assert_eq!(site.done::<ScheduleEntry>(Role::Author, at).await["item"]["scheduledAt"], "2027-06-01T10:00:00.000Z");
        for text in ["Jan 1 2028", "2028-01-01", "2028-01-01T00:00:00", "", "tomorrow"] {
            let wrong = with(&entry, json!({ "scheduledAt": text }));
            assert_eq!(site.code::<ScheduleEntry>(Role::Author, wrong).await, Code::ValidationError, "{text}");
        }
        let past = with(&entry, json!({ "scheduledAt": site.now() }));
        assert_eq!(issues(&site.refused::<ScheduleEntry>(Role::Author, past).await), ["scheduledAt PAST"]);
    }

    async fn what_could_not_be_published_is_not_scheduled(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.update(&entry, json!({ "slug": null })).await;
        let at = with(&entry, json!({ "scheduledAt": "2028-01-01T00:00:00Z" }));
        assert_eq!(issues(&site.refused::<ScheduleEntry>(Role::Author, at).await), ["slug REQUIRED"]);
        let plain = site.done::<CreateEntry>(Role::Author, json!({ "collection": "plain", "data": { "title": "A" } })).await;
        let at = with(&plain, json!({ "scheduledAt": "2028-01-01T00:00:00Z" }));
        assert_eq!(site.code::<ScheduleEntry>(Role::Author, at).await, Code::NotSupported);
    }

    async fn a_cancelled_schedule_publishes_nothing(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        let cancelled = site.done::<UnscheduleEntry>(Role::Author, named(&entry)).await;
        assert_eq!((&cancelled["item"]["status"], &cancelled["item"]["scheduledAt"]), (&json!("draft"), &Value::Null));
        site.tick(120).await;
        assert_eq!(site.item(&entry).await["status"], "draft");
        assert_eq!(site.done::<UnscheduleEntry>(Role::Author, named(&entry)).await["_rev"], cancelled["_rev"]);
    }

    async fn an_unpublished_entry_does_not_publish_itself(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        let draft = site.unpublish(&entry).await;
        assert_eq!((&draft["item"]["status"], &draft["item"]["scheduledAt"]), (&json!("draft"), &Value::Null));
        assert_eq!(draft["item"]["publishedAt"], entry["item"]["publishedAt"]);
        site.tick(120).await;
        assert_eq!(site.item(&entry).await["status"], "draft");
    }

    async fn what_became_due_in_the_trash_stays_a_draft(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        site.done::<DeleteEntry>(Role::Author, named(&entry)).await;
        site.tick(120).await;
        site.done::<RestoreEntry>(Role::Author, named(&entry)).await;
        site.tick(1).await;
        assert_eq!(site.item(&entry).await["status"], "draft");
    }

    async fn a_failure_is_shown_on_the_entry_and_retried_less_and_less(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        // The rules change under the schedule.
        site.admin::<UpdateField>(json!({ "collection": "posts", "fieldSlug": "body", "required": true })).await;
        let mut waits = Vec::new();
        let mut wait = 60;
        loop {
            site.tick(wait).await;
            let failure = site.item(&entry).await["scheduleFailure"].clone();
            assert_eq!(failure["lastError"], "`data.body` is required");
            let Some(next) = failure["nextAttemptAt"].as_str() else { break };
            wait = site.now().until(next.parse().unwrap()).as_secs();
            waits.push(wait / 60);
        }
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        site.tick(100_000).await;
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], &item["scheduleFailure"]["attempts"]), (&json!("scheduled"), &json!(6)));
        // Whoever mends the entry need not plan it again.
        site.update(&entry, json!({ "data": { "body": "b" } })).await;
        site.tick(1).await;
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], item.get("scheduleFailure")), (&json!("published"), None));
    }

    async fn two_servers_that_fail_at_one_attempt_count_it_once(app: TestApp) {
        let other = app.another(|_| {});
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        site.admin::<UpdateField>(json!({ "collection": "posts", "fieldSlug": "body", "required": true })).await;
        site.clock().advance(Duration::from_mins(1));
        for attempts in 1..=3 {
            let (one, two) = tokio::join!(publish_due(site.cms()), publish_due(other.cms()));
            one.and(two).unwrap();
            let failure = site.item(&entry).await["scheduleFailure"].clone();
            assert_eq!(failure["attempts"], attempts);
            let next = failure["nextAttemptAt"].as_str().unwrap().parse().unwrap();
            site.clock().set(next);
        }
    }

    async fn lists_show_editors_and_readers_each_state_of_an_entry(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let same = async |step: &str| {
            // What was written for one list is what the next one is made of.
            for _ in 0..2 {
                let list = async |role| site.done::<ListEntries>(role, json!({ "collection": "posts" })).await;
                let (editors, readers) = (list(Role::Editor).await, list(Role::Subscriber).await);
                assert_eq!(editors["items"], json!([site.get(Role::Editor, &entry).await["item"]]), "{step}");
                let public = site.call::<GetEntry>(Role::Subscriber, named(&entry)).await.map(|answer| answer["item"].clone());
                assert_eq!(readers["items"], public.map_or(json!([]), |item| json!([item])), "{step}");
            }
        };
        same("created").await;
        site.schedule(&entry, 60).await;
        same("scheduled").await;
        site.admin::<UpdateField>(json!({ "collection": "posts", "fieldSlug": "body", "required": true })).await;
        site.tick(60).await;
        assert_eq!(site.item(&entry).await["scheduleFailure"]["attempts"], 1);
        same("failed").await;
        let next = site.item(&entry).await["scheduleFailure"]["nextAttemptAt"].as_str().unwrap().parse().unwrap();
        site.clock().set(next);
        site.tick(0).await;
        assert_eq!(site.item(&entry).await["scheduleFailure"]["attempts"], 2);
        same("failed again").await;
        site.update(&entry, json!({ "data": { "body": "B" } })).await;
        same("mended").await;
        site.publish(&entry).await;
        same("published").await;
        site.update(&entry, json!({ "data": { "title": "C" } })).await;
        same("with a draft").await;
        site.done::<DiscardDraft>(Role::Author, named(&entry)).await;
        same("without it").await;
        site.unpublish(&entry).await;
        same("not public").await;
    }

    async fn an_entry_whose_end_has_come_is_a_draft_and_keeps_what_it_says(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.published(json!({ "title": "A" })).await;
        let planned = site.end(&entry, 60).await;
        assert_eq!(planned["item"]["status"], "published");
        site.tick(59).await;
        assert_eq!(site.get(Role::Subscriber, &entry).await["item"]["data"]["title"], "A");
        site.tick(1).await;
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], &item["unpublishAt"]), (&json!("draft"), &Value::Null));
        assert_eq!((&item["data"]["title"], &item["publishedAt"]), (&json!("A"), &entry["item"]["publishedAt"]));
        assert_eq!(site.refused::<GetEntry>(Role::Subscriber, named(&entry)).await.code(), Code::NotFound);
    }

    async fn an_entry_is_public_from_one_instant_to_another(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        site.end(&entry, 120).await;
        site.tick(60).await;
        let public = site.item(&entry).await;
        assert_eq!((&public["status"], public["unpublishAt"].is_string()), (&json!("published"), true));
        site.tick(60).await;
        assert_eq!(site.item(&entry).await["status"], "draft");
    }

    async fn what_should_be_over_when_the_server_comes_back_is_not_public_for_a_moment(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        site.end(&entry, 120).await;
        site.tick(3600).await;
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], &item["scheduledAt"], &item["publishedAt"]), (&json!("draft"), &Value::Null, &Value::Null));
    }

    async fn an_end_is_in_the_future_behind_the_beginning_and_of_what_becomes_public(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let refused = async |seconds: u64| {
            let at = site.now().after(Duration::from_secs(seconds));
            issues(&site.refused::<ScheduleUnpublish>(Role::Author, with(&entry, json!({ "unpublishAt": at }))).await)
        };
        assert_eq!(refused(60).await, ["unpublishAt NOT_ALLOWED"]);
        site.schedule(&entry, 60).await;
        assert_eq!(refused(0).await, ["unpublishAt PAST"]);
        assert_eq!(refused(60).await, ["unpublishAt TOO_SMALL"]);
        site.end(&entry, 120).await;
        let late = json!({ "scheduledAt": site.now().after(Duration::from_mins(2)) });
        let late = site.refused::<ScheduleEntry>(Role::Author, with(&entry, late)).await;
        assert_eq!(issues(&late), ["unpublishAt TOO_SMALL"]);
        let never = with(&entry, json!({ "unpublishAt": null }));
        assert_eq!(site.done::<ScheduleUnpublish>(Role::Author, never).await["item"]["unpublishAt"], Value::Null);
    }

    async fn a_publication_that_is_no_longer_planned_is_quiet(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let first = site.schedule(&entry, 60).await;
        site.schedule(&entry, 600).await;
        site.clock().advance(Duration::from_mins(2));
        let due = json!({ "entry": entry["item"]["id"], "planned": first["item"]["scheduledAt"] });
        let due: PublishDue = serde_json::from_value(due).unwrap();
        let refused = site.cms().invoke(&Actor::System, Door::Local, due).await.unwrap_err();
        assert_eq!(refused.code(), Code::Conflict);
        publish_due(site.cms()).await.unwrap();
        let item = site.item(&entry).await;
        assert_eq!((&item["status"], item.get("scheduleFailure")), (&json!("scheduled"), None));
    }

    async fn due_entries_are_published_once_by_two_servers(app: TestApp) {
        let site = Site::open(app).await;
        let mut entries = Vec::new();
        for n in 0..20 {
            let entry = site.draft(json!({ "title": format!("T{n}") })).await;
            site.schedule(&entry, 60).await;
            entries.push(entry);
        }
        site.clock().advance(Duration::from_mins(1));
        let other = site.another(|_| {});
        let (one, two) = tokio::join!(publish_due(site.cms()), publish_due(other.cms()));
        one.unwrap();
        two.unwrap();
        publish_due(site.cms()).await.unwrap();
        for entry in &entries {
            let item = site.item(entry).await;
            // Created, scheduled, published: nothing happened twice.
            assert_eq!((&item["status"], &item["version"]), (&json!("published"), &json!(3)));
        }
    }

    async fn a_scheduled_entry_stays_fit_to_be_published(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        site.schedule(&entry, 60).await;
        let refused = site.refused::<UpdateEntry>(Role::Author, with(&entry, json!({ "slug": null, "data": { "title": null } }))).await;
        assert_eq!(issues(&refused), ["data.title REQUIRED", "slug REQUIRED"]);
    }
}
