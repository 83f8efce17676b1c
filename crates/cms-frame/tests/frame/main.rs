//! What holds of every operation, whatever it does.

#![expect(clippy::unwrap_used, reason = "a test fails where a step of it fails")]

mod failures;
mod limits;
mod schemas;
mod standing;
