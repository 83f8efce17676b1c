//! What is at which address, made of the catalog.

use std::sync::Arc;

use cms_core::{
    catalog::Catalog,
    descriptor::Descriptor,
    operation::{Method, Surface},
};
use http::HeaderValue;
use indexmap::IndexMap;

use crate::{
    endpoint::Endpoint,
    options::HttpOptions,
    page::Page,
    path::{self, Parameters},
};

/// What one address has.
pub(crate) enum Address {
    /// Operations, one for each of its methods.
    Operations(Vec<Endpoint>),
    /// A page that is the same for everyone.
    Page(Page),
    /// Nothing.
    Nothing,
}

/// What is at which address, as a catalog has it.
pub(crate) struct Table {
    addresses: matchit::Router<Address>,
}

impl Table {
    /// The operations of a catalog that have a route, their document, and the page to read it.
    pub(crate) fn new(catalog: &Arc<Catalog>, options: &HttpOptions) -> Self {
        let mut endpoints: IndexMap<String, Vec<Endpoint>> = IndexMap::new();
        for operation in catalog.iter().filter(|operation| operation.http.surface != Surface::None) {
            endpoints.entry(path::shape(operation.http.path)).or_default().push(Endpoint::new(Arc::clone(operation), catalog.revision()));
        }
        let operations = endpoints.into_iter().map(|(path, endpoints)| (path, Address::Operations(endpoints)));
        let pages = [
            ("/openapi.json".to_owned(), Address::Page(Page::document(Arc::clone(catalog), options))),
            ("/docs".to_owned(), Address::Page(Page::reader(options))),
        ];
        let mut addresses = matchit::Router::new();
        for (path, address) in operations.chain(pages) {
            if let Err(error) = addresses.insert(&path, address) {
                tracing::error!(path, %error, "an address has no route");
            }
        }
        Self { addresses }
    }

    /// What is at a path below the API's root, and what the path has where the template has names.
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
        let Self::Operations(endpoints) = self else { return None };
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

    /// The operation that a method asks for here, as data.
    pub(crate) fn operation(&self, method: &http::Method) -> Option<&Descriptor> {
        self.endpoint(method).map(Endpoint::operation)
    }

    /// The template of the address below the API's root, in the words of the operation that a method asks for.
    pub(crate) fn template(&self, method: &http::Method) -> Option<&'static str> {
        let Self::Operations(endpoints) = self else { return None };
        self.endpoint(method).or(endpoints.first()).map(|endpoint| endpoint.operation().http.path)
    }

    /// The methods it has, as the header `Allow` lists them.
    pub(crate) fn methods(&self) -> Option<HeaderValue> {
        let methods = match self {
            Self::Operations(endpoints) => {
                let methods = endpoints.iter().map(|endpoint| match endpoint.operation().http.method {
                    Method::Get => "GET, HEAD",
                    Method::Post => "POST",
                    Method::Put => "PUT",
                    Method::Patch => "PATCH",
                    Method::Delete => "DELETE",
                });
                methods.collect::<Vec<_>>().join(", ")
            }
            Self::Page(_) => "GET, HEAD".to_owned(),
            Self::Nothing => return None,
        };
        HeaderValue::try_from(methods).ok()
    }
}
