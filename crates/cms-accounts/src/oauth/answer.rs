//! What applications are answered: what they asked for, or a fault in the words of the RFCs.

use cms_frame::{Client, Code, Error, refusal};
use schemars::JsonSchema;
use serde::Serialize;

/// The answer to an application. Either one is the end of its request: what was written, such as that a code is spent, stays.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Answer<T> {
    /// What it asked for.
    Done(T),
    /// Why it does not get it.
    Refused(Fault),
}

/// Why an application does not get what it asked for (RFC 6749, 5.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fault {
    /// For programs.
    pub error: FaultCode,
    /// For people who write programs. It repeats nothing of what was sent.
    pub error_description: &'static str,
}

impl Fault {
    /// Tells the log that an application was refused, if it or its code or token was not what it should be.
    pub fn tell(&self, client: &Client, operation: &str) {
        if matches!(self.error, FaultCode::InvalidClient | FaultCode::InvalidGrant | FaultCode::UnauthorizedClient) {
            refusal::write(client, None, operation, self.error.as_str());
        }
    }
}

/// What is wrong, as RFC 6749, 4.1.2.1 and 5.2, RFC 7591, 3.2.2, RFC 8628, 3.5, and RFC 8707, 2, name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    /// A parameter is missing, malformed, or given twice.
    InvalidRequest,
    /// The application is not known, or tried to prove what it cannot prove here.
    InvalidClient,
    /// The code or refresh token is not good, or not for this application.
    InvalidGrant,
    /// The application may not use this grant.
    UnauthorizedClient,
    /// There is no such grant.
    UnsupportedGrantType,
    /// There is no such response type.
    UnsupportedResponseType,
    /// None of the scopes can be given.
    InvalidScope,
    /// The resource is not one of this server.
    InvalidTarget,
    /// The user denied it.
    AccessDenied,
    /// The user has not decided yet.
    AuthorizationPending,
    /// The application asks too often: it waits five seconds longer from now on.
    SlowDown,
    /// Nobody decided in time.
    ExpiredToken,
    /// What an application says of itself is not accepted.
    InvalidClientMetadata,
    /// A redirect URI is not accepted.
    InvalidRedirectUri,
}

impl FaultCode {
    /// The code as the wire spells it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidClient => "invalid_client",
            Self::InvalidGrant => "invalid_grant",
            Self::UnauthorizedClient => "unauthorized_client",
            Self::UnsupportedGrantType => "unsupported_grant_type",
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidTarget => "invalid_target",
            Self::AccessDenied => "access_denied",
            Self::AuthorizationPending => "authorization_pending",
            Self::SlowDown => "slow_down",
            Self::ExpiredToken => "expired_token",
            Self::InvalidClientMetadata => "invalid_client_metadata",
            Self::InvalidRedirectUri => "invalid_redirect_uri",
        }
    }
}

impl Fault {
    /// A fault.
    pub const fn new(error: FaultCode, error_description: &'static str) -> Self {
        Self { error, error_description }
    }
}

impl From<Fault> for Error {
    /// A fault of an application, told to the user who looks at its request.
    fn from(fault: Fault) -> Self {
        Self::with(Code::ValidationError, fault.error_description)
            .details(serde_json::json!({ "issues": [{ "path": "", "code": fault.error.as_str().to_uppercase(), "message": fault.error_description }] }))
    }
}

/// Why a request ends early: the application is at fault, or the server is.
pub(super) enum Stop {
    /// The application is told, and what was written stays.
    Refused(Fault),
    /// Nothing happened.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The application is at fault.
pub(super) fn refuse<T>(error: FaultCode, description: &'static str) -> Result<T, Stop> {
    Err(Stop::Refused(Fault::new(error, description)))
}

/// The answer that a request ended in.
pub(super) fn answer<T>(result: Result<T, Stop>) -> Result<Answer<T>, Error> {
    match result {
        Ok(done) => Ok(Answer::Done(done)),
        Err(Stop::Refused(fault)) => Ok(Answer::Refused(fault)),
        Err(Stop::Failed(error)) => Err(error),
    }
}

/// Makes sure that a parameter is no longer than anything it could mean.
pub(super) fn bounded(parameter: Option<&str>, most: usize, too_long: &'static str) -> Result<(), Stop> {
    if parameter.is_some_and(|text| text.chars().count() > most) { refuse(FaultCode::InvalidRequest, too_long) } else { Ok(()) }
}

/// A parameter that a request cannot do without.
pub(super) fn required<'a>(parameter: Option<&'a str>, missing: &'static str) -> Result<&'a str, Stop> {
    parameter.map_or_else(|| refuse(FaultCode::InvalidRequest, missing), Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_spelled_as_it_is_serialized() {
        for code in [FaultCode::InvalidRequest, FaultCode::InvalidClientMetadata, FaultCode::SlowDown, FaultCode::InvalidTarget] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
