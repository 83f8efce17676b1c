//! The operations of a system: those that are built in, one line each, and those that its host and its plugins add.

use std::{
    collections::{BTreeSet, HashMap},
    convert::Infallible,
    mem,
    sync::{Arc, LazyLock, Mutex, PoisonError, RwLock},
};

use schemars::SchemaGenerator;

use crate::accounts::{accept_invitation, allowed_domains, email_change, invitations, magic_link, recovery, sign_up};
use crate::accounts::{connections, enter_by_provider, gateway, provider_records, provider_sign_in, providers};
use crate::accounts::{passkey_sign_in, passkeys, policies, proof, prove_by_link, prove_by_passkey, prove_by_provider, setup};
use crate::{
    Cms, Code, Error,
    accounts::{account, audit, audit_export, end_access, rescue, sessions, tokens, user_access, users},
    content,
    descriptor::Descriptor,
    oauth,
    operation::{Gives, Http, Operation, Surface, Tool, name_in, tool_name},
    schema, tasks,
};

/// Every operation of a system at one moment. Doors make what they show of it ([`Made`]).
#[derive(Clone, Default)]
pub struct Catalog {
    operations: Vec<Arc<Descriptor>>,
    by_id: HashMap<&'static str, usize>,
    revision: u64,
}

impl Catalog {
    /// The operations that every system has.
    pub fn built_in() -> Arc<Self> {
        static BUILT_IN: LazyLock<Arc<Catalog>> =
            LazyLock::new(|| Arc::new(Catalog::of(built_in().into_iter().map(Arc::new).collect(), 0)));
        Arc::clone(&BUILT_IN)
    }

    fn of(operations: Vec<Arc<Descriptor>>, revision: u64) -> Self {
        let by_id = operations.iter().enumerate().map(|(at, operation)| (operation.id, at)).collect();
        Self { operations, by_id, revision }
    }

    /// The operations, those that are built in first.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Descriptor>> {
        self.operations.iter()
    }

    /// The operation of an id.
    pub fn get(&self, id: &str) -> Option<&Arc<Descriptor>> {
        self.by_id.get(id).map(|at| &self.operations[*at])
    }

    /// A number that grows with each change.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// The same with more operations. Refuses one that is in the way of another.
    fn with(&self, more: Vec<Descriptor>) -> Result<Self, Error> {
        let mut operations = self.operations.clone();
        for operation in more {
            let is_built_in = Self::built_in().get(operation.id).is_some();
            let problem = operations.iter().find_map(|known| taken(known, &operation));
            let problem = problem.or_else(|| if is_built_in { None } else { misplaced(&operation, &operations) });
            if let Some(problem) = problem {
                return Err(Error::with(Code::Conflict, format!("`{}` cannot be added: {problem}", operation.id)));
            }
            operations.push(Arc::new(operation));
        }
        Ok(Self::of(operations, self.revision + 1))
    }

    /// The same without some operations; those that are built in stay.
    fn without(&self, ids: &[&str]) -> Self {
        let built_in = Self::built_in();
        let stays = |operation: &&Arc<Descriptor>| !ids.contains(&operation.id) || built_in.get(operation.id).is_some();
        Self::of(self.operations.iter().filter(stays).cloned().collect(), self.revision + 1)
    }
}

/// A route below the API's root that a door has itself: pages, the endpoint for tools, what OAuth's standards say of the wire, and providers.
/// Operations that are added keep off its address.
#[derive(Debug, Clone, Copy)]
pub struct Wire {
    /// What it is called where requests are counted: the operation that it leads to, if it leads to one.
    pub id: &'static str,
    /// The route.
    pub http: Http,
}

