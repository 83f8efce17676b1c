//! Hooks: what they are shown, what they change and refuse, and that nobody waits for them.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use cms_content::entries::{
    create::CreateEntry,
    delete::DeleteEntry,
    duplicate::DuplicateEntry,
    hooks::{AFTER_DELETE, AFTER_PUBLISH, AFTER_SAVE, BEFORE_DELETE, BEFORE_SAVE},
    list::ListEntries,
    publish::PublishEntry,
    update::UpdateEntry,
};
use cms_core::{both, jobs::list_tasks::ListTasks, tasks::driver::run_tasks, testing::TestApp};
use cms_domain::user::Role;
use cms_frame::{
    Code,
    descriptor::Pending,
    hooks::{ATTEMPTS, After, Before, Hook, HookError, OnFailure, Proposal, Verdict},
};
use serde_json::{Map, Value, json};
use tokio::sync::{Notify, Semaphore, oneshot};

use super::{Site, named, with};

/// A hook that is a function.
pub(super) struct Says<F>(pub(super) F);

impl<F: Fn(&Proposal) -> Result<Verdict, HookError> + Send + Sync + 'static> Before for Says<F> {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async { (self.0)(proposal) })
    }
}

/// A hook that begins, and waits.
struct Waits {
    began: Arc<Notify>,
    goes_on: Arc<Notify>,
    asked: Arc<AtomicUsize>,
}

impl Waits {
    fn new() -> (Self, Arc<Notify>, Arc<Notify>, Arc<AtomicUsize>) {
        let (began, goes_on, asked): (Arc<Notify>, Arc<Notify>, Arc<AtomicUsize>) = Default::default();
        (Self { began: began.clone(), goes_on: goes_on.clone(), asked: asked.clone() }, began, goes_on, asked)
    }
}

impl Before for Waits {
    fn run<'a>(&'a self, _: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async {
            if self.asked.fetch_add(1, Ordering::SeqCst) == 0 {
                self.began.notify_one();
                self.goes_on.notified().await;
            }
            Ok(Verdict::Pass)
        })
    }
}

/// A hook that is told, and remembers what it was told.
#[derive(Clone, Default)]
struct Hears {
    heard: Arc<Mutex<Vec<Value>>>,
    /// How often it still fails.
    fails: Arc<AtomicUsize>,
}

impl After for Hears {
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
        Box::pin(async {
            self.heard.lock().unwrap().push(Value::Object(change.clone()));
            let fails = self.fails.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
            fails.map_or(Ok(()), |_| Err("the shop is closed".into()))
        })
    }
}

impl Hears {
    fn count(&self) -> usize {
        self.heard.lock().unwrap().len()
    }

