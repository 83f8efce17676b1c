//! What several want at once: changes of the same entries, and slugs and values that only one may have.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use fastrand::Rng;
use futures_util::future::join_all;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{Answer, Ask, Run, lock};

/// How many entries are changed by several at once.
const CONTESTED: usize = 3;
/// How many take part in a race.
const RUNNERS: usize = 4;
/// How long contenders and racers rest, in milliseconds.
const RESTS: std::ops::Range<u64> = 20..150;

/// An entry that several change, each with the revision that it read.
#[derive(Debug)]
pub(super) struct Contested {
    id: String,
    facts: Mutex<Facts>,
}

#[derive(Debug, Default)]
struct Facts {
    /// What was acknowledged, by the version that it made.
    acknowledged: BTreeMap<i64, u64>,
    /// What has no answer, not yet or never.
    under_way: HashSet<u64>,
    written: u64,
}

/// Makes the entries that are contested.
///
/// # Panics
/// Panics when one cannot be made.
pub(super) async fn set_up(run: &Run) {
    for n in 0..CONTESTED {
        let body = json!({ "data": { "title": format!("Contested {n}"), "counter": 0 } });
        let made = run.ask(0, Ask::new("create", Method::POST, "/content/contested").body(body)).await;
        let Answer::Done(data) = made.answer else { panic!("no entry can be made") };
        let (Some(id), Some(version)) = (data["item"]["id"].as_str(), data["item"]["version"].as_i64()) else { panic!("{data}") };
        let facts = Facts { acknowledged: BTreeMap::from([(version, 0)]), ..Facts::default() };
        lock(&run.contested).push(Arc::new(Contested { id: id.to_owned(), facts: Mutex::new(facts) }));
    }
}

/// Reads a contested entry, and changes it unless somebody was faster.
pub(super) async fn contend(run: &Run, rng: &mut Rng, number: u64) {
    sleep(Duration::from_millis(rng.u64(RESTS))).await;
    let contested = lock(&run.contested)[rng.usize(..CONTESTED)].clone();
    let path = format!("/content/contested/{}", contested.id);
    let Some(rev) = read(run, rng, &contested).await else { return };
    let counter = {
        let mut facts = lock(&contested.facts);
        facts.written += 1;
        let counter = facts.written * 100 + number;
        facts.under_way.insert(counter);
        counter
    };
    let body = json!({ "_rev": rev, "data": { "counter": counter } });
    let sent = run.ask_any(rng, Ask::new("contend", Method::PUT, path).body(body)).await;
    let mut facts = lock(&contested.facts);
    match sent.answer {
        Answer::Done(data) => {
            facts.under_way.remove(&counter);
            let version = data["item"]["version"].as_i64().unwrap_or_default();
            if let Some(other) = facts.acknowledged.insert(version, counter) {
                run.journal.violation(&format!("{} was acknowledged with {counter} as version {version}, and with {other}", contested.id));
            }
        }
        Answer::Refused(status, code) => {
            facts.under_way.remove(&counter);
            if (status, code.as_str()) != (StatusCode::CONFLICT, "CONFLICT") {
                run.journal.violation(&format!("{} was refused: {status} {code}", contested.id));
            }
        }
        Answer::Unknown => {}
    }
}

/// Reads a contested entry, compares it with what was acknowledged, and answers with the token of its state.
async fn read(run: &Run, rng: &mut Rng, contested: &Contested) -> Option<Value> {
    let newest = lock(&contested.facts).acknowledged.last_key_value().map(|(version, _)| *version)?;
    let sent = run.ask_any(rng, Ask::get("get", format!("/content/contested/{}", contested.id))).await;
    let Answer::Done(data) = sent.answer else { return None };
    let (version, counter) = (data["item"]["version"].as_i64()?, data["item"]["data"]["counter"].as_u64()?);
    let facts = lock(&contested.facts);
    let problem = match facts.acknowledged.get(&version) {
        _ if version < newest => Some(format!("version {newest} was acknowledged before")),
        Some(known) if *known != counter => Some(format!("{known} was acknowledged as version {version}")),
        None if !facts.under_way.contains(&counter) => Some("nobody wrote that".to_owned()),
        _ => None,
    };
    run.journal.judged();
    match problem {
        Some(problem) => {
            run.journal.violation(&format!("a contested entry is not what it must be: {problem}: {data}"));
            None
        }
        None => Some(data["_rev"].clone()),
    }
}

