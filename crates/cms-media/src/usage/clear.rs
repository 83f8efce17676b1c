//! Forgetting what the entries of a deleted collection used.

use cms_domain::id::CollectionId;
use cms_frame::{
    Cx, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
};
use serde::{Deserialize, Serialize};

/// How many rows one transaction removes: a writer waits for less than a tenth of a second.
const ROWS: usize = 1000;

/// Wanted: nothing known of the entries of a collection that is gone.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct UsageCleared {
    collection: CollectionId,
}

impl Order for UsageCleared {
    const KIND: &'static str = "media.clear_usage";
    const TITLE: &'static str = "Forget what a deleted collection used";
}

/// Asks for it to be forgotten what the entries of a collection used that is gone.
pub(super) fn cleared(collection: CollectionId) -> Wanted<UsageCleared> {
    Wanted::new(UsageCleared { collection }).only(collection)
}

/// Forgets it.
pub struct ClearUsage;

impl Job for ClearUsage {
    type Order = UsageCleared;
    type Checkpoint = ();

    async fn step(&self, work: Work<UsageCleared, ()>, cx: &mut Cx<'_>) -> Result<Stride<()>, Error> {
        let (id, now) = (work.order.collection, cx.now());
        let tx = cx.tx().await?;
        // Nobody writes down more of it meanwhile.
        tx.usage_coverage().hold(id, now).await?;
        let removed = tx.media_usage().clear(id, ROWS).await?;
        let done = work.done + removed;
        if removed > 0 {
            return Ok(Stride::to((), done));
        }
        tx.usage_coverage().forget(id).await?;
        Ok(Stride::end(done))
    }
}
