//! An entry's content on its way in: what a request changes, checked as one, every problem at once.

use cms_domain::{
    access::Visibility,
    collection::Collection,
    entry::{Document, Entry, Status},
    field::{
        ValidJson,
        validate::{self, Defaults, ValidData},
    },
    id::EntryId,
    issue::Issue,
    locale::Locale,
    patch::Patch,
    slug::{EntrySlug, IdOrSlug},
};
use cms_frame::{Code, Cx, Error};
use cms_storage::{Found, Trash};
use serde_json::{Map, Value, json};

use super::{references, seo::SeoPatch};

/// What a request changes of an entry's content.
#[derive(Debug, Default)]
pub(super) struct Edit {
    /// Field values; null clears a field.
    pub(super) data: Map<String, Value>,
    /// The slug.
    pub(super) slug: Patch<EntrySlug>,
    /// What search engines are told.
    pub(super) seo: Option<SeoPatch>,
    /// Where values come from that fields had with another type and that say nothing in the one that they have.
    pub(super) aside: Aside,
}

/// Where values come from that are stored, and say nothing in the type that their field has.
#[derive(Debug, Default)]
pub(super) enum Aside {
    /// From the working copy, unless the field is cleared.
    #[default]
    Working,
    /// From the working copy, whatever is cleared: whoever clears does not know of them.
    Kept,
    /// From another document.
    Of(ValidJson),
}

impl Edit {
    /// The working copy of an entry with the changes.
    pub(super) async fn apply(self, cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<Document, Error> {
        let working = entry.working();
        let base = working.data.members(collection)?;
        let changed: Vec<_> = self.data.keys().cloned().collect();
        let mut issues = Vec::new();
        let data = take(validate::patch(collection, &base, self.data), &mut issues);
        let seo = self.seo.map_or_else(|| working.seo.clone(), |seo| seo.apply(collection, &working.seo, &mut issues));
        let mut slug = working.slug.clone();
        self.slug.apply(&mut slug);
        if slug.is_none() && working.slug.is_some() && entry.lifecycle.status != Status::Draft {
            issues.extend(no_slug(collection));
        }
        if let Some(data) = &data {
            issues.extend(references::missing(cx, collection, data.members(), |field| changed.iter().any(|name| name == field)).await?);
        }
        match data {
            Some(data) if issues.is_empty() => {
                if slug != working.slug {
                    slug_is_free(cx, collection, &entry.locale, slug.as_ref(), Some(entry.id)).await?;
                }
                let data = match &self.aside {
                    Aside::Working => data.into_json_over(collection, &working.data),
                    Aside::Kept => data.into_json_after(collection, &working.data, |_| false),
                    Aside::Of(source) => data.into_json_after(collection, source, |_| false),
                };
                Ok(Document { data: data?, slug, seo })
            }
            _ => Err(Error::invalid(issues)),
        }
    }
}

/// The content of a new entry: required fields have values, and fields that are not named have their defaults.
pub(super) async fn first(
    cx: &Cx<'_>,
    collection: &Collection,
    data: Map<String, Value>,
    seo: Option<SeoPatch>,
) -> Result<Document, Error> {
    let mut issues = Vec::new();
    let data = take(validate::complete(collection, data, Defaults::Apply), &mut issues);
    let unset = cms_domain::entry::Seo::default();
    let seo = seo.map_or_else(|| unset.clone(), |seo| seo.apply(collection, &unset, &mut issues));
    if let Some(data) = &data {
        issues.extend(references::missing(cx, collection, data.members(), |_| true).await?);
    }
    match data {
        Some(data) if issues.is_empty() => Ok(Document { data: data.into_json(), slug: None, seo }),
        _ => Err(Error::invalid(issues)),
    }
}

/// The working copy of an entry, if all of it is fit to be public. What is left of dropped fields is left out.
pub(super) async fn ready(cx: &Cx<'_>, collection: &Collection, entry: &Entry) -> Result<Document, Error> {
    let working = entry.working();
    let mut issues = Vec::new();
    let data = take(validate::complete(collection, working.data.members(collection)?, Defaults::Keep), &mut issues);
    if working.slug.is_none() {
        issues.extend(no_slug(collection));
    }
    if let Some(data) = &data {
        issues.extend(references::missing(cx, collection, data.members(), |_| true).await?);
    }
    match data {
        Some(data) if issues.is_empty() => {
            if working.slug != entry.live.slug {
                slug_is_free(cx, collection, &entry.locale, working.slug.as_ref(), Some(entry.id)).await?;
            }
            Ok(Document { data: data.into_json_over(collection, &working.data)?, ..working.clone() })
        }
        _ => Err(Error::invalid(issues)),
    }
}

/// Refuses a slug that another entry has, in the trash or not. Staged slugs of others do not count until they are published.
pub(super) async fn slug_is_free(
    cx: &Cx<'_>,
    collection: &Collection,
    locale: &Locale,
    slug: Option<&EntrySlug>,
    own: Option<EntryId>,
) -> Result<(), Error> {
    let Some(slug) = slug else { return Ok(()) };
    let named = IdOrSlug::Slug(slug.as_str().to_owned());
    let default = cx.options().locales.default_locale();
    match cx.read().entries().find(Visibility::Working, collection.id, &named, Some(locale), default, Trash::Include).await? {
        Found::One(other) if Some(other.id) != own => {
            let place = if other.lifecycle.deleted_at.is_some() { ", which is in the trash," } else { "" };
            let message = format!("the entry `{}`{place} has the slug `{slug}` in the locale `{locale}`", other.id);
            Err(Error::with(Code::SlugConflict, message).details(json!({ "id": other.id, "slug": slug })))
        }
        _ => Ok(()),
    }
}

fn no_slug(collection: &Collection) -> Option<Issue> {
    collection.routable.then(|| Issue::new("slug", "REQUIRED", "is required: entries of this collection have an address"))
}

fn take(result: Result<ValidData, Vec<Issue>>, issues: &mut Vec<Issue>) -> Option<ValidData> {
    result.map_err(|found| issues.extend(found)).ok()
}