impl Wire {
    /// The document of the API.
    pub const DOCUMENT: Self = Self::new("openapi", Http::get("", "/openapi.json").gives(Gives::Plain));
    /// The page that shows the document.
    pub const READER: Self = Self::new("docs", Http::get("", "/docs").gives(Gives::Bytes));
    /// The endpoint for tools.
    pub const TOOLS: Self = Self::new("mcp", Http::post("", "/mcp").bytes().gives(Gives::Plain));
    /// Tokens for codes (RFC 6749, 3.2).
    pub const TOKEN: Self = Self::new("oauth.token", Http::post("", "/oauth/token").form().gives(Gives::Plain));
    /// Applications that register themselves (RFC 7591).
    pub const REGISTER: Self = Self::new("oauth.register", Http::post("", "/oauth/register").form().gives(Gives::Plain).created());
    /// Tokens that are given back (RFC 7009).
    pub const REVOKE: Self = Self::new("oauth.revoke", Http::post("", "/oauth/revoke").form().gives(Gives::Plain));
    /// Codes for programs without a browser (RFC 8628).
    pub const DEVICE_CODE: Self = Self::new("oauth.device_code", Http::post("", "/oauth/device/code").form().gives(Gives::Plain));
    /// The way to a provider.
    pub const TO_PROVIDER: Self = Self::new("provider.begin", Http::get("", "/auth/oauth/{provider}").gives(Gives::Redirect("url")));
    /// The way back.
    pub const FROM_PROVIDER: Self =
        Self::new("provider.finish", Http::get("", "/auth/oauth/{provider}/callback").gives(Gives::Redirect("location")));
    /// Pages that providers have themselves.
    pub const PROVIDER_PAGE: Self = Self::new("provider.page", Http::get("", "/auth/oauth/{provider}/{page}").gives(Gives::Bytes));

    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::DOCUMENT,
        Self::READER,
        Self::TOOLS,
        Self::TOKEN,
        Self::REGISTER,
        Self::REVOKE,
        Self::DEVICE_CODE,
        Self::TO_PROVIDER,
        Self::FROM_PROVIDER,
        Self::PROVIDER_PAGE,
    ];

    /// A route, and what it is called.
    pub const fn new(id: &'static str, http: Http) -> Self {
        Self { id, http }
    }
}

/// What keeps the route of an operation that is added from being one, or puts it in front of another's.
fn misplaced(operation: &Descriptor, known: &[Arc<Descriptor>]) -> Option<String> {
    let Http { path, query, surface, .. } = operation.http;
    if surface == Surface::None {
        return None;
    }
    let plain =
        |text: &str| !text.is_empty() && text.chars().all(|character| character.is_ascii_alphanumeric() || "-._~".contains(character));
    let Some(segments) = path.strip_prefix('/') else { return Some(format!("the address `{path}` does not begin with a slash")) };
    if !segments.split('/').all(|segment| plain(name_in(segment).unwrap_or(segment))) {
        return Some(format!("`{path}` is not the template of an address"));
    }
    if let Some(wire) = Wire::ALL.iter().find(|wire| overlap(wire.http.path, path)) {
        return Some(format!("`{}` is the address of a door", wire.http.path));
    }
    if !operation.http.is_enveloped() {
        return Some(format!("no door answers `{path}` other than in the envelope"));
    }
    let schema = operation.whole_input(SchemaGenerator::default()).to_value();
    let mut told = BTreeSet::new();
    for member in path.split('/').filter_map(name_in).chain(query.iter().copied()) {
        if schema["properties"].get(member).is_none() {
            return Some(format!("its input has no member `{member}`, which its address names"));
        }
        if !told.insert(member) {
            return Some(format!("its address names `{member}` twice"));
        }
    }
    let routed = known.iter().filter(|known| known.http.surface != Surface::None);
    let in_the_way = routed.filter(|known| known.http.path != path && overlap(known.http.path, path)).min_by_key(|known| known.http.path);
    in_the_way.map(|known| format!("addresses of `{}` would be found at `{path}`", known.id))
}

/// What two operations would have in common that only one can have.
fn taken(known: &Descriptor, new: &Descriptor) -> Option<String> {
    if known.id == new.id {
        return Some("there is an operation of this id".to_owned());
    }
    if known.tool != Tool::Hidden && new.tool != Tool::Hidden && tool_name(known.id) == tool_name(new.id) {
        return Some(format!("`{}` has a tool of the same name", known.id));
    }
    let (known_http, new_http) = (&known.http, &new.http);
    if known_http.surface == Surface::None || new_http.surface == Surface::None {
        return None;
    }
    // Generators of clients make names of types and files of them.
    if known_http.operation_id.eq_ignore_ascii_case(new_http.operation_id) {
        return Some(format!("`{}` has the same `operationId`", known.id));
    }
    let same_address = known_http.method == new_http.method && known_http.path == new_http.path;
    same_address.then(|| format!("`{}` has the same address", known.id))
}

/// Whether an address may be one of both templates.
fn overlap(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.split('/'), other.split('/'));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if one == other || name_in(one).is_some() || name_in(other).is_some() => {}
            _ => return false,
        }
    }
}

/// What a door makes of a catalog, made anew when it is another one.
pub struct Made<T> {
    known: RwLock<Option<(u64, Arc<T>)>>,
    making: Mutex<()>,
}

impl<T> Default for Made<T> {
    fn default() -> Self {
        Self { known: RwLock::new(None), making: Mutex::new(()) }
    }
}

