//! When everything is over: the site is as everybody was told, and nothing is stuck.

use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::Value;
use tokio::time::sleep;

use super::{
    Answer, Ask, COME_TO_THEMSELVES, Caller, KNOWN_WITHIN, Run, due, hooks, jobs,
    known::{Facts, Known},
    model, race,
    read::judge_public,
    story::{Shelf, Stand},
    write::differs,
};

/// How often what is not well yet is looked at again.
const LOOKS_EVERY: Duration = Duration::from_secs(1);

/// How long a transaction of a server may have been open when nobody asks for anything any more.
const LEFT_OPEN: Duration = Duration::from_secs(5);

/// Looks at everything that must hold now.
pub(super) async fn examine(run: &Run) {
    let mut rng = Rng::with_seed(run.plan.seed);
    run.journal.line("afterwards");
    due::wait(run, &mut rng).await;
    sleep(KNOWN_WITHIN).await;
    all_ready(run).await;
    jobs::settle(run, &mut rng).await;
    if run.plan.hosts > 0 {
        jobs::stop_within_a_second(run, &mut rng).await;
        jobs::compare_items(run).await;
        hooks::compare(run).await;
    }
    nothing_left_open(run).await;
    race::compare_contested(run, &mut rng).await;
    race::walk(run).await;
    race::compare_races(run, &everything(run, 0, "/content/races", &Caller::Admin).await);
    for shelf in run.shelves() {
        compare_stories(run, *shelf).await;
    }
    model::compare(run).await;
    sound(run).await;
    nobody_panicked(run);
}

/// Looks through what the servers said: what a server gets over by itself must not have happened either.
fn nobody_panicked(run: &Run) {
    for node in &run.nodes {
        match std::fs::read_to_string(node.log(run)) {
            Ok(log) => {
                let lines: Vec<_> = log.lines().collect();
                // The line behind says why.
                for said in lines.windows(2).filter(|said| said[0].contains("panicked at")) {
                    run.journal.violation(&format!("a server said: {} {}", said[0], said[1]));
                }
            }
            Err(error) => run.journal.violation(&format!("what a server said cannot be read: {error}")),
        }
    }
}

async fn all_ready(run: &Run) {
    for (number, node) in run.nodes.iter().enumerate() {
        match node.is_ready().await {
            Some(true) => {}
            Some(false) => run.journal.violation(&format!("server {number} does not say that it is ready")),
            None => run.journal.violation(&format!("server {number} ended by itself")),
        }
    }
}

async fn nothing_left_open(run: &Run) {
    match run.database.left_open(LEFT_OPEN).await {
        Ok(open) => open.iter().for_each(|open| run.journal.violation(&format!("a transaction was left open: {open}"))),
        Err(error) => run.journal.violation(&format!("the database cannot be asked: {error}")),
    }
}

/// Waits until `cms doctor` finds nothing, not even what is only late. Where somebody ended a job that clears something, what it left is told and mended.
async fn sound(run: &Run) {
    if jobs::ended_a_clearing(run) {
        run.site.run(&["doctor", "--repair"]);
    }
    let began = Instant::now();
    loop {
        let report: Value = serde_json::from_str(&run.site.run(&["--json", "doctor"])).unwrap_or_default();
        if report["status"] == "pass" {
            return;
        }
        if began.elapsed() > COME_TO_THEMSELVES {
            let checks = report["checks"].as_array().map(Vec::as_slice).unwrap_or_default();
            let found: Vec<_> = checks.iter().filter(|check| check["status"] != "pass").map(Value::to_string).collect();
            run.journal.violation(&format!("`cms doctor` finds: {}", found.join(", ")));
            return;
        }
        sleep(LOOKS_EVERY).await;
    }
}

/// Every item of a list at a server, page by page.
pub(super) async fn everything(run: &Run, node: usize, path: &str, caller: &Caller) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let caller = if matches!(caller, Caller::Admin) { Caller::Admin } else { Caller::Anybody };
        let Answer::Done(page) = run.ask(node, Ask::get("survey", format!("{path}?limit=100{cursor}")).by(caller)).await.answer else {
            run.journal.violation(&format!("server {node} does not list {path} when nobody disturbs it"));
            return items;
        };
        items.extend(page["items"].as_array().into_iter().flatten().cloned());
        match page["nextCursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
    }
}

/// Compares every entry of a collection with what was acknowledged of it: nothing is lost, and nothing is there twice.
async fn compare_stories(run: &Run, shelf: Shelf) {
    let path = format!("/content/{}", shelf.slug());
    let there = by_key(run, everything(run, 0, &path, &Caller::Admin).await);
    let trashed = by_key(run, everything(run, 0, &format!("{path}/trash"), &Caller::Admin).await);
    let stories: Vec<_> = run.library.all().iter().filter(|known| known.shelf == shelf).cloned().collect();
    for known in &stories {
        let (facts, key) = (known.facts(), u64::try_from(known.key).unwrap_or_default());
        let (item, in_trash) = (there.get(&key), trashed.get(&key));
        if !facts.possible().iter().any(|stand| agrees(known, *stand, item, in_trash)) {
            let Facts { stand, under_way, .. } = facts;
            run.journal.violation(&format!(
                "entry {key} is lost or was changed: acknowledged {stand:?}, without an answer {under_way:?}, found {item:?}, in the trash {in_trash:?}"
            ));
        }
    }
    for node in 0..run.nodes.len() {
        let public = by_key(run, everything(run, node, &path, &Caller::Anybody).await);
        for known in &stories {
            let Some(facts) = known.certain() else { continue };
            match public.get(&u64::try_from(known.key).unwrap_or_default()) {
                Some(item) => judge_public(run, known, facts.stand, item),
                None if facts.stand.public().is_some() => {
                    run.journal.violation(&format!("entry {} is public, and server {node} does not list it", known.key));
                }
                None => run.journal.judged(),
            }
        }
    }
}

/// Whether an entry is where it would be.
fn agrees(known: &Known, stand: Stand, item: Option<&Value>, in_trash: Option<&Value>) -> bool {
    let same = |item: &Value| differs(known, stand, item).is_none();
    match (item, in_trash) {
        (Some(item), None) => stand.is_there() && same(item),
        (None, Some(item)) => stand.trashed && same(item),
        (None, None) => !stand.is_there() && !stand.trashed,
        (Some(_), Some(_)) => false,
    }
}

/// Items by the key of their story. No two may have the same.
fn by_key(run: &Run, items: Vec<Value>) -> HashMap<u64, Value> {
    let mut seen = HashSet::new();
    let mut by_key = HashMap::new();
    for item in items {
        let key = item["data"]["key"].as_u64();
        if !seen.insert(item["id"].to_string()) {
            run.journal.violation(&format!("a list has an entry twice: {item}"));
        }
        match key {
            Some(key) if run.library.get(key).is_some() => {
                if let Some(other) = by_key.insert(key, item) {
                    run.journal.violation(&format!("entry {key} was made twice: {other}"));
                }
            }
            _ => run.journal.violation(&format!("there is an entry that nobody wrote: {item}")),
        }
    }
    by_key
}
