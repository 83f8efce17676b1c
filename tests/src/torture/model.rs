//! Changes of the model that are jobs: a field comes to be unique, a field is deleted and made again, a collection is deleted with all that is in it.

use std::{
    collections::BTreeMap,
    fmt::Write,
    ops::Range,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use fastrand::Rng;
use http::{Method, StatusCode};
use serde_json::json;
use tokio::time::sleep;

use super::{Answer, Ask, Caller, KNOWN_WITHIN, Run, access::command, aftermath::everything, lock};

/// How many entries there are for each second of a run, so that jobs over them take a while, and making them does not.
const A_SECOND: u64 = 10;
/// How many that is at least, and at most. One step of a job is 200.
const ENTRIES: Range<u64> = 250..3_000;
/// How long whoever changes the model rests, in milliseconds.
const RESTS: Range<u64> = 200..2_000;
/// How long they wait for what a change leads to: it may be stopped, and its servers killed.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often they look meanwhile.
const LOOKS_EVERY: Duration = Duration::from_millis(200);
/// How long whoever makes a field that one was deleted for may be kept waiting, while values of that are taken out.
const HELPS: Duration = Duration::from_secs(20);
/// The collection whose fields change, and a field of it whose values are unique, sometimes.
const LOTS: &str = "/schema/collections/lots";
const NUMBER: &str = "/schema/collections/lots/fields/number";
/// The collection that is deleted again and again.
const PILE: &str = "/schema/collections/pile";

/// What is known of the entries of the collection whose fields change.
#[derive(Debug, Default)]
pub(super) struct Lots {
    /// By their numbers, how many entries there are at least and at most.
    numbers: BTreeMap<u64, (usize, usize)>,
    next: u64,
}

/// Makes the collections, and entries.
///
/// # Panics
/// Panics when they cannot be made.
pub(super) async fn set_up(run: &Run) {
    let field = |slug: &str, kind: &str| json!({ "slug": slug, "label": slug, "type": kind });
    let fields = [field("number", "integer"), field("extra", "string")];
    let body = json!({ "slug": "lots", "label": "lots", "fields": fields });
    let made = run.ask(0, Ask::new("collection", Method::POST, "/schema/collections").body(body)).await;
    assert!(matches!(made.answer, Answer::Done(_)), "the collection `lots` cannot be made");
    let entries = (run.plan.lasts.as_secs() * A_SECOND).clamp(ENTRIES.start, ENTRIES.end);
    run.site.run(&["import", "ndjson", &lines(run, "lots", entries).display().to_string()]);
    let mut lots = lock(&run.lots);
    lots.numbers = (0..entries).map(|number| (number, (1, 1))).collect();
    lots.next = entries;
}

/// A file of entries.
fn lines(run: &Run, collection: &str, entries: u64) -> PathBuf {
    let mut lines = String::new();
    for number in 0..entries {
        let line = json!({ "collection": collection, "data": { "number": number, "extra": "at first" } });
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{line}");
    }
    let file = run.site.folder().join(format!("{collection}.ndjson"));
    match std::fs::write(&file, lines) {
        Ok(()) => file,
        Err(error) => panic!("no room for entries: {error}"),
    }
}

/// Changes the model once, in a way that is a job.
pub(super) async fn change(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.u64(RESTS))).await;
    match rng.u8(..4) {
        0 => unique(run, rng, false).await,
        1 => unique(run, rng, true).await,
        2 => field(run, rng).await,
        _ => pile(run, rng).await,
    }
}

