//! How the REST door is set up.

use std::time::Duration;

use http::HeaderName;

use crate::forwarded::ForwardedHeader;

/// How the REST door is set up.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Where everything lives: the API is below `{prefix}/api`. Empty, or text that begins with `/`, does not end with one, and has no
    /// parameters.
    pub prefix: String,
    /// Name of the product, for people who are asked whether they let an application in.
    pub name: String,
    /// What the API is called in its document.
    pub title: String,
    /// The version of the service in the document.
    pub version: String,
    /// Scheme, host and port under which the world knows the server, without a slash at the end.
    pub public_origin: Option<String>,
    /// The header that a browser's requests must carry, with the value 1, when they change something.
    pub csrf_header: HeaderName,
    /// What the cookie of a session is called.
    pub session_cookie: String,
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
            prefix: "/_cms".to_owned(),
            name: "CMS".to_owned(),
            title: "Content API".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            public_origin: None,
            csrf_header: HeaderName::from_static("x-cms-request"),
            session_cookie: "cms_session".to_owned(),
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

impl HttpOptions {
    /// The path that all routes of the API begin with.
    pub(crate) fn root(&self) -> String {
        format!("{}/api", self.prefix)
    }

    /// Where clients find out how to get a token, when the server knows its own address.
    pub(crate) fn resource_metadata(&self) -> Option<String> {
        self.public_origin.as_ref().map(|origin| format!("{origin}/.well-known/oauth-protected-resource"))
    }
}
