//! The operations of a headless CMS as tools for agents, by the Model Context Protocol.
//!
//! An operation that says so is a tool: its documentation is the tool's description, and its types are the tool's schemas. There is nothing to write a second
//! time, and an agent is refused exactly what the same person is refused by the REST API.
//!
//! ```
//! let described = cms_mcp::describe(&cms_core::built_in());
//! let tools = described["tools"].as_array().into_iter().flatten();
//! let names: Vec<_> = tools.filter_map(|tool| tool["name"].as_str()).collect();
//! assert!(names.contains(&"content_list") && names.contains(&"content_update"));
//! ```
//!
//! # How to serve them
//!
//! [`Endpoint`] answers requests of the protocol. It is a raw route in the frame of `cms-http-api`, which gives each request its caller, its limits and its log:
//!
//! ```
//! use cms_core::{Options, catalog::Wire};
//! use cms_http_api::{HttpOptions, Raw, router_with};
//! use cms_mcp::{Endpoint, McpOptions};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let store = cms_core::testing::TestStore::sqlite().await?;
//! let cms = cms_core::open(store.store().clone(), Options::default());
//! let endpoint = Endpoint::new(cms.clone(), McpOptions::default());
//! let tools = Raw::new(Wire::TOOLS, move |asked| {
//!     let endpoint = endpoint.clone();
//!     Box::pin(async move { endpoint.answer(asked.parts, asked.client, asked.body.read()).await })
//! });
//! let router: axum::Router = router_with(cms, HttpOptions::default(), vec![tools]);
//! # Ok(())
//! # }
//! ```
//!
//! An agent needs the address alone, `{prefix}/api/mcp`: it finds out where to sign in, registers itself, and its user decides in a browser what it may do.
//!
//! # Where to go on
//!
//! - [`McpOptions`]: what the endpoint says of itself, and which pages may call it.
//! - [`describe`]: the list of tools, as agents see it.
//! - `cms_core::operation::Tool` is how an operation says that it is one.

mod discovery;
mod options;
mod reply;
mod server;
mod splice;
mod step_up;
mod tools;
mod transport;

pub use options::McpOptions;
pub use tools::describe;
pub use transport::Endpoint;
