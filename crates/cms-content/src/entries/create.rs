//! Create an entry.

use cms_domain::{
    access::{Access, Permission, Scope, Visibility, to},
    entry::{Command, Document, Entry, Lifecycle},
    event::{EntryAction, Event},
    id::EntryId,
    locale::Locale,
    patch::Patch,
    slug::{CollectionSlug, EntrySlug, IdOrSlug},
    time::Timestamp,
};
use cms_frame::{
    Code, Cx, Error,
    failures::{CONTENT, ENTRY, Failures, HOOKED, STALE},
    input::Later,
    operation::{Http, Operation, Tool},
};
use cms_storage::{BEFORE_ALL, Constraint, Trash};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    EDIT, LATER, PUBLISH,
    change::{Kept, Prepared, conflict},
    draft,
    format::Format,
    history, hooks,
    item::ItemAnswer,
    publish, references,
    seo::SeoPatch,
    siblings, slugs,
    target::Target,
};
use crate::schema_cache;

/// Create an entry.
///
/// The entry is a draft unless `status` says `published`; then it is published in the same transaction. The caller becomes
/// its author. All problems are reported at once and nothing is stored while there are any.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateEntry {
    /// Collection the entry will belong to.
    pub collection: CollectionSlug,
    /// Id of the new entry, which whoever sends it may choose: a request whose answer got lost can then be repeated, and creates nothing twice. Where there
    /// is an entry with this id the answer is `CONFLICT`. The server makes one when it is left out.
    pub id: Option<EntryId>,
    /// Field values. Fields that are left out have their default, or no value.
    pub data: Map<String, Value>,
    /// How rich text is sent and answered. With `markdown`, a text for a field of rich text is Markdown; a list of blocks passes as it is.
    /// What a field cannot hold is refused, with the line that it is in.
    pub format: Option<Format>,
    /// Last part of the entry's address. Without one it is made from the title, and numbered when it is taken.
    pub slug: Option<EntrySlug>,
    /// Where the entry stands afterwards; `published` needs the permission to publish.
    #[serde(default)]
    pub status: SaveStatus,
    /// Language of the entry; the site's default locale when left out.
    pub locale: Option<Locale>,
    /// Id or slug of an entry of the same collection that this one translates.
    pub translation_of: Option<IdOrSlug>,
    /// What search engines are told; only where the collection has SEO.
    pub seo: Option<SeoPatch>,
    /// Publication date to record; needs the permission to publish anyone's entries.
    #[serde(default)]
    pub published_at: Patch<Timestamp>,
    /// Creation date to record; needs the permission to publish anyone's entries.
    #[serde(default)]
    pub created_at: Patch<Timestamp>,
}

/// Where an entry stands after it is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum SaveStatus {
    /// Not public.
    #[default]
    Draft,
    /// Public.
    Published,
}

/// What a new entry brings along.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// Whether a slug is made from its title when none is given.
    pub(super) names_itself: bool,
    /// Whether hooks are asked before it is saved.
    pub(super) asks_hooks: bool,
}

impl Operation for CreateEntry {
    const ID: &'static str = "content.create";
    const ACCESS: Access = Access::Needs(Scope::ContentWrite, Permission::ContentCreate);
    const HTTP: Http = Http::post("createContent", "/content/{collection}").created();
    const TOOL: Tool = Tool::Write;
    const FAILURES: Failures = &[ENTRY, CONTENT, STALE, HOOKED, &[Code::TranslationExists]];
    const LATER: Later = LATER;
    type Output = ItemAnswer;

    async fn run(self, cx: &mut Cx<'_>) -> Result<ItemAnswer, Error> {
        let origin = Origin { names_itself: true, asks_hooks: true };
        let format = self.format.unwrap_or_default();
        self.create(cx, origin).await?.answer_in(cx, format)
    }
}

