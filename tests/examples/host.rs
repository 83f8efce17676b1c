//! A host that is tortured: its hooks refuse, change, are slow, fail and panic; what they are told, and when its jobs are at work, it writes down.
#![expect(clippy::print_stdout, reason = "it says where it listens, as the server does")]

use std::{
    fs::{File, OpenOptions},
    future::pending,
    io::Write,
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::Duration,
};

use clap::Parser;
use cms_core::{
    Cx, Error, Options,
    content::entries::hooks::{AFTER_PUBLISH, BEFORE_SAVE},
    descriptor::{Descriptor, Pending},
    hooks::{AFTER_EVENT, After, Before, Hook, HookError, OnFailure, Proposal, Verdict},
    jobs::{Job, Kind, Order, Stride, Wanted, Work},
    operation::{Http, Operation, Tool},
    tasks::driver::run_tasks,
};
use cms_domain::{
    access::{Access, Permission, Scope},
    event::Event,
    id::JobId,
};
use cms_http_api::HttpOptions;
use cms_storage::{Store, StoreOptions};
use cms_tests::torture::host::{
    COUNT, GIVEN_UP, HOOKED, ITEM, Mood, NOTES, REFUSED, SLEEPS, TICK, TOLD_OF_ITEMS, TOLD_OF_PUBLICATIONS, stamp,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::{net::TcpListener, time::sleep};
use tracing::Level;

/// How much longer than it sleeps the hook may take that does.
const SPARE: Duration = Duration::from_secs(10);
/// How long a hook takes that is slow.
const SLOW: Duration = Duration::from_millis(300);

/// A host with hooks and jobs of its own.
#[derive(Parser)]
struct Arguments {
    /// The database.
    #[arg(long, env = "CMS_DATABASE_URL")]
    database: String,
}

#[tokio::main]
async fn main() -> Result<(), HookError> {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt().with_max_level(Level::WARN).with_ansi(false).with_writer(std::io::stderr).init();
    let store = Store::open(&StoreOptions::new(&arguments.database)).await?;
    store.migrate().await?;
    let cms = cms_core::open(store, Options { public_read: true, ..Options::default() });
    let notes = Notes::open()?;
    cms.add_operations([Descriptor::of::<CountItems>()])?;
    cms.add_jobs([Kind::of(Counter(notes.clone()))])?;
    let told = |hook, fickle| Told { hook, fickle, notes: notes.clone() };
    let [steady, fickle] = TOLD_OF_PUBLICATIONS;
    cms.add_hooks([
        Hook::new("torture.moody", BEFORE_SAVE, Moody).about([HOOKED]).reads(["mood"]).within(GIVEN_UP),
        Hook::new("torture.lenient", BEFORE_SAVE, Lenient).about([HOOKED]).reads(["mood"]).on_failure(OnFailure::Continue),
        Hook::new("torture.sleeper", BEFORE_SAVE, Sleeper).about([HOOKED]).reads(["mood"]).within(SLEEPS + SPARE),
        Hook::new("torture.stamp", BEFORE_SAVE, Stamp).about([HOOKED]).reads(["counter"]),
        Hook::after(steady, AFTER_PUBLISH, told(steady, false)).about([HOOKED]).reads(["counter"]),
        Hook::after(fickle, AFTER_PUBLISH, told(fickle, true)).about([HOOKED]).reads(["counter"]).within(GIVEN_UP),
        Hook::after(TOLD_OF_ITEMS, AFTER_EVENT, told(TOLD_OF_ITEMS, false)).about([ITEM]),
    ])?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", json!({ "listening": format!("http://{}", listener.local_addr()?) }));
    let router = cms_http_api::router(cms.clone(), HttpOptions::default()).merge(cms_http_api::health(cms.clone()));
    tokio::spawn(run_tasks(cms, pending()));
    // It is never asked to stop: what ends it is a kill.
    Ok(axum::serve(listener, router.into_make_service_with_connect_info::<SocketAddr>()).await?)
}

/// A file to which all hosts of a site add lines: each is in it whole, and behind those that were written before.
#[derive(Clone)]
struct Notes {
    file: Arc<File>,
}

impl Notes {
    fn open() -> std::io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(NOTES)?;
        Ok(Self { file: Arc::new(file) })
    }

    fn add(&self, note: &Value) -> std::io::Result<()> {
        (&*self.file).write_all(format!("{note}\n").as_bytes())
    }
}

/// What a save asks for.
fn mood(proposal: &Proposal) -> Mood {
    proposal["content"]["data"]["mood"].as_str().and_then(Mood::named).unwrap_or(Mood::Calm)
}

