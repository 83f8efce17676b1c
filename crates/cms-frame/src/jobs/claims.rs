//! Who does which job: a server claims one for a while, says that it is at it, and lets go of it.

use std::time::Duration;

use cms_domain::{job::JobState, time::Timestamp};
use cms_storage::{StoredJob, Tx};

use super::{ATTEMPTS, LEASE, Stepped, short, step::step};
use crate::{Cms, Error, Kind, patience::patiently};

/// The shortest wait before a job is tried again that failed; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(2);

/// What a server may do with jobs under its name.
#[derive(Clone)]
pub struct Claims {
    cms: Cms,
    node: String,
}

impl Claims {
    /// What the server `node` may do.
    pub fn new(cms: Cms, node: String) -> Self {
        Self { cms, node }
    }

    /// When the next job may be claimed; none when there is nothing to do.
    pub async fn next_due(&self) -> Result<Option<Timestamp>, Error> {
        Ok(self.cms.store().reader().jobs().next_due().await?)
    }

    /// Claims the next job that is due. One that was tried too often without getting on is given up instead.
    pub async fn claim(&self) -> Result<Option<StoredJob>, Error> {
        let known = self.cms.job_kinds();
        let kinds: Vec<_> = known.iter().map(|kind| (kind.id, kind.version)).collect();
        loop {
            let claimed = patiently(|| async {
                let (tx, now) = self.begin().await?;
                let claimed = tx.jobs().claim(&self.node, &kinds, now, now.after(LEASE)).await?;
                tx.commit().await?;
                Ok(claimed)
            });
            let claimed = claimed.await?;
            match claimed {
                Some(job) if job.attempts > ATTEMPTS => {
                    let last = job.error.as_deref().unwrap_or("the servers that did it ended in the middle of it");
                    self.end(&job, &format!("it was tried {ATTEMPTS} times without getting on: {last}"), None).await?;
                }
                claimed => return Ok(claimed),
            }
        }
    }

    /// Says that a job is still at work. False when it is somebody else's by now, or was stopped.
    pub async fn renew(&self, job: &StoredJob) -> Result<bool, Error> {
        patiently(|| async {
            let (tx, now) = self.begin().await?;
            let renewed = tx.jobs().renew(job.id, job.claim, now.after(LEASE)).await?;
            tx.commit().await?;
            Ok(renewed)
        })
        .await
    }

    /// Does the next step of a job. It is tried again as operations are; an error is one of the work.
    pub async fn step(&self, job: StoredJob) -> Result<Stepped, Error> {
        step(&self.cms, job).await
    }

    /// A step failed: the job is tried again later, or given up where that mends nothing.
    pub async fn failed(&self, job: &StoredJob, error: &Error) -> Result<(), Error> {
        let attempt = job.attempts.max(1);
        let again = is_worth_another_attempt(error) && attempt < ATTEMPTS;
        let wait = FIRST_WAIT.saturating_mul(1 << (attempt - 1).unsigned_abs().min(5));
        self.end(job, &told(error), again.then_some(wait)).await
    }

    /// Gives a job back, which another server goes on with.
    pub async fn release(&self, job: &StoredJob) -> Result<(), Error> {
        patiently(|| async {
            let (tx, now) = self.begin().await?;
            tx.jobs().release(job.id, job.claim, now).await?;
            Ok(tx.commit().await?)
        })
        .await
    }

    async fn end(&self, job: &StoredJob, error: &str, wait: Option<Duration>) -> Result<(), Error> {
        let state = if wait.is_some() { JobState::Queued } else { JobState::Failed };
        tracing::warn!(job = %job.id, kind = job.kind, state = state.as_str(), error, "a job failed");
        patiently(|| async {
            let (tx, now) = self.begin().await?;
            tx.jobs().fail(job.id, job.claim, error, wait.map(|wait| now.after(wait)), now).await?;
            Ok(tx.commit().await?)
        })
        .await
    }

    /// A transaction that says who does what. It belongs to no operation: nobody asked for it, and nothing happened to what people see.
    async fn begin(&self) -> Result<(Tx, Timestamp), Error> {
        Ok((self.cms.store().write().await?, self.cms.now()))
    }
}

/// Whether another attempt may mend what a step failed of.
fn is_worth_another_attempt(error: &Error) -> bool {
    matches!(error.code().kind(), Kind::Internal | Kind::Unavailable)
}

/// What people are told of a step that failed.
fn told(error: &Error) -> String {
    match error.code().kind() {
        Kind::Internal => "the server failed: its log has the reason under the id of this job".to_owned(),
        _ => short(error.message()),
    }
}
