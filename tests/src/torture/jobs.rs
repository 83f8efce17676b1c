//! Jobs, and somebody who stops them, lets them go on, ends them and tries them again, at random and at the last moment.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    time::{Duration, Instant},
};

use fastrand::Rng;
use futures_util::future::join;
use http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::{
    Answer, Ask, COME_TO_THEMSELVES, Caller, Run, Sent,
    aftermath::everything,
    host::{COUNT, ITEM},
    lock,
};

/// How long whoever looks after jobs rests, in milliseconds.
const RESTS: Range<u64> = 50..500;
/// How many items jobs of hosts have.
const ITEMS: Range<u64> = 2..20;
/// How long a step of theirs is at work, in ticks; and one that is to be stopped in the middle, for which nobody waits.
const TICKS: Range<u64> = 1..8;
const FOR_LONG: u64 = 200;
/// How long whoever asks for jobs of hosts rests, in milliseconds.
const BETWEEN: Range<u64> = 500..4_000;
/// How often jobs that are to end are looked at.
const LOOKS_EVERY: Duration = Duration::from_millis(300);
/// What may begin anew by itself: when one more field goes, entries are looked through again.
const BEGINS_ANEW: &str = "content.purge_leftovers";
/// What clears rows.
const CLEARS: &str = "content.clear_rows";

/// What is known of a job.
#[derive(Debug, Clone, Default)]
pub(super) struct Watched {
    kind: String,
    /// How much was done when somebody last looked.
    done: u64,
    /// The state that it was brought to, and stays in until somebody wants another one.
    held: Option<&'static str>,
    /// Whether it was ever asked to be paused, and to be cancelled.
    asked: (bool, bool),
    /// Whether something that was asked of it has no answer: that may come at any time.
    is_doubtful: bool,
    /// What it looked like when it was done or cancelled.
    over: Option<Value>,
}

/// What somebody wants of a job: what it is called, and the state that it leads to.
type Command = (&'static str, &'static str);
const PAUSE: Command = ("pause", "paused");
const RESUME: Command = ("resume", "queued");
const CANCEL: Command = ("cancel", "cancelled");
const RETRY: Command = ("retry", "queued");

/// Looks at the jobs, every now and then and when one was asked for, and does something to one.
pub(super) async fn oversee(run: &Run, rng: &mut Rng) {
    // In time or not: either way there may be something to look at.
    let _ = timeout(Duration::from_millis(rng.u64(RESTS)), run.job_wanted.notified()).await;
    let sent = run.ask_any(rng, Ask::get("jobs", "/admin/jobs?limit=50")).await;
    let Answer::Done(page) = sent.answer else { return };
    let items = page["items"].as_array().cloned().unwrap_or_default();
    for item in &items {
        judge(run, item);
    }
    let open: Vec<_> = items.iter().filter(|item| !possible(item).is_empty()).collect();
    let at_its_end = open.iter().copied().find(|item| item["total"].as_u64().is_some_and(|total| item["done"].as_u64() == Some(total - 1)));
    let Some(item) = at_its_end.filter(|_| rng.u8(..3) == 0).or_else(|| rng.choice(open)).filter(|_| rng.bool()) else { return };
    let Some(id) = item["id"].as_str() else { return };
    if rng.u8(..8) == 0 && possible(item).contains(&PAUSE) {
        both(run, rng, id).await;
    } else if let Some(wanted) = rng.choice(possible(item)).copied() {
        command(run, rng, id, wanted).await;
    }
}

/// What can be wanted of a job, as often as it is likely.
fn possible(item: &Value) -> &'static [Command] {
    match item["state"].as_str().unwrap_or_default() {
        "queued" | "running" => &[PAUSE, PAUSE, PAUSE, CANCEL],
        "paused" => &[RESUME, RESUME, RESUME, CANCEL],
        "failed" => &[RETRY],
        _ => &[],
    }
}

/// Asks two servers at once to pause a job and to cancel it: whichever is first, it is cancelled, unless it was over before.
async fn both(run: &Run, rng: &mut Rng, id: &str) {
    let (one, other) = (run.some_node(rng).await, run.some_node(rng).await);
    wanted(run, id, PAUSE);
    wanted(run, id, CANCEL);
    let (paused, cancelled) = join(run.ask(one, ask(id, PAUSE)), run.ask(other, ask(id, CANCEL))).await;
    became(run, id, PAUSE, &paused);
    // What was paused before it was cancelled was not held there.
    became(run, id, CANCEL, &cancelled);
}

async fn command(run: &Run, rng: &mut Rng, id: &str, command: Command) {
    wanted(run, id, command);
    let sent = run.ask_any(rng, ask(id, command)).await;
    became(run, id, command, &sent);
}

fn ask(id: &str, (name, _): Command) -> Ask {
    Ask::new(name, Method::POST, format!("/admin/jobs/{id}/{name}")).body(json!({}))
}

