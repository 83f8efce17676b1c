//! What is known of each entry: what was acknowledged, since when, and what is under way.

use std::{
    sync::{Arc, Mutex, PoisonError, RwLock},
    time::{Duration, Instant},
};

use super::{
    lock,
    story::{Place, Shelf, Stand, Step},
};

/// An entry that somebody writes.
#[derive(Debug)]
pub(super) struct Known {
    /// Tells it apart from all others; stored with it.
    pub(super) key: usize,
    pub(super) shelf: Shelf,
    facts: Mutex<Facts>,
}

/// What is known of an entry, as far as anything is.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    /// Its id, once somebody was told it.
    pub(super) id: Option<String>,
    /// Where it stands, as far as that was acknowledged.
    pub(super) stand: Stand,
    /// The token of that state.
    pub(super) rev: Option<String>,
    /// Since when it stands there: the moment of the acknowledgement.
    pub(super) since: Instant,
    /// Where it will stand, or stands already, if what is under way succeeds or succeeded. What nobody answered is under way for ever.
    pub(super) under_way: Option<Stand>,
}

impl Known {
    pub(super) fn slug(&self) -> Option<String> {
        (self.shelf == Shelf::Articles).then(|| format!("article-{}", self.key))
    }

    /// What is known now.
    pub(super) fn facts(&self) -> Facts {
        lock(&self.facts).clone()
    }

    /// What is certain, if anything is: nothing is under way, and nothing will happen by itself.
    pub(super) fn certain(&self) -> Option<Facts> {
        Some(self.facts()).filter(|facts| facts.under_way.is_none() && facts.stand.place != Place::Scheduled)
    }

    /// Notes that a step is taken, and says where the entry will stand if it succeeds.
    pub(super) fn begin(&self, step: Step, counter: u64) -> Stand {
        let mut facts = lock(&self.facts);
        let after = facts.stand.after(step, counter);
        facts.under_way = Some(after);
        after
    }

    /// Notes that the step was refused: nothing happened.
    pub(super) fn refused(&self) {
        lock(&self.facts).under_way = None;
    }

    /// Notes where the entry stands now, as it was acknowledged.
    pub(super) fn acknowledged(&self, stand: Stand, id: Option<&str>, rev: Option<&str>) {
        let mut facts = lock(&self.facts);
        let id = id.map(str::to_owned).or(facts.id.take());
        *facts = Facts { id, stand, rev: rev.map(str::to_owned), since: Instant::now(), under_way: None };
    }
}

impl Facts {
    /// Whether this was so for long enough before a moment that every server must know.
    pub(super) fn must_be_known(&self, at: Instant, within: Duration) -> bool {
        at.checked_duration_since(self.since).is_some_and(|age| age >= within)
    }

    /// Everywhere the entry may stand when nobody writes any more.
    pub(super) fn possible(&self) -> Vec<Stand> {
        let stands = [Some(self.stand), self.under_way].into_iter().flatten();
        // What is planned may have happened.
        stands.flat_map(|stand| [Some(stand), (stand.place == Place::Scheduled).then(|| stand.after(Step::Publish, 0))]).flatten().collect()
    }
}

/// Every entry that anybody wrote in stories, by its key.
#[derive(Debug, Default)]
pub(super) struct Library(RwLock<Vec<Arc<Known>>>);

impl Library {
    /// A new entry, of which nothing is known.
    pub(super) fn add(&self, shelf: Shelf) -> Arc<Known> {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let facts = Facts { id: None, stand: Stand::NEW, rev: None, since: Instant::now(), under_way: None };
        let known = Arc::new(Known { key: all.len(), shelf, facts: Mutex::new(facts) });
        all.push(Arc::clone(&known));
        known
    }

    pub(super) fn get(&self, key: u64) -> Option<Arc<Known>> {
        self.all().get(usize::try_from(key).ok()?).cloned()
    }

    pub(super) fn all(&self) -> std::sync::RwLockReadGuard<'_, Vec<Arc<Known>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}
