//! Routes that are not operations in an envelope: their requests and answers are other people's standards.

pub(crate) mod oauth;
mod oauth_body;
pub(crate) mod providers;
