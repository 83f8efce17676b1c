//! What is at which address: operations of the catalog, and raw routes.

use std::sync::Arc;

use axum::response::Response;
use cms_core::{
    Error,
    catalog::Catalog,
    operation::{Method, Surface},
};
use http::{HeaderValue, request::Parts};
use indexmap::IndexMap;

use crate::{
    endpoint::Endpoint,
    frame::AskedFor,
    options::HttpOptions,
    page,
    path::{self, Parameters},
    raw::Raw,
};

/// What one address has. Each knows the template of its whole address.
pub(crate) enum Address {
    /// Operations, one for each of its methods.
    Operations(String, Vec<Endpoint>),
    /// A route that makes its answers itself.
    Raw(String, Arc<Raw>),
    /// Nothing.
    Nothing,
}

/// What is at which address, as a catalog has it.
pub(crate) struct Table {
    addresses: matchit::Router<Address>,
}

impl Table {
    /// The operations of a catalog that have a route, the pages about them, and the routes that are there whatever the catalog has.
    pub(crate) fn new(catalog: &Arc<Catalog>, raws: &[Arc<Raw>], options: &HttpOptions) -> Self {
        let root = options.root();
        let mut endpoints: IndexMap<String, Vec<Endpoint>> = IndexMap::new();
        for operation in catalog.iter().filter(|operation| operation.http.surface != Surface::None) {
            endpoints.entry(path::shape(operation.http.path)).or_default().push(Endpoint::new(Arc::clone(operation), catalog.revision()));
        }
        let operations = endpoints.into_values().filter_map(|endpoints| {
            let template = format!("{root}{}", endpoints.first()?.operation().http.path);
            Some((path::shape(&template), Address::Operations(template, endpoints)))
        });
        let raws = page::routes(catalog, options).into_iter().map(Arc::new).chain(raws.iter().cloned()).map(|raw| {
            let template = raw.address(&root);
            (path::shape(&template), Address::Raw(template, raw))
        });
        let mut addresses = matchit::Router::new();
        for (path, address) in operations.chain(raws) {
            if let Err(error) = addresses.insert(&path, address) {
                tracing::error!(path, %error, "an address has no route");
            }
        }
        Self { addresses }
    }

    /// What is at a path, and what the path has where the template has names.
    pub(crate) fn find(&self, path: &str) -> (&Address, Parameters) {
        match self.addresses.at(path) {
            Ok(found) => (found.value, Parameters::new(&found.params)),
            Err(_) => (&Address::Nothing, Parameters::default()),
        }
    }
}

impl Address {
    /// The operation that a method asks for here.
    pub(crate) fn endpoint(&self, method: &http::Method) -> Option<&Endpoint> {
        let Self::Operations(_, endpoints) = self else { return None };
        let asked = match *method {
            http::Method::GET | http::Method::HEAD => Method::Get,
            http::Method::POST => Method::Post,
            http::Method::PUT => Method::Put,
            http::Method::PATCH => Method::Patch,
            http::Method::DELETE => Method::Delete,
            _ => return None,
        };
        endpoints.iter().find(|endpoint| endpoint.operation().http.method == asked)
    }

    /// What a method asks for here; what the address has first, if it does not have the method.
    pub(crate) fn asked_for(&self, method: &http::Method) -> Option<AskedFor> {
        match self {
            Self::Operations(_, endpoints) => {
                let operation = self.endpoint(method).or(endpoints.first())?.operation();
                Some(AskedFor { operation: operation.id, template: operation.http.path })
            }
            Self::Raw(_, raw) => Some(AskedFor { operation: raw.wire().id, template: raw.wire().http.path }),
            Self::Nothing => None,
        }
    }

    /// The template of the whole address.
    pub(crate) fn template(&self) -> Option<&str> {
        match self {
            Self::Operations(template, _) | Self::Raw(template, _) => Some(template),
            Self::Nothing => None,
        }
    }

    /// Whether pages of every site may ask here.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Self::Raw(_, raw) if raw.is_open())
    }

    /// How a raw route tells of a failure; none for the envelope.
    pub(crate) fn refusal(&self, parts: &Parts, error: &Error) -> Option<Response> {
        if let Self::Raw(_, raw) = self { raw.refusal(parts, error) } else { None }
    }

    /// The methods it has, as the header `Allow` lists them; with the one that browsers ask with before they send, where that is answered.
    pub(crate) fn methods(&self, has_preflight: bool) -> Option<HeaderValue> {
        let mut methods: Vec<&str> = match self {
            Self::Operations(_, endpoints) => endpoints.iter().map(|endpoint| methods_of(endpoint.operation().http.method)).collect(),
            Self::Raw(_, raw) => raw.methods().iter().map(http::Method::as_str).collect(),
            Self::Nothing => return None,
        };
        if has_preflight {
            methods.push("OPTIONS");
        }
        HeaderValue::try_from(methods.join(", ")).ok()
    }
}

const fn methods_of(method: Method) -> &'static str {
    match method {
        Method::Get => "GET, HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    }
}
