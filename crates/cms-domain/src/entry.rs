//! An entry's life: drafts, publication, schedule and trash, as one function over states and commands.

mod ids;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    field::ValidJson,
    id::{CollectionId, EntryId, GroupId, RevisionId, UserId},
    locale::Locale,
    patch::Patch,
    rev::Rev,
    slug::EntrySlug,
    time::Timestamp,
};

pub use ids::{EntryIds, EntryIdsError};

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Status {
    /// Not public.
    Draft,
    /// Public. A pending draft or a schedule does not change that.
    Published,
    /// Not public, and waiting for its time.
    Scheduled,
}

impl Status {
    /// Every status, in the order in which lists sort them.
    pub const ALL: [Self; 3] = [Self::Draft, Self::Published, Self::Scheduled];

    /// The status as the wire spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Published => "published",
            Self::Scheduled => "scheduled",
        }
    }
}

/// A date that every entry has a place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateField {
    /// When the entry was created.
    CreatedAt,
    /// When readers last saw a change.
    UpdatedAt,
    /// The publication date.
    PublishedAt,
}

/// What is edited, staged and published as one: an entry's content.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Field values, checked against the collection; fields without a value are left out.
    pub data: ValidJson,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// What search engines are told.
    pub seo: Seo,
}

/// What search engines are told about an entry. A member that is null is not set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Seo {
    /// Title for search results; at most 200 characters.
    pub title: Option<String>,
    /// Description for search results; at most 500 characters.
    pub description: Option<String>,
    /// Image for previews: a media id or a URL.
    pub image: Option<String>,
    /// Address that search engines should prefer; http or https.
    pub canonical: Option<String>,
    /// Whether search engines are asked to leave the entry out.
    pub no_index: bool,
}

/// An entry, whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Identifies the entry.
    pub id: EntryId,
    /// Collection the entry belongs to.
    pub collection: CollectionId,
    /// Language of the entry.
    pub locale: Locale,
    /// The entries that are translations of each other.
    pub group: GroupId,
    /// Who owns the entry.
    pub author: Option<UserId>,
    /// Counts every change, from 1.
    pub version: i64,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When readers last saw a change; saving a draft of a published entry does not count.
    pub updated_at: Timestamp,
    /// Where the entry stands.
    pub lifecycle: Lifecycle,
    /// The published content; before the first publication, and after an unpublication, the working copy.
    pub live: Document,
    /// The staged edit of a published entry, whole.
    pub draft: Option<Document>,
    /// The revision that is live.
    pub live_revision: Option<RevisionId>,
    /// The newest revision, when it is not the live one.
    pub draft_revision: Option<RevisionId>,
    /// Failed attempts to publish on schedule.
    pub schedule_failure: Option<ScheduleFailure>,
}

impl Entry {
    /// What an editor works on: the staged edit, or the only content there is.
    pub fn working(&self) -> &Document {
        self.draft.as_ref().unwrap_or(&self.live)
    }

    /// What it has: what is public, or the only content there is, and what is staged beside it.
    pub fn contents(&self) -> impl Iterator<Item = &Document> {
        [Some(&self.live), self.draft.as_ref()].into_iter().flatten()
    }

    /// The token that guards the entry's present state.
    pub fn rev(&self) -> Rev {
        Rev::of(self.version, self.updated_at)
    }
}

/// Attempts to publish an entry on schedule that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleFailure {
    /// How many attempts failed.
    pub attempts: u32,
    /// Why the last one failed.
    pub last_error: String,
    /// When the next attempt is due; null when there will be none.
    pub next_attempt_at: Option<Timestamp>,
}

/// The part of an entry that commands move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lifecycle {
    /// Where the entry stands.
    pub status: Status,
    /// Whether a staged edit waits. Only a published entry has one.
    pub has_draft: bool,
    /// When the entry was first published, or the date an editor gave it.
    pub published_at: Option<Timestamp>,
    /// The publication date that the staged edit brings along, when it is another one.
    pub draft_date: Option<Timestamp>,
    /// Whether the entry was ever public.
    pub ever_live: bool,
    /// When the entry, or its staged edit, will be published.
    pub scheduled_at: Option<Timestamp>,
    /// When the entry will be taken off the public site again. Only what is public, or planned to be, has an end.
    pub unpublish_at: Option<Timestamp>,
    /// When the entry was moved to the trash.
    pub deleted_at: Option<Timestamp>,
}

