//! Collections and fields: the model that content follows.

mod applying;
pub mod check_type;
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
mod looking;
pub mod models;
mod order;
pub mod orphans;
pub mod plan;
mod question;
mod registering;
pub mod rename_field;
mod rules;
mod trail;
pub mod unfinished;
pub mod update_collection;
pub mod update_field;
mod values;
pub mod views;

use cms_frame::{
    descriptor::{self, Descriptor, Group},
    jobs::Kind,
};

/// The kinds of jobs that finish what changes of the model begin.
pub(crate) fn jobs() -> Vec<Kind> {
    vec![
        Kind::of(leftovers::PurgeLeftovers),
        Kind::of(registering::RegisterUnique),
        Kind::of(clearing::ClearRows),
        Kind::of(condemned::RemoveContent),
    ]
}

/// What operations are about.
const GROUPS: [Group; 1] = [Group { prefix: "schema", name: "Schema", about: "Collections and their fields: what entries are made of." }];

/// The operations of collections and fields.
pub(crate) fn operations() -> Vec<Descriptor> {
    let operations = vec![
        Descriptor::of::<collections::ListCollections>(),
        Descriptor::of::<create_collection::CreateCollection>(),
        Descriptor::of::<collections::GetCollection>(),
        Descriptor::of::<update_collection::UpdateCollection>(),
        Descriptor::of::<delete_collection::DeleteCollection>(),
        Descriptor::of::<collections::ReorderCollections>(),
        Descriptor::of::<fields::ListFields>(),
        Descriptor::of::<create_field::CreateField>(),
        Descriptor::of::<fields::GetField>(),
        Descriptor::of::<update_field::UpdateField>(),
        Descriptor::of::<check_type::CheckType>(),
        Descriptor::of::<rename_field::RenameField>(),
        Descriptor::of::<delete_field::DeleteField>(),
        Descriptor::of::<fields::ReorderFields>(),
        Descriptor::of::<orphans::ListOrphans>(),
        Descriptor::of::<orphans::RegisterOrphan>(),
        Descriptor::of::<leftovers::CleanDocuments>(),
        Descriptor::of::<unfinished::ResumeChanges>(),
        Descriptor::of::<export::ExportSchema>(),
        Descriptor::of::<export::ExportTypes>(),
        Descriptor::of::<plan::PlanSchema>(),
        Descriptor::of::<plan::ApplySchema>(),
        Descriptor::of::<models::ListModels>(),
        Descriptor::of::<models::GetModel>(),
    ];
    descriptor::grouped(&GROUPS, operations)
}
