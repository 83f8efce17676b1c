//! The only way in: scope, then role, then how often, then how lately proven, then the operation's own rules, then the operation; commit or nothing.

use cms_domain::access::{Access, Actor, Refusal};
use tracing::Instrument;

use crate::{
    Client, Cms, Code, Cookie, Cx, Done, Door, Error, Kind,
    accounts::{gateway, proof},
    audit_line,
    cx::Rest,
    failures, limits, mail,
    operation::{Http, Limit, Operation, Proof, Tool},
    patience::Patience,
};

/// That a request was counted against the limit of an operation.
#[derive(Debug)]
pub struct Counted(&'static str);

impl Cms {
    /// Does an operation for an actor. Nothing is written unless all of it succeeds.
    pub async fn invoke<O: Operation>(&self, actor: &Actor, door: Door, operation: O) -> Result<O::Output, Error> {
        Ok(self.call(actor, door, &Client::default(), operation).await?.output)
    }

    /// Does an operation for an actor behind a client, whose browser may have to keep something afterwards.
    pub async fn call<O: Operation>(&self, actor: &Actor, door: Door, client: &Client, operation: O) -> Result<Done<O::Output>, Error> {
        self.call_counted(actor, door, client, operation, None).await
    }

    /// Does an operation like [`Cms::call`], without counting once more what [`Cms::count`] counted.
    pub async fn call_counted<O: Operation>(
        &self,
        actor: &Actor,
        door: Door,
        client: &Client,
        operation: O,
        counted: Option<Counted>,
    ) -> Result<Done<O::Output>, Error> {
        let span = tracing::info_span!("operation", operation = O::ID, user = actor.user().map(tracing::field::display));
        async move {
            let result = self.admit_and_run(actor, door, client, operation, counted).await;
            if let Err(error) = &result {
                debug_assert!(failures::has::<O>(error.code()), "`{}` does not declare that it fails with {error}", O::ID);
                log(error);
            }
            result
        }
        .instrument(span)
        .await
    }

    /// Refuses what an actor may not, before anything of the request is read; and everything, once the tables are not this program's any more.
    pub fn admit(&self, actor: &Actor, http: &Http, access: Access) -> Result<(), Error> {
        self.must_be_current()?;
        let gateway = self.services().gateway.as_deref();
        if gateway.is_some() && gateway::replaces(http) {
            return Err(Error::with(Code::NotFound, "people sign in at the gateway of this site: there is no other way in"));
        }
        actor.admit(self.access(access), self.options().public_read).map_err(|refusal| match refusal {
            Refusal::NotAuthenticated if gateway.is_some() => Error::with(Code::NotAuthenticated, gateway::ABSENT),
            refusal => refusal.into(),
        })
    }

    /// Counts a request against the limit of an operation, and refuses it when there were too many. A door does so before it reads
    /// anything of the request: what cannot be read counts like any other, and costs no more.
    pub async fn count(&self, id: &'static str, limit: Option<Limit>, client: &Client) -> Result<Counted, Error> {
        if let Some(limit) = limit {
            limits::admit(self, id, client, limit).await?;
        }
        Ok(Counted(id))
    }

    async fn admit_and_run<O: Operation>(
        &self,
        actor: &Actor,
        door: Door,
        client: &Client,
        operation: O,
        counted: Option<Counted>,
    ) -> Result<Done<O::Output>, Error> {
        self.admit(actor, &O::HTTP, O::ACCESS)?;
        if door != Door::Local && counted.is_none_or(|counted| counted.0 != O::ID) {
            self.count(O::ID, O::LIMIT, client).await?;
        }
        if O::PROOF == Proof::Recent {
            proof::require(self, self.store().reader(), actor, self.now()).await?;
        }
        operation.check()?;
        self.admitted(actor, door, client, operation).await
    }

    /// Does an operation for an actor who may.
    pub(crate) async fn admitted<O: Operation>(
        &self,
        actor: &Actor,
        door: Door,
        client: &Client,
        operation: O,
    ) -> Result<Done<O::Output>, Error> {
        // SQLite has one writer and nothing to lose against; a reader writes nothing.
        if O::TOOL == Tool::Read || !self.store().backend().has_concurrent_writers() {
            return self.attempt(actor, door, client, operation).await;
        }
        let mut patience = Patience::new();
        loop {
            match self.attempt(actor, door, client, operation.clone()).await {
                Err(error) => patience.wait(error).await?,
                done => return done,
            }
        }
    }

    async fn attempt<O: Operation>(&self, actor: &Actor, door: Door, client: &Client, operation: O) -> Result<Done<O::Output>, Error> {
        let mut cx = Cx::new::<O>(self, actor, door, client);
        // A transaction that is dropped here is rolled back.
        // Operations are of all sizes, and what waits for one is not to be as large as the largest.
        let output = Box::pin(operation.run(&mut cx)).await?;
        let cookies = self.finish(cx.into_rest()).await?;
        Ok(Done { output, cookies })
    }

    /// Makes everything that was done last: rows, events and the trail together.
    async fn finish(&self, rest: Rest) -> Result<Vec<Cookie>, Error> {
        let Rest { tx, events, audit, letters, cookies, now } = rest;
        let tx = match tx {
            None if !(audit.is_empty() && events.is_empty()) => Some(self.store().write().await?),
            tx => tx,
        };
        if let Some(tx) = tx {
            for line in &audit {
                tx.audit().insert(line).await?;
            }
            tx.commit_with(&events, now).await?;
            self.follow(&events);
            if !events.is_empty() {
                self.committed().notify_one();
            }
            audit.iter().for_each(audit_line::hand_on);
            if !audit.is_empty() {
                self.unsealed().notify_one();
            }
        }
        for letter in letters {
            mail::deliver_later(self, letter);
        }
        Ok(cookies)
    }
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