/// What one can ask of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Save content and, with it, the publication date. `stage` keeps the edit of a published entry apart until it is published.
    Save {
        /// Whether the collection stages edits.
        stage: bool,
        /// What becomes of the publication date.
        date: Patch<Timestamp>,
    },
    /// Make the newest content public. `date` overrides the publication date.
    Publish {
        /// The publication date to record.
        date: Option<Timestamp>,
    },
    /// Publish what was scheduled for this instant, and nothing else.
    PublishDue {
        /// The instant that was planned.
        planned: Timestamp,
    },
    /// Take the entry off the public site.
    Unpublish,
    /// Publish at a later time.
    Schedule {
        /// When.
        at: Timestamp,
    },
    /// Do not publish at a later time.
    Unschedule,
    /// Take the entry off the public site at a later time, or at none.
    PlanEnd {
        /// When.
        at: Option<Timestamp>,
    },
    /// Take the entry off the public site, as it was planned for this instant.
    UnpublishDue {
        /// The instant that was planned.
        planned: Timestamp,
    },
    /// Drop the staged edit.
    DiscardDraft,
    /// Move to the trash.
    Trash,
    /// Take out of the trash.
    Restore,
    /// Remove for ever.
    Remove,
}

/// What becomes of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Keep,
    /// The saved content replaces the live content (which is the working copy while the entry is not public).
    Replace,
    /// The saved content becomes the staged edit.
    Stage,
    /// The staged edit, if there is one, becomes the live content.
    Promote,
    /// The staged edit is dropped.
    DropDraft,
}

/// What a command does to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// The state afterwards.
    pub to: Lifecycle,
    /// What becomes of the content.
    pub content: Content,
    /// Whether what the public sees may differ.
    pub public: bool,
}

/// Why a command cannot be obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    /// The entry is in the trash, where it can only be restored or removed.
    #[error("the entry is in the trash")]
    Trashed,
    /// The entry is not in the trash.
    #[error("the entry is not in the trash")]
    NotTrashed,
    /// A published entry would have no publication date.
    #[error("a published entry has a publication date")]
    DateRequired,
    /// The time has passed.
    #[error("the time to publish at must be in the future")]
    NotInFuture,
    /// The time has passed.
    #[error("the time to unpublish at must be in the future")]
    EndNotInFuture,
    /// The entry would be taken off the public site before it is there.
    #[error("the time to unpublish at must be later than the time to publish at")]
    EndsFirst,
    /// What is not public has no end.
    #[error("only what is published, or scheduled, can be unpublished at a later time")]
    NeverPublic,
    /// Nothing is planned for that instant, or not yet.
    #[error("nothing is due")]
    NotDue,
}

impl Lifecycle {
    /// The state of a new entry.
    pub const NEW: Self = Self {
        status: Status::Draft,
        has_draft: false,
        published_at: None,
        draft_date: None,
        ever_live: false,
        scheduled_at: None,
        unpublish_at: None,
        deleted_at: None,
    };

