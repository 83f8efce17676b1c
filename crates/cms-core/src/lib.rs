//! Operations: what can be done, by whom, in which order. Every door reads the one catalog.

pub mod accounts;
mod audit_line;
mod background;
pub mod catalog;
mod client;
mod cms;
pub mod content;
pub mod credentials;
mod cx;
pub mod descriptor;
mod error;
pub mod failures;
mod finished;
mod following;
mod identity;
pub mod input;
pub mod intake;
mod limits;
pub mod mail;
pub mod oauth;
pub mod operation;
mod patience;
mod pipeline;
pub mod refusal;
pub mod request_id;
pub mod schema;
mod schema_cache;
mod services;
mod site;
mod standing;
mod system;
pub mod tasks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod topics;

pub use client::{Client, Cookie, Done};
pub use cms::{Cms, Options, Policies, Preview, SessionLife};
pub use cx::{Cx, Door, Shown};
pub use error::{Code, CustomCode, Error, Kind};
pub use pipeline::Counted;
pub use services::Services;
pub use system::{Clock, Ids, SharedClock, SystemClock, SystemIds};
pub use topics::Watch;
