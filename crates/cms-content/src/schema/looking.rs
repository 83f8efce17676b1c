//! Looking at every entry of a collection before a change of its fields, while others write: only what they wrote last is looked at while they wait.
//!
//! Entries are looked at page by page, with nothing held. What others write meanwhile is heard of from the outbox, and looked at again, until it is little. Then the
//! collection is held, the rest is looked at, and the change is decided by what is there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use cms_domain::{
    entry::Entry,
    event::{EntryAction, Event},
    id::{CollectionId, EntryId, GroupId},
};
use cms_frame::{Code, Cx, Error};
use cms_storage::{Reader, Seen};
use tokio::task::yield_now;

use super::{
    question::{Question, Said},
    values::{EXAMPLES, Misfit, missing, refuse},
};

/// How many entries are read at a time: a few megabytes at most sites.
const PAGE: usize = 200;
/// How many events are heard of at a time. While a page is read, not nearly so many happen; where more do, everything is looked at again.
const HEARD: usize = 20_000;
/// How many entries may be left to look at when the collection is about to be held, each with its translations: so many take some hundredths of a second. While
/// its turn is waited for, some more come.
const FEW: usize = 100;
/// How many entries may be looked at while the collection is held: a tenth of a second on a small machine. Where more have come, it is given up again.
const MOST_HELD: usize = 500;
/// How often what others wrote meanwhile is looked at. Each time takes as much less as looking is faster than writing, so that it is long over where it is faster
/// at all.
const ROUNDS: usize = 20;

/// Entries that are looked at for some changes of fields.
pub(super) struct Looking {
    looks: BTreeMap<CollectionId, Look>,
    /// What was heard of.
    seen: Option<Seen>,
    rounds: usize,
    /// Whether a refusal says which field it is about.
    names_fields: bool,
}

/// What is looked for in a collection.
#[derive(Default)]
struct Look {
    questions: Vec<Asked>,
    /// What was written since it was looked at, by translation groups.
    written: BTreeSet<GroupId>,
}

/// A question, and what was found.
struct Asked {
    question: Question,
    /// What the change is called in a plan.
    name: String,
    /// Entries whose values would not stay as they are, each with its group and the reason.
    unfit: BTreeMap<EntryId, (GroupId, String)>,
    /// Entries that would refer to one that is not there.
    dangling: BTreeMap<EntryId, (GroupId, EntryId)>,
    /// The groups that would refer to an entry.
    referrers: HashMap<EntryId, Vec<GroupId>>,
    /// Entries that have another value than a translation.
    unlike: BTreeMap<EntryId, GroupId>,
    /// What the entries of a group have.
    said: HashMap<GroupId, Said>,
}

impl Looking {
    /// Looks for the answers to some questions, those that matter; each has the name that a plan has for the change.
    pub(super) fn new(questions: impl IntoIterator<Item = (String, Question)>, names_fields: bool) -> Self {
        let mut looks: BTreeMap<CollectionId, Look> = BTreeMap::new();
        for (name, question) in questions.into_iter().filter(|(_, question)| question.matters()) {
            looks.entry(question.collection).or_default().questions.push(Asked::new(name, question));
        }
        Self { looks, seen: None, rounds: 0, names_fields }
    }

    /// Looks at everything, and at what others write meanwhile, until that is little. Nothing is held. Refused when the answer is one that refuses the change.
    pub(super) async fn look(&mut self, cx: &Cx<'_>) -> Result<(), Error> {
        cx.before_any_write()?;
        if self.looks.is_empty() {
            return Ok(());
        }
        while self.rounds < ROUNDS {
            self.rounds += 1;
            if self.seen.is_some() {
                self.look_again(cx, false).await?;
            } else {
                self.look_at_all(cx).await?;
            }
            self.hear(cx.read()).await?;
            if self.seen.is_some() {
                self.refuse()?;
                if self.left() <= FEW {
                    return Ok(());
                }
            }
        }
        let message = "entries were written faster than they could be looked at, and nothing was changed: try again when less is written";
        Err(Error::with(Code::Busy, message).because(cms_storage::Error::Stale))
    }

    /// Looks at the last of what others wrote, now that the collections are held: what is decided is how things are. Not done when that is too much to have
    /// others wait for it: then the collections are to be given back, and looked at on.
    pub(super) async fn is_finished(&mut self, cx: &Cx<'_>) -> Result<bool, Error> {
        if self.looks.is_empty() {
            return Ok(true);
        }
        // What is heard of within a transaction that is given up may be heard of again.
        let seen = self.seen.clone();
        self.hear(cx.read()).await?;
        let is_little = self.seen.is_some() && self.left() <= MOST_HELD;
        self.seen = self.seen.as_ref().and(seen);
        if is_little {
            self.look_again(cx, true).await?;
            self.refuse()?;
        }
        Ok(is_little)
    }