    /// What `command` does in this state; `None` when there is nothing to do.
    pub fn apply(self, command: Command, now: Timestamp) -> Result<Option<Change>, TransitionError> {
        let trashed = self.deleted_at.is_some();
        if trashed && !matches!(command, Command::Restore | Command::Remove) {
            return Err(TransitionError::Trashed);
        }
        let public = self.status == Status::Published;
        let change = |to, content, public| Ok(Some(Change { to, content, public }));
        match command {
            Command::Save { date: Patch::Clear, .. } if public => Err(TransitionError::DateRequired),
            Command::Save { stage: true, date } if public => {
                let mut draft_date = self.draft_date;
                date.apply(&mut draft_date);
                // The live date is no other one: nothing of it waits.
                let draft_date = draft_date.filter(|date| Some(*date) != self.published_at);
                change(Self { has_draft: true, draft_date, ..self }, Content::Stage, false)
            }
            Command::Save { date, .. } => {
                let mut to = self.without_draft();
                date.apply(&mut to.published_at);
                change(to, Content::Replace, public)
            }
            Command::Publish { date } => {
                // Whoever publishes what should be over by now wants it to be seen.
                let begun = Self { unpublish_at: self.unpublish_at.filter(|end| *end > now), ..self };
                change(begun.published(date.or(self.working_date()).unwrap_or(now)), Content::Promote, true)
            }
            // What should be over by now is not made public, however late the server is.
            Command::PublishDue { planned } if self.scheduled_at == Some(planned) && planned <= now && !self.is_over(now) => {
                // The date readers see is the one that was planned, however late the server was.
                change(self.published(self.working_date().unwrap_or(planned)), Content::Promote, true)
            }
            Command::UnpublishDue { planned } if self.unpublish_at == Some(planned) && planned <= now => {
                change(self.unpublished(), self.kept(), public)
            }
            Command::PublishDue { .. } | Command::UnpublishDue { .. } => Err(TransitionError::NotDue),
            Command::Unpublish if self.status == Status::Draft => Ok(None),
            Command::Unpublish => change(self.unpublished(), self.kept(), public),
            Command::PlanEnd { at } if self.unpublish_at == at => Ok(None),
            Command::PlanEnd { at: Some(_) } if self.status == Status::Draft => Err(TransitionError::NeverPublic),
            Command::PlanEnd { at: Some(at) } if at <= now => Err(TransitionError::EndNotInFuture),
            Command::PlanEnd { at: Some(at) } if self.scheduled_at.is_some_and(|begin| at <= begin) => Err(TransitionError::EndsFirst),
            Command::PlanEnd { at } => change(Self { unpublish_at: at, ..self }, Content::Keep, false),
            Command::Schedule { at } if at <= now => Err(TransitionError::NotInFuture),
            Command::Schedule { at } if self.unpublish_at.is_some_and(|end| end <= at) => Err(TransitionError::EndsFirst),
            Command::Schedule { at } => {
                let status = if public { Status::Published } else { Status::Scheduled };
                change(Self { status, scheduled_at: Some(at), ..self }, Content::Keep, false)
            }
            Command::Unschedule if self.scheduled_at.is_none() => Ok(None),
            Command::Unschedule => change(self.unscheduled(), Content::Keep, false),
            Command::DiscardDraft if !self.has_draft => Ok(None),
            Command::DiscardDraft => change(Self { has_draft: false, draft_date: None, ..self }, Content::DropDraft, false),
            Command::Trash => change(Self { deleted_at: Some(now), ..self }, Content::Keep, public),
            Command::Restore | Command::Remove if !trashed => Err(TransitionError::NotTrashed),
            // What was to be over while it was in the trash is not public again for a moment.
            Command::Restore if self.is_over(now) => change(Self { deleted_at: None, ..self.unpublished() }, self.kept(), false),
            Command::Restore => {
                // What became due in the trash was not wanted then; nobody expects it to go live by being restored.
                let due = self.scheduled_at.is_some_and(|at| at <= now);
                let to = Self { deleted_at: None, ..if due { self.unscheduled() } else { self } };
                change(to, Content::Keep, public)
            }
            Command::Remove => change(self, Content::Keep, false),
        }
    }

    /// The publication date that an editor works on: the one that waits with the staged edit, or the only one there is.
    pub fn working_date(self) -> Option<Timestamp> {
        self.draft_date.or(self.published_at)
    }

    fn published(self, date: Timestamp) -> Self {
        Self { status: Status::Published, published_at: Some(date), ever_live: true, scheduled_at: None, ..self.without_draft() }
    }

    /// The state without a staged edit, whose date counts from now on.
    fn without_draft(self) -> Self {
        Self { has_draft: false, published_at: self.working_date(), draft_date: None, ..self }
    }

    fn unscheduled(self) -> Self {
        if self.status == Status::Scheduled { self.unpublished() } else { Self { scheduled_at: None, ..self } }
    }

    /// The state of what is not public, and not going to be.
    fn unpublished(self) -> Self {
        Self { status: Status::Draft, scheduled_at: None, unpublish_at: None, ..self.without_draft() }
    }

    /// What becomes of the content of what is not public any more: the staged edit is the only content there is.
    fn kept(self) -> Content {
        if self.has_draft { Content::Promote } else { Content::Keep }
    }

    /// Whether it should not be public any more.
    fn is_over(self, now: Timestamp) -> bool {
        self.unpublish_at.is_some_and(|end| end <= now)
    }

    /// Whether somebody who may publish has approved the content: it is public, it was, or a schedule will make it so.
    /// Whoever may not publish changes nothing of it from then on, so that what goes public is what was approved.
    pub fn is_approved(self) -> bool {
        self.ever_live || self.scheduled_at.is_some()
    }

