//! Does jobs: claims those that are due, does them step by step, and lets go of them when the server stops.

use std::time::Duration;

use cms_domain::time::Timestamp;
use cms_frame::{
    Cms, Error,
    jobs::{Claims, LEASE, Stepped},
};
use cms_storage::StoredJob;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

/// How many jobs a server does at once: as many as do not keep requests waiting on a machine with two cores.
const AT_ONCE: usize = 2;
/// How often a server says that it is at a job: four times before another one believes it dead ([`LEASE`]).
const RENEWED: Duration = Duration::from_millis(2500);
/// How long a server that has nothing to do waits at most before it looks: it is woken for everything but what others left behind.
const IDLE: Duration = Duration::from_secs(5);

/// Does jobs until the server stops. What is under way then ends its step, and is left to other servers.
pub(crate) async fn work(cms: Cms, node: String, mut stopped: watch::Receiver<bool>) {
    let claims = Claims::new(cms.clone(), node);
    let mut changes = cms.jobs_changed();
    let mut under_way = JoinSet::new();
    while !*stopped.borrow() {
        changes.mark_unchanged();
        let pause = fill(&cms, &claims, &stopped, &mut under_way).await.unwrap_or_else(|error| {
            tracing::warn!(%error, cause = error.private().map(tracing::field::debug), "no job could be claimed");
            IDLE
        });
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => {}
            Some(ended) = under_way.join_next() => note(ended),
            () = sleep(pause) => {}
            // The system itself holds the other end.
            _ = changes.changed() => {}
        }
    }
    while let Some(ended) = under_way.join_next().await {
        note(ended);
    }
}

/// Begins jobs as long as there are some and room for them. Says when to look again.
async fn fill(cms: &Cms, claims: &Claims, stopped: &watch::Receiver<bool>, under_way: &mut JoinSet<()>) -> Result<Duration, Error> {
    while under_way.len() < AT_ONCE {
        let wait = match claims.next_due().await? {
            Some(due) => until(cms, due),
            None => return Ok(IDLE),
        };
        if !wait.is_zero() {
            return Ok(wait.min(IDLE));
        }
        // One that nobody here knows how to do stays for others.
        let Some(job) = claims.claim().await? else { return Ok(IDLE) };
        under_way.spawn(run(cms.clone(), claims.clone(), job, stopped.clone()));
    }
    Ok(IDLE)
}

fn until(cms: &Cms, due: Timestamp) -> Duration {
    cms.now().until(due)
}

/// What panics here is no step: the lease ends, and the job is gone on with.
fn note(ended: Result<(), tokio::task::JoinError>) {
    if let Err(error) = ended {
        tracing::error!(%error, "a worker broke off");
    }
}

/// Does a job until it is over, somebody stops it, or the server stops.
async fn run(cms: Cms, claims: Claims, mut job: StoredJob, stopped: watch::Receiver<bool>) {
    tracing::info!(job = %job.id, kind = job.kind, done = job.done, "a job begins");
    let mut changes = cms.jobs_changed();
    loop {
        if *stopped.borrow() {
            if let Err(error) = claims.release(&job).await {
                tracing::debug!(%error, job = %job.id, "a job could not be given back: others take it when its lease ends");
            }
            return;
        }
        let stepped = tokio::select! {
            stepped = claims.step(job.clone()) => stepped,
            () = lost(&claims, &job, &mut changes) => Ok(Stepped::Lost),
        };
        match stepped {
            Ok(Stepped::On(next)) => job = *next,
            Ok(Stepped::Over) => {
                tracing::info!(job = %job.id, kind = job.kind, "a job is done");
                return;
            }
            Ok(Stepped::Lost) => {
                tracing::info!(job = %job.id, kind = job.kind, "a job was stopped, or taken over");
                return;
            }
            Err(error) => {
                tracing::warn!(job = %job.id, %error, cause = error.private().map(tracing::field::debug), "a step of a job failed");
                if let Err(error) = claims.failed(&job, &error).await {
                    tracing::warn!(job = %job.id, %error, "that a job failed could not be noted: it is tried again when its lease ends");
                }
                return;
            }
        }
    }
}

/// Ends when a job is this server's no longer: it was stopped, or its lease ended while the database did not answer. Until then it says again and
/// again that somebody is at it.
async fn lost(claims: &Claims, job: &StoredJob, changes: &mut watch::Receiver<u64>) {
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            () = sleep(RENEWED) => {}
            () = sleep_until(heard + LEASE) => return,
            _ = changes.changed() => {}
        }
        match claims.renew(job).await {
            Ok(true) => heard = Instant::now(),
            Ok(false) => return,
            Err(error) => tracing::debug!(%error, job = %job.id, "a lease could not be renewed"),
        }
    }
}

/// Does the jobs that are due, until none is left.
#[cfg(any(test, feature = "testing"))]
pub(crate) async fn exhaust(cms: &Cms) -> Result<(), Error> {
    let claims = Claims::new(cms.clone(), "alone".to_owned());
    let (_running, stopped) = watch::channel(false);
    while let Some(job) = claims.claim().await? {
        run(cms.clone(), claims.clone(), job, stopped.clone()).await;
    }
    Ok(())
}
