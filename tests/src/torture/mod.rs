//! Tortures a site: servers and hosts on one database, people who write and read, change the schema and stop jobs, and faults. Everything that was
//! acknowledged is remembered, and compared with what every server says from then on.

mod access;
mod aftermath;
mod ask;
mod due;
mod fault;
mod hooks;
pub mod host;
mod jobs;
mod journal;
mod known;
mod model;
mod node;
mod plan;
mod race;
mod read;
mod schema;
mod story;
mod write;

use std::{
    collections::BTreeMap,
    ops::Range,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use cms_core::{Clock, SystemClock};
use cms_domain::time::Timestamp;
use fastrand::Rng;
pub use fault::Fault;
pub use journal::{Report, Requests, Tally};
pub use plan::{Injection, Plan, Role, Worker};
use tokio::{sync::Notify, task::JoinSet, time::sleep};

use self::{
    access::Credential,
    ask::{Answer, Ask, Caller, Sent},
    due::Planned,
    jobs::Watched,
    journal::Journal,
    known::{Known, Library},
    model::Lots,
    node::Node,
    race::{Contested, Race},
    schema::Schema,
    story::Shelf,
};
use crate::{Outsider, Site, program};

/// How soon after its acknowledgement every server must know what was withdrawn, and how long after a break one may take to learn it.
const KNOWN_WITHIN: Duration = Duration::from_secs(1);
/// How long servers may take to come to themselves: a task that failed again and again waits for a minute.
const COME_TO_THEMSELVES: Duration = Duration::from_secs(70);
/// How often a run says how it goes.
const TELLS_EVERY: Duration = Duration::from_secs(5);
/// One of how many requests goes to a server that is stopped, if it meets one.
const STRAYS: u8 = 8;
/// How long whoever finds no server waits before looking again.
const LOOKS_AGAIN: Duration = Duration::from_millis(50);

/// The value, whatever became of others who held it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time that clocks of servers jump away from.
fn now() -> Timestamp {
    SystemClock.now()
}

/// A run: the site, its servers, and what is known.
struct Run {
    plan: Plan,
    site: Site,
    /// The address of the database under which the servers are known there.
    servers_url: String,
    database: Outsider,
    /// What stands between servers and their machine, if a fault needs it.
    interpose: Option<PathBuf>,
    token: String,
    nodes: Vec<Node>,
    journal: Journal,
    /// Until when the site is worked on, once that began.
    until: OnceLock<Instant>,
    over: AtomicBool,
    library: Library,
    planned: Mutex<Vec<Planned>>,
    contested: Mutex<Vec<Arc<Contested>>>,
    races: Mutex<Vec<Race>>,
    schema: Mutex<Schema>,
    credentials: Mutex<Vec<Arc<Credential>>>,
    lots: Mutex<Lots>,
    /// Wakes whoever looks after jobs.
    job_wanted: Notify,
    /// Jobs by their ids.
    jobs: Mutex<BTreeMap<String, Watched>>,
    /// Jobs of hosts that were acknowledged, and how many items they have.
    counts: Mutex<BTreeMap<String, u64>>,
    /// Publications that were acknowledged of entries that hooks are told of: the entry, and its counter.
    publications: Mutex<Vec<(String, u64)>>,
}

impl Run {
    fn new(site: Site, plan: Plan) -> Self {
        let journal = match Journal::new(&site.folder().join("history.txt")) {
            Ok(journal) => journal,
            Err(error) => panic!("no history: {error}"),
        };
        let database = site.outsider();
        let servers_url = match database.servers_url() {
            Ok(url) => url,
            Err(error) => panic!("no address of the database: {error}"),
        };
        let interpose = (plan.has(Fault::Clock) || plan.has(Fault::Disk)).then(|| node::interpose(site.folder()));
        Self {
            token: site.token(),
            servers_url,
            database,
            interpose,
            nodes: (0..plan.nodes).map(|number| Node::new(number, number >= plan.nodes - plan.hosts)).collect(),
            journal,
            until: OnceLock::new(),
            over: AtomicBool::new(false),
            library: Library::default(),
            planned: Mutex::default(),
            contested: Mutex::default(),
            races: Mutex::default(),
            schema: Mutex::default(),
            credentials: Mutex::default(),
            lots: Mutex::default(),
            job_wanted: Notify::default(),
            jobs: Mutex::default(),
            counts: Mutex::default(),
            publications: Mutex::default(),
            plan,
            site,
        }
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// For how long the site is still worked on.
    fn left(&self) -> Duration {
        self.until.get().map(|until| until.saturating_duration_since(Instant::now())).unwrap_or_default()
    }

    /// The collections that stories are written in.
    fn shelves(&self) -> &'static [Shelf] {
        Shelf::of(self.plan.hosts > 0)
    }

    /// The servers that are hosts.
    fn hosts(&self) -> Range<usize> {
        self.plan.nodes - self.plan.hosts..self.plan.nodes
    }

    /// Notes that an entry was published, if hooks are told of that.
    fn note_publication(&self, known: &Known) {
        let facts = known.facts();
        if let Some(id) = facts.id.filter(|_| known.shelf == Shelf::Hooked) {
            lock(&self.publications).push((id, facts.stand.published));
        }
    }

    /// Some server that is there.
    async fn some_node(&self, rng: &mut Rng) -> usize {
        self.some_of(rng, 0..self.nodes.len()).await
    }

    /// Some host that is there.
    async fn some_host(&self, rng: &mut Rng) -> usize {
        self.some_of(rng, self.hosts()).await
    }

    /// One of these servers. One that does not answer is passed over nearly always, as whoever spreads requests over servers does.
    async fn some_of(&self, rng: &mut Rng, nodes: Range<usize>) -> usize {
        loop {
            let node = rng.usize(nodes.clone());
            let takes_requests = self.nodes[node].runs() || (self.nodes[node].client().is_some() && rng.u8(..STRAYS) == 0);
            if takes_requests || self.is_over() {
                return node;
            }
            sleep(LOOKS_AGAIN).await;
        }
    }
}

/// Does what a plan says to a site, and reports what came of it.
///
/// # Panics
/// Panics when the site cannot be set up, or when its rows cannot be removed.
pub async fn torture(site: Site, plan: Plan) -> Report {
    let seed = plan.seed;
    let run = Arc::new(Run::new(site, plan));
    run.journal.line(&run.plan.to_string());
    tokio::select! {
        () = work(&run) => aftermath::examine(&run).await,
        _ = tokio::signal::ctrl_c() => run.journal.violation("interrupted: nothing was looked at afterwards"),
    }
    for node in &run.nodes {
        node.end().await;
    }
    let tally = run.journal.tally();
    let kept = (tally.violations > 0).then(|| keep(&run));
    unshared(run).await.site.remove().await;
    Report { seed, tally, kept }
}

/// The run itself, as soon as nobody works on it any more.
async fn unshared(mut run: Arc<Run>) -> Run {
    loop {
        match Arc::try_unwrap(run) {
            Ok(run) => return run,
            Err(shared) => run = shared,
        }
        sleep(LOOKS_AGAIN).await;
    }
}

/// Sets the site up, and works on it for as long as the plan says, while it goes wrong.
async fn work(run: &Arc<Run>) {
    for node in &run.nodes {
        if let Err(error) = node.start(run).await {
            panic!("{error}");
        }
    }
    schema::set_up(run).await;
    race::set_up(run).await;
    model::set_up(run).await;
    let began = Instant::now();
    run.until.get_or_init(|| began + run.plan.lasts);
    let mut crew = JoinSet::new();
    for worker in run.plan.workers.clone() {
        crew.spawn(labour(Arc::clone(run), worker));
    }
    let mut faults = JoinSet::new();
    for injection in run.plan.injections.clone() {
        let run = Arc::clone(run);
        faults.spawn(async move {
            sleep(injection.at).await;
            fault::inject(&run, &injection).await;
        });
    }
    while began.elapsed() < run.plan.lasts {
        sleep(TELLS_EVERY.min(run.plan.lasts.saturating_sub(began.elapsed()))).await;
        eprintln!("{:6.0} s of {:.0} s: {}", began.elapsed().as_secs_f64(), run.plan.lasts.as_secs_f64(), run.journal.tally().in_short());
    }
    // What is under way is brought to its end: servers are started again, and whoever waits for an answer gets it.
    joined(run, faults).await;
    run.over.store(true, Ordering::Relaxed);
    joined(run, crew).await;
}

async fn joined(run: &Run, mut tasks: JoinSet<()>) {
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended {
            run.journal.violation(&format!("somebody who worked on the site fell over: {error}"));
        }
    }
}

