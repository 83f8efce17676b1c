//! What an operation works with: who asks, what time it is, rows to read and one transaction to write.

use std::{
    any::Any,
    sync::{Arc, Mutex, PoisonError},
};

use cms_domain::{
    access::{Access, Actor, Permit, Purpose, Via, Visibility, to},
    entry::Entry,
    event::Event,
    id::{Id, UserId},
    locale::Locale,
    product::Product,
    time::Timestamp,
};
use cms_storage::{AuditLine, Reader, Tx};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;

use crate::{
    Client, Cms, Code, Cookie, Error, Options, audit_line,
    descriptor::{Attached, Declaration},
    limits,
    operation::{Limit, Operation},
    topics::{Subject, Topic, Watch},
};

/// How a request came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// The REST API. Edit locks apply here.
    Rest,
    /// A tool call.
    Tool,
    /// The command line, a task, or a host program.
    Local,
}

impl Door {
    /// The door as the audit log names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Tool => "tool",
            Self::Local => "local",
        }
    }
}

/// One invocation of an operation.
pub struct Cx<'a> {
    cms: &'a Cms,
    actor: &'a Actor,
    door: Door,
    client: &'a Client,
    operation: &'static str,
    access: Access,
    now: Timestamp,
    tx: Option<Tx>,
    events: Vec<Event>,
    audit: Vec<AuditLine>,
    cookies: Vec<Cookie>,
    afterwards: Vec<Afterwards>,
    /// What answers of the operation may be made of.
    made_of: &'static [Subject],
    /// Watches what this answer is made of, where it may be kept.
    watch: Option<Mutex<Watch>>,
    signature: Option<u128>,
    /// What others wait for who want to change the same thing.
    turn: Option<OwnedMutexGuard<()>>,
    /// Whether the invocation was prepared before, and others were faster.
    pub(crate) was_overtaken: bool,
    /// What came beside the input.
    pub(crate) attached: Option<Attached>,
    /// Whether what was to be made was there already.
    found: bool,
}

impl<'a> Cx<'a> {
    pub(crate) fn new(cms: &'a Cms, actor: &'a Actor, door: Door, client: &'a Client, operation: &Declaration) -> Self {
        let is_kept = operation.http.is_cached() && actor.visibility() == Visibility::Published;
        Self {
            cms,
            actor,
            door,
            client,
            made_of: operation.http.made_of,
            watch: is_kept.then(|| Mutex::new(cms.watch())),
            signature: None,
            operation: operation.id,
            access: cms.access(operation.access),
            now: cms.now(),
            tx: None,
            events: Vec::new(),
            audit: Vec::new(),
            cookies: Vec::new(),
            afterwards: Vec::new(),
            turn: None,
            was_overtaken: false,
            attached: None,
            found: false,
        }
    }

    /// When the invocation began.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// A new id.
    pub fn new_id<K>(&self) -> Id<K> {
        self.cms.new_id(self.now)
    }

    /// Who asks.
    pub fn actor(&self) -> &Actor {
        self.actor
    }

    /// The account that asks.
    ///
    /// # Errors
    ///
    /// [`Code::NotAuthenticated`] when it is no account's: the system asks, or somebody who has not signed in.
    pub fn account(&self) -> Result<UserId, Error> {
        self.actor.user().ok_or_else(|| Error::new(Code::NotAuthenticated))
    }

    /// How the request came in.
    pub fn door(&self) -> Door {
        self.door
    }

    /// Where the request came from.
    pub fn client(&self) -> &Client {
        self.client
    }

    /// What of the content the caller may see.
    pub fn visibility(&self) -> Visibility {
        self.actor.visibility()
    }

    /// How the site is set up.
    pub fn options(&self) -> &Options {
        self.cms.options()
    }

    /// What the product is called, and where it is.
    pub fn product(&self) -> &Product {
        self.cms.product()
    }

