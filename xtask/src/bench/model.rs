//! Changes of the model of a collection with very many entries, while others write: how long these wait, whether a change survives a kill, and whether it ends
//! right.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::ensure;

use super::{
    CONNECTIONS, articles, entry,
    load::{self, Measured, post, put},
    ms, once,
    postgres::{Database, must_be_looked_after, sql},
    server::{self, Server},
};
use crate::shell::{command, output, root, run};

/// For how long writers write alone, to compare with.
const ALONE: Duration = Duration::from_secs(15);
/// For how long writers write before and after a change that is made at once, so that there are enough to say how they fared.
const AROUND: Duration = Duration::from_secs(3);
/// After how long a change is interrupted by a kill.
const KILLED_AFTER: Duration = Duration::from_secs(3);
/// How long one change may take.
const LONGEST: Duration = Duration::from_mins(20);
/// How often jobs are looked at: each look is a process of its own.
const LOOK: Duration = Duration::from_secs(1);

/// Changes of fields' types, which no writer writes meanwhile: each with the field, and what is sent.
const RETYPES: [(&str, &str, &str); 5] = [
    ("text becomes rich text, converted", "body", r#"{"type":"portableText","convert":true}"#),
    ("it becomes text again", "body", r#"{"type":"text","convert":true}"#),
    ("text becomes a number, converted", "brand", r#"{"type":"number","convert":true}"#),
    ("whole numbers become numbers", "rare", r#"{"type":"number"}"#),
    ("they become whole again, every value looked at", "rare", r#"{"type":"integer"}"#),
];

/// The change after which nobody can write to the collection.
const DELETED: &str = "the collection is deleted";

/// The collection that changes.
const MANY: &str = "/_cms/api/schema/collections/bench";

/// A database that a model is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum On {
    Sqlite,
    Postgresql,
}

pub(super) fn model(folder: &Path, entries: usize, only: Option<On>) -> anyhow::Result<()> {
    run(&mut command("cargo", &["build", "--release", "--quiet", "--package", "cms-storage", "--example", "lists"]))?;
    if only != Some(On::Postgresql) {
        on("SQLite", &format!("sqlite:{}", folder.join("model.db").display()), folder, entries)?;
    }
    if only == Some(On::Sqlite) {
        return Ok(());
    }
    let Some([postgres]) = Database::fresh(["cms_bench_model"])? else { return Ok(()) };
    on("PostgreSQL", &postgres.url, folder, entries * 3 / 10)
}

/// A site whose model changes.
struct Site<'a> {
    program: &'a Path,
    folder: &'a Path,
    database: &'a str,
    token: String,
}

fn on(what: &str, database: &str, folder: &Path, entries: usize) -> anyhow::Result<()> {
    let (program, fill) = (root().join("target/release/cms"), root().join("target/release/examples/lists"));
    let token = server::prepare(&program, folder, database)?;
    output(&mut command(&fill.display().to_string(), &[database, &entries.to_string(), "plain"]))?;
    if what == "PostgreSQL" {
        must_be_looked_after(database)?;
        sql(database, "VACUUM (ANALYZE)")?;
    }
    let site = Site { program: &program, folder, database, token };
    let mut server = site.serve()?;
    articles(&server.address, &site.token)?;

    println!("\n| {what}, {entries} entries, {CONNECTIONS} writers | Took, s | Writes a second | Median, ms | p99, ms | Longest, ms |");
    println!("|---|---|---|---|---|---|");
    let row = |name: &str, took: Duration, writes: Measured| {
        let [median, p99, max] = [writes.median, writes.p99, writes.max].map(ms);
        println!("| {name} | {:.1} | {:.0} | {median:.1} | {p99:.1} | {max:.1} |", took.as_secs_f64(), writes.rate);
    };
    let mut first = 0;
    let mut beside = |server: &Server, name: &str, change: &dyn Fn() -> anyhow::Result<()>| -> anyhow::Result<()> {
        first += 10_000_000;
        let began = Instant::now();
        let writes = site.writing(server, first, name == DELETED, change)?;
        row(name, began.elapsed(), writes);
        Ok(())
    };
    beside(&server, "nothing", &|| {
        thread::sleep(ALONE);
        Ok(())
    })?;
    let amid = |server: &Server, request: Vec<u8>| {
        thread::sleep(AROUND);
        once(&server.address, request)?;
        thread::sleep(AROUND);
        Ok(())
    };
    for (from, to) in [("brand", "maker"), ("maker", "brand")] {
        let (path, body) = (format!("{MANY}/fields/{from}/rename"), format!(r#"{{"slug":"{to}"}}"#));
        beside(&server, &format!("a field is renamed to `{to}`"), &|| amid(&server, post(&path, &site.token, &body)))?;
    }
    for (name, field, change) in RETYPES {
        beside(&server, name, &|| amid(&server, put(&format!("{MANY}/fields/{field}"), &site.token, change)))?;
    }
    let unique = |server: &Server, unique: bool| {
        once(&server.address, put(&format!("{MANY}/fields/sku"), &site.token, &format!(r#"{{"unique":{unique}}}"#))).map(drop)
    };
    beside(&server, "a field comes to be unique", &|| unique(&server, true).and_then(|()| site.settled()))?;
    beside(&server, "it is unique no longer", &|| unique(&server, false).and_then(|()| site.settled()))?;
    unique(&server, true)?;
    server = site.killed(server)?;
    site.settled()?;
    ensure!(site.field("sku")?.contains(r#""uniqueState":"ready""#), "the field did not come to be unique: {}", site.field("sku")?);

    let delete = |server: &Server, path: &str| once(&server.address, load::delete(path, &site.token)).map(drop);
    let body = r#"{"slug":"body","label":"Body","type":"text"}"#;
    beside(&server, "a field is deleted and made again", &|| {
        delete(&server, &format!("{MANY}/fields/body"))?;
        let began = Instant::now();
        while let Err(error) = once(&server.address, post(&format!("{MANY}/fields"), &site.token, body)) {
            ensure!(error.to_string().contains("LEFTOVERS_PENDING") && began.elapsed() < LONGEST, "{error}");
        }
        site.settled()
    })?;
    delete(&server, &format!("{MANY}/fields/sku"))?;
    server = site.killed(server)?;
    site.settled()?;
    println!("| `cms doctor`: {} | | | | | |", site.doctor()?);

    beside(&server, DELETED, &|| delete(&server, &format!("{MANY}?force=true")).and_then(|()| site.settled()))?;
    println!("| `cms doctor`: {} | | | | | |", site.doctor()?);
    Ok(())
}

impl Site<'_> {
    fn serve(&self) -> anyhow::Result<Server> {
        Server::cms(self.program, self.folder, self.database, &[])
    }

    /// Kills the server in the middle of what it does, and starts another one.
    fn killed(&self, server: Server) -> anyhow::Result<Server> {
        thread::sleep(KILLED_AFTER);
        ensure!(self.under_way()?, "nothing is left that a kill could interrupt: take more entries");
        drop(server);
        self.serve()
    }

    /// How others fare who write while something happens: to another collection, and every other one to the one that changes, unless that goes.
    fn writing(&self, server: &Server, first: usize, goes: bool, change: &dyn Fn() -> anyhow::Result<()>) -> anyhow::Result<Measured> {
        let stop = Arc::new(AtomicBool::new(false));
        let writers = {
            let (stop, address, token) = (Arc::clone(&stop), server.address.clone(), self.token.clone());
            thread::spawn(move || {
                load::load(&address, CONNECTIONS, LONGEST, move |n| {
                    let (n, elsewhere) = (first + n, goes || n.is_multiple_of(2));
                    let to = if elsewhere { "/_cms/api/content/articles" } else { "/_cms/api/content/bench" };
                    let new = || {
                        if elsewhere {
                            entry(n)
                        } else {
                            format!(r#"{{"slug":"new-{n}","data":{{"title":"New {n}","price":{n},"sku":"new-{n}"}}}}"#)
                        }
                    };
                    (!stop.load(Ordering::Relaxed)).then(|| post(to, &token, &new()))
                })
            })
        };
        let changed = change();
        stop.store(true, Ordering::Relaxed);
        let writes = writers.join().map_err(|_| anyhow::anyhow!("the writers panicked"))?;
        changed?;
        writes
    }

    fn ask(&self, arguments: &[&str]) -> anyhow::Result<String> {
        output(server::cms(self.program, self.folder, self.database).args(arguments))
    }

    fn under_way(&self) -> anyhow::Result<bool> {
        let states = ["queued", "running"].map(|state| self.ask(&["--json", "jobs", "list", "--state", state]));
        for listed in states {
            if listed?.contains(r#""id""#) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until every job is over.
    fn settled(&self) -> anyhow::Result<()> {
        let began = Instant::now();
        while self.under_way()? {
            ensure!(began.elapsed() < LONGEST, "jobs are not over after {LONGEST:?}");
            thread::sleep(LOOK);
        }
        let failed = self.ask(&["--json", "jobs", "list", "--state", "failed"])?;
        ensure!(!failed.contains(r#""id""#), "a job failed: {failed}");
        Ok(())
    }

    fn field(&self, slug: &str) -> anyhow::Result<String> {
        let input = format!(r#"{{"collection":"bench","fieldSlug":"{slug}"}}"#);
        self.ask(&["--json", "call", "schema.get_field", "--input", &input]).map(|told| told.replace(char::is_whitespace, ""))
    }

    /// How many checks pass; an error unless all do.
    fn doctor(&self) -> anyhow::Result<String> {
        let told = self.ask(&["doctor"])?;
        ensure!(!told.lines().any(|line| line.starts_with("FAIL")), "{told}");
        Ok(format!("{} checks pass", told.lines().filter(|line| line.starts_with("pass")).count()))
    }
}
