//! The collections as this process knows them.

use std::{
    collections::HashMap,
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
};

use cms_domain::{collection::Collection, id::CollectionId, slug::CollectionSlug};
use cms_storage::Reader;

use crate::{Error, following::Following};

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

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::Poll, time::Duration};

    use cms_domain::user::Role;
    use serde_json::json;

    use super::*;
    use crate::{
        both,
        schema::{create_collection::CreateCollection, update_collection::UpdateCollection},
    };

    both! {
        async fn what_was_read_before_a_change_is_not_kept_after_it(app: TestApp) {
            app.call::<CreateCollection>(Role::Admin, json!({ "slug": "posts", "label": "Posts" })).await.unwrap();
            let (cache, slug) = (SchemaCache::new(Arc::default()), "posts".parse().unwrap());
            let read = || Box::pin(cache.collection(app.store().reader(), &slug));
            let mut reading = read();
            // A database that answers before anybody waits for it is asked again.
            while poll_fn(|cx| Poll::Ready(reading.as_mut().poll(cx).is_ready())).await {
                cache.forget();
                reading = read();
            }
            // The rows are on their way, and nobody takes them yet.
            tokio::time::sleep(Duration::from_millis(100)).await;
            app.call::<UpdateCollection>(Role::Admin, json!({ "slug": "posts", "label": "News" })).await.unwrap();
            cache.forget();
            reading.await.unwrap().unwrap();
            let kept = cache.collection(app.store().reader(), &slug).await.unwrap().unwrap();
            assert_eq!(kept.label, "News");
        }
    }
}