    /// The system that the invocation runs in.
    pub fn cms(&self) -> &Cms {
        self.cms
    }

    /// Proof that the caller may do something: [`to`] says what for. Whoever only asks names a permission.
    pub fn permit<P: Purpose>(&self, purpose: P) -> Result<Permit<P>, Error> {
        Ok(self.actor.permit(purpose)?)
    }

    /// Proof that the caller may do this operation to this entry.
    pub fn permit_owned(&self, entry: &Entry) -> Result<Permit<to::ChangeContent>, Error> {
        Ok(self.actor.permit_owned(self.access, entry.author, entry.lifecycle.is_approved())?)
    }

    /// Proof that the caller may do to an entry what asks for another access than this operation's own.
    pub fn permit_to(&self, access: Access, entry: &Entry) -> Result<Permit<to::ChangeContent>, Error> {
        Ok(self.actor.permit_owned(self.cms.access(access), entry.author, entry.lifecycle.is_approved())?)
    }

    /// Refuses the user of a session who did not prove lately who they are: for operations that need it for some of their inputs. The others
    /// say so with [`Operation::PROOF`].
    pub async fn require_recent_proof(&self) -> Result<(), Error> {
        self.cms.callers().must_have_proven(self.cms, self.read(), self.actor, self.now).await
    }

    /// Counts against a limit what nobody but `key` says, such as an address that is written to; refused when it was too often. In a
    /// transaction of its own that stands whatever becomes of the invocation, so before the invocation's.
    pub async fn count(&self, key: &str, limit: Limit) -> Result<(), Error> {
        self.before_any_write()?;
        limits::count(self.cms, key, limit).await
    }

    /// Counts what a client does against a limit besides [`Operation::LIMIT`], like that one. As [`Cx::count`], before any transaction.
    pub async fn admit(&self, what: &str, limit: Limit) -> Result<(), Error> {
        self.before_any_write()?;
        limits::admit(self.cms, what, self.client, limit).await
    }

    /// Refuses to wait for something else than the database while a transaction is open: others wait for its end, however long a network, a hook or
    /// a child process takes. And who holds a transaction and begins another one waits for themselves on SQLite.
    pub fn before_any_write(&self) -> Result<(), Error> {
        if self.tx.is_some() { Err(Error::internal("an operation with an open transaction waits for something else")) } else { Ok(()) }
    }

