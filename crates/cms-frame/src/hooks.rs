//! Hooks: what a host wants to say of a change before it is made, and what it does after one. Areas name the moments; hooks that are asked before answer with a
//! patch or a refusal.
//!
//! Nobody waits for a hook: one that is asked before is asked while a change is prepared, before anything is written, and whoever writes elsewhere goes on. One
//! that is told after is told beside requests, by one server at a time: of every change, in their order, at least once, whatever is killed meanwhile.

use std::{
    fmt,
    panic::AssertUnwindSafe,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use cms_domain::{event::Event, time::Timestamp};
use cms_storage::Reader;
use futures_util::FutureExt;
use serde_json::{Map, Value, json};
use tokio::{sync::Notify, time::timeout};

use crate::{Cms, Code, Cx, Error, descriptor::Pending, panic_message};

/// What hooks are sorted by unless they say otherwise: lower ones are asked first.
pub const PRIORITY: i32 = 100;
/// How long a hook may take unless it says otherwise: an editor waits for it.
pub const TIME: Duration = Duration::from_secs(5);
/// How many times a hook is told of one change that it fails at before it is passed over: with the waits in between, two minutes of a neighbour's outage.
pub const ATTEMPTS: i32 = 7;

/// After an event was committed that the host or a plugin told with an operation of its own ([`Event::Custom`]): its name as `event`, and its `details`.
/// A hook that is [`about`](Hook::about) something names events.
pub const AFTER_EVENT: &str = "host:afterEvent";

/// What a hook is told: the change, in JSON, with those of the fields that it asked for.
pub type Proposal = Map<String, Value>;

/// Says something of a change before it is made.
pub trait Before: Send + Sync + 'static {
    /// What it says. If it changes the very thing that it is asked about, it waits for itself. It may be asked again about the same change, when others were faster than whoever makes it.
    fn run<'a>(&'a self, proposal: &'a Proposal) -> Pending<'a, Result<Verdict, HookError>>;
}

/// Does something after a change was made.
pub trait After: Send + Sync + 'static {
    /// Is told of a change. What it is shown is as it is now, which may be later than the change. After a failure, and after a server was killed in the
    /// middle of it, it is told once more: what must not happen twice is for it to know.
    fn run<'a>(&'a self, change: &'a Proposal) -> Pending<'a, Result<(), HookError>>;
}

/// What a hook says of a change.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It may be made.
    Pass,
    /// It may be made with other values of some fields; null clears one.
    Patch(Map<String, Value>),
    /// It may not be made.
    Refuse {
        /// A stable code for programs.
        code: String,
        /// What the person is told whose change it is.
        message: String,
    },
}

/// Why a hook failed; for the log alone.
pub type HookError = Box<dyn std::error::Error + Send + Sync>;

/// What becomes of a change when a hook fails, takes too long or answers what cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFailure {
    /// It is refused.
    #[default]
    Abort,
    /// It is made as if there were no such hook, and the log says so.
    Continue,
}

/// A hook as a host registers it.
pub struct Hook {
    id: String,
    moment: &'static str,
    about: Vec<String>,
    fields: Vec<String>,
    priority: i32,
    time: Duration,
    on_failure: OnFailure,
    does: Does,
    /// Of what happened from then on it is told, the first time that there is one of its name.
    since: Timestamp,
}

/// When a hook is run.
#[derive(Clone)]
enum Does {
    Before(Arc<dyn Before>),
    After(Arc<dyn After>),
}

impl Hook {
    /// A hook for a moment such as `content:beforeSave`. Its id names it in the log and to whoever is refused, and is the host's own:
    /// `shop.prices`.
    pub fn new(id: impl Into<String>, moment: &'static str, before: impl Before) -> Self {
        Self::of(id.into(), moment, Does::Before(Arc::new(before)))
    }

    /// A hook for a moment such as `content:afterPublish`. Its id also names how far it has come: a hook of that id that is added later, or by another
    /// server, is told of what happened since.
    pub fn after(id: impl Into<String>, moment: &'static str, after: impl After) -> Self {
        Self::of(id.into(), moment, Does::After(Arc::new(after)))
    }

