//! The only way in: scope, then role, then how often, then how lately proven, then the operation's own rules, then the operation; commit or nothing.

use std::time::Duration;

use cms_domain::access::{Actor, Refusal};
use serde_json::{Map, Value};
use tokio::time::timeout;
use tracing::Instrument;

use crate::{
    Client, Cms, Code, Cookie, Cx, Done, Door, Error, Kind, audit_line,
    cx::{Rest, Shown},
    descriptor::{Answer, Declaration, Invocation, Pending},
    failures, limits,
    operation::{Operation, Proof, Tool},
    patience::Patience,
};

/// That a request was counted against the limit of an operation.
#[derive(Debug)]
pub struct Counted(&'static str);

impl Cms {
    /// Does an operation for an actor. Nothing is written unless all of it succeeds. The operation is one of the system's catalog: a host adds its
    /// own first.
    pub async fn invoke<O: Operation>(&self, actor: &Actor, door: Door, operation: O) -> Result<O::Output, Error> {
        Ok(self.call(actor, door, &Client::default(), operation).await?.output)
    }

    /// Does an operation for an actor behind a client, whose browser may have to keep something afterwards.
    pub async fn call<O: Operation>(&self, actor: &Actor, door: Door, client: &Client, operation: O) -> Result<Done<O::Output>, Error> {
        let descriptor = self.descriptor::<O>().inspect_err(log)?;
        let invocation = descriptor.begin(operation)?;
        let mut answer = self.perform(actor, door, client, invocation, None).await?;
        let cookies = std::mem::take(&mut answer.cookies);
        Ok(Done { output: answer.into_output::<O>()?, cookies })
    }

    /// The input of an operation from its members, as [`crate::descriptor::Descriptor::read`] reads it.
    pub fn read<O: Operation>(&self, members: Map<String, Value>) -> Result<O, Error> {
        self.descriptor::<O>()?.read(members)?.into_operation()
    }

    /// Does an operation for an actor behind a client, whatever its type. What was `counted` is not counted once more.
    pub fn perform<'a>(
        &'a self,
        actor: &'a Actor,
        door: Door,
        client: &'a Client,
        invocation: Invocation,
        counted: Option<Counted>,
    ) -> Pending<'a, Result<Answer, Error>> {
        let operation = invocation.operation;
        let span = tracing::info_span!("operation", operation = operation.id, user = actor.user().map(tracing::field::display));
        let work = async move {
            let result = self.admit_and_run(actor, door, client, invocation, counted).await;
            if let Err(error) = &result {
                debug_assert!(failures::has(&operation, error.code()), "`{}` does not declare that it fails with {error}", operation.id);
                log(error);
            }
            result
        };
        Box::pin(work.instrument(span))
    }

    /// Refuses what an actor may not, before anything of the request is read; and everything, once the tables are not this program's any more.
    pub fn admit(&self, actor: &Actor, operation: &Declaration) -> Result<(), Error> {
        self.must_be_current()?;
        let gateway = self.callers().behind_gateway();
        if gateway.is_some() && operation.http.replaced_by_gateway {
            return Err(Error::with(Code::NotFound, "people sign in at the gateway of this site: there is no other way in"));
        }
        actor.admit(self.access(operation.access), self.options().public_read).map_err(|refusal| match (refusal, gateway) {
            (Refusal::NotAuthenticated, Some(absent)) => Error::with(Code::NotAuthenticated, absent),
            (refusal, _) => refusal.into(),
        })
    }

    /// Counts a request against the limit of an operation, and refuses it when there were too many. A door does so before it reads
    /// anything of the request: what cannot be read counts like any other, and costs no more.
    pub fn count<'a>(&'a self, operation: &'a Declaration, client: &'a Client) -> Pending<'a, Result<Counted, Error>> {
        Box::pin(async move {
            if let Some(limit) = operation.limit {
                limits::admit(self, operation.id, client, limit).await?;
            }
            Ok(Counted(operation.id))
        })
    }

    async fn admit_and_run(
        &self,
        actor: &Actor,
        door: Door,
        client: &Client,
        invocation: Invocation,
        counted: Option<Counted>,
    ) -> Result<Answer, Error> {
        let operation = invocation.operation;
        self.admit(actor, &operation)?;
        if door != Door::Local && counted.is_none_or(|counted| counted.0 != operation.id) {
            self.count(&operation, client).await?;
        }
        if operation.proof == Proof::Recent {
            self.callers().must_have_proven(self, self.store().reader(), actor, self.now()).await?;
        }
        invocation.work.check()?;
        self.admitted(actor, door, client, invocation).await
    }

    /// Does an operation for an actor who may.
    pub(crate) async fn admitted(
        &self,
        actor: &Actor,
        door: Door,
        client: &Client,
        Invocation { operation, mut work, attached }: Invocation,
    ) -> Result<Answer, Error> {
        // A reader writes nothing. SQLite has one writer, and nothing to lose against but what others stored since the work was prepared.
        let again = operation.tool != Tool::Read;
        let has_rivals = self.store().backend().has_concurrent_writers();
        let is_built_in = self.catalog().is_built_in(operation.id);
        let (mut patience, mut was_overtaken) = (Patience::new(), false);
        loop {
            let mut cx = Cx::new(self, actor, door, client, &operation);
            cx.was_overtaken = was_overtaken;
            cx.attached.clone_from(&attached);
            // A transaction that is dropped here is rolled back.
            let attempt = work.attempt(&mut cx, again);
            let attempted = if is_built_in { attempt.await } else { within(operation.time, attempt).await };
            let done = match attempted {
                Ok(()) => match cx.into_rest().await {
                    Ok(rest) => self.finish(rest).await,
                    Err(error) => Err(error),
                },
                Err(error) => {
                    drop(cx);
                    Err(error)
                }
            };
            match done {
                Ok(Ended { cookies, shown, found }) => return Ok(Answer { work, cookies, shown, found }),
                Err(error) if again && (has_rivals || error.is_overtaken()) => {
                    was_overtaken |= error.is_overtaken();
                    patience.wait(error).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Makes everything that was done last: rows, events and the trail together.
    async fn finish(&self, rest: Rest) -> Result<Ended, Error> {
        let Rest { tx, events, audit, afterwards, cookies, now, shown, found, turn } = rest;
        if let Some(tx) = tx {
            for line in &audit {
                tx.note(line);
            }
            tx.commit_with(&events, now).await?;
            drop(turn);
            self.follow(&events);
            if !events.is_empty() {
                self.committed().notify_one();
            }
            audit.iter().for_each(audit_line::hand_on);
            if !audit.is_empty() {
                self.unsealed().notify_one();
            }
        }
        for work in afterwards {
            work(self);
        }
        Ok(Ended { cookies, shown, found })
    }
}

/// What is left of an operation that was done, besides its answer.
struct Ended {
    cookies: Vec<Cookie>,
    shown: Shown,
    found: bool,
}

/// Gives something up that takes too long.
async fn within(time: Duration, work: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    timeout(time, work).await.unwrap_or_else(|_| Err(Error::with(Code::Busy, "it took too long, and nothing was changed")))
}

/// Says once what failed: a server's fault loudly, a caller's quietly.
fn log(error: &Error) {
    match error.code().kind() {
        Kind::Internal => {
            tracing::error!(code = error.code().as_str(), cause = error.private().map(tracing::field::debug), "operation failed");
        }
        Kind::Unavailable => {
            tracing::warn!(code = error.code().as_str(), cause = error.private().map(tracing::field::debug), "operation gave up");
        }
        _ => tracing::debug!(code = error.code().as_str(), reason = error.message(), "operation refused"),
    }
}
