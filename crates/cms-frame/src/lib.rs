//! What every operation runs in. It says how one is declared, who may do it, what is written, kept and told of it, and knows no area: what it asks of
//! accounts is [`callers::Callers`], and what an area keeps in memory is an [`area::Area`].

pub mod area;
pub mod audit_line;
mod background;
pub mod callers;
pub mod catalog;
mod client;
mod cms;
pub mod credentials;
mod cx;
pub mod descriptor;
mod error;
pub mod failures;
pub mod following;
pub mod hooks;
pub mod input;
pub mod intake;
pub mod jobs;
mod limits;
pub mod operation;
mod options;
mod patience;
mod pipeline;
pub mod refusal;
pub mod request_id;
mod standing;
mod system;
pub mod topics;
pub mod upkeep;

pub use client::{Client, Cookie, Done};
pub use cms::{Areas, Assembly, Cms};
pub use cx::{Cx, Door, Shown};
pub use error::{Code, CustomCode, Error, Kind, must_be_current, panic_message};
pub use options::{Options, Policies, Preview, SessionLife};
pub use pipeline::Counted;
pub use system::{Clock, Ids, SharedClock, SystemClock, SystemIds};
pub use topics::Watch;
