//! The only way in: scope, then role, then the operation's own rules, then the operation; commit or nothing.

use cms_domain::access::Actor;
use tracing::Instrument;

use crate::{
    Cms, Code, Cx, Door, Error, Kind,
    operation::{Operation, Tool},
};

/// How often an operation that lost against another transaction is done again before its caller is told to.
const ATTEMPTS: u32 = 4;

impl Cms {
    /// Does an operation for an actor. Nothing is written unless all of it succeeds.
    pub async fn invoke<O: Operation>(&self, actor: &Actor, door: Door, operation: O) -> Result<O::Output, Error> {
        let span = tracing::info_span!("operation", id = O::ID, user = actor.user().map(tracing::field::display));
        async move {
            let result = self.admit_and_run(actor, door, operation).await;
            if let Err(error) = &result {
                log(error);
            }
            result
        }
        .instrument(span)
        .await
    }

    async fn admit_and_run<O: Operation>(&self, actor: &Actor, door: Door, operation: O) -> Result<O::Output, Error> {
        actor.admit(O::ACCESS, self.options().public_read)?;
        operation.check()?;
        // SQLite has one writer and nothing to lose against; a reader writes nothing.
        if O::TOOL == Tool::Read || !self.store().backend().has_concurrent_writers() {
            return self.attempt(actor, door, operation).await;
        }
        for _ in 1..ATTEMPTS {
            match self.attempt(actor, door, operation.clone()).await {
                Err(error) if error.code() == Code::Busy => {}
                done => return done,
            }
        }
        self.attempt(actor, door, operation).await
    }

    async fn attempt<O: Operation>(&self, actor: &Actor, door: Door, operation: O) -> Result<O::Output, Error> {
        let mut cx = Cx::new(self, actor, door, O::ACCESS);
        // A transaction that is dropped here is rolled back.
        let output = operation.run(&mut cx).await?;
        let now = cx.now();
        let (tx, events) = cx.into_parts();
        if let Some(tx) = tx {
            if !events.is_empty() {
                tx.outbox().push(&events, now).await?;
            }
            tx.commit().await?;
            self.follow(&events);
        }
        Ok(output)
    }
}

/// Says once what failed: a server's fault loudly, a caller's quietly.
fn log(error: &Error) {
    match error.code().kind() {
        Kind::Internal => {
            tracing::error!(code = error.code().as_str(), cause = error.private().map(tracing::field::debug), "operation failed");
        }
        Kind::Unavailable => tracing::warn!(code = error.code().as_str(), "operation gave up"),
        _ => tracing::debug!(code = error.code().as_str(), message = error.message(), "operation refused"),
    }
}