/// Has a field come to be unique, with two entries that have the same value in the way, or without, and takes it back.
async fn unique(run: &Run, rng: &mut Rng, in_the_way: bool) {
    let twin = lock(&run.lots).numbers.iter().rev().find(|(_, entries)| **entries == (1, 1)).map(|(number, _)| *number);
    let Some(twin) = twin else { return };
    let second = if in_the_way { add(run, rng, twin).await } else { None };
    if in_the_way && second.is_none() {
        return;
    }
    let clean = lock(&run.lots).numbers.values().all(|(_, most)| *most <= 1);
    match set_unique(run, rng, true).await {
        Answer::Done(_) => {
            run.job_wanted.notify_one();
            let fresh = lock(&run.lots).next;
            add(run, rng, fresh).await;
            let became = settled(run, rng).await;
            match became.as_deref() {
                Some("ready") if second.is_some() => run.journal.violation("a field is unique, of which two entries have the same value"),
                Some("ready") => refuses(run, rng, twin).await,
                Some("none") if clean => run.journal.violation("a field did not come to be unique, and all of its values are"),
                _ => {}
            }
        }
        Answer::Refused(StatusCode::CONFLICT, code) if code == "FIELD_HAS_VALUES" && !clean => {}
        Answer::Refused(status, code) => run.journal.violation(&format!("a field cannot come to be unique: {status} {code}")),
        Answer::Unknown => {}
    }
    if let Answer::Refused(status, code) = set_unique(run, rng, false).await {
        run.journal.violation(&format!("a field cannot stay what it was: {status} {code}"));
    }
    if let Some(second) = second {
        remove(run, rng, twin, &second).await;
    }
}

async fn set_unique(run: &Run, rng: &mut Rng, unique: bool) -> Answer {
    run.ask_any(rng, Ask::new("unique", Method::PUT, NUMBER).body(json!({ "unique": unique }))).await.answer
}

/// What became of the field that comes to be unique; nothing where that is not over in time.
async fn settled(run: &Run, rng: &mut Rng) -> Option<String> {
    let began = Instant::now();
    while began.elapsed() < PATIENCE && !run.is_over() {
        sleep(LOOKS_EVERY).await;
        let sent = run.ask_any(rng, Ask::get("unique", NUMBER)).await;
        // Who does not know yet that it is to be says that it is not.
        if let Answer::Done(data) = &sent.answer
            && sent.steady
            && began.elapsed() > 2 * KNOWN_WITHIN
        {
            match data["item"]["uniqueState"].as_str() {
                Some("building") => {}
                state => return Some(state.unwrap_or("none").to_owned()),
            }
        }
    }
    None
}

/// Makes an entry of a number; its id once it is there.
async fn add(run: &Run, rng: &mut Rng, number: u64) -> Option<String> {
    {
        let mut lots = lock(&run.lots);
        lots.next = lots.next.max(number + 1);
        lots.numbers.entry(number).or_default().1 += 1;
    }
    let body = json!({ "data": { "number": number } });
    let sent = run.ask_any(rng, Ask::new("lot", Method::POST, "/content/lots").body(body)).await;
    let mut lots = lock(&run.lots);
    let entries = lots.numbers.entry(number).or_default();
    match sent.answer {
        Answer::Done(data) => {
            entries.0 += 1;
            data["item"]["id"].as_str().map(str::to_owned)
        }
        Answer::Refused(status, code) => {
            entries.1 -= 1;
            if code != "UNIQUE_CONFLICT" || entries.1 == 0 {
                run.journal.violation(&format!("an entry was refused: {status} {code}"));
            }
            None
        }
        Answer::Unknown => None,
    }
}

async fn remove(run: &Run, rng: &mut Rng, number: u64, id: &str) {
    let path = format!("/content/lots/{id}");
    let trashed = run.ask_any(rng, Ask::new("lot", Method::DELETE, path.clone())).await.answer;
    let removed = match trashed {
        Answer::Done(_) => run.ask_any(rng, Ask::new("lot", Method::DELETE, format!("{path}/permanent"))).await.answer,
        other => other,
    };
    let mut lots = lock(&run.lots);
    let entries = lots.numbers.entry(number).or_default();
    entries.0 -= 1;
    match removed {
        Answer::Done(_) => entries.1 -= 1,
        Answer::Refused(status, code) => run.journal.violation(&format!("an entry cannot be removed: {status} {code}")),
        Answer::Unknown => {}
    }
}

/// Tries to make a second entry of a number, when no two may have the same.
async fn refuses(run: &Run, rng: &mut Rng, number: u64) {
    if add(run, rng, number).await.is_some() {
        run.journal.violation(&format!("two entries have the number {number}, and no two may"));
    }
}

