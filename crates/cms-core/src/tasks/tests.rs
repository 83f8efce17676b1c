//! What holds of the tasks, on both databases.

use std::{sync::Arc, time::Duration};

use cms_accounts::tokens::CreateToken;
use cms_content::{
    entries::{
        create::CreateEntry, get::GetEntry, list::ListEntries, publish::PublishEntry, schedule::ScheduleEntry, unpublish::UnpublishEntry,
        update::UpdateEntry,
    },
    schema::{
        collections::GetCollection, create_collection::CreateCollection, delete_collection::DeleteCollection,
        update_collection::UpdateCollection, update_field::UpdateField,
    },
};
use cms_domain::{
    access::{Actor, to},
    collection::{Collection, IndexId},
    event::Event,
    id::EntryId,
    user::Role,
};
use cms_frame::{Clock, Cms, Door, Error, SharedClock, SystemClock};
use serde_json::{Value, json};
use tokio::{sync::oneshot, time::timeout};

use super::{
    Outcome, Task,
    driver::{MISSED_AFTER, run_tasks},
    prune::{BeginPruning, PruneAll},
    reindex_fields::{DropIndex, ReindexFields},
    tell_hooks::TellHooks,
};
use crate::{both, testing::TestApp};

async fn posts(app: &TestApp) {
    let fields =
        json!([{ "slug": "title", "type": "string", "label": "Title" }, { "slug": "rating", "type": "integer", "label": "Rating" }]);
    app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts", "fields": fields })).await.unwrap();
}

async fn entry(app: &TestApp, data: Value) -> String {
    let made = app.call::<CreateEntry>(Role::Editor, json!({ "collection": "posts", "data": data })).await.unwrap();
    made["item"]["id"].as_str().unwrap().to_owned()
}

/// Adds copies of the only post.
async fn copies(app: &TestApp, n: u32) -> Collection {
    let permit = Actor::System.permit(to::CreateContent).unwrap();
    let rows = app.store().reader();
    let collection = rows.collections().by_slug(&"posts".parse().unwrap()).await.unwrap().unwrap();
    let model = rows.entries().by_collection(collection.id, None, 1).await.unwrap().remove(0);
    let tx = app.store().write().await.unwrap();
    for n in 0..n {
        let id = EntryId::from_parts(1, u128::from(n) + 1);
        let mut copy = model.clone();
        (copy.id, copy.group) = (id, id.cast());
        tx.entries().insert(&permit, &collection, &copy, None).await.unwrap();
    }
    tx.commit().await.unwrap();
    collection
}

async fn index_rating(app: &TestApp) {
    app.call::<UpdateField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "rating", "indexed": true })).await.unwrap();
}

/// Looks until something holds.
async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    let look = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), look).await.unwrap();
}

/// Runs the tasks of some servers while something is done, and stops them.
async fn beside(servers: &[&TestApp], work: impl Future<Output = ()>) {
    let mut stops = Vec::new();
    let mut drivers = Vec::new();
    for server in servers {
        let (stop, stopped) = oneshot::channel::<()>();
        stops.push(stop);
        drivers.push(tokio::spawn(run_tasks(server.cms().clone(), async { drop(stopped.await) })));
    }
    work.await;
    drop(stops);
    for driver in drivers {
        timeout(Duration::from_secs(20), driver).await.unwrap().unwrap();
    }
}

async fn rating_is_indexed(app: &TestApp) -> bool {
    let posts = app.call::<GetCollection>(Role::Editor, json!({ "slug": "posts" })).await.unwrap();
    posts["item"]["fields"][1]["index"]["state"] == "ready"
}

async fn is_published(app: &TestApp, id: &str) -> bool {
    let entry = app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
    entry["item"]["status"] == "published"
}

/// A task that fails, then panics, then works.
#[derive(Default)]
struct Stumble;

static STUMBLES: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);

impl Task for Stumble {
    const NAME: &'static str = "stumble";

