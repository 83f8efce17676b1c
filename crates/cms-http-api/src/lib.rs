//! The REST door: binds operations to routes and to the OpenAPI document. It knows no rows and no rules.

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
mod router;
mod shared;
mod span;
mod table;

pub use cache::Origin;
pub use caller::HostCaller;
pub use error::error_reference;
pub use forwarded::ForwardedHeader;
pub use frame::AskedFor;
pub use health::health;
pub use openapi::{internal_openapi, openapi};
pub use options::HttpOptions;
pub use raw::{Asked, Incoming, Raw};
pub use router::{not_found, router, router_with};
