//! The life of an entry: where it stands, what may be done with it there, and what is then expected of it.

use std::time::Duration;

use fastrand::Rng;

use super::host::HOOKED;

/// How many steps a story has at most: long enough to be published, withdrawn and published again.
const STEPS: usize = 9;
/// How long the author waits after a step, in milliseconds. Some waits are longer than the second after which servers must know.
const PAUSES: [u64; 6] = [0, 20, 50, 200, 600, 1_600];

/// A collection that stories are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shelf {
    /// With an address each, and a code that no two have.
    Articles,
    /// Refer to articles, which take the reference along when they are removed.
    Comments,
    /// Whose fields come and go.
    Shifting,
    /// Whose saves hooks of hosts have a say in.
    Hooked,
}

impl Shelf {
    const ALL: [Self; 4] = [Self::Articles, Self::Comments, Self::Shifting, Self::Hooked];

    /// Those of a site with hosts, or without.
    pub(super) const fn of(has_hosts: bool) -> &'static [Self] {
        if has_hosts { &Self::ALL } else { Self::ALL.split_at(3).0 }
    }

    /// The collection's slug.
    pub(super) const fn slug(self) -> &'static str {
        match self {
            Self::Articles => "articles",
            Self::Comments => "comments",
            Self::Shifting => "shifting",
            Self::Hooked => HOOKED,
        }
    }

    /// Whether nobody but the author of an entry changes it.
    pub(super) const fn is_left_alone(self) -> bool {
        !matches!(self, Self::Comments)
    }
}

/// What can be done with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Create,
    Update,
    Publish,
    Unpublish,
    /// Ends a story: what comes next is up to the servers.
    Schedule,
    Trash,
    Restore,
    Remove,
}

impl Step {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Publish => "publish",
            Self::Unpublish => "unpublish",
            Self::Schedule => "schedule",
            Self::Trash => "trash",
            Self::Restore => "restore",
            Self::Remove => "remove",
        }
    }
}

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// It was not made yet, or is removed.
    Nowhere,
    Draft,
    Published,
    Scheduled,
}

impl Place {
    /// The status as the API spells it.
    pub(super) const fn status(self) -> &'static str {
        match self {
            Self::Nowhere => "nowhere",
            Self::Draft => "draft",
            Self::Published => "published",
            Self::Scheduled => "scheduled",
        }
    }
}

/// Everything about an entry that a reader can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    pub(super) place: Place,
    pub(super) trashed: bool,
    /// The value of its counter that editors see.
    pub(super) counter: u64,
    /// The value of its counter that was last published.
    pub(super) published: u64,
}

impl Stand {
    pub(super) const NEW: Self = Self { place: Place::Nowhere, trashed: false, counter: 0, published: 0 };

    /// The counter that the public sees, while it sees the entry.
    pub(super) fn public(self) -> Option<u64> {
        (self.place == Place::Published && !self.trashed).then_some(self.published)
    }

    /// Whether editors find it outside of the trash.
    pub(super) fn is_there(self) -> bool {
        self.place != Place::Nowhere && !self.trashed
    }

    /// Where it stands after a step; `counter` is what an update writes.
    pub(super) fn after(self, step: Step, counter: u64) -> Self {
        match step {
            Step::Create => Self { place: Place::Draft, counter, ..self },
            Step::Update => Self { counter, ..self },
            Step::Publish => Self { place: Place::Published, published: self.counter, ..self },
            Step::Unpublish => Self { place: Place::Draft, ..self },
            Step::Schedule => Self { place: Place::Scheduled, ..self },
            Step::Trash => Self { trashed: true, ..self },
            Step::Restore => Self { trashed: false, ..self },
            Step::Remove => Self { place: Place::Nowhere, trashed: false, ..self },
        }
    }

    /// What may come next, as often as it is likely. Hooks are not told of what is gone for ever: nothing is that they are about.
    fn next(self, shelf: Shelf) -> &'static [Step] {
        use Step::{Create, Publish, Remove, Restore, Schedule, Trash, Unpublish, Update};
        match self.place {
            Place::Nowhere if self.counter == 0 => &[Create],
            Place::Nowhere | Place::Scheduled => &[],
            _ if self.trashed && shelf == Shelf::Hooked => &[Restore],
            _ if self.trashed => &[Restore, Remove],
            Place::Draft => &[Update, Update, Publish, Publish, Publish, Schedule, Trash],
            // What is published again without a change stays as it is.
            Place::Published if self.counter != self.published => &[Update, Publish, Publish, Unpublish, Trash],
            Place::Published => &[Update, Update, Unpublish, Trash],
        }
    }
}

/// What will be done with one entry.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub(super) shelf: Shelf,
    /// Each step, and how long its author waits after it.
    pub(super) steps: Vec<(Step, Duration)>,
}

impl Story {
    pub(super) fn draw(rng: &mut Rng, shelves: &[Shelf]) -> Self {
        let shelf = rng.choice(shelves).copied().unwrap_or(Shelf::Articles);
        let (mut stand, mut steps) = (Stand::NEW, Vec::new());
        while steps.len() < STEPS {
            let Some(step) = rng.choice(stand.next(shelf)).copied() else { break };
            steps.push((step, Duration::from_millis(rng.choice(PAUSES).unwrap_or_default())));
            stand = stand.after(step, 1 + u64::try_from(steps.len()).unwrap_or_default());
        }
        Self { shelf, steps }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stories_begin_with_their_entry_and_end_when_it_is_out_of_hand() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..1_000 {
            let steps: Vec<_> = Story::draw(&mut rng, &Shelf::ALL).steps.into_iter().map(|(step, _)| step).collect();
            assert_eq!(steps.iter().position(|step| *step == Step::Create), Some(0));
            let end = steps.iter().position(|step| matches!(step, Step::Schedule | Step::Remove));
            assert!(end.is_none_or(|end| end + 1 == steps.len()), "{steps:?}");
        }
    }

    #[test]
    fn the_public_sees_what_was_published_and_not_what_was_saved_since() {
        let draft = Stand::NEW.after(Step::Create, 1);
        assert_eq!(draft.public(), None);
        let edited = draft.after(Step::Publish, 0).after(Step::Update, 2);
        assert_eq!((edited.public(), edited.counter), (Some(1), 2));
        assert_eq!(edited.after(Step::Trash, 0).public(), None);
        assert_eq!(edited.after(Step::Trash, 0).after(Step::Restore, 0).public(), Some(1));
        assert_eq!(edited.after(Step::Unpublish, 0).after(Step::Publish, 0).public(), Some(2));
    }
}
