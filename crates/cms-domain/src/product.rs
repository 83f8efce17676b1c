//! What a product is called and where it is: the system knows it, and every door reads it there.

mod names;

pub use names::{CookieName, HeaderName, Origin, Prefix, ProductError, ProductName, TokenPrefix};

/// What a product is called, and where it is. Its parts are checked when they are read: `"/studio".parse()` is a [`Prefix`], or says what a prefix is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// What people call it.
    pub name: ProductName,
    /// What the document that describes its API is called.
    pub api_name: ProductName,
    /// Its version, for people.
    pub version: String,
    /// Path below which everything is served.
    pub prefix: Prefix,
    /// Scheme, host and port under which the world reaches it. Without one it is on this machine alone: what asks for it by a name of this machine
    /// is believed, and nothing else.
    pub public_origin: Option<Origin>,
    /// Where it is as long as there is no public origin: an address of this machine.
    pub local_origin: Origin,
    /// Where the site shows entries beside the editor as they are written. The admin application has pages of this origin in a frame, and of no other.
    pub preview_origin: Option<Origin>,
    /// What personal access tokens begin with.
    pub token_prefix: TokenPrefix,
    /// What access tokens of applications begin with.
    pub access_token_prefix: TokenPrefix,
    /// What refresh tokens of applications begin with.
    pub refresh_token_prefix: TokenPrefix,
    /// The header that a browser's requests must carry, with the value 1, when they change something.
    pub csrf_header: HeaderName,
    /// What the cookie of a session is called; over HTTPS it gets `__Host-` before it.
    pub session_cookie: CookieName,
}

impl Product {
    /// Where it is: passkeys are bound to it, and links in mail begin with it.
    pub fn origin(&self) -> &Origin {
        self.public_origin.as_ref().unwrap_or(&self.local_origin)
    }

    /// Whether the world reaches it encrypted.
    pub fn is_secure(&self) -> bool {
        self.public_origin.as_ref().is_some_and(Origin::is_secure)
    }

    /// The path that all routes of the API begin with.
    pub fn api(&self) -> String {
        format!("{}/api", self.prefix)
    }

    /// The path of the admin application.
    pub fn admin(&self) -> String {
        format!("{}/admin", self.prefix)
    }

    /// The whole address of a page of the admin application, as in `account/security`.
    pub fn admin_page(&self, page: &str) -> String {
        format!("{}{}/{page}", self.origin(), self.admin())
    }
}

impl Default for Product {
    fn default() -> Self {
        Self {
            name: ProductName::of("CMS"),
            api_name: ProductName::of("Content API"),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            prefix: Prefix::of("/_cms"),
            public_origin: None,
            local_origin: Origin::local(8080),
            preview_origin: None,
            token_prefix: TokenPrefix::of("cms_pat_"),
            access_token_prefix: TokenPrefix::of("cms_oat_"),
            refresh_token_prefix: TokenPrefix::of("cms_ort_"),
            csrf_header: HeaderName::of("x-cms-request"),
            session_cookie: CookieName::of("cms_session"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_default_product_is_what_its_parsers_take() {
        let product = Product::default();
        assert_eq!(product.prefix.as_str().parse(), Ok(product.prefix.clone()));
        assert_eq!(product.local_origin.as_str().parse(), Ok(product.local_origin.clone()));
        assert_eq!(product.csrf_header.as_str().parse(), Ok(product.csrf_header.clone()));
        assert_eq!(product.session_cookie.as_str().parse(), Ok(product.session_cookie.clone()));
        for name in [product.name, product.api_name] {
            assert_eq!(name.as_str().parse(), Ok(name));
        }
        for prefix in [product.token_prefix, product.access_token_prefix, product.refresh_token_prefix] {
            assert_eq!(prefix.as_str().parse(), Ok(prefix));
        }
    }

    #[test]
    fn a_product_is_at_its_public_origin_and_without_one_on_this_machine() {
        let local = Product { local_origin: Origin::local(3000), ..Product::default() };
        assert_eq!((local.origin().as_str(), local.is_secure()), ("http://localhost:3000", false));
        let public = Product { public_origin: "https://cms.example".parse().ok(), ..local };
        assert_eq!((public.origin().as_str(), public.is_secure()), ("https://cms.example", true));
    }

    #[test]
    fn everything_is_below_the_prefix() {
        let product = Product { prefix: "/studio".parse().unwrap(), ..Product::default() };
        assert_eq!((product.api(), product.admin()), ("/studio/api".to_owned(), "/studio/admin".to_owned()));
        assert_eq!(product.admin_page("login"), "http://localhost:8080/studio/admin/login");
    }
}
