//! The authorization server (OAuth 2.1): applications ask, users grant, tokens follow.
//!
//! What an application sends is answered in the words of the RFCs, as an [`Answer`]; what users and admins do is answered as
//! every other operation is. The tokens that come out of here are recognized by the same look-up as all others.

pub mod answer;
pub mod authorize;
pub mod client;
pub mod clients;
pub mod device;
pub mod device_approval;
mod exchange;
pub mod grants;
mod issue;
pub mod metadata;
pub mod origin;
mod pkce;
mod redirect_uri;
mod refresh;
pub mod register;
pub mod request;
pub mod revoke;
pub(crate) mod scopes;
pub mod token;
pub mod token_request;

use std::time::Duration;

use cms_domain::time::Timestamp;
use cms_frame::Policies;

pub use answer::{Answer, Fault, FaultCode};
pub(crate) use issue::Granted;

/// The longest name of an application, in characters: names that registrations and admins give are much shorter.
pub(crate) const CLIENT_ID: usize = 255;
/// The longest list of scopes in a request: all that there are, ten times over.
pub(crate) const SCOPE: usize = 2_000;
/// The longest address of a resource, which is stored with what is granted for it: as long as any address that is taken.
pub(crate) const RESOURCE: usize = redirect_uri::LONGEST;
/// How long a code may be exchanged. RFC 6749, 4.1.2, recommends ten minutes at most.
pub(crate) const CODE_LIFE: Duration = Duration::from_mins(10);
/// How long a code that has ended is remembered, so that a second use of it still takes back what it gave.
pub const CODE_REMEMBERED: Duration = Duration::from_hours(24);
/// How long an access token is good for. Whoever steals one has it for no longer.
pub(crate) const ACCESS_LIFE: Duration = Duration::from_hours(1);
/// How long a refresh token may wait for its use; an application that is used more often stays connected.
pub(crate) const REFRESH_LIFE: Duration = Duration::from_hours(90 * 24);
/// How long a program waits for a user to approve it.
pub(crate) const DEVICE_LIFE: Duration = Duration::from_mins(15);
/// How long the end of a device code is remembered, so that a late program is told that it is late.
pub const DEVICE_REMEMBERED: Duration = Duration::from_hours(1);
/// How long an application that registered itself is kept although nobody ever granted it anything.
pub const NEVER_USED_KEPT: Duration = Duration::from_hours(7 * 24);
/// How long an application that registered itself is kept after the last use, when it holds no grant any more.
pub const UNUSED_KEPT: Duration = Duration::from_hours(90 * 24);

/// When a grant ends, however often its tokens are refreshed (OWASP ASVS 5, 10.4.8).
pub(crate) fn end(policies: &Policies, created_at: Timestamp) -> Timestamp {
    created_at.after(policies.grant_absolute)
}
