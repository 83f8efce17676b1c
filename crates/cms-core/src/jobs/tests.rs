//! Jobs end as they should, whatever happens to them meanwhile, on both databases.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use cms_domain::{
    access::{Access, Permission, to},
    id::JobId,
    job::JobState,
    time::Timestamp,
    user::Role,
};
use cms_frame::{
    Clock, Code, Cx, Error, SharedClock, SystemClock,
    jobs::{ATTEMPTS, Claims, Job, Kind, LEASE, Order, Stepped, Stride, Wanted, Work},
    operation::{Http, Operation, Tool},
};
use cms_storage::{NewJob, StoredJob};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::{
    sync::{Notify, oneshot},
    time::timeout,
};

use super::{
    command::{CancelJob, PauseJob, ResumeJob, RetryJob},
    get::GetJob,
    list_failed_items::ListFailedItems,
};
use crate::{both, tasks::driver::run_tasks, testing::TestApp};

/// What the job of these tests is to do.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Count {
    /// How many items there are.
    items: u64,
    /// The item that fails, as long as it is to.
    fails: Option<u64>,
    /// The item that panics.
    panics: Option<u64>,
    /// The item that waits until it may go on.
    waits: Option<u64>,
}

impl Order for Count {
    const KIND: &'static str = "test.count";
    const TITLE: &'static str = "Count items";
}

/// Counts items: each once, in a row of its own.
#[derive(Default)]
struct Counter {
    /// How often a step was begun.
    begun: AtomicU64,
    /// How often the item that fails still does.
    failures: AtomicU64,
    go_on: Notify,
}

/// The step that is given up.
const STEP: Duration = Duration::from_secs(3);

impl Job for Counter {
    type Order = Count;
    type Checkpoint = u64;
    const STEP: Duration = STEP;

    async fn step(&self, work: Work<Count, u64>, cx: &mut Cx<'_>) -> Result<Stride<u64>, Error> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let (at, order) = (work.at, work.order);
        if at >= order.items {
            return Ok(Stride::end(at).result(json!({ "counted": at })));
        }
        if order.waits == Some(at) {
            // Before anything is written: on SQLite all others would wait as well.
            self.go_on.notified().await;
        }
        let permit = cx.permit(to::KeepSettings)?;
        let settings = cx.tx().await?.settings();
        assert!(settings.claim(&permit, &format!("{} {at}", work.job), "counted").await?, "item {at} is counted twice");
        assert_ne!(order.panics, Some(at), "this one panics");
        if order.fails == Some(at) && self.failures.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            return Err(Error::with(Code::ProviderUnavailable, "the world is not ready"));
        }
        let mut stride = Stride::to(at + 1, at + 1).of(order.items).note(format!("at {at}"));
        if at % 100 == 7 {
            stride.failed(format!("item {at}"), "it ends in a seven");
        }
        Ok(stride)
    }
}

/// Asks for the job of these tests.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Ask {
    order: Count,
    name: Option<String>,
    /// Whether it fails after that.
    fails: bool,
}

impl Default for Ask {
    fn default() -> Self {
        Self { order: Count { items: 3, ..Count::default() }, name: None, fails: false }
    }
}

#[derive(Debug, Serialize, JsonSchema)]
struct Asked {
    job: JobId,
}

impl Operation for Ask {
    const ID: &'static str = "test.ask";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: cms_frame::failures::Failures = &[&[Code::Conflict]];
    type Output = Asked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Asked, Error> {
        let wanted = Wanted::new(self.order);
        let job = cx.enqueue(match self.name {
            Some(name) => wanted.only(name),
            None => wanted,
        });
        let job = job.await?;
        if self.fails { Err(Error::new(Code::Conflict)) } else { Ok(Asked { job }) }
    }
}

