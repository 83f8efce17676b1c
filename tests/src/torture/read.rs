//! Readers: each asks some server, and compares what it says with what it must know.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use http::StatusCode;
use serde_json::Value;
use tokio::time::sleep;

use super::{
    Answer, Ask, Caller, KNOWN_WITHIN, Run, Sent, access, hooks,
    known::Known,
    schema,
    story::{Shelf, Stand},
    write::differs,
};

/// How long readers rest, in milliseconds.
const RESTS: std::ops::Range<u64> = 5..40;
/// How many of the newest entries are read oftener than others: what changed lately is what a server may not know.
const NEWEST: usize = 60;
/// Orders in which lists are read.
const ORDERS: [&str; 4] = ["createdAt", "updatedAt", "publishedAt", "counter"];

/// Reads something.
pub(super) async fn read(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.u64(RESTS))).await;
    match rng.u8(..20) {
        0..=8 => public(run, rng).await,
        9..=12 => editorial(run, rng).await,
        13..=16 => list(run, rng).await,
        17..=18 => access::knock(run, rng).await,
        _ => schema::read(run, rng).await,
    }
}

/// An entry that somebody was told of.
fn some_entry(run: &Run, rng: &mut Rng) -> Option<(Arc<Known>, String)> {
    let all = run.library.all();
    let from = if rng.bool() { all.len().saturating_sub(NEWEST) } else { 0 };
    let known = Arc::clone(rng.choice(&all[from..])?);
    drop(all);
    let id = known.facts().id?;
    Some((known, id))
}

/// Reads an entry as anybody.
async fn public(run: &Run, rng: &mut Rng) {
    let Some((known, id)) = some_entry(run, rng) else { return };
    let name = known.slug().filter(|_| rng.bool()).unwrap_or(id);
    let path = format!("/content/{}/{name}", known.shelf.slug());
    let sent = run.ask_any(rng, Ask::get("read", path).by(Caller::Anybody)).await;
    // What is certain now, and was for a second when it was asked for, was so all the while.
    let Some(facts) = known.certain().filter(|facts| sent.steady && facts.must_be_known(sent.at, KNOWN_WITHIN)) else { return };
    match &sent.answer {
        Answer::Done(data) => {
            schema::compare_values(run, &sent, known.shelf, &data["item"]);
            judge_public(run, &known, facts.stand, &data["item"]);
        }
        Answer::Refused(StatusCode::NOT_FOUND, _) => {
            run.journal.judged();
            if facts.stand.public().is_some() {
                run.journal.violation(&format!("entry {} is public, and was not found", known.key));
            }
        }
        Answer::Refused(status, code) => run.journal.violation(&format!("entry {} cannot be read: {status} {code}", known.key)),
        Answer::Unknown => {}
    }
}

/// Compares what anybody sees of an entry with what is public.
pub(super) fn judge_public(run: &Run, known: &Known, stand: Stand, item: &Value) {
    run.journal.judged();
    let seen = item["data"]["counter"].as_u64();
    match stand.public() {
        None => run.journal.violation(&format!("entry {} is withdrawn, and was served: {item}", known.key)),
        Some(public) if seen != Some(public) => {
            run.journal.violation(&format!("of entry {} {public} is public, and {seen:?} was served", known.key));
        }
        Some(_) => {
            if let Some(problem) = hooks::lacks(known, item) {
                run.journal.violation(&format!("entry {} is public, but {problem}: {item}", known.key));
            }
        }
    }
}

/// Reads an entry as an editor, who sees it as it is, at once.
async fn editorial(run: &Run, rng: &mut Rng) {
    let Some((known, id)) = some_entry(run, rng) else { return };
    let sent = run.ask_any(rng, Ask::get("get", format!("/content/{}/{id}", known.shelf.slug()))).await;
    let Some(facts) = known.certain().filter(|facts| facts.must_be_known(sent.at, Duration::ZERO)) else { return };
    let problem = match &sent.answer {
        Answer::Done(data) if facts.stand.is_there() => {
            schema::compare_values(run, &sent, known.shelf, &data["item"]);
            let other = known.shelf.is_left_alone() && data["_rev"].as_str() != facts.rev.as_deref();
            differs(&known, facts.stand, &data["item"]).or_else(|| other.then(|| format!("its state is not {:?}", facts.rev)))
        }
        Answer::Done(_) => Some("it is gone, and was served".to_owned()),
        Answer::Refused(StatusCode::NOT_FOUND, _) => facts.stand.is_there().then(|| "it was not found".to_owned()),
        Answer::Refused(status, code) => Some(format!("{status} {code}")),
        Answer::Unknown => return,
    };
    run.journal.judged();
    if let Some(problem) = problem {
        run.journal.violation(&format!("entry {} is not what was acknowledged: {problem}: {}", known.key, shown(&sent)));
    }
}

fn shown(sent: &Sent) -> String {
    match &sent.answer {
        Answer::Done(data) => data.to_string(),
        Answer::Refused(status, code) => format!("{status} {code}"),
        Answer::Unknown => String::new(),
    }
}

/// Reads a page as anybody.
async fn list(run: &Run, rng: &mut Rng) {
    let shelf = rng.choice(run.shelves()).copied().unwrap_or(Shelf::Articles);
    let order = rng.choice(ORDERS).unwrap_or(ORDERS[0]);
    let direction = if rng.u8(..4) == 0 { "asc" } else { "desc" };
    let path = format!("/content/{}?limit=50&orderBy={order}&order={direction}", shelf.slug());
    let sent = run.ask_any(rng, Ask::get("list", path).by(Caller::Anybody)).await;
    match &sent.answer {
        Answer::Done(data) => {
            let items = data["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            for item in items {
                judge_item(run, &sent, item);
            }
        }
        Answer::Refused(status, code) => run.journal.violation(&format!("a list was refused: {status} {code}")),
        Answer::Unknown => {}
    }
}

/// Compares an item of a list with what is public.
fn judge_item(run: &Run, sent: &Sent, item: &Value) {
    let Some(known) = item["data"]["key"].as_u64().and_then(|key| run.library.get(key)) else {
        run.journal.violation(&format!("a list has an entry that nobody wrote: {item}"));
        return;
    };
    if let Some(facts) = known.certain()
        && sent.steady
        && facts.must_be_known(sent.at, KNOWN_WITHIN)
    {
        judge_public(run, &known, facts.stand, item);
    }
}
