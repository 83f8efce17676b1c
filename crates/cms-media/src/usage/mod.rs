//! Where files are used: which entries name which of them. It follows what happens to entries, and can be built anew at any time.
//!
//! - [`follow`]: what happens to entries is followed, in its order.
//! - [`index`]: all entries of a collection are looked through, by a job.
//! - [`places`]: where one file is used.

pub mod clear;
pub mod follow;
pub mod index;
mod look;
pub mod places;
pub mod progress;
pub mod repair;

use cms_domain::{
    access::{Access, Permission, Scope},
    media::MediaId,
    media_uses,
};
use cms_frame::{Code, Cx, Error};
use cms_storage::{CoverageStatus, Reader};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::item::MediaShown;

/// Who learns what drafts use.
const DRAFTS: Access = Access::Needs(Scope::ContentRead, Permission::ContentReadDrafts);
/// Who sees to it that usage is known.
const REPAIR: Access = Access::Needs(Scope::Admin, Permission::SchemaManage);
/// How many events may have happened to entries since they were last followed, when it is asked whether a file is used: more are not looked through while
/// somebody waits.
const UNHEARD: usize = 500;

/// Asks for something more: the literal `1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum Included {
    /// It is wanted.
    #[serde(rename = "1")]
    Yes,
}

/// How many entries use a file, and how far that is known.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "MediaUsage")]
pub struct Usage {
    /// How many entries use it that are not in the trash, each translation for itself; null while not all entries were looked through, and for whoever may
    /// not read drafts.
    pub count: Option<u64>,
    /// How far it is known.
    pub coverage: Coverage,
}

/// How far it is known which entries use which files.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(rename = "MediaUsageCoverage")]
pub struct Coverage {
    /// What is looked through.
    pub scope: CoverageScope,
    /// How far it is.
    pub status: Covered,
}

/// What is looked through for files.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum CoverageScope {
    /// The entries of all collections.
    AllContentCollections,
}

/// How far entries are looked through for files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Covered {
    /// All are: a file that none uses is unused.
    Complete,
    /// None ever were.
    Never,
    /// They are being looked through.
    Running,
    /// Some are.
    Partial,
    /// They could not be.
    Failed,
    /// They were, and there is something else to look at by now.
    Stale,
    /// It is not known.
    Unknown,
}

impl Covered {
    /// How far collections are looked through, all in all.
    fn of(statuses: &[Option<CoverageStatus>]) -> Self {
        let has = |wanted: CoverageStatus| statuses.contains(&Some(wanted));
        if statuses.iter().all(|status| *status == Some(CoverageStatus::Complete)) {
            Self::Complete
        } else if has(CoverageStatus::Unknown) {
            Self::Unknown
        } else if has(CoverageStatus::Running) {
            Self::Running
        } else if has(CoverageStatus::Stale) {
            Self::Stale
        } else if has(CoverageStatus::Partial) {
            Self::Partial
        } else if statuses.iter().all(Option::is_none) {
            Self::Never
        } else if statuses.iter().all(|status| *status == Some(CoverageStatus::Failed)) {
            Self::Failed
        } else {
            Self::Partial
        }
    }
}

/// How far it is known, all in all.
pub(crate) async fn coverage(rows: Reader<'_>) -> Result<Coverage, Error> {
    let status = Covered::of(&rows.usage_coverage().statuses().await?);
    Ok(Coverage { scope: CoverageScope::AllContentCollections, status })
}

/// Says of items how many entries use them.
pub(crate) async fn add(cx: &Cx<'_>, items: &mut [MediaShown]) -> Result<(), Error> {
    let rows = cx.read();
    let coverage = coverage(rows).await?;
    let is_told = coverage.status == Covered::Complete && cx.actor().admit(DRAFTS, false).is_ok();
    let ids: Vec<MediaId> = items.iter().map(|item| item.id).collect();
    let counts = if is_told { Some(rows.media_usage().counts(&ids).await?) } else { None };
    for item in items {
        let count = counts.as_ref().map(|counts| counts.get(&item.id).copied().unwrap_or(0));
        item.usage = Some(Usage { count, coverage });
    }
    Ok(())
}

/// Refuses whoever may not read drafts: which files are used says something of these.
pub(crate) fn may_read_drafts(cx: &Cx<'_>) -> Result<(), Error> {
    Ok(cx.actor().admit(DRAFTS, false)?)
}

/// Refuses to go on with a file that entries use, or of which that is not known.
pub(crate) async fn must_be_unused(cx: &mut Cx<'_>, item: MediaId) -> Result<(), Error> {
    may_read_drafts(cx)?;
    let rows = cx.read();
    let is_known = coverage(rows).await?.status == Covered::Complete;
    if is_known && rows.media_usage().counts(&[item]).await?.is_empty() && !is_used_unheard(rows, item).await? {
        return Ok(());
    }
    Err(Error::new(Code::MediaInUse))
}

/// Whether an entry uses a file that changed since entries were last followed. Too many that changed are not looked at: it may be.
async fn is_used_unheard(rows: Reader<'_>, item: MediaId) -> Result<bool, Error> {
    let Some(follower) = rows.followers().get(follow::FOLLOWER).await? else { return Ok(true) };
    let events = rows.outbox().read_all_after(follower.position, UNHEARD).await?;
    if events.len() == UNHEARD {
        return Ok(true);
    }
    let mut ids: Vec<_> = events.iter().filter_map(|event| event.as_ref().and_then(follow::entry_of)).map(|(_, entry)| entry).collect();
    ids.sort_unstable();
    ids.dedup();
    for entry in rows.entries().whole(&ids).await?.iter().filter(|entry| entry.lifecycle.deleted_at.is_none()) {
        let Some(collection) = rows.collections().by_id(entry.collection).await? else { continue };
        for document in entry.contents() {
            if media_uses::uses(&collection, document)?.iter().any(|found| found.media == item) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_is_known_where_it_is_of_every_collection() {
        use CoverageStatus as Status;
        let of = Covered::of;
        assert_eq!(of(&[]), Covered::Complete, "there is nothing that could use a file");
        assert_eq!(of(&[Some(Status::Complete), Some(Status::Complete)]), Covered::Complete);
        assert_eq!(of(&[None, None]), Covered::Never);
        assert_eq!(of(&[None, Some(Status::Complete)]), Covered::Partial);
        assert_eq!(of(&[Some(Status::Running), Some(Status::Stale)]), Covered::Running);
        assert_eq!(of(&[Some(Status::Stale), Some(Status::Partial)]), Covered::Stale);
        assert_eq!(of(&[Some(Status::Failed), Some(Status::Failed)]), Covered::Failed);
        assert_eq!(of(&[Some(Status::Failed), Some(Status::Complete)]), Covered::Partial);
        assert_eq!(of(&[Some(Status::Unknown), Some(Status::Running)]), Covered::Unknown);
    }
}
