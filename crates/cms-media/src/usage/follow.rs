//! Following what happens to entries: what they use is looked at again, in the order in which they change.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use cms_domain::{
    access::{Access, Actor},
    event::Event,
    id::{CollectionId, EntryId},
    job::JobState,
    media_uses,
};
use cms_frame::{
    Cms, Cx, Door, Error,
    jobs::{Order, Wanted},
    operation::{Http, Operation, Tool},
};
use cms_storage::{CoverageStatus, Follower, Reader, UsageCoverage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{clear, index, look};

/// Names who follows, among all who do.
pub(super) const FOLLOWER: &str = "media.usage";
/// How many events one transaction follows: on SQLite a writer waits for less than a tenth of a second.
const BATCH: usize = 100;

/// How many entries of collections are looked at in the transaction that finds that they have to be: what is more is a job's, or writers would wait.
const AT_ONCE: u64 = 200;
/// How long nothing happens before it is written down that it was followed all the same. Less than events are kept: who was away for that long may have missed
/// some.
const WRITTEN: Duration = Duration::from_hours(1);

/// Follows some of what happened, and says whether there is more.
pub async fn follow(cms: &Cms) -> Result<bool, Error> {
    Ok(cms.invoke(&Actor::System, Door::Local, FollowUsage {}).await?.more)
}

/// Sees to it that every collection is looked through, or will be.
pub async fn resume(cms: &Cms) -> Result<(), Error> {
    cms.invoke(&Actor::System, Door::Local, ResumeUsage {}).await.map(drop)
}

/// The entry that an event tells of.
pub(super) fn entry_of(event: &Event) -> Option<(CollectionId, EntryId)> {
    match event {
        Event::Entry { collection, entry, .. } => Some((*collection, *entry)),
        _ => None,
    }
}

/// Look again at what entries use that changed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FollowUsage {}

/// Some of what happened was followed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UsageFollowed {
    /// Whether there is more.
    pub more: bool,
}

impl Operation for FollowUsage {
    const ID: &'static str = "media_usage.follow";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = UsageFollowed;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UsageFollowed, Error> {
        let now = cx.now();
        let Some(known) = cx.read().followers().get(FOLLOWER).await? else {
            // Whatever was before is looked through as a whole.
            let position = cx.read().outbox().head().await?;
            let follower = Follower { id: FOLLOWER.to_owned(), version: 0, position, moved_at: now, attempts: 0, error: None, due_at: now };
            forget_all(cx).await?;
            cx.tx().await?.followers().change(follower).await?;
            return Ok(UsageFollowed { more: true });
        };
        let events = cx.read().outbox().read_after(known.position, BATCH).await?;
        if events.is_empty() && known.moved_at >= now.before(WRITTEN) {
            return Ok(UsageFollowed { more: false });
        }
        let (position, more) = (events.last().map_or(known.position, |(position, _)| *position), events.len() == BATCH);
        // Events are not kept for ever, and one of another release may tell of an entry.
        let is_gap = known.moved_at < now.before(cx.options().events_kept) || events.iter().any(|(_, event)| event.is_none());
        let (mut entries, mut changed) = (BTreeMap::<CollectionId, BTreeSet<EntryId>>::new(), BTreeSet::new());
        for (_, event) in &events {
            match event {
                Some(Event::Schema { collection }) => {
                    changed.insert(*collection);
                }
                Some(event) => {
                    if let Some((collection, entry)) = entry_of(event) {
                        entries.entry(collection).or_default().insert(entry);
                    }
                }
                None => {}
            }
        }
        let follower = Follower { position, moved_at: now, ..known };
        // Of two servers that follow the same events, the other one finds that it is done.
        if cx.tx().await?.followers().change(follower).await?.is_none() {
            return Ok(UsageFollowed { more: true });
        }
        if is_gap {
            forget_all(cx).await?;
        }
        for (collection, entries) in entries {
            let held = cx.tx().await?.usage_coverage().hold(collection, now).await?;
            let ids: Vec<EntryId> = entries.into_iter().collect();
            let failed = look::look(cx, collection, &ids).await?;
            if failed > 0 && held.status == CoverageStatus::Complete {
                let partial = UsageCoverage { status: CoverageStatus::Partial, failed, ..held };
                cx.tx().await?.usage_coverage().set(&partial).await?;
            }
        }
        for collection in changed {
            look_anew_if_needed(cx, collection).await?;
        }
        Ok(UsageFollowed { more })
    }
}

