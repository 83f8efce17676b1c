//! The admin application, embedded: its files, their headers, and where it finds the server.

mod files;
mod options;
mod page;
mod router;

pub use options::AdminOptions;
pub use router::router;
