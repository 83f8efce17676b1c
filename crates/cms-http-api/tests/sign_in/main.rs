//! Ways in that others vouch for, over the REST door: providers as a browser meets them, and the gateway in front of the server.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod browser;
#[path = "../../../cms-core/examples/custom_provider.rs"]
#[expect(dead_code, unreachable_pub, reason = "the example has a program of its own around what is tested")]
mod custom_provider;
mod gateway;
mod gateway_stand;
mod github_stand;
mod origins;
mod proofs;
mod providers;
