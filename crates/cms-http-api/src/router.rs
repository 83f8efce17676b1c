//! Builds the router: one route for each address of the catalog, and what stands beside them.

use std::{convert::Infallible, sync::Arc};

use axum::{Router, extract::Request, response::Response};
use cms_core::{
    Cms, catalog,
    operation::{Operation, Surface, Visitor},
};
use http::HeaderMap;
use indexmap::IndexMap;
use tower::{Service, service_fn};

use crate::{
    endpoint::{Endpoint, Shared},
    frame::{self, Address, Frame},
    layers,
    openapi::Document,
    options::HttpOptions,
    page::Page,
    path, raw,
};

/// The REST door to a system: every operation that has a route, the document that describes them, and a page to read it.
pub fn router(cms: Cms, options: HttpOptions) -> Router {
    let mut routes = Routes::new(options);
    catalog::catalog(&mut routes);
    routes.into_router(cms)
}

/// The answer for every address that nobody else answers.
pub async fn not_found(headers: HeaderMap) -> Response {
    frame::nothing(&headers)
}

/// Collects operations and makes a router of them. A host with operations of its own shows it those too.
pub struct Routes {
    document: Document,
    addresses: IndexMap<String, Vec<Endpoint>>,
    options: HttpOptions,
}

impl Routes {
    /// No operations yet.
    pub fn new(options: HttpOptions) -> Self {
        Self { document: Document::new(&options), addresses: IndexMap::new(), options }
    }

    /// The router. Every path in it begins with the prefix and `/api`.
    pub fn into_router(self, cms: Cms) -> Router {
        let Self { document, addresses, options } = self;
        let root = options.root();
        let oauth = raw::oauth::routes(cms.clone(), &options).merge(raw::providers::routes(cms.clone(), &options));
        let frame = Arc::new(Frame::new(Shared::new(cms, &options), &options));
        let at = |router: Router, path: &str, address| router.route_service(&format!("{root}{path}"), service(&frame, address));
        let mut router = Router::new();
        for (path, endpoints) in addresses {
            router = at(router, &path, Address::Operations(endpoints));
        }
        router = at(router, "/openapi.json", Address::Page(Page::document(document)));
        router = at(router, "/docs", Address::Page(Page::reader(&options)));
        for path in ["", "/", "/{*nothing}"] {
            router = at(router, path, Address::Nothing);
        }
        layers::add(router, &options).merge(oauth)
    }
}

impl Visitor for Routes {
    fn visit<O: Operation>(&mut self) {
        if O::HTTP.surface != Surface::None {
            self.addresses.entry(path::shape(O::HTTP.path)).or_default().push(Endpoint::of::<O>());
        }
        self.document.visit::<O>();
    }
}

fn service(
    frame: &Arc<Frame>,
    address: Address,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static {
    let (frame, address) = (Arc::clone(frame), Arc::new(address));
    service_fn(move |request| {
        let (frame, address) = (Arc::clone(&frame), Arc::clone(&address));
        async move { Ok(frame.answer(&address, request).await) }
    })
}
