//! Tells hooks of a host what happened: each of everything that is for it, in order, by one server at a time.
//!
//! How far a hook has come is written down after each change that it was told of. A server that is killed in between leaves it to the next one to tell that
//! change again.

use std::{collections::HashMap, mem, sync::Arc, time::Duration};

use cms_domain::{
    access::{Access, Actor},
    time::Timestamp,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    hooks::{ATTEMPTS, Hook},
    operation::{Http, Operation, Tool},
};
use cms_storage::{Follower, OutboxPosition};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::{
    task::JoinHandle,
    time::{Instant, timeout_at},
};

use super::{Outcome, Task};
use crate::rows::Rows;

/// How many events are read at once.
const BATCH: usize = 500;
/// How long one hook is told before it is written down how far it has come, and how long hooks that are still being told are waited for before the others get their
/// turn again.
const ROUND: Duration = Duration::from_secs(1);
/// How much longer than the hook may take nobody else tells it: for what is read and written around it.
const SLACK: Duration = Duration::from_secs(10);
/// How long events that are not for a hook go by before it is written down that they did. Less than events are kept.
const WRITTEN: Duration = Duration::from_hours(1);
/// The wait before a hook is told again that failed; each further one is twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(2);
/// How long to wait where there are no hooks: a task that says nothing for longer than a few minutes is missed.
const NO_HOOKS: Duration = Duration::from_secs(30);
/// How long to wait when nothing happened here: other servers change things, too, and PostgreSQL shows them when older transactions have ended.
const IDLE: Duration = Duration::from_secs(1);

/// Tells the hooks, each for itself: one that takes long holds no other up.
#[derive(Default)]
pub(super) struct TellHooks {
    /// Those that are being told.
    rounds: HashMap<String, JoinHandle<Result<End, Error>>>,
    /// How far events went by that were not for a hook, since it was written down how far it has come.
    passed: HashMap<String, OutboxPosition>,
}

impl Task for TellHooks {
    const NAME: &'static str = "tell_hooks";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        let hooks = cms.after_hooks();
        self.passed.retain(|id, _| hooks.iter().any(|hook| hook.id() == id));
        for hook in hooks {
            let passed = self.passed.get(hook.id()).copied();
            let begin = || tokio::spawn(Round { cms: cms.clone(), hook: Arc::clone(&hook) }.tell(passed));
            self.rounds.entry(hook.id().to_owned()).or_insert_with(begin);
        }
        let (mut outcome, mut failure) = (Outcome::Done, None);
        let until = Instant::now() + ROUND;
        for (id, mut round) in mem::take(&mut self.rounds) {
            let Ok(ended) = timeout_at(until, &mut round).await else {
                self.rounds.insert(id, round);
                outcome = Outcome::More;
                continue;
            };
            match ended.map_err(Error::internal).flatten() {
                Ok(End { at, more }) => {
                    self.passed.insert(id, at);
                    if more {
                        outcome = Outcome::More;
                    }
                }
                Err(error) => failure = Some(error),
            }
        }
        failure.map_or(Ok(outcome), Err)
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        Ok(if cms.after_hooks().is_empty() { NO_HOOKS } else { IDLE })
    }

    async fn woken(cms: &Cms) {
        cms.something_happened().await;
    }

    async fn end(self) {
        for round in self.rounds.into_values() {
            if let Err(error) = round.await.map_err(Error::internal).flatten() {
                tracing::warn!(%error, cause = error.private().map(tracing::field::debug), "a hook was told, and how far it has come could not be written down");
            }
        }
    }
}

/// What one hook is told in one go.
struct Round {
    cms: Cms,
    hook: Arc<Hook>,
}

/// How a round ended.
struct End {
    /// Up to here nothing is left that is for the hook.
    at: OutboxPosition,
    /// Whether more is known to be there.
    more: bool,
}

