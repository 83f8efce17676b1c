//! What surrounds the answer to any request: its id, its caller, panics, and what is left of its body.

use std::{any::Any, panic::AssertUnwindSafe};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    response::Response,
};
use cms_core::{Code, Error, operation::Method, refusal};
use cms_domain::id::UserId;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Version, header, request::Parts};
use tracing::Instrument;

use crate::{
    body,
    caller::Callers,
    endpoint::{Endpoint, Shared},
    error::{self, Challenge},
    options::HttpOptions,
    page::Page,
    reply,
    request_id::RequestId,
    span,
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

/// What surrounds the answers at all addresses.
pub(crate) struct Frame {
    shared: Shared,
    callers: Callers,
    challenge: Challenge,
}

impl Frame {
    pub(crate) fn new(shared: Shared, options: &HttpOptions) -> Self {
        Self { shared, callers: Callers::new(options), challenge: Challenge::new(options) }
    }

    /// Answers a request, whatever happens.
    pub(crate) async fn answer(&self, address: &Address, request: Request) -> Response {
        let (mut parts, mut body) = request.into_parts();
        let id = RequestId::give(&mut parts.headers);
        let mut user = None;
        let answered = AssertUnwindSafe(self.try_answer(address, &mut parts, &mut body, &id, &mut user)).catch_unwind().await;
        let answered = answered.unwrap_or_else(|panic| {
            tracing::error!(request = %id, panic = panic_message(&*panic), "a request panicked");
            Err(Error::new(Code::InternalError))
        });
        let mut response = match answered {
            Ok(response) => response,
            Err(error) => {
                let operation = address.endpoint(&parts.method).map_or(refusal::NO_OPERATION, Endpoint::id);
                refusal::tell(&self.callers.client(&parts, self.shared.cms.now()), user, operation, &error);
                let mut response = error::response(&error, &self.challenge, &id);
                if let (Code::MethodNotAllowed, Some(methods)) = (error.code(), address.methods()) {
                    response.headers_mut().insert(header::ALLOW, methods);
                }
                if !self.finish_reading(&error, &parts, &mut body).await && parts.version <= Version::HTTP_11 {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                response
            }
        };
        reply::finish(&mut response, id);
        if parts.method == http::Method::HEAD {
            reply::without_body(&mut response);
        }
        response
    }

    /// The answer, or why there is none; `user` becomes who asks as soon as that is known.
    async fn try_answer(
        &self,
        address: &Address,
        parts: &mut Parts,
        body: &mut Body,
        id: &RequestId,
        user: &mut Option<UserId>,
    ) -> Result<Response, Error> {
        match address {
            Address::Operations(_) => {
                let endpoint = address.endpoint(&parts.method).ok_or_else(|| Error::new(Code::MethodNotAllowed))?;
                let identified = self.callers.identify(&self.shared.cms, parts).await;
                let sender = identified.map_err(|error| span::of(parts, id).in_scope(|| error::note(error)))?;
                *user = sender.actor.user();
                if let Some(known) = endpoint.known(&self.shared, &sender.actor, parts, body)? {
                    return Ok(known);
                }
                // Answers that are kept need no span.
                let span = span::of(parts, id);
                let (mut response, cookies) = endpoint.answer(&self.shared, sender, parts, body).instrument(span).await?;
                self.callers.cookies.set(response.headers_mut(), &cookies, self.shared.cms.now());
                Ok(response)
            }
            Address::Page(page) if parts.method == http::Method::GET || parts.method == http::Method::HEAD => {
                Ok(page.answer(&parts.headers))
            }
            Address::Page(_) => Err(Error::new(Code::MethodNotAllowed)),
            Address::Nothing => Err(nothing_here()),
        }
    }

    /// Reads what is left of a body that was refused: a sender that is cut off in the middle does not get to read why.
    async fn finish_reading(&self, error: &Error, parts: &Parts, body: &mut Body) -> bool {
        let waits_for_leave = parts.headers.contains_key(header::EXPECT);
        if body.is_end_stream() {
            true
        } else if waits_for_leave || error.code() == Code::RequestTimeout {
            false
        } else {
            body::discard(body, self.shared.limits.time).await
        }
    }
}

impl Address {
    /// The operation that a method asks for here.
    fn endpoint(&self, method: &http::Method) -> Option<&Endpoint> {
        match self {
            Self::Operations(endpoints) => find(endpoints, method),
            Self::Page(_) | Self::Nothing => None,
        }
    }

    /// The methods it has, as the header `Allow` lists them.
    fn methods(&self) -> Option<HeaderValue> {
        let methods = match self {
            Self::Operations(endpoints) => {
                let methods = endpoints.iter().map(|endpoint| match endpoint.method() {
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

/// The answer for an address that has nothing.
pub(crate) fn nothing(headers: &HeaderMap) -> Response {
    let id = RequestId::of(headers);
    let mut response = error::response(&nothing_here(), &Challenge::default(), &id);
    reply::finish(&mut response, id);
    response
}

fn nothing_here() -> Error {
    Error::with(Code::NotFound, "there is nothing at this address")
}

fn find<'a>(endpoints: &'a [Endpoint], method: &http::Method) -> Option<&'a Endpoint> {
    let asked = match *method {
        http::Method::GET | http::Method::HEAD => Method::Get,
        http::Method::POST => Method::Post,
        http::Method::PUT => Method::Put,
        http::Method::PATCH => Method::Patch,
        http::Method::DELETE => Method::Delete,
        _ => return None,
    };
    endpoints.iter().find(|endpoint| endpoint.method() == asked)
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}
