//! The state machine: random commands through real operations reach what the pure rules say, and nothing else.

use std::time::Duration;

use cms_content::entries::{
    create::CreateEntry, delete::DeleteEntry, discard_draft::DiscardDraft, get::GetEntry, publish::PublishEntry, restore::RestoreEntry,
    schedule::ScheduleEntry, schedule_unpublish::ScheduleUnpublish, unpublish::UnpublishEntry, unschedule::UnscheduleEntry,
    update::UpdateEntry,
};
use cms_core::{both, tasks::publish_due::publish_due};
use cms_domain::{
    access::Visibility,
    entry::{Command, Content, Entry, Lifecycle, Status, TransitionError},
    id::EntryId,
    patch::Patch,
    time::Timestamp,
    user::Role,
};
use cms_frame::{Code, Error};
use cms_storage::Trash;
use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof},
    strategy::ValueTree,
    test_runner::TestRunner,
};
use serde_json::{Value, json};

use super::Site;

/// How many sequences are tried on each database.
const CASES: usize = 40;

/// What a test asks of an entry.
#[derive(Debug, Clone, Copy)]
enum Step {
    Save,
    /// An editor gives another publication date, this many seconds after 2026.
    Date(u64),
    Publish,
    Unpublish,
    /// This many seconds later.
    Schedule(u64),
    Unschedule,
    /// It ends this many seconds later, or never.
    End(Option<u64>),
    Discard,
    Trash,
    Restore,
    /// Time passes, and the scheduler runs.
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => Just(Step::Save),
        2 => (0..4_u64).prop_map(Step::Date),
        3 => Just(Step::Publish),
        2 => Just(Step::Unpublish),
        3 => (0..90_u64).prop_map(Step::Schedule),
        4 => (0..240_u64).prop_map(|seconds| Step::End((seconds < 180).then_some(seconds))),
        2 => prop_oneof![Just(Step::Unschedule), Just(Step::Discard)],
        1 => Just(Step::Trash),
        2 => Just(Step::Restore),
        3 => (0..90_u64).prop_map(Step::Wait),
    ]
}

/// What the rules say of an entry.
#[derive(Debug, Clone, PartialEq)]
struct Model {
    lifecycle: Lifecycle,
    live: String,
    draft: Option<String>,
    version: i64,
}

impl Model {
    fn of(entry: &Entry) -> Self {
        let title =
            |document: &cms_domain::entry::Document| document.data.as_stored().members().unwrap()["title"].as_str().unwrap().to_owned();
        Self { lifecycle: entry.lifecycle, live: title(&entry.live), draft: entry.draft.as_ref().map(title), version: entry.version }
    }

    /// Obeys a command; says what the answer must be.
    fn obey(&mut self, command: Command, saved: Option<String>, now: Timestamp) -> Option<Code> {
        let change = match self.lifecycle.apply(command, now) {
            Ok(Some(change)) => change,
            Ok(None) => return None,
            Err(
                TransitionError::NotInFuture
                | TransitionError::DateRequired
                | TransitionError::EndNotInFuture
                | TransitionError::EndsFirst
                | TransitionError::NeverPublic,
            ) => return Some(Code::ValidationError),
            Err(TransitionError::Trashed | TransitionError::NotTrashed) => return Some(Code::NotFound),
            Err(TransitionError::NotDue) => return Some(Code::Conflict),
        };
        assert!(change.to.is_sound(), "{change:?}");
        self.lifecycle = change.to;
        self.version += 1;
        match change.content {
            Content::Keep => {}
            Content::Replace => (self.live, self.draft) = (saved.unwrap(), None),
            Content::Stage => self.draft = saved,
            Content::Promote => self.live = self.draft.take().unwrap_or_else(|| self.live.clone()),
            Content::DropDraft => self.draft = None,
        }
        None
    }
}

/// One entry, and what the rules say of it.
struct Run<'a> {
    site: &'a Site,
    id: EntryId,
    collection: &'static str,
    model: Model,
    saves: u32,
}

impl<'a> Run<'a> {
    async fn begin(site: &'a Site, collection: &'static str) -> Self {
        let new = json!({ "collection": collection, "data": { "title": "T" } });
        let answer = site.done::<CreateEntry>(Role::Author, new).await;
        let id = answer["item"]["id"].as_str().unwrap().parse().unwrap();
        let model = Model { lifecycle: Lifecycle::NEW, live: "T".to_owned(), draft: None, version: 1 };
        Self { site, id, collection, model, saves: 0 }
    }

