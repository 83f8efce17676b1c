//! Sign-in at the gateway in front of the server: a signed statement comes with each request, and says who sends it.

use cms_domain::{time::Timestamp, user::Email};

use crate::provider::Cause;

#[cfg_attr(not(feature = "providers"), path = "gateway/left_out.rs")]
mod proxy;

pub use proxy::Gateway;

/// How the gateway is set up.
#[derive(Debug, Clone)]
pub struct GatewayOptions {
    /// Scheme and host of the gateway, without a slash at the end. It is the issuer of its statements.
    pub team_domain: String,
    /// For whom its statements must be.
    pub audience: String,
    /// The path of its keys.
    pub certs_path: String,
    /// The path of what it knows of a person.
    pub identity_path: String,
    /// The cookie in which it takes a statement when it is asked about a person.
    pub cookie: String,
}

/// Who sends a request, as the gateway vouches. It is not shown by `Debug`: it would be in a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Vouched {
    /// Their address.
    pub email: Email,
    /// What they are called.
    pub name: Option<String>,
    /// The groups they are in, in the gateway's order.
    pub groups: Vec<String>,
    /// Until when this is believed: the gateway is asked again then, or the statement is over.
    pub believed_until: Timestamp,
}

/// Why a statement is not believed. None says anything of whom it is about.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// It is no statement.
    #[error("the JWT cannot be read")]
    Malformed,
    /// It is signed in a way that proves nothing.
    #[error("the JWT is not signed with RS256 or ES256")]
    Algorithm,
    /// The gateway has no such key.
    #[error("the gateway does not have the key of the JWT")]
    Key,
    /// Somebody else signed it, or altered it.
    #[error("the signature of the JWT is not the gateway's")]
    Signature,
    /// It is for somebody else.
    #[error("JWT audience mismatch")]
    Audience,
    /// It is of somebody else.
    #[error("JWT issuer mismatch")]
    Issuer,
    /// Its time is over, or has not come.
    #[error("the JWT has expired, or is not valid yet")]
    Time,
    /// It is not about a person.
    #[error("the JWT names no person")]
    Nobody,
    /// The gateway says of the person something else than the statement.
    #[error("the gateway and the JWT do not name the same person")]
    Disagreement,
    /// The gateway refuses to say who it is.
    #[error("the gateway does not know the JWT")]
    Unknown,
    /// The gateway cannot be asked.
    #[error("the gateway cannot be reached")]
    Unavailable(#[source] Cause),
}

/// The options cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
#[error("`{0}` is not the origin of a gateway: expected `https://` and a host")]
pub struct GatewayOptionsError(String);
