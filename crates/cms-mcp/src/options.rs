//! How the tool door is set up.

use std::time::Duration;

/// How the tool door is set up.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// Where the world reaches this server, as `https://cms.example.com`; without one, what a request says.
    pub public_origin: Option<String>,
    /// Origins of browser programs that may call besides our own; `*` for all.
    pub allowed_origins: Vec<String>,
    /// How long a tool may take.
    pub request_timeout: Duration,
    /// Name of the product, for people.
    pub title: String,
    /// Version of the product.
    pub version: String,
}

impl Default for McpOptions {
    fn default() -> Self {
        Self {
            public_origin: None,
            allowed_origins: Vec::new(),
            request_timeout: Duration::from_mins(1),
            title: "CMS".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}
