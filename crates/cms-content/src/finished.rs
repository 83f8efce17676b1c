//! Finished bytes of things that lists are made of: a page that must be made again is put together from those that are still as they were.

use std::sync::Arc;

use cms_domain::access::Visibility;
use quick_cache::{Weighter, sync::Cache};
use serde_json::value::RawValue;

/// What a thing takes besides its bytes.
const OVERHEAD: u64 = 128;
/// A guess, to size the table: most entries are a few paragraphs.
const USUAL_SIZE: u64 = 2 * 1024;

/// A thing in the state in which it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    /// Names the thing and its state.
    pub(crate) state: u128,
    /// Names what says how it is shown.
    pub(crate) shown_by: u128,
    /// To whom it is shown. Not a part of a name: no reader is to find another name for what editors see.
    pub(crate) shown_to: Visibility,
}

/// Things as they are shown, by what they are.
#[derive(Debug)]
pub(crate) struct Finished(Option<Cache<Piece, Arc<RawValue>, Weight>>);

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<Piece, Arc<RawValue>> for Weight {
    fn weight(&self, _: &Piece, bytes: &Arc<RawValue>) -> u64 {
        u64::try_from(bytes.get().len()).unwrap_or(u64::MAX).saturating_add(OVERHEAD)
    }
}

impl Finished {
    /// Keeps at most so many bytes; none at all if it is 0.
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
        Self((bytes > 0).then(|| Cache::with_weighter(items, bytes, Weight)))
    }

    /// Whether it keeps anything.
    pub(crate) fn keeps(&self) -> bool {
        self.0.is_some()
    }

    /// The bytes of a thing, if they are known.
    pub(crate) fn get(&self, piece: &Piece) -> Option<Arc<RawValue>> {
        self.0.as_ref()?.get(piece)
    }

    /// Keeps the bytes of a thing.
    pub(crate) fn put(&self, piece: Piece, bytes: &Arc<RawValue>) {
        if let Some(cache) = &self.0 {
            cache.insert(piece, Arc::clone(bytes));
        }
    }

    /// Forgets everything, for when versions may count something else than they did.
    pub(crate) fn forget(&self) {
        if let Some(cache) = &self.0 {
            cache.clear();
        }
    }
}