    fn named(&self) -> Value {
        json!({ "collection": self.collection, "id": self.id })
    }

    async fn step(&mut self, step: Step) {
        let site = self.site;
        let now = site.now();
        let mut input = self.named();
        let (command, done) = match step {
            Step::Save => {
                self.saves += 1;
                let title = format!("T{}", self.saves);
                input["data"] = json!({ "title": title });
                let command = Command::Save { stage: self.collection == "posts", date: Patch::Keep };
                let expected = self.model.obey(command, Some(title), now);
                return self.compare(expected, site.call::<UpdateEntry>(Role::Author, input).await).await;
            }
            Step::Date(seconds) => {
                let state = self.model.lifecycle;
                let date = "2026-12-31T00:00:00Z".parse::<Timestamp>().unwrap().after(Duration::from_secs(seconds));
                input["publishedAt"] = json!(date);
                let command = Command::Save { stage: self.collection == "posts", date: Patch::Set(date) };
                let saved = self.model.draft.clone().unwrap_or_else(|| self.model.live.clone());
                // The date that it has already changes nothing.
                let is_other = state.working_date() != Some(date) || state.deleted_at.is_some();
                let expected = if is_other { self.model.obey(command, Some(saved), now) } else { None };
                return self.compare(expected, site.call::<UpdateEntry>(Role::Editor, input).await).await;
            }
            Step::Publish => (Command::Publish { date: None }, site.call::<PublishEntry>(Role::Author, input).await),
            Step::Unpublish => (Command::Unpublish, site.call::<UnpublishEntry>(Role::Author, input).await),
            Step::Schedule(seconds) => {
                let at = now.after(Duration::from_secs(seconds));
                input["scheduledAt"] = json!(at);
                (Command::Schedule { at }, site.call::<ScheduleEntry>(Role::Author, input).await)
            }
            Step::Unschedule => (Command::Unschedule, site.call::<UnscheduleEntry>(Role::Author, input).await),
            Step::End(seconds) => {
                let at = seconds.map(|seconds| now.after(Duration::from_secs(seconds)));
                input["unpublishAt"] = json!(at);
                (Command::PlanEnd { at }, site.call::<ScheduleUnpublish>(Role::Author, input).await)
            }
            Step::Discard => (Command::DiscardDraft, site.call::<DiscardDraft>(Role::Author, input).await),
            Step::Trash => (Command::Trash, site.call::<DeleteEntry>(Role::Author, input).await),
            Step::Restore => (Command::Restore, site.call::<RestoreEntry>(Role::Author, input).await),
            Step::Wait(seconds) => {
                site.clock().advance(Duration::from_secs(seconds));
                publish_due(site.cms()).await.unwrap();
                if let Some(planned) = self.model.lifecycle.unpublish_at {
                    self.model.obey(Command::UnpublishDue { planned }, None, site.now());
                }
                if let Some(planned) = self.model.lifecycle.scheduled_at {
                    self.model.obey(Command::PublishDue { planned }, None, site.now());
                }
                return self.compare(None, Ok(Value::Null)).await;
            }
        };
        let expected = self.model.obey(command, None, now);
        self.compare(expected, done).await;
    }

    async fn compare(&self, expected: Option<Code>, done: Result<Value, Error>) {
        assert_eq!(done.err().map(|error| error.code()), expected);
        let entry = self.site.store().reader().entries().get(Visibility::Working, self.id, Trash::Include).await.unwrap().unwrap();
        assert_eq!(Model::of(&entry), self.model);
        let lifecycle = self.model.lifecycle;
        let public = lifecycle.status == Status::Published && lifecycle.deleted_at.is_none();
        let shown = self.site.call::<GetEntry>(Role::Subscriber, self.named()).await;
        assert_eq!(shown.ok().map(|answer| answer["item"]["data"]["title"].clone()), public.then(|| json!(self.model.live)));
    }
}

both! {
    async fn random_commands_reach_what_the_rules_say(app: TestApp) {
        let site = Site::open(app).await;
        let mut runner = TestRunner::deterministic();
        let cases = (any::<bool>(), vec(step(), 1..30));
        for _ in 0..CASES {
            let (stages, steps) = cases.new_tree(&mut runner).unwrap().current();
            let mut run = Run::begin(&site, if stages { "posts" } else { "plain" }).await;
            eprintln!("{} {steps:?}", run.collection);
            for step in steps {
                // `plain` does not support schedules.
                if stages || !matches!(step, Step::Schedule(_) | Step::End(_)) {
                    run.step(step).await;
                }
            }
        }
    }
}