impl<T> Made<T> {
    /// What is made of a catalog, or of a newer one. Others wait for the first who asks.
    pub fn of(&self, catalog: &Arc<Catalog>, make: impl FnOnce(&Arc<Catalog>) -> T) -> Arc<T> {
        if let Some(known) = self.known(catalog.revision) {
            return known;
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = self.known(catalog.revision) {
            return known;
        }
        let made = Arc::new(make(catalog));
        let before = self.known.write().unwrap_or_else(PoisonError::into_inner).replace((catalog.revision, Arc::clone(&made)));
        // Handlers that nobody else has are dropped outside of the lock.
        drop(before);
        made
    }

    fn known(&self, revision: u64) -> Option<Arc<T>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(known, _)| *known >= revision).map(|(_, made)| Arc::clone(made))
    }
}

impl Cms {
    /// The operations that the system has now.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.operations().read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds operations: each door has them with the next request. All of them, or none when one is in the way of another operation: by its id, its
    /// tool, its `operationId`, or an address that is another's too.
    pub fn add_operations(&self, operations: impl IntoIterator<Item = Descriptor>) -> Result<(), Error> {
        let operations = operations.into_iter().collect();
        self.change_operations(|catalog| catalog.with(operations))
    }

    /// Takes operations away that were added: no door has them with the next request. Calls that are under way come to their end, as far as they
    /// invoke nothing else that is taken away. Those that are built in stay: the system itself does them.
    pub fn remove_operations(&self, ids: &[&str]) {
        let Ok(()) = self.change_operations(|catalog| Ok::<_, Infallible>(catalog.without(ids)));
    }

    fn change_operations<E>(&self, change: impl FnOnce(&Catalog) -> Result<Catalog, E>) -> Result<(), E> {
        let mut catalog = self.operations().write().unwrap_or_else(PoisonError::into_inner);
        let changed = Arc::new(change(&catalog)?);
        let before = mem::replace(&mut *catalog, changed);
        drop(catalog);
        // Handlers that nobody else has are dropped outside of the lock: they are a host's.
        drop(before);
        Ok(())
    }

    /// An operation of the catalog, by its type.
    pub(crate) fn descriptor<O: Operation>(&self) -> Result<Arc<Descriptor>, Error> {
        self.catalog().get(O::ID).cloned().ok_or_else(|| Error::internal(format!("`{}` is in no catalog", O::ID)))
    }
}

/// A text that is kept for as long as the program runs, once however often it is asked for: the name of an operation, a permission or a code
/// that is known at run time alone. There are as many as people install things.
pub fn kept(text: &str) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text) {
        return known;
    }
    let text: &'static str = Box::leak(text.into());
    kept.insert(text);
    text
}