    fn of(id: String, moment: &'static str, does: Does) -> Self {
        Self {
            id,
            moment,
            about: Vec::new(),
            fields: Vec::new(),
            priority: PRIORITY,
            time: TIME,
            on_failure: OnFailure::default(),
            does,
            since: Timestamp::from_milliseconds(0),
        }
    }

    /// Is asked of these alone: the collections of a moment of content, the names of events. Of all unless it says so.
    #[must_use]
    pub fn about(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.about = names.into_iter().map(Into::into).collect();
        self
    }

    /// Is shown the values of these fields. Of none unless it says so.
    #[must_use]
    pub fn reads(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = fields.into_iter().map(Into::into).collect();
        self
    }

    /// Is asked before those with a higher priority; among equals in the order in which they were registered.
    #[must_use]
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = priority;
        self
    }

    /// Is given up after this long.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// What becomes of a change when it fails. One that is told after a change can stop nothing: it is told again, and passed over in the end.
    #[must_use]
    pub fn on_failure(mut self, on_failure: OnFailure) -> Self {
        self.on_failure = on_failure;
        self
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it is shown the value of a field.
    pub fn sees(&self, field: &str) -> bool {
        self.fields.iter().any(|known| known == field)
    }

    /// How long it may take.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Of what happened from then on it is told, if nothing is known yet of how far it has come.
    pub fn since(&self) -> Timestamp {
        self.since
    }

    /// Whether it is run at a moment that is about something.
    pub fn is_asked(&self, moment: &str, about: &str) -> bool {
        self.moment == moment && (self.about.is_empty() || self.about.iter().any(|known| known == about))
    }

    /// What it says, if it says something that can be.
    async fn answer(&self, proposal: &Proposal) -> Result<Verdict, String> {
        match &self.does {
            Does::Before(before) => self.outcome(async { before.run(proposal).await }).await,
            Does::After(_) => Ok(Verdict::Pass),
        }
    }

    /// Tells it of a change that was made. The reason why it failed is for the log and the operator.
    pub async fn tell(&self, change: &Proposal) -> Result<(), String> {
        match &self.does {
            Does::After(after) => self.outcome(async { after.run(change).await }).await,
            Does::Before(_) => Ok(()),
        }
    }

    async fn outcome<T>(&self, run: impl Future<Output = Result<T, HookError>>) -> Result<T, String> {
        match timeout(self.time, AssertUnwindSafe(run).catch_unwind()).await {
            Err(_) => Err(format!("it did not answer within {:?}", self.time)),
            Ok(Err(panic)) => Err(format!("it panicked: {}", panic_message(&*panic))),
            Ok(Ok(answer)) => answer.map_err(|error| error.to_string()),
        }
    }

    /// The failure of the hook, or nothing where the change is made all the same. The reason is for the log.
    pub fn failed(&self, reason: &str) -> Result<(), Error> {
        tracing::error!(hook = self.id, reason, "a hook failed");
        match self.on_failure {
            OnFailure::Continue => Ok(()),
            OnFailure::Abort => {
                let message = format!("the hook `{}` of this site failed, and nothing was changed: tell whoever runs the site", self.id);
                Err(Error::with(Code::HookFailed, message))
            }
        }
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hook").field("id", &self.id).field("moment", &self.moment).finish_non_exhaustive()
    }
}

/// The hooks of a system.
#[derive(Default)]
pub(crate) struct Hooks {
    known: RwLock<Arc<Vec<Arc<Hook>>>>,
    /// Wakes whoever tells them what happened.
    happened: Notify,
}

impl Hooks {
    /// Something happened.
    pub(crate) fn wake(&self) {
        self.happened.notify_one();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all().is_empty()
    }

