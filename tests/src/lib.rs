//! Journeys over the built binary: sites of their own, servers that can be killed, and clients.
#![expect(clippy::print_stderr, reason = "a test that was left out says so, and a long run says how it goes")]

mod browser;
mod client;
mod outsider;
pub mod posts;
mod program;
mod site;
pub mod torture;

pub use browser::Browser;
pub use client::{Client, Reply};
pub use outsider::Outsider;
pub use program::{clients, python, repository, run, variable};
pub use site::{Server, Site};
