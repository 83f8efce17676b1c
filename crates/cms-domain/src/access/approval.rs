//! Whoever may not publish makes nothing public: the rules about who may, walked together with the rules of an entry's life.

use proptest::prelude::*;

use super::{Access, Actor, Caller, Permission, Refusal, Scope, Via};
use crate::{
    entry::{Change, Command, Content, Lifecycle, Status},
    id::UserId,
    patch::Patch,
    time::Timestamp,
    user::Role,
};

pub(super) const EDIT: Access = Access::Owned {
    scope: Scope::ContentWrite,
    own: Permission::ContentEditOwn,
    any: Permission::ContentEditAny,
    own_draft: Some(Permission::ContentEditOwnDraft),
};
pub(super) const PUBLISH: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentPublishOwn, any: Permission::ContentPublishAny, own_draft: None };
const DELETE: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentDeleteOwn, any: Permission::ContentDeleteAny, own_draft: None };

/// What a command asks of whoever gives it.
fn access(command: Command) -> Access {
    match command {
        Command::Save { .. } | Command::DiscardDraft | Command::Restore => EDIT,
        Command::Publish { .. } | Command::Unpublish | Command::Schedule { .. } | Command::Unschedule | Command::PlanEnd { .. } => PUBLISH,
        Command::Trash | Command::Remove => DELETE,
        Command::PublishDue { .. } | Command::UnpublishDue { .. } => Access::System,
    }
}

fn user(n: u128) -> UserId {
    UserId::from_parts(0, n)
}

fn person(n: u128, role: Role) -> Actor {
    Actor::User(Caller { user: user(n), role, via: Via::Host })
}

/// An entry, whose it is, and which of its contents nobody who may publish has said yes to.
struct Story {
    owner: UserId,
    state: Lifecycle,
    live: Text,
    draft: Option<Text>,
}

/// What is known of a content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Text {
    /// Somebody who may publish wrote it, or published or scheduled it as it is.
    Approved,
    /// Nobody did.
    Unapproved,
}

impl Story {
    fn working(&mut self) -> &mut Text {
        self.draft.as_mut().unwrap_or(&mut self.live)
    }

    /// What a command of somebody makes of the entry; nothing when it is refused or there is nothing to do.
    fn tell(&mut self, actor: &Actor, command: Command, now: Timestamp) {
        let admitted = match access(command) {
            Access::System => actor.admit(Access::System, false).is_ok(),
            access => actor.permit_owned(access, Some(self.owner), self.state.is_approved()).is_ok(),
        };
        let Some(Ok(Some(Change { to, content, .. }))) = admitted.then(|| self.state.apply(command, now)) else { return };
        let may_publish = actor.permit_owned(PUBLISH, Some(self.owner), self.state.is_approved()).is_ok();
        self.state = to;
        let saved = if may_publish { Text::Approved } else { Text::Unapproved };
        match content {
            Content::Keep => {}
            Content::Replace => (self.live, self.draft) = (saved, None),
            Content::Stage => self.draft = Some(saved),
            Content::Promote => self.live = self.draft.take().unwrap_or(self.live),
            Content::DropDraft => self.draft = None,
        }
        if matches!(command, Command::Publish { .. } | Command::Schedule { .. }) {
            *self.working() = Text::Approved;
        }
    }
}

fn command() -> impl Strategy<Value = Command> {
    let instant = || (0_i64..400).prop_map(Timestamp::from_milliseconds);
    prop_oneof![
        4 => any::<bool>().prop_map(|stage| Command::Save { stage, date: Patch::Keep }),
        1 => Just(Command::Publish { date: None }),
        3 => instant().prop_map(|at| Command::Schedule { at }),
        1 => Just(Command::Unpublish),
        1 => Just(Command::Unschedule),
        1 => Just(Command::DiscardDraft),
        1 => Just(Command::Trash),
        1 => Just(Command::Restore),
    ]
}

/// Who acts: the owner in one of the roles, somebody else in one, or the scheduler.
fn actor() -> impl Strategy<Value = Option<Actor>> {
    let role = || proptest::sample::select(Role::ALL.to_vec());
    prop_oneof![4 => role().prop_map(|role| Some(person(1, role))), 3 => role().prop_map(|role| Some(person(2, role))), 2 => Just(None)]
}

proptest! {
    #[test]
    fn no_sequence_of_commands_makes_public_what_nobody_who_may_publish_approved(
        steps in proptest::collection::vec((actor(), command()), 0..40),
    ) {
        let mut story = Story { owner: user(1), state: Lifecycle::NEW, live: Text::Unapproved, draft: None };
        for ((actor, command), now) in steps.into_iter().zip((0..).step_by(10).map(Timestamp::from_milliseconds)) {
            match (actor, story.state.scheduled_at) {
                (Some(actor), _) => story.tell(&actor, command, now),
                (None, Some(planned)) => story.tell(&Actor::System, Command::PublishDue { planned }, now),
                (None, None) => {}
            }
            let is_public = story.state.status == Status::Published && story.state.deleted_at.is_none();
            prop_assert!(!is_public || story.live == Text::Approved, "{command:?} at {now}: {:?}", story.state);
        }
    }

    #[test]
    fn what_is_approved_is_changed_only_by_who_may_publish_it(
        role in proptest::sample::select(Role::ALL.to_vec()),
        who in 1_u128..3,
        owner in proptest::option::of(1_u128..3),
    ) {
        let (actor, owner) = (person(who, role), owner.map(user));
        if actor.permit_owned(EDIT, owner, true).is_ok() {
            prop_assert!(actor.permit_owned(PUBLISH, owner, true).is_ok());
        }
    }
}

#[test]
fn a_schedule_approves_until_it_is_cancelled_and_a_publication_for_good() {
    let now = Timestamp::from_milliseconds(0);
    let later = Timestamp::from_milliseconds(5);
    let step = |state: Lifecycle, command| state.apply(command, now).unwrap().unwrap().to;
    let planned = step(Lifecycle::NEW, Command::Schedule { at: later });
    let public = step(Lifecycle::NEW, Command::Publish { date: None });
    assert!(!Lifecycle::NEW.is_approved());
    assert!(planned.is_approved());
    assert!(step(planned, Command::Trash).is_approved());
    assert!(!step(planned, Command::Unschedule).is_approved());
    assert!(public.is_approved());
    assert!(step(public, Command::Unpublish).is_approved());
}

#[test]
fn a_contributor_is_told_that_the_entry_was_approved_and_others_what_they_lack() {
    let refused = |role, approved| person(1, role).permit_owned(EDIT, Some(user(1)), approved).unwrap_err();
    assert_eq!(refused(Role::Contributor, true), Refusal::Approved(Permission::ContentEditOwn));
    assert_eq!(refused(Role::Subscriber, true), Refusal::Permission(Permission::ContentEditOwnDraft));
    assert_eq!(
        refused(Role::Contributor, true).to_string(),
        "the entry was published or is scheduled, so it stays as it was approved: \
         changing it needs the permission `content:edit_own`, which the role author has"
    );
}
