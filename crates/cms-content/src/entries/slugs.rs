//! Slugs that nobody gave: made from an entry's title, with a number when the plain one is taken.

use cms_domain::{collection::Collection, locale::Locale, slug::EntrySlug};
use cms_frame::{Cx, Error};
use serde_json::{Map, Value};

/// A free slug for an entry, from what names it; none when nothing does.
pub(super) async fn generate(
    cx: &mut Cx<'_>,
    collection: &Collection,
    locale: &Locale,
    data: &Map<String, Value>,
) -> Result<Option<EntrySlug>, Error> {
    let Some(title) = title(collection, data) else { return Ok(None) };
    let stem = EntrySlug::from_title(title);
    // Others who make slugs from the same title wait here until this invocation ends.
    let taken = cx.tx().await?.entries().hold_slugs(collection.id, locale, &stem).await?;
    Ok(Some(match taken {
        None => stem,
        Some(highest) => stem.numbered(highest.saturating_add(1)),
    }))
}

/// What names an entry: its title field, or else its `title`, or its `name`.
pub(super) fn title<'a>(collection: &Collection, data: &'a Map<String, Value>) -> Option<&'a str> {
    let title_field = collection.title_field().map(|field| field.slug.as_str());
    title_field.into_iter().chain(["title", "name"]).find_map(|slug| data.get(slug)?.as_str().filter(|text| !text.trim().is_empty()))
}