/// Deletes a field that entries have values of, and makes it again: no entry has one then.
async fn field(run: &Run, rng: &mut Rng) {
    let fields = format!("{LOTS}/fields");
    match run.ask_any(rng, Ask::new("extra", Method::DELETE, format!("{fields}/extra"))).await.answer {
        // It may be gone since somebody had no answer.
        Answer::Done(_) | Answer::Refused(StatusCode::NOT_FOUND, _) => {}
        Answer::Refused(status, code) => run.journal.violation(&format!("the field `extra` cannot be deleted: {status} {code}")),
        Answer::Unknown => return,
    }
    run.job_wanted.notify_one();
    sleep(Duration::from_millis(rng.u64(RESTS) / 4)).await;
    let body = json!({ "slug": "extra", "label": "extra", "type": "string" });
    match run.ask_any(rng, Ask::new("extra", Method::POST, fields).body(body).taking(HELPS)).await.answer {
        Answer::Done(_) => {}
        Answer::Refused(StatusCode::CONFLICT, code) if code == "LEFTOVERS_PENDING" || code == "FIELD_EXISTS" => return,
        Answer::Refused(status, code) => {
            run.journal.violation(&format!("the field `extra` cannot be made again: {status} {code}"));
            return;
        }
        Answer::Unknown => return,
    }
    let sent = run.ask_any(rng, Ask::get("lots", "/content/lots?limit=100&orderBy=createdAt&order=asc")).await;
    if let Answer::Done(page) = sent.answer {
        let ghosts = page["items"].as_array().into_iter().flatten().filter(|item| !item["data"]["extra"].is_null());
        ghosts.for_each(|item| run.journal.violation(&format!("a value of a field that was deleted is one of another field: {item}")));
        run.journal.judged();
    }
}

/// Makes a collection, fills it, and deletes it with all that is in it. Its name is free at once.
async fn pile(run: &Run, rng: &mut Rng) {
    let fields =
        ["number", "extra"].map(|slug| json!({ "slug": slug, "label": slug, "type": if slug == "number" { "integer" } else { "string" } }));
    let body = json!({ "slug": "pile", "label": "pile", "fields": fields });
    match run.ask_any(rng, Ask::new("pile", Method::POST, "/schema/collections").body(body)).await.answer {
        Answer::Done(_) => {}
        // It is there since somebody had no answer.
        Answer::Refused(StatusCode::CONFLICT, code) if code == "COLLECTION_EXISTS" => {}
        Answer::Refused(status, code) => run.journal.violation(&format!("a name is not free: {status} {code}")),
        Answer::Unknown => return,
    }
    let file = lines(run, "pile", ENTRIES.start);
    import(run, &file).await;
    match run.ask_any(rng, Ask::new("pile", Method::DELETE, format!("{PILE}?force=true"))).await.answer {
        Answer::Done(_) => run.job_wanted.notify_one(),
        Answer::Refused(status, code) => {
            run.journal.violation(&format!("a collection cannot be deleted: {status} {code}"));
            return;
        }
        Answer::Unknown => return,
    }
    sleep(KNOWN_WITHIN).await;
    let sent = run.ask_any(rng, Ask::get("pile", "/content/pile?limit=1")).await;
    if sent.steady {
        run.journal.judged();
        if let Answer::Done(page) = sent.answer {
            run.journal.violation(&format!("a collection is deleted, and lists {page}"));
        }
    }
}

/// Imports entries beside the servers, as far as it goes.
async fn import(run: &Run, file: &Path) {
    command(run, &["import", "ndjson", &file.display().to_string()]).await;
}

/// Compares the entries with what was acknowledged: none is lost, and none is there twice.
pub(super) async fn compare(run: &Run) {
    let mut found: BTreeMap<u64, usize> = BTreeMap::new();
    for item in everything(run, 0, "/content/lots", &Caller::Admin).await {
        *found.entry(item["data"]["number"].as_u64().unwrap_or(u64::MAX)).or_default() += 1;
    }
    let known = lock(&run.lots).numbers.clone();
    for (number, (least, most)) in &known {
        let there = found.remove(number).unwrap_or_default();
        if there < *least || there > *most {
            run.journal.violation(&format!("of the number {number} there are {there} entries, and there should be {least} to {most}"));
        }
        run.journal.judged();
    }
    for number in found.keys() {
        run.journal.violation(&format!("nobody made an entry of the number {number}"));
    }
}
