//! How the admin application is set up.

/// How the admin application is set up.
#[derive(Debug, Clone)]
pub struct AdminOptions {
    /// Path that the server's own addresses begin with; the application is at `/admin` below it. `/_cms` by default.
    pub prefix: String,
    /// The header that marks requests of the application's own scripts. `x-cms-request` by default.
    pub csrf_header: String,
    /// Version of the product, for people.
    pub version: String,
}

impl Default for AdminOptions {
    fn default() -> Self {
        Self { prefix: "/_cms".to_owned(), csrf_header: "x-cms-request".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl AdminOptions {
    /// Path of the application.
    pub(crate) fn root(&self) -> String {
        format!("{}/admin", self.prefix)
    }
}
