//! What can go wrong, in one table: code, kind, and what the caller is told. The cause stays inside.

use std::{any::Any, fmt};

use cms_domain::{access::Refusal, issue::Issue, rev::Rev, slug::FieldSlug};
use cms_storage::{Constraint, Remedy};
use serde_json::{Value, json};

/// What sort of failure a code is. Each door maps kinds to its own signals, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The request cannot be obeyed as it is written.
    Invalid,
    /// The caller is nobody.
    Unauthenticated,
    /// The caller may not.
    Forbidden,
    /// The caller did it too often.
    RateLimited,
    /// The thing was there, and its time is over.
    Gone,
    /// There is no such thing, or none that the caller may see.
    NotFound,
    /// The address does not have the method.
    Method,
    /// The thing is not in a state that allows it.
    Conflict,
    /// The request is well, and a rule of the site refuses it.
    Refused,
    /// The request is too large.
    TooLarge,
    /// The body is not JSON.
    Unsupported,
    /// The body did not arrive in time.
    Timeout,
    /// The server failed.
    Internal,
    /// The server cannot do it now.
    Unavailable,
}

/// A code that a host or a plugin brings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CustomCode {
    /// As the wire spells it, which begins with the name of who brings it: `SHOP_SOLD_OUT`.
    pub name: &'static str,
    /// What sort of failure it is.
    pub kind: Kind,
    /// What the caller is told unless there is more to say.
    pub message: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $kind:ident, $message:literal;)*) => {
        /// A stable code for a failure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
            /// One that a host or a plugin brought.
            Custom(&'static CustomCode),
        }

        impl Code {
            /// Every code that is built in.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code as the wire spells it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                    Self::Custom(custom) => custom.name,
                }
            }

            /// What sort of failure it is.
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)*
                    Self::Custom(custom) => custom.kind,
                }
            }

            /// What the caller is told unless there is more to say.
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$name => $message,)*
                    Self::Custom(custom) => custom.message,
                }
            }
        }
    };
}

