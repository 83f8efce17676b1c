//! Keeps the finished bytes of answers to readers of published content, until what they show changes.

use cms_core::Watch;
use quick_cache::{Weighter, sync::Cache};

use crate::reply::Finished;

/// What an answer takes besides its bytes and its address.
const OVERHEAD: usize = 256;
/// A guess, to size the table: most answers are one entry or a list of fifty.
const USUAL_SIZE: u64 = 8 * 1024;

/// Answers by the path and query they were asked with.
#[derive(Debug)]
pub(crate) struct Answers(Option<Cache<Box<str>, Kept, Weight>>);

#[derive(Clone)]
struct Kept {
    /// The revision of the catalog by which it was made: another operation may have the address now.
    revision: u64,
    watch: Watch,
    finished: Finished,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Box<str>, Kept> for Weight {
    fn weight(&self, address: &Box<str>, kept: &Kept) -> u64 {
        u64::try_from(address.len() + kept.finished.bytes.len() + OVERHEAD).unwrap_or(u64::MAX)
    }
}

impl Answers {
    /// Keeps at most so many bytes; none at all if it is 0.
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
        Self((bytes > 0).then(|| Cache::with_weighter(items, bytes, Weight)))
    }

    /// The answer to an address, if nothing has changed since it was made, the operations of the system neither.
    pub(crate) fn get(&self, address: &str, revision: u64) -> Option<Finished> {
        let kept = self.0.as_ref()?.get(address)?;
        (kept.revision == revision && kept.watch.is_current()).then_some(kept.finished)
    }

    /// Keeps an answer. The watch began before what the answer shows was read.
    pub(crate) fn put(&self, address: &str, revision: u64, watch: Watch, finished: Finished) {
        if let Some(cache) = &self.0 {
            cache.insert(address.into(), Kept { revision, watch, finished });
        }
    }
}
