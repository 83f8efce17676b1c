//! Leftovers: values of dropped fields that are still in stored documents.

use cms_domain::collection::Collection;
use cms_frame::Error;
use cms_storage::Tx;

/// How many entries are cleaned at a time.
const BATCH: usize = 200;

/// Takes every leftover out of a collection's documents, at once. The background does the same batch by batch.
pub(super) async fn purge_all(tx: &Tx, collection: &Collection) -> Result<(), Error> {
    if !collection.has_leftovers {
        return Ok(());
    }
    let mut after = None;
    while let Some(last) = tx.entries().purge_batch(collection, after, BATCH).await?.last {
        after = Some(last);
    }
    Ok(tx.collections().set_leftovers(collection.id, false).await?)
}