codes! {
    /// The input breaks a rule; `details.issues` lists every problem.
    ValidationError = "VALIDATION_ERROR", Invalid, "the request is not valid";
    /// The body is not a JSON document, or not one that is accepted.
    InvalidJson = "INVALID_JSON", Invalid, "the body is not valid JSON";
    /// The cursor belongs to another list.
    InvalidCursor = "INVALID_CURSOR", Invalid, "the cursor does not belong to this list";
    /// No index serves the list, which would look at too many entries; `details.index` names one to declare, where that helps.
    UnindexedFilter = "UNINDEXED_FILTER", Invalid, "no index serves this list, and it would look at too many entries: declare the index that `details.index` names, use fewer filters, or choose another order";
    /// The slug means something else in an address.
    ReservedSlug = "RESERVED_SLUG", Invalid, "the slug is reserved";
    /// Several locales have an entry with the slug.
    AmbiguousLocale = "AMBIGUOUS_LOCALE", Invalid, "several locales have an entry with this slug: name one with `locale`";
    /// The collection does not support the feature.
    NotSupported = "NOT_SUPPORTED", Invalid, "the collection does not support this";
    /// The fields named in an order are not the ones there are.
    ReorderMismatch = "REORDER_MISMATCH", Invalid, "the list must name each item once";
    /// An admin would take their own role away, or lock themselves out.
    SelfRoleChange = "SELF_ROLE_CHANGE", Invalid, "nobody changes their own role or disables themselves: ask another admin";
    /// Nobody would be left who manages the site.
    LastAdmin = "LAST_ADMIN", Invalid, "this is the last admin who is not disabled: make another one first";
    /// The user has as many access tokens as anyone may have.
    TokenLimit = "TOKEN_LIMIT", Invalid, "you have as many access tokens as anyone may have: revoke one first";
    /// The entry has as many preview links as an entry may have.
    PreviewLimit = "PREVIEW_LIMIT", Invalid, "the entry has as many preview links as an entry may have: revoke one first";
    /// The user has as many saved views as anyone may have.
    ViewLimit = "VIEW_LIMIT", Invalid, "you have as many saved views as anyone may have: delete one first";
    /// Nothing was sent where a file is expected.
    NoFile = "NO_FILE", Invalid, "there is no file: send it as the part `file` of a form";
    /// The file is none of the types that are taken, or not of the type that it is said to be.
    InvalidType = "INVALID_TYPE", Invalid, "files of this type are not taken";
    /// The file is a picture that cannot be read, or is larger than any that is looked at.
    InvalidImage = "INVALID_IMAGE", Invalid, "the picture cannot be read";
    /// The file that is confirmed has not arrived.
    FileNotFound = "FILE_NOT_FOUND", Invalid, "the file has not arrived: upload it, and then confirm it";
    /// The file has another size than was said.
    UploadSizeMismatch = "UPLOAD_SIZE_MISMATCH", Invalid, "the file has another size than was said: begin the upload again";
    /// Too many files are awaited from the caller.
    UploadLimit = "UPLOAD_LIMIT", Invalid, "you have announced as many files as anyone may at once: upload and confirm some of them first";
    /// There are as many folders as there may be.
    FolderLimit = "FOLDER_LIMIT", Invalid, "the library has as many folders as it may have: delete one first";
    /// Nobody waits under the code.
    InvalidCode = "INVALID_CODE", Invalid, "nothing waits under this code: look again what the other device shows";
    /// What waited under the code waits no longer.
    ExpiredCode = "EXPIRED_CODE", Invalid, "this code is too old: ask the other device for a new one";
    /// What the answer belongs to was never asked, was answered, is over, or was asked of another browser.
    ChallengeExpired = "CHALLENGE_EXPIRED", Invalid, "this took too long, or began in another browser: start again";
    /// An authenticator's answer does not prove what it should.
    PasskeyRejected = "PASSKEY_REJECTED", Invalid, "the passkey could not be verified: it was made for another site, or the answer was altered";
    /// A user has as many passkeys as one may have.
    PasskeyLimit = "PASSKEY_LIMIT", Invalid, "you have as many passkeys as an account may have: remove one first";
    /// A user's last passkey stays.
    LastPasskey = "LAST_PASSKEY", Invalid, "this is your last passkey: add another one before you remove it";
    /// No credentials were sent.
    NotAuthenticated = "NOT_AUTHENTICATED", Unauthenticated, "sign in first: send an access token as `Authorization: Bearer <token>`";
    /// The token is unknown, expired or revoked, or its user is disabled.
    InvalidToken = "INVALID_TOKEN", Unauthenticated, "the access token is not valid: it is unknown, expired or revoked, or its user is disabled";
    /// A passkey that opens nothing here. It is not said why.
    SignInFailed = "UNAUTHORIZED", Unauthenticated, "passkey authentication failed: use a passkey that was made for this site, or ask an admin for a recovery link";
    /// The gateway's statement of who sends the request is not believed.
    InvalidGatewayToken = "INVALID_GATEWAY_TOKEN", Unauthenticated, "the gateway's JWT is not valid";
    /// The token lacks a scope.
    InsufficientScope = "INSUFFICIENT_SCOPE", Forbidden, "the access token lacks a scope";
    /// The role lacks a permission.
    InsufficientPermissions = "INSUFFICIENT_PERMISSIONS", Forbidden, "the role lacks a permission";
    /// The role allows none of what is asked for.
    InsufficientRole = "INSUFFICIENT_ROLE", Forbidden, "your role allows none of what this asks for";
    /// An access token will not do.
    SessionRequired = "SESSION_REQUIRED", Forbidden, "this needs a person who is signed in: an access token cannot make or widen access";
    /// The session is too old for this: its user has to prove again who they are. `details.methods` says how they can, `details.within` for
    /// how many seconds a proof counts.
    ReauthenticationRequired = "REAUTHENTICATION_REQUIRED", Forbidden, "prove again who you are, with one of `details.methods`, and then repeat this: it makes or changes a way in";
    /// The proof is none, or somebody else's.
    ProofRejected = "PROOF_REJECTED", Forbidden, "this does not prove that you are who is signed in: use a passkey or an account of yours";
    /// The request may come from a page of somebody else.
    CsrfRejected = "CSRF_REJECTED", Forbidden, "a request of a browser that changes something must come from a page of this site and carry the header `X-CMS-Request: 1`";
    /// The token of the setup is another one, or the setup began in another browser.
    SetupTokenInvalid = "INVALID_SETUP_TOKEN", Forbidden, "this is not the setup token: the server showed it when it started, and each start voids the one before";
    /// The account is disabled.
    AccountDisabled = "ACCOUNT_DISABLED", Forbidden, "this account is disabled: ask an admin";
    /// Whoever comes through the gateway has no account, and gets none.
    UserNotAuthorized = "USER_NOT_AUTHORIZED", Forbidden, "User not authorized: you have no account here, ask an admin for one";
    /// Somebody who is known to a provider is not let in here; `details.reason` says why.
    SignInRefused = "SIGN_IN_REFUSED", Forbidden, "the sign-in at the provider does not open an account here";
    /// The domain of the address is not, or no longer, one whose people may make accounts themselves.
    DomainNotAllowed = "DOMAIN_NOT_ALLOWED", Forbidden, "people with addresses of this domain cannot make accounts themselves: ask an admin for an invitation";
    /// The link was made for another address.
    EmailMismatch = "EMAIL_MISMATCH", Forbidden, "the invitation was sent to another address than this account's: accept it with the invited one";
    /// Too many requests in too short a time.
    RateLimited = "RATE_LIMITED", RateLimited, "too many requests: wait as long as `Retry-After` says";
    /// There is no such thing.
    NotFound = "NOT_FOUND", NotFound, "not found";
    /// There is no such provider.
    ProviderNotFound = "PROVIDER_NOT_FOUND", NotFound, "there is no such sign-in provider";
    /// The link was never made, was used, or was replaced by a newer one.
    InvalidLink = "INVALID_LINK", NotFound, "this link is not valid: it was used already, or a newer one took its place";
    /// The link's time is over.
    TokenExpired = "TOKEN_EXPIRED", Gone, "this link has expired: ask for a new one";
    /// There is no such tool.
    UnknownTool = "UNKNOWN_TOOL", NotFound, "there is no such tool";
    /// There is no such collection.
    CollectionNotFound = "COLLECTION_NOT_FOUND", NotFound, "there is no such collection";
    /// There is no such field.
    FieldNotFound = "FIELD_NOT_FOUND", NotFound, "there is no such field";
    /// The address does not have the method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", Method, "this address does not have the method";
    /// The thing changed since it was read.
    Conflict = "CONFLICT", Conflict, "it changed since it was read: read it again and repeat the change";
    /// Another user edits the entry.
    EntryLocked = "ENTRY_LOCKED", Conflict, "another user is editing this entry";
    /// Content uses the file.
    MediaInUse = "MEDIA_IN_USE", Conflict, "entries use this file, or it is not known yet that none does: look at where it is used";
    /// Another entry has the slug.
    SlugConflict = "SLUG_CONFLICT", Conflict, "another entry of this collection and locale has this slug";
    /// Another entry has the value of a unique field.
    UniqueConflict = "UNIQUE_CONFLICT", Conflict, "another entry of this collection and locale has this value";
    /// The translation group has an entry in the locale.
    TranslationExists = "TRANSLATION_EXISTS", Conflict, "the entry already has a translation in this locale";
    /// Other entries refer to this one and keep it.
    Referenced = "REFERENCED", Conflict, "other entries refer to this one";
    /// There is such a collection.
    CollectionExists = "COLLECTION_EXISTS", Conflict, "there is a collection with this slug";
    /// The collection has entries.
    CollectionHasContent = "COLLECTION_HAS_CONTENT", Conflict, "the collection has entries: remove them, or delete with `force=true`";
    /// There is such a field.
    FieldExists = "FIELD_EXISTS", Conflict, "the collection has a field with this slug";
    /// Stored values do not fit the change.
    FieldHasValues = "FIELD_HAS_VALUES", Conflict, "stored values do not fit this change";
    /// An index is not complete yet.
    IndexBuilding = "INDEX_BUILDING", Conflict, "the index over this field is still being built";
    /// Values of deleted fields are still being taken out of entries, and could be taken for those of a new one.
    LeftoversPending = "LEFTOVERS_PENDING", Conflict, "values of deleted fields are still being removed";
    /// There is such an account.
    EmailInUse = "EMAIL_IN_USE", Conflict, "there is an account with this e-mail address";
    /// Without it the user could not sign in any more.
    LastSignInMethod = "LAST_SIGN_IN_METHOD", Conflict, "this is your last way to sign in: add a passkey before you remove it";
    /// There is an account with the address that is invited or signs up.
    UserExists = "USER_EXISTS", Conflict, "there is an account with this e-mail address already: sign in with it";
    /// There is such a passkey.
    CredentialExists = "CREDENTIAL_EXISTS", Conflict, "this passkey is registered already";
    /// A hook of the host refuses the change; `details.code` is the hook's own.
    HookRefused = "HOOK_REFUSED", Refused, "a rule of this site refuses the change";
    /// The body is larger than the route allows.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", TooLarge, "the body is too large";
    /// The body is of another media type.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", Unsupported, "send the body as `Content-Type: application/json`";
    /// The body did not arrive in time.
    RequestTimeout = "REQUEST_TIMEOUT", Timeout, "the body did not arrive in time";
    /// The server failed; the log has the reason under the request's id.
    InternalError = "INTERNAL_ERROR", Internal, "the server failed; its log has the reason under the request id";
    /// A hook of the host failed, took too long, or answered what cannot be.
    HookFailed = "HOOK_FAILED", Internal, "a hook of this site failed, and nothing was changed: tell whoever runs the site";
    /// A sign-in provider or the gateway cannot be asked.
    ProviderUnavailable = "PROVIDER_UNAVAILABLE", Unavailable, "whoever vouches for you cannot be reached: try again";
    /// The site does not let people sign in by links in mail.
    MagicLinksOff = "MAGIC_LINKS_OFF", Forbidden, "this site lets nobody sign in with a link in a letter: sign in another way, or ask an admin for a recovery link";
    /// No mail server is configured.
    EmailNotConfigured = "EMAIL_NOT_CONFIGURED", Unavailable, "this site sends no mail: ask an admin for a link, or sign in another way";
    /// No place for files is configured.
    NoStorage = "NO_STORAGE", Unavailable, "this site has no place for files: whoever runs it sets `media.folder` or `media.bucket`";
    /// The place for files cannot be reached, or is full.
    StorageUnavailable = "STORAGE_UNAVAILABLE", Unavailable, "the place where files are kept does not answer: try again in a moment";
    /// The database is busy.
    Busy = "BUSY", Unavailable, "the server is busy: try again";
}

