//! Clearing what was derived from values of a field that needs it no longer: a few rows at a time, because they may be many.

use cms_domain::id::FieldId;
use cms_frame::{
    Cx, Error,
    jobs::{Job, Order, Stride, Wanted, Work},
};
use serde::{Deserialize, Serialize};

/// How many rows one transaction removes: a writer waits for less than a tenth of a second.
const ROWS: usize = 2000;

/// Wanted: no rows of something that nobody reads any more.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum RowsGone {
    /// A register of unique values.
    Register(FieldId),
    /// What a field referred to.
    References(FieldId),
}

impl Order for RowsGone {
    const KIND: &'static str = "content.clear_rows";
    const TITLE: &'static str = "Clear what deleted fields left";
}

/// Asks for a register to be cleared that is not used any more.
pub(super) fn register(id: FieldId) -> Wanted<RowsGone> {
    Wanted::new(RowsGone::Register(id)).only(format_args!("register:{id}"))
}

/// Asks for the references of a field to be cleared that is gone.
pub(super) fn references(field: FieldId) -> Wanted<RowsGone> {
    Wanted::new(RowsGone::References(field)).only(format_args!("references:{field}"))
}

/// Clears rows.
pub(super) struct ClearRows;

impl Job for ClearRows {
    type Order = RowsGone;
    type Checkpoint = ();

    async fn step(&self, work: Work<RowsGone, ()>, cx: &mut Cx<'_>) -> Result<Stride<()>, Error> {
        let entries = cx.tx().await?.entries();
        let removed = match work.order {
            RowsGone::Register(id) => entries.drop_register_batch(id, ROWS).await?,
            RowsGone::References(id) => entries.drop_references_batch(id, ROWS).await?,
        };
        let done = work.done + removed;
        Ok(if removed < ROWS as u64 { Stride::end(done) } else { Stride::to((), done) })
    }
}
