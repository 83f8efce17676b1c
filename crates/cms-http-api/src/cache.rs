//! Keeps the finished bytes of answers to readers of published content, until what they show changes. Each is made once, however many ask for it
//! meanwhile.

use std::{sync::Arc, time::Duration};

use cms_frame::{Error, Shown, Watch};
use quick_cache::{
    DefaultHashBuilder, Weighter,
    sync::{Cache, DefaultLifecycle, EntryAction, EntryResult, PlaceholderGuard},
};

use crate::reply::Finished;

/// What an answer takes besides its bytes and its address.
const OVERHEAD: usize = 256;
/// What each topic takes that an answer is made of: its name and its counter, if nobody else watches it.
const TOPIC: usize = 192;
/// A guess, to size the table: most answers are one entry or a list of fifty.
const USUAL_SIZE: u64 = 8 * 1024;

/// Answers by the path and query they were asked with.
#[derive(Debug)]
pub(crate) struct Answers(Option<Cache<String, Arc<Kept>, Weight>>);

/// How an answer that many may have came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// It was kept, and nothing that it shows has changed.
    Kept,
    /// Somebody else was making it.
    Awaited,
    /// It was kept, and found to show what it would show if it were made again.
    Confirmed,
    /// It was made.
    Made,
}

impl Origin {
    /// As measurements name it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Awaited => "awaited",
            Self::Confirmed => "confirmed",
            Self::Made => "made",
        }
    }
}

#[derive(Debug)]
struct Kept {
    /// The revision of the catalog by which it was made: another operation may have the address now.
    revision: u64,
    watch: Watch,
    signature: Option<u128>,
    outcome: Result<Finished, Error>,
}

#[derive(Debug, Clone)]
struct Weight;

impl Weighter<String, Arc<Kept>> for Weight {
    fn weight(&self, address: &String, kept: &Arc<Kept>) -> u64 {
        let bytes = kept.outcome.as_ref().map_or(0, |finished| finished.bytes.len());
        u64::try_from(address.len() + bytes + OVERHEAD + kept.watch.topics() * TOPIC).unwrap_or(u64::MAX)
    }
}

/// What somebody who asks for an answer gets.
pub(crate) enum Place<'a> {
    /// The answer that another was making, or why there is none.
    Awaited(Result<Finished, Error>),
    /// The task to make it.
    Maker(Maker<'a>),
}

/// Makes an answer, for others as well who wait for it. When it is dropped, the next of them does.
pub(crate) struct Maker<'a> {
    revision: u64,
    seat: Option<Seat<'a>>,
    /// What was kept, until something that it shows may have changed.
    before: Option<Arc<Kept>>,
}

struct Seat<'a> {
    cache: &'a Cache<String, Arc<Kept>, Weight>,
    address: &'a str,
    guard: PlaceholderGuard<'a, String, Arc<Kept>, Weight, DefaultHashBuilder, DefaultLifecycle<String, Arc<Kept>>>,
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
        if kept.is_good(revision) { kept.outcome.as_ref().ok().cloned() } else { None }
    }

    /// The answer to an address as soon as another has made it; or the task to make it, if nobody has. `arrival` is a watch from when it was asked
    /// for.
    pub(crate) async fn place<'a>(&'a self, address: &'a str, revision: u64, arrival: &Watch) -> Place<'a> {
        let maker = |seat, before| Place::Maker(Maker { revision, seat, before });
        // Who does not hear what others do can share nothing: nobody knows what is still so.
        let Some(cache) = self.0.as_ref().filter(|_| arrival.is_untouched()) else { return maker(None, None) };
        loop {
            let judge = |_: &String, kept: &mut Arc<Kept>| {
                if kept.is_good(revision) { EntryAction::Retain(Arc::clone(kept)) } else { EntryAction::ReplaceWithGuard }
            };
            let seat = |guard| Some(Seat { cache, address, guard });
            match cache.entry(address, Some(Duration::ZERO), judge) {
                EntryResult::Retained(kept) => return Place::Awaited(kept.told()),
                // What another operation said at this address confirms nothing, however it is named.
                EntryResult::Replaced(guard, before) => return maker(seat(guard), Some(before).filter(|kept| kept.revision == revision)),
                EntryResult::Vacant(guard) => return maker(seat(guard), None),
                EntryResult::Removed(..) | EntryResult::Timeout => {}
            }
            match cache.get_value_or_guard_async(address).await {
                // It may have changed since; but it was so when, or after, it was asked for.
                Ok(kept) if kept.revision == revision && (kept.watch.began_with(arrival) || kept.is_good(revision)) => {
                    return Place::Awaited(kept.told());
                }
                Ok(_) => {}
                // Who was making it went away.
                Err(guard) => return maker(seat(guard), None),
            }
        }
    }
}

impl Kept {
    /// Whether it is what would be answered now.
    fn is_good(&self, revision: u64) -> bool {
        self.revision == revision && self.outcome.is_ok() && self.watch.has_topics() && self.watch.is_current()
    }

    fn told(&self) -> Result<Finished, Error> {
        self.outcome.as_ref().map_err(Error::told).cloned()
    }
}

impl Maker<'_> {
    /// The name of what was kept, if it has one.
    pub(crate) fn signature(&self) -> Option<u128> {
        self.before.as_ref()?.signature
    }

    /// Gives the answer to those who wait for it, and keeps it if it says of what it is made. Without one, what was kept is the answer: it shows the
    /// same. `began` is a watch from before anything was read.
    pub(crate) fn made(self, anew: Option<Finished>, shown: Shown, began: Watch) -> Result<(Finished, Origin), Error> {
        let before = self.before.as_ref().and_then(|kept| kept.outcome.as_ref().ok().cloned());
        let (finished, origin) = match (anew, before) {
            (Some(anew), _) => (anew, Origin::Made),
            (None, Some(before)) => (before, Origin::Confirmed),
            (None, None) => return Err(Error::internal("an answer is confirmed that was not kept")),
        };
        let Shown { watch, signature } = shown;
        self.settle(Ok(finished.clone()), watch.unwrap_or(began), signature);
        Ok((finished, origin))
    }

    /// Tells those who wait for the answer why there is none. `began` is a watch from before anything was read.
    pub(crate) fn failed(self, error: &Error, began: Watch) {
        self.settle(Err(error.told()), began, None);
    }

    fn settle(self, outcome: Result<Finished, Error>, watch: Watch, signature: Option<u128>) {
        let Some(Seat { cache, address, guard }) = self.seat else { return };
        let stays = outcome.is_ok() && watch.has_topics();
        let kept = Arc::new(Kept { revision: self.revision, watch, signature, outcome });
        // It is refused where another one was put there meanwhile; those who wait have it all the same.
        if guard.insert(Arc::clone(&kept)).is_ok() && !stays {
            cache.remove_if(address, |there| Arc::ptr_eq(there, &kept));
        }
    }
}
