//! Which entry a request means: found by id or by slug, seen or not, prepared for a change.

use std::sync::Arc;

use cms_domain::{
    access::Visibility,
    collection::{Collection, Support},
    entry::Entry,
    locale::Locale,
    rev::Rev,
    slug::{CollectionSlug, IdOrSlug},
};
use cms_frame::{Code, Cx, Error, must_be_current, topics::Topic};
use cms_storage::{EntryView, Found, Trash};
use serde_json::json;

use super::{change::Prepared, lease};
use crate::{Content, schema_cache};

/// An entry, as a request names it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    /// Its collection.
    pub(super) collection: &'a CollectionSlug,
    /// Its id or slug.
    pub(super) id: &'a IdOrSlug,
    /// The locale in which the slug is looked up.
    pub(super) locale: Option<&'a Locale>,
}

/// What a request says about the state it expects the entry in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Guard<'a> {
    /// The revision last read.
    pub(super) rev: Option<&'a Rev>,
    /// Whether another user's lease does not matter.
    pub(super) override_lock: bool,
}

impl Target<'_> {
    /// The entry, if the caller may see it. What the caller may not see is not found.
    pub(super) async fn find(self, cx: &Cx<'_>) -> Result<(Arc<Collection>, Entry), Error> {
        let collection = schema_cache::collection(cx, self.collection).await?;
        let entry = self.find_in(cx, &collection, Trash::Exclude).await?;
        Ok((collection, entry))
    }

    /// The published entry, as its readers see it.
    pub(super) async fn find_published(self, cx: &Cx<'_>) -> Result<(Arc<Collection>, EntryView), Error> {
        let collection = schema_cache::collection(cx, self.collection).await?;
        let locale = self.shows(cx, &collection, Trash::Exclude)?;
        let default = cx.options().locales.default_locale();
        let found = cx.read().entries().find_published(collection.id, self.id, locale.as_ref(), default).await?;
        Ok((collection, self.one(found, Trash::Exclude)?))
    }

    async fn find_in(self, cx: &Cx<'_>, collection: &Collection, trash: Trash) -> Result<Entry, Error> {
        let locale = self.shows(cx, collection, trash)?;
        let default = cx.options().locales.default_locale();
        self.one(cx.read().entries().find(cx.visibility(), collection.id, self.id, locale.as_ref(), default, trash).await?, trash)
    }

    /// Notes what the answer shows, and gives the locale in which the entry is looked for.
    fn shows(self, cx: &Cx<'_>, collection: &Collection, trash: Trash) -> Result<Option<Locale>, Error> {
        let locale = self.locale.map(|locale| cx.locale(Some(locale))).transpose()?;
        cx.shows(match self.id {
            IdOrSlug::Id(id) => Topic::Entry(*id),
            // Whichever entry has it, in whatever locale. Text that cannot be a slug is no entry's; some of it no database would even take.
            IdOrSlug::Slug(text) => Topic::Slug(collection.id, text.parse().map_err(|_| self.not_found(trash))?),
        });
        Ok(locale)
    }

    fn one<T>(self, found: Found<T>, trash: Trash) -> Result<T, Error> {
        match found {
            Found::One(entry) => Ok(*entry),
            Found::None => Err(self.not_found(trash)),
            Found::Ambiguous(locales) => Err(Error::new(Code::AmbiguousLocale).details(json!({ "locales": locales }))),
        }
    }

    /// The entry, locked until the invocation ends, in a collection that stays as it is until then: for what is done beside its content, and waits
    /// for nobody.
    pub(super) async fn lock(self, cx: &mut Cx<'_>, trash: Trash) -> Result<(Arc<Collection>, Entry), Error> {
        let collection = schema_cache::collection_for_write(cx, self.collection).await?;
        let (id, found) = match self.id {
            IdOrSlug::Id(id) => (*id, None),
            IdOrSlug::Slug(_) => {
                let found = self.find_in(cx, &collection, trash).await?;
                (found.id, Some(found))
            }
        };
        let entries = cx.tx().await?.entries();
        let entry = match found {
            Some(found) => entries.lock_found(found).await?,
            None => entries.lock(id).await?,
        };
        let entry = entry.filter(|entry| entry.collection == collection.id && is_in(entry, trash));
        entry.map(|entry| (collection, entry)).ok_or_else(|| self.not_found(trash))
    }

    /// The entry as it is now, to prepare a change of it. Whoever else wants to, in this process, waits until this invocation is over; what others
    /// do meanwhile is noticed when the change is written.
    pub(super) async fn read(self, cx: &mut Cx<'_>, trash: Trash) -> Result<(Arc<Collection>, Entry), Error> {
        let (id, found) = match self.id {
            IdOrSlug::Id(id) => (*id, None),
            IdOrSlug::Slug(_) => {
                let collection = schema_cache::collection(cx, self.collection).await?;
                let found = self.find_in(cx, &collection, trash).await?;
                (found.id, Some(found))
            }
        };
        let turn = Content::of(cx.cms()).turns.take(id).await?;
        cx.keep_turn(turn.guard);
        let collection = schema_cache::to_prepare(cx, self.collection).await?;
        let entry = match self.id {
            IdOrSlug::Id(id) => {
                // Whoever may change it is asked for, not who sees it.
                let found = cx.read().entries().get(Visibility::Working, *id, trash).await?;
                found.filter(|entry| entry.collection == collection.id).ok_or_else(|| self.not_found(trash))?
            }
            IdOrSlug::Slug(_) => {
                let is_fresh = !turn.waited && !cx.holds_first();
                let entry = match found.filter(|found| is_fresh && found.collection == collection.id) {
                    Some(found) => found,
                    None => self.find_in(cx, &collection, trash).await?,
                };
                if entry.id != id {
                    // Another one has the slug by now.
                    return Err(Error::overtaken());
                }
                entry
            }
        };
        Ok((collection, entry))
    }

    /// The entry, prepared for a change that the caller may make and that its state allows: first whose it is, then the
    /// revision, then the lease.
    pub(super) async fn prepare(self, cx: &mut Cx<'_>, guard: Guard<'_>, trash: Trash) -> Result<Prepared, Error> {
        let (collection, entry) = self.read(cx, trash).await?;
        let permit = cx.permit_owned(&entry)?;
        guard.check(cx, &collection, &entry).await?;
        Ok(Prepared::of(collection, entry, permit))
    }

    pub(super) fn not_found(self, trash: Trash) -> Error {
        let place = if trash == Trash::Only { "the trash of the collection" } else { "the collection" };
        Error::with(Code::NotFound, format!("there is no entry `{}` in {place} `{}`", self.id, self.collection))
    }
}

impl Guard<'_> {
    /// Refuses what was decided upon an older state, or while another user edits the entry.
    pub(super) async fn check(self, cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<(), Error> {
        must_be_current(self.rev, &entry.rev())?;
        if self.override_lock { Ok(()) } else { lease::admit(cx, collection, entry).await }
    }
}

fn is_in(entry: &Entry, trash: Trash) -> bool {
    match trash {
        Trash::Exclude => entry.lifecycle.deleted_at.is_none(),
        Trash::Only => entry.lifecycle.deleted_at.is_some(),
        Trash::Include => true,
    }
}

/// Refuses what a collection does not support.
pub(super) fn supported(collection: &Collection, feature: Support) -> Result<(), Error> {
    if collection.supports(feature) {
        return Ok(());
    }
    Err(Error::with(Code::NotSupported, format!("the collection `{}` does not support `{}`", collection.slug, feature.name())))
}
