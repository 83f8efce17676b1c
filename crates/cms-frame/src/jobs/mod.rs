//! Jobs: work that goes on beside requests, step by step, and survives the server that does it.
//!
//! An operation asks for one with [`Cx::enqueue`], in its own transaction: the job is there if, and only if, the operation succeeded. A server that has
//! time does it, one step after another. What a step writes and how far the job is afterwards are stored together, so that no step is done twice, however
//! often a server is killed. Who is stopped, or believed dead, stores nothing more.

mod claims;
mod step;

use std::{
    fmt,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use cms_domain::{
    access::{Access, Actor, Caller, Permit, Via, to},
    event::Event,
    id::{EntryId, JobId, UserId},
    job::{JobCommand, JobState},
};
use cms_storage::{NewJob, StoredJob};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use tokio::sync::watch;

pub use claims::Claims;
pub use step::Stepped;

use crate::{
    Cms, Code, Cx, Error,
    descriptor::{Declaration, Pending},
    operation::{Http, Proof, Tool},
};

/// For how long a job is a server's without a word from it. Then another one goes on with it.
pub const LEASE: Duration = Duration::from_secs(10);
/// How long one step may take unless the job says otherwise. Steps are meant to take much less: whoever stops a job waits for none, but a server that
/// stops waits for all.
pub const STEP: Duration = Duration::from_mins(1);
/// How often in a row a job is tried that does not get on.
pub const ATTEMPTS: i32 = 5;
/// How many items of a job that failed are remembered. All are counted.
pub const FAILED_ITEMS: u64 = 1000;
/// The longest text that is kept of an item, of why it failed, and of what a job is at, in characters.
const LONGEST_TEXT: usize = 1000;

/// What jobs are sorted by unless they say otherwise: lower ones go first.
pub const PRIORITY: i16 = 100;

/// Tells whoever commands a job that it is in no state for that. Whoever asks twice has what they wanted, and is refused nothing.
pub fn not_taken(command: JobCommand, state: JobState) -> Result<(), Error> {
    if state == command.leads_to() {
        return Ok(());
    }
    let is = match state {
        JobState::Queued => "waits to be done",
        JobState::Running => "is being done",
        JobState::Paused => "is paused",
        JobState::Done => "is done",
        JobState::Failed => "has failed",
        JobState::Cancelled => "was cancelled",
    };
    let wanted = match command {
        JobCommand::Pause => "only what waits or is being done can be paused",
        JobCommand::Resume => "only what is paused can be resumed",
        JobCommand::Cancel => "only what is not over can be cancelled",
        JobCommand::Retry => "only what has failed can be tried again",
    };
    Err(Error::with(Code::Conflict, format!("the job {is}: {wanted}")).details(json!({ "state": state })))
}

/// Work that is asked for. Whoever does it may be in another crate than whoever asks.
pub trait Order: Serialize + DeserializeOwned + Send + 'static {
    /// Names the kind of work, beginning with whose it is: `content.import`.
    const KIND: &'static str;
    /// What people call it: `Import content`.
    const TITLE: &'static str;
    /// Grows when the order, or the checkpoint of whoever does it, becomes another one that older jobs do not have: these are given up, and say so.
    const VERSION: i32 = 1;
}

/// Does work of a kind.
pub trait Job: Send + Sync + 'static {
    /// What is to be done.
    type Order: Order;
    /// Where to go on. A job begins with the default one.
    type Checkpoint: Serialize + DeserializeOwned + Default + Send;
    /// How long one step may take.
    const STEP: Duration = STEP;
    /// Who may do it. Unless that is the server alone, it is done for whoever asked for it, with what they may at each step: once their session or
    /// token has ended, their role is lower or their account disabled, it stops.
    const ACCESS: Access = Access::System;

    /// Does the next step. What it writes with `cx` is stored together with what it answers, or not at all.
    fn step(
        &self,
        work: Work<Self::Order, Self::Checkpoint>,
        cx: &mut Cx<'_>,
    ) -> impl Future<Output = Result<Stride<Self::Checkpoint>, Error>> + Send;
}

impl<J: Job> Job for Arc<J> {
    type Order = J::Order;
    type Checkpoint = J::Checkpoint;
    const STEP: Duration = J::STEP;
    const ACCESS: Access = J::ACCESS;

