//! Removes what nobody needs any more: old revisions, old events, old lines of the audit log, and whatever has expired.

use std::time::Duration;

use cms_domain::{
    access::{Access, Actor},
    id::EntryId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Outcome, Task};
use crate::{
    Cms, Cx, Door, Error,
    accounts::links::REMEMBERED,
    oauth,
    operation::{Http, Operation, Tool},
};

/// How many entries' revisions one transaction looks at.
const BATCH: usize = 500;

/// How long a token that ended stays in its owner's list, so that they see why a program stopped.
const ENDED_TOKENS_KEPT: Duration = Duration::from_hours(30 * 24);

/// Prunes batch by batch.
#[derive(Default)]
pub(super) struct PruneAll {
    /// The last entry whose revisions were pruned in this round.
    after: Option<EntryId>,
}

impl Task for PruneAll {
    const NAME: &'static str = "prune";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        self.after = cms.invoke(&Actor::System, Door::Local, Prune { after: self.after }).await?.last;
        Ok(if self.after.is_some() { Outcome::More } else { Outcome::Done })
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(Duration::from_hours(1))
    }
}

/// Remove events that every follower has seen, what has expired, and revisions beyond those that are kept.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Prune {
    /// The last entry whose revisions were pruned already.
    pub after: Option<EntryId>,
}

/// How far pruning has come.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Pruned {
    /// The last entry whose revisions were pruned; null when there are no more.
    pub last: Option<EntryId>,
    /// How many revisions went.
    pub revisions: u64,
}

impl Operation for Prune {
    const ID: &'static str = "system.prune";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = Pruned;

    async fn run(self, cx: &mut Cx<'_>) -> Result<Pruned, Error> {
        let now = cx.now();
        let (events_kept, audit_kept, idle) = (cx.options().events_kept, cx.options().audit_kept, cx.options().sessions.idle);
        // The newest is kept besides those that are counted.
        let keep = usize::try_from(cx.options().revisions_kept).unwrap_or(usize::MAX).saturating_add(1);
        let tx = cx.tx().await?;
        if self.after.is_none() {
            tx.outbox().prune(now.before(events_kept)).await?;
            tx.locks().prune(now).await?;
            tx.sessions().prune(now, now.before(idle)).await?;
            tx.challenges().prune(now).await?;
            tx.oauth_codes().prune(now.before(oauth::CODE_REMEMBERED)).await?;
            tx.device_codes().prune(now.before(oauth::DEVICE_REMEMBERED)).await?;
            tx.oauth_grants().prune(now).await?;
            tx.oauth_clients().prune(now.before(oauth::NEVER_USED_KEPT), now.before(oauth::UNUSED_KEPT)).await?;
            tx.previews().prune(now).await?;
            tx.links().prune(now.before(REMEMBERED)).await?;
            tx.provider_records().prune(now).await?;
            tx.rate_limits().prune(now).await?;
            tx.tokens().prune(now.before(ENDED_TOKENS_KEPT)).await?;
            tx.audit().prune(now.before(audit_kept)).await?;
        }
        let (last, revisions) = tx.revisions().prune_batch(keep, self.after, BATCH).await?;
        Ok(Pruned { last, revisions })
    }
}
