//! What was scheduled: it is published by some server, once, and not before its time.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use fastrand::Rng;
use serde_json::Value;
use tokio::time::sleep;

use super::{
    Answer, Ask, Fault, Run,
    known::Known,
    lock,
    story::{Place, Step},
    write::differs,
};

/// How late a publication may be: a server that was told nothing looks every 30 seconds, and what failed once is tried again after a
/// minute.
const LATEST: Duration = Duration::from_secs(100);
/// How much earlier a server may think it is than whoever waits here.
const EARLIEST: Duration = Duration::from_millis(100);
/// How often what is due is looked at.
const LOOKS_EVERY: Duration = Duration::from_millis(300);

/// An entry that will be published.
#[derive(Debug, Clone)]
pub(super) struct Planned {
    known: Arc<Known>,
    due: Instant,
    /// Its version until then.
    version: i64,
}

impl Planned {
    /// What an acknowledgement promises for later.
    pub(super) fn new(run: &Run, known: &Known, due: Instant, data: &Value) -> Option<Self> {
        let planned = known.facts().stand.place == Place::Scheduled;
        let known = run.library.get(u64::try_from(known.key).ok()?)?;
        planned.then(|| Self { known, due, version: data["item"]["version"].as_i64().unwrap_or_default() })
    }
}

/// Looks once at everything that was scheduled.
pub(super) async fn watch(run: &Run, rng: &mut Rng) {
    sleep(LOOKS_EVERY).await;
    look(run, rng).await;
}

/// Looks until nothing waits any more.
pub(super) async fn wait(run: &Run, rng: &mut Rng) {
    while !lock(&run.planned).is_empty() {
        watch(run, rng).await;
    }
}

async fn look(run: &Run, rng: &mut Rng) {
    let waiting = std::mem::take(&mut *lock(&run.planned));
    let mut left = Vec::new();
    for planned in waiting {
        // Some are looked at too early, on purpose.
        if planned.due > Instant::now() && rng.u8(..10) > 0 || !settled(run, rng, &planned).await {
            left.push(planned);
        }
    }
    lock(&run.planned).extend(left);
}

/// Whether nothing is expected of the entry any more.
async fn settled(run: &Run, rng: &mut Rng, planned: &Planned) -> bool {
    let (known, facts) = (&planned.known, planned.known.facts());
    let path = format!("/content/{}/{}", known.shelf.slug(), facts.id.as_deref().unwrap_or_default());
    let sent = run.ask_any(rng, Ask::get("scheduled", path)).await;
    let now = Instant::now();
    let violation = |text: &str| run.journal.violation(&format!("entry {} that was scheduled {text}", known.key));
    match sent.answer {
        Answer::Done(data) if data["item"]["status"] == "published" => {
            let after = facts.stand.after(Step::Publish, 0);
            if let Some(problem) = differs(known, after, &data["item"]) {
                violation(&format!("was published, but {problem}: {data}"));
            }
            if now + EARLIEST < planned.due && !run.plan.has(Fault::Clock) {
                violation(&format!("was published {:?} too early", planned.due - now));
            }
            // Others change what refers to something.
            let version = data["item"]["version"].as_i64().unwrap_or_default();
            if version != planned.version + 1 && known.shelf.is_left_alone() {
                violation(&format!("has version {version}, and had {} before: it was changed more than once", planned.version));
            }
            known.acknowledged(after, None, data["_rev"].as_str());
            run.note_publication(known);
            true
        }
        Answer::Refused(status, code) => {
            violation(&format!("is not there: {status} {code}"));
            true
        }
        // What it refers to is in the trash, or was when it was due: it is tried again later and later, and may come yet.
        Answer::Done(data) if !known.shelf.is_left_alone() && !data["item"]["scheduleFailure"].is_null() => run.is_over(),
        Answer::Done(_) | Answer::Unknown if now > planned.due + LATEST => {
            violation(&format!("was not published {LATEST:?} after its time"));
            true
        }
        Answer::Done(_) | Answer::Unknown => false,
    }
}