/// Why an operation did not happen.
pub struct Error(Box<Inner>);

struct Inner {
    code: Code,
    message: Option<String>,
    details: Option<Value>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Refuses a change that was decided upon an older state of what it changes.
pub fn must_be_current(read: Option<&Rev>, now: &Rev) -> Result<(), Error> {
    if read.is_some_and(|read| read != now) { Err(Error::new(Code::Conflict)) } else { Ok(()) }
}

impl Error {
    /// A failure with its code's own message.
    pub fn new(code: Code) -> Self {
        Self(Box::new(Inner { code, message: None, details: None, source: None }))
    }

    /// A failure with a message of its own.
    pub fn with(code: Code, message: impl Into<String>) -> Self {
        Self::new(code).message_is(message)
    }

    /// Every problem of an input.
    pub fn invalid(issues: Vec<Issue>) -> Self {
        let message = match issues.as_slice() {
            [only] if only.path.is_empty() => only.message.clone(),
            [only] => format!("`{}` {}", only.path, only.message),
            _ => format!("the request has {} problems", issues.len()),
        };
        Self::with(Code::ValidationError, message).details(json!({ "issues": issues }))
    }

    /// One problem of an input.
    pub fn issue(path: &str, code: &str, message: impl Into<String>) -> Self {
        Self::invalid(vec![Issue::new(path, code, message)])
    }

