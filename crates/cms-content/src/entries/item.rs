//! An entry as callers see it, and the one rule about who sees what of it.

use std::collections::BTreeSet;

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::{Entry, ScheduleFailure, Seo, Status},
    field::ValidJson,
    id::{EntryId, GroupId, RevisionId, UserId},
    json::JsonObject,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, EntrySlug},
    time::Timestamp,
};
use cms_frame::Error;
use cms_storage::EntryView;
use schemars::JsonSchema;
use serde::Serialize;

use super::format::Format;

/// An entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Identifies the entry.
    pub id: EntryId,
    /// Collection of the entry.
    #[serde(rename = "type")]
    pub collection: CollectionSlug,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// Where the entry stands. A published entry with a pending draft or a schedule is `published`.
    pub status: Status,
    /// Field values; fields without a value are left out. For callers who may read drafts, the pending draft if there is one.
    pub data: JsonObject,
    /// Who owns the entry.
    pub author_id: Option<UserId>,
    /// When the entry was created.
    pub created_at: Timestamp,
    /// When readers last saw a change. Saving a draft of a published entry does not count.
    pub updated_at: Timestamp,
    /// When the entry was first published, or the date an editor gave it. For callers who may read drafts, the date that waits
    /// with the pending draft, if one does; lists sort and filter by the live one.
    pub published_at: Option<Timestamp>,
    /// The revision that is live.
    pub live_revision_id: Option<RevisionId>,
    /// Language of the entry.
    pub locale: Locale,
    /// Shared by the entries that are translations of each other.
    pub translation_group: GroupId,
    /// What search engines are told; only where the collection has SEO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seo: Option<Seo>,
    /// What only callers who may read drafts see.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub working: Option<WorkingState>,
}

/// What only callers who may read drafts see of an entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkingState {
    /// The published field values; only when a draft is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_data: Option<JsonObject>,
    /// When the entry, or its pending draft, will be published.
    pub scheduled_at: Option<Timestamp>,
    /// When the entry will be taken off the public site again.
    pub unpublish_at: Option<Timestamp>,
    /// The newest revision, when it is not the live one.
    pub draft_revision_id: Option<RevisionId>,
    /// Whether a draft of the published entry is pending.
    pub has_draft: bool,
    /// Counts every change, from 1.
    pub version: i64,
    /// Failed attempts to publish on schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule_failure: Option<ScheduleFailure>,
}

/// One entry, and the token that guards its state.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ItemAnswer {
    /// The entry.
    pub item: Item,
    /// Names this state of the entry: send it with a change, and the change is refused if the entry has changed since. Only
    /// for callers who may read drafts.
    #[serde(rename = "_rev", skip_serializing_if = "Option::is_none")]
    pub rev: Option<Rev>,
}

impl Item {
    /// What of an entry may be seen.
    ///
    /// Whoever sees published content only sees published values, and nothing that tells of a draft, a schedule or a save:
    /// the answer stays the same, byte for byte, until what is public changes.
    pub(crate) fn new(collection: &Collection, entry: Entry, visibility: Visibility) -> Result<Self, Error> {
        if visibility == Visibility::Published {
            return Self::of(collection, EntryView::live(entry));
        }
        let live_data = entry.draft.as_ref().map(|_| values(collection, entry.live.data.clone())).transpose()?;
        let working = WorkingState {
            live_data,
            scheduled_at: entry.lifecycle.scheduled_at,
            unpublish_at: entry.lifecycle.unpublish_at,
            draft_revision_id: entry.draft_revision,
            has_draft: entry.lifecycle.has_draft,
            version: entry.version,
            schedule_failure: entry.schedule_failure.clone(),
        };
        Ok(Self { working: Some(working), ..Self::of(collection, EntryView::working(entry))? })
    }

    /// What is shown of an entry, and nothing else.
    pub(crate) fn of(collection: &Collection, entry: EntryView) -> Result<Self, Error> {
        Ok(Self {
            id: entry.id,
            collection: collection.slug.clone(),
            slug: entry.content.slug,
            status: entry.status,
            data: values(collection, entry.content.data)?,
            author_id: entry.author,
            created_at: entry.created_at,
            updated_at: entry.updated_at,
            published_at: entry.published_at,
            live_revision_id: entry.live_revision,
            locale: entry.locale,
            translation_group: entry.group,
            seo: collection.has_seo.then_some(entry.content.seo),
            working: None,
        })
    }
}

impl Item {
    /// The entry with those of its values alone that are asked for.
    pub(super) fn only(mut self, fields: Option<&BTreeSet<&str>>) -> Result<Self, Error> {
        let Some(fields) = fields else { return Ok(self) };
        self.data = self.data.only(|name| fields.contains(name))?;
        if let Some(live) = self.working.as_mut().and_then(|working| working.live_data.as_mut()) {
            *live = live.only(|name| fields.contains(name))?;
        }
        Ok(self)
    }

    /// The entry with its rich text as it was asked for.
    pub(super) fn written(mut self, format: Format, collection: &Collection) -> Result<Self, Error> {
        self.data = format.shown(collection, self.data)?;
        if let Some(working) = &mut self.working {
            working.live_data = working.live_data.take().map(|live| format.shown(collection, live)).transpose()?;
        }
        Ok(self)
    }
}

impl ItemAnswer {
    /// The answer about an entry to a caller who may see this much.
    pub(crate) fn new(collection: &Collection, entry: Entry, visibility: Visibility) -> Result<Self, Error> {
        let rev = (visibility == Visibility::Working).then(|| entry.rev());
        Ok(Self { item: Item::new(collection, entry, visibility)?, rev })
    }
}

/// Stored values without those of dropped fields. Nothing is read, let alone changed, unless a field was dropped lately.
pub(super) fn values(collection: &Collection, data: ValidJson) -> Result<JsonObject, Error> {
    Ok(data.shown(collection)?)
}
