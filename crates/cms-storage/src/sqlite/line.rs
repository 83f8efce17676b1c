//! The line before a pool's connections, and the groups of transactions that commit together.
//!
//! A commit costs SQLite about as much as what a short transaction writes: it copies each page that changed to its log, and most of them
//! are the same ones for every transaction. So a transaction that is done while others wait does not commit. It leaves what it did, its part,
//! in the open transaction of SQLite, hands the connection on, and waits. Whoever is next does its part behind a savepoint. The one that finds
//! nobody waiting, or the group full or old, commits for all. What that comes to:
//!
//! - `commit` returns when the part is as durable as after a commit of its own: nobody is told before SQLite has committed.
//! - Who fails, or is dropped, takes back its own part alone. The others' are committed by whoever is next, or at once if nobody is.
//! - When SQLite itself takes everything back, as it may on a disk that is full, no part lasts, and everyone who waits is told so: it may be
//!   repeated. Only when a commit fails for a reason that leaves it in doubt, they are told that nobody knows.
//! - A part may have seen the parts before it, and falls with them. Who only looks and drops its transaction may have seen what came
//!   to nothing, if SQLite fails just then.
//! - Who waits for the others waits for as long as they take: SQLite cannot commit one part without the one that is being done. So only
//!   requests share a commit. What the background does may be long, and begins when everyone before it was told.
//! - Everyone gets the connection in the order in which they came, as without groups. Who writes alone sends what it always sent.

use std::{
    ops::{Deref, DerefMut},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use deadpool::{
    Runtime,
    unmanaged::{self, Object, PoolConfig, PoolError},
};
use sea_orm::{Statement, sqlx::sqlite::SqliteConnection};
use tokio::{runtime::Handle, sync::oneshot};

use super::{execute, followed, text};
use crate::{Error, PoolLoad};

#[cfg(test)]
mod tests;

/// How many transactions commit together at most. Eight save most of what there is to save; and another program that writes to the same file looks
/// only now and then for a gap between two commits: where thirty-two commit together it finds one a few times a second.
const MEMBERS: usize = 8;
/// How long after its first part was done a group takes no more of them: nobody waits for many others that are slow.
const AGE: Duration = Duration::from_millis(20);
/// Begins a part behind others.
pub(super) const BEGIN_PART: &str = "SAVEPOINT part";
/// Ends a part that others follow.
const END_PART: &str = "RELEASE part";
/// Takes a part back. Fails if SQLite has taken back everything.
const UNDO_PART: &str = "ROLLBACK TO part;\nRELEASE part";

/// Connections, how many callers wait for one, and the group that is open: only a pool of one connection has groups.
#[derive(Clone)]
pub(super) struct Line {
    connections: unmanaged::Pool<SqliteConnection>,
    waiting: Arc<AtomicUsize>,
    /// Changed by whoever has the connection.
    group: Arc<Mutex<Option<Group>>>,
}

/// Transactions whose parts are done and not committed.
struct Group {
    /// Since when the first of them waits.
    since: Instant,
    /// Where they wait to be told.
    members: Vec<Told>,
}

type Told = oneshot::Sender<Result<(), Error>>;

impl Group {
    fn new() -> Self {
        Self { since: Instant::now(), members: Vec::new() }
    }

    fn tell(self, outcome: &Result<(), Error>) {
        for member in self.members {
            // Who does not wait any more need not know.
            drop(member.send(outcome.as_ref().copied().map_err(of_another)));
        }
    }
}

/// What those are told whose parts were taken back for what happened to another one. When SQLite answers a commit with something that is none
/// of the usual reasons, only a later look says what became of it.
fn of_another(error: &Error) -> Error {
    match error {
        Error::Full(reason) => Error::Full(reason.clone()),
        Error::Backend(reason) | Error::Unsure(reason) => Error::Unsure(reason.clone()),
        _ => Error::Busy,
    }
}

impl Line {
    /// Of at most `size` connections, and callers who wait for one at most so long.
    pub(super) fn new(size: usize, wait: Duration) -> Self {
        let config = PoolConfig { max_size: size, timeout: Some(wait), runtime: Some(Runtime::Tokio1) };
        Self { connections: unmanaged::Pool::from_config(&config), waiting: Arc::default(), group: Arc::default() }
    }

    /// How many connections there are.
    pub(super) fn size(&self) -> usize {
        self.connections.status().size
    }

    /// Whether there may be another connection.
    pub(super) fn has_room(&self) -> bool {
        self.size() < self.connections.status().max_size
    }

    /// Adds a connection. Others may have made the last ones meanwhile; then this one is not needed.
    pub(super) fn add(&self, connection: SqliteConnection) {
        drop(self.connections.try_add(connection));
    }

    /// A connection, if one is free.
    pub(super) fn free(&self) -> Option<Lease> {
        self.connections.try_get().ok().map(|connection| self.lease(connection))
    }

    /// The next connection that is free.
    pub(super) async fn next(&self) -> Result<Lease, Error> {
        let _place = Place::new(self);
        let connection = self.connections.get().await.map_err(|error| match error {
            PoolError::Timeout => Error::Waited,
            error => Error::backend(error),
        })?;
        Ok(self.lease(connection))
    }

    fn lease(&self, connection: Object<SqliteConnection>) -> Lease {
        Lease { connection, back: Back(self.clone()) }
    }

    /// How many connections are in use, how many there may be, and how many callers wait for one.
    pub(super) fn load(&self) -> PoolLoad {
        PoolLoad { waiting: self.waiting(), ..self.connections.status().into() }
    }

    /// Gives no connection to anybody any more.
    pub(super) fn close(&self) {
        self.connections.close();
    }

    fn waiting(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }

    fn group(&self) -> MutexGuard<'_, Option<Group>> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Commits what a group left open, if nobody waits who will.
    fn settle(&self) {
        if self.group().is_none() || self.waiting() > 0 {
            return;
        }
        // Whoever took the connection meanwhile sees to it.
        let Some(lease) = self.free() else { return };
        let Some(group) = lease.take_group() else { return };
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(lease.commit(group))),
            Err(_) => lease.end_without_runtime(Some(group)),
        }
    }
}

