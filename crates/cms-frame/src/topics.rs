//! What answers are made of, and which of it has changed: who keeps an answer knows until when.
//!
//! An operation whose answers are kept says what each is made of, before it reads it: [`crate::Cx::shows`]. An event says what it touches. A kept
//! answer is good until one of its topics moved, here or on another node.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

use cms_domain::{
    event::Event,
    id::{CollectionId, EntryId, GroupId},
    slug::EntrySlug,
};

use crate::following::Following;

/// Counters of topics that nobody watches any more are cleared away when there are twice as many as after the last time, and not before there
/// are so many: looking through them takes a fraction of a millisecond.
const FEW: usize = 4096;

/// Something that answers are made of. What counts is what the public sees of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    /// A collection and its fields.
    Schema(CollectionId),
    /// Any entries of a collection: which there are, in which order, and what they show.
    Entries(CollectionId),
    /// One entry.
    Entry(EntryId),
    /// The entries of a collection that have a slug, in whatever locale.
    Slug(CollectionId, EntrySlug),
    /// The entries that are translations of each other.
    Group(GroupId),
    /// Any things of a sort: which there are, and what they show.
    Things(Box<str>),
    /// One thing of a sort.
    Thing(Box<str>, Box<str>),
    /// What a host or a plugin tells of with the events of this name.
    Custom(Box<str>),
}

/// A sort of topics. What an operation's answers are made of is stated with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// [`Topic::Schema`].
    Schema,
    /// [`Topic::Entries`].
    Entries,
    /// [`Topic::Entry`].
    Entry,
    /// [`Topic::Slug`].
    Slug,
    /// [`Topic::Group`].
    Group,
    /// [`Topic::Things`].
    Things,
    /// [`Topic::Thing`].
    Thing,
    /// [`Topic::Custom`].
    Custom,
}

impl Topic {
    /// What sort of topic it is.
    pub const fn subject(&self) -> Subject {
        match self {
            Self::Schema(_) => Subject::Schema,
            Self::Entries(_) => Subject::Entries,
            Self::Entry(_) => Subject::Entry,
            Self::Slug(..) => Subject::Slug,
            Self::Group(_) => Subject::Group,
            Self::Things(_) => Subject::Things,
            Self::Thing(..) => Subject::Thing,
            Self::Custom(_) => Subject::Custom,
        }
    }
}

/// What an event touches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Touched {
    /// These, and nothing else.
    Topics(Vec<Topic>),
    /// Who can know.
    Everything,
}

impl Touched {
    /// What an event touches.
    pub(crate) fn by(event: &Event) -> Self {
        Self::Topics(match event {
            Event::Entry { collection, entry, public: true, group: Some(group), slugs, .. } => {
                let slugs = slugs.iter().map(|slug| Topic::Slug(*collection, slug.clone()));
                [Topic::Entry(*entry), Topic::Entries(*collection), Topic::Group(*group)].into_iter().chain(slugs).collect()
            }
            // A program of before told it, which does not say by which slugs the entry is found.
            Event::Entry { public: true, group: None, .. } => return Self::Everything,
            Event::Schema { collection } => vec![Topic::Schema(*collection)],
            Event::Thing { sort, id } => {
                vec![Topic::Things(sort.as_str().into()), Topic::Thing(sort.as_str().into(), id.as_str().into())]
            }
            Event::Custom { name, .. } => vec![Topic::Custom(name.as_str().into())],
            Event::Entry { public: false, .. }
            | Event::User { .. }
            | Event::Token { .. }
            | Event::Application { .. }
            | Event::SignedOut { .. }
            | Event::Job { .. } => Vec::new(),
        })
    }
}

/// How often each topic that somebody watches has moved.
#[derive(Debug)]
pub(crate) struct Topics {
    following: Arc<Following>,
    /// How often anything moved.
    moves: AtomicU64,
    /// How often everything did.
    everything: AtomicU64,
    counters: RwLock<Counters>,
}

#[derive(Debug, Default)]
struct Counters {
    by_topic: HashMap<Topic, Weak<AtomicU64>>,
    /// How many there may be before those that nobody watches are cleared away.
    many: usize,
}