    /// Rows: those of the open transaction, if there is one.
    pub fn read(&self) -> Reader<'_> {
        self.tx.as_ref().map_or_else(|| self.cms.store().reader(), Tx::reader)
    }

    /// The invocation's transaction, opened at its first use, if what the caller came with still stands. The pipeline commits it when the operation succeeds.
    pub async fn tx(&mut self) -> Result<&Tx, Error> {
        if self.tx.is_none() {
            let caller = match self.actor {
                Actor::User(caller) if self.access != Access::Public => Some(caller),
                _ => None,
            };
            // Accounts are what stays when a credential ends: nobody ends it before what is done to them is done. For the rest it is
            // enough that it stands when the work begins, and those who write do not wait for the answer.
            let holding = matches!(self.access, Access::Account(_) | Access::System);
            if let Some(caller) = caller.filter(|_| !holding) {
                self.cms.callers().must_stand(self.cms, self.cms.store().reader(), caller, false).await?;
            }
            let tx = self.cms.store().write().await?;
            if let Some(caller) = caller.filter(|_| holding) {
                self.cms.callers().must_stand(self.cms, tx.reader(), caller, true).await?;
            }
            self.tx = Some(tx);
        }
        // Filled above; the error only spares an unwrap.
        self.tx.as_ref().ok_or_else(|| Error::internal("no transaction"))
    }

    /// Gives up a transaction in which a statement was refused, where it can do nothing more: nothing of it lasts, and what is still asked before the
    /// invocation fails is asked outside. On SQLite it goes on: what stood in the way may be a part that is not committed yet, which nobody
    /// outside sees.
    pub fn abandon(&mut self) {
        if self.has_concurrent_writers() {
            self.tx = None;
        }
    }

    /// Takes back whatever the invocation did so far: what it wrote, tells and leaves to be done. It is for who tries one thing after another, and keeps
    /// what came of it.
    pub fn start_over(&mut self) {
        self.tx = None;
        self.turn = None;
        self.events.clear();
        self.audit.clear();
        self.cookies.clear();
        self.afterwards.clear();
        self.found = false;
    }

    /// What came with the request beside the input, if it is of this type: a file that the door kept as it arrived.
    pub fn attached<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        self.attached.clone()?.downcast().ok()
    }

    /// What was to be made was there already: where the route tells that apart, success is `200 OK`.
    pub fn found(&mut self) {
        self.found = true;
    }

    /// Whether others may write at the same moment. Where nobody may, whoever writes holds everything.
    pub fn has_concurrent_writers(&self) -> bool {
        self.cms.store().backend().has_concurrent_writers()
    }

    /// Whether the answer may be kept, so that somebody watches what it is made of.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Says what the answer is made of, where it may be kept: before it is read, so that no change comes in between.
    pub fn shows(&self, topic: Topic) {
        debug_assert!(
            self.made_of.is_empty() || self.made_of.contains(&topic.subject()),
            "`{}` does not declare that its answers are made of {topic:?}",
            self.operation
        );
        if let Some(watch) = &self.watch {
            watch.lock().unwrap_or_else(PoisonError::into_inner).on(topic);
        }
    }

    /// Names the answer: of two with one name, neither shows anything that the other does not, so that one that is kept need not be made again.
    /// Where nobody keeps it, it has no name.
    pub fn sign(&mut self, signature: impl FnOnce() -> Option<u128>) {
        if self.is_watched() {
            self.signature = signature();
        }
    }

    /// The configured locale that a request names, or the default one.
    pub fn locale(&self, asked: Option<&Locale>) -> Result<Locale, Error> {
        let locales = &self.options().locales;
        match asked {
            None => Ok(locales.default_locale().clone()),
            Some(asked) => locales.resolve(asked).cloned().map_err(|unknown| Error::issue("locale", "UNKNOWN_LOCALE", unknown.to_string())),
        }
    }

    /// Whether the work is to hold what it needs before it is prepared: others were faster before, who may be so for ever, and there is no hook to
    /// wait for meanwhile.
    pub fn holds_first(&self) -> bool {
        self.was_overtaken && self.cms.hooks().is_empty()
    }

    /// Keeps others waiting for their turn until everything is done.
    pub fn keep_turn(&mut self, turn: OwnedMutexGuard<()>) {
        self.turn = Some(turn);
    }

    /// Tells what happened, once the transaction is committed.
    pub fn emit(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Adds a line to the audit log: that this operation was done to a thing, by whoever asked. Details never hold a secret.
    pub fn audit(&mut self, resource_type: &str, resource_id: impl ToString, details: &Value) {
        self.audit_as(self.actor.user(), resource_type, resource_id, details);
    }

    /// Adds a line to the audit log that says what people call the thing: what is gone later has no other name.
    pub fn audit_named(&mut self, resource_type: &str, resource_id: impl ToString, label: Option<&str>, details: &Value) {
        self.audit(resource_type, resource_id, details);
        if let Some(line) = self.audit.last_mut() {
            line.resource_label = label.map(audit_line::label);
        }
    }

    /// Adds a line to the audit log for somebody who was nobody when they asked: they are signing in.
    pub fn audit_as(&mut self, actor: Option<UserId>, resource_type: &str, resource_id: impl ToString, details: &Value) {
        let actor_kind = match self.actor {
            Actor::System => "system",
            Actor::Anonymous if actor.is_none() => "anonymous",
            Actor::Anonymous => "user",
            Actor::User(caller) => match caller.via {
                Via::Session(_) | Via::Host => "user",
                Via::Token(..) => "token",
                Via::Grant(..) => "application",
            },
        };
        self.audit.push(AuditLine {
            id: self.new_id(),
            at: self.now,
            action: self.operation.to_owned(),
            actor_kind: actor_kind.to_owned(),
            actor,
            actor_name: None,
            address: self.client.address.map(|address| address.to_string()),
            agent: self.client.agent.as_deref().map(audit_line::agent),
            request_id: self.client.request_id.clone(),
            door: Some(self.door.name().to_owned()),
            resource_type: resource_type.to_owned(),
            resource_id: Some(resource_id.to_string()).filter(|id| !id.is_empty()),
            resource_label: None,
            details: audit_line::details(details, *self.actor == Actor::Anonymous),
        });
    }

    /// Has the caller's browser keep something, once the operation succeeded.
    pub fn keep(&mut self, cookie: Cookie) {
        self.cookies.push(cookie);
    }

    /// Does something once the operation succeeded, such as sending a letter.
    pub fn afterwards(&mut self, work: impl FnOnce(&Cms) + Send + Sync + 'static) {
        self.afterwards.push(Box::new(work));
    }

    /// Does another operation as a part of this one, in a transaction of its own: whoever may do the whole may do the part. It is
    /// for what asks somebody outside in between, and must not keep others from writing meanwhile.
    ///
    /// Only operations that are built in have parts: a part is not asked again who may do it.
    pub async fn part<O: Operation>(&mut self, operation: O) -> Result<O::Output, Error> {
        if !self.cms.catalog().is_built_in(self.operation) {
            return Err(Error::internal("an operation that was added has a part, which nobody would be refused"));
        }
        self.before_any_write()?;
        let invocation = self.cms.descriptor::<O>()?.begin(operation)?;
        let mut answer = self.cms.admitted(self.actor, self.door, self.client, invocation).await?;
        self.cookies.append(&mut answer.cookies);
        answer.into_output::<O>()
    }

    /// What the invocation leaves to the pipeline. What it only tells is told if what the caller came with still stands, as what it writes is.
    pub(crate) async fn into_rest(mut self) -> Result<Rest, Error> {
        if !(self.audit.is_empty() && self.events.is_empty()) {
            self.tx().await?;
        }
        let Self { tx, events, audit, afterwards, cookies, now, watch, signature, turn, found, .. } = self;
        let watch = watch.map(|watch| watch.into_inner().unwrap_or_else(PoisonError::into_inner)).filter(Watch::has_topics);
        Ok(Rest { tx, events, audit, afterwards, cookies, now, shown: Shown { watch, signature }, found, turn })
    }
}

/// What is done once an operation succeeded.
type Afterwards = Box<dyn FnOnce(&Cms) + Send + Sync>;

/// What an invocation leaves to the pipeline when it succeeded.
pub(crate) struct Rest {
    /// Its rows.
    pub(crate) tx: Option<Tx>,
    /// What happened.
    pub(crate) events: Vec<Event>,
    /// Who did it.
    pub(crate) audit: Vec<AuditLine>,
    /// What is to be done now.
    pub(crate) afterwards: Vec<Afterwards>,
    /// What the browser is to keep.
    pub(crate) cookies: Vec<Cookie>,
    /// When it began.
    pub(crate) now: Timestamp,
    /// What the answer shows.
    pub(crate) shown: Shown,
    /// Whether what was to be made was there already.
    pub(crate) found: bool,
    /// What others wait for until it is done.
    pub(crate) turn: Option<OwnedMutexGuard<()>>,
}

/// What an answer shows.
#[derive(Debug, Default)]
pub struct Shown {
    /// Tells until when the answer is good; none when nobody can know.
    pub watch: Option<Watch>,
    /// Names what the answer shows, where the operation says it.
    pub signature: Option<u128>,
}
