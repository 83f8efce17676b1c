//! Speed, as ratios inside one run: ours against a bare axum server that answers bytes of the same size.

mod against;
mod lists;
mod load;
mod model;
mod postgres;
mod server;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, ensure};
use clap::{Args as ClapArgs, ValueEnum};
use load::{Measured, get, post, put};
use postgres::Database;
use server::Server;

use crate::shell::{command, root, run};

/// What to measure.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct Args {
    /// Seconds of each load.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Entries of the large collection whose lists are compared with a small one's.
    #[arg(long, default_value_t = 1_000_000)]
    entries: usize,
    /// Measure the HTTP rows only.
    #[arg(long)]
    no_lists: bool,
    /// Change the model of a collection with `--entries` entries on SQLite, and with 3 in 10 of them on PostgreSQL, while others write, and see how long
    /// they wait.
    #[arg(long, conflicts_with_all = ["no_lists", "against"])]
    model: bool,
    /// With `--model`: on one database only.
    #[arg(long, requires = "model", value_name = "DATABASE")]
    only: Option<model::On>,
    /// Measure against another build of the server, instead of the ceiling: a program `cms`.
    #[arg(long, value_name = "PROGRAM")]
    against: Option<PathBuf>,
    /// Internal: this is the release build.
    #[arg(long, hide = true)]
    release: bool,
}

/// Connections of each load.
const CONNECTIONS: usize = 64;

/// How many entries are changed in turn: more than there are connections, and no more than a second of creates makes.
const CHANGED: usize = 500;

/// Rounds of each comparison; the median ratio is quoted.
const ROUNDS: usize = 3;

/// How many requests of a round are numbered apart from those of the next: more than any has.
const ROUND: usize = 10_000_000;