    async fn run(&mut self, _: &Cms) -> Result<Outcome, Error> {
        match STUMBLES.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
            0 => Err(Error::internal("the first time")),
            1 => panic!("the second time"),
            _ => Ok(Outcome::Done),
        }
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(Duration::from_hours(1))
    }
}

/// What the public is told of an entry's title by a server; none when it is not there.
async fn title(app: &TestApp, id: &str) -> Option<String> {
    let item = app.call::<GetEntry>(Role::Subscriber, json!({ "collection": "posts", "id": id })).await.ok()?;
    item["item"]["data"]["title"].as_str().map(str::to_owned)
}

/// Whether a server has begun to follow what others do: at its first look it forgets everything.
async fn follows(app: &TestApp) -> bool {
    let states = app.store().reader().tasks().all().await.unwrap();
    states.iter().any(|state| state.name == "follow_events" && state.last_succeeded_at.is_some())
}

/// Watches what the public sees of the posts, as a server knows it.
async fn watch(app: &TestApp) -> cms_frame::Watch {
    app.watch(&"posts".parse().unwrap()).await
}

/// Looks until something holds, for less long than whoever hears nothing believes what they remember: a moment on any machine that is not
/// as busy as one that runs tests.
async fn soon<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    let look = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_secs(4), look).await.unwrap();
}

/// Whether the task's last failures in a row are this many.
async fn stumbled(app: &TestApp, attempts: i32) -> bool {
    let states = app.store().reader().tasks().all().await.unwrap();
    states.iter().any(|state| state.name == Stumble::NAME && state.attempts == attempts && state.last_error.is_some() == (attempts > 0))
}