    async fn step(&self, work: Work<J::Order, J::Checkpoint>, cx: &mut Cx<'_>) -> Result<Stride<J::Checkpoint>, Error> {
        J::step(self, work, cx).await
    }
}

/// What is to be done, and how far it is.
#[derive(Debug)]
pub struct Work<O, C> {
    /// The job.
    pub job: JobId,
    /// Who asked for it; none where the server did.
    pub asked_by: Option<UserId>,
    /// What is to be done.
    pub order: O,
    /// Where to go on.
    pub at: C,
    /// How much is done.
    pub done: u64,
    /// How much there is to do, where that is known.
    pub total: Option<u64>,
}

/// How far a step came.
#[derive(Debug)]
pub struct Stride<C> {
    next: Option<C>,
    result: Option<Value>,
    done: u64,
    total: Option<u64>,
    note: Option<String>,
    failed: Vec<Failed>,
}

/// An item of a job that failed.
#[derive(Debug)]
pub struct Failed {
    item: String,
    message: String,
    entry: Option<EntryId>,
    code: Option<Code>,
}

impl Failed {
    /// It is an entry.
    pub fn of(&mut self, entry: EntryId) -> &mut Self {
        self.entry = Some(entry);
        self
    }

    /// Why, for programs, and for whoever says it in another language.
    pub fn with(&mut self, code: Code) -> &mut Self {
        self.code = Some(code);
        self
    }
}

impl<C> Stride<C> {
    /// There is more to do, from `next` on. So much is done in all.
    pub fn to(next: C, done: u64) -> Self {
        Self { next: Some(next), result: None, done, total: None, note: None, failed: Vec::new() }
    }

    /// It was the last step. So much was done in all.
    pub fn end(done: u64) -> Self {
        Self { next: None, result: None, done, total: None, note: None, failed: Vec::new() }
    }

    /// How much there is to do. What was said before holds unless it is said again.
    #[must_use]
    pub fn of(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// What the job is at, for people.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// What came of the job.
    #[must_use]
    pub fn result(mut self, result: Value) -> Self {
        self.result = Some(result);
        self
    }

    /// An item failed, and the job goes on. `item` says which one, in words that whoever reads it understands. More can be said of what is answered.
    pub fn failed(&mut self, item: impl Into<String>, message: impl Into<String>) -> &mut Failed {
        self.failed.push_mut(Failed { item: item.into(), message: message.into(), entry: None, code: None })
    }
}

/// A job that is wanted.
#[derive(Debug)]
pub struct Wanted<O> {
    order: O,
    name: Option<String>,
    most: Option<u64>,
    priority: i16,
    total: Option<u64>,
}

impl<O: Order> Wanted<O> {
    /// A job.
    pub fn new(order: O) -> Self {
        Self { order, name: None, most: None, priority: PRIORITY, total: None }
    }

    /// Of the jobs of its kind with this name one is under way: whoever wants another one gets that.
    #[must_use]
    pub fn only(mut self, name: impl fmt::Display) -> Self {
        self.name = Some(format!("{}:{name}", O::KIND));
        self
    }

    /// Of the jobs of its kind that one person asked for so many may be under way: whoever wants more is refused with `RATE_LIMITED`.
    #[must_use]
    pub fn at_most(mut self, most: u64) -> Self {
        self.most = Some(most);
        self
    }

    /// What the job is called, if it is the only one of its name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// How much there is to do.
    #[must_use]
    pub fn of(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// Goes before those with a higher priority.
    #[must_use]
    pub fn priority(mut self, priority: i16) -> Self {
        self.priority = priority;
        self
    }
}

/// A kind of job as data.
pub struct Kind {
    /// [`Order::KIND`].
    pub id: &'static str,
    /// [`Order::TITLE`].
    pub title: &'static str,
    /// [`Order::VERSION`].
    pub version: i32,
    declaration: Declaration,
    source: Box<dyn Source>,
}

impl Kind {
    /// A kind of job as data. Call it where the job is declared: its code is compiled here.
    pub fn of<J: Job>(job: J) -> Self {
        let declaration = Declaration {
            id: J::Order::KIND,
            access: J::ACCESS,
            http: Http::NONE,
            tool: Tool::Hidden,
            limit: None,
            proof: Proof::Any,
            failures: &[],
            later: &[],
            time: J::STEP,
            group: None,
        };
        Self { id: declaration.id, title: J::Order::TITLE, version: J::Order::VERSION, declaration, source: Box::new(Typed(job)) }
    }