    /// The server failed, for a reason that only the log may tell.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let mut error = Self::new(Code::InternalError);
        error.0.source = Some(source.into());
        error
    }

    /// The same failure with another message.
    #[must_use]
    pub fn message_is(mut self, message: impl Into<String>) -> Self {
        self.0.message = Some(message.into());
        self
    }

    /// The same failure with details for programs.
    #[must_use]
    pub fn details(mut self, details: Value) -> Self {
        self.0.details = Some(details);
        self
    }

    /// The same failure with a cause, for the log alone.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// The same failure for another caller: what callers are told, without the cause.
    #[must_use]
    pub fn told(&self) -> Self {
        let Inner { code, message, details, source: _ } = &*self.0;
        Self(Box::new(Inner { code: *code, message: message.clone(), details: details.clone(), source: None }))
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// What the caller is told.
    pub fn message(&self) -> &str {
        self.0.message.as_deref().unwrap_or(self.0.code.message())
    }

    /// Details for programs.
    pub fn details_json(&self) -> Option<&Value> {
        self.0.details.as_ref()
    }

    /// Whether the same work may well succeed when it is done again at once: it lost against others, or its connection broke, and nothing was
    /// stored. Whoever waited, or may have stored something, does not do it again at once.
    pub(crate) fn is_worth_another_try(&self) -> bool {
        use cms_storage::Error::{Full, Unsure, Waited};
        self.code() == Code::Busy && !matches!(self.cause(), Some(Waited | Full(_) | Unsure(_)))
    }

    /// Others changed what an invocation had prepared its change of: it prepares again, and whoever said which state they know is then told.
    pub fn overtaken() -> Self {
        Self::with(Code::Busy, "others changed this at the same time: try again").because(cms_storage::Error::Stale)
    }

    /// Whether others changed what the work had prepared its change of.
    pub(crate) fn is_overtaken(&self) -> bool {
        matches!(self.cause(), Some(cms_storage::Error::Stale))
    }

    /// Whether somebody else held what the work needs, and nothing was stored.
    pub(crate) fn is_worth_waiting(&self) -> bool {
        matches!(self.cause(), Some(cms_storage::Error::Waited))
    }

    /// Whether the same may go well when it is done again: the server failed, or somebody was in the way.
    pub fn may_pass(&self) -> bool {
        let is_ours = matches!(self.code().kind(), Kind::Internal | Kind::Unavailable);
        is_ours || self.is_overtaken() || self.is_worth_waiting() || self.is_worth_another_try()
    }

    fn cause(&self) -> Option<&cms_storage::Error> {
        self.0.source.as_deref().and_then(|source| source.downcast_ref())
    }

    /// The cause, for the log alone.
    pub fn private(&self) -> Option<&(dyn std::error::Error + Send + Sync)> {
        self.0.source.as_deref()
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("code", &self.0.code)
            .field("message", &self.message())
            .field("details", &self.0.details)
            .field("source", &self.0.source)
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.0.code.as_str(), self.message())
    }
}

