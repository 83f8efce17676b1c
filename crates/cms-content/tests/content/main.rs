//! What holds of content, on both databases.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod again;
mod entries;
mod schema;
mod trail;
mod views;
