//! Where a file is used.

use std::collections::{BTreeMap, btree_map};

use cms_domain::{
    access::{Access, Permission, Scope},
    collection::Collection,
    entry::{Document, Entry, Status},
    id::{CollectionId, EntryId},
    locale::Locale,
    media::MediaId,
    media_uses::{self, UseKind},
    page::{Cursor, PageSize},
    slug::{CollectionSlug, EntrySlug},
    time::Timestamp,
};
use cms_frame::{
    Cx, Error,
    failures::{Failures, PAGED, THING},
    operation::{Http, Operation, Tool},
    page::Paging,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Coverage, coverage, may_read_drafts};
use crate::items::found;

/// List the entries that use a file.
///
/// Drafts and entries in the trash included; these do not count in `usage`. It is said of each where it names the file. What the site's own templates, or
/// other sites, use is not known here.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetMediaUsage {
    /// The item.
    pub id: MediaId,
    /// Where to go on: `nextCursor` of the page before.
    pub cursor: Option<Cursor>,
    /// The most entries of the page.
    #[serde(default)]
    pub limit: PageSize,
}

/// The entries that use a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MediaPlaces {
    /// The entries, by their collections and ids.
    pub items: Vec<UsingEntry>,
    /// Where the next page starts; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<Cursor>,
    /// How far they are known.
    pub coverage: Coverage,
}

/// An entry that uses a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsingEntry {
    /// Its collection.
    pub collection: CollectionSlug,
    /// The entry.
    pub content_id: EntryId,
    /// What names it in its newest content.
    pub title: Option<String>,
    /// Last part of its address.
    pub slug: Option<EntrySlug>,
    /// Its language.
    pub locale: Locale,
    /// Where it stands.
    pub status: Status,
    /// When it will be published.
    pub scheduled_at: Option<Timestamp>,
    /// When it was moved to the trash.
    pub deleted_at: Option<Timestamp>,
    /// Which of its contents use the file.
    pub sources: Vec<UsingSource>,
}

/// A content of an entry that uses a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsingSource {
    /// Which one.
    pub variant: Variant,
    /// Where it names the file.
    pub occurrences: Vec<Occurrence>,
}

/// A content of an entry.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Variant {
    /// What is public, or the only content that there is.
    Columns,
    /// What is staged beside it.
    DraftOverlay,
}

/// A place where an entry names a file.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// The field; `seo` for what search engines are told.
    pub field_slug: String,
    /// The place in the content: `gallery[2].picture`.
    pub field_path: String,
    /// The how manieth place of the content it is that names the file, from 0.
    pub occurrence_index: usize,
    /// How it is named there.
    pub reference_type: UseKind,
}

impl Operation for GetMediaUsage {
    const ID: &'static str = "media_usage.get";
    const ACCESS: Access = Access::Needs(Scope::MediaRead, Permission::ContentReadDrafts);
    const HTTP: Http = Http::get("getMediaUsage", "/media/{id}/usage");
    const TOOL: Tool = Tool::Read;
    const FAILURES: Failures = &[THING, PAGED];
    type Output = MediaPlaces;

    async fn run(self, cx: &mut Cx<'_>) -> Result<MediaPlaces, Error> {
        // A token for files alone says nothing of entries.
        may_read_drafts(cx)?;
        let rows = cx.read();
        found(rows.media().by_id(self.id).await?, self.id)?;
        let paging = Paging::new(format!("{} {}", Self::ID, self.id), self.limit);
        let after = paging.after(self.cursor)?;
        let page = paging.page(rows.media_usage().of(self.id, after, limit_of(self.limit)).await?, |last| *last)?;
        let ids: Vec<EntryId> = page.items.iter().map(|(_, entry)| *entry).collect();
        let entries: BTreeMap<EntryId, Entry> = rows.entries().whole(&ids).await?.into_iter().map(|entry| (entry.id, entry)).collect();
        let mut collections: BTreeMap<CollectionId, Option<Collection>> = BTreeMap::new();
        let mut items = Vec::with_capacity(page.items.len());
        for (collection, id) in page.items {
            let collection = match collections.entry(collection) {
                btree_map::Entry::Occupied(known) => known.into_mut(),
                btree_map::Entry::Vacant(place) => place.insert(rows.collections().by_id(collection).await?),
            };
            // One that is gone by now uses nothing.
            let (Some(entry), Some(collection)) = (entries.get(&id), collection) else { continue };
            items.extend(using(collection, entry, self.id)?);
        }
        Ok(MediaPlaces { items, next_cursor: page.next_cursor, coverage: coverage(rows).await? })
    }
}

/// One more than the page has says whether there is another page.
fn limit_of(size: PageSize) -> usize {
    size.get() + 1
}

/// An entry with its places; none where it names the file no longer.
fn using(collection: &Collection, entry: &Entry, media: MediaId) -> Result<Option<UsingEntry>, Error> {
    let contents = [(Variant::Columns, Some(&entry.live)), (Variant::DraftOverlay, entry.draft.as_ref())];
    let mut sources = Vec::new();
    for (variant, document) in contents {
        let Some(document) = document else { continue };
        let occurrences = occurrences(collection, document, media)?;
        if !occurrences.is_empty() {
            sources.push(UsingSource { variant, occurrences });
        }
    }
    if sources.is_empty() {
        return Ok(None);
    }
    let newest = entry.working();
    Ok(Some(UsingEntry {
        collection: collection.slug.clone(),
        content_id: entry.id,
        title: collection.title_of(&newest.data.members(collection)?).map(str::to_owned),
        slug: newest.slug.clone(),
        locale: entry.locale.clone(),
        status: entry.lifecycle.status,
        scheduled_at: entry.lifecycle.scheduled_at,
        deleted_at: entry.lifecycle.deleted_at,
        sources,
    }))
}

fn occurrences(collection: &Collection, document: &Document, media: MediaId) -> Result<Vec<Occurrence>, Error> {
    let places = media_uses::uses(collection, document)?.into_iter().enumerate().filter(|(_, found)| found.media == media);
    let shown = places.map(|(occurrence_index, found)| Occurrence {
        field_slug: found.field,
        field_path: found.path,
        occurrence_index,
        reference_type: found.kind,
    });
    Ok(shown.collect())
}