/// The operations that every system has.
fn built_in() -> Vec<Descriptor> {
    vec![
        Descriptor::of::<content::list::ListEntries>(),
        Descriptor::of::<content::create::CreateEntry>(),
        Descriptor::of::<content::import::ImportEntry>(),
        Descriptor::of::<content::import::FinishImport>(),
        Descriptor::of::<content::authors::ListAuthors>(),
        Descriptor::of::<content::list_trashed::ListTrashed>(),
        Descriptor::of::<content::get::GetEntry>(),
        Descriptor::of::<content::update::UpdateEntry>(),
        Descriptor::of::<content::delete::DeleteEntry>(),
        Descriptor::of::<content::publish::PublishEntry>(),
        Descriptor::of::<content::unpublish::UnpublishEntry>(),
        Descriptor::of::<content::schedule::ScheduleEntry>(),
        Descriptor::of::<content::unschedule::UnscheduleEntry>(),
        Descriptor::of::<content::duplicate::DuplicateEntry>(),
        Descriptor::of::<content::restore::RestoreEntry>(),
        Descriptor::of::<content::permanent_delete::PermanentDeleteEntry>(),
        Descriptor::of::<content::compare::CompareEntry>(),
        Descriptor::of::<content::discard_draft::DiscardDraft>(),
        Descriptor::of::<content::translations::ListTranslations>(),
        Descriptor::of::<content::lock::GetLock>(),
        Descriptor::of::<content::lock::AcquireLock>(),
        Descriptor::of::<content::lock::ReleaseLock>(),
        Descriptor::of::<content::revisions::ListRevisions>(),
        Descriptor::of::<content::revisions::GetRevision>(),
        Descriptor::of::<content::revisions::RestoreRevision>(),
        Descriptor::of::<content::preview::MakePreviewUrl>(),
        Descriptor::of::<content::preview_links::ListPreviews>(),
        Descriptor::of::<content::preview_links::RevokePreview>(),
        Descriptor::of::<content::preview_links::RevokePreviews>(),
        Descriptor::of::<content::preview::GetPreview>(),
        Descriptor::of::<content::publish_due::PublishDue>(),
        Descriptor::of::<content::publish_due::NoteScheduleFailure>(),
        Descriptor::of::<schema::collections::ListCollections>(),
        Descriptor::of::<schema::create_collection::CreateCollection>(),
        Descriptor::of::<schema::collections::GetCollection>(),
        Descriptor::of::<schema::update_collection::UpdateCollection>(),
        Descriptor::of::<schema::delete_collection::DeleteCollection>(),
        Descriptor::of::<schema::collections::ReorderCollections>(),
        Descriptor::of::<schema::fields::ListFields>(),
        Descriptor::of::<schema::create_field::CreateField>(),
        Descriptor::of::<schema::fields::GetField>(),
        Descriptor::of::<schema::update_field::UpdateField>(),
        Descriptor::of::<schema::delete_field::DeleteField>(),
        Descriptor::of::<schema::fields::ReorderFields>(),
        Descriptor::of::<schema::orphans::ListOrphans>(),
        Descriptor::of::<schema::orphans::RegisterOrphan>(),
        Descriptor::of::<schema::export::ExportSchema>(),
        Descriptor::of::<schema::export::ExportTypes>(),
        Descriptor::of::<account::GetAccount>(),
        Descriptor::of::<account::UpdateAccount>(),
        Descriptor::of::<account::NoteSeen>(),
        Descriptor::of::<users::CreateUser>(),
        Descriptor::of::<rescue::RescueAdmin>(),
        Descriptor::of::<users::ListUsers>(),
        Descriptor::of::<users::GetUser>(),
        Descriptor::of::<users::UpdateUser>(),
        Descriptor::of::<users::DisableUser>(),
        Descriptor::of::<users::EnableUser>(),
        Descriptor::of::<users::ListUserSessions>(),
        Descriptor::of::<users::RevokeUserSessions>(),
        Descriptor::of::<policies::ListPolicies>(),
        Descriptor::of::<user_access::GetUserAccess>(),
        Descriptor::of::<end_access::EndUserAccess>(),
        Descriptor::of::<end_access::RevokeUserSession>(),
        Descriptor::of::<end_access::RevokeUserPasskey>(),
        Descriptor::of::<end_access::RevokeUserToken>(),
        Descriptor::of::<end_access::RevokeUserGrant>(),
        Descriptor::of::<audit::ListAudit>(),
        Descriptor::of::<audit_export::NoteExport>(),
        Descriptor::of::<sessions::ListSessions>(),
        Descriptor::of::<sessions::RevokeSession>(),
        Descriptor::of::<sessions::RevokeOtherSessions>(),
        Descriptor::of::<sessions::SignOut>(),
        Descriptor::of::<setup::OfferSetup>(),
        Descriptor::of::<setup::GetSetupStatus>(),
        Descriptor::of::<setup::BeginSetup>(),
        Descriptor::of::<setup::BeginFirstAdmin>(),
        Descriptor::of::<setup::FinishSetup>(),
        Descriptor::of::<passkey_sign_in::BeginSignIn>(),
        Descriptor::of::<passkey_sign_in::FinishSignIn>(),
        Descriptor::of::<proof::GetProof>(),
        Descriptor::of::<prove_by_passkey::BeginPasskeyProof>(),
        Descriptor::of::<prove_by_passkey::FinishPasskeyProof>(),
        Descriptor::of::<prove_by_link::SendProofLink>(),
        Descriptor::of::<prove_by_link::UseProofLink>(),
        Descriptor::of::<prove_by_provider::BeginProviderProof>(),
        Descriptor::of::<passkeys::ListPasskeys>(),
        Descriptor::of::<passkeys::BeginPasskey>(),
        Descriptor::of::<passkeys::RegisterPasskey>(),
        Descriptor::of::<passkeys::RenamePasskey>(),
        Descriptor::of::<passkeys::RemovePasskey>(),
        Descriptor::of::<tokens::CreateToken>(),
        Descriptor::of::<tokens::ListTokens>(),
        Descriptor::of::<tokens::RevokeToken>(),
        Descriptor::of::<oauth::authorize::BeginAuthorization>(),
        Descriptor::of::<oauth::request::DescribeAuthorization>(),
        Descriptor::of::<oauth::authorize::DecideAuthorization>(),
        Descriptor::of::<oauth::token_request::IssueToken>(),
        Descriptor::of::<oauth::revoke::RevokeGrantedToken>(),
        Descriptor::of::<oauth::register::RegisterOAuthClient>(),
        Descriptor::of::<oauth::device::RequestDeviceCode>(),
        Descriptor::of::<oauth::device_approval::DescribeDevice>(),
        Descriptor::of::<oauth::device_approval::DecideDevice>(),
        Descriptor::of::<oauth::grants::ListGrants>(),
        Descriptor::of::<oauth::grants::NarrowGrant>(),
        Descriptor::of::<oauth::grants::RevokeGrant>(),
        Descriptor::of::<oauth::clients::ListOAuthClients>(),
        Descriptor::of::<oauth::clients::CreateOAuthClient>(),
        Descriptor::of::<oauth::clients::GetOAuthClient>(),
        Descriptor::of::<oauth::clients::UpdateOAuthClient>(),
        Descriptor::of::<oauth::clients::DeleteOAuthClient>(),
        Descriptor::of::<magic_link::SendMagicLink>(),
        Descriptor::of::<magic_link::WriteMagicLink>(),
        Descriptor::of::<magic_link::VerifyMagicLink>(),
        Descriptor::of::<recovery::SendRecovery>(),
        Descriptor::of::<recovery::MakeRecovery>(),
        Descriptor::of::<sign_up::RequestSignUp>(),
        Descriptor::of::<sign_up::WriteSignUp>(),
        Descriptor::of::<sign_up::CheckSignUp>(),
        Descriptor::of::<sign_up::BeginSignUp>(),
        Descriptor::of::<sign_up::CompleteSignUp>(),
        Descriptor::of::<invitations::ListInvitations>(),
        Descriptor::of::<invitations::Invite>(),
        Descriptor::of::<invitations::MakeInvitation>(),
        Descriptor::of::<invitations::ResendInvitation>(),
        Descriptor::of::<invitations::RenewInvitation>(),
        Descriptor::of::<invitations::RevokeInvitation>(),
        Descriptor::of::<accept_invitation::CheckInvitation>(),
        Descriptor::of::<accept_invitation::BeginInvitation>(),
        Descriptor::of::<accept_invitation::CompleteInvitation>(),
        Descriptor::of::<allowed_domains::ListAllowedDomains>(),
        Descriptor::of::<allowed_domains::AddAllowedDomain>(),
        Descriptor::of::<allowed_domains::UpdateAllowedDomain>(),
        Descriptor::of::<allowed_domains::DeleteAllowedDomain>(),
        Descriptor::of::<email_change::ChangeEmail>(),
        Descriptor::of::<email_change::CancelEmailChange>(),
        Descriptor::of::<email_change::ConfirmEmail>(),
        Descriptor::of::<email_change::RefuseEmailChange>(),
        Descriptor::of::<providers::GetAuthMode>(),
        Descriptor::of::<provider_sign_in::BeginProviderSignIn>(),
        Descriptor::of::<provider_sign_in::FinishProviderSignIn>(),
        Descriptor::of::<provider_sign_in::TakeProviderSignIn>(),
        Descriptor::of::<enter_by_provider::EnterByProvider>(),
        Descriptor::of::<connections::ListConnections>(),
        Descriptor::of::<connections::BeginConnection>(),
        Descriptor::of::<connections::RemoveConnection>(),
        Descriptor::of::<connections::AdoptConnections>(),
        Descriptor::of::<provider_records::PutRecord>(),
        Descriptor::of::<provider_records::GetRecord>(),
        Descriptor::of::<provider_records::TakeRecord>(),
        Descriptor::of::<gateway::EnterByGateway>(),
        Descriptor::of::<tasks::driver::NoteTask>(),
        Descriptor::of::<tasks::driver::ForgetNode>(),
        Descriptor::of::<tasks::prune::BeginPruning>(),
        Descriptor::of::<tasks::prune::Prune>(),
        Descriptor::of::<tasks::prune::PruneRevisions>(),
        Descriptor::of::<tasks::record_use::RecordUse>(),
        Descriptor::of::<tasks::seal_audit::SealAudit>(),
        Descriptor::of::<tasks::sample_content::NoteSampleContent>(),
        Descriptor::of::<tasks::reindex_fields::BuildIndex>(),
        Descriptor::of::<tasks::reindex_fields::NoteIndexFailure>(),
        Descriptor::of::<tasks::reindex_fields::DropIndex>(),
        Descriptor::of::<tasks::reindex_fields::PurgeLeftovers>(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_operations_that_are_built_in_are_in_each_others_way() {
        let catalog = Catalog::default().with(built_in()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(catalog.iter().count(), Catalog::built_in().iter().count());
    }
}
