//! What surrounds the answer to any request, whatever makes it: its id, its caller, what pages of other origins see of it, panics, refusals, and
//! what is left of its body.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    response::Response,
};
use bytes::Bytes;
use cms_domain::id::UserId;
use cms_frame::{Cms, Code, Error, catalog::Made, panic_message, refusal};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Version, header, request::Parts};
use tracing::Instrument;

use crate::{
    body,
    cors::Cors,
    error::{self, Challenge},
    options::HttpOptions,
    path::Parameters,
    raw::{self, Asked, Incoming, Raw},
    reply,
    request_id::RequestId,
    shared::Shared,
    span,
    table::{Address, Route, Table},
};

/// What is at the address of a request, and its id.
#[derive(Clone, Copy)]
struct Place<'a> {
    address: &'a Address,
    parameters: &'a Parameters,
    id: &'a RequestId,
}

/// What surrounds the answers at all addresses.
pub(crate) struct Frame {
    shared: Arc<Shared>,
    /// The routes that are not made of the catalog.
    raws: Vec<Arc<Raw>>,
    cors: Option<Cors>,
    table: Made<Table>,
}

/// What a request asked for, in the extensions of the response: for whoever measures, or logs by routes. Where an address does not have the
/// method, it is what the address has first.
#[derive(Debug, Clone, Copy)]
pub struct AskedFor {
    /// The operation's id, or the name of a route that is none.
    pub operation: &'static str,
    /// The template of its address: below the API's root, unless it is elsewhere.
    pub template: &'static str,
}

impl Frame {
    /// The frame around what a door has itself, and `more`.
    pub(crate) fn new(cms: Cms, options: &HttpOptions, more: Vec<Raw>) -> Self {
        let shared = Arc::new(Shared::new(cms, options));
        let own = raw::oauth::routes(&shared).into_iter().chain(raw::providers::routes(&shared)).chain(raw::media::routes(&shared));
        let raws = own.chain(more).map(Arc::new).collect();
        Self { raws, cors: Cors::of(&options.cors_origins), table: Made::default(), shared }
    }

