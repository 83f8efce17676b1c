//! Entries of several collections in one answer.

use std::collections::{HashMap, hash_map};

use cms_domain::{bounded::Bounded, collection::Collection, entry::Entry, id::CollectionId, slug::CollectionSlug};
use cms_frame::{Cx, Error};

use super::list_all::AnyEntry;
use crate::schema_cache;

/// How many collections may be named: more than a screen has room for.
const MOST_NAMED: usize = 100;

/// Names of collections with commas between them.
pub(super) type Names = Bounded<1, 6500>;

/// The collections that are asked for, each once.
pub(super) async fn collections(cx: &Cx<'_>, named: Option<&Names>) -> Result<Option<Vec<CollectionId>>, Error> {
    let Some(named) = named else { return Ok(None) };
    let names: Vec<_> = named.as_str().split(',').map(str::trim).collect();
    if names.len() > MOST_NAMED {
        return Err(Error::issue("collections", "TOO_LONG", format!("names more than {MOST_NAMED} collections")));
    }
    let mut collections = Vec::with_capacity(names.len());
    for name in names {
        let slug: CollectionSlug =
            name.parse().map_err(|error| Error::issue("collections", "INVALID_VALUE", format!("`{name}`: {error}")))?;
        collections.push(schema_cache::collection(cx, &slug).await?.id);
    }
    collections.sort_unstable();
    collections.dedup();
    Ok(Some(collections))
}

/// Collections that were needed before.
#[derive(Default)]
pub(super) struct Known(HashMap<CollectionId, Option<std::sync::Arc<Collection>>>);

impl Known {
    /// An entry with its collection and what names it; none where the collection goes away at this moment, and the entry with it.
    pub(super) async fn entry(&mut self, cx: &Cx<'_>, entry: &Entry) -> Result<Option<AnyEntry>, Error> {
        if let hash_map::Entry::Vacant(unknown) = self.0.entry(entry.collection) {
            unknown.insert(schema_cache::collection_by_id(cx, entry.collection).await?);
        }
        let Some(Some(collection)) = self.0.get(&entry.collection) else { return Ok(None) };
        AnyEntry::of(collection, entry).map(Some)
    }
}
