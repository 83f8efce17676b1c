//! What is done after an answer was given: counted, so that a server that stops can let it end.

use tokio::sync::watch;
use tracing::Instrument;

use crate::Cms;

/// The most that is under way at once. Every use is limited by how often people may ask; this bounds the memory when very many do.
const MOST: usize = 1000;

/// Counts what is under way.
pub(crate) struct Background(watch::Sender<usize>);

impl Default for Background {
    fn default() -> Self {
        Self(watch::Sender::new(0))
    }
}

/// A place among what is under way.
struct Place(watch::Sender<usize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.send_modify(|under_way| *under_way -= 1);
    }
}

impl Background {
    fn place(&self) -> Option<Place> {
        let taken = self.0.send_if_modified(|under_way| {
            let free = *under_way < MOST;
            *under_way += usize::from(free);
            free
        });
        taken.then(|| Place(self.0.clone()))
    }
}

impl Cms {
    /// Does something after the answer. Log lines of it carry the id of the request.
    pub fn in_background(&self, work: impl Future<Output = ()> + Send + 'static) {
        let Some(place) = self.background().place() else {
            tracing::error!("too much is done in the background: something was left out");
            return;
        };
        tokio::spawn(
            async move {
                work.await;
                drop(place);
            }
            .in_current_span(),
        );
    }

    /// Ends when nothing is under way that was left for after an answer: letters, above all.
    pub async fn finish_background(&self) {
        // An error means that the count is gone, and it is as old as the system.
        let _ = self.background().0.subscribe().wait_for(|under_way| *under_way == 0).await;
    }
}