    /// The addresses that are not below the API's root.
    pub(crate) fn elsewhere(&self) -> impl Iterator<Item = &'static str> {
        self.raws.iter().filter_map(|raw| raw.place_elsewhere())
    }

    /// Answers a request, whatever happens.
    pub(crate) async fn answer(&self, request: Request) -> Response {
        let (mut parts, body) = request.into_parts();
        let (mut body, begun) = awaited(&parts.headers, body);
        let id = RequestId::give(&mut parts.headers);
        let table = self.table.of(&self.shared.cms.catalog(), |catalog| Table::new(catalog, &self.raws, self.shared.cms.product()));
        let (address, parameters) = table.find(parts.uri.path());
        let cors = if address.is_open() { Some(&Cors::EVERYONE) } else { self.cors.as_ref() };
        let place = Place { address, parameters: &parameters, id: &id };
        let mut response = match cors {
            Some(cors) if parts.method == Method::OPTIONS => cors.preflight(address.methods(true)),
            _ => self.answer_at(place, &parts, &mut body, cors.is_some()).await,
        };
        if !self.finish_reading(response.status(), &begun, &mut body).await && parts.version <= Version::HTTP_11 {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if let Some(cors) = cors {
            cors.tell(&parts.headers, response.headers_mut());
        }
        reply::finish(&mut response, id);
        if let Some(asked_for) = address.asked_for(&parts.method) {
            response.extensions_mut().insert(asked_for);
        }
        response
    }

    /// The answer, or the refusal.
    async fn answer_at(&self, place: Place<'_>, parts: &Parts, body: &mut Body, has_preflight: bool) -> Response {
        let mut user = None;
        let answered = AssertUnwindSafe(self.try_answer(place, parts, body, &mut user)).catch_unwind().await;
        let answered = answered.unwrap_or_else(|panic| {
            tracing::error!(request = %place.id, panic = panic_message(&*panic), "a request panicked");
            Err(Error::new(Code::InternalError))
        });
        answered.unwrap_or_else(|error| self.refuse(&error, place, parts, user, has_preflight))
    }

    /// The answer, or why there is none; `user` becomes who asks as soon as that is known.
    async fn try_answer(
        &self,
        Place { address, parameters, id }: Place<'_>,
        parts: &Parts,
        body: &mut Body,
        user: &mut Option<UserId>,
    ) -> Result<Response, Error> {
        let shared = &self.shared;
        let span = || span::of(parts, id, address.template());
        match address.route(&parts.method) {
            Some(Route::Operation(endpoint)) => {
                let identified = shared.callers.identify(&shared.cms, parts).await;
                let sender = identified.map_err(|error| span().in_scope(|| error::note(error)))?;
                *user = sender.actor.user();
                if let Some(known) = endpoint.known(shared, &sender.actor, parts, body)? {
                    return Ok(known);
                }
                // Answers that are kept need no span.
                let answered = endpoint.answer(shared, sender, parameters, parts, body).instrument(span());
                let (mut response, cookies) = answered.await?;
                shared.callers.cookies.set(response.headers_mut(), &cookies, shared.cms.now());
                Ok(response)
            }
            Some(Route::Raw(raw)) => {
                let client = shared.callers.client(parts, shared.cms.now());
                let body = Incoming { parts, body, limits: &shared.limits };
                raw.answer(Asked { parts, client: &client, body, parameters, user, shared }).instrument(span()).await
            }
            None if address.is_empty() => Err(nothing_here()),
            None => Err(Error::new(Code::MethodNotAllowed)),
        }
    }

    /// Tells of a failure: the log, and whoever asked.
    fn refuse(&self, error: &Error, place: Place<'_>, parts: &Parts, user: Option<UserId>, has_preflight: bool) -> Response {
        let Place { address, id, .. } = place;
        let catalog = self.shared.cms.catalog();
        let operation = address.asked_for(&parts.method).filter(|asked| catalog.get(asked.operation).is_some());
        let operation = operation.map_or(refusal::NO_OPERATION, |asked| asked.operation);
        refusal::tell(&self.shared.callers.client(parts, self.shared.cms.now()), user, operation, error);
        let mut response = address.refusal(parts, error).unwrap_or_else(|| error::response(error, &self.shared.challenge, id));
        if let (Code::MethodNotAllowed, Some(methods)) = (error.code(), address.methods(has_preflight)) {
            response.headers_mut().insert(header::ALLOW, methods);
        }
        response
    }

    /// Reads what an answer left of a body, and says whether nothing is left: a sender that is cut off in the middle does not get to read the
    /// answer.
    async fn finish_reading(&self, answer: StatusCode, begun: &AtomicBool, body: &mut Body) -> bool {
        let is_refused = answer.is_client_error() || answer.is_server_error();
        // Who waits for leave to send sends nothing when refused before, and who was too slow has had their time.
        let is_given_up = is_refused && (!begun.load(Ordering::Relaxed) || answer == StatusCode::REQUEST_TIMEOUT);
        body.is_end_stream() || (!is_given_up && body::discard(body, self.shared.limits.time).await)
    }
}

/// The body of a request, and whether its sender sends it: who waits for leave to does not before somebody begins to read it (RFC 9110, 10.1.1).
fn awaited(headers: &HeaderMap, body: Body) -> (Body, Arc<AtomicBool>) {
    let waits = headers.contains_key(header::EXPECT);
    let begun = Arc::new(AtomicBool::new(!waits));
    if !waits {
        return (body, begun);
    }
    (Body::new(Noticed { body, begun: Arc::clone(&begun) }), begun)
}

/// A body that is known to be read as soon as it is.
struct Noticed {
    body: Body,
    begun: Arc<AtomicBool>,
}

impl HttpBody for Noticed {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<http_body::Frame<Bytes>, axum::Error>>> {
        self.begun.store(true, Ordering::Relaxed);
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
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
