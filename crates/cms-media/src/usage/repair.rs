//! Looking through entries for files anew.

use cms_domain::{access::Access, collection::Collection, slug::CollectionSlug, time::Timestamp};
use cms_frame::{
    Code, Cx, Error,
    failures::{Failures, THING},
    operation::{Http, Operation, Tool},
};
use cms_storage::{CoverageStatus, UsageCoverage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{REPAIR, look};

/// How many entries are looked at while whoever asks waits: a second or so. The rest is a job's.
const AT_ONCE: u64 = 2_000;

/// Look through entries for files anew.
///
/// Small collections are looked through at once; what is more is a job's, and the answer says `running`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(example = json!({ "scope": "all" }))]
pub struct RepairMediaUsage {
    /// What is looked through.
    pub scope: RepairScope,
    /// The collection, where it is one.
    pub collection: Option<CollectionSlug>,
}

/// What is looked through anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum RepairScope {
    /// One collection.
    Collection,
    /// All collections.
    All,
}

/// Entries were looked through.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaUsageRepaired {
    /// Whether all of it is done.
    pub status: Repaired,
    /// How many entries were looked at.
    pub indexed_source_count: u64,
    /// How many of them could not be read.
    pub failed_source_count: u64,
    /// How it went, by collections.
    pub collections: Vec<RepairedCollection>,
}

/// How it went with a collection.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepairedCollection {
    /// The collection.
    pub collection: CollectionSlug,
    /// Whether all of it is done.
    pub status: Repaired,
    /// How many entries were looked at.
    pub indexed_source_count: u64,
    /// How many of them could not be read.
    pub failed_source_count: u64,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended; null while a job is at it.
    pub completed_at: Option<Timestamp>,
}

/// Whether entries are looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Repaired {
    /// All are.
    Complete,
    /// Some could not be read.
    Partial,
    /// A job is at it.
    Running,
}

impl Operation for RepairMediaUsage {
    const ID: &'static str = "media_usage.repair";
    const ACCESS: Access = REPAIR;
    const HTTP: Http = Http::post("repairMediaUsage", "/admin/media-usage/repair");
    const TOOL: Tool = Tool::Idempotent;
    const FAILURES: Failures = &[THING, &[Code::CollectionNotFound]];
    type Output = MediaUsageRepaired;

    fn check(&self) -> Result<(), Error> {
        match (self.scope, &self.collection) {
            (RepairScope::Collection, None) => {
                Err(Error::issue("collection", "REQUIRED", "is missing: which collection is to be looked through?"))
            }
            (RepairScope::All, Some(_)) => Err(Error::issue("collection", "MISPLACED", "is for the scope `collection`")),
            _ => Ok(()),
        }
    }

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaUsageRepaired, Error> {
        let rows = cx.read().collections();
        let collections = match &self.collection {
            Some(slug) => vec![rows.by_slug(slug).await?.ok_or_else(|| Error::new(Code::CollectionNotFound))?],
            None => rows.all().await?,
        };
        let (mut left, mut repaired) = (AT_ONCE, Vec::with_capacity(collections.len()));
        for collection in &collections {
            let coverage = look::through(cx, collection, &mut left).await?;
            repaired.push(shown(collection, &coverage));
        }
        let has = |status| repaired.iter().any(|collection: &RepairedCollection| collection.status == status);
        let status = if has(Repaired::Running) {
            Repaired::Running
        } else if has(Repaired::Partial) {
            Repaired::Partial
        } else {
            Repaired::Complete
        };
        let sum = |count: fn(&RepairedCollection) -> u64| repaired.iter().map(count).sum();
        cx.audit("media_usage", self.collection.as_ref().map_or("all", CollectionSlug::as_str), &json!({}));
        Ok(MediaUsageRepaired {
            status,
            indexed_source_count: sum(|collection| collection.indexed_source_count),
            failed_source_count: sum(|collection| collection.failed_source_count),
            collections: repaired,
        })
    }
}

/// How it went with a collection: whoever begins and ends at once is done.
fn shown(collection: &Collection, coverage: &UsageCoverage) -> RepairedCollection {
    let is_done = coverage.ended_at.is_some();
    let status = match coverage.status {
        CoverageStatus::Complete => Repaired::Complete,
        _ if is_done => Repaired::Partial,
        _ => Repaired::Running,
    };
    RepairedCollection {
        collection: collection.slug.clone(),
        status,
        indexed_source_count: if is_done { coverage.entries } else { 0 },
        failed_source_count: if is_done { coverage.failed } else { 0 },
        started_at: coverage.begun_at,
        completed_at: coverage.ended_at,
    }
}
