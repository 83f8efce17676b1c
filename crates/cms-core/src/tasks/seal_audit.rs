//! Gives the lines of the audit log their places in its chain, soon after they were written.

use std::time::Duration;

use cms_domain::access::{Access, Actor};
use cms_frame::{
    Cms, Cx, Door, Error,
    operation::{Http, Operation, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::{Outcome, Task};
use crate::rows::Rows;

/// How many lines one transaction seals: some milliseconds, so that no writer of SQLite waits longer for it than for another writer.
const BATCH: usize = 500;
/// How long the first line of many waits for the others: they are then sealed together. Until a line is sealed, nothing tells whether
/// somebody changed it.
const GATHER: Duration = Duration::from_secs(1);
/// How long to wait when nothing was written here: lines of servers that stopped, and of the command line, are sealed by whoever runs.
const IDLE: Duration = Duration::from_secs(30);

/// Seals what waits for it. Each server may; one at a time does.
#[derive(Default)]
pub(super) struct SealLines;

impl Task for SealLines {
    const NAME: &'static str = "seal_audit";

    async fn run(&mut self, cms: &Cms) -> Result<Outcome, Error> {
        // Whoever only looks keeps nobody from writing.
        if !Rows::of(cms).reader().audit().has_unsealed().await? {
            return Ok(Outcome::Done);
        }
        let sealed = cms.invoke(&Actor::System, Door::Local, SealAudit {}).await?.lines;
        Ok(if sealed == BATCH { Outcome::More } else { Outcome::Done })
    }

    async fn pause(&self, _: &Cms) -> Result<Duration, Error> {
        Ok(IDLE)
    }

    async fn woken(cms: &Cms) {
        cms.upkeep().unsealed().notified().await;
        sleep(GATHER).await;
    }
}

/// Seal the lines of the audit log that wait for it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SealAudit {}

/// How much was sealed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SealedAudit {
    /// How many lines.
    pub lines: usize,
}

impl Operation for SealAudit {
    const ID: &'static str = "system.seal_audit";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = SealedAudit;

    async fn run(self, cx: &mut Cx<'_>) -> Result<SealedAudit, Error> {
        Ok(SealedAudit { lines: cx.tx().await?.audit().seal(BATCH).await? })
    }
}
