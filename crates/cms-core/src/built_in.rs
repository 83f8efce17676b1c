//! The operations that every system has: those of its areas, and those that are made of more than one.

use std::sync::{Arc, LazyLock};

use cms_frame::{
    catalog::{Catalog, Wire},
    descriptor::{self, Descriptor, Group},
};

use crate::{jobs, tasks, user_access::GetUserAccess};

/// The operations that every system has.
pub fn built_in() -> Arc<Catalog> {
    static BUILT_IN: LazyLock<Arc<Catalog>> = LazyLock::new(|| {
        let operations = [cms_content::operations(), cms_media::operations(), cms_accounts::operations(), cms_import::operations(), own()];
        let wires = Wire::ALWAYS.into_iter().chain([cms_media::FILE]).chain(cms_accounts::wires::ALL);
        Arc::new(Catalog::new(operations.into_iter().flatten().collect(), wires.collect()))
    });
    Arc::clone(&BUILT_IN)
}

/// What operations are about.
const GROUPS: [Group; 2] = [
    Group { prefix: "jobs", name: "Jobs", about: "Work that goes on beside requests: how far it is, and how to stop it." },
    cms_accounts::USERS,
];

/// Those that are made of more than one area, and those of jobs and tasks.
fn own() -> Vec<Descriptor> {
    let operations = vec![
        Descriptor::of::<GetUserAccess>(),
        Descriptor::of::<jobs::list::ListJobs>(),
        Descriptor::of::<jobs::get::GetJob>(),
        Descriptor::of::<jobs::list_failed_items::ListFailedItems>(),
        Descriptor::of::<jobs::command::PauseJob>(),
        Descriptor::of::<jobs::command::ResumeJob>(),
        Descriptor::of::<jobs::command::CancelJob>(),
        Descriptor::of::<jobs::command::RetryJob>(),
        Descriptor::of::<jobs::watch::WatchJobs>(),
        Descriptor::of::<jobs::list_tasks::ListTasks>(),
        Descriptor::of::<tasks::driver::NoteTask>(),
        Descriptor::of::<tasks::driver::ForgetNode>(),
        Descriptor::of::<tasks::prune::BeginPruning>(),
        Descriptor::of::<tasks::prune::Prune>(),
        Descriptor::of::<tasks::prune::PruneRevisions>(),
        Descriptor::of::<tasks::record_use::RecordUse>(),
        Descriptor::of::<tasks::seal_audit::SealAudit>(),
        Descriptor::of::<tasks::tell_hooks::FollowHook>(),
        Descriptor::of::<tasks::reindex_fields::BuildIndex>(),
        Descriptor::of::<tasks::reindex_fields::NoteIndexFailure>(),
        Descriptor::of::<tasks::reindex_fields::DropIndex>(),
    ];
    descriptor::grouped(&GROUPS, operations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_operations_that_are_built_in_are_in_each_others_way() {
        // The catalog looks itself, in builds with debug assertions.
        let catalog = built_in();
        assert!(catalog.iter().all(|operation| catalog.is_built_in(operation.id)));
        assert!(catalog.iter().count() > 100);
    }
}