/// Somebody's place in the line.
struct Place<'a>(&'a Line);

impl<'a> Place<'a> {
    fn new(line: &'a Line) -> Self {
        line.waiting.fetch_add(1, Ordering::SeqCst);
        Self(line)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::SeqCst);
        // A group may have been handed on for the sake of this one, who left without the connection.
        self.0.settle();
    }
}

/// A connection that nobody else uses. It goes back to the others, with the group that is open on it.
pub(super) struct Lease {
    connection: Object<SqliteConnection>,
    /// Dropped behind the connection.
    back: Back,
}

/// What is looked at once a connection is back.
struct Back(Line);

impl Drop for Back {
    fn drop(&mut self) {
        self.0.settle();
    }
}

impl Deref for Lease {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.connection
    }
}

impl DerefMut for Lease {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

impl Lease {
    /// Whether others' parts are done on the connection and not committed.
    pub(super) fn has_group(&self) -> bool {
        self.back.0.group().is_some()
    }

    /// Whether a part that ends is better left to whoever is next: somebody waits, and the group is neither full nor old.
    pub(super) fn may_wait_for_others(&self) -> bool {
        let line = &self.back.0;
        line.waiting() > 0 && line.group().as_ref().is_none_or(|group| group.members.len() + 1 < MEMBERS && group.since.elapsed() < AGE)
    }

    /// Takes the connection out of the line for good.
    pub(super) fn discard(self) -> SqliteConnection {
        Object::take(self.connection)
    }

    /// Closes the connection, which takes back everything that is open.
    fn end_without_runtime(self, group: Option<Group>) {
        drop(self.discard());
        if let Some(group) = group {
            group.tell(&Err(Error::Busy));
        }
    }

