//! What the log says of a request beside each line.

use std::fmt::Display;

use http::request::Parts;
use tracing::{Span, field::display};

use crate::request_id::RequestId;

/// The span of a request. It has the template of its address and never the address, nor its query: secrets are in both.
pub(crate) fn of(parts: &Parts, id: &RequestId, template: Option<impl Display>) -> Span {
    let route = template.map(display);
    tracing::info_span!("request", request = %id, method = %parts.method, route)
}
