//! Import an entry: an operation for the operator, who brings content in from elsewhere.

use cms_domain::{
    access::{Access, Visibility, to},
    collection::{Collection, Support},
    entry::{Command, Status},
    field::ValidJson,
    id::EntryId,
    issue::Issue,
    locale::Locale,
    patch::Patch,
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{CONTENT, ENTRY, FEATURE, Failures, GUARDED},
    input::Later,
    operation::{Http, Operation, Tool},
};
use cms_storage::Trash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    LATER,
    change::Prepared,
    create::{CreateEntry, Origin, SaveStatus, is_free},
    draft::{Aside, Edit},
    publish,
    save::Save,
    schedule,
    schedule_unpublish::plan_end,
    seo::SeoPatch,
    target::{Target, supported},
};
use crate::schema_cache;

/// From how many entries on the database does not wait until it finds out by itself. Fewer are few rows, however they are read.
const MANY: u64 = 1000;

/// Import an entry.
///
/// What is imported obeys the rules of what is typed, and is there whole or not at all: published, staged and scheduled in one
/// transaction. An entry with an `id` is taken as it stands: no default is filled in and no slug is made.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportEntry {
    /// Id that the entry has, so that what refers to it still does. A new one when left out.
    pub id: Option<EntryId>,
    /// Collection the entry will belong to.
    pub collection: CollectionSlug,
    /// Language of the entry; the site's default locale when left out.
    pub locale: Option<Locale>,
    /// Id or slug of an entry of the same collection that this one translates.
    pub translation_of: Option<IdOrSlug>,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// Where the entry stands: `draft`, `published`, or `scheduled` for `scheduledAt`.
    #[serde(default = "draft")]
    pub status: Status,
    /// When the entry was created; now when left out.
    pub created_at: Option<Timestamp>,
    /// When the entry was published; now when a published entry leaves it out.
    pub published_at: Option<Timestamp>,
    /// When the entry, or the staged edit of a published one, will be published.
    pub scheduled_at: Option<Timestamp>,
    /// When the entry will be taken off the public site again; for scheduled and published entries. One that has passed is left out.
    pub unpublish_at: Option<Timestamp>,
    /// Field values.
    pub data: Map<String, Value>,
    /// What search engines are told; only where the collection has SEO.
    pub seo: Option<SeoPatch>,
    /// The staged edit of a published entry, whole.
    pub draft: Option<ImportDraft>,
    /// Whether an entry that is there already, by its id or by its slug, becomes this one. It is never taken off the public
    /// site. Not a member of the input: whoever imports says it of the whole import.
    #[serde(skip)]
    pub replace: bool,
    /// Whether the entry has its id only so that it is recognized when it comes again, and is otherwise new here. Not a member
    /// of the input.
    #[serde(skip)]
    pub foreign: bool,
    /// Whether only to find out what would become of it, and change nothing. Not a member of the input.
    #[serde(skip)]
    pub dry_run: bool,
}

/// The staged edit of a published entry.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportDraft {
    /// Field values.
    pub data: Map<String, Value>,
    /// Last part of the entry's address.
    pub slug: Option<EntrySlug>,
    /// What search engines will be told.
    pub seo: Option<SeoPatch>,
    /// Publication date; that of the published version when left out.
    pub published_at: Option<Timestamp>,
}

/// An entry that was imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Identifies the entry.
    pub id: EntryId,
    /// Whether it is new; otherwise it was there and became this one.
    pub created: bool,
}

fn draft() -> Status {
    Status::Draft
}

impl Operation for ImportEntry {
    const ID: &'static str = "content.import";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    const FAILURES: Failures = &[ENTRY, GUARDED, CONTENT, FEATURE, &[Code::TranslationExists]];
    const LATER: Later = LATER;
    type Output = Imported;

    fn check(&self) -> Result<(), Error> {
        let scheduled = self.scheduled_at.is_some();
        match self.status {
            Status::Scheduled if !scheduled => Err(Error::issue("scheduledAt", "REQUIRED", "is required: the entry is scheduled")),
            Status::Draft if scheduled => Err(Error::issue("scheduledAt", "NOT_ALLOWED", "is for scheduled and published entries")),
            Status::Draft if self.unpublish_at.is_some() => {
                Err(Error::issue("unpublishAt", "NOT_ALLOWED", "is for scheduled and published entries"))
            }
            Status::Draft | Status::Scheduled if self.draft.is_some() => {
                Err(Error::issue("draft", "NOT_ALLOWED", "is the staged edit of a published entry, and this one is not published"))
            }
            _ => Ok(()),
        }
    }

    async fn run(mut self, cx: &mut Cx<'_>) -> Result<Imported, Error> {
        let collection = schema_cache::collection(cx, &self.collection).await?;
        if self.id.is_some() && !self.foreign {
            clear_others(&collection, &mut self.data);
        }
        let (draft, scheduled_at, unpublish_at, dry_run) = (self.draft.take(), self.scheduled_at, self.unpublish_at, self.dry_run);
        let there = self.there(cx, &collection).await?;
        let created = there.is_none();
        let staged = there.as_ref().and_then(|there| there.entry.draft.as_ref()).map(|draft| draft.data.clone());
        let mut prepared = match there {
            Some(prepared) => self.replace(cx, prepared).await?,
            None => self.create(cx).await?.with(cx.permit(to::ChangeContent)?),
        };
        if let Some(draft) = draft {
            stage(cx, &mut prepared, draft, staged).await?;
        }
        if let Some(at) = scheduled_at {
            schedule::schedule(cx, &mut prepared, at).await?;
        }
        if let Some(end) = unpublish_at.filter(|end| *end > cx.now()) {
            plan_end(cx, &mut prepared, Some(end)).await?;
        }
        if dry_run {
            cx.start_over();
        }
        Ok(Imported { id: prepared.entry.id, created })
    }
}