both! {
    async fn a_running_server_builds_an_index_as_soon_as_it_is_asked_for(app: TestApp) {
        posts(&app).await;
        entry(&app, json!({ "rating": 1 })).await;
        beside(&[&app], async {
            Box::pin(index_rating(&app)).await;
            until(|| rating_is_indexed(&app)).await;
        })
        .await;
    }

    async fn each_server_says_how_its_tasks_are_doing_until_it_stops(app: TestApp) {
        let other = app.another(|_| {});
        beside(&[&app, &other], async {
            until(|| async {
                let states = app.store().reader().tasks().all().await.unwrap();
                states.iter().filter(|state| state.last_succeeded_at.is_some() && state.attempts == 0).count() == 20
            })
            .await;
            let states = app.store().reader().tasks().all().await.unwrap();
            let names: Vec<_> = states.iter().step_by(2).map(|state| state.name.as_str()).collect();
            assert_eq!(names, ["follow_events", "follow_media_usage", "prune", "publish_due", "record_use", "reindex_fields", "seal_audit", "sweep_media", "tell_hooks", "watch_version"]);
            assert!(states.chunks(2).all(|pair| pair[0].name == pair[1].name && pair[0].node != pair[1].node), "{states:?}");
        })
        .await;
        assert_eq!(app.store().reader().tasks().all().await.unwrap(), []);
    }

    async fn a_change_elsewhere_is_known_within_a_second_whoever_keeps_a_transaction_open(app: TestApp) {
        if !app.store().backend().has_concurrent_writers() {
            return;
        }
        let other = app.another(|_| {});
        posts(&app).await;
        beside(&[&other], async {
            until(|| follows(&app)).await;
            let open = app.store().write().await.unwrap();
            open.settings().set(&Actor::System.permit(to::KeepSettings).unwrap(), "open", "1").await.unwrap();
            let seen = watch(&other).await;
            assert!(seen.is_current());
            let id = entry(&app, json!({ "title": "One" })).await;
            app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
            soon(|| async { !seen.is_current() }).await;
            assert_eq!(title(&other, &id).await.as_deref(), Some("One"));
            let seen = watch(&other).await;
            app.call::<UnpublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
            soon(|| async { !seen.is_current() }).await;
            drop(open);
        })
        .await;
    }

    async fn a_change_elsewhere_is_known_while_nobody_can_be_told_how_tasks_are_doing(app: TestApp) {
        // Each task says how it is doing when it begins.
        const HELD: &str = "DO $$ BEGIN LOCK TABLE node_tasks; PERFORM pg_sleep(4); END $$";
        if !app.store().backend().has_concurrent_writers() {
            return;
        }
        let other = app.another(|_| {});
        posts(&app).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        let held = tokio::spawn({
            let store = app.store().clone();
            async move { store.tamper(HELD).await.unwrap() }
        });
        tokio::time::sleep(Duration::from_millis(200)).await;
        beside(&[&other], async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            let seen = watch(&other).await;
            app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
            timeout(Duration::from_secs(2), until(|| async { !seen.is_current() })).await.unwrap();
            assert!(!held.is_finished());
        })
        .await;
        held.await.unwrap();
    }

    async fn an_event_that_is_not_known_makes_a_server_forget_and_stops_nothing(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        beside(&[&other], async {
            until(|| follows(&app)).await;
            let seen = watch(&other).await;
            app.store().tamper(r#"INSERT INTO outbox (at, event) VALUES (4000000000000, '{"type":"of_the_future"}')"#).await.unwrap();
            until(|| async { !seen.is_current() }).await;
            let seen = watch(&other).await;
            let id = entry(&app, json!({ "title": "One" })).await;
            app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
            until(|| async { !seen.is_current() }).await;
            let states = app.store().reader().tasks().all().await.unwrap();
            assert!(states.iter().all(|state| state.attempts == 0), "{states:?}");
        })
        .await;
    }

    async fn a_server_that_cannot_follow_believes_nothing_and_says_so(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        beside(&[&other], async {
            until(|| follows(&app)).await;
            app.store().tamper("ALTER TABLE outbox RENAME TO outbox_away").await.unwrap();
            let seen = watch(&other).await;
            until(|| async { !seen.is_current() }).await;
            assert!(other.cms().lag().unwrap() >= Duration::from_secs(5));
            until(|| async {
                let states = app.store().reader().tasks().all().await.unwrap();
                states.iter().any(|state| state.name == "follow_events" && state.attempts > 0)
            })
            .await;
            app.store().tamper("ALTER TABLE outbox_away RENAME TO outbox").await.unwrap();
            until(|| async { other.cms().lag().unwrap() < Duration::from_secs(5) }).await;
            let seen = watch(&other).await;
            assert!(seen.is_current());
        })
        .await;
    }

    async fn a_running_server_publishes_what_is_due(app: TestApp) {
        posts(&app).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        let at = json!({ "collection": "posts", "id": id, "scheduledAt": "2027-01-01T00:00:01Z" });
        app.call::<ScheduleEntry>(Role::Editor, at).await.unwrap();
        app.clock().advance(Duration::from_secs(2));
        beside(&[&app], until(|| is_published(&app, &id))).await;
    }

    async fn a_server_without_hooks_is_not_missed_because_it_has_none_to_tell(app: TestApp) {
        assert!(TellHooks::default().pause(app.cms()).await.unwrap() < MISSED_AFTER);
    }

    async fn a_server_that_starts_with_the_wrong_time_publishes_nothing_early(app: TestApp) {
        let now = SystemClock.now();
        app.clock().set(now);
        posts(&app).await;
        let (soon, later) = (Box::pin(entry(&app, json!({ "title": "Soon" }))).await, Box::pin(entry(&app, json!({ "title": "Later" }))).await);
        for (id, after) in [(&soon, Duration::from_secs(2)), (&later, Duration::from_hours(1))] {
            let at = json!({ "collection": "posts", "id": id, "scheduledAt": now.after(after) });
            app.call::<ScheduleEntry>(Role::Editor, at).await.unwrap();
        }
        let clock = SharedClock::default();
        clock.correct(now.after(Duration::from_hours(2)), Duration::ZERO);
        let fast = app.by(Arc::new(clock));
        beside(&[&fast], until(|| is_published(&app, &soon))).await;
        assert!(!is_published(&app, &later).await, "an hour too early");
    }

    async fn an_entry_of_a_collection_that_was_made_anew_elsewhere_is_written_to_that_one(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        Box::pin(entry(&other, json!({ "title": "Known" }))).await;
        app.call::<DeleteCollection>(Role::Admin, json!({ "slug": "posts", "force": true })).await.unwrap();
        posts(&app).await;
        let id = Box::pin(entry(&other, json!({ "title": "One" }))).await;
        let made = app.call::<GetEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        assert_eq!(made["item"]["data"]["title"], "One");
    }

    async fn two_servers_build_one_index_together(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        for rating in 0..5 {
            entry(&app, json!({ "rating": rating })).await;
        }
        beside(&[&app, &other], async {
            Box::pin(index_rating(&app)).await;
            until(|| rating_is_indexed(&app)).await;
        })
        .await;
        let list = json!({ "collection": "posts", "orderBy": "rating", "order": "asc" });
        let listed = app.call::<ListEntries>(Role::Editor, list).await.unwrap();
        assert_eq!(listed["items"].as_array().unwrap().len(), 5);
    }

    async fn a_server_sees_what_another_changes(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        let entry = json!({ "collection": "posts", "data": {}, "seo": { "title": "x" } });
        assert!(other.call::<CreateEntry>(Role::Editor, entry.clone()).await.is_err(), "the collection has no SEO yet");
        beside(&[&other], async {
            // The first look has no events behind it.
            tokio::time::sleep(Duration::from_millis(100)).await;
            let watch = watch(&other).await;
            app.call::<UpdateCollection>(Role::Admin, json!({ "slug": "posts", "hasSeo": true })).await.unwrap();
            until(|| std::future::ready(!watch.is_current())).await;
        })
        .await;
        other.call::<CreateEntry>(Role::Editor, entry).await.unwrap();
    }

    async fn old_revisions_and_old_events_are_pruned(app: TestApp) {
        let app = app.another(|options| options.revisions_kept = 2);
        posts(&app).await;
        let id = entry(&app, json!({ "title": "One" })).await;
        app.call::<PublishEntry>(Role::Editor, json!({ "collection": "posts", "id": id })).await.unwrap();
        for n in 0..6 {
            let save = json!({ "collection": "posts", "id": id, "data": { "rating": n } });
            app.call::<UpdateEntry>(Role::Editor, save).await.unwrap();
        }
        app.clock().advance(app.cms().options().events_kept + Duration::from_secs(1));
        app.settle().await.unwrap();
        let rows = app.store().reader();
        // The live one, the newest, and two more.
        assert_eq!(rows.revisions().count(id.parse().unwrap()).await.unwrap(), 4);
        // What happens as they go is another matter.
        let left = rows.outbox().read_after(cms_storage::OutboxPosition::default(), 100).await.unwrap();
        assert!(left.iter().all(|(_, event)| matches!(event, Some(Event::Job { .. }))), "{left:?}");
    }

    async fn one_server_prunes_and_others_leave_it_alone_for_an_hour(app: TestApp) {
        let other = app.another(|_| {});
        app.settle().await.unwrap();
        let begun = async |app: &TestApp| app.cms().invoke(&Actor::System, Door::Local, BeginPruning {}).await.unwrap().begun;
        assert!(!begun(&other).await);
        // Files are looked for more often: they take room that others wait for.
        assert_eq!(PruneAll::default().pause(other.cms()).await.unwrap(), Duration::from_mins(1));
        app.clock().advance(Duration::from_hours(1));
        let (one, two) = tokio::join!(begun(&app), begun(&other));
        assert_ne!(one, two);
        // An instant to come stops nobody.
        app.clock().set(app.cms().now().before(Duration::from_hours(2)));
        assert!(begun(&other).await);
    }

    async fn more_than_one_batch_of_what_expired_goes_in_one_round(app: TestApp) {
        let tx = app.store().write().await.unwrap();
        for n in 0..4500_u32 {
            tx.provider_records().put("idp", "states", &n.to_string(), "1", Some(app.cms().now().before(Duration::from_secs(1)))).await.unwrap();
        }
        tx.commit().await.unwrap();
        app.settle().await.unwrap();
        assert_eq!(app.store().reader().provider_records().count("idp").await.unwrap(), 0);
    }

    async fn two_servers_that_drop_an_index_leave_no_row_of_it(app: TestApp) {
        let other = app.another(|_| {});
        posts(&app).await;
        entry(&app, json!({ "rating": 0 })).await;
        copies(&app, 5_200).await;
        index_rating(&app).await;
        app.settle().await.unwrap();
        let rows = app.store().reader();
        app.call::<UpdateField>(Role::Admin, json!({ "collection": "posts", "fieldSlug": "rating", "indexed": false })).await.unwrap();
        let IndexId(index) = rows.collections().indexes_to_drop().await.unwrap()[0];
        let drop = async |app: &TestApp| while !app.cms().invoke(&Actor::System, Door::Local, DropIndex { index }).await.unwrap().last {};
        tokio::join!(drop(&app), drop(&other));
        assert_eq!(rows.collections().indexes_to_drop().await.unwrap(), []);
        assert_eq!(rows.entries().check_strays().await.unwrap(), []);
    }

    async fn the_last_use_of_a_token_is_written_down(app: TestApp) {
        let token = json!({ "user": "editor@example.com", "name": "a", "scopes": ["content:read"] });
        let token: CreateToken = serde_json::from_value(token).unwrap();
        let made = app.cms().invoke(&Actor::System, Door::Local, token).await.unwrap();
        app.clock().advance(Duration::from_secs(5));
        app.cms().identify(&made.token).await.unwrap();
        app.settle().await.unwrap();
        let tokens = app.store().reader().tokens().for_user(TestApp::user(Role::Editor)).await.unwrap();
        assert_eq!(tokens[0].last_used_at, Some(app.cms().now()));
    }

    async fn an_index_is_built_in_batches_and_goes_on_where_it_was(app: TestApp) {
        posts(&app).await;
        entry(&app, json!({ "rating": 0 })).await;
        let rows = app.store().reader();
        let collection = copies(&app, 600).await;
        index_rating(&app).await;
        let mut task = ReindexFields;
        assert_eq!(task.run(app.cms()).await.unwrap(), Outcome::More);
        let index = async || app.call::<GetCollection>(Role::Editor, json!({ "slug": "posts" })).await.unwrap()["item"]["fields"][1]["index"].clone();
        let half = json!({ "state": "building", "done": 500, "total": 601, "attempts": 0, "lastError": null });
        assert_eq!(index().await, half);
        let mut elsewhere = ReindexFields;
        assert_eq!(elsewhere.run(app.another(|_| {}).cms()).await.unwrap(), Outcome::More);
        assert_eq!(index().await, json!({ "state": "ready" }));
        assert_eq!(task.run(app.cms()).await.unwrap(), Outcome::Done);
        let collection = rows.collections().by_id(collection.id).await.unwrap().unwrap();
        assert_eq!(rows.entries().check_batch(&collection, None, 1000).await.unwrap().1, []);
    }
}

#[tokio::test]
async fn a_task_that_fails_or_panics_is_noted_and_tried_again() {
    crate::testing::run(crate::testing::TestStore::sqlite().await.map(Some), async |app: TestApp| {
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let driver = tokio::spawn(super::driver::supervise_alone::<Stumble>(app.cms().clone(), stopped));
        until(|| stumbled(&app, 1)).await;
        until(|| stumbled(&app, 0)).await;
        stop.send_replace(true);
        driver.await.unwrap();
    })
    .await;
}