impl Topics {
    pub(crate) fn new(following: Arc<Following>) -> Self {
        let counters = Counters { by_topic: HashMap::new(), many: FEW };
        Self { following, moves: AtomicU64::new(0), everything: AtomicU64::new(0), counters: RwLock::new(counters) }
    }

    /// Begins to watch: nothing yet, besides whether everything moved.
    pub(crate) fn watch(self: &Arc<Self>) -> Watch {
        let (moves, everything) = (self.moves.load(Ordering::Acquire), self.everything.load(Ordering::Acquire));
        Watch { topics: Arc::clone(self), moves, everything, watched: Vec::new() }
    }

    /// Outdates what is made of what an event touches.
    pub(crate) fn follow(&self, event: &Event) {
        match Touched::by(event) {
            Touched::Everything => self.move_everything(),
            Touched::Topics(topics) => {
                let counters = self.counters.read().unwrap_or_else(PoisonError::into_inner);
                for counter in topics.iter().filter_map(|topic| counters.by_topic.get(topic)?.upgrade()) {
                    counter.fetch_add(1, Ordering::AcqRel);
                }
                drop(counters);
                if !topics.is_empty() {
                    self.moves.fetch_add(1, Ordering::AcqRel);
                }
            }
        }
    }

    /// Outdates everything.
    pub(crate) fn move_everything(&self) {
        self.everything.fetch_add(1, Ordering::AcqRel);
        self.moves.fetch_add(1, Ordering::AcqRel);
    }

    fn counter(&self, topic: Topic) -> Arc<AtomicU64> {
        let known = |counters: &Counters| counters.by_topic.get(&topic)?.upgrade();
        if let Some(counter) = known(&self.counters.read().unwrap_or_else(PoisonError::into_inner)) {
            return counter;
        }
        let mut counters = self.counters.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = known(&counters) {
            return counter;
        }
        if counters.by_topic.len() >= counters.many {
            counters.by_topic.retain(|_, counter| counter.strong_count() > 0);
            counters.many = (counters.by_topic.len() * 2).max(FEW);
        }
        let counter = Arc::new(AtomicU64::new(0));
        counters.by_topic.insert(topic, Arc::downgrade(&counter));
        counter
    }
}

/// Tells whether something has changed since before it was read.
#[derive(Debug, Clone)]
pub struct Watch {
    topics: Arc<Topics>,
    moves: u64,
    everything: u64,
    watched: Vec<(Arc<AtomicU64>, u64)>,
}

impl Watch {
    /// Watches a topic from now on. What is to be kept is read afterwards.
    pub fn on(&mut self, topic: Topic) {
        let counter = self.topics.counter(topic);
        let seen = counter.load(Ordering::Acquire);
        self.watched.push((counter, seen));
    }

    /// How many topics it watches.
    pub fn topics(&self) -> usize {
        self.watched.len()
    }

    /// Whether it watches a topic at all: of an answer that is made of nothing, nobody knows how long it is good.
    pub fn has_topics(&self) -> bool {
        !self.watched.is_empty()
    }

    /// Whether nothing that is watched has changed, as far as this process can know.
    pub fn is_current(&self) -> bool {
        self.watched.iter().all(|(counter, seen)| counter.load(Ordering::Acquire) == *seen)
            && self.topics.everything.load(Ordering::Acquire) == self.everything
            && self.topics.following.is_current()
    }

    /// Whether nothing at all changed between the beginnings of two watches, as far as this process can know: what was read behind one of them is true
    /// behind the other, too.
    pub fn began_with(&self, other: &Self) -> bool {
        self.moves == other.moves
    }

    /// Whether nothing at all has changed, watched or not, as far as this process can know.
    pub fn is_untouched(&self) -> bool {
        self.topics.moves.load(Ordering::Acquire) == self.moves && self.topics.following.is_current()
    }
}

#[cfg(test)]
mod tests {
    use cms_domain::event::EntryAction;
    use serde_json::json;

    use super::*;