    /// Whether whoever could not hold a collection in time goes on with what was found, instead of beginning anew.
    pub(super) fn goes_on(&self, refused: &Error) -> bool {
        refused.code() == Code::Busy && !self.looks.is_empty() && self.rounds < ROUNDS
    }

    /// Whether the entries were looked at for a question, or need not be.
    pub(super) fn knows(&self, question: &Question) -> bool {
        let asked = self.looks.get(&question.collection).map(|look| look.questions.as_slice()).unwrap_or_default();
        !question.matters() || asked.iter().any(|asked| asked.question.is(question))
    }

    fn left(&self) -> usize {
        self.looks.values().map(|look| look.written.len()).sum()
    }

    /// Looks at every entry there is now. Those that come later are heard of.
    async fn look_at_all(&mut self, cx: &Cx<'_>) -> Result<(), Error> {
        let collections: Vec<_> = self.looks.keys().copied().collect();
        for look in self.looks.values_mut() {
            look.written.clear();
            look.questions.iter_mut().for_each(Asked::forget_all);
        }
        self.seen = Some(cx.read().outbox().news(None, 0).await?.seen);
        for collection in collections {
            let Some(until) = cx.read().entries().last_id_of(collection).await? else { continue };
            let mut after = None;
            while after.is_none_or(|after| after < until) {
                let entries = cx.read().entries().by_collection(collection, after, PAGE).await?;
                let Some(last) = entries.last() else { break };
                after = Some(last.id);
                self.look_at(cx, collection, &entries, false).await?;
                self.hear(cx.read()).await?;
                if self.seen.is_none() {
                    return Ok(());
                }
                self.refuse_early()?;
            }
        }
        Ok(())
    }

    /// Looks again at what was written since.
    async fn look_again(&mut self, cx: &Cx<'_>, held: bool) -> Result<(), Error> {
        let written: Vec<_> = self.looks.iter_mut().map(|(collection, look)| (*collection, std::mem::take(&mut look.written))).collect();
        for (collection, groups) in written {
            let groups: Vec<_> = groups.into_iter().collect();
            for group in &groups {
                // A page may have been read since it was heard of.
                self.forget(collection, *group);
            }
            for groups in groups.chunks(PAGE) {
                let ids = cx.read().entries().ids_of_groups(collection, groups).await?;
                for ids in ids.chunks(PAGE) {
                    let entries = cx.read().entries().whole(ids).await?;
                    self.look_at(cx, collection, &entries, held).await?;
                }
            }
        }
        Ok(())
    }

    async fn look_at(&mut self, cx: &Cx<'_>, collection: CollectionId, entries: &[Entry], held: bool) -> Result<(), Error> {
        let Some(look) = self.looks.get_mut(&collection) else { return Ok(()) };
        for asked in &mut look.questions {
            asked.look_at(cx, entries).await?;
        }
        tracing::debug!(%collection, entries = entries.len(), held, "entries were looked at for a change of the model");
        if !held {
            // A page is many documents to read: whoever waits for this thread goes first.
            yield_now().await;
        }
        Ok(())
    }