/// Compares every contested entry with what was acknowledged, when nobody writes any more.
pub(super) async fn compare_contested(run: &Run, rng: &mut Rng) {
    let all = lock(&run.contested).clone();
    for contested in all {
        if read(run, rng, &contested).await.is_none() {
            run.journal.violation(&format!("the contested entry {} is not there as it must be", contested.id));
        }
    }
}

/// What a race is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prize {
    /// All want the same slug.
    Slug,
    /// All want the same value of a field that no two have.
    Value,
    /// All have the same title, and want slugs made from it: everybody gets one.
    Title,
}

/// A race that was run.
#[derive(Debug)]
pub(super) struct Race {
    prize: Prize,
    /// What became of each who took part, by the key that it wrote.
    runners: Vec<(String, Became)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    Acknowledged,
    Refused,
    Unknown,
}

/// Has several create at once what only one may have.
pub(super) async fn race(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.u64(RESTS) * 3)).await;
    let prize = rng.choice([Prize::Slug, Prize::Value, Prize::Title]).unwrap_or(Prize::Slug);
    let number = lock(&run.races).len();
    let mut requests = Vec::new();
    for n in 0..RUNNERS {
        let key = format!("{number}-{n}");
        let mut body = json!({ "data": { "title": format!("Race {number}"), "key": key, "code": format!("code-{key}") } });
        match prize {
            Prize::Slug => body["slug"] = json!(format!("wanted-{number}")),
            Prize::Value => {
                body["slug"] = json!(format!("value-{key}"));
                body["data"]["code"] = json!(format!("wanted-{number}"));
            }
            Prize::Title => {}
        }
        requests.push((key, run.some_node(rng).await, Ask::new("race", Method::POST, "/content/races").body(body)));
    }
    let run_one = async |(key, node, ask)| (key, run.ask(node, ask).await.answer);
    let answers = join_all(requests.into_iter().map(run_one)).await;
    let expected = match prize {
        Prize::Slug => Some("SLUG_CONFLICT"),
        Prize::Value => Some("UNIQUE_CONFLICT"),
        Prize::Title => None,
    };
    let mut runners = Vec::new();
    for (key, answer) in answers {
        if let Answer::Refused(status, code) = &answer
            && expected != Some(code.as_str())
        {
            run.journal.violation(&format!("{key}, who ran for a {prize:?}, was refused: {status} {code}"));
        }
        let became = match answer {
            Answer::Done(_) => Became::Acknowledged,
            Answer::Refused(..) => Became::Refused,
            Answer::Unknown => Became::Unknown,
        };
        runners.push((key, became));
    }
    let count = |became| runners.iter().filter(|(_, of)| *of == became).count();
    let winners = count(Became::Acknowledged);
    if prize != Prize::Title && (winners > 1 || (winners == 0 && count(Became::Unknown) == 0)) {
        run.journal.violation(&format!("race {number} for a {prize:?} has {winners} winners: {runners:?}"));
    }
    lock(&run.races).push(Race { prize, runners });
}

/// Has an entry created at every server, one after the other: each must do it now.
pub(super) async fn walk(run: &Run) {
    for node in 0..run.nodes.len() {
        let key = format!("walk-{node}");
        let body = json!({ "data": { "title": "Walk", "key": key, "code": key } });
        let sent = run.ask(node, Ask::new("race", Method::POST, "/content/races").body(body)).await;
        if matches!(sent.answer, Answer::Done(_)) {
            lock(&run.races).push(Race { prize: Prize::Title, runners: vec![(key, Became::Acknowledged)] });
        } else {
            run.journal.violation(&format!("server {node} creates nothing when nobody disturbs it"));
        }
    }
}

/// Compares the entries of all races with what became of those who took part: nothing is lost, and nothing is there twice.
pub(super) fn compare_races(run: &Run, items: &[Value]) {
    let mut found: HashMap<&str, usize> = HashMap::new();
    for item in items {
        *found.entry(item["data"]["key"].as_str().unwrap_or_default()).or_default() += 1;
    }
    for (number, race) in lock(&run.races).iter().enumerate() {
        let mut there = 0;
        for (key, became) in &race.runners {
            let times = found.get(key.as_str()).copied().unwrap_or_default();
            there += times;
            let right = match became {
                Became::Acknowledged => times == 1,
                Became::Refused => times == 0,
                Became::Unknown => times <= 1,
            };
            if !right {
                run.journal.violation(&format!("{key} of race {number} is there {times} times, and became {became:?}"));
            }
        }
        if race.prize != Prize::Title && there > 1 {
            run.journal.violation(&format!("race {number} for a {:?} left {there} entries", race.prize));
        }
    }
}
