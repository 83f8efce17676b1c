//! The tool door: binds operations to tools of the Model Context Protocol.

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
