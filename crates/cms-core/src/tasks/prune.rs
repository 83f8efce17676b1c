//! Removes what nobody needs any more: old revisions, old events, old lines of the audit log, and whatever has expired. One server
//! does it at a time, in transactions so short that nobody waits for them.

use std::time::Duration;

use cms_accounts::{links::REMEMBERED, oauth};
use cms_domain::{
    access::{Access, Actor, to},
    id::{EntryId, RevisionId},
    time::Timestamp,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    following::BELIEVED,
    operation::{Http, Operation, Tool},
};
use cms_storage::BEFORE_ALL;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};
use crate::rows::Rows;

/// How long events are kept at least: a server that was away for less long believes that it finds all that happened.
const EVENTS_KEPT: Duration = BELIEVED.saturating_mul(12);
/// How often everything is looked through.
const EVERY: Duration = Duration::from_hours(1);
/// How often files are looked for that nobody needs: they take room that others wait for.
const FILES_EVERY: Duration = Duration::from_mins(1);
/// The setting that says when a server last began to.
const BEGUN: &str = "pruning_begun";

/// How many rows one transaction removes: so many of a million events take SQLite 3 ms and PostgreSQL 6.
const BATCH: usize = 2000;
/// How many revisions are looked at at a time, by their entries alone.
const LOOKED_AT: usize = 10_000;
/// How many revisions one transaction removes. Each is a document.
const REVISIONS: usize = 500;

/// How long a token that ended stays in its owner's list, so that they see why a program stopped.
const ENDED_TOKENS_KEPT: Duration = Duration::from_hours(30 * 24);

/// How long a job that is over is remembered: whoever comes back from a holiday sees what became of it.
const JOBS_KEPT: Duration = Duration::from_hours(30 * 24);

/// How long a server that was killed is remembered, so that `cms doctor` tells of it to whoever looks the next day.
const KILLED_SERVERS_KEPT: Duration = Duration::from_hours(24);

/// Prunes batch by batch.
#[derive(Default)]
pub(super) struct PruneAll {
    step: Step,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Step {
    /// To find out whether it is time, and nobody else is at it.
    #[default]
    Begin,
    /// To remove rows of one kind, by its place among all.
    Expired(usize),
    /// To remove revisions of entries behind one.
    Revisions(EntryId),
}

impl Task for PruneAll {
    const NAME: &'static str = "prune";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        if self.step == Step::Begin && Rows::of(cms).reader().files().any_expired(cms.now()).await? {
            cms.invoke(&Actor::System, Door::Local, Prune { what: Expiring::Files }).await?;
            return Ok(Outcome::More);
        }
        self.step = match self.step {
            Step::Begin if cms.invoke(&Actor::System, Door::Local, BeginPruning {}).await?.begun => Step::Expired(0),
            Step::Begin => Step::Begin,
            Step::Expired(n) => match Expiring::ALL.get(n) {
                Some(what) if cms.invoke(&Actor::System, Door::Local, Prune { what: *what }).await?.more => Step::Expired(n),
                Some(_) => Step::Expired(n + 1),
                None => Step::Revisions(BEFORE_ALL),
            },
            Step::Revisions(after) => prune_revisions(cms, after).await?.map_or(Step::Begin, Step::Revisions),
        };
        Ok(if self.step == Step::Begin { Outcome::Done } else { Outcome::More })
    }

    async fn pause(&self, cms: &Cms) -> Result<Duration, Error> {
        let begun = begun(Rows::of(cms).reader().settings().get(BEGUN).await?.as_deref());
        Ok(begun.map_or(Duration::ZERO, |begun| cms.now().until(begun.after(EVERY))).min(FILES_EVERY))
    }
}

/// Looks for revisions to remove, and writes only where there are some. Says behind which entry to go on; none at the end.
async fn prune_revisions(cms: &Cms, after: EntryId) -> Result<Option<EntryId>, Error> {
    // The newest is kept besides those that are counted.
    let keep = usize::try_from(cms.options().revisions_kept).unwrap_or(usize::MAX).saturating_add(1);
    let surplus = Rows::of(cms).reader().revisions().surplus(keep, after, LOOKED_AT, REVISIONS).await?;
    if !surplus.revisions.is_empty() {
        cms.invoke(&Actor::System, Door::Local, PruneRevisions { revisions: surplus.revisions }).await?;
    }
    Ok(surplus.next)
}

/// When a server last began, from the setting.
fn begun(setting: Option<&str>) -> Option<Timestamp> {
    setting.and_then(|text| text.parse().ok())
}

/// Begin to look through everything, if it is time and no other server began.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BeginPruning {}

/// Whether to go on.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Begun {
    /// Whether it is time, and this server's turn.
    pub begun: bool,
}

impl Operation for BeginPruning {
    const ID: &'static str = "system.begin_pruning";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Begun;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Begun, Error> {
        let now = cx.now();
        let known = cx.read().settings().get(BEGUN).await?;
        // An instant to come was written by a clock that is wrong.
        if begun(known.as_deref()).is_some_and(|begun| begun <= now && now < begun.after(EVERY)) {
            return Ok(Begun { begun: false });
        }
        let permit = cx.permit(to::KeepSettings)?;
        let begun = cx.tx().await?.settings().replace(&permit, BEGUN, known.as_deref(), &now.to_string()).await?;
        Ok(Begun { begun })
    }
}

