//! What everything that answers needs: the system, who asks, what bodies are held to, and how an operation is done.

use std::{sync::Arc, time::Duration};

use cms_domain::access::Actor;
use cms_frame::{
    Client, Cms, Counted, Door, Error,
    descriptor::{Answer, Descriptor, Invocation},
    operation::to_the_end,
};
use tokio::sync::Semaphore;

use crate::{
    body::Limits,
    cache::Answers,
    caller::Callers,
    error::{Challenge, note},
    events,
    options::HttpOptions,
};

/// What everything that answers needs.
pub(crate) struct Shared {
    /// The system.
    pub(crate) cms: Cms,
    /// How callers are recognized.
    pub(crate) callers: Callers,
    /// What callers without credentials are told.
    pub(crate) challenge: Challenge,
    /// What bodies are held to.
    pub(crate) limits: Limits,
    /// How long an operation may take.
    pub(crate) time: Duration,
    /// Answers that are kept.
    pub(crate) answers: Answers,
    /// Room for event streams.
    pub(crate) streams: Arc<Semaphore>,
    /// Whose they are.
    pub(crate) seats: events::Seats,
}

impl Shared {
    pub(crate) fn new(cms: Cms, options: &HttpOptions) -> Self {
        let limits = Limits { size: options.body_limit, time: options.body_timeout, intake: cms.intake().clone() };
        Self {
            callers: Callers::new(cms.product(), options),
            challenge: Challenge::new(cms.product()),
            limits,
            time: options.request_timeout,
            answers: Answers::new(options.cache_bytes),
            streams: Arc::new(Semaphore::new(events::MOST)),
            seats: events::Seats::default(),
            cms,
        }
    }

    /// The operation of an id. Those that are built in are always there.
    pub(crate) fn operation(&self, id: &str) -> Result<Arc<Descriptor>, Error> {
        let catalog = self.cms.catalog();
        catalog.get(id).cloned().ok_or_else(|| note(Error::internal(format!("`{id}` is in no catalog"))))
    }

    /// Does an operation that was counted. What changes something is done to its end.
    pub(crate) async fn perform(
        &self,
        changes: bool,
        actor: Actor,
        client: Client,
        invocation: Invocation,
        counted: Counted,
    ) -> Result<Answer, Error> {
        let cms = self.cms.clone();
        let work = async move { cms.perform(&actor, Door::Rest, &client, invocation, Some(counted)).await };
        to_the_end(changes, self.time, work).await
    }
}
