//! What surrounds the answer to any request: its id, its caller, panics, and what is left of its body.

use std::{any::Any, panic::AssertUnwindSafe};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    response::Response,
};
use cms_core::{Cms, Code, Error, catalog::Made, refusal};
use cms_domain::id::UserId;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Version, header, request::Parts};
use tracing::Instrument;

use crate::{
    body,
    caller::Callers,
    endpoint::Shared,
    error::{self, Challenge},
    options::HttpOptions,
    path::Parameters,
    reply,
    request_id::RequestId,
    span,
    table::{Address, Table},
};

/// What a request asks for, and its id.
#[derive(Clone, Copy)]
struct Asked<'a> {
    address: &'a Address,
    parameters: &'a Parameters,
    id: &'a RequestId,
}

/// What surrounds the answers at all addresses.
pub(crate) struct Frame {
    shared: Shared,
    callers: Callers,
    challenge: Challenge,
    options: HttpOptions,
    root: String,
    table: Made<Table>,
}

/// Which operation a request asked for, in the extensions of the response: for whoever measures, or logs by routes.
#[derive(Debug, Clone, Copy)]
pub struct AskedFor {
    /// The operation's id.
    pub operation: &'static str,
    /// The template of its address below the API's root.
    pub template: &'static str,
}

impl Frame {
    pub(crate) fn new(cms: Cms, options: HttpOptions) -> Self {
        Self {
            callers: Callers::new(&options),
            challenge: Challenge::new(&options),
            root: options.root(),
            shared: Shared::new(cms, &options),
            table: Made::default(),
            options,
        }
    }

    /// Answers a request, whatever happens.
    pub(crate) async fn answer(&self, request: Request) -> Response {
        let (mut parts, mut body) = request.into_parts();
        let id = RequestId::give(&mut parts.headers);
        let mut user = None;
        let table = self.table.of(&self.shared.cms.catalog(), |catalog| Table::new(catalog, &self.options));
        let (address, parameters) = table.find(parts.uri.path().strip_prefix(&self.root).unwrap_or_default());
        let asked = Asked { address, parameters: &parameters, id: &id };
        let answered = AssertUnwindSafe(self.try_answer(asked, &parts, &mut body, &mut user)).catch_unwind().await;
        let answered = answered.unwrap_or_else(|panic| {
            tracing::error!(request = %id, panic = panic_message(&*panic), "a request panicked");
            Err(Error::new(Code::InternalError))
        });
        let mut response = match answered {
            Ok(response) => response,
            Err(error) => {
                let operation = address.operation(&parts.method).map_or(refusal::NO_OPERATION, |operation| operation.id);
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
        if let Some(operation) = address.operation(&parts.method) {
            response.extensions_mut().insert(AskedFor { operation: operation.id, template: operation.http.path });
        }
        if parts.method == http::Method::HEAD {
            reply::without_body(&mut response);
        }
        response
    }

    /// The answer, or why there is none; `user` becomes who asks as soon as that is known.
    async fn try_answer(
        &self,
        Asked { address, parameters, id }: Asked<'_>,
        parts: &Parts,
        body: &mut Body,
        user: &mut Option<UserId>,
    ) -> Result<Response, Error> {
        let span = || span::of(parts, id, address.template(&parts.method).map(|template| format!("{}{template}", self.root)));
        match address {
            Address::Operations(_) => {
                let endpoint = address.endpoint(&parts.method).ok_or_else(|| Error::new(Code::MethodNotAllowed))?;
                let identified = self.callers.identify(&self.shared.cms, parts).await;
                let sender = identified.map_err(|error| span().in_scope(|| error::note(error)))?;
                *user = sender.actor.user();
                if let Some(known) = endpoint.known(&self.shared, &sender.actor, parts, body)? {
                    return Ok(known);
                }
                // Answers that are kept need no span.
                let answered = endpoint.answer(&self.shared, sender, parameters, parts, body).instrument(span());
                let (mut response, cookies) = answered.await?;
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

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown")
}