    /// Whether the state is one that the rules know.
    pub fn is_sound(self) -> bool {
        let drafts = (!self.has_draft || self.status == Status::Published) && self.draft_date.is_some() <= self.has_draft;
        let schedule = (self.status == Status::Scheduled) <= self.scheduled_at.is_some()
            && (self.status == Status::Draft) <= self.scheduled_at.is_none();
        let dates = (self.status == Status::Published) <= (self.ever_live && self.published_at.is_some());
        let end = self.unpublish_at.is_none_or(|end| self.status != Status::Draft && self.scheduled_at.is_none_or(|begin| begin < end));
        drafts && schedule && dates && end
    }
}

#[cfg(test)]
mod table;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_milliseconds(milliseconds)
    }

    fn date() -> impl Strategy<Value = Patch<Timestamp>> {
        prop_oneof![3 => Just(Patch::Keep), 1 => Just(Patch::Clear), 2 => (0_i64..9).prop_map(|at| Patch::Set(self::at(at)))]
    }

    fn command() -> impl Strategy<Value = Command> {
        let instant = || (0_i64..200).prop_map(at);
        prop_oneof![
            (any::<bool>(), date()).prop_map(|(stage, date)| Command::Save { stage, date }),
            proptest::option::of(instant()).prop_map(|date| Command::Publish { date }),
            instant().prop_map(|planned| Command::PublishDue { planned }),
            Just(Command::Unpublish),
            instant().prop_map(|at| Command::Schedule { at }),
            Just(Command::Unschedule),
            proptest::option::of(instant()).prop_map(|at| Command::PlanEnd { at }),
            instant().prop_map(|planned| Command::UnpublishDue { planned }),
            Just(Command::DiscardDraft),
            Just(Command::Trash),
            Just(Command::Restore),
        ]
    }

    /// The states that commands lead to, a new entry's first; what is refused changes nothing.
    fn walk(commands: &[Command]) -> Vec<(Lifecycle, Option<(Command, Change)>)> {
        let mut states = vec![(Lifecycle::NEW, None)];
        for (command, now) in commands.iter().zip((0..).step_by(10).map(at)) {
            let before = states[states.len() - 1].0;
            if let Ok(Some(change)) = before.apply(*command, now) {
                states.push((change.to, Some((*command, change))));
            }
        }
        states
    }

    proptest! {
        #[test]
        fn no_sequence_of_commands_reaches_an_unknown_state(commands in proptest::collection::vec(command(), 0..40)) {
            for (state, _) in walk(&commands) {
                prop_assert!(state.is_sound(), "{state:?}");
            }
        }

        #[test]
        fn a_draft_is_staged_exactly_while_the_state_says_so(commands in proptest::collection::vec(command(), 0..40)) {
            let mut staged = false;
            for (state, change) in walk(&commands) {
                match change.map(|(_, change)| change.content) {
                    Some(Content::Stage) => staged = true,
                    Some(Content::Replace | Content::Promote | Content::DropDraft) => staged = false,
                    Some(Content::Keep) | None => {}
                }
                prop_assert_eq!(state.has_draft, staged);
            }
        }

        #[test]
        fn what_was_ever_public_keeps_its_date(commands in proptest::collection::vec(command(), 0..40)) {
            let mut ever_live = false;
            // An editor may take the date of what is not public any more.
            let mut taken = false;
            for (state, change) in walk(&commands) {
                taken |= matches!(change, Some((Command::Save { date: Patch::Clear, .. }, _)));
                prop_assert!(state.ever_live >= ever_live);
                prop_assert!(!state.ever_live || state.published_at.is_some() || taken);
                ever_live = state.ever_live;
            }
        }

        #[test]
        fn a_change_that_is_not_public_leaves_what_readers_see(commands in proptest::collection::vec(command(), 0..40)) {
            let shown = |state: Lifecycle| state.status == Status::Published && state.deleted_at.is_none();
            for pair in walk(&commands).windows(2) {
                let ((before, _), (after, change)) = (&pair[0], &pair[1]);
                if let Some((_, change)) = change && !change.public {
                    prop_assert_eq!(shown(*before), shown(*after));
                    prop_assert!(!shown(*before) || !matches!(change.content, Content::Replace | Content::Promote));
                    prop_assert!(!shown(*before) || before.published_at == after.published_at);
                }
            }
        }
    }

    fn save(stage: bool) -> Command {
        Command::Save { stage, date: Patch::Keep }
    }

    /// The state that commands lead to, none of which is refused.
    fn after(commands: &[Command]) -> Lifecycle {
        commands.iter().fold(Lifecycle::NEW, |state, command| state.apply(*command, at(1)).unwrap().unwrap().to)
    }

    const PUBLISH: Command = Command::Publish { date: None };

    #[test]
    fn a_date_waits_with_the_staged_edit_and_goes_live_with_it() {
        let dated = Command::Save { stage: true, date: Patch::Set(at(7)) };
        let staged = after(&[PUBLISH, dated]);
        assert_eq!((staged.published_at, staged.draft_date, staged.has_draft), (Some(at(1)), Some(at(7)), true));
        assert_eq!(after(&[PUBLISH, dated, save(true)]), staged);
        let live = Lifecycle { published_at: Some(at(7)), ..after(&[PUBLISH]) };
        assert_eq!(after(&[PUBLISH, dated, PUBLISH]), live);
        assert_eq!(after(&[PUBLISH, dated, save(false)]), live);
        let planned = after(&[PUBLISH, dated, Command::Schedule { at: at(9) }]);
        assert_eq!(planned.apply(Command::PublishDue { planned: at(9) }, at(9)).unwrap().unwrap().to, live);
        assert_eq!(after(&[PUBLISH, dated, Command::Unpublish]), Lifecycle { status: Status::Draft, ..live });
        assert_eq!(after(&[PUBLISH, dated, Command::DiscardDraft]), after(&[PUBLISH]));
        assert_eq!(after(&[PUBLISH, dated, Command::Publish { date: Some(at(3)) }]).published_at, Some(at(3)));
    }

    #[test]
    fn the_live_date_does_not_wait_and_cannot_be_taken_from_what_is_public() {
        let dated = |date| Command::Save { stage: true, date };
        let back = after(&[PUBLISH, dated(Patch::Set(at(7))), dated(Patch::Set(at(1)))]);
        assert_eq!((back.published_at, back.draft_date), (Some(at(1)), None));
        for stage in [true, false] {
            let cleared = after(&[PUBLISH]).apply(Command::Save { stage, date: Patch::Clear }, at(2));
            assert_eq!(cleared, Err(TransitionError::DateRequired));
        }
    }

    #[test]
    fn a_date_of_what_is_not_public_counts_at_once() {
        let dated = |date| Command::Save { stage: true, date };
        assert_eq!(after(&[dated(Patch::Set(at(7)))]).published_at, Some(at(7)));
        assert_eq!(after(&[dated(Patch::Set(at(7))), dated(Patch::Clear)]), Lifecycle::NEW);
        assert_eq!(after(&[dated(Patch::Set(at(7))), PUBLISH]).published_at, Some(at(7)));
    }

    #[test]
    fn an_edit_of_a_published_entry_is_staged_where_the_collection_stages() {
        let public = Lifecycle::NEW.apply(Command::Publish { date: None }, at(1)).unwrap().unwrap().to;
        assert_eq!(public.apply(save(true), at(2)).unwrap().unwrap().content, Content::Stage);
        assert_eq!(public.apply(save(false), at(2)).unwrap().unwrap().content, Content::Replace);
        assert_eq!(Lifecycle::NEW.apply(save(true), at(2)).unwrap().unwrap().content, Content::Replace);
    }

    #[test]
    fn a_publication_on_schedule_records_the_instant_that_was_planned() {
        let planned = Lifecycle::NEW.apply(Command::Schedule { at: at(5) }, at(1)).unwrap().unwrap().to;
        assert_eq!(planned.apply(Command::PublishDue { planned: at(5) }, at(4)), Err(TransitionError::NotDue));
        assert_eq!(planned.apply(Command::PublishDue { planned: at(6) }, at(9)), Err(TransitionError::NotDue));
        let public = planned.apply(Command::PublishDue { planned: at(5) }, at(9)).unwrap().unwrap().to;
        assert_eq!((public.status, public.published_at, public.scheduled_at), (Status::Published, Some(at(5)), None));
    }

    #[test]
    fn unpublishing_cancels_the_schedule_and_keeps_the_date() {
        let public = Lifecycle::NEW.apply(Command::Publish { date: None }, at(1)).unwrap().unwrap().to;
        let planned = public.apply(Command::Schedule { at: at(9) }, at(2)).unwrap().unwrap().to;
        let draft = planned.apply(Command::Unpublish, at(3)).unwrap().unwrap().to;
        assert_eq!((draft.status, draft.published_at, draft.scheduled_at), (Status::Draft, Some(at(1)), None));
    }
}