/// A server that knows the job.
fn counting(app: &TestApp) -> (TestApp, Arc<Counter>) {
    let counter = Arc::new(Counter::default());
    let app = app.having::<Ask>();
    app.cms().add_jobs([Kind::of(Arc::clone(&counter))]).unwrap();
    (app, counter)
}

async fn ask(app: &TestApp, ask: Ask) -> Result<JobId, Error> {
    Ok(app.cms().invoke(&cms_domain::access::Actor::System, cms_frame::Door::Local, ask).await?.job)
}

async fn job(app: &TestApp, id: JobId) -> StoredJob {
    app.store().reader().jobs().get(id).await.unwrap().unwrap()
}

/// How many items of a job are counted.
async fn counted(app: &TestApp, id: JobId, items: u64) -> u64 {
    let mut counted = 0;
    for item in 0..items {
        counted += u64::from(app.store().reader().settings().get(&format!("{id} {item}")).await.unwrap().is_some());
    }
    counted
}

fn claims(app: &TestApp, node: &str) -> Claims {
    Claims::new(app.cms().clone(), node.to_owned())
}

/// Looks until something holds.
async fn until<F: Future<Output = bool>>(mut holds: impl FnMut() -> F) {
    let look = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(Duration::from_secs(30), look).await.unwrap();
}

/// A server that runs, until it is told to stop.
struct Running {
    stop: oneshot::Sender<()>,
    driver: tokio::task::JoinHandle<()>,
}

fn start(app: &TestApp) -> Running {
    let (stop, stopped) = oneshot::channel::<()>();
    let cms = app.cms().clone();
    Running { stop, driver: tokio::spawn(run_tasks(cms, async { drop(stopped.await) })) }
}

impl Running {
    async fn stop(self) {
        drop(self.stop);
        timeout(Duration::from_secs(20), self.driver).await.unwrap().unwrap();
    }
}