impl std::error::Error for Error {}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotAuthenticated => Self::new(Code::NotAuthenticated),
            Refusal::Scope(scope) => Self::with(Code::InsufficientScope, refusal.to_string()).details(json!({ "scope": scope })),
            Refusal::Session => Self::new(Code::SessionRequired),
            Refusal::Permission(_) | Refusal::Approved(_) | Refusal::System => {
                Self::with(Code::InsufficientPermissions, refusal.to_string())
            }
        }
    }
}

impl From<cms_storage::Error> for Error {
    fn from(error: cms_storage::Error) -> Self {
        let code = match &error {
            cms_storage::Error::Stale => Code::Conflict,
            cms_storage::Error::Busy => Code::Busy,
            cms_storage::Error::Waited => {
                return Self::with(Code::Busy, "somebody else held what this needs for too long: try again in a moment").because(error);
            }
            cms_storage::Error::Full(_) => {
                return Self::with(Code::Busy, "the disk of the database is full: nothing was stored, tell whoever runs this site")
                    .because(error);
            }
            cms_storage::Error::Unreachable(_) => {
                return Self::with(Code::Busy, "the database cannot be reached: nothing was stored, try again in a moment").because(error);
            }
            cms_storage::Error::Unsure(_) => {
                let message = "the connection to the database broke while this was being stored: look whether it was before you repeat it";
                return Self::with(Code::Busy, message).because(error);
            }
            cms_storage::Error::Conflict(constraint) => match constraint {
                Constraint::EntrySlug => Code::SlugConflict,
                Constraint::EntryTranslation => Code::TranslationExists,
                Constraint::UniqueField { .. } => Code::UniqueConflict,
                Constraint::CollectionSlug => Code::CollectionExists,
                Constraint::FieldSlug => Code::FieldExists,
                Constraint::UserEmail => Code::EmailInUse,
                Constraint::PasskeyCredential => Code::CredentialExists,
                Constraint::JobName => {
                    return Self::with(Code::Conflict, "another job does the same by now: look at that one");
                }
                Constraint::Unique(_) | Constraint::Reference | Constraint::Other => Code::Conflict,
            },
            cms_storage::Error::Unindexed(remedy) => return unindexed(remedy),
            cms_storage::Error::Corrupt { .. } | cms_storage::Error::LeftOut | cms_storage::Error::Backend(_) => {
                return Self::internal(error);
            }
        };
        Self::new(code)
    }
}

