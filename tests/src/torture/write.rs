//! Writers: each writes the life of one entry after another, step by step, and remembers what was acknowledged.

use std::{
    ops::Range,
    time::{Duration, Instant},
};

use fastrand::Rng;
use http::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

use super::{
    Answer, Ask, Fault, Run,
    due::Planned,
    hooks,
    host::{Mood, SLEEPS},
    known::{Facts, Known},
    lock, now,
    story::{Place, Shelf, Stand, Step, Story},
};

/// How many steps can be told apart by the counters that they write.
const STEPS: u64 = 100;
/// How long a writer rests before the next entry.
const BETWEEN: Duration = Duration::from_millis(20);
/// How soon what is scheduled is due, in milliseconds: far enough for the request to be before it.
const DUE_IN: Range<u64> = 2_000..5_000;

/// Writes the life of an entry, until nobody can know how it goes on.
pub(super) async fn story(run: &Run, rng: &mut Rng) {
    sleep(BETWEEN).await;
    let story = Story::draw(rng, run.shelves());
    let known = run.library.add(story.shelf);
    for (n, (step, pause)) in (1..).zip(story.steps) {
        let mood = hooks::mood(rng, story.shelf, step);
        if run.is_over() || !take(run, rng, &known, step, counter(&known, n), mood).await {
            return;
        }
        sleep(pause).await;
    }
}

/// What the step of a number writes: nobody else writes the same.
pub(super) fn counter(known: &Known, step: u64) -> u64 {
    u64::try_from(known.key).unwrap_or(u64::MAX) * STEPS + step
}

/// Takes a step; says whether the story goes on.
pub(super) async fn take(run: &Run, rng: &mut Rng, known: &Known, step: Step, counter: u64, mood: Option<Mood>) -> bool {
    let facts = known.facts();
    let at = Duration::from_millis(rng.u64(DUE_IN));
    let scheduled_at = now().after(at);
    let due = Instant::now() + at;
    let (ask, depends) = request(run, rng, known, &facts, step, counter);
    let ask = if step == Step::Schedule { with(ask, "scheduledAt", json!(scheduled_at)) } else { ask };
    let expected = known.begin(step, counter);
    let refusal = mood.and_then(Mood::refusal);
    let sent = match mood {
        Some(mood) => run.ask_host(rng, asking(ask, mood)).await,
        None => run.ask_any(rng, ask).await,
    };
    match sent.answer {
        Answer::Refused(status, code) if refusal.is_some_and(|(expected, named)| status == expected && code == named) => {
            known.refused();
            step != Step::Create
        }
        Answer::Done(data) => {
            if refusal.is_some() {
                run.journal.violation(&format!(
                    "{} of entry {} was stored, which a hook does not let pass: {data}",
                    step.name(),
                    known.key
                ));
            }
            if let Some(problem) = wrong(known, step, expected, &data) {
                run.journal.violation(&format!("{} of entry {}: {problem}: {data}", step.name(), known.key));
            }
            let id = data["item"]["id"].as_str();
            known.acknowledged(expected, id, data["_rev"].as_str());
            if step == Step::Publish {
                run.note_publication(known);
            }
            if let Some(planned) = Planned::new(run, known, due, &data) {
                lock(&run.planned).push(planned);
            }
            true
        }
        Answer::Refused(status, code) => {
            known.refused();
            // What an entry refers to may be gone, a field may have come to an end, and some clock may be past the time.
            if !(depends && code == "VALIDATION_ERROR") {
                run.journal.violation(&format!("{} of entry {} was refused: {status} {code}", step.name(), known.key));
            }
            false
        }
        Answer::Unknown => false,
    }
}

