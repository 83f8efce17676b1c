//! Whether this server can work: its database answers, no newer program took away what this one needs, and nobody asked it to stop.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::Duration,
};

use cms_storage::SchemaState;
use tokio::{sync::Mutex, time::Instant};

use crate::{Cms, Code, Error};

/// For how long an answer of the database is one: anybody may ask, as often as they like, and who looks how this server is doing needs the same connections.
const ASKED_EVERY: Duration = Duration::from_millis(250);

/// What is known of it.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// The migration that programs must know to work on the database, as it was last seen.
    min_program: AtomicU32,
    /// Whether it was asked to stop.
    leaves: AtomicBool,
    /// When the database was asked last, and what keeps this server from working, if anything.
    asked: Mutex<Option<(Instant, Option<String>)>>,
}

impl Cms {
    /// Is not ready for further requests from now on, and answers those that come all the same: the server is about to stop.
    pub fn leave(&self) {
        self.standing().leaves.store(true, Ordering::Release);
    }

    /// Refuses when the server is about to stop, the database does not answer, or its tables are not what this program needs. Says what
    /// to do.
    pub async fn must_be_ready(&self) -> Result<(), Error> {
        if self.standing().leaves.load(Ordering::Acquire) {
            return Err(Error::with(Code::Busy, "the server is about to stop: ask another one"));
        }
        // Whoever comes while it is being asked waits for that answer.
        let mut asked = self.standing().asked.lock().await;
        if asked.as_ref().is_none_or(|(at, _)| at.elapsed() >= ASKED_EVERY) {
            *asked = Some((Instant::now(), self.problem_of_the_database().await));
        }
        match asked.as_ref().and_then(|(_, problem)| problem.clone()) {
            None => Ok(()),
            Some(problem) => Err(Error::with(Code::Busy, problem)),
        }
    }

    async fn problem_of_the_database(&self) -> Option<String> {
        match self.store().on_watch().schema_state().await {
            Ok(SchemaState::Ready) => None,
            Ok(state) => Some(state.to_string()),
            Err(error) => {
                tracing::warn!(%error, "the database does not answer");
                Some("the database does not answer".to_owned())
            }
        }
    }

    /// Notes the migration that programs must know, as [`cms_storage::Store::min_program`] tells. Once this program does not know it, every
    /// request is refused.
    pub fn note_min_program(&self, number: u32) {
        let before = self.standing().min_program.swap(number, Ordering::AcqRel);
        if number != before
            && let Some(outdated) = SchemaState::outdated(number)
        {
            tracing::error!("every request is refused from now on: {outdated}");
        }
    }

    /// Refuses when a newer program took away what this one needs: what it read would be wrong, and so would what it wrote.
    pub(crate) fn must_be_current(&self) -> Result<(), Error> {
        match SchemaState::outdated(self.standing().min_program.load(Ordering::Acquire)) {
            Some(outdated) => Err(Error::with(Code::Busy, outdated.to_string())),
            None => Ok(()),
        }
    }
}
