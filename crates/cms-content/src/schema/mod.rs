//! Collections and fields: the model that content follows.

pub mod collections;
pub mod create_collection;
pub mod create_field;
pub mod delete_collection;
pub mod delete_field;
mod documents;
pub mod export;
pub mod fields;
mod held;
pub mod input;
mod leftovers;
mod order;
pub mod orphans;
mod rules;
mod trail;
pub mod update_collection;
pub mod update_field;
mod values;
pub mod views;
