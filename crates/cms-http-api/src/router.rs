//! Builds the router: one service for every address below the API's root, and what stands beside it.

use std::{convert::Infallible, sync::Arc};

use axum::{Router, extract::Request, response::Response};
use cms_core::Cms;
use http::HeaderMap;
use tower::{Service, service_fn};

use crate::{
    frame::{self, Frame},
    layers,
    options::HttpOptions,
    raw,
};

/// The REST door to a system: every operation of its catalog that has a route, the document that describes them, and a page to read it.
/// What is added to the catalog later, or taken away, is there and gone with the next request.
pub fn router(cms: Cms, options: HttpOptions) -> Router {
    let root = options.root();
    let beside = raw::oauth::routes(cms.clone(), &options).merge(raw::providers::routes(cms.clone(), &options));
    let frame = Arc::new(Frame::new(cms, options.clone()));
    let below = ["", "/", "/{*below}"].iter();
    let router = below.fold(Router::new(), |router, path| router.route_service(&format!("{root}{path}"), service(&frame)));
    layers::add(router, &options).merge(beside)
}

/// The answer for every address that nobody else answers.
pub async fn not_found(headers: HeaderMap) -> Response {
    frame::nothing(&headers)
}

fn service(
    frame: &Arc<Frame>,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static {
    let frame = Arc::clone(frame);
    service_fn(move |request| {
        let frame = Arc::clone(&frame);
        async move { Ok(frame.answer(request).await) }
    })
}
