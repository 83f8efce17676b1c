//! A server that is killed, stopped and lied to, and what clients may expect of it meanwhile.

use std::{
    error::Error,
    fs::OpenOptions,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex as Lock,
    time::{Duration, Instant},
};

use tokio::{sync::Mutex, time::sleep};

use super::{Run, lock};
use crate::{Client, Server, program};

type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// How long a server may take to listen, whatever holds it up.
const STARTS_WITHIN: Duration = Duration::from_secs(20);
/// What stands between a server and its machine.
const INTERPOSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/torture/interpose.c");

/// Builds what stands between servers and their machine.
///
/// # Panics
/// Panics when there is no C compiler.
pub(super) fn interpose(folder: &Path) -> PathBuf {
    let library = folder.join("interpose.so");
    program::run(Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(INTERPOSE).arg("-ldl"));
    library
}

/// A place where one server after another runs.
pub(super) struct Node {
    number: usize,
    /// Whether it is a host, with hooks and jobs of its own.
    is_host: bool,
    /// Held by a fault for as long as it lasts.
    server: Mutex<Option<Server>>,
    seen: Lock<Seen>,
}

/// What clients see of a server.
#[derive(Clone, Default)]
struct Seen {
    client: Option<Client>,
    /// Since when it runs without a break; none while it is stopped or gone.
    runs_since: Option<Instant>,
    breaks: u64,
}

/// A moment in the life of a server.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    at: Instant,
    runs_since: Option<Instant>,
    breaks: u64,
}

impl Node {
    pub(super) fn new(number: usize, is_host: bool) -> Self {
        Self { number, is_host, server: Mutex::default(), seen: Lock::default() }
    }

    /// A client of the administrator, while there is a server.
    pub(super) fn client(&self) -> Option<Client> {
        lock(&self.seen).client.clone()
    }

    /// Whether it runs.
    pub(super) fn runs(&self) -> bool {
        lock(&self.seen).runs_since.is_some()
    }

    /// Now.
    pub(super) fn moment(&self) -> Moment {
        let seen = lock(&self.seen);
        Moment { at: Instant::now(), runs_since: seen.runs_since, breaks: seen.breaks }
    }

    /// Whether the server ran from a moment on until now, and had run for a while before.
    pub(super) fn ran_since(&self, moment: Moment, before: Duration) -> bool {
        let had_run = moment.runs_since.is_some_and(|since| moment.at.duration_since(since) >= before);
        had_run && lock(&self.seen).breaks == moment.breaks
    }

    /// Notes that the server stops running, or runs again.
    fn note(&self, runs: bool) {
        let mut seen = lock(&self.seen);
        seen.runs_since = runs.then(Instant::now);
        seen.breaks += 1;
    }

    /// Starts the server, and tries again as those do who watch over one.
    pub(super) async fn start(&self, run: &Run) -> Done {
        let began = Instant::now();
        let mut server = self.server.lock().await;
        *server = Some(self.started(run, began).await?);
        Ok(())
    }

    async fn started(&self, run: &Run, began: Instant) -> Result<Server, Box<dyn Error + Send + Sync>> {
        let orders = self.orders(run);
        std::fs::write(&orders, [0; 24])?;
        let (orders, interpose) = (orders.display().to_string(), run.interpose.as_ref().map(|path| path.display().to_string()));
        let mut environment =
            vec![("CMS_DATABASE_URL", run.servers_url.as_str()), ("CMS_API_PUBLIC_READ", "true"), ("CMS_LOG_LEVEL", "warn")];
        if let Some(interpose) = &interpose {
            environment.extend([("LD_PRELOAD", interpose.as_str()), ("INTERPOSE_ORDERS", orders.as_str())]);
        }
        let server = loop {
            let started = if self.is_host {
                run.site.start_host(&self.log_name(), &environment).await
            } else {
                run.site.start(&self.log_name(), &environment).await
            };
            match started {
                Ok(server) => break server,
                Err(problem) if began.elapsed() > STARTS_WITHIN => return Err(problem.into()),
                Err(problem) => run.journal.line(&format!("server {}: {problem}", self.number)),
            }
            sleep(Duration::from_millis(500)).await;
        };
        if interpose.is_some() && std::fs::read(&orders)?.first() != Some(&1) {
            return Err("the program takes no orders, because it loads no libraries: leave out `clock` and `disk`".into());
        }
        lock(&self.seen).client = Some(server.client(&run.token));
        self.note(true);
        run.journal.line(&format!("server {} listens at {}", self.number, server.address()));
        Ok(server)
    }

    fn log_name(&self) -> String {
        format!("server-{}.log", self.number)
    }

    /// What all servers said that ran here.
    pub(super) fn log(&self, run: &Run) -> PathBuf {
        run.site.folder().join(self.log_name())
    }

    /// Where the server is told what to make of its machine.
    fn orders(&self, run: &Run) -> PathBuf {
        run.site.folder().join(format!("orders-{}", self.number))
    }

    /// Kills the server, and starts it again after a while.
    pub(super) async fn while_killed(&self, run: &Run, pause: impl Future<Output = ()>) -> Done {
        let mut server = self.server.lock().await;
        lock(&self.seen).client = None;
        self.note(false);
        if let Some(server) = server.take() {
            server.kill().await;
            // `cms doctor` tells for a day how the tasks of servers were doing that were killed. Who runs is heard of again within a minute.
            run.database.execute("DELETE FROM node_tasks").await?;
        }
        pause.await;
        *server = Some(self.started(run, Instant::now()).await?);
        Ok(())
    }

    /// Stops the server, and lets it go on after a while.
    pub(super) async fn while_stopped(&self, pause: impl Future<Output = ()>) -> Done {
        let server = self.server.lock().await;
        let Some(server) = server.as_ref() else { return Ok(()) };
        self.note(false);
        server.stop();
        pause.await;
        server.go_on();
        self.note(true);
        Ok(())
    }

    /// Lets the server have another time for a while, or a disk that is full.
    pub(super) async fn while_ordered(&self, run: &Run, seconds: i64, full: bool, pause: impl Future<Output = ()>) -> Done {
        let _held = self.server.lock().await;
        // The first member is the server's: that it obeys.
        let orders = OpenOptions::new().write(true).open(self.orders(run))?;
        let order = |seconds: i64, full: bool| orders.write_all_at([seconds, i64::from(full)].map(i64::to_ne_bytes).as_flattened(), 8);
        order(seconds, full)?;
        pause.await;
        Ok(order(0, false)?)
    }

    /// Whether the server says that it can work; none when it is gone.
    pub(super) async fn is_ready(&self) -> Option<bool> {
        let mut server = self.server.lock().await;
        let server = server.as_mut()?;
        if server.has_ended() {
            return None;
        }
        let asked = server.watcher().send(http::Method::GET, "/readyz", None).await;
        Some(asked.is_ok_and(|reply| reply.status.is_success()))
    }

    /// Ends the server.
    pub(super) async fn end(&self) {
        if let Some(server) = self.server.lock().await.take() {
            server.kill().await;
        }
    }
}