fn wanted(run: &Run, id: &str, command: Command) {
    let mut jobs = lock(&run.jobs);
    let job = jobs.entry(id.to_owned()).or_default();
    job.asked.0 |= command == PAUSE;
    job.asked.1 |= command == CANCEL;
    job.held = None;
}

fn became(run: &Run, id: &str, (name, leads_to): Command, sent: &Sent) {
    match &sent.answer {
        Answer::Done(data) => {
            if data["item"]["state"] != leads_to {
                run.journal.violation(&format!("{name} of a job was acknowledged, and led to {}", data["item"]));
            }
            advanced(run, &data["item"]);
            let stays = leads_to != "queued";
            if let Some(job) = lock(&run.jobs).get_mut(id) {
                job.held = stays.then_some(leads_to);
            }
        }
        // It came to another state meanwhile.
        Answer::Refused(StatusCode::CONFLICT, code) if code == "CONFLICT" => {}
        Answer::Refused(status, code) => run.journal.violation(&format!("{name} of the job {id} was refused: {status} {code}")),
        Answer::Unknown => {
            if let Some(job) = lock(&run.jobs).get_mut(id) {
                job.is_doubtful = true;
            }
        }
    }
}

/// Compares how far a job is with how far it was.
fn advanced(run: &Run, item: &Value) {
    let (id, done) = (item["id"].as_str().unwrap_or_default(), item["done"].as_u64().unwrap_or_default());
    let mut jobs = lock(&run.jobs);
    let job = jobs.entry(id.to_owned()).or_default();
    item["kind"].as_str().unwrap_or_default().clone_into(&mut job.kind);
    if done < job.done && job.kind != BEGINS_ANEW {
        run.journal.violation(&format!("{} items of a job were done before: {item}", job.done));
    }
    if done > job.done && job.held.is_some() && !job.is_doubtful {
        run.journal.violation(&format!("a job got on that was {}, from {}: {item}", job.held.unwrap_or_default(), job.done));
    }
    job.done = done;
}

/// Compares a job with what is known of it.
fn judge(run: &Run, item: &Value) {
    advanced(run, item);
    let (id, state) = (item["id"].as_str().unwrap_or_default(), item["state"].as_str().unwrap_or_default());
    let mut jobs = lock(&run.jobs);
    let Some(job) = jobs.get_mut(id) else { return };
    let violation = |text: &str| run.journal.violation(&format!("a job {text}: {item}"));
    let is_over = matches!(state, "done" | "failed" | "cancelled");
    if is_over == item["finishedAt"].is_null() {
        violation("is over and did not end, or ended and is not over");
    }
    if state == "failed" && item["error"].as_str().is_none_or(str::is_empty) {
        violation("failed and does not say why");
    }
    if job.held.is_some_and(|held| held != state) && !job.is_doubtful {
        violation(&format!("is not {} any more, and nobody wanted that", job.held.unwrap_or_default()));
    }
    if (state == "paused" && !job.asked.0) || (state == "cancelled" && !job.asked.1) {
        violation("was stopped, and nobody wanted that");
    }
    // Who does not know a kind calls it by its name.
    let mut shown = item.clone();
    shown["title"].take();
    if job.over.as_ref().is_some_and(|over| *over != shown) {
        violation("changed after it was over");
    }
    if matches!(state, "done" | "cancelled") {
        job.over = Some(shown);
    }
    run.journal.judged();
}

/// Asks hosts for a job of theirs.
pub(super) async fn count(run: &Run, rng: &mut Rng) {
    sleep(Duration::from_millis(rng.u64(BETWEEN))).await;
    let host = run.some_host(rng).await;
    asked_for(run, host, rng.u64(ITEMS), rng.u64(TICKS)).await;
}

/// Asks a host for a job of so many items, and answers with its id.
async fn asked_for(run: &Run, host: usize, items: u64, ticks: u64) -> Option<String> {
    let ask = Ask::new("count", Method::POST, "/torture/count").body(json!({ "items": items, "ticks": ticks }));
    match run.ask(host, ask).await.answer {
        Answer::Done(data) => {
            let id = data["job"].as_str()?.to_owned();
            lock(&run.counts).insert(id.clone(), items);
            Some(id)
        }
        Answer::Refused(status, code) => {
            run.journal.violation(&format!("a job was refused: {status} {code}"));
            None
        }
        Answer::Unknown => None,
    }
}

