//! What an operation can fail with: what it declares, and what its access, its limit and its caller's credentials imply.
//!
//! Every contract lists exactly these codes. An operation that fails with another one panics in builds with debug assertions, so that
//! tests find what was not declared.

use cms_domain::access::Access;

use crate::{Code, descriptor::Declaration, operation::Proof};

/// Codes that an operation declares: groups that operations share, and codes of its own.
pub type Failures = &'static [&'static [Code]];

/// Naming a collection.
pub const COLLECTION: &[Code] = &[Code::CollectionNotFound];
/// Naming a field.
pub const FIELD: &[Code] = &[Code::CollectionNotFound, Code::FieldNotFound];
/// Naming an entry by id or slug.
pub const ENTRY: &[Code] = &[Code::CollectionNotFound, Code::NotFound, Code::AmbiguousLocale];
/// Naming anything else.
pub const THING: &[Code] = &[Code::NotFound];
/// Changing what somebody else may have changed since it was read.
pub const STALE: &[Code] = &[Code::Conflict];
/// Changing an entry that somebody else may be editing.
pub const GUARDED: &[Code] = &[Code::Conflict, Code::EntryLocked];
/// Storing an entry's content.
pub const CONTENT: &[Code] = &[Code::SlugConflict, Code::UniqueConflict];
/// Asking hooks of the host first.
pub const HOOKED: &[Code] = &[Code::HookRefused, Code::HookFailed];
/// Using a feature that a collection may not have.
pub const FEATURE: &[Code] = &[Code::NotSupported];
/// Going on with a list.
pub const PAGED: &[Code] = &[Code::InvalidCursor];
/// Following a link that was sent.
pub const LINK: &[Code] = &[Code::InvalidLink, Code::TokenExpired];
/// Making a passkey that opens an account.
pub const REGISTRATION: &[Code] = &[Code::ChallengeExpired, Code::PasskeyRejected, Code::CredentialExists];
/// Making an account.
pub const NEW_ACCOUNT: &[Code] = &[Code::UserExists, Code::EmailInUse];
/// Changing what another user may do.
pub const USER: &[Code] = &[Code::NotFound, Code::SelfRoleChange, Code::LastAdmin];

/// The codes that an operation can fail with wherever it is called, in the order of the table of codes.
pub fn of(operation: &Declaration) -> Vec<Code> {
    Code::ALL.iter().copied().filter(|code| has(operation, *code)).chain(custom(operation)).collect()
}

/// The codes that an operation declares, in the order of the table of codes: what a caller meets who may call it and does so correctly.
pub fn declared(operation: &Declaration) -> Vec<Code> {
    Code::ALL.iter().copied().filter(|code| declares(operation, *code)).chain(custom(operation)).collect()
}

/// The codes among them that are not in the table.
fn custom(operation: &Declaration) -> Vec<Code> {
    let mut custom: Vec<Code> = Vec::new();
    for code in operation.failures.iter().copied().flatten().filter(|code| matches!(code, Code::Custom(_))) {
        if !custom.contains(code) {
            custom.push(*code);
        }
    }
    custom
}

/// Whether an operation can fail with a code.
pub(crate) fn has(operation: &Declaration, code: Code) -> bool {
    declares(operation, code) || is_implied(operation, code)
}

fn declares(operation: &Declaration, code: Code) -> bool {
    operation.failures.iter().any(|group| group.contains(&code))
}

fn is_implied(operation: &Declaration, code: Code) -> bool {
    match code {
        // Any input can be wrong, any server can fail, and any write can meet another one that takes too long. Credentials that are
        // sent are looked at, needed or not; behind a gateway its statement is one.
        Code::ValidationError
        | Code::InternalError
        | Code::Busy
        | Code::InvalidToken
        | Code::InvalidGatewayToken
        | Code::UserNotAuthorized
        | Code::AccountDisabled
        | Code::ProviderUnavailable => true,
        Code::NotAuthenticated => operation.access != Access::Public,
        Code::InsufficientScope => matches!(operation.access, Access::Reader | Access::Needs(..) | Access::Owned { .. }),
        Code::InsufficientPermissions => !matches!(operation.access, Access::Public | Access::SignedIn),
        Code::SessionRequired => matches!(operation.access, Access::Account(_)),
        Code::ReauthenticationRequired => operation.proof == Proof::Recent,
        Code::RateLimited => operation.limit.is_some(),
        // What the gateway of a site replaces is not there.
        Code::NotFound => operation.http.replaced_by_gateway,
        _ => false,
    }
}