/// Does one worker's part for as long as the run goes on.
async fn labour(run: Arc<Run>, worker: Worker) {
    let mut rng = Rng::with_seed(worker.seed);
    while !run.is_over() {
        match worker.role {
            Role::Writer => write::story(&run, &mut rng).await,
            Role::Contender => race::contend(&run, &mut rng, worker.number).await,
            Role::Racer => race::race(&run, &mut rng).await,
            Role::Reader => read::read(&run, &mut rng).await,
            Role::Modeller => schema::change(&run, &mut rng).await,
            Role::Doorkeeper => access::change(&run, &mut rng).await,
            Role::Scheduler => due::watch(&run, &mut rng).await,
            Role::Remodeller => model::change(&run, &mut rng).await,
            Role::Overseer => jobs::oversee(&run, &mut rng).await,
            Role::Foreman => jobs::count(&run, &mut rng).await,
            Role::Sleeper => hooks::sleep_over(&run, &mut rng).await,
        }
    }
}

/// Keeps the history, and what the servers said, where the next build does not remove it.
fn keep(run: &Run) -> PathBuf {
    let folder = program::repository().join(format!("target/torture/{}-{}", run.plan.seed, std::process::id()));
    let keep = || {
        run.journal.flush()?;
        std::fs::create_dir_all(&folder)?;
        for file in std::fs::read_dir(run.site.folder())? {
            let file = file?.path();
            if let Some(name) = file.file_name().filter(|_| file.extension().is_some_and(|kind| kind == "txt" || kind == "log")) {
                std::fs::copy(&file, folder.join(name))?;
            }
        }
        Ok::<_, std::io::Error>(())
    };
    if let Err(error) = keep() {
        panic!("the history of {} cannot be kept in {}: {error}", run.plan.seed, folder.display());
    }
    folder
}
