//! The list of operations: one line each, read by every door.

use crate::{
    accounts::{sessions, tokens, users},
    content,
    operation::Visitor,
    schema, tasks,
};

/// Shows every operation to a visitor.
pub fn catalog(v: &mut impl Visitor) {
    v.visit::<content::list::ListEntries>();
    v.visit::<content::create::CreateEntry>();
    v.visit::<content::import::ImportEntry>();
    v.visit::<content::authors::ListAuthors>();
    v.visit::<content::list_trashed::ListTrashed>();
    v.visit::<content::get::GetEntry>();
    v.visit::<content::update::UpdateEntry>();
    v.visit::<content::delete::DeleteEntry>();
    v.visit::<content::publish::PublishEntry>();
    v.visit::<content::unpublish::UnpublishEntry>();
    v.visit::<content::schedule::ScheduleEntry>();
    v.visit::<content::unschedule::UnscheduleEntry>();
    v.visit::<content::duplicate::DuplicateEntry>();
    v.visit::<content::restore::RestoreEntry>();
    v.visit::<content::permanent_delete::PermanentDeleteEntry>();
    v.visit::<content::compare::CompareEntry>();
    v.visit::<content::discard_draft::DiscardDraft>();
    v.visit::<content::translations::ListTranslations>();
    v.visit::<content::lock::GetLock>();
    v.visit::<content::lock::AcquireLock>();
    v.visit::<content::lock::ReleaseLock>();
    v.visit::<content::revisions::ListRevisions>();
    v.visit::<content::revisions::GetRevision>();
    v.visit::<content::revisions::RestoreRevision>();
    v.visit::<content::preview::MakePreviewUrl>();
    v.visit::<content::preview::RevokePreviews>();
    v.visit::<content::preview::GetPreview>();
    v.visit::<content::publish_due::PublishDue>();
    v.visit::<content::publish_due::NoteScheduleFailure>();
    v.visit::<schema::collections::ListCollections>();
    v.visit::<schema::create_collection::CreateCollection>();
    v.visit::<schema::collections::GetCollection>();
    v.visit::<schema::update_collection::UpdateCollection>();
    v.visit::<schema::delete_collection::DeleteCollection>();
    v.visit::<schema::collections::ReorderCollections>();
    v.visit::<schema::fields::ListFields>();
    v.visit::<schema::create_field::CreateField>();
    v.visit::<schema::fields::GetField>();
    v.visit::<schema::update_field::UpdateField>();
    v.visit::<schema::delete_field::DeleteField>();
    v.visit::<schema::fields::ReorderFields>();
    v.visit::<schema::orphans::ListOrphans>();
    v.visit::<schema::orphans::RegisterOrphan>();
    v.visit::<schema::export::ExportSchema>();
    v.visit::<schema::export::ExportTypes>();
    v.visit::<users::CreateUser>();
    v.visit::<sessions::ListSessions>();
    v.visit::<sessions::RevokeSession>();
    v.visit::<sessions::RevokeOtherSessions>();
    v.visit::<sessions::SignOut>();
    v.visit::<tokens::CreateToken>();
    v.visit::<tokens::ListTokens>();
    v.visit::<tokens::RevokeToken>();
    v.visit::<tasks::driver::NoteTask>();
    v.visit::<tasks::prune::Prune>();
    v.visit::<tasks::record_use::RecordUse>();
    v.visit::<tasks::reindex_fields::BuildIndex>();
    v.visit::<tasks::reindex_fields::NoteIndexFailure>();
    v.visit::<tasks::reindex_fields::DropIndex>();
    v.visit::<tasks::reindex_fields::PurgeLeftovers>();
}
