//! A collection that an invocation changes: locked, changed, settled.

use cms_domain::{
    access::{Permit, to},
    collection::{Collection, Index},
    event::Event,
    rev::Rev,
    slug::{CollectionSlug, FieldSlug},
    time::Timestamp,
};
use cms_frame::{Cx, Error, must_be_current};

use crate::schema_cache::no_collection;

/// A collection that the invocation changes. Nobody else changes it or writes its entries before the invocation ends.
#[derive(Debug)]
pub(super) struct Held {
    /// Proof that the caller may.
    pub(super) permit: Permit<to::ManageSchema>,
    /// The collection; what is changed here is also written by the operation.
    pub(super) collection: Collection,
    /// When it changes: later than the last time.
    pub(super) now: Timestamp,
}

impl Held {
    /// Takes the collection with a slug, in the state that the caller read, if they say which.
    pub(super) async fn lock_at(cx: &mut Cx<'_>, slug: &CollectionSlug, rev: Option<&Rev>) -> Result<Self, Error> {
        let held = Self::lock(cx, slug).await?;
        must_be_current(rev, &held.collection.rev())?;
        Ok(held)
    }

    /// Takes the collection with a slug.
    pub(super) async fn lock(cx: &mut Cx<'_>, slug: &CollectionSlug) -> Result<Self, Error> {
        let permit = cx.permit(to::ManageSchema)?;
        let tx = cx.tx().await?;
        let known = tx.reader().collections().by_slug(slug).await?.ok_or_else(|| no_collection(slug))?;
        tx.collections().hold_alone(known.id).await?;
        // Whoever held it before may have changed it: what counts is read now.
        let collection = tx.reader().collections().by_id(known.id).await?.ok_or_else(|| no_collection(slug))?;
        let now = cx.now().later_than(collection.updated_at);
        Ok(Self { permit, collection, now })
    }

    /// The declared indexes over several fields.
    pub(super) fn composites(&self) -> Vec<Vec<FieldSlug>> {
        composites(&self.collection)
    }

    /// Makes the indexes those that the fields and the declared `composites` ask for, tells of the change, and reads the
    /// collection as it now is. Indexes over `rekeyed` are built anew, because its keys are made otherwise.
    pub(super) async fn settle(
        self,
        cx: &mut Cx<'_>,
        composites: Vec<Vec<FieldSlug>>,
        rekeyed: Option<&FieldSlug>,
    ) -> Result<Collection, Error> {
        let collection = self.collection;
        let id = collection.id;
        let mut wanted: Vec<_> = collection.indexed_fields().map(|field| vec![field.slug.clone()]).collect();
        wanted.extend(composites);
        let keep = |index: &&Index| wanted.contains(&index.fields) && rekeyed.is_none_or(|field| !index.fields.contains(field));
        let (kept, dropped): (Vec<_>, Vec<_>) = collection.indexes.iter().partition(keep);
        let indexes = cx.tx().await?.collections();
        for index in dropped {
            indexes.drop_index(&self.permit, id, index.id).await?;
        }
        for fields in wanted.iter().filter(|fields| !kept.iter().any(|index| index.fields == **fields)) {
            indexes.insert_index(&self.permit, id, fields).await?;
        }
        cx.emit(Event::Schema { collection: id });
        cx.read().collections().by_id(id).await?.ok_or_else(|| no_collection(&collection.slug))
    }
}

/// The declared indexes of a collection over several fields.
pub(super) fn composites(collection: &Collection) -> Vec<Vec<FieldSlug>> {
    collection.indexes.iter().filter(|index| index.is_composite()).map(|index| index.fields.clone()).collect()
}

/// The collection with a slug as it is stored: how far an index has come is not remembered.
pub(super) async fn stored(cx: &Cx<'_>, slug: &CollectionSlug) -> Result<Collection, Error> {
    cx.read().collections().by_slug(slug).await?.ok_or_else(|| no_collection(slug))
}
