//! The document of the API, and the page that shows it in a browser. Both are made at their first reading.

use std::sync::{Arc, LazyLock};

use aide::swagger::Swagger;
use axum::response::Response;
use base64::{Engine, engine::general_purpose::STANDARD};
use cms_domain::product::Product;
use cms_frame::catalog::{Catalog, Wire};
use http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

use crate::{
    openapi::openapi,
    raw::Raw,
    reply::{Finished, Keepers},
};

/// The document of a catalog, and the page that shows it.
pub(crate) fn routes(catalog: &Arc<Catalog>, product: &Product) -> [Raw; 2] {
    let pages = [(Wire::DOCUMENT, Page::document(Arc::clone(catalog), product)), (Wire::READER, Page::reader(product))];
    pages.map(|(wire, page)| {
        Raw::new(wire, move |asked| {
            let response = page.answer(&asked.parts.headers);
            Box::pin(async move { Ok(response) })
        })
    })
}

/// A page that is the same for everyone.
struct Page(LazyLock<Content, Box<dyn FnOnce() -> Content + Send>>);

struct Content {
    finished: Finished,
    kind: HeaderValue,
    policy: Option<HeaderValue>,
}

impl Page {
    /// The document of the API.
    fn document(catalog: Arc<Catalog>, product: &Product) -> Self {
        let product = product.clone();
        Self::new(move || Content {
            finished: Finished::weak(openapi(&catalog, &product).to_string().into()),
            kind: HeaderValue::from_static("application/json"),
            policy: None,
        })
    }

    /// A page that shows the document.
    fn reader(product: &Product) -> Self {
        let swagger = Swagger::new(format!("{}/openapi.json", product.api())).with_title(product.api_name.as_str());
        Self::new(move || {
            let html = swagger.html();
            let policy = HeaderValue::try_from(policy(&html)).ok();
            Content { finished: Finished::weak(html.into()), kind: HeaderValue::from_static("text/html; charset=utf-8"), policy }
        })
    }

    fn new(make: impl FnOnce() -> Content + Send + 'static) -> Self {
        Self(LazyLock::new(Box::new(make)))
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let Content { finished, kind, policy } = &*self.0;
        let mut response = finished.answer(asked, kind.clone(), Keepers::Anyone);
        if let Some(policy) = policy {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        response
    }
}

/// Lets the page run exactly the scripts and styles that are in it, and read from this server alone.
fn policy(html: &str) -> String {
    format!(
        "default-src 'none'; script-src{}; style-src{}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        digests(html, "script"),
        digests(html, "style")
    )
}

/// The digests of the elements of a kind, as a browser finds them: an element's text ends at its first end tag, and what
/// looks like a start tag in the text is text.
pub(crate) fn digests(html: &str, element: &str) -> String {
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    let mut digests = String::new();
    let mut rest = html;
    while let Some((content, after)) = rest.split_once(&start).and_then(|(_, rest)| rest.split_once(&end)) {
        digests.extend([" 'sha256-", &STANDARD.encode(Sha256::digest(content)), "'"]);
        rest = after;
    }
    digests
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_every_script_and_style_of_the_page() {
        let html = Swagger::new("/openapi.json").html();
        let policy = policy(&html);
        assert_eq!(policy.matches("'sha256-").count(), html.matches("</script>").count() + html.matches("</style>").count());
        assert!(!policy.contains("unsafe"));
    }

    #[test]
    fn a_digest_is_that_of_the_text_between_the_tags() {
        let digest = |text: &str| format!(" 'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        assert_eq!(digests("<b><script>alert(1)</script>", "script"), " 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='");
        assert_eq!(digests("<script>'<script>'</script> <script>2</script>", "script"), digest("'<script>'") + &digest("2"));
    }
}