impl CreateEntry {
    /// Creates the entry, and publishes it when that is asked for.
    pub(super) async fn create(self, cx: &mut Cx<'_>, origin: Origin) -> Result<Prepared<to::CreateContent>, Error> {
        let permit = cx.permit(to::CreateContent)?;
        if self.id == Some(BEFORE_ALL) {
            return Err(Error::issue("id", "NOT_ALLOWED", "no entry has this id: whatever goes through the entries begins behind it"));
        }
        if !(self.published_at.is_keep() && self.created_at.is_keep()) {
            cx.permit(Permission::ContentPublishAny)?;
        }
        let publishes = match self.status {
            SaveStatus::Published => Some(cx.actor().permit_owned(PUBLISH, cx.actor().user(), false)?),
            SaveStatus::Draft => None,
        };
        let locale = cx.locale(self.locale.as_ref())?;
        let source = self.source(cx).await?;
        let collection = schema_cache::to_prepare(cx, &self.collection).await?;
        let mut data = self.data;
        self.format.unwrap_or_default().read(&collection, &Map::new(), &mut data)?;
        if let Some(source) = &source {
            siblings::inherit(&collection, source, &mut data)?;
        }
        let mut document = Document { slug: self.slug, ..draft::first(cx, &collection, data, self.seo).await? };
        if let Some(source) = &source {
            siblings::share(&collection, source, &mut document)?;
        }
        let names_itself = origin.names_itself && document.slug.is_none();
        let (id, now) = (self.id.unwrap_or_else(|| cx.new_id()), cx.now());
        let mut entry = Entry {
            id,
            collection: collection.id,
            locale,
            group: source.as_ref().map_or_else(|| id.cast(), |source| source.group),
            author: permit.user(),
            version: 1,
            created_at: self.created_at.as_set().copied().unwrap_or(now),
            updated_at: now,
            lifecycle: Lifecycle { published_at: self.published_at.as_set().copied(), ..Lifecycle::NEW },
            live: document,
            draft: None,
            live_revision: None,
            draft_revision: None,
            schedule_failure: None,
        };
        if origin.asks_hooks {
            hooks::change(cx, &collection, &mut entry).await?;
        }
        let mut prepared = Prepared::of(collection, entry, permit);
        prepared.hold(cx).await?;
        let is_original = source.is_none();
        if let Some(source) = source {
            must_still_be(cx, &source).await?;
        }
        insert(cx, &mut prepared, names_itself).await?;
        if self.id.is_some() && is_original {
            has_no_translations(cx, &prepared.entry).await?;
        }
        if let Some(publishes) = publishes {
            let mut created = prepared.with(publishes);
            publish::publish(cx, &mut created, Command::Publish { date: None }).await?;
            prepared = created.with(permit);
        }
        Ok(prepared)
    }

    /// The entry that is translated. Whoever translates an entry could edit it.
    async fn source(&self, cx: &mut Cx<'_>) -> Result<Option<Entry>, Error> {
        let Some(id) = &self.translation_of else { return Ok(None) };
        let (_, source) = Target { collection: &self.collection, id, locale: None }.read(cx, Trash::Exclude).await?;
        cx.permit_to(EDIT, &source)?;
        Ok(Some(source))
    }
}

/// Refuses to translate what is not any more what was read of it. It stays as it is until the transaction ends.
async fn must_still_be(cx: &mut Cx<'_>, source: &Entry) -> Result<(), Error> {
    let now = cx.tx().await?.entries().lock(source.id).await?;
    if now.is_some_and(|now| now.version == source.version) { Ok(()) } else { Err(Error::overtaken()) }
}

/// Refuses the id of an entry that was deleted for good while there are translations of it: they would be some of the new one. Asked once the id is
/// taken: nobody translates the old one any more.
async fn has_no_translations(cx: &Cx<'_>, entry: &Entry) -> Result<(), Error> {
    if cx.read().entries().group_versions(entry).await?.is_empty() {
        return Ok(());
    }
    let message = format!("the entry that had the id `{}` is gone, and translations of it are still there: choose another id", entry.id);
    Err(Error::with(Code::Conflict, message).details(json!({ "id": entry.id })))
}

/// Refuses the id of an entry that is there, also in the trash.
pub(super) async fn is_free(cx: &Cx<'_>, id: EntryId) -> Result<(), Error> {
    if cx.read().entries().get(Visibility::Working, id, Trash::Include).await?.is_none() {
        return Ok(());
    }
    Err(Error::with(Code::Conflict, format!("there is an entry `{id}` already")).details(json!({ "id": id })))
}

/// Writes a new entry, whole, with its first revision, and with a slug from its title if it `names_itself`.
pub(super) async fn insert(cx: &mut Cx<'_>, prepared: &mut Prepared<to::CreateContent>, names_itself: bool) -> Result<(), Error> {
    prepared.hold(cx).await?;
    let Prepared { collection, entry, permit, .. } = prepared;
    references::must_exist(cx, collection, None, &entry.live).await?;
    if names_itself {
        // Here, where others wait who make slugs from the same title.
        entry.live.slug = slugs::generate(cx, collection, &entry.locale, &entry.live.data.members(collection)?).await?;
    }
    let document = entry.live.clone();
    let kept = history::record(cx, permit.user(), collection, entry, &document, false).await?;
    let added = kept.as_ref().and_then(Kept::added);
    if let Err(error) = cx.tx().await?.entries().insert(permit, collection, entry, added).await {
        if let cms_storage::Error::Conflict(constraint) = &error {
            // What stands in the way is asked only now: nearly everything is free. On PostgreSQL the transaction can do nothing more.
            cx.abandon();
            // The same may have been sent before, and is then in its own way.
            is_free(cx, entry.id).await?;
            if *constraint == Constraint::EntrySlug {
                draft::slug_is_free(cx, collection, &entry.locale, entry.live.slug.as_ref(), None).await?;
            }
        }
        return Err(conflict(collection, error));
    }
    cx.emit(Event::of_entry(None, entry, EntryAction::Created, false));
    Ok(())
}