    /// Whom such a job is done for that somebody asks for, as it is kept; none where the server does it for itself.
    pub fn acts_for(&self, actor: &Actor) -> Result<Option<String>, Error> {
        match actor {
            _ if self.declaration.access == Access::System => Ok(None),
            Actor::System => Ok(None),
            Actor::User(caller) => Ok(Some(kept(caller)?)),
            Actor::Anonymous => Err(Error::new(Code::NotAuthenticated)),
        }
    }
}

/// Whom a job is done for, as it is kept.
fn kept(caller: &Caller) -> Result<String, Error> {
    Ok(serde_json::to_string(caller)?)
}

/// A stride, in JSON.
type RawStride = Stride<String>;

/// Where the types of a job are known.
trait Source: Send + Sync {
    fn step<'a>(&'a self, job: &'a StoredJob, cx: &'a mut Cx<'_>) -> Pending<'a, Result<RawStride, Error>>;
}

struct Typed<J>(J);

impl<J: Job> Typed<J> {
    /// What is to be done, from the row. An error is one that no other attempt mends.
    fn work(job: &StoredJob) -> Result<Work<J::Order, J::Checkpoint>, Error> {
        let unreadable = |problem: &dyn fmt::Display| {
            let message = format!("it was asked for by another release, and this one cannot go on with it: ask for it again ({problem})");
            Error::with(Code::ValidationError, message)
        };
        if job.version != J::Order::VERSION {
            return Err(unreadable(&format_args!("it is of version {}, and this release knows {}", job.version, J::Order::VERSION)));
        }
        let order = serde_json::from_str(&job.input).map_err(|error| unreadable(&error))?;
        let at = job.checkpoint.as_deref().map(serde_json::from_str).transpose().map_err(|error| unreadable(&error))?.unwrap_or_default();
        Ok(Work { job: job.id, asked_by: job.asked_by, order, at, done: job.done, total: job.total })
    }
}

impl<J: Job> Source for Typed<J> {
    fn step<'a>(&'a self, job: &'a StoredJob, cx: &'a mut Cx<'_>) -> Pending<'a, Result<RawStride, Error>> {
        Box::pin(async move {
            let Stride { next, result, done, total, note, failed } = self.0.step(Self::work(job)?, cx).await?;
            let next = next.map(|next| serde_json::to_string(&next)).transpose()?;
            Ok(Stride { next, result, done, total, note, failed })
        })
    }
}

/// The kinds of jobs of a system, and who waits for one.
pub(crate) struct Jobs {
    kinds: RwLock<Arc<Vec<Arc<Kind>>>>,
    /// Counts what happened to any.
    changed: watch::Sender<u64>,
}

impl Jobs {
    pub(crate) fn new(kinds: Vec<Kind>) -> Self {
        let kinds = kinds.into_iter().map(Arc::new).collect();
        Self { kinds: RwLock::new(Arc::new(kinds)), changed: watch::Sender::new(0) }
    }

    /// Wakes whoever waits for a job to do, or does one that may have been stopped.
    pub(crate) fn wake(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }
}

impl Cms {
    /// Adds kinds of jobs of a host. All of them, or none when there is one of the name.
    pub fn add_jobs(&self, kinds: impl IntoIterator<Item = Kind>) -> Result<(), Error> {
        let mut known = self.jobs().kinds.write().unwrap_or_else(PoisonError::into_inner);
        let mut all = (**known).clone();
        for kind in kinds {
            if all.iter().any(|other| other.id == kind.id) {
                return Err(Error::with(
                    Code::Conflict,
                    format!("the kind of job `{}` cannot be added: there is one of this name", kind.id),
                ));
            }
            all.push(Arc::new(kind));
        }
        *known = Arc::new(all);
        drop(known);
        self.jobs().wake();
        Ok(())
    }