/// Finish an import.
///
/// When many entries came in, the database learns of them, so that lists are fast at once.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FinishImport {
    /// How many entries were created or changed.
    pub entries: u64,
}

/// The import is finished.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportFinished {
    /// Whether there was something to learn.
    pub learned: bool,
}

impl Operation for FinishImport {
    const ID: &'static str = "content.finish_import";
    const ACCESS: Access = Access::System;
    const HTTP: Http = Http::NONE;
    const TOOL: Tool = Tool::Hidden;
    type Output = ImportFinished;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ImportFinished, Error> {
        let learned = self.entries >= MANY;
        if learned {
            cx.tx().await?.entries().learn().await?;
        }
        Ok(ImportFinished { learned })
    }
}

impl ImportEntry {
    /// The entry that is there already and may be replaced.
    async fn there(&self, cx: &mut Cx<'_>, collection: &Collection) -> Result<Option<Prepared>, Error> {
        let by_id = match self.id {
            Some(id) if self.replace => cx.read().entries().get(Visibility::Working, id, Trash::Include).await?.map(|_| IdOrSlug::Id(id)),
            Some(id) => {
                is_free(cx, id).await?;
                None
            }
            None => None,
        };
        let by_slug = self.slug.as_ref().filter(|_| self.replace).map(|slug| IdOrSlug::Slug(slug.as_str().to_owned()));
        let Some(id) = by_id.or(by_slug) else { return Ok(None) };
        let locale = cx.locale(self.locale.as_ref())?;
        let permit = cx.permit(to::ChangeContent)?;
        let target = Target { collection: &collection.slug, id: &id, locale: Some(&locale) };
        match target.read(cx, Trash::Exclude).await {
            Ok((collection, entry)) => Ok(Some(Prepared::of(collection, entry, permit))),
            // Nothing has the slug, or something in the trash, which then says so when the entry is created.
            Err(error) if error.code() == Code::NotFound && matches!(id, IdOrSlug::Slug(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    async fn create(self, cx: &mut Cx<'_>) -> Result<Prepared<to::CreateContent>, Error> {
        let names_itself = self.id.is_none() || self.foreign;
        let origin = Origin { names_itself, asks_hooks: false };
        let entry = CreateEntry {
            collection: self.collection,
            id: self.id,
            data: self.data,
            format: None,
            slug: self.slug,
            status: if self.status == Status::Published { SaveStatus::Published } else { SaveStatus::Draft },
            locale: self.locale,
            translation_of: self.translation_of,
            seo: self.seo,
            published_at: self.published_at.map_or(Patch::Keep, Patch::Set),
            created_at: self.created_at.map_or(Patch::Keep, Patch::Set),
        };
        entry.create(cx, origin).await
    }

    async fn replace(self, cx: &mut Cx<'_>, mut prepared: Prepared) -> Result<Prepared, Error> {
        let edit = Edit {
            data: self.data,
            slug: self.slug.map_or(Patch::Keep, Patch::Set),
            seo: self.seo,
            aside: Aside::Of(prepared.entry.live.data.clone()),
        };
        let document = edit.apply(cx, &prepared.collection, &prepared.entry).await?;
        let published_at = self.published_at.map_or(Patch::Keep, Patch::Set);
        Save { published_at, ..Save::of(document) }.apply(cx, &mut prepared).await?;
        if self.status == Status::Published {
            publish::publish(cx, &mut prepared, Command::Publish { date: None }).await?;
        }
        Ok(prepared)
    }
}

/// Stages an edit, whole: what it does not have is cleared. What says nothing in the type that its field has comes from the edit that was `staged` before.
async fn stage(cx: &mut Cx<'_>, prepared: &mut Prepared, mut draft: ImportDraft, staged: Option<ValidJson>) -> Result<(), Error> {
    supported(&prepared.collection, Support::Drafts)?;
    clear_others(&prepared.collection, &mut draft.data);
    let published_at = draft.published_at.map_or(Patch::Keep, Patch::Set);
    let edit = Edit {
        data: draft.data,
        slug: draft.slug.map_or(Patch::Clear, Patch::Set),
        seo: draft.seo,
        aside: staged.map_or(Aside::Kept, Aside::Of),
    };
    let document = edit.apply(cx, &prepared.collection, &prepared.entry).await.map_err(in_draft)?;
    Save { published_at, ..Save::of(document) }.apply(cx, prepared).await
}

/// Fields that are not named have no value, rather than the one they had or their default.
fn clear_others(collection: &Collection, data: &mut Map<String, Value>) {
    for field in &collection.fields {
        data.entry(field.slug.as_str()).or_insert(Value::Null);
    }
}

/// The problems of a staged edit, with paths that say so.
fn in_draft(error: Error) -> Error {
    let Some(issues) = error.details_json().and_then(|details| details["issues"].as_array()) else { return error };
    let text = |issue: &Value, member: &str| issue[member].as_str().unwrap_or_default().to_owned();
    let issues = issues.iter().map(|issue| Issue::new(text(issue, "path"), &text(issue, "code"), text(issue, "message")).under("draft"));
    Error::invalid(issues.collect())
}