/// What expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Expiring {
    /// Events that every follower has seen.
    Events,
    /// Edit locks.
    Locks,
    /// Who had which entry open.
    Watchers,
    /// Sessions.
    Sessions,
    /// Challenges that wait for an answer.
    Challenges,
    /// Codes of applications that ask for a grant.
    Codes,
    /// Codes of devices that ask for a grant.
    DeviceCodes,
    /// Access and refresh tokens of applications.
    GrantTokens,
    /// Grants without tokens.
    Grants,
    /// Applications without grants.
    Applications,
    /// Preview links.
    PreviewLinks,
    /// Links that were sent to an address.
    Links,
    /// What sign-in providers keep.
    ProviderRecords,
    /// Counts of requests.
    RateLimits,
    /// Personal access tokens.
    Tokens,
    /// How the tasks of servers were doing that were killed.
    Servers,
    /// Jobs that are over.
    Jobs,
    /// Files that nobody needs.
    Files,
    /// Lines of the audit log.
    AuditLines,
}

impl Expiring {
    /// Everything, in the order in which it goes: what refers to something goes before it.
    pub const ALL: [Self; 19] = [
        Self::Events,
        Self::Locks,
        Self::Watchers,
        Self::Sessions,
        Self::Challenges,
        Self::Codes,
        Self::DeviceCodes,
        Self::GrantTokens,
        Self::Grants,
        Self::Applications,
        Self::PreviewLinks,
        Self::Links,
        Self::ProviderRecords,
        Self::RateLimits,
        Self::Tokens,
        Self::Servers,
        Self::Jobs,
        Self::Files,
        Self::AuditLines,
    ];
}

/// Remove the next rows of a kind that have expired.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prune {
    /// What.
    pub what: Expiring,
}

/// What was removed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Pruned {
    /// How many rows went.
    pub removed: u64,
    /// Whether there may be more.
    pub more: bool,
}

impl Operation for Prune {
    const ID: &'static str = "system.prune";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Pruned;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Pruned, Error> {
        let now = cx.now();
        let (audit_kept, idle) = (cx.options().audit_kept, cx.options().sessions.idle);
        let events_kept = cx.options().events_kept.max(EVENTS_KEPT);
        let tx = cx.tx().await?;
        let removed = match self.what {
            Expiring::Events => tx.outbox().prune(now.before(events_kept), BATCH).await?,
            Expiring::Locks => tx.locks().prune(now, BATCH).await?,
            Expiring::Watchers => tx.watchers().prune(now, BATCH).await?,
            Expiring::Sessions => tx.sessions().prune(now, now.before(idle), BATCH).await?,
            Expiring::Challenges => tx.challenges().prune(now, BATCH).await?,
            Expiring::Codes => tx.oauth_codes().prune(now.before(oauth::CODE_REMEMBERED), BATCH).await?,
            Expiring::DeviceCodes => tx.device_codes().prune(now.before(oauth::DEVICE_REMEMBERED), BATCH).await?,
            Expiring::GrantTokens => tx.oauth_grants().prune_tokens(now, BATCH).await?,
            Expiring::Grants => tx.oauth_grants().prune(BATCH).await?,
            Expiring::Applications => {
                tx.oauth_clients().prune(now.before(oauth::NEVER_USED_KEPT), now.before(oauth::UNUSED_KEPT), BATCH).await?
            }
            Expiring::PreviewLinks => tx.previews().prune(now, BATCH).await?,
            Expiring::Links => tx.links().prune(now.before(REMEMBERED), BATCH).await?,
            Expiring::ProviderRecords => tx.provider_records().prune(now, BATCH).await?,
            Expiring::RateLimits => tx.rate_limits().prune(now, BATCH).await?,
            Expiring::Tokens => tx.tokens().prune(now.before(ENDED_TOKENS_KEPT), BATCH).await?,
            Expiring::Servers => tx.tasks().prune(now.before(KILLED_SERVERS_KEPT), BATCH).await?,
            Expiring::Jobs => tx.jobs().prune(now.before(JOBS_KEPT), BATCH).await?,
            Expiring::Files => {
                let more = tx.files().prune(now).await?;
                return Ok(Pruned { removed: more.into(), more });
            }
            Expiring::AuditLines => tx.audit().prune(now.before(audit_kept), BATCH).await?,
        };
        Ok(Pruned { removed, more: removed >= BATCH as u64 })
    }
}

/// Remove revisions that are beyond those that are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PruneRevisions {
    /// The revisions.
    pub revisions: Vec<RevisionId>,
}

impl Operation for PruneRevisions {
    const ID: &'static str = "system.prune_revisions";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Pruned;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Pruned, Error> {
        let removed = cx.tx().await?.revisions().remove(&self.revisions).await?;
        Ok(Pruned { removed, more: false })
    }
}
