//! Where a request comes from, and what its browser is to keep.

use std::net::IpAddr;

use cms_domain::time::Timestamp;

use crate::Stream;

/// What is known of where a request comes from.
#[derive(Debug, Clone, Default)]
pub struct Client {
    /// Its address, as far as the proxies in between are trusted to tell.
    pub address: Option<IpAddr>,
    /// Whether the address seems to be that of a proxy which nobody named, so that it stands for all whom the proxy serves.
    pub shares_address: bool,
    /// What the browser or program calls itself.
    pub agent: Option<String>,
    /// The secret that tells this browser from all others, if it has one: what begins in a browser must end in it.
    pub browser: Option<String>,
    /// The id of the request, under which the log tells of it and which its sender was told.
    pub request_id: Option<String>,
    /// Scheme, host and port that the request was sent to, where that can be believed.
    pub origin: Option<String>,
    /// The event stream that is answered, if it is one.
    pub stream: Option<Stream>,
}

/// What the caller's browser is to keep from now on.
#[derive(Clone, PartialEq, Eq)]
pub enum Cookie {
    /// A session was opened.
    Session {
        /// Its secret.
        secret: String,
        /// When it ends.
        expires_at: Timestamp,
    },
    /// The session is over.
    SignedOut,
    /// What tells this browser from all others.
    Browser {
        /// The secret.
        secret: String,
    },
}

/// What an operation answered, and what the caller's browser is to keep.
pub struct Done<T> {
    /// The answer.
    pub output: T,
    /// For the browser.
    pub cookies: Vec<Cookie>,
}
