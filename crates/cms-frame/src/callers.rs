//! What the frame asks of whoever knows the callers. In every system so far that is `cms-accounts`, which the REST door needs besides.

use cms_domain::{
    access::{Actor, Caller},
    time::Timestamp,
};
use cms_storage::Reader;

use crate::{Cms, Error, descriptor::Pending};

/// Knows the callers.
pub trait Callers: Send + Sync {
    /// Who sends a request with this bearer token.
    fn identify<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, token: &'a str) -> Pending<'a, Result<Actor, Error>>;

    /// Whose session a browser has: nobody's when it ended.
    fn identify_session<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, secret: &'a str) -> Pending<'a, Result<Actor, Error>>;

    /// Refuses a caller whose credential ended, or whose rights shrank, since they were identified: by another request or another server, while
    /// this one waited for its body, or by the clock, while a job went on for them. Asked when the transaction that writes for them begins; `holding`, in it, keeps the credential until its end.
    fn must_stand<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, caller: &'a Caller, holding: bool) -> Pending<'a, Result<(), Error>>;

    /// Refuses the user of a session whose last proof of who they are is too old ([`crate::operation::Proof::Recent`]).
    fn must_have_proven<'a>(&'a self, cms: &'a Cms, rows: Reader<'a>, actor: &'a Actor, now: Timestamp) -> Pending<'a, Result<(), Error>>;

    /// Where a gateway in front of the site vouches for people, what is said to whoever does not come through it. Then there is no other way in
    /// ([`crate::operation::Http::replaced_by_gateway`]).
    fn behind_gateway(&self) -> Option<&'static str>;
}
