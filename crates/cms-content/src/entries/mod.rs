//! Entries: written, staged, published, scheduled, put away, and read.

mod across;
pub mod authors;
pub mod bulk;
mod bulk_change;
mod bulk_job;
pub mod bulk_undo;
pub mod calendar;
mod change;
pub mod compare;
pub mod create;
pub mod dates;
pub mod delete;
pub mod discard_draft;
mod draft;
pub mod duplicate;
pub mod format;
pub mod get;
mod history;
pub mod hooks;
pub mod import;
pub mod item;
pub mod lease;
pub mod list;
pub mod list_all;
pub mod list_trashed;
pub mod listed;
pub mod lock;
pub mod merge;
pub mod permanent_delete;
pub mod presence;
pub mod preview;
pub mod preview_links;
pub mod preview_path;
pub mod publish;
pub mod publish_due;
mod references;
pub mod restore;
pub mod revisions;
mod save;
pub mod schedule;
pub mod schedule_unpublish;
pub mod seo;
mod siblings;
mod slugs;
mod target;
mod trail;
pub mod translations;
pub mod unpublish;
pub mod unschedule;
pub mod update;
mod wanted;
pub mod watch;

pub(crate) use list_all::title;

use cms_domain::access::{Access, Permission, Scope};
use cms_frame::{
    descriptor::{self, Descriptor, Group},
    jobs::Kind,
};

/// Members of content requests that areas to come will bring, each with what a request that names one is told today.
pub const LATER: &[(&str, &str)] = &[
    ("bylines", "credits are not available yet"),
    ("includeInferredBylines", "credits are not available yet"),
    ("taxonomies", "terms are not available yet"),
    ("q", "search is not available yet"),
];

/// Who may change an entry's content.
const EDIT: Access = Access::Owned {
    scope: Scope::ContentWrite,
    own: Permission::ContentEditOwn,
    any: Permission::ContentEditAny,
    own_draft: Some(Permission::ContentEditOwnDraft),
};

/// Who may make an entry public, now or later, or take it off the public site.
const PUBLISH: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentPublishOwn, any: Permission::ContentPublishAny, own_draft: None };

/// Who may move an entry to the trash.
const DELETE: Access =
    Access::Owned { scope: Scope::ContentWrite, own: Permission::ContentDeleteOwn, any: Permission::ContentDeleteAny, own_draft: None };

/// Who may look at what is not public.
const READ_DRAFTS: Access = Access::Needs(Scope::ContentRead, Permission::ContentReadDrafts);

/// The kinds of jobs over entries.
pub(crate) fn jobs() -> Vec<Kind> {
    vec![Kind::of(bulk_job::ChangeJob)]
}

/// What operations about entries are about, those included that bring them in from files and give them out.
pub const CONTENT: Group =
    Group { prefix: "content", name: "Content", about: "Entries: write, publish, schedule, compare, translate and read them." };

/// What operations are about.
const GROUPS: [Group; 2] = [CONTENT, Group { prefix: "revision", name: "Revisions", about: "The history of entries." }];

/// The operations of entries.
pub(crate) fn operations() -> Vec<Descriptor> {
    let operations = vec![
        Descriptor::of::<list_all::ListAll>(),
        Descriptor::of::<calendar::ListCalendar>(),
        Descriptor::of::<list::ListEntries>(),
        Descriptor::of::<create::CreateEntry>(),
        Descriptor::of::<import::ImportEntry>(),
        Descriptor::of::<import::FinishImport>(),
        Descriptor::of::<authors::ListAuthors>(),
        Descriptor::of::<list_trashed::ListTrashed>(),
        Descriptor::of::<get::GetEntry>(),
        Descriptor::of::<update::UpdateEntry>(),
        Descriptor::of::<merge::MergeEntry>(),
        Descriptor::of::<delete::DeleteEntry>(),
        Descriptor::of::<publish::PublishEntry>(),
        Descriptor::of::<unpublish::UnpublishEntry>(),
        Descriptor::of::<schedule::ScheduleEntry>(),
        Descriptor::of::<unschedule::UnscheduleEntry>(),
        Descriptor::of::<schedule_unpublish::ScheduleUnpublish>(),
        Descriptor::of::<bulk::ChangeEntries>(),
        Descriptor::of::<bulk_undo::GetBulk>(),
        Descriptor::of::<bulk_undo::CancelBulk>(),
        Descriptor::of::<bulk_undo::UndoBulk>(),
        Descriptor::of::<duplicate::DuplicateEntry>(),
        Descriptor::of::<restore::RestoreEntry>(),
        Descriptor::of::<permanent_delete::PermanentDeleteEntry>(),
        Descriptor::of::<compare::CompareEntry>(),
        Descriptor::of::<discard_draft::DiscardDraft>(),
        Descriptor::of::<translations::ListTranslations>(),
        Descriptor::of::<lock::GetLock>(),
        Descriptor::of::<lock::AcquireLock>(),
        Descriptor::of::<lock::ReleaseLock>(),
        Descriptor::of::<watch::WatchEntries>(),
        Descriptor::of::<revisions::ListRevisions>(),
        Descriptor::of::<revisions::GetRevision>(),
        Descriptor::of::<revisions::RestoreRevision>(),
        Descriptor::of::<preview::MakePreviewUrl>(),
        Descriptor::of::<preview_links::ListPreviews>(),
        Descriptor::of::<preview_links::RevokePreview>(),
        Descriptor::of::<preview_links::RevokePreviews>(),
        Descriptor::of::<preview::GetPreview>(),
        Descriptor::of::<publish_due::PublishDue>(),
        Descriptor::of::<publish_due::UnpublishDue>(),
        Descriptor::of::<publish_due::NoteScheduleFailure>(),
        Descriptor::of::<presence::NotePresence>(),
    ];
    descriptor::grouped(&GROUPS, operations)
}
