//! The page that every screen begins with: the built one, told where it lives; or, where nothing was built, how to build it.

use std::fmt::Write as _;

use cms_domain::product::Product;

/// What the page may load and do: files and data of this server, and nothing that stands in the page itself. Pictures, sound and film may come from
/// elsewhere by HTTPS, as in what people write, and from a file that is about to be uploaded. `docs/security.md` says what that means for screens.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; \
    img-src 'self' data: blob: https:; media-src 'self' blob: https:; manifest-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'";

/// The same for a product, which may have its site's pages in a frame.
pub(crate) fn policy(product: &Product) -> String {
    let mut policy = POLICY.to_owned();
    if let Some(origin) = &product.preview_origin {
        let _ = write!(policy, "; frame-src {origin}");
    }
    policy
}

/// The page of the application. Its build wrote relative addresses and the default values of what only the server knows.
pub(crate) fn page(index: &str, product: &Product) -> String {
    let set = |page: String, name: &str, value: &str| match page.split_once(&format!(r#"<meta name="{name}" content=""#)) {
        Some((before, after)) => {
            let after = after.split_once('"').map_or(after, |(_, after)| after);
            format!(r#"{before}<meta name="{name}" content="{}"{after}"#, escape(value))
        }
        None => page,
    };
    let root = escape(&product.admin());
    let page = index.replace(r#"="./"#, &format!(r#"="{root}/"#));
    let page = set(page, "cms-prefix", product.prefix.as_str());
    let page = set(page, "cms-header", product.csrf_header.as_str());
    let page = set(page, "cms-origin", product.origin().as_str());
    let page = set(page, "cms-preview-origin", product.preview_origin.as_ref().map_or("", |origin| origin.as_str()));
    set(page, "cms-version", &product.version)
}

/// What there is to read where the application was not built.
pub(crate) const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Admin application</title>\
    <h1>The admin application is not in this build</h1>\
    <p>Build it in <code>crates/cms-admin/ui</code> with <code>npm ci &amp;&amp; npm run build</code>, and the server after it. \
    <code>cargo xtask serve</code> does both.</p></html>";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = r#"<meta name="cms-prefix" content="/_cms" /><meta name="cms-header" content="x" /><meta name="cms-version" content="" /><meta name="cms-origin" content="" /><script src="./assets/a.js"></script>"#;

    #[test]
    fn the_page_is_told_where_it_lives() {
        let product = Product {
            prefix: "/cms".parse().unwrap(),
            csrf_header: "x-site".parse().unwrap(),
            public_origin: Some("https://cms.example".parse().unwrap()),
            version: String::new(),
            ..Product::default()
        };
        let expected = r#"<meta name="cms-prefix" content="/cms" /><meta name="cms-header" content="x-site" /><meta name="cms-version" content="" /><meta name="cms-origin" content="https://cms.example" /><script src="/cms/admin/assets/a.js"></script>"#;
        assert_eq!(page(INDEX, &product), expected);
    }

    #[test]
    fn a_value_cannot_leave_its_place() {
        let product = Product { version: r#""><script>"#.to_owned(), ..Product::default() };
        assert!(page(INDEX, &product).contains(r#"content="&quot;>&lt;script>""#));
    }

    #[test]
    fn the_policy_lets_nothing_inline_run() {
        assert!(!POLICY.contains("unsafe") && POLICY.contains("frame-ancestors 'none'"));
    }

    #[test]
    fn what_runs_and_what_is_asked_is_of_this_server_alone() {
        for directive in ["script-src", "worker-src", "style-src", "connect-src"] {
            assert!(POLICY.contains(&format!("{directive} 'self';")), "{directive}");
        }
    }

    #[test]
    fn only_pages_of_the_site_that_shows_previews_may_be_in_a_frame() {
        assert!(!policy(&Product::default()).contains("frame-src"), "`default-src` forbids them");
        let product = Product { preview_origin: Some("https://site.example".parse().unwrap()), ..Product::default() };
        assert_eq!(policy(&product), format!("{POLICY}; frame-src https://site.example"));
        let meta = r#"<meta name="cms-preview-origin" content="" />"#;
        assert_eq!(page(meta, &product), r#"<meta name="cms-preview-origin" content="https://site.example" />"#);
    }
}
