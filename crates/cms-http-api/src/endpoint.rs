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
use cms_core::{Cms, Code, Cookie, Counted, Done, Door, Error, descriptor::Descriptor, operation::Method};
use cms_domain::{
    access::{Actor, Visibility},
    slug::CollectionSlug,
};
use http::{StatusCode, request::Parts, uri::PathAndQuery};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{
    bind::{self, Input},
    body::Limits,
    cache::Answers,
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
        Ok(shared.answers.get(address(parts), self.revision).map(|finished| finished.json(&parts.headers, keepers(actor))))
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
            let done = self.run(shared, sender, input, counted).await?;
            let text = http.text.and_then(|text| reply::text(&done.output, text));
            return Ok((text.unwrap_or_else(|| reply::json(status, done.output)), done.cookies));
        }
        // The watch begins before the rows are read: a change in between makes the answer stale at once.
        let watch = match input.text("collection").and_then(|slug| slug.parse::<CollectionSlug>().ok()) {
            Some(collection) => shared.cms.watch(&collection).await.map_err(error::note)?,
            None => None,
        };
        let keepers = keepers(&sender.actor);
        let finished = Finished::new(self.run(shared, sender, input, counted).await?.output);
        if let Some(watch) = watch {
            shared.answers.put(address(parts), self.revision, watch, finished.clone());
        }
        Ok((finished.json(&parts.headers, keepers), Vec::new()))
    }

    /// Whether everyone who sees what the caller sees gets the same bytes from the same address.
    fn is_same_for_all(&self, actor: &Actor) -> bool {
        self.operation.http.cached && actor.visibility() == Visibility::Published
    }

    async fn run(&self, shared: &Shared, sender: Sender, input: Input, counted: Counted) -> Result<Done<Bytes>, Error> {
        let run = run(shared.cms.clone(), Arc::clone(&self.operation), sender, input, counted);
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

async fn run(cms: Cms, operation: Arc<Descriptor>, sender: Sender, input: Input, counted: Counted) -> Result<Done<Bytes>, Error> {
    let invocation = input.read(&operation).map_err(error::note)?;
    let answer = cms.perform(&sender.actor, Door::Rest, &sender.client, invocation, Some(counted)).await?;
    Ok(Done { output: reply::envelope(&answer).map_err(error::note)?, cookies: answer.cookies })
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
