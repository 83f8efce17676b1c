//! The REST door over a real system, in process: what is about the wire.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod approval;
mod bad_input;
mod bodies;
mod caching;
mod conformance;
mod cookies;
mod credentials;
mod csrf;
mod document;
mod events;
mod files;
mod frame;
mod gate;
mod host;
mod limits;
mod media;
mod oauth;
mod origins;
mod site;
mod socket;
mod staff;
mod wire;