impl Round {
    async fn tell(self, passed: Option<OutboxPosition>) -> Result<End, Error> {
        let Self { cms, hook } = &self;
        let rows = Rows::of(cms).reader();
        let Some(mut known) = rows.followers().get(hook.id()).await? else {
            let position = rows.outbox().before(hook.since()).await?;
            self.write(self.new_follower(position), Duration::ZERO).await?;
            return Ok(End { at: position, more: true });
        };
        let mut at = passed.map_or(known.position, |passed| passed.max(known.position));
        if cms.now() < known.due_at {
            return Ok(End { at, more: false });
        }
        if known.moved_at < cms.now().before(cms.options().events_kept) {
            tracing::warn!(hook = hook.id(), "nobody told this hook for longer than events are kept: it may have missed some");
        }
        let events = rows.outbox().read_after(at, BATCH).await?;
        let all = events.len() < BATCH;
        let (mut is_ours, round) = (false, Instant::now());
        for (position, event) in events {
            let told = match event {
                Some(event) => cms.to_tell(rows, hook, &event).await?,
                None => None,
            };
            let Some(told) = told else {
                at = position;
                continue;
            };
            if round.elapsed() >= ROUND {
                self.write(known, Duration::ZERO).await?;
                return Ok(End { at, more: true });
            }
            if !is_ours {
                // From here on nobody else tells it, until it is written down how this went, or this server is no more.
                let Some(claimed) = self.write(known, hook.time() + SLACK).await? else { return Ok(End { at, more: true }) };
                (known, is_ours) = (claimed, true);
            }
            let wait = match hook.tell(&told).await {
                Ok(()) => {
                    known = Follower { position, moved_at: cms.now(), attempts: 0, error: None, ..known };
                    None
                }
                Err(error) => Some(self.failed(&mut known, position, error)),
            };
            let lease = wait.unwrap_or(hook.time() + SLACK);
            let Some(written) = self.write(known, lease).await? else { return Ok(End { at, more: true }) };
            if wait.is_some() {
                return Ok(End { at, more: false });
            }
            (known, at) = (written, position);
        }
        if is_ours || known.moved_at < cms.now().before(WRITTEN) {
            self.write(Follower { position: at, moved_at: cms.now(), ..known }, Duration::ZERO).await?;
        }
        Ok(End { at, more: !all })
    }

    fn new_follower(&self, position: OutboxPosition) -> Follower {
        let now = self.cms.now();
        Follower { id: self.hook.id().to_owned(), version: 0, position, moved_at: now, attempts: 0, error: None, due_at: now }
    }

    /// The hook failed at a change: how long it is left alone. After too many times it is told of the next one instead.
    fn failed(&self, known: &mut Follower, position: OutboxPosition, error: String) -> Duration {
        known.attempts += 1;
        let wait = FIRST_WAIT.saturating_mul(1 << (known.attempts - 1).clamp(0, 6));
        if known.attempts < ATTEMPTS {
            tracing::warn!(hook = self.hook.id(), error, attempts = known.attempts, "a hook failed at a change and is told of it again");
        } else {
            tracing::error!(
                hook = self.hook.id(),
                error,
                attempts = known.attempts,
                "a hook failed at a change and is not told of it again"
            );
            (known.position, known.moved_at, known.attempts) = (position, self.cms.now(), 0);
        }
        known.error = Some(error);
        wait
    }

    /// Writes down how far the hook has come, and that it may be told more in `wait`. None when another server was faster.
    async fn write(&self, follower: Follower, wait: Duration) -> Result<Option<Follower>, Error> {
        let note = FollowHook {
            hook: follower.id,
            version: follower.version,
            position: follower.position,
            moved_at: follower.moved_at,
            attempts: follower.attempts,
            error: follower.error,
            wait: wait.as_millis().try_into().unwrap_or(u64::MAX),
        };
        Ok(self.cms.invoke(&Actor::System, Door::Local, note).await?.follower)
    }
}

/// Write down how far a hook has come.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FollowHook {
    /// The hook.
    pub hook: String,
    /// The state that is known of it; zero when none is.
    pub version: i64,
    /// Up to where it was told everything.
    #[schemars(with = "serde_json::Value")]
    pub position: OutboxPosition,
    /// When it last came further.
    pub moved_at: Timestamp,
    /// How often in a row it failed.
    pub attempts: i32,
    /// Why it last failed.
    pub error: Option<String>,
    /// For how long nobody else tells it, in milliseconds.
    pub wait: u64,
}

/// Where the hook stands.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HookFollowed {
    /// Its state now; none when somebody else wrote it meanwhile, and nothing was changed.
    #[serde(skip)]
    pub follower: Option<Follower>,
}

impl Operation for FollowHook {
    const ID: &'static str = "hooks.follow";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = HookFollowed;

    async fn run(self, cx: &mut Cx<'_>) -> Result<HookFollowed, Error> {
        let Self { hook, version, position, moved_at, attempts, error, wait } = self;
        let due_at = cx.now().after(Duration::from_millis(wait));
        let follower = Follower { id: hook, version, position, moved_at, attempts, error, due_at };
        Ok(HookFollowed { follower: cx.tx().await?.followers().change(follower).await? })
    }
}
