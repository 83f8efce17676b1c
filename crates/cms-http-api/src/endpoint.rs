//! One operation as a route: what the door needs to know of it, and how the door does it.

use std::{
    panic::resume_unwind,
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use bytes::Bytes;
use cms_core::{Cms, Code, Cookie, Counted, Door, Error, Shown, descriptor::Descriptor, operation::Method};
use cms_domain::access::{Actor, Visibility};
use http::{StatusCode, request::Parts, uri::PathAndQuery};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{
    bind::{self, Input},
    body::Limits,
    cache::{Answers, Origin, Place},
    caller::Sender,
    error,
    members::Members,
    options::HttpOptions,
    path::Parameters,
    reply::{self, Finished, Keepers},
};

/// One operation as a route.
pub(crate) struct Endpoint {
    operation: Arc<Descriptor>,
    /// The revision of the catalog that it is from.
    revision: u64,
    members: OnceLock<Members>,
}

/// What all routes share.
pub(crate) struct Shared {
    /// The system.
    pub(crate) cms: Cms,
    /// What bodies are held to.
    pub(crate) limits: Limits,
    /// How long an operation may take.
    time: Duration,
    /// Answers that are kept.
    answers: Answers,
}

impl Shared {
    pub(crate) fn new(cms: Cms, options: &HttpOptions) -> Self {
        let limits = Limits { size: options.body_limit, time: options.body_timeout, intake: cms.intake().clone() };
        Self { cms, limits, time: options.request_timeout, answers: Answers::new(options.cache_bytes) }
    }
}

impl Endpoint {
    pub(crate) fn new(operation: Arc<Descriptor>, revision: u64) -> Self {
        Self { operation, revision, members: OnceLock::new() }
    }

    /// The operation.
    pub(crate) fn operation(&self) -> &Descriptor {
        &self.operation
    }

    /// Refuses callers who may not, before anything of the request is read; for others, finds the answer if it is known.
    pub(crate) fn known(&self, shared: &Shared, actor: &Actor, parts: &Parts, body: &Body) -> Result<Option<Response>, Error> {
        shared.cms.admit(actor, &self.operation)?;
        if !self.is_same_for_all(actor) || !body.is_end_stream() {
            return Ok(None);
        }
        let kept = shared.answers.get(address(parts), self.revision);
        Ok(kept.map(|finished| sent(&finished, parts, keepers(actor), Origin::Kept)))
    }

    /// Does the operation for a caller who may.
    pub(crate) async fn answer(
        &self,
        shared: &Shared,
        sender: Sender,
        parameters: &Parameters,
        parts: &Parts,
        body: &mut Body,
    ) -> Result<(Response, Vec<Cookie>), Error> {
        let http = &self.operation.http;
        let counted = shared.cms.count(&self.operation, &sender.client).await.map_err(error::note)?;
        let members = self.members.get_or_init(|| Members::of(&self.operation));
        let input = bind::bind(http, members, parameters, parts, body, &shared.limits.of(self.operation.access)).await?;
        if !self.is_same_for_all(&sender.actor) {
            let status = if http.created { StatusCode::CREATED } else { StatusCode::OK };
            let Done { bytes, cookies, .. } = self.run(shared, sender, input, counted, None).await?;
            let bytes = bytes.unwrap_or_default();
            let text = http.text.and_then(|text| reply::text(&bytes, text));
            return Ok((text.unwrap_or_else(|| reply::json(status, bytes)), cookies));
        }
        let keepers = keepers(&sender.actor);
        let began = shared.cms.watch();
        let maker = match shared.answers.place(address(parts), self.revision, &began).await {
            Place::Awaited(outcome) => return Ok((sent(&outcome?, parts, keepers, Origin::Awaited), Vec::new())),
            Place::Maker(maker) => maker,
        };
        let (finished, origin) = match self.run(shared, sender, input, counted, maker.signature()).await {
            Ok(Done { bytes, shown, .. }) => maker.made(bytes.map(Finished::new), shown, began).map_err(error::note)?,
            Err(error) => {
                maker.failed(&error, began);
                return Err(error);
            }
        };
        Ok((sent(&finished, parts, keepers, origin), Vec::new()))
    }

    /// Whether everyone who sees what the caller sees gets the same bytes from the same address.
    fn is_same_for_all(&self, actor: &Actor) -> bool {
        self.operation.http.is_cached() && actor.visibility() == Visibility::Published
    }

    /// Does the operation. An answer that shows what one `known` by its name did is not written again.
    async fn run(&self, shared: &Shared, sender: Sender, input: Input, counted: Counted, known: Option<u128>) -> Result<Done, Error> {
        let run = run(shared.cms.clone(), Arc::clone(&self.operation), sender, input, counted, known);
        if self.operation.http.method == Method::Get {
            return timeout(shared.time, run).await.unwrap_or_else(|_| Err(too_slow()));
        }
        // A change is made to its end even if its caller goes away meanwhile, or is told that it took too long: what this process remembers
        // follows it.
        match timeout(shared.time, tokio::spawn(run.in_current_span())).await {
            Ok(Ok(result)) => result,
            Ok(Err(broken)) => match broken.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(broken) => Err(error::note(Error::internal(broken))),
            },
            Err(_) => Err(too_slow()),
        }
    }
}

/// What an operation answered.
struct Done {
    /// In the envelope; none if the answer shows what is known.
    bytes: Option<Bytes>,
    cookies: Vec<Cookie>,
    shown: Shown,
}

async fn run(
    cms: Cms,
    operation: Arc<Descriptor>,
    sender: Sender,
    input: Input,
    counted: Counted,
    known: Option<u128>,
) -> Result<Done, Error> {
    let invocation = input.read(&operation).map_err(error::note)?;
    let answer = cms.perform(&sender.actor, Door::Rest, &sender.client, invocation, Some(counted)).await?;
    let is_known = known.is_some() && answer.shown.signature == known;
    let bytes = if is_known { None } else { Some(reply::envelope(&answer).map_err(error::note)?) };
    Ok(Done { bytes, cookies: answer.cookies, shown: answer.shown })
}

/// An answer that many may have, and how it came to be.
fn sent(finished: &Finished, parts: &Parts, keepers: Keepers, origin: Origin) -> Response {
    let mut response = finished.json(&parts.headers, keepers);
    response.extensions_mut().insert(origin);
    response
}

/// The path and query that an answer is kept under.
fn address(parts: &Parts) -> &str {
    parts.uri.path_and_query().map_or("/", PathAndQuery::as_str)
}

fn keepers(actor: &Actor) -> Keepers {
    if *actor == Actor::Anonymous { Keepers::Anyone } else { Keepers::Caller }
}

fn too_slow() -> Error {
    Error::with(Code::Busy, "the request took too long: look what is there before you repeat it")
}
