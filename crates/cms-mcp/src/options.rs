//! How the tool door is set up.

use std::time::Duration;

/// How the tool door is set up.
#[derive(Debug, Clone)]
pub struct McpOptions {
    /// Origins of browser programs that may call besides our own; `*` for all.
    pub allowed_origins: Vec<String>,
    /// How long a tool may take.
    pub request_timeout: Duration,
}

impl Default for McpOptions {
    fn default() -> Self {
        Self { allowed_origins: Vec::new(), request_timeout: Duration::from_mins(1) }
    }
}
