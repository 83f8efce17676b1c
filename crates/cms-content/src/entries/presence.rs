//! Who has an entry open, as everybody is told who has it open too.
//!
//! An event stream of a person is noted with the entries that it is about, so that the streams of other people find it in the database, whichever
//! server they are at. It is noted beside the stream, four times a minute, however often the stream looks what is new.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor},
    id::{EntryId, StreamId, UserId},
    time::Timestamp,
    user::User,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use cms_storage::Watcher;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{sync::watch, time::timeout};

/// How long a person is believed to be there after a note: two notes may come to nothing before somebody vanishes who is there, and a server that was
/// killed leaves nobody behind for longer.
pub const BELIEVED: Duration = Duration::from_secs(45);
/// How often a stream is noted.
const EVERY: Duration = Duration::from_secs(15);
/// How long a person stays after their stream ended. A browser that opens another stream at once, since it has another entry open by now, the
/// stream was old, or the server was started again, neither goes nor comes.
pub const LEAVING: Duration = Duration::from_secs(3);
/// From how many streams at most it is told who is there: ten for each of as many entries as anybody asks for, which one look reads at no cost.
const MOST: usize = 500;

/// Somebody who has an entry open.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The user.
    pub user_id: UserId,
    /// The user's name, or address where there is no name.
    pub user_name: String,
    /// The user's picture, if there is one.
    pub avatar_url: Option<String>,
}

impl Person {
    pub(super) fn of(user: &User) -> Self {
        Self { user_id: user.id, user_name: user.known_as().to_owned(), avatar_url: user.avatar_url.clone() }
    }
}

/// Who else has entries open.
pub(super) async fn others(cx: &Cx<'_>, entries: &[EntryId]) -> Result<Vec<Watcher>, Error> {
    Ok(cx.read().watchers().of(entries, cx.actor().user(), cx.now(), MOST).await?)
}

/// Has others know that the caller has entries open, as long as the event stream lasts that is answered.
///
/// Programs that come with a token are not shown: they watch for somebody, who need not be there.
pub(super) fn show(cx: &Cx<'_>, entries: &[EntryId]) {
    let (Some(stream), Actor::User(caller)) = (&cx.client().stream, cx.actor()) else { return };
    if cx.actor().in_person().is_err() {
        return;
    }
    if let Some(presence) = stream.keep(|| Presence::begin(cx, caller.user)) {
        presence.is_at(entries);
    }
}

/// That a person is there, which ends when it is dropped: the entries that they have open.
struct Presence(watch::Sender<Vec<EntryId>>);

impl Presence {
    fn begin(cx: &Cx<'_>, user: UserId) -> Self {
        let (entries, told) = watch::channel(Vec::new());
        cx.cms().in_background(note(cx.cms().beside_requests(), cx.new_id(), user, told));
        Self(entries)
    }

    fn is_at(&self, entries: &[EntryId]) {
        self.0.send_if_modified(|before| {
            let are_others = before != entries;
            if are_others {
                entries.clone_into(before);
            }
            are_others
        });
    }
}

/// Notes where a person is: at once, again and again, and that they left.
async fn note(cms: Cms, stream: StreamId, user: UserId, mut told: watch::Receiver<Vec<EntryId>>) {
    let mut has_left = false;
    while !has_left {
        has_left = matches!(timeout(EVERY, told.changed()).await, Ok(Err(_)));
        let entries = told.borrow_and_update().clone();
        if !entries.is_empty() {
            // One that came to nothing is in the log, and the next one comes soon.
            let _ = cms.invoke(&Actor::System, Door::Local, NotePresence { stream, user, entries, has_left }).await;
        }
    }
}

/// Note that somebody has entries open, or had.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NotePresence {
    /// The event stream that watches the entries.
    pub stream: StreamId,
    /// Whose it is.
    pub user: UserId,
    /// The entries.
    pub entries: Vec<EntryId>,
    /// Whether the stream has ended.
    pub has_left: bool,
}

/// What was noted.
#[derive(Debug, Serialize, JsonSchema)]
pub struct NotedPresence {
    /// Until when the user is believed to be there.
    pub until: Timestamp,
}

impl Operation for NotePresence {
    const ID: &'static str = "content.note_presence";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = NotedPresence;

    async fn run(self, cx: &mut Cx<'_>) -> Result<NotedPresence, Error> {
        let until = cx.now().after(if self.has_left { LEAVING } else { BELIEVED });
        cx.tx().await?.watchers().note(self.stream, self.user, &self.entries, until).await?;
        Ok(NotedPresence { until })
    }
}
