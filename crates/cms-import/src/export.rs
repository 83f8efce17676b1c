//! Export of content as lines of JSON, in the form that import reads.

use std::io::{self, Write};

use cms_accounts::audit_export::{Exported, NoteExport};
use cms_content::{
    entries::{
        compare::{CompareEntry, Version},
        format::Format,
        item::Item,
        list::{ListEntries, Order},
        translations::ListTranslations,
    },
    schema::collections::ListCollections,
};
use cms_domain::{
    access::Actor,
    entry::{Seo, Status},
    id::EntryId,
    json::JsonObject,
    locale::Locale,
    page::{Cursor, PageSize},
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{Cms, Door, Error, operation::Operation};
use serde::Serialize;

/// Why an export stopped.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The content could not be read.
    #[error(transparent)]
    Read(#[from] Error),
    /// The lines could not be written.
    #[error("cannot write the export: {0}")]
    Write(#[from] io::Error),
}

/// An entry as a line: the input of the operation that imports it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    collection: CollectionSlug,
    id: EntryId,
    locale: Locale,
    #[serde(skip_serializing_if = "Option::is_none")]
    translation_of: Option<EntryId>,
    slug: Option<EntrySlug>,
    status: Status,
    created_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduled_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unpublish_at: Option<Timestamp>,
    data: JsonObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<Seo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<Draft>,
}

/// The staged edit of a published entry.
#[derive(Debug, Serialize)]
struct Draft {
    data: JsonObject,
    slug: Option<EntrySlug>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seo: Option<Seo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    published_at: Option<Timestamp>,
}

/// Writes the entries outside of the trash, of the collections named or of all, the oldest first. Says after each page how many
/// there were so far.
pub async fn export(
    cms: &Cms,
    collections: &[CollectionSlug],
    out: &mut (impl Write + Send),
    mut report: impl FnMut(u64) + Send,
) -> Result<u64, ExportError> {
    let parts = collections.iter().map(ToString::to_string).collect();
    let content = Content { cms, reader: &Actor::System };
    content.invoke(NoteExport { what: Exported::Content, parts }).await?;
    let mut written = 0;
    for collection in content.named_or_all(collections).await? {
        let mut cursor = None;
        loop {
            let page = content.page(&collection, cursor, PageSize::DEFAULT).await?;
            for line in &page.lines {
                out.write_all(line)?;
                written += 1;
            }
            report(written);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
    }
    out.flush()?;
    Ok(written)
}

/// Content, as somebody sees it who takes it out.
pub(crate) struct Content<'a> {
    pub(crate) cms: &'a Cms,
    pub(crate) reader: &'a Actor,
}

/// Some entries of a collection.
pub(crate) struct Page {
    /// A line for each, with its end.
    pub(crate) lines: Vec<Vec<u8>>,
    /// Where to go on; none at the end.
    pub(crate) next: Option<Cursor>,
}

impl Content<'_> {
    pub(crate) async fn named_or_all(&self, named: &[CollectionSlug]) -> Result<Vec<CollectionSlug>, Error> {
        if named.is_empty() {
            let all = self.invoke(ListCollections {}).await?;
            return Ok(all.items.into_iter().map(|collection| collection.slug).collect());
        }
        Ok(named.to_vec())
    }

    /// How many entries a collection has; none where there are too many to count.
    pub(crate) async fn count(&self, collection: &CollectionSlug) -> Result<Option<u64>, Error> {
        let counted = ListEntries { include_total: true, ..entries(collection, None, PageSize::DEFAULT) };
        let page = self.invoke(counted).await?;
        Ok(page.total.filter(|_| page.total_capped != Some(true)))
    }

    /// The next entries of a collection, the oldest first.
    pub(crate) async fn page(&self, collection: &CollectionSlug, cursor: Option<Cursor>, limit: PageSize) -> Result<Page, Error> {
        let page = self.invoke(entries(collection, cursor, limit)).await?;
        let mut lines = Vec::with_capacity(page.items.len());
        for listed in page.items {
            let item = listed.into_item().ok_or_else(|| Error::internal("an entry was listed without its working copy"))?;
            let mut text = serde_json::to_vec(&self.line(item).await?)?;
            text.push(b'\n');
            lines.push(text);
        }
        Ok(Page { lines, next: page.next_cursor })
    }

    async fn line(&self, item: Item) -> Result<Line, Error> {
        let translation_of = self.first_of_group(&item).await?;
        let working = item.working.as_ref();
        let scheduled_at = working.and_then(|working| working.scheduled_at);
        let unpublish_at = working.and_then(|working| working.unpublish_at);
        let mut line = Line {
            collection: item.collection,
            id: item.id,
            locale: item.locale,
            translation_of,
            slug: item.slug,
            status: item.status,
            created_at: item.created_at,
            published_at: item.published_at,
            scheduled_at,
            unpublish_at,
            data: item.data,
            seo: item.seo,
            draft: None,
        };
        if working.is_some_and(|working| working.has_draft) {
            let both = CompareEntry { collection: line.collection.clone(), id: IdOrSlug::Id(line.id), locale: None, format: Format::Json };
            let both = self.invoke(both).await?;
            // Published meanwhile, the entry has no draft to tell of.
            if let (Some(Version { data, slug, seo, published_at }), Some(draft)) = (both.live, both.draft) {
                let draft_date = draft.published_at.filter(|date| Some(*date) != published_at);
                (line.data, line.slug, line.seo, line.published_at) = (data, slug, seo, published_at);
                line.draft = Some(Draft { data: draft.data, slug: draft.slug, seo: draft.seo, published_at: draft_date });
            }
        }
        Ok(line)
    }

    /// The entry that this one counts as a translation of: the oldest of its group.
    async fn first_of_group(&self, item: &Item) -> Result<Option<EntryId>, Error> {
        if item.translation_group == item.id.cast() {
            return Ok(None);
        }
        let group = ListTranslations { collection: item.collection.clone(), id: IdOrSlug::Id(item.id), locale: None };
        let group = self.invoke(group).await?;
        Ok(group.translations.iter().map(|translation| translation.id).min().filter(|first| *first != item.id))
    }

    async fn invoke<O: Operation>(&self, operation: O) -> Result<O::Output, Error> {
        self.cms.invoke(self.reader, Door::Local, operation).await
    }
}

/// The list of the entries of a collection as editors see them, the oldest first.
fn entries(collection: &CollectionSlug, cursor: Option<Cursor>, limit: PageSize) -> ListEntries {
    ListEntries {
        collection: collection.clone(),
        cursor,
        limit,
        status: None,
        order_by: None,
        order: Order::Asc,
        locale: None,
        author_id: None,
        date_field: None,
        date_from: None,
        date_to: None,
        field_filters: Default::default(),
        include_total: false,
        fields: None,
        include: None,
        format: Format::Json,
    }
}