    /// Hears of what others did, and forgets what was found where they wrote. What cannot be heard of makes everything found so far worthless.
    async fn hear(&mut self, rows: Reader<'_>) -> Result<(), Error> {
        let Some(seen) = &self.seen else { return Ok(()) };
        let news = rows.outbox().news(Some(seen), HEARD).await?;
        self.seen = news.complete.then_some(news.seen);
        for event in news.events {
            match event {
                Event::Entry { collection, entry, action, group, .. } => {
                    match group {
                        Some(group) => self.wrote(collection, group),
                        None if self.looks.contains_key(&collection) => self.seen = None,
                        None => {}
                    }
                    if matches!(action, EntryAction::Trashed | EntryAction::Removed) {
                        self.is_gone(entry);
                    }
                }
                // A collection that is gone takes the entries along that others would refer to.
                Event::Schema { .. }
                    if self.looks.values().flat_map(|look| &look.questions).any(|asked| asked.question.asks_for_targets()) =>
                {
                    self.seen = None;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn wrote(&mut self, collection: CollectionId, group: GroupId) {
        if let Some(look) = self.looks.get_mut(&collection) {
            look.written.insert(group);
            self.forget(collection, group);
        }
    }

    fn forget(&mut self, collection: CollectionId, group: GroupId) {
        let questions = self.looks.get_mut(&collection).into_iter().flat_map(|look| &mut look.questions);
        questions.for_each(|asked| asked.forget(group));
    }

    /// Whatever would refer to an entry that is gone is looked at again.
    fn is_gone(&mut self, entry: EntryId) {
        let of = |(collection, look): (&CollectionId, &Look)| {
            let groups = look.questions.iter().filter_map(|asked| asked.referrers.get(&entry)).flatten();
            groups.map(|group| (*collection, *group)).collect::<Vec<_>>()
        };
        let referring: Vec<_> = self.looks.iter().flat_map(of).collect();
        for (collection, group) in referring {
            self.wrote(collection, group);
        }
    }

    /// Refuses a change that something is in the way of.
    fn refuse(&self) -> Result<(), Error> {
        self.asked().try_for_each(|asked| self.told(asked, asked.refuse()))
    }

    /// Refuses a change that so much is in the way of that nothing more can be told.
    fn refuse_early(&self) -> Result<(), Error> {
        self.asked().filter(|asked| asked.has_examples()).try_for_each(|asked| self.told(asked, asked.refuse()))
    }

    fn asked(&self) -> impl Iterator<Item = &Asked> {
        self.looks.values().flat_map(|look| &look.questions)
    }

    fn told(&self, asked: &Asked, refused: Result<(), Error>) -> Result<(), Error> {
        refused.map_err(|error| {
            let message = if self.names_fields { format!("`{}`: {}", asked.name, error.message()) } else { error.message().to_owned() };
            error.message_is(message)
        })
    }
}

impl Asked {
    fn new(name: String, question: Question) -> Self {
        Self {
            question,
            name,
            unfit: BTreeMap::new(),
            dangling: BTreeMap::new(),
            referrers: HashMap::new(),
            unlike: BTreeMap::new(),
            said: HashMap::new(),
        }
    }

    async fn look_at(&mut self, cx: &Cx<'_>, entries: &[Entry]) -> Result<(), Error> {
        let mut referred = Vec::new();
        for entry in entries {
            let answer = self.question.ask(entry)?;
            if let Some(reason) = answer.in_the_way.filter(|_| self.question.refuses_conversions()) {
                self.unfit.insert(entry.id, (entry.group, reason));
            }
            for said in answer.says {
                if *self.said.entry(entry.group).or_insert(said) != said {
                    self.unlike.insert(entry.id, entry.group);
                }
            }
            for target in answer.refers_to {
                referred.push((entry.id, entry.group, target));
                let groups = self.referrers.entry(target).or_default();
                if groups.last() != Some(&entry.group) {
                    groups.push(entry.group);
                }
            }
        }
        let targets: Vec<_> = referred.iter().map(|(.., target)| *target).collect();
        let missing = missing(cx, &self.question, &targets).await?;
        let dangling = referred.into_iter().filter(|(.., target)| missing.contains(target));
        self.dangling.extend(dangling.map(|(entry, group, target)| (entry, (group, target))));
        Ok(())
    }

    /// Forgets what was found in a group that is looked at again.
    fn forget(&mut self, written: GroupId) {
        self.unfit.retain(|_, (group, _)| *group != written);
        self.dangling.retain(|_, (group, _)| *group != written);
        self.unlike.retain(|_, group| *group != written);
        self.said.remove(&written);
    }

    fn forget_all(&mut self) {
        self.unfit.clear();
        self.dangling.clear();
        self.referrers.clear();
        self.unlike.clear();
        self.said.clear();
    }

    fn has_examples(&self) -> bool {
        [self.unfit.len(), self.dangling.len(), self.unlike.len()].iter().any(|found| *found >= EXAMPLES)
    }

    fn refuse(&self) -> Result<(), Error> {
        let (slug, to) = (self.question.after.slug.as_str(), self.question.after.kind.field_type().name());
        let unfit = self.unfit.iter().map(|(id, (_, reason))| Misfit { id: *id, reason: reason.clone() });
        let message =
            format!("stored values of the field `{slug}` cannot become {to} values as they are: they can be converted, with `convert`");
        refuse(message, unfit.collect())?;
        let dangling = self.dangling.iter();
        let dangling = dangling.map(|(id, (_, target))| Misfit { id: *id, reason: format!("there is no entry `{target}` to refer to") });
        refuse(format!("values of the field `{slug}` would refer to entries that are not there"), dangling.collect())?;
        let unlike = self.unlike.iter();
        let unlike = unlike
            .map(|(id, group)| Misfit { id: *id, reason: format!("another entry of the translation group `{group}` has another value") });
        refuse(format!("translations differ in the field `{slug}`"), unlike.collect())
    }
}
