//! Collections and fields: the model that content follows.

mod clearing;
pub mod collections;
mod condemned;
pub mod create_collection;
pub mod create_field;
pub mod delete_collection;
pub mod delete_field;
mod documents;
pub mod export;
pub mod fields;
mod held;
pub mod input;
pub mod leftovers;
mod order;
pub mod orphans;
mod registering;
mod rules;
mod trail;
pub mod unfinished;
pub mod update_collection;
pub mod update_field;
mod values;
pub mod views;

use cms_frame::jobs::Kind;

/// The kinds of jobs that finish what changes of the model begin.
pub(crate) fn jobs() -> Vec<Kind> {
    vec![
        Kind::of(leftovers::PurgeLeftovers),
        Kind::of(registering::RegisterUnique),
        Kind::of(clearing::ClearRows),
        Kind::of(condemned::RemoveContent),
    ]
}
