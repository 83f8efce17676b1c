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
    let Some(title) = collection.title_of(data) else { return Ok(None) };
    let stem = EntrySlug::from_title(title);
    // Others who make slugs from the same title wait here until this invocation ends.
    let taken = cx.tx().await?.entries().hold_slugs(collection.id, locale, &stem).await?;
    Ok(Some(match taken {
        None => stem,
        Some(highest) => stem.numbered(highest.saturating_add(1)),
    }))
}
