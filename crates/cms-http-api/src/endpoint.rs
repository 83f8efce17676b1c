//! One operation as a route: what the door needs to know of it, and how the door does it.

use std::{future::Future, panic::resume_unwind, pin::Pin, sync::LazyLock, time::Duration};

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use bytes::Bytes;
use cms_core::{
    Cms, Code, Cookie, Counted, Done, Door, Error,
    operation::{Http, Limit, Method, Operation},
};
use cms_domain::{
    access::{Access, Actor, Visibility},
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
    reply::{self, Finished, Keepers},
};

/// An operation on its way to finished bytes.
type Run = Pin<Box<dyn Future<Output = Result<Done<Bytes>, Error>> + Send>>;

/// One operation as a route.
pub(crate) struct Endpoint {
    id: &'static str,
    http: Http,
    access: Access,
    limit: Option<Limit>,
    members: LazyLock<Members>,
    run: fn(Cms, Sender, Input, Counted) -> Run,
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
    pub(crate) fn of<O: Operation>() -> Self {
        Self { id: O::ID, http: O::HTTP, access: O::ACCESS, limit: O::LIMIT, members: LazyLock::new(Members::of::<O>), run: run::<O> }
    }

    /// The operation's name, for the log.
    pub(crate) const fn id(&self) -> &'static str {
        self.id
    }

    /// The method that asks for the operation.
    pub(crate) const fn method(&self) -> Method {
        self.http.method
    }

    /// Refuses callers who may not, before anything of the request is read; for others, finds the answer if it is known.
    pub(crate) fn known(&self, shared: &Shared, actor: &Actor, parts: &Parts, body: &Body) -> Result<Option<Response>, Error> {
        shared.cms.admit(actor, &self.http, self.access)?;
        if !self.is_same_for_all(actor) || !body.is_end_stream() {
            return Ok(None);
        }
        Ok(shared.answers.get(address(parts)).map(|finished| finished.json(&parts.headers, keepers(actor))))
    }

    /// Does the operation for a caller who may.
    pub(crate) async fn answer(
        &self,
        shared: &Shared,
        sender: Sender,
        parts: &mut Parts,
        body: &mut Body,
    ) -> Result<(Response, Vec<Cookie>), Error> {
        let counted = shared.cms.count(self.id, self.limit, &sender.client).await.map_err(error::note)?;
        let input = bind::bind(&self.http, &self.members, parts, body, &shared.limits.of(self.access)).await?;
        if !self.is_same_for_all(&sender.actor) {
            let status = if self.http.created { StatusCode::CREATED } else { StatusCode::OK };
            let done = self.run(shared, sender, input, counted).await?;
            let text = self.http.text.and_then(|text| reply::text(&done.output, text));
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
            shared.answers.put(address(parts), watch, finished.clone());
        }
        Ok((finished.json(&parts.headers, keepers), Vec::new()))
    }

    /// Whether everyone who sees what the caller sees gets the same bytes from the same address.
    fn is_same_for_all(&self, actor: &Actor) -> bool {
        self.http.cached && actor.visibility() == Visibility::Published
    }

    async fn run(&self, shared: &Shared, sender: Sender, input: Input, counted: Counted) -> Result<Done<Bytes>, Error> {
        let run = (self.run)(shared.cms.clone(), sender, input, counted);
        if self.http.method == Method::Get {
            return timeout(shared.time, run).await.unwrap_or_else(|_| Err(too_slow()));
        }
        // A change is made to its end even if its caller goes away meanwhile: what this process remembers follows it.
        let mut task = tokio::spawn(run.in_current_span());
        match timeout(shared.time, &mut task).await {
            Ok(Ok(result)) => result,
            Ok(Err(broken)) => match broken.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(broken) => Err(error::note(Error::internal(broken))),
            },
            Err(_) => {
                task.abort();
                Err(too_slow())
            }
        }
    }
}

fn run<O: Operation>(cms: Cms, sender: Sender, input: Input, counted: Counted) -> Run {
    Box::pin(async move {
        let operation = input.read::<O>().map_err(error::note)?;
        let done = cms.call_counted(&sender.actor, Door::Rest, &sender.client, operation, Some(counted)).await?;
        Ok(Done { output: reply::envelope(&done.output).map_err(error::note)?, cookies: done.cookies })
    })
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
