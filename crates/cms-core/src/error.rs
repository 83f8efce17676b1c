//! What can go wrong, in one table: code, kind, and what the caller is told. The cause stays inside.

use std::fmt;

use cms_domain::{access::Refusal, issue::Issue};
use cms_storage::Constraint;
use serde_json::{Value, json};

/// What sort of failure a code is. Each door maps kinds to its own signals, once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $kind:ident, $message:literal;)*) => {
        /// A stable code for a failure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The code as the wire spells it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// What sort of failure it is.
            pub const fn kind(self) -> Kind {
                match self { $(Self::$name => Kind::$kind,)* }
            }

            /// What the caller is told unless there is more to say.
            pub const fn message(self) -> &'static str {
                match self { $(Self::$name => $message,)* }
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
    /// The slug means something else in an address.
    ReservedSlug = "RESERVED_SLUG", Invalid, "the slug is reserved";
    /// Several locales have an entry with the slug.
    AmbiguousLocale = "AMBIGUOUS_LOCALE", Invalid, "several locales have an entry with this slug: name one with `locale`";
    /// The collection does not support the feature.
    NotSupported = "NOT_SUPPORTED", Invalid, "the collection does not support this";
    /// The fields named in an order are not the ones there are.
    ReorderMismatch = "REORDER_MISMATCH", Invalid, "the list must name each item once";
    /// What the answer belongs to was never asked, was answered, is over, or was asked of another browser.
    ChallengeExpired = "CHALLENGE_EXPIRED", Invalid, "this took too long, or began in another browser: start again";
    /// No credentials were sent.
    NotAuthenticated = "NOT_AUTHENTICATED", Unauthenticated, "sign in first: send an access token as `Authorization: Bearer <token>`";
    /// The token is unknown, expired or revoked, or its user is disabled.
    InvalidToken = "INVALID_TOKEN", Unauthenticated, "the access token is not valid: it is unknown, expired or revoked, or its user is disabled";
    /// The token lacks a scope.
    InsufficientScope = "INSUFFICIENT_SCOPE", Forbidden, "the access token lacks a scope";
    /// The role lacks a permission.
    InsufficientPermissions = "INSUFFICIENT_PERMISSIONS", Forbidden, "the role lacks a permission";
    /// An access token will not do.
    SessionRequired = "SESSION_REQUIRED", Forbidden, "this needs a person who is signed in: an access token cannot manage credentials";
    /// The request may come from a page of somebody else.
    CsrfRejected = "CSRF_REJECTED", Forbidden, "a request of a browser that changes something must come from a page of this site and carry the header `X-CMS-Request: 1`";
    /// The account is disabled.
    AccountDisabled = "ACCOUNT_DISABLED", Forbidden, "this account is disabled: ask an admin";
    /// Too many requests in too short a time.
    RateLimited = "RATE_LIMITED", RateLimited, "too many requests: wait as long as `Retry-After` says";
    /// There is no such thing.
    NotFound = "NOT_FOUND", NotFound, "not found";
    /// There is no such tool.
    UnknownTool = "UNKNOWN_TOOL", NotFound, "there is no such tool";
    /// There is no such collection.
    CollectionNotFound = "COLLECTION_NOT_FOUND", NotFound, "there is no such collection";
    /// There is no such field.
    FieldNotFound = "FIELD_NOT_FOUND", NotFound, "there is no such field";
    /// The address does not have the method.
    MethodNotAllowed = "METHOD_NOT_ALLOWED", Method, "this address does not have the method";
    /// The thing changed since it was read.
    Conflict = "CONFLICT", Conflict, "the entry changed since it was read: read it again and repeat the change";
    /// Another user edits the entry.
    EntryLocked = "ENTRY_LOCKED", Conflict, "another user is editing this entry";
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
    /// There is such an account.
    EmailInUse = "EMAIL_IN_USE", Conflict, "there is an account with this e-mail address";
    /// The body is larger than the route allows.
    PayloadTooLarge = "PAYLOAD_TOO_LARGE", TooLarge, "the body is too large";
    /// The body is of another media type.
    UnsupportedMediaType = "UNSUPPORTED_MEDIA_TYPE", Unsupported, "send the body as `Content-Type: application/json`";
    /// The body did not arrive in time.
    RequestTimeout = "REQUEST_TIMEOUT", Timeout, "the body did not arrive in time";
    /// The server failed; the log has the reason under the request's id.
    InternalError = "INTERNAL_ERROR", Internal, "the server failed; its log has the reason under the request id";
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
            _ => format!("the request has {} problems; `details.issues` lists them", issues.len()),
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
            Refusal::Permission(_) | Refusal::System => Self::with(Code::InsufficientPermissions, refusal.to_string()),
        }
    }
}

impl From<cms_storage::Error> for Error {
    fn from(error: cms_storage::Error) -> Self {
        let code = match &error {
            cms_storage::Error::Stale => Code::Conflict,
            cms_storage::Error::Busy => Code::Busy,
            cms_storage::Error::Conflict(constraint) => match constraint {
                Constraint::EntrySlug => Code::SlugConflict,
                Constraint::EntryTranslation => Code::TranslationExists,
                Constraint::UniqueField { .. } => Code::UniqueConflict,
                Constraint::CollectionSlug => Code::CollectionExists,
                Constraint::FieldSlug => Code::FieldExists,
                Constraint::UserEmail => Code::EmailInUse,
                Constraint::Reference | Constraint::Other => Code::Conflict,
            },
            cms_storage::Error::Corrupt { .. } | cms_storage::Error::Backend(_) => return Self::internal(error),
        };
        Self::new(code)
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