    /// Lets servers tell their hooks until it has heard of so many changes: PostgreSQL shows them when older transactions have ended.
    async fn hears(&self, app: &TestApp, changes: usize) {
        for _ in 0..500 {
            app.settle().await.unwrap();
            if self.count() >= changes {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("it heard of {:#?}", self.heard.lock().unwrap());
    }
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn posts(data: Value) -> Value {
    json!({ "collection": "posts", "data": data })
}

both! {
    async fn a_hook_sees_what_it_asked_for_and_changes_what_is_saved(app: TestApp) {
        let site = Site::open(app).await;
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sees = {
            let seen = seen.clone();
            move |proposal: &Proposal| {
                seen.lock().unwrap().push(Value::Object(proposal.clone()));
                Ok(Verdict::Patch(object(json!({ "brand": "ours", "kind": null }))))
            }
        };
        site.cms().add_hooks([Hook::new("shop.brand", BEFORE_SAVE, Says(sees)).about(["posts"]).reads(["title", "price"])]).unwrap();
        let made = site.draft(json!({ "title": "A", "body": "B" })).await;
        assert_eq!((&made["item"]["data"]["brand"], &made["item"]["data"]["body"]), (&json!("ours"), &json!("B")));
        assert!(made["item"]["data"].get("kind").is_none_or(Value::is_null), "a hook clears a default, too: {made}");
        let changed = site.update(&made, json!({ "data": { "price": 3, "brand": "theirs" } })).await;
        assert_eq!(changed["item"]["data"]["brand"], "ours");
        site.update(&changed, json!({ "data": { "price": 3 } })).await;
        site.done::<DuplicateEntry>(Role::Author, named(&made)).await;
        site.admin::<CreateEntry>(json!({ "collection": "plain", "data": { "title": "nobody asks" } })).await;

        let seen = seen.lock().unwrap();
        assert_eq!(seen.len(), 3, "not for a save that changes nothing, and not for another collection: {seen:#?}");
        let id = &made["item"]["id"];
        assert_eq!(
            seen[0],
            json!({ "collection": "posts", "isNew": true, "content": { "id": id, "locale": "en", "slug": null, "data": { "title": "A" } } })
        );
        assert_eq!(
            seen[1],
            json!({ "collection": "posts", "isNew": false, "content": { "id": id, "locale": "en", "slug": "a", "data": { "title": "A", "price": 3 } } })
        );
        assert_eq!(seen[2]["content"]["data"]["title"], "A (Copy)");
    }

    async fn a_refusal_is_told_with_the_code_of_the_hook_and_nothing_is_written(app: TestApp) {
        let site = Site::open(app).await;
        let kept = site.draft(json!({ "title": "A" })).await;
        let refuses = |_: &Proposal| Ok(Verdict::Refuse { code: "SHOP_CLOSED".to_owned(), message: "the shop is closed on Sundays".to_owned() });
        site.cms().add_hooks([Hook::new("shop.hours", BEFORE_SAVE, Says(refuses))]).unwrap();
        let error = site.refused::<CreateEntry>(Role::Author, posts(json!({ "title": "B" }))).await;
        assert_eq!((error.code(), error.message()), (Code::HookRefused, "the shop is closed on Sundays"));
        assert_eq!(error.details_json(), Some(&json!({ "hook": "shop.hours", "code": "SHOP_CLOSED" })));
        assert_eq!(site.code::<UpdateEntry>(Role::Author, with(&kept, json!({ "data": { "title": "C" } }))).await, Code::HookRefused);
        let list = site.admin::<ListEntries>(json!({ "collection": "posts" })).await;
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
        assert_eq!(list["items"][0]["data"]["title"], "A");

        site.cms().remove_hooks(&["shop.hours"]);
        site.update(&kept, json!({ "data": { "title": "C" } })).await;
    }

    async fn a_hook_that_fails_stops_the_change_unless_it_says_otherwise(app: TestApp) {
        struct Sleeps;
        impl Before for Sleeps {
            fn run<'a>(&'a self, _: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
                Box::pin(std::future::pending())
            }
        }
        type Answer = fn(&Proposal) -> Result<Verdict, HookError>;
        let site = Site::open(app).await;
        let answers: [(&str, Answer); 4] = [
            ("fails", |_| Err("no network".into())),
            ("panics", |_| panic!("a hook that panics")),
            ("answers a field that there is not", |_| Ok(Verdict::Patch(object(json!({ "nothing": 1 }))))),
            ("answers a value that does not fit", |_| Ok(Verdict::Patch(object(json!({ "title": null }))))),
        ];
        let hooks = |on_failure| {
            let saying = answers.into_iter().map(|(name, answer)| Hook::new(name, BEFORE_SAVE, Says(answer)));
            let sleeping = Hook::new("never ends", BEFORE_SAVE, Sleeps).within(Duration::from_millis(50));
            saying.chain([sleeping]).map(move |hook| hook.on_failure(on_failure)).collect::<Vec<_>>()
        };
        for hook in hooks(OnFailure::Abort) {
            let id = hook.id().to_owned();
            site.cms().add_hooks([hook]).unwrap();
            let error = site.refused::<CreateEntry>(Role::Author, posts(json!({ "title": "A" }))).await;
            assert_eq!(error.code(), Code::HookFailed, "{id}");
            assert!(error.message().contains(&id), "{error}");
            site.cms().remove_hooks(&[&id]);
        }
        assert_eq!(site.admin::<ListEntries>(json!({ "collection": "posts" })).await["items"], json!([]));
        site.cms().add_hooks(hooks(OnFailure::Continue)).unwrap();
        site.draft(json!({ "title": "A" })).await;
    }

    async fn nobody_else_waits_for_a_hook(app: TestApp) {
        let site = Site::open(app).await;
        let (waits, began, goes_on, _) = Waits::new();
        site.cms().add_hooks([Hook::new("slow", BEFORE_SAVE, waits).about(["posts"]).within(Duration::from_mins(1))]).unwrap();
        let app = site.app.clone();
        let slow = tokio::spawn(async move { app.call::<CreateEntry>(Role::Author, posts(json!({ "title": "A" }))).await });
        began.notified().await;
        let others = async {
            for n in 0..64 {
                site.admin::<CreateEntry>(json!({ "collection": "plain", "data": { "title": format!("{n}") } })).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), others).await.unwrap();
        assert!(!slow.is_finished());
        goes_on.notify_one();
        slow.await.unwrap().unwrap();
    }

    async fn what_others_change_while_a_hook_is_asked_is_not_lost(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        for says_rev in [false, true] {
            let (waits, began, goes_on, asked) = Waits::new();
            site.cms().add_hooks([Hook::new("slow", BEFORE_SAVE, waits).within(Duration::from_mins(1))]).unwrap();
            let now = site.get(Role::Author, &entry).await;
            let my_body = format!("mine {says_rev}");
            let mut change = with(&entry, json!({ "data": { "body": my_body } }));
            if says_rev {
                change["_rev"] = now["_rev"].clone();
            }
            let app = site.app.clone();
            let mine = tokio::spawn(async move { app.call::<UpdateEntry>(Role::Author, change).await });
            began.notified().await;
            // Another server, which knows of no hooks, and of nobody's turn here.
            let other = site.app.another(|_| {});
            let title = format!("theirs {says_rev}");
            other.call::<UpdateEntry>(Role::Author, with(&entry, json!({ "data": { "title": title, "body": "theirs" } }))).await.unwrap();
            goes_on.notify_one();
            let answer = mine.await.unwrap();
            let now = site.get(Role::Author, &entry).await;
            assert_eq!(now["item"]["data"]["title"], title);
            if says_rev {
                assert_eq!(answer.unwrap_err().code(), Code::Conflict);
                assert_eq!((&now["item"]["data"]["body"], asked.load(Ordering::SeqCst)), (&json!("theirs"), 1));
            } else {
                answer.unwrap();
                assert_eq!((&now["item"]["data"]["body"], asked.load(Ordering::SeqCst)), (&json!(my_body), 2));
            }
            site.cms().remove_hooks(&["slow"]);
        }
    }

    async fn a_hook_is_asked_before_an_entry_goes_to_the_trash(app: TestApp) {
        let site = Site::open(app).await;
        let entry = site.draft(json!({ "title": "A" })).await;
        let id = entry["item"]["id"].clone();
        let refuses = move |proposal: &Proposal| {
            assert_eq!(Value::Object(proposal.clone()), json!({ "collection": "posts", "id": id, "permanent": false }));
            Ok(Verdict::Refuse { code: "SHOP_SOLD".to_owned(), message: "it was sold".to_owned() })
        };
        site.cms().add_hooks([Hook::new("shop.sold", BEFORE_DELETE, Says(refuses))]).unwrap();
        assert_eq!(site.code::<DeleteEntry>(Role::Author, named(&entry)).await, Code::HookRefused);
        site.cms().remove_hooks(&["shop.sold"]);
        let patches = |_: &Proposal| Ok(Verdict::Patch(Map::new()));
        site.cms().add_hooks([Hook::new("shop.patch", BEFORE_DELETE, Says(patches))]).unwrap();
        assert_eq!(site.code::<DeleteEntry>(Role::Author, named(&entry)).await, Code::HookFailed);
        site.cms().remove_hooks(&["shop.patch"]);
        site.done::<DeleteEntry>(Role::Author, named(&entry)).await;
    }

    async fn hooks_are_asked_by_priority_and_each_sees_what_those_before_it_changed(app: TestApp) {
        let site = Site::open(app).await;
        let adds = |letter: &'static str| {
            move |proposal: &Proposal| {
                let title = proposal["content"]["data"]["title"].as_str().unwrap();
                Ok(Verdict::Patch(object(json!({ "title": format!("{title}{letter}") }))))
            }
        };
        let hook = |id: &str, letter| Hook::new(id, BEFORE_SAVE, Says(adds(letter))).reads(["title"]);
        site.cms().add_hooks([hook("c", "c").priority(200), hook("a", "a"), hook("b", "b"), hook("first", "0").priority(1)]).unwrap();
        let made = site.draft(json!({ "title": "t" })).await;
        assert_eq!((&made["item"]["data"]["title"], &made["item"]["slug"]), (&json!("t0abc"), &json!("t0abc")));
    }

    async fn a_hook_is_told_what_was_changed_in_its_order(app: TestApp) {
        let site = Site::open(app).await;
        let first = Hears::default();
        site.cms().add_hooks([Hook::after("shop.first", AFTER_SAVE, first.clone())]).unwrap();
        let before = site.draft(json!({ "title": "before they were there" })).await;
        first.hears(&site.app, 1).await;
        site.app.clock().advance(Duration::from_secs(1));
        let [saved, published, deleted] = [(), (), ()].map(|()| Hears::default());
        site.cms().add_hooks([
            Hook::after("shop.saved", AFTER_SAVE, saved.clone()).about(["posts"]).reads(["title"]),
            Hook::after("shop.published", AFTER_PUBLISH, published.clone()).reads(["title"]),
            Hook::after("shop.deleted", AFTER_DELETE, deleted.clone()),
        ]).unwrap();
        let made = site.draft(json!({ "title": "A", "body": "B" })).await;
        saved.hears(&site.app, 1).await;
        let changed = site.update(&made, json!({ "data": { "title": "C" } })).await;
        site.admin::<CreateEntry>(json!({ "collection": "plain", "data": { "title": "nobody is told" } })).await;
        site.admin::<PublishEntry>(named(&changed)).await;
        site.admin::<DeleteEntry>(named(&before)).await;
        for (hook, changes) in [(&saved, 2), (&published, 1), (&deleted, 1)] {
            hook.hears(&site.app, changes).await;
        }
        assert_eq!([saved.count(), published.count(), deleted.count()], [2, 1, 1]);
        let id = &made["item"]["id"];
        let content = |slug: &str, title: &str, status: &str| json!({ "id": id, "locale": "en", "slug": slug, "status": status, "data": { "title": title } });
        let saved = saved.heard.lock().unwrap();
        assert_eq!(saved[0], json!({ "collection": "posts", "isNew": true, "content": content("a", "A", "draft") }));
        assert_eq!(saved[1]["isNew"], false);
        assert_eq!(published.heard.lock().unwrap()[0], json!({ "collection": "posts", "content": content("a", "C", "published") }));
        assert_eq!(deleted.heard.lock().unwrap()[0], json!({ "collection": "posts", "id": before["item"]["id"], "permanent": false }));
    }

    async fn of_many_servers_one_tells_a_hook_and_the_next_goes_on(app: TestApp) {
        let site = Site::open(app).await;
        let hears = Hears::default();
        let hook = || Hook::after("shop.saved", AFTER_SAVE, hears.clone());
        let other = site.app.another(|_| {});
        for app in [&site.app, &other] {
            app.cms().add_hooks([hook()]).unwrap();
        }
        site.app.settle().await.unwrap();
        for n in 1..=10 {
            site.draft(json!({ "title": n.to_string() })).await;
            hears.hears(if n % 2 == 0 { &site.app } else { &other }, n).await;
        }
        let (one, two) = tokio::join!(site.app.settle(), other.settle());
        one.and(two).unwrap();
        assert_eq!(hears.count(), 10);
        // It was away: what happened meanwhile is told when it is there again.
        site.cms().remove_hooks(&["shop.saved"]);
        site.draft(json!({ "title": "meanwhile" })).await;
        site.cms().add_hooks([hook()]).unwrap();
        hears.hears(&site.app, 11).await;
    }

    async fn a_hook_that_fails_is_told_again_and_in_the_end_of_the_next_change(app: TestApp) {
        let site = Site::open(app).await;
        let [fails, other] = [(), ()].map(|()| Hears::default());
        site.cms().add_hooks([
            Hook::after("shop.fails", AFTER_SAVE, fails.clone()).reads(["title"]),
            Hook::after("shop.other", AFTER_SAVE, other.clone()),
        ]).unwrap();
        fails.fails.store(1, Ordering::SeqCst);
        site.draft(json!({ "title": "A" })).await;
        fails.hears(&site.app, 1).await;
        let health = async || {
            let tasks = site.app.call::<ListTasks>(Role::Admin, json!({})).await.unwrap();
            let hook = tasks["items"].as_array().unwrap().iter().find(|task| task["name"] == "shop.fails").unwrap().clone();
            [hook["health"].clone(), hook["lastError"].clone(), hook["attempts"].clone()]
        };
        assert_eq!(health().await, [json!("failing"), json!("the shop is closed"), json!(1)]);
        other.hears(&site.app, 1).await;
        assert_eq!(fails.count(), 1, "it is left alone for a while");
        site.app.clock().advance(Duration::from_secs(3));
        fails.hears(&site.app, 2).await;
        assert_eq!(health().await, [json!("well"), Value::Null, json!(0)]);

        fails.fails.store(usize::try_from(ATTEMPTS).unwrap(), Ordering::SeqCst);
        site.draft(json!({ "title": "B" })).await;
        site.draft(json!({ "title": "C" })).await;
        for attempt in 1..=usize::try_from(ATTEMPTS).unwrap() {
            fails.hears(&site.app, 2 + attempt).await;
            site.app.clock().advance(Duration::from_mins(5));
        }
        fails.hears(&site.app, 3 + usize::try_from(ATTEMPTS).unwrap()).await;
        other.hears(&site.app, 3).await;
        let heard: Vec<_> = fails.heard.lock().unwrap().iter().map(|change| change["content"]["data"]["title"].clone()).collect();
        assert_eq!(heard[..3], [json!("A"), json!("A"), json!("B")]);
        assert_eq!(heard.last(), Some(&json!("C")));
        assert_eq!(health().await[0], "well");
        assert_eq!(other.count(), 3);
    }

    async fn a_hook_that_is_told_for_ever_or_panics_holds_no_other_up(app: TestApp) {
        struct Hangs;
        impl After for Hangs {
            fn run<'a>(&'a self, _: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
                Box::pin(std::future::pending())
            }
        }
        struct Panics;
        impl After for Panics {
            fn run<'a>(&'a self, _: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
                panic!("not today")
            }
        }
        let site = Site::open(app).await;
        let hears = Hears::default();
        site.cms().add_hooks([
            Hook::after("shop.hangs", AFTER_SAVE, Hangs).within(Duration::from_millis(10)),
            Hook::after("shop.panics", AFTER_SAVE, Panics),
            Hook::after("shop.hears", AFTER_SAVE, hears.clone()),
        ]).unwrap();
        site.draft(json!({ "title": "A" })).await;
        hears.hears(&site.app, 1).await;
        let tasks = site.app.call::<ListTasks>(Role::Admin, json!({})).await.unwrap();
        let errors: Vec<_> = tasks["items"].as_array().unwrap().iter().map(|task| [&task["name"], &task["lastError"]]).collect();
        let expected = [("shop.hangs", "it did not answer within 10ms"), ("shop.panics", "it panicked: not today")];
        for (name, error) in expected {
            assert!(errors.contains(&[&json!(name), &json!(error)]), "{errors:?}");
        }
    }

    async fn while_one_hook_is_told_the_others_hear_of_what_comes_later(app: TestApp) {
        /// Is told of one change for as long as the test wants.
        #[derive(Clone)]
        struct Slow {
            began: Arc<Notify>,
            goes_on: Arc<Semaphore>,
        }
        impl After for Slow {
            fn run<'a>(&'a self, _: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
                Box::pin(async {
                    self.began.notify_one();
                    drop(self.goes_on.acquire().await?);
                    Ok(())
                })
            }
        }
        let site = Site::open(app).await;
        let slow = Slow { began: Arc::default(), goes_on: Arc::new(Semaphore::new(0)) };
        let hears = Hears::default();
        site.cms().add_hooks([
            Hook::after("shop.slow", AFTER_SAVE, slow.clone()).within(Duration::from_mins(10)),
            Hook::after("shop.hears", AFTER_SAVE, hears.clone()),
        ]).unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let tasks = tokio::spawn(run_tasks(site.cms().clone(), async { drop(stopped.await) }));
        site.draft(json!({ "title": "A" })).await;
        slow.began.notified().await;
        for n in 2..=3 {
            site.draft(json!({ "title": "later" })).await;
            let heard = async {
                while hears.count() < n {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            tokio::time::timeout(Duration::from_mins(1), heard).await.unwrap();
        }
        // A server that stops lets the hook come to its end.
        stop.send(()).unwrap();
        slow.goes_on.add_permits(1);
        tasks.await.unwrap();
    }

    async fn two_hooks_of_one_id_and_hooks_of_no_moment_are_refused(app: TestApp) {
        let passes = |_: &Proposal| Ok(Verdict::Pass);
        let hook = |id: &str, moment| Hook::new(id, moment, Says(passes));
        let refused = |hooks: Vec<Hook>| app.cms().add_hooks(hooks).unwrap_err().message().to_owned();
        let twice = refused(vec![hook("a", BEFORE_SAVE), hook("a", BEFORE_DELETE)]);
        assert_eq!(twice, "the hook `a` cannot be added: there is a hook of this id");
        app.cms().add_hooks([hook("a", BEFORE_SAVE)]).unwrap();
        let nothing = refused(vec![hook("b", "content:beforeBreakfast")]);
        assert_eq!(nothing, "the hook `b` cannot be added: there is no moment `content:beforeBreakfast`, but content:beforeSave, content:beforeDelete");
        let after = refused(vec![Hook::after("c", BEFORE_SAVE, Hears::default())]);
        assert!(after.contains("there is no moment `content:beforeSave`, but content:afterSave,"), "{after}");
    }
}
