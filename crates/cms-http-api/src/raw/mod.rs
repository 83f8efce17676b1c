//! Routes that are not operations in an envelope: pages, files, and the standards of other people. What is around an answer is the frame's,
//! and what is in it is theirs.

pub(crate) mod media;
pub(crate) mod oauth;
pub(crate) mod providers;
mod refusal;

use axum::{body::Body, response::Response};
use cms_domain::{
    access::{Access, Actor},
    id::UserId,
};
use cms_frame::{
    Client, Error,
    catalog::Wire,
    descriptor::{Answer, Pending},
    intake::Share,
    operation::Takes,
};
use http::{HeaderValue, StatusCode, header, request::Parts};
use serde_json::{Map, Value};

use crate::{
    body::{self, Limits},
    error::{self, note},
    path::Parameters,
    shared::Shared,
};

type Answers = dyn for<'a> Fn(Asked<'a>) -> Pending<'a, Result<Response, Error>> + Send + Sync;
type Refuses = dyn Fn(&Parts, &Error, StatusCode) -> Option<Response> + Send + Sync;

/// A route whose answers are bytes that only itself knows how to make. It says what is asked and what is answered; ids, callers, limits,
/// headers, panics, the log and what is left of a body are the frame's.
pub struct Raw {
    wire: Wire,
    /// Whether the path is whole, and not below the API's root.
    is_elsewhere: bool,
    /// Whether asking does something, so that it is nothing to look at.
    acts: bool,
    is_open: bool,
    answers: Box<Answers>,
    refuses: Box<Refuses>,
}

/// What a raw route is asked.
pub struct Asked<'a> {
    /// The request, with its id.
    pub parts: &'a Parts,
    /// From where it comes.
    pub client: &'a Client,
    /// Its body, of which nothing is read.
    pub body: Incoming<'a>,
    /// What its address has where the template has names.
    pub(crate) parameters: &'a Parameters,
    /// Who asks, for the log: to be said as soon as that is known.
    pub(crate) user: &'a mut Option<UserId>,
    pub(crate) shared: &'a Shared,
}

impl Asked<'_> {
    /// Who asks, with the credentials that any request may have. Changes that a foreign page asks for are refused.
    pub async fn identify(&mut self) -> Result<Actor, Error> {
        let sender = self.shared.callers.identify(&self.shared.cms, self.parts).await.map_err(note)?;
        *self.user = sender.actor.user();
        Ok(sender.actor)
    }
}

/// A body that is not read yet.
pub struct Incoming<'a> {
    pub(crate) parts: &'a Parts,
    pub(crate) body: &'a mut Body,
    pub(crate) limits: &'a Limits,
}

impl Incoming<'_> {
    /// All of it, and the room that it takes, which is given back when that is dropped.
    pub async fn read(self) -> Result<(Vec<u8>, Share), Error> {
        body::read(self.body, self.limits).await
    }

    /// The members in it, for something that some may do.
    pub(crate) async fn members(self, takes: Takes, access: Access) -> Result<Map<String, Value>, Error> {
        body::members(takes, &self.parts.headers, self.body, &self.limits.of(access)).await
    }
}

impl Raw {
    /// A route below the API's root.
    pub fn new(wire: Wire, answers: impl for<'a> Fn(Asked<'a>) -> Pending<'a, Result<Response, Error>> + Send + Sync + 'static) -> Self {
        let refuses = Box::new(|_: &Parts, _: &Error, _| None);
        Self { wire, is_elsewhere: false, acts: false, is_open: false, answers: Box::new(answers), refuses }
    }

    /// The path of the route is whole, and not below the API's root.
    pub(crate) fn elsewhere(self) -> Self {
        Self { is_elsewhere: true, ..self }
    }

    /// Asking does something: whoever only looks where the address leads is refused, and spends nothing.
    pub(crate) fn acting(self) -> Self {
        Self { acts: true, ..self }
    }

    /// Pages of every site may ask: there is nothing in it that a browser adds by itself.
    pub(crate) fn open(self) -> Self {
        Self { is_open: true, ..self }
    }

    /// How failures are told, and with which status, where that is not in the envelope.
    pub fn refusing(self, refuses: impl Fn(&Parts, &Error, StatusCode) -> Option<Response> + Send + Sync + 'static) -> Self {
        Self { refuses: Box::new(refuses), ..self }
    }

    /// What it is called.
    pub(crate) const fn wire(&self) -> &Wire {
        &self.wire
    }

    /// Whether pages of every site may ask.
    pub(crate) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// The template of its whole address.
    pub(crate) fn address(&self, root: &str) -> String {
        if self.is_elsewhere { self.wire.http.path.to_owned() } else { format!("{root}{}", self.wire.http.path) }
    }

    /// Where it is, if not below the API's root.
    pub(crate) fn place_elsewhere(&self) -> Option<&'static str> {
        self.is_elsewhere.then_some(self.wire.http.path)
    }

    /// Whether asking does something.
    pub(crate) const fn acts(&self) -> bool {
        self.acts
    }

    /// The answer, or why there is none.
    pub(crate) async fn answer(&self, asked: Asked<'_>) -> Result<Response, Error> {
        (self.answers)(asked).await
    }

    /// How it tells of a failure; none for the envelope.
    pub(crate) fn refusal(&self, parts: &Parts, error: &Error) -> Option<Response> {
        let mut response = (self.refuses)(parts, error, error::status(error.code().kind()))?;
        // In a redirect it would be how long the browser waits before it goes on (RFC 9110, 10.2.3).
        if !response.status().is_redirection() {
            error::wait(&mut response, error);
        }
        Some(response)
    }
}

/// Sends a browser on. The address is for nobody else to see: there may be a state in it, or a code.
fn found(address: &str) -> Option<Response> {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::FOUND;
    response.headers_mut().insert(header::LOCATION, HeaderValue::try_from(address).ok()?);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Some(response)
}

/// The text of a member of an answer, if it has one.
fn member(answer: &Answer, name: &str) -> Result<Option<String>, Error> {
    let answer: Value = serde_json::from_slice(&answer.to_json().map_err(note)?).map_err(|error| note(error.into()))?;
    Ok(answer[name].as_str().map(str::to_owned))
}