/// Lets every job go on, and tries again what failed: when nobody disturbs them, all come to an end.
pub(super) async fn settle(run: &Run, rng: &mut Rng) {
    let (began, mut tried) = (Instant::now(), BTreeSet::new());
    loop {
        let jobs = everything(run, 0, "/admin/jobs", &Caller::Admin).await;
        let mut open = Vec::new();
        for item in &jobs {
            judge(run, item);
            let (id, state) = (item["id"].as_str().unwrap_or_default(), item["state"].as_str().unwrap_or_default());
            match state {
                "paused" => command(run, rng, id, RESUME).await,
                "failed" if tried.insert(id.to_owned()) => command(run, rng, id, RETRY).await,
                "queued" | "running" => {}
                _ => continue,
            }
            open.push(item);
        }
        if open.is_empty() {
            return all_there(run, &jobs);
        }
        if began.elapsed() > COME_TO_THEMSELVES {
            for item in open {
                run.journal.violation(&format!("a job is stuck: {item}"));
            }
            return;
        }
        sleep(LOOKS_EVERY).await;
    }
}

/// Compares the jobs of hosts with what was asked for. Other jobs may fail for what people wrote.
fn all_there(run: &Run, jobs: &[Value]) {
    let by_id: BTreeMap<_, _> = jobs.iter().map(|item| (item["id"].as_str().unwrap_or_default(), item)).collect();
    for (id, items) in &*lock(&run.counts) {
        match by_id.get(id.as_str()) {
            None => run.journal.violation(&format!("the job {id} was asked for, and is not there")),
            Some(item) if item["state"] == "cancelled" => {}
            Some(item) if item["state"] == "done" && item["done"].as_u64() == Some(*items) => {}
            Some(item) => run.journal.violation(&format!("a job of {items} items did not do them: {item}")),
        }
    }
    let failed = jobs.iter().filter(|item| item["state"] == "failed" && item["kind"] != "content.register_unique");
    failed.for_each(|item| run.journal.violation(&format!("a job fails when nobody disturbs it: {item}")));
}

/// Pauses one job of a host and cancels another one, in the middle of a step: neither is at work a second later, nor gets on.
pub(super) async fn stop_within_a_second(run: &Run, rng: &mut Rng) {
    let host = run.hosts().start;
    let (Some(paused), Some(cancelled)) = (asked_for(run, host, 2, FOR_LONG).await, asked_for(run, host, 2, FOR_LONG).await) else {
        run.journal.violation("a host takes no jobs when nobody disturbs it");
        return;
    };
    let began = Instant::now();
    let notes = |id: &str| run.notes().iter().filter(|note| note["tick"] == id).count();
    while (notes(&paused) == 0 || notes(&cancelled) == 0) && began.elapsed() < COME_TO_THEMSELVES {
        sleep(LOOKS_EVERY).await;
    }
    command(run, rng, &paused, PAUSE).await;
    command(run, rng, &cancelled, CANCEL).await;
    sleep(Duration::from_secs(1)).await;
    let before = [notes(&paused), notes(&cancelled)];
    sleep(Duration::from_secs(1)).await;
    for (id, before) in [&paused, &cancelled].into_iter().zip(before) {
        let after = notes(id);
        if before == 0 || after > before {
            run.journal
                .violation(&format!("the job {id} was at work {before} times until a second after it was stopped, and {after} in the end"));
        }
        run.journal.judged();
    }
    let ids = [paused, cancelled];
    everything(run, 0, "/admin/jobs", &Caller::Admin)
        .await
        .iter()
        .filter(|item| ids.iter().any(|id| item["id"] == **id))
        .for_each(|item| judge(run, item));
    command(run, rng, &ids[0], CANCEL).await;
}

/// Compares the items of jobs, as the database has them, with how far these are: each is there once, and none is left out.
pub(super) async fn compare_items(run: &Run) {
    let events = match run.database.texts(format!("SELECT event AS text FROM outbox WHERE event LIKE '%{ITEM}%'")).await {
        Ok(events) => events,
        Err(error) => return run.journal.violation(&format!("the database cannot be asked: {error}")),
    };
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for event in events {
        let event: Value = serde_json::from_str(&event).unwrap_or_default();
        let details = &event["details"];
        let (job, item) = (details["job"].as_str().unwrap_or_default(), details["item"].as_u64().unwrap_or_default());
        found.entry(job.to_owned()).or_default().push(item);
    }
    for (id, done) in counted(run) {
        let mut items = found.remove(&id).unwrap_or_default();
        items.sort_unstable();
        if !items.iter().copied().eq(1..=done) {
            run.journal.violation(&format!("{done} items of the job {id} are done, and these are stored: {items:?}"));
        }
        run.journal.judged();
    }
    for id in found.keys() {
        run.journal.violation(&format!("items are stored of the job {id}, which nobody knows"));
    }
}

/// Whether somebody ended a job that clears what nobody reads any more.
pub(super) fn ended_a_clearing(run: &Run) -> bool {
    lock(&run.jobs).values().any(|job| job.kind == CLEARS && job.asked.1)
}

/// How many items of each job of hosts are done.
pub(super) fn counted(run: &Run) -> Vec<(String, u64)> {
    lock(&run.jobs).iter().filter(|(_, job)| job.kind == COUNT).map(|(id, job)| (id.clone(), job.done)).collect()
}
