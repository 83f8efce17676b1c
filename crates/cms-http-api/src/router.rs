//! Builds the router: one service for every address below the API's root, and for those that standards want elsewhere.

use std::{convert::Infallible, sync::Arc};

use axum::{Router, extract::Request, response::Response};
use cms_frame::Cms;
use http::{HeaderMap, Method};
use tower::{Service, service_fn};

use crate::{
    compression::compressed,
    frame::{self, Frame},
    options::HttpOptions,
    raw::Raw,
    reply,
};

/// The REST door to a system: every operation of its catalog that has a route, the document that describes them, a page to read it, and the
/// wire of OAuth and of providers. What is added to the catalog later, or taken away, is there and gone with the next request.
pub fn router(cms: Cms, options: HttpOptions) -> Router {
    router_with(cms, options, Vec::new())
}

/// The REST door with routes of other doors, which run in the same frame.
pub fn router_with(cms: Cms, options: HttpOptions, raws: Vec<Raw>) -> Router {
    let (root, compresses) = (cms.product().api(), options.compress);
    let frame = Arc::new(Frame::new(cms, &options, raws));
    let below = ["", "/", "/{*below}"].map(|path| format!("{root}{path}"));
    let addresses = below.into_iter().chain(frame.elsewhere().map(str::to_owned));
    addresses.fold(Router::new(), |router, path| router.route_service(&path, service(&frame, compresses)))
}

/// The answer for every address that nobody else answers.
pub async fn not_found(headers: HeaderMap) -> Response {
    frame::nothing(&headers)
}

fn service(
    frame: &Arc<Frame>,
    compresses: bool,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static {
    let frame = Arc::clone(frame);
    service_fn(move |request| {
        let frame = Arc::clone(&frame);
        async move { Ok(answer(&frame, compresses, request).await) }
    })
}

async fn answer(frame: &Frame, compresses: bool, request: Request) -> Response {
    let only_looks = request.method() == Method::HEAD;
    let answer = |request| frame.answer(request);
    let mut response = if compresses { compressed(request, answer).await } else { answer(request).await };
    // Whoever only looks gets the head of the answer that they would get, compressed or not.
    if only_looks {
        reply::without_body(&mut response);
    }
    response
}
