//! This build against another one: the same loads in turn, so that a slow minute of the machine is slow for both.

use std::{path::Path, time::Duration};

use anyhow::Context;

use super::{
    CONNECTIONS, LIST, ONE, ROUND, ROUNDS, anew, articles, by_tool, created,
    load::{self, Measured, get},
    postgres::Database,
    published,
    server::{self, Server},
    titled, updated,
};
use crate::shell::root;

/// The columns: the other build first.
const BUILDS: usize = 2;

/// Collections that are sorted by title, and how many drafts are in front of what is published.
const TITLED: [(&str, usize); 2] = [("alone", 0), ("behind", 20_000)];

/// A database of one build, and who may write to it.
struct Site {
    database: String,
    token: String,
}

/// Measures both builds over databases of their own: on SQLite, and on PostgreSQL where there is one.
pub(super) fn against(other: &Path, duration: Duration, folder: &Path) -> anyhow::Result<()> {
    let ours = root().join("target/release/cms");
    let binaries: [&Path; BUILDS] = [other, &ours];
    println!("| What | Before | Now | Ratio |");
    println!("|---|---|---|---|");
    let sqlite = ["before", "now"].map(|name| format!("sqlite:{}", folder.join(name).join("cms.db").display()));
    on("SQLite", binaries, &sqlite, duration, folder)?;
    let Some(postgres) = Database::fresh(["cms_bench_before", "cms_bench_now"])? else { return Ok(()) };
    on("PostgreSQL", binaries, &postgres.each_ref().map(|database| database.url.clone()), duration, folder)
}

fn on(what: &str, binaries: [&Path; BUILDS], databases: &[String], duration: Duration, folder: &Path) -> anyhow::Result<()> {
    let mut sites = Vec::new();
    for (binary, database) in binaries.into_iter().zip(databases) {
        let home = folder.join(if sites.is_empty() { "before" } else { "now" });
        std::fs::create_dir_all(&home)?;
        sites.push(Site { database: database.clone(), token: server::prepare(binary, &home, database)? });
    }
    let start = |settings: &[(&str, &str)]| {
        let pairs = binaries.into_iter().zip(&sites);
        pairs.map(|(binary, site)| Server::cms(binary, folder, &site.database, settings)).collect::<anyhow::Result<Vec<_>>>()
    };
    {
        let servers = start(&[])?;
        for (server, site) in servers.iter().zip(&sites) {
            articles(&server.address, &site.token)?;
        }
        let mut round = 0;
        row(&format!("create, {what}"), || {
            round += 1;
            rates(&servers, &sites, |address, token| created(address, token, duration, (round - 1) * 1_000_000))
        })?;
        row(&format!("update, {what}"), || rates(&servers, &sites, |address, token| updated(address, token, duration)))?;
        for (server, site) in servers.iter().zip(&sites) {
            published(&server.address, &site.token)?;
            for (collection, drafts) in TITLED {
                titled(&server.address, &site.token, collection, drafts)?;
            }
        }
    }
    let same = |servers: &[Server], request: &dyn Fn(&str) -> Vec<u8>| {
        rates(servers, &sites, |address, token| {
            let request = request(token);
            load::load(address, CONNECTIONS, duration, move |_| Some(request.clone()))
        })
    };
    let reads = |servers: &[Server], path: &str, signed: bool| same(servers, &|token| get(path, signed.then_some(token)));
    let (one, list) = (ONE, LIST);
    let servers = start(&[("CMS_API_PUBLIC_READ", "true")])?;
    let rest = servers.iter().map(Server::memory).collect::<anyhow::Result<Vec<_>>>()?;
    row(&format!("GET one published entry, {what}"), || reads(&servers, one, false))?;
    row(&format!("GET a list of 50, {what}"), || reads(&servers, list, false))?;
    row(&format!("GET one with a token, {what}"), || reads(&servers, one, true))?;
    let mut round = 0;
    row(&format!("GET a list of 50, made anew, {what}"), || {
        round += 1;
        rates(&servers, &sites, |address, _| load::load(address, CONNECTIONS, duration, move |n| Some(anew(round * ROUND + n))))
    })?;
    // What was there before did not know what is wanted.
    row(&format!("GET a list of 50, now with `fields=title`, {what}"), || {
        let paths = [list.to_owned(), format!("{list}&fields=title")];
        let both = servers.iter().zip(paths);
        both.map(|(server, path)| {
            let request = get(&path, None);
            Ok(load::load(&server.address, CONNECTIONS, duration, move |_| Some(request.clone()))?.rate)
        })
        .collect()
    })?;
    row(&format!("a list of 50 as a tool gives it, {what}"), || same(&servers, &by_tool))?;
    let busy = servers.iter().map(Server::memory).collect::<anyhow::Result<Vec<_>>>()?;
    drop(servers);
    let uncached = start(&[("CMS_API_PUBLIC_READ", "true"), ("CMS_API_CACHE", "0B")])?;
    row(&format!("GET one, cache off, {what}"), || reads(&uncached, one, false))?;
    row(&format!("GET a list of 50, cache off, {what}"), || reads(&uncached, list, false))?;
    for (collection, drafts) in TITLED {
        let path = format!("/_cms/api/content/{collection}?limit=50&orderBy=title&order=asc");
        row(&format!("GET published by title behind {drafts} drafts, cache off, {what}"), || reads(&uncached, &path, false))?;
    }
    for (when, memory) in [("at rest", rest), ("after the reads", busy)] {
        let [before, now] = memory.as_slice() else { continue };
        println!("| memory {when}, {what} | {before:.1} MiB | {now:.1} MiB | {:.2} |", now / before);
    }
    Ok(())
}

/// How much each server does a second.
fn rates(servers: &[Server], sites: &[Site], load: impl Fn(&str, &str) -> anyhow::Result<Measured>) -> anyhow::Result<Vec<f64>> {
    servers.iter().zip(sites).map(|(server, site)| Ok(load(&server.address, &site.token)?.rate)).collect()
}

/// Measures both builds in each round, and quotes the round with the median ratio.
fn row(what: &str, mut round: impl FnMut() -> anyhow::Result<Vec<f64>>) -> anyhow::Result<()> {
    let mut rounds = (0..ROUNDS).map(|_| round()).collect::<anyhow::Result<Vec<_>>>()?;
    let ratio = |rates: &[f64]| rates.last().copied().unwrap_or_default() / rates.first().copied().unwrap_or_default();
    rounds.sort_by(|one, other| ratio(one).total_cmp(&ratio(other)));
    let median = rounds.get(ROUNDS / 2).context("no rounds")?;
    let [before, now] = median.as_slice() else { anyhow::bail!("one build only") };
    println!("| {what} | {before:.0}/s | {now:.0}/s | {:.2} |", now / before);
    Ok(())
}