    fn published(n: u128, slug: &str) -> Event {
        Event::Entry {
            collection: CollectionId::from_parts(1, 1),
            entry: EntryId::from_parts(1, n),
            action: EntryAction::Published,
            public: true,
            group: Some(GroupId::from_parts(1, n)),
            slugs: vec![slug.parse().unwrap()],
        }
    }

    fn watch(topics: &Arc<Topics>, topic: Topic) -> Watch {
        let mut watch = topics.watch();
        watch.on(topic);
        watch
    }

    #[test]
    fn an_event_outdates_what_it_touches_and_nothing_else() {
        let topics = Arc::new(Topics::new(Arc::default()));
        let collection = CollectionId::from_parts(1, 1);
        let slug = |slug: &str| Topic::Slug(collection, slug.parse().unwrap());
        let touched =
            [Topic::Entry(EntryId::from_parts(1, 1)), Topic::Entries(collection), Topic::Group(GroupId::from_parts(1, 1)), slug("a")];
        let others = [
            Topic::Entry(EntryId::from_parts(1, 2)),
            Topic::Entries(CollectionId::from_parts(1, 2)),
            Topic::Group(GroupId::from_parts(1, 2)),
            slug("b"),
            Topic::Schema(collection),
            Topic::Custom("shop:sold".into()),
        ];
        let watches = |topics_: &[Topic]| topics_.iter().map(|topic| watch(&topics, topic.clone())).collect::<Vec<_>>();
        let (touched, others) = (watches(&touched), watches(&others));
        topics.follow(&published(1, "a"));
        assert!(touched.iter().all(|watch| !watch.is_current()));
        assert!(others.iter().all(Watch::is_current));
        assert!(others.iter().all(|watch| !watch.is_untouched()));
        topics.follow(&Event::Custom { name: "shop:sold".to_owned(), details: json!({}) });
        assert_eq!(others.iter().filter(|watch| !watch.is_current()).count(), 1);
        topics.move_everything();
        assert!(others.iter().all(|watch| !watch.is_current()));
    }

    #[test]
    fn an_event_that_does_not_say_where_the_public_finds_the_entry_outdates_everything() {
        let topics = Arc::new(Topics::new(Arc::default()));
        let watch = watch(&topics, Topic::Custom("shop:sold".into()));
        let (collection, entry) = (CollectionId::from_parts(1, 1), EntryId::from_parts(1, 1));
        let old = json!({ "event": "entry", "collection": collection, "entry": entry, "action": "published", "public": true });
        topics.follow(&serde_json::from_value(old.clone()).unwrap());
        assert!(!watch.is_current());
        let unseen = {
            let mut old = old;
            old["public"] = json!(false);
            serde_json::from_value::<Event>(old).unwrap()
        };
        assert_eq!(Touched::by(&unseen), Touched::Topics(Vec::new()));
    }

    #[test]
    fn a_thing_that_changes_moves_itself_and_the_things_of_its_sort_alone() {
        let topics = Arc::new(Topics::new(Arc::default()));
        let one = |sort: &str, id: &str| watch(&topics, Topic::Thing(sort.into(), id.into()));
        let [same, other, foreign] = [one("menu", "main"), one("menu", "foot"), one("byline", "main")];
        let [menus, bylines] = ["menu", "byline"].map(|sort| watch(&topics, Topic::Things(sort.into())));
        topics.follow(&Event::of_thing("menu", "main"));
        let current = [same, other, foreign, menus, bylines].map(|watch| watch.is_current());
        assert_eq!(current, [false, true, true, false, true]);
    }

    #[test]
    fn counters_that_nobody_watches_are_cleared_away() {
        let topics = Arc::new(Topics::new(Arc::default()));
        let kept = watch(&topics, Topic::Entry(EntryId::from_parts(1, 0)));
        for n in 1..=3 * FEW as u128 {
            drop(watch(&topics, Topic::Entry(EntryId::from_parts(1, n))));
        }
        assert!(topics.counters.read().unwrap().by_topic.len() <= FEW);
        topics.follow(&published(0, "a"));
        assert!(!kept.is_current(), "what is watched stays");
    }
}
