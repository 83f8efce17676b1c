//! What every command does in every state, line by line.

use super::{Change, Command, Content, Document, Entry, Lifecycle, Seo, Status, TransitionError};
use crate::{
    field::ValidJson,
    id::{CollectionId, EntryId},
    patch::Patch,
    rev::Rev,
    time::Timestamp,
};

const NOW: i64 = 10;

fn at(milliseconds: i64) -> Timestamp {
    Timestamp::from_milliseconds(milliseconds)
}

/// The states that differ for some command. What is public is so since 1.
fn states() -> [(&'static str, Lifecycle); 13] {
    let new = Lifecycle::NEW;
    let public = Lifecycle { status: Status::Published, ever_live: true, published_at: Some(at(1)), ..new };
    let edited = Lifecycle { has_draft: true, draft_date: Some(at(7)), ..public };
    let scheduled = Lifecycle { status: Status::Scheduled, scheduled_at: Some(at(20)), ..new };
    [
        ("draft", new),
        ("former", Lifecycle { status: Status::Draft, ..public }),
        ("public", public),
        ("edited", edited),
        ("scheduled", scheduled),
        ("due", Lifecycle { scheduled_at: Some(at(NOW)), ..scheduled }),
        ("public, ending", Lifecycle { unpublish_at: Some(at(30)), ..public }),
        ("edited, over", Lifecycle { unpublish_at: Some(at(NOW)), ..edited }),
        ("scheduled, ending", Lifecycle { unpublish_at: Some(at(30)), ..scheduled }),
        ("edited, planned", Lifecycle { scheduled_at: Some(at(20)), ..edited }),
        ("trashed, public", Lifecycle { deleted_at: Some(at(5)), ..public }),
        ("trashed, scheduled", Lifecycle { deleted_at: Some(at(5)), ..scheduled }),
        ("trashed, due", Lifecycle { deleted_at: Some(at(5)), scheduled_at: Some(at(NOW)), ..scheduled }),
    ]
}

fn commands() -> [(&'static str, Command); 21] {
    let save = |stage, date| Command::Save { stage, date };
    [
        ("save", save(true, Patch::Keep)),
        ("save unstaged", save(false, Patch::Keep)),
        ("save a date", save(true, Patch::Set(at(3)))),
        ("save no date", save(true, Patch::Clear)),
        ("publish", Command::Publish { date: None }),
        ("publish with a date", Command::Publish { date: Some(at(3)) }),
        ("publish due 10", Command::PublishDue { planned: at(NOW) }),
        ("publish due 20", Command::PublishDue { planned: at(20) }),
        ("unpublish", Command::Unpublish),
        ("schedule 11", Command::Schedule { at: at(NOW + 1) }),
        ("schedule 10", Command::Schedule { at: at(NOW) }),
        ("unschedule", Command::Unschedule),
        ("end 25", Command::PlanEnd { at: Some(at(25)) }),
        ("end 20", Command::PlanEnd { at: Some(at(20)) }),
        ("end 10", Command::PlanEnd { at: Some(at(NOW)) }),
        ("end never", Command::PlanEnd { at: None }),
        ("schedule 30", Command::Schedule { at: at(30) }),
        ("unpublish due 10", Command::UnpublishDue { planned: at(NOW) }),
        ("discard", Command::DiscardDraft),
        ("trash", Command::Trash),
        ("restore", Command::Restore),
    ]
}

/// A state in a few words.
fn told(state: Lifecycle) -> String {
    let mut text = state.status.name().to_owned();
    let date = |name: &str, date: Option<Timestamp>| date.map(|date| format!(" {name} {}", date.milliseconds())).unwrap_or_default();
    text += &date("since", state.published_at);
    text += if state.has_draft { " edited" } else { "" };
    text += &date("for", state.draft_date);
    text += &date("planned", state.scheduled_at);
    text += &date("ends", state.unpublish_at);
    text += &date("trashed", state.deleted_at);
    text + if state.ever_live && state.status != Status::Published { " (once public)" } else { "" }
}

fn outcome(outcome: Result<Option<Change>, TransitionError>) -> String {
    match outcome {
        Err(error) => format!("refused: {error}"),
        Ok(None) => "nothing to do".to_owned(),
        Ok(Some(Change { to, content, public })) => {
            let content = match content {
                Content::Keep => "",
                Content::Replace => ", saved",
                Content::Stage => ", staged",
                Content::Promote => ", promoted",
                Content::DropDraft => ", draft dropped",
            };
            format!("{}{content}{}", told(to), if public { ", seen" } else { "" })
        }
    }
}

#[test]
fn every_command_does_in_every_state_what_its_line_says() {
    let mut lines = Vec::new();
    for (state_name, state) in states() {
        assert!(state.is_sound(), "{state_name}");
        lines.push(format!("{state_name}: {}", told(state)));
        for (name, command) in commands() {
            lines.push(format!("  {name}: {}", outcome(state.apply(command, at(NOW)))));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn removing_takes_what_is_in_the_trash_and_changes_nothing_else() {
    for (name, state) in states() {
        let removed = state.apply(Command::Remove, at(NOW));
        if state.deleted_at.is_some() {
            assert_eq!(removed, Ok(Some(Change { to: state, content: Content::Keep, public: false })), "{name}");
        } else {
            assert_eq!(removed, Err(TransitionError::NotTrashed), "{name}");
        }
    }
}

#[test]
fn a_state_that_no_command_leads_to_is_not_sound() {
    let new = Lifecycle::NEW;
    let public = Lifecycle { status: Status::Published, ever_live: true, published_at: Some(at(1)), ..new };
    for unsound in [
        Lifecycle { has_draft: true, ..new },
        Lifecycle { draft_date: Some(at(1)), ..public },
        Lifecycle { status: Status::Scheduled, ..new },
        Lifecycle { scheduled_at: Some(at(1)), ..new },
        Lifecycle { ever_live: false, ..public },
        Lifecycle { published_at: None, ..public },
        Lifecycle { status: Status::Scheduled, scheduled_at: Some(at(1)), has_draft: true, ..new },
        Lifecycle { unpublish_at: Some(at(1)), ..new },
        Lifecycle { status: Status::Scheduled, scheduled_at: Some(at(2)), unpublish_at: Some(at(2)), ..new },
    ] {
        assert!(!unsound.is_sound(), "{unsound:?}");
    }
    assert!(Lifecycle { scheduled_at: Some(at(1)), ..public }.is_sound());
}

#[test]
fn an_editor_works_on_the_staged_edit_or_else_on_the_only_content_there_is() {
    let document = |text: &str| Document { data: ValidJson::from_stored(text.to_owned()).unwrap(), slug: None, seo: Seo::default() };
    let id = EntryId::from_parts(1, 1);
    let mut entry = Entry {
        id,
        collection: CollectionId::from_parts(1, 1),
        locale: "en".parse().unwrap(),
        group: id.cast(),
        author: None,
        version: 3,
        created_at: at(1),
        updated_at: at(2),
        lifecycle: Lifecycle::NEW,
        live: document(r#"{"a":1}"#),
        draft: None,
        live_revision: None,
        draft_revision: None,
        schedule_failure: None,
    };
    assert_eq!(entry.working(), &document(r#"{"a":1}"#));
    entry.draft = Some(document(r#"{"a":2}"#));
    assert_eq!(entry.working(), &document(r#"{"a":2}"#));
    assert_eq!(entry.rev(), Rev::of(3, at(2)));
}

#[test]
fn statuses_are_named_as_the_wire_spells_them_in_the_order_of_lists() {
    assert_eq!(Status::ALL.map(Status::name), ["draft", "published", "scheduled"]);
    for status in Status::ALL {
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
}
