//! How far entries are looked through for files.

use cms_domain::access::Access;
use cms_frame::{
    Cx, Error,
    operation::{Http, Operation, Tool},
};
use cms_storage::CoverageStatus;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{REPAIR, follow};

/// After how long to ask again while entries are looked through, in milliseconds.
const AGAIN: u64 = 1000;

/// Get how far entries are looked through for files.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetMediaUsageProgress {}

/// See to it that entries are looked through for files, and get how far it is.
///
/// Nobody has to: the server does it by itself, and this begins again what was given up.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AdvanceMediaUsageProgress {}

/// How far entries are looked through for files.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaUsageProgress {
    /// Whether it is done.
    pub status: UsageProgress,
    /// Of how many collections the entries are looked through.
    pub ready_collections: u64,
    /// How many collections there are.
    pub total_collections: u64,
    /// After how many milliseconds to ask again; null when nothing is left to wait for.
    pub next_request_in_ms: Option<u64>,
}

/// Whether entries are looked through for files.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum UsageProgress {
    /// They are being looked through.
    Indexing,
    /// They are.
    Ready,
    /// Some could not be: jobs say why.
    NeedsAttention,
}

async fn progress(cx: &Cx<'_>) -> Result<MediaUsageProgress, Error> {
    let statuses = cx.read().usage_coverage().statuses().await?;
    let ready = statuses.iter().filter(|status| **status == Some(CoverageStatus::Complete)).count();
    let is_stuck = |status: &Option<CoverageStatus>| {
        matches!(status, Some(CoverageStatus::Failed | CoverageStatus::Partial | CoverageStatus::Unknown))
    };
    let stuck = statuses.iter().filter(|status| is_stuck(status)).count();
    let status = if ready == statuses.len() {
        UsageProgress::Ready
    } else if ready + stuck == statuses.len() {
        UsageProgress::NeedsAttention
    } else {
        UsageProgress::Indexing
    };
    let next_request_in_ms = matches!(status, UsageProgress::Indexing).then_some(AGAIN);
    Ok(MediaUsageProgress { status, ready_collections: ready as u64, total_collections: statuses.len() as u64, next_request_in_ms })
}

impl Operation for GetMediaUsageProgress {
    const ID: &'static str = "media_usage.progress";
    const ACCESS: Access = REPAIR;
    const HTTP: Http = Http::get("getMediaUsageProgress", "/admin/media-usage/progress");
    const TOOL: Tool = Tool::Hidden;
    type Output = MediaUsageProgress;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaUsageProgress, Error> {
        progress(cx).await
    }
}

impl Operation for AdvanceMediaUsageProgress {
    const ID: &'static str = "media_usage.advance";
    const ACCESS: Access = REPAIR;
    const HTTP: Http = Http::post("advanceMediaUsageProgress", "/admin/media-usage/progress");
    const TOOL: Tool = Tool::Hidden;
    type Output = MediaUsageProgress;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaUsageProgress, Error> {
        follow::ask_for_the_rest(cx).await?;
        progress(cx).await
    }
}
