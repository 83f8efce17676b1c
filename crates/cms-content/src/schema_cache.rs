//! The collections as this process knows them.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use cms_domain::{collection::Collection, id::CollectionId, slug::CollectionSlug};
use cms_frame::{Code, Cx, Error, following::Following, topics::Topic};
use cms_storage::Reader;

use crate::Content;

/// Collections by slug and by id.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    by_slug: HashMap<CollectionSlug, Arc<Collection>>,
    by_id: HashMap<CollectionId, Arc<Collection>>,
}

/// The registry, read from the database at its first use and forgotten when a collection changes.
#[derive(Debug)]
pub(crate) struct SchemaCache {
    following: Arc<Following>,
    registry: RwLock<Option<Arc<Registry>>>,
    forgotten: AtomicU64,
}

impl SchemaCache {
    pub(crate) fn new(following: Arc<Following>) -> Self {
        Self { following, registry: RwLock::default(), forgotten: AtomicU64::default() }
    }

    /// The collection with a slug.
    pub(crate) async fn collection(&self, rows: Reader<'_>, slug: &CollectionSlug) -> Result<Option<Arc<Collection>>, Error> {
        Ok(self.registry(rows).await?.by_slug.get(slug).cloned())
    }

    /// The collection with an id.
    pub(crate) async fn by_id(&self, rows: Reader<'_>, id: CollectionId) -> Result<Option<Arc<Collection>>, Error> {
        Ok(self.registry(rows).await?.by_id.get(&id).cloned())
    }

    async fn registry(&self, rows: Reader<'_>) -> Result<Arc<Registry>, Error> {
        let is_current = self.following.is_current();
        let known = self.registry.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(registry) = known.filter(|_| is_current) {
            return Ok(registry);
        }
        let forgotten = self.forgotten.load(Ordering::Acquire);
        let mut registry = Registry::default();
        for collection in rows.collections().all().await? {
            let collection = Arc::new(collection);
            registry.by_slug.insert(collection.slug.clone(), Arc::clone(&collection));
            registry.by_id.insert(collection.id, collection);
        }
        let registry = Arc::new(registry);
        // What is not committed, or was read before the last change, is good for this invocation only.
        if is_current && !rows.in_transaction() {
            let mut kept = self.registry.write().unwrap_or_else(PoisonError::into_inner);
            if self.forgotten.load(Ordering::Acquire) == forgotten {
                *kept = Some(Arc::clone(&registry));
            }
        }
        Ok(registry)
    }

    /// Reads the collections anew at the next use.
    pub(crate) fn forget(&self) {
        let mut kept = self.registry.write().unwrap_or_else(PoisonError::into_inner);
        self.forgotten.fetch_add(1, Ordering::AcqRel);
        *kept = None;
    }
}

/// A collection, to read its entries.
pub async fn collection(cx: &Cx<'_>, slug: &CollectionSlug) -> Result<Arc<Collection>, Error> {
    let cache = &Content::of(cx.cms()).schema;
    let read = async || cache.collection(cx.read(), slug).await?.ok_or_else(|| no_collection(slug));
    let mut known = read().await?;
    while cx.is_watched() {
        cx.shows(Topic::Schema(known.id));
        // What was read before the watch began may have changed before it began, too.
        let again = read().await?;
        if (again.id, again.version) == (known.id, known.version) {
            break;
        }
        known = again;
    }
    Ok(known)
}

/// The collection of an entry, to show it; none when it is gone.
pub(crate) async fn collection_by_id(cx: &Cx<'_>, id: CollectionId) -> Result<Option<Arc<Collection>>, Error> {
    cx.shows(Topic::Schema(id));
    Content::of(cx.cms()).schema.by_id(cx.read(), id).await
}

/// A collection, to write its entries: nobody changes its fields before this invocation's transaction ends.
pub async fn collection_for_write(cx: &mut Cx<'_>, slug: &CollectionSlug) -> Result<Arc<Collection>, Error> {
    let known = collection(cx, slug).await?;
    let version = cx.tx().await?.collections().hold(known.id).await?;
    match version {
        Some(version) if version == known.version => Ok(known),
        // Another node, or an invocation that just ended, changed it.
        _ => {
            Content::of(cx.cms()).schema.forget();
            let found = collection(cx, slug).await?;
            // One that was made anew is another one, which nobody holds; where there is one writer, that is this one.
            let held = found.id == known.id || !cx.has_concurrent_writers();
            if held { Ok(found) } else { Err(Error::new(Code::Busy)) }
        }
    }
}

/// A collection, to prepare a change of its entries by. Who was overtaken holds it from here on: changes of it that follow each other must not overtake
/// somebody for ever. Nobody's turn is waited for afterwards.
pub(crate) async fn to_prepare(cx: &mut Cx<'_>, slug: &CollectionSlug) -> Result<Arc<Collection>, Error> {
    if cx.holds_first() { collection_for_write(cx, slug).await } else { collection(cx, slug).await }
}

/// Keeps a collection as this invocation knows it until its transaction ends, to write entries that were prepared by it.
pub(crate) async fn hold(cx: &mut Cx<'_>, collection: &Collection) -> Result<(), Error> {
    let version = cx.tx().await?.collections().hold(collection.id).await?;
    if version == Some(collection.version) {
        return Ok(());
    }
    Content::of(cx.cms()).schema.forget();
    Err(Error::overtaken())
}

/// There is no collection with the slug.
pub(crate) fn no_collection(slug: &CollectionSlug) -> Error {
    Error::with(Code::CollectionNotFound, format!("there is no collection `{slug}`"))
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::Poll, time::Duration};

    use cms_domain::{
        access::{Actor, to},
        time::Timestamp,
    };
    use cms_storage::{Store, testing::TestStore};

    use super::*;

    async fn forgets_what_it_read_before_a_change(store: Store) {
        let permit = Actor::System.permit(to::ManageSchema).unwrap();
        let slug: CollectionSlug = "posts".parse().unwrap();
        let mut posts = Collection::new(CollectionId::from_parts(0, 1), slug.clone(), Timestamp::from_milliseconds(0));
        let tx = store.write().await.unwrap();
        tx.collections().insert(&permit, &posts).await.unwrap();
        tx.commit().await.unwrap();
        let cache = SchemaCache::new(Arc::default());
        let read = || Box::pin(cache.collection(store.reader(), &slug));
        let mut reading = read();
        // A database that answers before anybody waits for it is asked again.
        while poll_fn(|cx| Poll::Ready(reading.as_mut().poll(cx).is_ready())).await {
            cache.forget();
            reading = read();
        }
        // The rows are on their way, and nobody takes them yet.
        tokio::time::sleep(Duration::from_millis(100)).await;
        "News".clone_into(&mut posts.label);
        let tx = store.write().await.unwrap();
        tx.collections().update(&permit, &posts).await.unwrap();
        tx.commit().await.unwrap();
        cache.forget();
        reading.await.unwrap().unwrap();
        let kept = cache.collection(store.reader(), &slug).await.unwrap().unwrap();
        assert_eq!(kept.label, "News");
    }

    #[tokio::test]
    async fn what_was_read_before_a_change_is_not_kept_after_it_on_sqlite() {
        cms_storage::testing::run(TestStore::sqlite().await.map(Some), forgets_what_it_read_before_a_change).await;
    }

    #[tokio::test]
    async fn what_was_read_before_a_change_is_not_kept_after_it_on_postgres() {
        cms_storage::testing::run(TestStore::postgres().await, forgets_what_it_read_before_a_change).await;
    }
}
