//! Turns: who changes an entry does so from what they read of it, so that those of one process wait for each other rather than overtake each
//! other. Between processes the version of the entry decides.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use cms_domain::id::EntryId;
use cms_frame::Error;
use tokio::{
    sync::{Mutex as Queue, OwnedMutexGuard},
    time::timeout,
};

/// How long to wait for a turn before a caller is told to come again: as long as work gives way to others in the database.
const PATIENCE: Duration = Duration::from_secs(3);
/// From how many entries on those are forgotten that nobody changes any more.
const MANY: usize = 1024;

/// Who waits for whom.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashMap<EntryId, Weak<Queue<()>>>>);

/// A turn to change an entry.
pub(crate) struct Turn {
    /// Ends it when it is dropped.
    pub(crate) guard: OwnedMutexGuard<()>,
    /// Whether somebody else had theirs before, and may have changed the entry.
    pub(crate) waited: bool,
}

impl Turns {
    /// Waits for the caller's turn to change an entry.
    pub(crate) async fn take(&self, entry: EntryId) -> Result<Turn, Error> {
        let queue = self.queue(entry);
        if let Ok(guard) = Arc::clone(&queue).try_lock_owned() {
            return Ok(Turn { guard, waited: false });
        }
        let guard = timeout(PATIENCE, queue.lock_owned()).await.map_err(|_| cms_storage::Error::Waited)?;
        Ok(Turn { guard, waited: true })
    }

    fn queue(&self, entry: EntryId) -> Arc<Queue<()>> {
        let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get(&entry).and_then(Weak::upgrade) {
            return queue;
        }
        if queues.len() >= MANY {
            queues.retain(|_, queue| queue.strong_count() > 0);
        }
        let queue = Arc::default();
        queues.insert(entry, Arc::downgrade(&queue));
        queue
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::task::Poll;

    use super::*;

    fn entry(n: u64) -> EntryId {
        EntryId::from_parts(0, n.into())
    }

    #[tokio::test]
    async fn one_changes_an_entry_at_a_time_and_whoever_waited_knows() {
        let turns = Turns::default();
        let first = turns.take(entry(1)).await.unwrap();
        assert!(!first.waited);
        assert!(!turns.take(entry(2)).await.unwrap().waited, "another entry is another matter");
        let mut second = Box::pin(turns.take(entry(1)));
        assert!(poll_fn(|cx| Poll::Ready(second.as_mut().poll(cx).is_pending())).await);
        drop(first);
        assert!(second.await.unwrap().waited);
        assert!(!turns.take(entry(1)).await.unwrap().waited);
    }

    #[tokio::test]
    async fn entries_that_nobody_changes_are_forgotten() {
        let turns = Turns::default();
        let kept = turns.take(entry(0)).await.unwrap();
        for n in 1..3000 {
            turns.take(entry(n)).await.unwrap();
        }
        assert!(turns.0.lock().unwrap().len() <= MANY);
        let mut waiting = Box::pin(turns.take(entry(0)));
        assert!(poll_fn(|cx| Poll::Ready(waiting.as_mut().poll(cx).is_pending())).await, "but not those that somebody does");
        drop(kept);
        waiting.await.unwrap();
    }
}