/// What is known of collections is not believed any more: all are to be looked through.
async fn forget_all(cx: &mut Cx<'_>) -> Result<(), Error> {
    let now = cx.now();
    for UsageCoverage { collection, .. } in cx.read().usage_coverage().all().await? {
        let held = cx.tx().await?.usage_coverage().hold(collection, now).await?;
        let stale = UsageCoverage { status: CoverageStatus::Stale, looks_at: String::new(), ..held };
        cx.tx().await?.usage_coverage().set(&stale).await?;
    }
    ask_for_the_rest(cx).await
}

/// A collection changed, was made, or is gone.
async fn look_anew_if_needed(cx: &mut Cx<'_>, id: CollectionId) -> Result<(), Error> {
    let now = cx.now();
    let held = cx.tx().await?.usage_coverage().hold(id, now).await?;
    let Some(collection) = cx.read().collections().by_id(id).await? else {
        return cx.enqueue(clear::cleared(id)).await.map(drop);
    };
    if held.looks_at == media_uses::looked_at(&collection) && held.status != CoverageStatus::Stale {
        return Ok(());
    }
    look::through(cx, &collection, &mut { AT_ONCE }).await.map(drop)
}

/// See to it that every collection is looked through for files.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResumeUsage {}

/// It is seen to.
#[derive(Debug, Serialize, JsonSchema)]
pub struct UsageResumed {
    /// Always true.
    pub resumed: bool,
}

impl Operation for ResumeUsage {
    const ID: &'static str = "media_usage.resume";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = UsageResumed;

    async fn run(self, cx: &mut Cx<'_>) -> Result<UsageResumed, Error> {
        ask_for_the_rest(cx).await?;
        Ok(UsageResumed { resumed: true })
    }
}

/// Asks for collections to be looked through that are not, and that nobody is at; also for those that are gone to be forgotten.
pub(super) async fn ask_for_the_rest(cx: &mut Cx<'_>) -> Result<(), Error> {
    let known: BTreeMap<CollectionId, UsageCoverage> =
        cx.read().usage_coverage().all().await?.into_iter().map(|coverage| (coverage.collection, coverage)).collect();
    let collections = cx.read().collections().all().await?;
    let mut left = AT_ONCE;
    for collection in &collections {
        let is_known = known.get(&collection.id).is_some_and(|coverage| {
            matches!(coverage.status, CoverageStatus::Complete | CoverageStatus::Partial | CoverageStatus::Failed)
                && coverage.looks_at == media_uses::looked_at(collection)
        });
        if is_known {
            continue;
        }
        match last(cx.read(), &index::indexed(collection.id)).await? {
            // It was given up, or stopped: whoever did that, or looks at jobs, tries it again.
            Some(JobState::Failed | JobState::Cancelled)
                if known.get(&collection.id).is_some_and(|coverage| coverage.status == CoverageStatus::Running) =>
            {
                let now = cx.now();
                let held = cx.tx().await?.usage_coverage().hold(collection.id, now).await?;
                cx.tx().await?.usage_coverage().set(&UsageCoverage { status: CoverageStatus::Failed, ended_at: Some(now), ..held }).await?;
            }
            Some(JobState::Queued | JobState::Running | JobState::Paused) => {}
            _ => drop(look::through(cx, collection, &mut left).await?),
        }
    }
    for gone in known.into_keys().filter(|id| !collections.iter().any(|collection| collection.id == *id)) {
        if last(cx.read(), &clear::cleared(gone)).await?.is_none_or(|state| state == JobState::Done) {
            cx.enqueue(clear::cleared(gone)).await?;
        }
    }
    Ok(())
}

/// How the last job of a name stands.
async fn last<O: Order>(rows: Reader<'_>, wanted: &Wanted<O>) -> Result<Option<JobState>, Error> {
    let Some(name) = wanted.name() else { return Ok(None) };
    Ok(rows.jobs().last_named(name).await?.map(|job| job.state))
}