pub(crate) fn bench(args: &Args) -> anyhow::Result<()> {
    if !args.release {
        // One after the other: what `serve` built is what is measured, and both ask the same of the crates that they share.
        for package in ["cms-server", "xtask"] {
            run(&mut command("cargo", &["build", "--release", "--package", package]))?;
        }
        let mut arguments =
            vec!["bench".to_owned(), "--release".to_owned(), format!("--seconds={}", args.seconds), format!("--entries={}", args.entries)];
        arguments.extend(args.model.then(|| "--model".to_owned()));
        arguments.extend(args.only.and_then(|only| only.to_possible_value()).map(|only| format!("--only={}", only.get_name())));
        arguments.extend(args.no_lists.then(|| "--no-lists".to_owned()));
        arguments.extend(args.against.iter().map(|other| format!("--against={}", other.display())));
        return run(command("target/release/xtask", &[]).args(arguments));
    }
    let folder = std::env::temp_dir().join(format!("cms-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let duration = Duration::from_secs(args.seconds);
    if let Some(other) = &args.against {
        let measured = against::against(&std::path::absolute(other)?, duration, &folder);
        std::fs::remove_dir_all(&folder)?;
        return measured;
    }
    if args.model {
        let measured = model::model(&folder, args.entries, args.only);
        std::fs::remove_dir_all(&folder)?;
        return measured;
    }
    let measured = http(args, &folder).and_then(|()| if args.no_lists { Ok(()) } else { lists::lists(&folder, args.entries) });
    std::fs::remove_dir_all(&folder)?;
    measured
}

fn http(args: &Args, folder: &Path) -> anyhow::Result<()> {
    let duration = Duration::from_secs(args.seconds);
    let database = format!("sqlite:{}", folder.join("cms.db").display());
    let program = root().join("target/release/cms");
    let token = server::prepare(&program, folder, &database)?;

    println!("| What | Ours | Ceiling | Ratio | Target |");
    println!("|---|---|---|---|---|");
    {
        let server = Server::cms(&program, folder, &database, &[])?;
        articles(&server.address, &token)?;
        writes("SQLite", &server.address, &token, duration, ["≥ 1,500/s", ""])?;
        published(&server.address, &token)?;
    }
    let server = Server::cms(&program, folder, &database, &[("CMS_API_PUBLIC_READ", "true")])?;
    let rest = server.memory()?;
    let one = |_| get(ONE, None);
    let list = |_| get(LIST, None);
    compare("GET one published entry", &server, duration, one, "≥ 70 %")?;
    compare("GET a list of 50 published entries", &server, duration, list, "≥ 60 %")?;
    compare("GET a list of 50, made anew", &server, duration, anew, "≥ 15 %")?;
    compare("GET a list of 50 with `fields=title`", &server, duration, |_| get(&format!("{LIST}&fields=title"), None), "")?;
    {
        let uncached = Server::cms(&program, folder, &database, &[("CMS_API_PUBLIC_READ", "true"), ("CMS_API_CACHE", "0B")])?;
        compare("GET one, cache off", &uncached, duration, one, "≥ 15 %")?;
        compare("GET a list of 50, cache off", &uncached, duration, list, "")?;
    }
    memory(&server, rest, one(0))?;
    start(&program, folder, &database)?;
    drop(server);
    let Some([postgres]) = Database::fresh(["cms_bench"])? else { return Ok(()) };
    let token = server::prepare(&program, folder, &postgres.url)?;
    let server = Server::cms(&program, folder, &postgres.url, &[])?;
    articles(&server.address, &token)?;
    writes("PostgreSQL", &server.address, &token, duration, ["≥ 1,000/s", ""])
}

fn once(address: &str, request: Vec<u8>) -> anyhow::Result<Measured> {
    load::load(address, 1, Duration::from_mins(1), move |n| (n == 0).then(|| request.clone()))
}

/// The collection that is measured: six indexed fields, about a kilobyte an entry.
fn articles(address: &str, token: &str) -> anyhow::Result<()> {
    once(address, post("/_cms/api/schema/collections", token, r#"{"slug":"articles","label":"Articles"}"#))?;
    let fields = [
        r#"{"slug":"title","label":"Title","type":"string","required":true}"#,
        r#"{"slug":"category","label":"Category","type":"string","indexed":true}"#,
        r#"{"slug":"price","label":"Price","type":"number","indexed":true}"#,
        r#"{"slug":"rating","label":"Rating","type":"integer","indexed":true}"#,
        r#"{"slug":"featured","label":"Featured","type":"boolean","indexed":true}"#,
        r#"{"slug":"event_date","label":"Date","type":"datetime","indexed":true}"#,
        r#"{"slug":"body","label":"Body","type":"text"}"#,
    ];
    for field in fields {
        once(address, post("/_cms/api/schema/collections/articles/fields", token, field))?;
    }
    Ok(())
}

fn entry(n: usize) -> String {
    let body = "All the text of an entry that somebody wrote on a long afternoon. ".repeat(12);
    format!(
        r#"{{"slug":"entry-{n}","data":{{"title":"Entry {n}","category":"category-{}","price":{}.5,"rating":{},"featured":{},"event_date":"2026-01-01T00:00:{:02}Z","body":"{body}"}}}}"#,
        n % 50,
        n % 997,
        n % 6,
        n.is_multiple_of(7),
        n % 60
    )
}

/// Creates entries, and then changes them.
fn writes(what: &str, address: &str, token: &str, duration: Duration, targets: [&str; 2]) -> anyhow::Result<()> {
    let created = created(address, token, duration * 2, 0)?;
    let updated = updated(address, token, duration * 2)?;
    for ((name, measured), target) in [("create", created), ("update", updated)].into_iter().zip(targets) {
        let times = format!("median {:.1} ms, p99 {:.1} ms", ms(measured.median), ms(measured.p99));
        println!("| {name}, {what}, {CONNECTIONS} connections | {:.0}/s ({times}) | | | {target} |", measured.rate);
    }
    Ok(())
}

/// Creates entries from a number on, for a while.
fn created(address: &str, token: &str, duration: Duration, first: usize) -> anyhow::Result<Measured> {
    let token = token.to_owned();
    load::load(address, CONNECTIONS, duration, move |n| Some(post("/_cms/api/content/articles", &token, &entry(first + n))))
}

/// Changes the first entries in turn, for a while: never two changes of one entry at once.
fn updated(address: &str, token: &str, duration: Duration) -> anyhow::Result<Measured> {
    let token = token.to_owned();
    load::load(address, CONNECTIONS, duration, move |n| {
        let change = format!(r#"{{"data":{{"title":"Changed {n}","price":{}.5,"rating":{}}}}}"#, n % 991, n % 5);
        Some(put(&format!("/_cms/api/content/articles/entry-{}", n % CHANGED), &token, &change))
    })
}

/// Publishes the first hundred entries.
fn published(address: &str, token: &str) -> anyhow::Result<()> {
    for n in 0..100 {
        once(address, post(&format!("/_cms/api/content/articles/entry-{n}/publish"), token, "{}"))?;
    }
    Ok(())
}

/// The entry that is measured.
const ONE: &str = "/_cms/api/content/articles/entry-1";

/// The list that is measured.
const LIST: &str = "/_cms/api/content/articles?limit=50";

/// The same list at another address each time, so that nobody has its answer: from another millisecond on, long before there were entries.
fn anew(n: usize) -> Vec<u8> {
    let (seconds, milliseconds) = (n / 1000, n % 1000);
    let (hours, minutes, seconds) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    let from = format!("2000-01-01T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}Z");
    get(&format!("{LIST}&dateField=createdAt&dateFrom={from}"), None)
}

/// The same list, as a tool gives it.
fn by_tool(token: &str) -> Vec<u8> {
    let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"content_list","arguments":{"collection":"articles","limit":50}}}"#;
    post("/_cms/api/mcp", token, call)
}

/// A collection that is sorted by an indexed title, with a hundred published entries that sort behind some drafts.
fn titled(address: &str, token: &str, collection: &str, drafts: usize) -> anyhow::Result<()> {
    let model = format!(
        r#"{{"slug":"{collection}","label":"Titled","fields":[{{"slug":"title","label":"Title","type":"string","indexed":true}}]}}"#
    );
    once(address, post("/_cms/api/schema/collections", token, &model))?;
    let path = format!("/_cms/api/content/{collection}");
    for n in 0..100 {
        once(address, post(&path, token, &format!(r#"{{"slug":"z-{n}","status":"published","data":{{"title":"Z {n}"}}}}"#)))?;
    }
    if drafts > 0 {
        let token = token.to_owned();
        let draft = move |n| post(&path, &token, &format!(r#"{{"slug":"a-{n}","data":{{"title":"A {n}"}}}}"#));
        load::load(address, CONNECTIONS, Duration::from_mins(10), move |n| (n < drafts).then(|| draft(n)))?;
    }
    Ok(())
}

/// Our server and the ceiling in turn, so that a slow minute of the machine is slow for both.
fn compare(what: &str, server: &Server, duration: Duration, request: fn(usize) -> Vec<u8>, target: &str) -> anyhow::Result<()> {
    let bytes = once(&server.address, request(0))?.bytes;
    let ceiling = Server::ceiling(bytes)?;
    let mut pairs = Vec::new();
    for round in 0..ROUNDS {
        let first = round * ROUND;
        let ours = load::load(&server.address, CONNECTIONS, duration, move |n| Some(request(first + n)))?;
        let theirs = load::load(&ceiling.address, CONNECTIONS, duration, move |n| Some(request(first + n)))?;
        pairs.push((ours, theirs));
    }
    pairs.sort_by(|(a, b), (c, d)| (a.rate / b.rate).total_cmp(&(c.rate / d.rate)));
    let (ours, theirs) = pairs.get(ROUNDS / 2).context("no rounds")?;
    let ratio = 100.0 * ours.rate / theirs.rate;
    println!(
        "| {what}, {bytes} bytes | {:.0}/s (median {:.2} ms, p99 {:.2} ms) | {:.0}/s | {ratio:.0} % | {target} |",
        ours.rate,
        ms(ours.median),
        ms(ours.p99),
        theirs.rate
    );
    Ok(())
}

fn memory(server: &Server, rest: f64, request: Vec<u8>) -> anyhow::Result<()> {
    const MILLION: usize = 1_000_000;
    let warm = server.memory()?;
    load::load(&server.address, CONNECTIONS, Duration::from_mins(10), move |n| (n < MILLION).then(|| request.clone()))?;
    let after = server.memory()?;
    println!("| memory at rest | {rest:.0} MiB | | | ≤ 60 MB |");
    println!("| memory before and after a million requests | {warm:.1} → {after:.1} MiB | | | no growth |");
    Ok(())
}

fn start(program: &Path, folder: &Path, database: &str) -> anyhow::Result<()> {
    let mut times = Vec::new();
    for _ in 0..5 {
        times.push(Server::cms(program, folder, database, &[])?.first_answer);
    }
    times.sort_unstable();
    println!("| start to first answer, existing database | {:.0} ms | | | ≤ 150 ms |", ms(times[times.len() / 2]));
    Ok(())
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// A bare axum server that answers the same bytes to everything.
pub(crate) fn ceiling(listen: &str, bytes: usize) -> anyhow::Result<()> {
    ensure!(bytes < 1 << 30, "at most a gigabyte");
    let body: &'static [u8] = Box::leak(vec![b'x'; bytes].into_boxed_slice());
    let answer = move || async move { ([("content-type", "application/json")], axum::body::Bytes::from_static(body)) };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(listen).await?;
        Ok(axum::serve(listener, axum::Router::new().fallback(answer)).await?)
    })
}
