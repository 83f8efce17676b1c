//! Finds out who sends a request.

use cms_core::{Cms, Error, credentials};
use cms_domain::access::Actor;
use http::{HeaderMap, HeaderValue, header};

/// Who sends a request: nobody, unless it says who.
pub(crate) async fn identify(cms: &Cms, headers: &HeaderMap) -> Result<Actor, Error> {
    credentials::identify(cms, headers.get_all(header::AUTHORIZATION).iter().map(HeaderValue::as_bytes)).await
}