/// The request of a step, and whether it depends on what others may change meanwhile.
fn request(run: &Run, rng: &mut Rng, known: &Known, facts: &Facts, step: Step, counter: u64) -> (Ask, bool) {
    let content = format!("/content/{}", known.shelf.slug());
    let entry = format!("{content}/{}", facts.id.as_deref().unwrap_or_default());
    // Nobody else changes it: with the revision, what was given up on cannot come later and undo what was done since.
    let rev = facts.rev.as_deref().filter(|_| known.shelf.is_left_alone());
    let guard = rev.map_or_else(String::new, |rev| format!("?_rev={rev}"));
    let guarded = |mut body: Value| {
        if let Some(rev) = rev {
            body["_rev"] = json!(rev);
        }
        body
    };
    let act = |verb: &str| Ask::new(step.name(), Method::POST, format!("{entry}/{verb}")).body(guarded(json!({})));
    let refers = known.shelf == Shelf::Comments;
    let depends = matches!(known.shelf, Shelf::Comments | Shelf::Shifting);
    match step {
        Step::Create => {
            let mut data = values(run, rng, known.shelf, counter);
            data["key"] = json!(known.key);
            data["title"] = json!(format!("Entry {}", known.key));
            if known.shelf == Shelf::Articles {
                data["code"] = json!(format!("code-{}", known.key));
            }
            let mut body = json!({ "data": data });
            if let Some(slug) = known.slug() {
                body["slug"] = json!(slug);
            }
            (Ask::new(step.name(), Method::POST, content).body(body), depends)
        }
        Step::Update => {
            let body = guarded(json!({ "data": values(run, rng, known.shelf, counter) }));
            (Ask::new(step.name(), Method::PUT, entry).body(body), depends)
        }
        Step::Publish => (act("publish"), refers),
        Step::Unpublish => (act("unpublish"), false),
        Step::Schedule => (act("schedule"), refers || run.plan.has(Fault::Clock)),
        Step::Restore => (act("restore"), false),
        Step::Trash => (Ask::new(step.name(), Method::DELETE, format!("{entry}{guard}")), false),
        Step::Remove => (Ask::new(step.name(), Method::DELETE, format!("{entry}/permanent{guard}")), false),
    }
}

/// Values that a save writes.
fn values(run: &Run, rng: &mut Rng, shelf: Shelf, counter: u64) -> Value {
    let mut data = json!({ "counter": counter });
    match shelf {
        Shelf::Articles | Shelf::Hooked => {}
        Shelf::Comments => {
            let articles = run.library.all();
            let drawn = (!articles.is_empty()).then(|| articles[rng.usize(..articles.len())].clone());
            let article = drawn.filter(|known| known.shelf == Shelf::Articles).and_then(|known| known.facts().id);
            if let Some(article) = article {
                data["article"] = json!(article);
            }
        }
        Shelf::Shifting => {
            if let Some(field) = lock(&run.schema).some_field(rng) {
                data[field] = json!(format!("value {}", counter % 7));
            }
        }
    }
    data
}

/// The request, which asks something of hooks.
fn asking(ask: Ask, mood: Mood) -> Ask {
    let mut body = ask.body.clone().unwrap_or_else(|| json!({}));
    body["data"]["mood"] = json!(mood.name());
    let spare = if mood == Mood::Asleep { SLEEPS } else { Duration::ZERO };
    ask.body(body).taking(spare)
}

fn with(ask: Ask, member: &str, value: Value) -> Ask {
    let mut body = ask.body.clone().unwrap_or_else(|| json!({}));
    body[member] = value;
    ask.body(body)
}

/// What is wrong with an answer that acknowledges a step.
fn wrong(known: &Known, step: Step, expected: Stand, data: &Value) -> Option<String> {
    match step {
        Step::Remove => None,
        Step::Trash => (data["deleted"] != true).then(|| "it does not say that the entry is gone".to_owned()),
        _ => differs(known, expected, &data["item"]),
    }
}

/// How what an editor sees of an entry differs from what is expected.
pub(super) fn differs(known: &Known, expected: Stand, item: &Value) -> Option<String> {
    let counter = item["data"]["counter"].as_u64();
    if item["data"]["key"] != json!(known.key) {
        return Some("it is another entry".to_owned());
    }
    if expected.place != Place::Nowhere && item["status"] != expected.place.status() {
        return Some(format!("it is {}, and not {}", item["status"], expected.place.status()));
    }
    if counter != Some(expected.counter) {
        return Some(format!("its counter is {counter:?}, and not {}", expected.counter));
    }
    hooks::lacks(known, item)
}