/// Refuses a list that looks at too many entries, and says what would help.
fn unindexed(remedy: &Remedy) -> Error {
    let refused = |message: String, index: Value| Error::with(Code::UnindexedFilter, message).details(json!({ "index": index }));
    let named = |fields: &[FieldSlug]| fields.iter().map(|field| format!("`{field}`")).collect::<Vec<_>>().join(", ");
    match remedy {
        Remedy::Declare(fields) => refused(
            format!(
                "no index serves this list, and it would look at too many entries: declare an index over {} among the `indexes` of the \
                 collection, use fewer filters, or choose another order",
                named(fields)
            ),
            json!({ "fields": fields }),
        ),
        Remedy::Wait(index) => {
            let message = format!("the index over {}, which this list needs, is still being built", named(&index.fields));
            Error::with(Code::IndexBuilding, message).details(json!({ "fields": index.fields, "index": index.state }))
        }
        Remedy::Narrow => refused(
            "no index serves this list, and it would look at too many entries: use fewer filters, or choose another order".to_owned(),
            Value::Null,
        ),
    }
}

impl From<cms_auth::token::RandomError> for Error {
    fn from(error: cms_auth::token::RandomError) -> Self {
        Self::internal(error)
    }
}

impl From<serde_json::Error> for Error {
    /// What we wrote ourselves cannot be read or written: never the caller's fault.
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}

/// What a panic said.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}
