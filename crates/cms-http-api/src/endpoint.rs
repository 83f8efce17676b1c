//! One operation as a route: what the door needs to know of it, and how the door does it.

use std::sync::{Arc, OnceLock};

use axum::{
    body::{Body, HttpBody},
    response::Response,
};
use bytes::Bytes;
use cms_domain::{
    access::{Actor, Visibility},
    id::FileId,
};
use cms_frame::{
    Cookie, Counted, Error, Shown,
    descriptor::Descriptor,
    operation::{Gives, Method, Takes, Upload},
};
use cms_media::arriving::{self, Arrived};
use http::{StatusCode, request::Parts, uri::PathAndQuery};

use crate::{
    bind::{self, Input},
    cache::{Origin, Place},
    caller::Sender,
    error, events, files,
    members::Members,
    path::Parameters,
    reply::{self, Finished, Keepers},
    shared::Shared,
    uploads,
};

/// One operation as a route.
pub(crate) struct Endpoint {
    operation: Arc<Descriptor>,
    /// The revision of the catalog that it is from.
    revision: u64,
    members: OnceLock<Members>,
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
        shared: &Arc<Shared>,
        sender: Sender,
        parameters: &Parameters,
        parts: &Parts,
        body: &mut Body,
    ) -> Result<(Response, Vec<Cookie>), Error> {
        let http = &self.operation.http;
        let counted = shared.cms.count(&self.operation, &sender.client).await.map_err(error::note)?;
        let members = self.members.get_or_init(|| Members::of(&self.operation));
        let waits = !body.is_end_stream();
        let limits = shared.limits.of(self.operation.access);
        let (mut file, mut arrived) = (None, None);
        let input = match http.takes {
            Takes::File(sent) => {
                let input = bind::address(http, members, parameters, parts)?;
                // Whoever asks for what cannot be does not send the file in vain.
                input.clone().with_file(sent, FileId::from_bytes([0; 16])).read(&self.operation).map_err(error::note)?;
                let received = files::receive(shared, &sender.actor, sent, parts, body, &limits).await?;
                file = Some(received);
                input.with_file(sent, received)
            }
            Takes::Upload(Upload::Whole) => {
                let input = bind::address(http, members, parameters, parts)?;
                input.clone().read(&self.operation).map_err(error::note)?;
                arrived = Some(uploads::whole(&shared.cms, parts, body, &limits).await.map_err(error::note)?);
                input
            }
            Takes::Upload(Upload::Form) if uploads::is_form(&parts.headers)? => {
                let input = bind::address(http, members, parameters, parts)?;
                let form = uploads::form(&shared.cms, http, members, parts, body, &limits).await;
                let (members, came) = form.map_err(error::note)?;
                arrived = came;
                input.with_parts(http, members)
            }
            _ => bind::bind(http, members, parameters, parts, body, &limits).await?,
        };
        let came = Came { file, arrived };
        // Whoever sends it may have lost what they had while the body was on its way.
        let sender = if waits {
            let again = shared.callers.identify(&shared.cms, parts).await;
            if again.is_err() {
                came.forget(shared).await;
            }
            again.map_err(error::note)?
        } else {
            sender
        };
        if http.gives == Gives::Events {
            let Sender { actor, client } = sender;
            return Ok((events::stream(shared, &self.operation, input, actor, client).await?, Vec::new()));
        }
        if !self.is_same_for_all(&sender.actor) {
            let reader = sender.actor.clone();
            let done = self.run(shared, sender, (input, &came), counted, None).await;
            if done.is_err() {
                came.forget(shared).await;
            }
            let Done { bytes, cookies, found, .. } = done?;
            let status = if http.created && !found { StatusCode::CREATED } else { StatusCode::OK };
            let bytes = bytes.unwrap_or_default();
            if let Gives::File(media_type) = http.gives {
                return Ok((files::send(shared, reader, &bytes, media_type, parts)?, cookies));
            }
            let text = if let Gives::Text(text) = http.gives { reply::text(&bytes, text) } else { None };
            return Ok((text.unwrap_or_else(|| reply::json(status, bytes)), cookies));
        }
        let keepers = keepers(&sender.actor);
        let began = shared.cms.watch();
        let maker = match shared.answers.place(address(parts), self.revision, &began).await {
            Place::Awaited(outcome) => return Ok((sent(&outcome?, parts, keepers, Origin::Awaited), Vec::new())),
            Place::Maker(maker) => maker,
        };
        let (finished, origin) = match self.run(shared, sender, (input, &came), counted, maker.signature()).await {
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
    async fn run(
        &self,
        shared: &Shared,
        sender: Sender,
        (input, came): (Input, &Came),
        counted: Counted,
        known: Option<u128>,
    ) -> Result<Done, Error> {
        let mut invocation = input.read(&self.operation).map_err(error::note)?;
        if let Some(arrived) = &came.arrived {
            invocation = invocation.with(Arc::new(arrived.clone()));
        }
        let changes = self.operation.http.method != Method::Get;
        let answer = shared.perform(changes, sender.actor, sender.client, invocation, counted).await?;
        let is_known = known.is_some() && answer.shown.signature == known;
        let bytes = if is_known { None } else { Some(reply::envelope(&answer).map_err(error::note)?) };
        Ok(Done { bytes, cookies: answer.cookies, shown: answer.shown, found: answer.found })
    }
}

/// What an operation answered.
struct Done {
    /// In the envelope; none if the answer shows what is known.
    bytes: Option<Bytes>,
    cookies: Vec<Cookie>,
    shown: Shown,
    /// Whether what was to be made was there already.
    found: bool,
}

/// What a body became that is no JSON.
struct Came {
    file: Option<FileId>,
    arrived: Option<Arrived>,
}

impl Came {
    /// Nobody takes it.
    async fn forget(&self, shared: &Shared) {
        if let Some(file) = self.file {
            files::forget(shared, file).await;
        }
        if let Some(arrived) = &self.arrived {
            arriving::let_go(&shared.cms, arrived);
        }
    }
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
