//! The REST API of a headless CMS, as a [`Router`](axum::Router) that you merge into your own.
//!
//! Every operation of a system that has a route is there, and so is the OpenAPI document that describes them, with a page to read it. The API is made of the
//! catalog of the system, so an operation that you add while it runs is served, and documented, with the next request.
//!
//! ```
//! use axum::{body::Body, http::{Request, StatusCode}};
//! use cms_core::Options;
//! use cms_http_api::{HttpOptions, router};
//! use cms_storage::{Store, StoreOptions};
//! use tower::ServiceExt;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::open(&StoreOptions::new("sqlite::memory:")).await?;
//! store.migrate().await?;
//! let cms = cms_core::open(store, Options::default());
//!
//! // In a program, it is served along with your own pages: `pages.merge(api)`. Its addresses
//! // are whole, so merge it, and do not nest it.
//! let api = router(cms, HttpOptions::default());
//!
//! let ask = |path: &str| Request::get(path).header("host", "localhost").body(Body::empty());
//! let document = ask("/_cms/api/openapi.json")?;
//! assert_eq!(api.clone().oneshot(document).await?.status(), StatusCode::OK);
//! let posts = ask("/_cms/api/content/posts")?;
//! assert_eq!(api.oneshot(posts).await?.status(), StatusCode::UNAUTHORIZED);
//! # Ok(())
//! # }
//! ```
//!
//! # Who is asking
//!
//! A request comes with a bearer token, with the cookie of a session, or through a gateway. If your program knows its people already, a middleware of yours says
//! who they are: put a [`HostCaller`] into the extensions of the request, where nothing that comes from outside can be.
//!
//! # What it is careful about
//!
//! Answers to readers of published content are finished bytes with an `ETag`; they are kept until something that they show changes, and no longer. Pages of other
//! sites cannot have a browser change anything. Bodies wait in memory that is bounded over all requests, and every limit says until when it holds.
//!
//! # Where to go on
//!
//! - [`HttpOptions`]: where the API is, what is in its document, which pages may call it, and how many proxies stand in front.
//! - [`router_with`] and [`Raw`]: routes that are not operations, in the same frame. The endpoint for tools of `cms-mcp` is one.
//! - [`health`](health()): whether the server is alive, and ready.
//! - [`openapi`](openapi()): the document by itself.

mod bind;
mod body;
mod cache;
mod caller;
mod compression;
mod cookies;
mod cors;
mod endpoint;
mod error;
mod events;
mod files;
mod forwarded;
mod frame;
mod health;
mod members;
mod openapi;
mod options;
mod page;
mod path;
mod query;
mod raw;
mod reply;
mod request_id;
mod route;
mod router;
mod shared;
mod span;
mod table;
mod uploads;

pub use cache::Origin;
pub use caller::HostCaller;
pub use error::error_reference;
pub use forwarded::ForwardedHeader;
pub use frame::AskedFor;
pub use health::health;
pub use openapi::{internal_openapi, openapi};
pub use options::HttpOptions;
pub use raw::{Asked, Incoming, Raw};
pub use route::RouteRequest;
pub use router::{not_found, router, router_with};
