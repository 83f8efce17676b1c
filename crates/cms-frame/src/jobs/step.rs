//! One step of a job: what it writes and how far the job is then, stored together.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use cms_domain::{access::Actor, job::JobState};
use cms_storage::{FailedItem, JobProgress, StoredJob};
use futures_util::FutureExt;

use super::{FAILED_ITEMS, Failed, Kind, LEASE, RawStride, Stride, short};
use crate::{
    Client, Cms, Code, Cx, Door, Error, Kind as ErrorKind,
    descriptor::{Invocation, Pending, Work},
    panic_message,
};

/// How a step of a job ended.
#[derive(Debug)]
pub enum Stepped {
    /// There is more to do: the job as it is now.
    On(Box<StoredJob>),
    /// The job is done.
    Over,
    /// It is somebody else's by now, or was stopped: nothing of the step was stored.
    Lost,
}

/// Does the next step of a job. It is tried again as operations are; an error is one of the work.
pub(super) async fn step(cms: &Cms, job: StoredJob) -> Result<Stepped, Error> {
    let kinds = cms.job_kinds();
    // Whoever took the kind away does not want it done.
    let Some(kind) = kinds.iter().find(|kind| kind.id == job.kind) else { return Ok(Stepped::Lost) };
    let actor = actor(&job)?;
    // Whether what they came with still stands is asked with the transaction, without which no step is stored.
    actor.admit(kind.declaration.access, false)?;
    let lost = Arc::new(AtomicBool::new(false));
    let step = Step { kind: Arc::clone(kind), job, after: None, lost: Arc::clone(&lost) };
    let invocation = Invocation { operation: kind.declaration, work: Box::new(step), attached: None };
    match cms.admitted(&actor, Door::Local, &Client::default(), invocation).await {
        Ok(answer) => {
            let job = answer.work.into_output().and_then(|job| job.downcast::<StoredJob>().ok());
            let job = job.ok_or_else(|| Error::internal("a step of a job says nothing of the job"))?;
            Ok(if job.state.is_over() { Stepped::Over } else { Stepped::On(job) })
        }
        Err(_) if lost.load(Ordering::Relaxed) => Ok(Stepped::Lost),
        Err(error) if actor != Actor::System && error.code().kind() == ErrorKind::Unauthenticated => {
            let message = "whoever asked for it may not go on: their session or token has ended, their account is disabled, or their role is lower \
                           than it was. Whoever tries it again has it done for themselves";
            Err(Error::with(error.code(), message))
        }
        Err(error) => Err(error),
    }
}

/// Who does a job: whoever asked for it, where it is not the server itself.
fn actor(job: &StoredJob) -> Result<Actor, Error> {
    let Some(caller) = &job.acts_for else { return Ok(Actor::System) };
    let unreadable =
        |_| Error::with(Code::ValidationError, "another release knows whom it is done for, and this one does not: ask for it again");
    Ok(Actor::User(serde_json::from_str(caller).map_err(unreadable)?))
}

/// A step on its way to what it leaves.
struct Step {
    kind: Arc<Kind>,
    job: StoredJob,
    after: Option<StoredJob>,
    lost: Arc<AtomicBool>,
}

impl Step {
    async fn run(&mut self, cx: &mut Cx<'_>) -> Result<(), Error> {
        let step = AssertUnwindSafe(self.kind.source.step(&self.job, cx)).catch_unwind().await;
        let stride = step.unwrap_or_else(|panic| Err(Error::internal(format!("it panicked: {}", panic_message(&*panic)))))?;
        self.after = Some(self.keep(stride, cx).await?);
        Ok(())
    }

    /// Stores how far the job is, together with what the step wrote.
    async fn keep(&self, stride: RawStride, cx: &mut Cx<'_>) -> Result<StoredJob, Error> {
        let Stride { next, result, done, total, note, failed } = stride;
        let mut job = self.job.clone();
        (job.done, job.total, job.note, job.attempts) = (done, total.or(job.total), note.as_deref().map(short), 0);
        let numbers = (job.errors + 1..=FAILED_ITEMS).zip(&failed);
        let kept = |(number, failed): (u64, &Failed)| FailedItem {
            number,
            item: short(&failed.item),
            message: short(&failed.message),
            entry: failed.entry,
            code: failed.code.map(|code| code.as_str().to_owned()),
        };
        let items: Vec<_> = numbers.map(kept).collect();
        job.errors += failed.len() as u64;
        let is_over = next.is_none();
        if !is_over {
            job.checkpoint = next;
        }
        let progress =
            JobProgress { checkpoint: job.checkpoint.clone(), done, total: job.total, note: job.note.clone(), errors: job.errors };
        // A step may have taken its time.
        let now = cx.cms().now();
        let jobs = cx.tx().await?.jobs();
        if !items.is_empty() {
            jobs.add_failed_items(job.id, items).await?;
        }
        let is_kept = if is_over {
            job.state = JobState::Done;
            jobs.finish(job.id, job.claim, progress, result.map(|result| result.to_string()), now).await?
        } else {
            jobs.advance(job.id, job.claim, progress, now.after(LEASE)).await?
        };
        if !is_kept {
            self.lost.store(true, Ordering::Relaxed);
            return Err(Error::new(Code::Conflict));
        }
        Ok(job)
    }
}

impl Work for Step {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn attempt<'a>(&'a mut self, cx: &'a mut Cx<'_>, _: bool) -> Pending<'a, Result<(), Error>> {
        Box::pin(self.run(cx))
    }

    fn write(&self, _: &mut Vec<u8>) -> Result<(), Error> {
        Ok(())
    }

    fn into_operation(self: Box<Self>) -> Option<Box<dyn Any>> {
        None
    }

    fn into_output(self: Box<Self>) -> Option<Box<dyn Any>> {
        Some(Box::new(self.after?))
    }
}
