//! Decides which entries are due; an operation publishes or unpublishes each. Safe on every server at once: each happens once.

use std::time::Duration;

use cms_content::entries::publish_due::{NoteScheduleFailure, PublishDue, UnpublishDue};
use cms_domain::{access::Actor, entry::ScheduleFailure};
use cms_frame::{Cms, Code, Door, Error};
use cms_storage::Due;

use super::Outcome;
use crate::rows::Rows;

/// How many entries are looked up at a time.
const BATCH: usize = 100;
/// How long after the first failure an entry is tried again; each further wait is twice as long.
const FIRST_WAIT: Duration = Duration::from_mins(1);
/// How many failures are followed by another attempt: after 1, 2, 4, 8 and 16 minutes.
const RETRIES: u32 = 5;
/// The longest text kept of a failure, in characters.
const MAX_ERROR: usize = 1000;

/// Publishes what is due, and takes off the public site what has come to its end. Ends come first: what should be over by now is not published.
pub async fn publish_due(cms: &Cms) -> Result<Outcome, Error> {
    let unpublished = unpublish_due(cms).await;
    let published = publish(cms).await?;
    Ok(if unpublished? == Outcome::More { Outcome::More } else { published })
}

/// Unpublishes what has come to its end. A failure is the task's, which tries again.
async fn unpublish_due(cms: &Cms) -> Result<Outcome, Error> {
    let ending = Rows::of(cms).reader().entries().ending(cms.now(), BATCH).await?;
    let (mut settled, mut failed) = (0, None);
    for (entry, planned) in &ending {
        match cms.invoke(&Actor::System, Door::Local, UnpublishDue { entry: *entry, planned: *planned }).await {
            Ok(_) => settled += 1,
            Err(error) if matches!(error.code(), Code::Conflict | Code::Busy) => {}
            Err(error) => {
                tracing::warn!(%entry, code = error.code().as_str(), "an entry could not be unpublished on schedule");
                failed = Some(error);
            }
        }
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(after(ending.len(), settled)),
    }
}

/// Whether to look again at once: where a whole batch was found and some of it came to its end, more may be due.
fn after(found: usize, settled: usize) -> Outcome {
    if found == BATCH && settled > 0 { Outcome::More } else { Outcome::Done }
}

async fn publish(cms: &Cms) -> Result<Outcome, Error> {
    let due = Rows::of(cms).reader().entries().due(cms.now(), BATCH).await?;
    let mut settled = 0;
    for due in &due {
        match cms.invoke(&Actor::System, Door::Local, PublishDue { entry: due.entry, planned: due.planned }).await {
            Ok(_) => settled += 1,
            // Another plan, another server, or too much going on: whatever is still due is met again.
            Err(error) if matches!(error.code(), Code::Conflict | Code::Busy) => {}
            Err(error) => {
                note(cms, due, &error).await?;
                settled += 1;
            }
        }
    }
    Ok(after(due.len(), settled))
}

/// Notes a failure where editors see it, and when to try again. Of servers that fail at the same attempt one does.
async fn note(cms: &Cms, due: &Due, error: &Error) -> Result<(), Error> {
    let (entry, attempts) = (due.entry, due.attempts.saturating_add(1));
    let next_attempt_at = (attempts <= RETRIES).then(|| cms.now().after(FIRST_WAIT * (1 << (attempts - 1))));
    let failure = ScheduleFailure { attempts, last_error: reason(error), next_attempt_at };
    let noted = cms.invoke(&Actor::System, Door::Local, NoteScheduleFailure { entry, planned: due.planned, failure }).await?.noted;
    if noted {
        tracing::warn!(%entry, attempts, code = error.code().as_str(), "an entry could not be published on schedule");
    }
    Ok(())
}

/// Why it failed, with each problem of the content where that is the reason.
fn reason(error: &Error) -> String {
    let problems = error.details_json().and_then(|details| details["issues"].as_array());
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let problems = problems.into_iter().flatten().map(|issue| format!("`{}` {}", text(&issue["path"]), text(&issue["message"])));
    let all = problems.collect::<Vec<_>>().join("; ");
    let all = if all.is_empty() { error.message().to_owned() } else { all };
    all.chars().take(MAX_ERROR).collect()
}