    fn all(&self) -> Arc<Vec<Arc<Hook>>> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Cms {
    /// Registers hooks: the next change is shown to them. All of them, or none when one has the id of another, or of a moment that there is not.
    pub fn add_hooks(&self, hooks: impl IntoIterator<Item = Hook>) -> Result<(), Error> {
        let since = self.now();
        let added: Vec<_> = hooks.into_iter().map(|hook| Arc::new(Hook { since, ..hook })).collect();
        let mut known = self.hooks().known.write().unwrap_or_else(PoisonError::into_inner);
        let mut all = (**known).clone();
        for hook in &added {
            let moments = self.moments(&hook.does);
            let problem = if all.iter().any(|other| other.id == hook.id) {
                Some("there is a hook of this id".to_owned())
            } else if moments.contains(&hook.moment) {
                None
            } else {
                Some(format!("there is no moment `{}`, but {}", hook.moment, moments.join(", ")))
            };
            if let Some(problem) = problem {
                return Err(Error::with(Code::Conflict, format!("the hook `{}` cannot be added: {problem}", hook.id)));
            }
            all.push(Arc::clone(hook));
        }
        // Stable: among equals the first stays first.
        all.sort_by_key(|hook| hook.priority);
        *known = Arc::new(all);
        drop(known);
        self.hooks().wake();
        Ok(())
    }

    /// The moments at which there are hooks.
    fn moments(&self, does: &Does) -> Vec<&'static str> {
        let moments = self.areas().iter().flat_map(|area| match does {
            Does::Before(_) => area.moments(),
            Does::After(_) => area.occasions(),
        });
        let of_no_area = matches!(does, Does::After(_)).then_some(AFTER_EVENT);
        moments.copied().chain(of_no_area).collect()
    }

    /// The hooks that are told of what happened.
    pub fn after_hooks(&self) -> Vec<Arc<Hook>> {
        self.hooks().all().iter().filter(|hook| matches!(hook.does, Does::After(_))).cloned().collect()
    }

    /// What a hook is told of something that happened; nothing when it is not for it, or nothing is left of it that it could be shown.
    pub async fn to_tell(&self, rows: Reader<'_>, hook: &Hook, event: &Event) -> Result<Option<Proposal>, Error> {
        if let Event::Custom { name, details } = event {
            let told = || Proposal::from_iter([("event".to_owned(), json!(name)), ("details".to_owned(), details.clone())]);
            return Ok(hook.is_asked(AFTER_EVENT, name).then(told));
        }
        for area in self.areas() {
            let told = area.told(rows, hook, event).await?;
            if told.is_some() {
                return Ok(told);
            }
        }
        Ok(None)
    }

    /// Ends when something happened that hooks may be told of.
    pub async fn something_happened(&self) {
        self.hooks().happened.notified().await;
    }

    /// Takes hooks away. Those that are being asked are heard out.
    pub fn remove_hooks(&self, ids: &[&str]) {
        let mut known = self.hooks().known.write().unwrap_or_else(PoisonError::into_inner);
        let kept = known.iter().filter(|hook| !ids.contains(&hook.id())).cloned().collect();
        let gone = std::mem::replace(&mut *known, Arc::new(kept));
        drop(known);
        // What a hook does when it goes may be to change the hooks.
        drop(gone);
    }
}

impl Cx<'_> {
    /// The hooks of a moment that are asked about something, in their order.
    pub fn hooks(&self, moment: &str, about: &str) -> Vec<Arc<Hook>> {
        self.cms().hooks().all().iter().filter(|hook| hook.is_asked(moment, about)).cloned().collect()
    }

    /// What a hook says of a change; nothing where it failed and the change is made all the same. A refusal is an error. Only before anything is
    /// written: nobody waits for a hook.
    pub async fn ask(&self, hook: &Hook, proposal: &Proposal) -> Result<Option<Map<String, Value>>, Error> {
        if self.was_overtaken && self.before_any_write().is_err() {
            // It was added since the work began to hold what it needs.
            return Err(Error::overtaken());
        }
        self.before_any_write()?;
        match hook.answer(proposal).await {
            Ok(Verdict::Pass) => Ok(None),
            Ok(Verdict::Patch(patch)) => Ok(Some(patch)),
            Ok(Verdict::Refuse { code, message }) => {
                Err(Error::with(Code::HookRefused, message).details(json!({ "hook": hook.id, "code": code })))
            }
            Err(reason) => hook.failed(&reason).map(|()| None),
        }
    }
}