both! {
    async fn a_job_is_done_step_by_step_and_says_how_far_it_is(app: TestApp) {
        let (app, _) = counting(&app);
        let id = ask(&app, Ask { order: Count { items: 120, ..Count::default() }, ..Ask::default() }).await.unwrap();
        let claims = claims(&app, "a");
        let claimed = claims.claim().await.unwrap().unwrap();
        let Stepped::On(_) = claims.step(claimed.clone()).await.unwrap() else { panic!("there is more to do") };
        let seen = app.run(Role::Admin, GetJob { id }).await.unwrap().item;
        assert_eq!((seen.state, seen.done, seen.total, seen.note.as_deref()), (JobState::Running, 1, Some(120), Some("at 0")));
        assert_eq!((seen.title.as_str(), seen.node.as_deref()), ("Count items", Some("a")));
        claims.release(&claimed).await.unwrap();
        app.settle().await.unwrap();
        let seen = app.run(Role::Admin, GetJob { id }).await.unwrap().item;
        assert_eq!((seen.state, seen.done, seen.failed_items), (JobState::Done, 120, 2));
        assert_eq!(seen.result, Some(json!({ "counted": 120 })));
        assert!(seen.finished_at.is_some() && seen.error.is_none());
        let page = app.run(Role::Admin, ListFailedItems { id, cursor: None, limit: 1.try_into().unwrap() }).await.unwrap();
        assert_eq!((page.items[0].item.as_str(), page.items[0].message.as_str()), ("item 7", "it ends in a seven"));
        let rest = app.run(Role::Admin, ListFailedItems { id, cursor: page.next_cursor, limit: 1.try_into().unwrap() }).await.unwrap();
        assert_eq!((rest.items[0].number, rest.next_cursor.is_none()), (2, true));
    }

    async fn a_job_is_there_if_and_only_if_whoever_asked_for_it_succeeded(app: TestApp) {
        let (app, _) = counting(&app);
        assert_eq!(ask(&app, Ask { fails: true, ..Ask::default() }).await.unwrap_err().code(), Code::Conflict);
        assert_eq!(claims(&app, "a").claim().await.unwrap(), None);
        let named = || Ask { name: Some("one".to_owned()), ..Ask::default() };
        let first = ask(&app, named()).await.unwrap();
        assert_eq!(ask(&app, named()).await.unwrap(), first, "it is under way");
        app.settle().await.unwrap();
        let second = ask(&app, named()).await.unwrap();
        assert_ne!(second, first, "that one was done");
        app.run(Role::Admin, PauseJob { id: second }).await.unwrap();
        assert_eq!(ask(&app, named()).await.unwrap(), second, "a job that is paused is under way");
    }

    async fn a_job_whose_server_ends_again_and_again_does_each_item_once(app: TestApp) {
        let (app, counter) = counting(&app);
        let items = 300;
        let id = ask(&app, Ask { order: Count { items, ..Count::default() }, ..Ask::default() }).await.unwrap();
        for _ in 0..10 {
            let began = counter.begun.load(Ordering::SeqCst);
            let server = start(&app);
            until(|| async { counter.begun.load(Ordering::SeqCst) > began + 5 }).await;
            // In the middle of a step, like a server that is killed.
            server.driver.abort();
            let _ = server.driver.await;
            // What was spawned ends with nobody who waits for it, and the lease with time.
            app.clock().advance(LEASE);
        }
        let server = start(&app);
        until(|| async { job(&app, id).await.state.is_over() }).await;
        server.stop().await;
        let done = job(&app, id).await;
        assert_eq!((done.state, done.done, done.errors), (JobState::Done, items, 3), "{done:?}");
        assert_eq!(counted(&app, id, items).await, items);
        assert_eq!(app.store().reader().jobs().failed_items(id, 0, 10).await.unwrap().len(), 3);
    }

    async fn two_servers_share_a_thousand_jobs_and_do_each_once(app: TestApp) {
        let (one, counter) = counting(&app);
        let (other, others) = counting(&app.another(|_| {}));
        let jobs = 1000_u64;
        let mut asked = Vec::new();
        for _ in 0..jobs {
            asked.push(ask(&one, Ask { order: Count { items: 1, ..Count::default() }, ..Ask::default() }).await.unwrap());
        }
        let servers = [start(&one), start(&other)];
        until(|| async { one.store().reader().jobs().open(1).await.unwrap().is_empty() }).await;
        for server in servers {
            server.stop().await;
        }
        for id in asked {
            assert_eq!((job(&one, id).await.state, counted(&one, id, 1).await), (JobState::Done, 1));
        }
        let [one, other] = [&counter, &others].map(|counter| counter.begun.load(Ordering::SeqCst));
        assert!(one > 0 && other > 0 && one + other >= 2 * jobs, "{one} and {other}");
    }

    async fn a_job_that_fails_is_tried_again_later_and_then_given_up_until_somebody_retries_it(app: TestApp) {
        let (app, counter) = counting(&app);
        counter.failures.store(ATTEMPTS.unsigned_abs().into(), Ordering::SeqCst);
        let order = Count { items: 3, fails: Some(1), ..Count::default() };
        let id = ask(&app, Ask { order, ..Ask::default() }).await.unwrap();
        let mut waits = Vec::new();
        loop {
            app.settle().await.unwrap();
            let seen = app.run(Role::Admin, GetJob { id }).await.unwrap().item;
            assert_eq!((seen.done, seen.error.as_deref()), (1, Some("the world is not ready")));
            let Some(again) = seen.next_attempt_at else { break };
            waits.push(app.clock().now().until(again).as_secs());
            app.clock().set(again);
        }
        assert!(waits.is_sorted() && waits.len() >= 4, "{waits:?}");
        assert_eq!(job(&app, id).await.state, JobState::Failed);
        for refused in [app.run(Role::Admin, PauseJob { id }).await, app.run(Role::Admin, CancelJob { id }).await] {
            assert_eq!(refused.unwrap_err().code(), Code::Conflict);
        }
        app.run(Role::Admin, RetryJob { id }).await.unwrap();
        app.settle().await.unwrap();
        let done = job(&app, id).await;
        assert_eq!((done.state, done.done, done.error), (JobState::Done, 3, None));
    }

    async fn a_step_that_panics_or_takes_for_ever_leaves_nothing_and_is_told(app: TestApp) {
        let (app, _) = counting(&app);
        for order in [Count { items: 3, panics: Some(1), ..Count::default() }, Count { items: 3, waits: Some(1), ..Count::default() }] {
            let id = ask(&app, Ask { order: order.clone(), ..Ask::default() }).await.unwrap();
            let claims = claims(&app, "a");
            let claimed = claims.claim().await.unwrap().unwrap();
            let Stepped::On(next) = claims.step(claimed).await.unwrap() else { panic!("there is more to do") };
            let error = claims.step((*next).clone()).await.unwrap_err();
            claims.failed(&next, &error).await.unwrap();
            let told = job(&app, id).await;
            assert_eq!((told.state, told.done), (JobState::Queued, 1));
            let error = told.error.unwrap();
            if order.panics.is_some() {
                assert!(error.contains("its log has the reason"), "{error}");
            } else {
                assert!(error.contains("took too long"), "{error}");
            }
            assert_eq!(counted(&app, id, 3).await, 1);
            app.run(Role::Admin, CancelJob { id }).await.unwrap();
        }
    }

    async fn a_job_that_its_server_does_not_survive_is_given_up(app: TestApp) {
        let (app, _) = counting(&app);
        let id = ask(&app, Ask::default()).await.unwrap();
        let claims = claims(&app, "a");
        for _ in 0..ATTEMPTS {
            // Claimed, and never heard of again.
            assert!(claims.claim().await.unwrap().is_some());
            app.clock().advance(LEASE);
        }
        assert_eq!(claims.claim().await.unwrap(), None);
        let failed = job(&app, id).await;
        assert_eq!(failed.state, JobState::Failed);
        assert!(failed.error.unwrap().contains("tried 5 times"));
    }

    async fn pausing_and_cancelling_stop_a_job_within_a_second(app: TestApp) {
        let (app, counter) = counting(&app);
        let order = Count { items: 3, waits: Some(1), ..Count::default() };
        let id = ask(&app, Ask { order, ..Ask::default() }).await.unwrap();
        let server = start(&app);
        until(|| async { counter.begun.load(Ordering::SeqCst) == 2 }).await;
        let asked = Instant::now();
        let paused = app.run(Role::Admin, PauseJob { id }).await.unwrap().item;
        assert_eq!((paused.state, paused.done), (JobState::Paused, 1));
        assert_eq!(app.run(Role::Admin, PauseJob { id }).await.unwrap().item.state, JobState::Paused, "twice is once");
        assert!(asked.elapsed() < Duration::from_secs(1));
        // The step is stopped, and whoever goes on begins it anew.
        app.run(Role::Admin, ResumeJob { id }).await.unwrap();
        until(|| async { counter.begun.load(Ordering::SeqCst) == 3 }).await;
        app.run(Role::Admin, CancelJob { id }).await.unwrap();
        counter.go_on.notify_waiters();
        server.stop().await;
        let over = job(&app, id).await;
        assert_eq!((over.state, over.done), (JobState::Cancelled, 1));
        assert_eq!(counted(&app, id, 3).await, 1, "nothing of the step was stored");
    }

    async fn whoever_cancels_while_the_last_item_is_done_gets_one_answer(app: TestApp) {
        let (app, _) = counting(&app);
        for _ in 0..20 {
            let id = ask(&app, Ask { order: Count { items: 0, ..Count::default() }, ..Ask::default() }).await.unwrap();
            let claims = claims(&app, "a");
            let claimed = claims.claim().await.unwrap().unwrap();
            let (stepped, cancelled) = tokio::join!(claims.step(claimed), app.run(Role::Admin, CancelJob { id }));
            match (stepped.unwrap(), job(&app, id).await.state) {
                (Stepped::Over, JobState::Done) => assert_eq!(cancelled.unwrap_err().code(), Code::Conflict),
                (Stepped::Lost, JobState::Cancelled) => assert_eq!(cancelled.unwrap().item.state, JobState::Cancelled),
                other => panic!("{other:?}"),
            }
        }
    }

    async fn a_server_that_stops_leaves_its_jobs_to_others_at_once(app: TestApp) {
        let (app, counter) = counting(&app);
        let id = ask(&app, Ask { order: Count { items: 5000, ..Count::default() }, ..Ask::default() }).await.unwrap();
        let server = start(&app);
        until(|| async { counter.begun.load(Ordering::SeqCst) > 3 }).await;
        server.stop().await;
        let left = job(&app, id).await;
        assert_eq!(left.state, JobState::Queued);
        assert!(left.done > 0 && claims(&app, "b").claim().await.unwrap().is_some());
    }

    async fn a_job_of_another_release_says_so_and_one_of_a_later_one_waits_for_it(app: TestApp) {
        let (app, _) = counting(&app);
        let tx = app.store().write().await.unwrap();
        let new = |n, version, input: &str| NewJob {
            id: JobId::from_parts(1, n),
            kind: Count::KIND,
            version,
            input: input.to_owned(),
            name: None,
            asked_by: None,
            acts_for: None,
            priority: 0,
            checkpoint: None, done: 0, total: None, created_at: Timestamp::from_milliseconds(0),
        };
        let [older, later, odd] = [new(1, 0, "{}"), new(2, 2, "{}"), new(3, 1, r#"{"items":"many"}"#)];
        for job in [&older, &later, &odd] {
            assert!(tx.jobs().insert(job).await.unwrap());
        }
        tx.commit().await.unwrap();
        app.settle().await.unwrap();
        for id in [older.id, odd.id] {
            let failed = job(&app, id).await;
            assert_eq!(failed.state, JobState::Failed);
            assert!(failed.error.unwrap().contains("ask for it again"));
        }
        assert_eq!(job(&app, later.id).await.state, JobState::Queued);
    }

    async fn a_server_whose_clock_is_a_minute_ahead_takes_no_job_of_another(app: TestApp) {
        let now = SystemClock.now();
        let steady = SharedClock::default();
        steady.correct(now, Duration::ZERO);
        let (steady, counter) = counting(&app.by(Arc::new(steady)));
        let fast = SharedClock::default();
        fast.correct(now.after(Duration::from_mins(1)), Duration::ZERO);
        let (fast, others) = counting(&app.by(Arc::new(fast)));
        let order = Count { items: 2, waits: Some(1), ..Count::default() };
        let id = ask(&steady, Ask { order, ..Ask::default() }).await.unwrap();
        let first = start(&steady);
        until(|| async { counter.begun.load(Ordering::SeqCst) == 2 }).await;
        let second = start(&fast);
        tokio::time::sleep(Duration::from_secs(2)).await;
        counter.go_on.notify_waiters();
        until(|| async { job(&app, id).await.state.is_over() }).await;
        first.stop().await;
        second.stop().await;
        assert_eq!((job(&app, id).await.claim, others.begun.load(Ordering::SeqCst)), (1, 0));
    }

    async fn a_kind_that_is_there_is_not_added_once_more(app: TestApp) {
        let (app, counter) = counting(&app);
        let refused = app.cms().add_jobs([Kind::of(counter)]).unwrap_err();
        assert_eq!(refused.code(), Code::Conflict);
        assert!(refused.message().contains("test.count"));
        assert!(cms_domain::access::Actor::System.permit(Permission::JobsManage).is_ok());
    }
}