    /// The kinds of jobs that this program knows.
    pub fn job_kinds(&self) -> Arc<Vec<Arc<Kind>>> {
        Arc::clone(&self.jobs().kinds.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Tells whenever a job may be there to do, or one that is done may have been stopped.
    pub fn jobs_changed(&self) -> watch::Receiver<u64> {
        self.jobs().changed.subscribe()
    }
}

impl Cx<'_> {
    /// What is under way for the caller goes on for them by another credential, which takes the place of the one that they came with.
    pub async fn go_on_by(&mut self, permit: &Permit<to::Account>, via: Via) -> Result<(), Error> {
        let Actor::User(caller) = self.actor() else { return Ok(()) };
        let (before, after) = (kept(caller)?, kept(&Caller { via, ..caller.clone() })?);
        Ok(self.tx().await?.jobs().act_on(permit, &before, &after).await?)
    }

    /// Asks for a job, which is begun when the invocation has succeeded. Answers with the one of the name that is under way, if there is one, unless
    /// there may be several.
    pub async fn enqueue<O: Order>(&mut self, wanted: Wanted<O>) -> Result<JobId, Error> {
        Ok(self.enqueue_from(wanted, None, 0).await?.0)
    }

    /// Asks for a job, and refuses where one of its name is under way.
    pub async fn enqueue_first<O: Order>(&mut self, wanted: Wanted<O>) -> Result<JobId, Error> {
        match self.enqueue_from(wanted, None, 0).await? {
            (id, true) => Ok(id),
            (id, false) => {
                let message = "one of yours is under way: let it end, or cancel it";
                Err(Error::with(Code::Conflict, message).details(json!({ "job": id })))
            }
        }
    }

    /// Asks for the rest of a job of which the invocation itself did the beginning: it goes on at `next`, and so much is done.
    pub async fn enqueue_rest<J: Job>(&mut self, wanted: Wanted<J::Order>, next: &J::Checkpoint, done: u64) -> Result<JobId, Error> {
        let next = serde_json::to_string(next)?;
        Ok(self.enqueue_from(wanted, Some(next), done).await?.0)
    }

    /// Does the first `steps` of a job in this invocation, which may be all of it, and asks for the rest. What fails of its items fails with nobody: a job
    /// whose items may fail is not begun like this.
    pub async fn begin<J: Job>(&mut self, job: &J, wanted: Wanted<J::Order>, steps: usize) -> Result<(), Error>
    where
        J::Order: Clone,
    {
        let (mut at, mut done) = (J::Checkpoint::default(), 0);
        for _ in 0..steps {
            let work =
                Work { job: self.new_id(), asked_by: self.actor().user(), order: wanted.order.clone(), at, done, total: wanted.total };
            let stride = job.step(work, self).await?;
            done = stride.done;
            match stride.next {
                Some(next) => at = next,
                None => return Ok(()),
            }
        }
        self.enqueue_rest::<J>(wanted, &at, done).await.map(drop)
    }

    /// Adds a job, or finds the one of its name that is under way. Says which job it is, and whether it is a new one.
    async fn enqueue_from<O: Order>(&mut self, wanted: Wanted<O>, checkpoint: Option<String>, done: u64) -> Result<(JobId, bool), Error> {
        let kinds = self.cms().job_kinds();
        let Some(kind) = kinds.iter().find(|kind| kind.id == O::KIND) else {
            return Err(Error::internal(format!("nobody does jobs of the kind `{}`", O::KIND)));
        };
        let acts_for = kind.acts_for(self.actor())?;
        let Wanted { order, name, most, priority, total } = wanted;
        if let (Some(most), Some(user)) = (most, self.actor().user()) {
            let tx = self.tx().await?;
            // Requests of one person are counted one after another.
            tx.users().lock(user).await?;
            if tx.reader().jobs().open_of(O::KIND, user).await? >= most {
                return Err(Error::with(Code::RateLimited, format!("{most} of yours are under way: let one end, or cancel one")));
            }
        }
        let job = NewJob {
            id: self.new_id(),
            kind: O::KIND,
            version: O::VERSION,
            input: serde_json::to_string(&order)?,
            name,
            asked_by: self.actor().user(),
            acts_for,
            priority,
            checkpoint,
            done,
            total,
            created_at: self.now(),
        };
        if self.tx().await?.jobs().insert(&job).await? {
            self.emit(Event::Job { job: job.id });
            return Ok((job.id, true));
        }
        let name = job.name.ok_or_else(|| Error::internal("a job has the id of another one"))?;
        // It may have ended in between: whoever tries again finds none.
        Ok((self.tx().await?.jobs().by_name(&name).await?.ok_or_else(Error::overtaken)?.id, false))
    }
}

/// As much of a text as is kept.
fn short(text: impl AsRef<str>) -> String {
    let text = text.as_ref();
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
