//! How the REST door is set up.

use std::time::Duration;

use crate::forwarded::ForwardedHeader;

/// How the REST door is set up.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// How many proxies in front of the server add the address that they saw to a header.
    pub trusted_hops: usize,
    /// Which header that is.
    pub forwarded_header: ForwardedHeader,
    /// Origins whose pages may call the API from a browser; `*` for all. Empty: none but its own.
    pub cors_origins: Vec<String>,
    /// The largest body that is read, in bytes.
    pub body_limit: usize,
    /// How long a body may take to arrive.
    pub body_timeout: Duration,
    /// How long an operation may take.
    pub request_timeout: Duration,
    /// How many bytes of answers to readers of published content are kept; 0 keeps none.
    pub cache_bytes: u64,
    /// Whether large answers are compressed for callers who accept it. A proxy in front may do it as well.
    pub compress: bool,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            trusted_hops: 0,
            forwarded_header: ForwardedHeader::default(),
            cors_origins: Vec::new(),
            body_limit: 10 * 1024 * 1024,
            body_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_mins(1),
            cache_bytes: 64 * 1024 * 1024,
            compress: true,
        }
    }
}
