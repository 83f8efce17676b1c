//! What is at which address: operations of the catalog, and raw routes.

use std::sync::Arc;

use axum::response::Response;
use cms_domain::product::Product;
use cms_frame::{
    Error,
    catalog::Catalog,
    operation::{Http, Method, Surface},
};
use http::{HeaderValue, request::Parts};
use indexmap::IndexMap;

use crate::{
    endpoint::Endpoint,
    frame::AskedFor,
    page,
    path::{self, Parameters},
    raw::Raw,
};

/// What answers a method of an address.
pub(crate) enum Route {
    /// An operation.
    Operation(Endpoint),
    /// What makes its answers itself.
    Raw(Arc<Raw>),
}

/// What one address has.
#[derive(Default)]
pub(crate) struct Address {
    /// The template of the whole address, in the words of its first route.
    template: String,
    /// One for each of its methods.
    routes: Vec<Route>,
}

/// What is at which address, as a catalog has it.
pub(crate) struct Table {
    addresses: matchit::Router<Address>,
    nothing: Address,
}

impl Table {
    /// The operations of a catalog that have a route, the pages about them, and the routes that are there whatever the catalog has.
    pub(crate) fn new(catalog: &Arc<Catalog>, raws: &[Arc<Raw>], product: &Product) -> Self {
        let root = product.api();
        let operations = catalog.iter().filter(|operation| operation.http.surface != Surface::None).map(|operation| {
            let endpoint = Endpoint::new(Arc::clone(operation), catalog.revision());
            (format!("{root}{}", operation.http.path), Route::Operation(endpoint))
        });
        let raws = page::routes(catalog, product).into_iter().map(Arc::new).chain(raws.iter().cloned());
        let raws = raws.map(|raw| (raw.address(&root), Route::Raw(raw)));
        let mut by_shape: IndexMap<String, Address> = IndexMap::new();
        for (template, route) in operations.chain(raws) {
            let address = by_shape.entry(path::shape(&template)).or_insert_with(|| Address { template, routes: Vec::new() });
            address.routes.push(route);
        }
        let mut addresses = matchit::Router::new();
        for (path, address) in by_shape {
            if let Err(error) = addresses.insert(&path, address) {
                tracing::error!(path, %error, "an address has no route");
            }
        }
        Self { addresses, nothing: Address::default() }
    }

    /// What is at a path, and what the path has where the template has names.
    pub(crate) fn find(&self, path: &str) -> (&Address, Parameters) {
        match self.addresses.at(path) {
            Ok(found) => (found.value, Parameters::new(&found.params)),
            Err(_) => (&self.nothing, Parameters::default()),
        }
    }
}

impl Address {
    /// What answers a method here.
    pub(crate) fn route(&self, method: &http::Method) -> Option<&Route> {
        self.routes.iter().find(|route| route.methods().contains(method))
    }

    /// What a method asks for here; what the address has first, if it does not have the method.
    fn closest(&self, method: &http::Method) -> Option<&Route> {
        self.route(method).or(self.routes.first())
    }

    /// Whether there is nothing here.
    pub(crate) fn is_empty(&self) -> bool {
        self.routes.is_empty()
    }

    /// What a method asks for here, for whoever measures.
    pub(crate) fn asked_for(&self, method: &http::Method) -> Option<AskedFor> {
        let route = self.closest(method)?;
        Some(AskedFor { operation: route.id(), template: route.http().path })
    }

    /// The template of the whole address, where there is something.
    pub(crate) fn template(&self) -> Option<&str> {
        (!self.is_empty()).then_some(&self.template)
    }

    /// Whether pages of every site may ask here.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.routes.first(), Some(Route::Raw(raw)) if raw.is_open())
    }

    /// How a raw route tells of a failure; none for the envelope.
    pub(crate) fn refusal(&self, parts: &Parts, error: &Error) -> Option<Response> {
        if let Route::Raw(raw) = self.closest(&parts.method)? { raw.refusal(parts, error) } else { None }
    }

    /// The methods it has, as the header `Allow` lists them; with the one that browsers ask with before they send, where that is answered.
    pub(crate) fn methods(&self, has_preflight: bool) -> Option<HeaderValue> {
        if self.is_empty() {
            return None;
        }
        let preflight = has_preflight.then_some(&http::Method::OPTIONS);
        let methods: Vec<_> = self.routes.iter().flat_map(Route::methods).chain(preflight).map(http::Method::as_str).collect();
        HeaderValue::try_from(methods.join(", ")).ok()
    }
}

impl Route {
    fn id(&self) -> &'static str {
        match self {
            Self::Operation(endpoint) => endpoint.operation().id,
            Self::Raw(raw) => raw.wire().id,
        }
    }

    fn http(&self) -> &Http {
        match self {
            Self::Operation(endpoint) => &endpoint.operation().http,
            Self::Raw(raw) => &raw.wire().http,
        }
    }

    /// The methods that it answers.
    fn methods(&self) -> &'static [http::Method] {
        match self.http().method {
            Method::Get if matches!(self, Self::Raw(raw) if raw.acts()) => &[http::Method::GET],
            Method::Get => &[http::Method::GET, http::Method::HEAD],
            Method::Post => &[http::Method::POST],
            Method::Put => &[http::Method::PUT],
            Method::Patch => &[http::Method::PATCH],
            Method::Delete => &[http::Method::DELETE],
        }
    }
}
