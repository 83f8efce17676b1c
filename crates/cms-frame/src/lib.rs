//! What every operation of the system runs in, whatever it does.
//!
//! An *operation* is a type: its members are its input, and what it states of itself is read by everything else. Who may do it, where the REST API has it,
//! whether agents see it as a tool, how often it may be asked for and what it can fail with are constants beside the code that does it, and there is no other
//! place to look. A program that embeds the system declares operations in the same way as the system does.
//!
//! ```
//! use cms_domain::access::Access;
//! use cms_frame::{
//!     Cx, Error,
//!     descriptor::Descriptor,
//!     operation::{Http, Operation, Tool, tool_name},
//! };
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// Greet somebody.
//! #[derive(Debug, Clone, Deserialize, JsonSchema)]
//! #[serde(deny_unknown_fields)]
//! pub struct Greet {
//!     /// Their name.
//!     pub name: String,
//! }
//!
//! /// What was said.
//! #[derive(Debug, Serialize, JsonSchema)]
//! pub struct Greeting {
//!     /// The words.
//!     pub words: String,
//! }
//!
//! impl Operation for Greet {
//!     const ID: &'static str = "example.greet";
//!     const ACCESS: Access = Access::Public;
//!     const HTTP: Http = Http::post("greet", "/example/greet");
//!     const TOOL: Tool = Tool::Read;
//!     type Output = Greeting;
//!
//!     async fn run(self, _: &mut Cx<'_>) -> Result<Greeting, Error> {
//!         Ok(Greeting { words: format!("Hello, {}!", self.name) })
//!     }
//! }
//!
//! // From here on it is data: `Cms::add_operations` puts it at every door of a running
//! // system.
//! let greet = Descriptor::of::<Greet>();
//! assert_eq!(greet.id, "example.greet");
//! assert_eq!(tool_name(greet.id), "example_greet");
//! ```
//!
//! The doc comments are not for you alone: they are the text of the OpenAPI document and of the tool.
//!
//! # How one is run
//!
//! [`Cms::invoke`] does an operation for an [`Actor`](cms_domain::access::Actor), and there is no other way in. It asks whether they may, reads and checks the
//! input, runs the operation with a [`Cx`], and then commits everything or nothing: rows, lines of the audit log, and the events that tell others. What an
//! operation needs from outside — the time, new ids, rows, who is asking — it gets from its [`Cx`], which is why operations are easy to test.
//!
//! This crate knows no area. What it asks of accounts is the trait [`callers::Callers`], and what an area keeps in memory is an [`area::Area`]; `cms-core` puts
//! the areas of the system together, and is the crate to depend on if you want to use it.
//!
//! # Where to go on
//!
//! - [`operation`] and [`descriptor`]: what an operation states, and what becomes of it. [`failures`] and [`Code`]: what it can fail with.
//! - [`hooks`]: a say in what is saved, and news of what was.
//! - [`jobs`]: work that takes longer than a request, and goes on when its server is killed.
//! - [`Options`]: how a site is set up.
//! - [`topics`] and [`following`]: how answers can be kept, and are dropped on every server as soon as they are no longer true.

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
pub mod files;
pub mod following;
pub mod hooks;
pub mod input;
pub mod intake;
pub mod jobs;
mod limits;
pub mod operation;
mod options;
pub mod page;
mod patience;
mod pipeline;
pub mod refusal;
pub mod request_id;
mod standing;
mod stream;
mod system;
pub mod topics;
pub mod upkeep;

pub use client::{Client, Cookie, Done};
pub use cms::{Areas, Assembly, Cms};
pub use cx::{Cx, Door, Shown};
pub use error::{Code, CustomCode, Error, Kind, must_be_current, panic_message};
pub use options::{Options, Policies, Preview, SessionLife};
pub use pipeline::Counted;
pub use stream::Stream;
pub use system::{Clock, Ids, SharedClock, SystemClock, SystemIds};
pub use topics::Watch;
