//! Hooks of hosts: what they say of a save, and what they are told of publications.

use std::{
    collections::{BTreeMap, HashMap},
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::Value;
use tokio::time::sleep;

use super::{
    COME_TO_THEMSELVES, Run,
    host::{Mood, NOTES, SLEEPS, TOLD_OF_ITEMS, TOLD_OF_PUBLICATIONS, stamp},
    known::Known,
    lock,
    story::{Shelf, Step},
    write,
};

/// What saves ask for, as often as it is likely. What sleeps is left to whoever has the time.
const MOODS: [Mood; 16] = [
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Calm,
    Mood::Slow,
    Mood::Shrug,
    Mood::Refuse,
    Mood::Refuse,
    Mood::Fail,
    Mood::Panic,
    Mood::Hang,
    Mood::Nonsense,
];
/// How long whoever saves what sleeps rests.
const RESTS: Duration = Duration::from_secs(2);
/// How often what hooks are to be told of is looked for.
const LOOKS_EVERY: Duration = Duration::from_millis(500);

/// What a save asks of hooks; none where there are none, or nothing is saved.
pub(super) fn mood(rng: &mut Rng, shelf: Shelf, step: Step) -> Option<Mood> {
    let asks = shelf == Shelf::Hooked && matches!(step, Step::Create | Step::Update);
    if asks { rng.choice(MOODS) } else { None }
}

/// Saves an entry whose hook takes longer than anybody else waits.
pub(super) async fn sleep_over(run: &Run, rng: &mut Rng) {
    sleep(RESTS).await;
    if run.left() > SLEEPS + RESTS {
        let known = run.library.add(Shelf::Hooked);
        write::take(run, rng, &known, Step::Create, write::counter(&known, 1), Some(Mood::Asleep)).await;
    }
}

/// What an entry lacks of what hooks give to each.
pub(super) fn lacks(known: &Known, item: &Value) -> Option<String> {
    let expected = item["data"]["counter"].as_u64().map(stamp);
    (known.shelf == Shelf::Hooked && item["data"]["stamp"].as_u64() != expected)
        .then(|| format!("its stamp is {}, and a hook gives it {expected:?}", item["data"]["stamp"]))
}

impl Run {
    /// What the hosts wrote down.
    pub(super) fn notes(&self) -> Vec<Value> {
        let text = match std::fs::read_to_string(self.site.folder().join(NOTES)) {
            Ok(text) => text,
            Err(error) => {
                self.journal.violation(&format!("what hosts wrote down cannot be read: {error}"));
                return Vec::new();
            }
        };
        let read = |line| serde_json::from_str(line).map_err(|_| self.journal.violation(&format!("a host wrote down: {line}")));
        text.lines().filter_map(|line| read(line).ok()).collect()
    }
}

/// Waits until hooks were told of every publication that was acknowledged, and looks through all that they were told.
pub(super) async fn compare(run: &Run) {
    let began = Instant::now();
    loop {
        let notes = run.notes();
        let missing = missing(run, &notes);
        if missing.is_empty() || began.elapsed() > COME_TO_THEMSELVES {
            for missing in missing {
                run.journal.violation(&missing);
            }
            for hook in TOLD_OF_PUBLICATIONS {
                in_order(run, hook, &notes, "id", "counter");
            }
            in_order(run, TOLD_OF_ITEMS, &notes, "job", "item");
            run.journal.line(&format!("hooks were told everything after {:?}", began.elapsed()));
            return;
        }
        sleep(LOOKS_EVERY).await;
    }
}

/// What hooks were not told of.
fn missing(run: &Run, notes: &[Value]) -> Vec<String> {
    let mut published: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for (entry, counter) in &*lock(&run.publications) {
        published.entry(entry.clone()).or_default().push(*counter);
    }
    let mut missing = Vec::new();
    for hook in TOLD_OF_PUBLICATIONS {
        let mut told: HashMap<&str, Vec<u64>> = HashMap::new();
        for note in notes.iter().filter(|note| note["hook"] == hook && note["what"] == "told") {
            let about = &note["about"];
            told.entry(about["id"].as_str().unwrap_or_default()).or_default().push(about["counter"].as_u64().unwrap_or_default());
        }
        for (entry, published) in &published {
            let told = told.get(entry.as_str()).map(Vec::as_slice).unwrap_or_default();
            if told.len() < published.len() || told.last() < published.last() {
                missing.push(format!("of the entry {entry} {published:?} were published, and the hook {hook} was told of {told:?}"));
            }
        }
    }
    let items = notes.iter().filter(|note| note["hook"] == TOLD_OF_ITEMS && note["what"] == "told");
    let mut told: HashMap<&str, u64> = HashMap::new();
    for note in items {
        let about = &note["about"];
        let most = told.entry(about["job"].as_str().unwrap_or_default()).or_default();
        *most = (*most).max(about["item"].as_u64().unwrap_or_default());
    }
    for (job, done) in super::jobs::counted(run) {
        let told = told.get(job.as_str()).copied().unwrap_or_default();
        if told < done {
            missing.push(format!("the job {job} did {done} items, and its hook was told of {told}"));
        }
    }
    missing
}

/// Looks through what a hook was told: by one server at a time, of each thing in its order without a gap that only items can have, and again of what it failed at.
fn in_order(run: &Run, hook: &str, notes: &[Value], thing: &str, number: &str) {
    let mut last: HashMap<&str, u64> = HashMap::new();
    let mut failed: Option<&str> = None;
    for note in notes.iter().filter(|note| note["hook"] == hook) {
        let (about, what) = (&note["about"], note["what"].as_str().unwrap_or_default());
        let (name, now) = (about[thing].as_str().unwrap_or_default(), about[number].as_u64().unwrap_or_default());
        let violation = |text: &str| run.journal.violation(&format!("the hook {hook} {text}: {note}"));
        if note["alone"] != true {
            violation("was told by two servers at once");
        }
        if failed.is_some_and(|failed| failed != name) {
            violation(&format!("failed at {}, and was told of something else", failed.unwrap_or_default()));
        }
        let before = last.insert(name, now);
        if before.is_some_and(|before| now < before) {
            violation(&format!("was told of {before:?} of the same before"));
        }
        if number == "item" && now > before.unwrap_or_default() + 1 {
            violation(&format!("was told of {before:?} of the same before, and of nothing in between"));
        }
        failed = (what == "failed").then_some(name);
        run.journal.judged();
    }
}