/// Panics, without the message on standard error by which others are found.
fn panic_quietly() -> ! {
    std::panic::resume_unwind(Box::new("it was asked to panic"))
}

/// Does what a save asks for.
struct Moody;

impl Before for Moody {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move {
            match mood(proposal) {
                Mood::Refuse => Ok(Verdict::Refuse { code: REFUSED.to_owned(), message: "it was asked to refuse".to_owned() }),
                Mood::Fail => Err("it was asked to fail".into()),
                Mood::Panic => panic_quietly(),
                Mood::Hang => pending().await,
                Mood::Nonsense => Ok(Verdict::Patch(Map::from_iter([("counter".to_owned(), json!("no number"))]))),
                Mood::Slow => {
                    sleep(SLOW).await;
                    Ok(Verdict::Pass)
                }
                Mood::Calm | Mood::Asleep | Mood::Shrug => Ok(Verdict::Pass),
            }
        })
    }
}

/// Fails without anybody's being stopped by it.
struct Lenient;

impl Before for Lenient {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move { if mood(proposal) == Mood::Shrug { panic_quietly() } else { Ok(Verdict::Pass) } })
    }
}

/// Takes very long.
struct Sleeper;

impl Before for Sleeper {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move {
            if mood(proposal) == Mood::Asleep {
                sleep(SLEEPS).await;
            }
            Ok(Verdict::Pass)
        })
    }
}

/// Changes what is saved.
struct Stamp;

impl Before for Stamp {
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>> {
        Box::pin(async move {
            let counter = proposal["content"]["data"]["counter"].as_u64().ok_or("the entry has no counter")?;
            Ok(Verdict::Patch(Map::from_iter([("stamp".to_owned(), json!(stamp(counter)))])))
        })
    }
}

/// Writes down what it is told, and whether it is told by one server at a time.
struct Told {
    hook: &'static str,
    fickle: bool,
    notes: Notes,
}

impl Told {
    async fn listen(&self, change: &Proposal) -> Result<(), HookError> {
        // The lock goes with whoever holds it: with a server that is killed, and with a hook that is given up.
        let lock = File::create(Path::new(&format!("{}.lock", self.hook)))?;
        let alone = lock.try_lock().is_ok();
        let subject = match change.get("event") {
            Some(_) => change["details"].clone(),
            None => json!({ "id": change["content"]["id"], "counter": change["content"]["data"]["counter"] }),
        };
        let note = |what| json!({ "hook": self.hook, "what": what, "about": subject, "alone": alone, "host": std::process::id() });
        sleep(Duration::from_millis(fastrand::u64(..100))).await;
        if self.fickle && fastrand::u8(..12) == 0 {
            self.notes.add(&note("failed"))?;
            match fastrand::u8(..3) {
                0 => pending().await,
                1 => panic_quietly(),
                _ => return Err("it does not feel like it".into()),
            }
        }
        Ok(self.notes.add(&note("told"))?)
    }
}

impl After for Told {
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>> {
        Box::pin(self.listen(change))
    }
}

/// Count items beside requests.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CountItems {
    /// How many there are.
    items: u64,
    /// How many times a step says that it is at work.
    ticks: u64,
}

/// What was asked for.
#[derive(Debug, Serialize, JsonSchema)]
struct Asked {
    /// The job.
    job: JobId,
}

impl Operation for CountItems {
    const ID: &'static str = "torture.count";
    const ACCESS: Access = Access::Needs(Scope::Admin, Permission::JobsManage);
    const HTTP: Http = Http::post("countItems", "/torture/count");
    const TOOL: Tool = Tool::Write;
    type Output = Asked;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Asked, Error> {
        let items = self.items;
        Ok(Asked { job: cx.enqueue(Wanted::new(self).of(items)).await? })
    }
}

impl Order for CountItems {
    const KIND: &'static str = COUNT;
    const TITLE: &'static str = "Count items";
}

/// Counts, an item a step, and tells of each. What it says meanwhile of being at work is no part of what it stores.
struct Counter(Notes);

impl Job for Counter {
    type Order = CountItems;
    type Checkpoint = ();

    async fn step(&self, work: Work<CountItems, ()>, cx: &mut Cx<'_>) -> Result<Stride<()>, Error> {
        let item = work.done + 1;
        for _ in 0..work.order.ticks {
            self.0.add(&json!({ "tick": work.job, "item": item, "host": std::process::id() })).map_err(Error::internal)?;
            sleep(TICK).await;
        }
        cx.emit(Event::Custom { name: ITEM.to_owned(), details: json!({ "job": work.job, "item": item }) });
        let stride = if item < work.order.items { Stride::to((), item) } else { Stride::end(item) };
        Ok(stride.of(work.order.items))
    }
}