    /// While SQLite is asked for something that decides about the group, it belongs to who asks: should nobody be left to hear the answer, its
    /// members are told that nobody knows.
    fn take_group(&self) -> Option<Group> {
        self.back.0.group().take()
    }

    fn put_group(&self, group: Option<Group>) {
        *self.back.0.group() = group;
    }

    /// Commits what is open, so that what follows stands alone. Goes on if nobody waits for it.
    pub(super) async fn settled(self) -> Result<Self, Error> {
        match self.take_group() {
            Some(group) => tokio::spawn(self.commit(group)).await.map_err(Error::backend),
            None => Ok(self),
        }
    }

    async fn commit(mut self, group: Group) -> Self {
        let outcome = execute(&mut self, text("COMMIT")).await.map(drop);
        if outcome.is_err() {
            self.rollback().await;
        }
        group.tell(&outcome);
        self
    }

    /// Has SQLite finish what it does, and take back the part that was begun. The others' still stand without it; if it cannot be taken back,
    /// they fell, and are told why.
    async fn undo(&mut self, joined: bool, group: Option<Group>, because: Error) -> Option<Group> {
        if joined && execute(self, text(UNDO_PART)).await.is_ok() {
            return group;
        }
        self.rollback().await;
        if let Some(group) = group {
            group.tell(&Err(because));
        }
        None
    }

    /// Takes back what is open, if SQLite has not done so itself.
    async fn rollback(&mut self) {
        if let Err(error) = execute(self, text("ROLLBACK")).await {
            tracing::debug!(%error, "there was nothing to roll back");
        }
    }
}

/// What one transaction does on a connection where others' parts are done, or others wait.
pub(super) struct Part {
    pub(super) lease: Lease,
    /// Whether others' parts were done when it began.
    pub(super) joined: bool,
}

impl Part {
    /// Takes the part back, although nobody waits for it.
    pub(super) fn abandon(self) {
        let Self { mut lease, joined } = self;
        let group = lease.take_group();
        match Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move {
                // Nothing was committed while the part was being done.
                let standing = lease.undo(joined, group, Error::Busy).await;
                lease.put_group(standing);
            })),
            Err(_) => lease.end_without_runtime(group),
        }
    }

    /// Ends the part behind a last statement, and waits until it lasts: leaves it to whoever is next, or commits it with everyone's before it. Goes
    /// on if nobody waits for it any more, because nobody could say how far it came.
    pub(super) async fn end(self, last: Option<Statement>, leaves: bool) -> Result<(), Error> {
        let (told, outcome) = oneshot::channel();
        tokio::spawn(self.run(last, leaves, told));
        outcome.await.unwrap_or_else(|_| Err(Error::unsure("nobody was left to hear whether it was committed")))
    }

    async fn run(self, last: Option<Statement>, leaves: bool, told: Told) {
        let Self { mut lease, joined } = self;
        let group = lease.take_group();
        let end = match (leaves, joined) {
            (true, false) => last,
            (true, true) => Some(followed(last, END_PART)),
            (false, _) => Some(followed(last, "COMMIT")),
        };
        let outcome = match end {
            Some(end) => execute(&mut lease, end).await.map(drop),
            None => Ok(()),
        };
        match outcome {
            Ok(()) if leaves => {
                let mut group = group.unwrap_or_else(Group::new);
                group.members.push(told);
                lease.put_group(Some(group));
            }
            Ok(()) => {
                // Whoever is next need not wait until everyone is told.
                drop(lease);
                let mut group = group.unwrap_or_else(Group::new);
                group.members.push(told);
                group.tell(&Ok(()));
            }
            Err(error) if leaves => {
                let standing = lease.undo(joined, group, Error::Busy).await;
                lease.put_group(standing);
                drop(told.send(Err(error)));
            }
            Err(error) => {
                // It may be the commit that failed, and may do so again without this part: then nobody else is to join the others.
                if let Some(group) = lease.undo(joined, group, of_another(&error)).await {
                    drop(lease.commit(group).await);
                }
                drop(told.send(Err(error)));
            }
        }
    }
}
