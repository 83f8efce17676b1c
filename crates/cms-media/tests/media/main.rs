//! What holds of the library, on both databases.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod announced;
mod files;
mod folders;
mod items;
mod replaced;
mod signed;
mod uploads;
mod usage;
