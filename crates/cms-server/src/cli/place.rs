//! Where operations are done: in the system of the configuration, as its operator, or at another server, as its user.

use std::{io, sync::Arc};

use anyhow::Context;
use clap::Args;
use cms_core::{Client, Cms, Door, catalog::Catalog, descriptor::Descriptor};
use cms_domain::access::Actor;
use cms_storage::Store;
use serde_json::{Map, Value};

use super::{App, Usage, login::SignedIn};
use crate::{spelling, wire};

#[derive(Debug, Args)]
pub(super) struct Remote {
    /// At another server, as the user who is signed in there with `cms login`; without an address at the one that was signed in to last.
    #[arg(long, global = true, value_name = "URL", num_args = 0..=1, default_missing_value = "")]
    remote: Option<String>,
}

pub(super) enum Place {
    Here { cms: Cms, store: Store },
    There(Box<SignedIn>),
}

impl Place {
    pub(super) async fn open(app: &App, remote: Remote) -> anyhow::Result<Self> {
        if let Some(url) = remote.remote {
            return Ok(Self::There(Box::new(SignedIn::at(app, Some(url.as_str()).filter(|url| !url.is_empty())).await?)));
        }
        let (cms, store) = wire::cms(&app.config).await?;
        Ok(Self::Here { cms, store })
    }

    /// Does an operation.
    pub(super) async fn call(&mut self, id: &str, input: Map<String, Value>) -> anyhow::Result<Value> {
        match self {
            Self::Here { cms, .. } => call(cms, id, input).await,
            Self::There(signed_in) => {
                let operation = find(&cms_core::built_in(), id)?;
                signed_in.call(&operation, &input).await
            }
        }
    }

    /// Does an operation whose input leaves out what is null.
    pub(super) async fn ask(&mut self, id: &str, input: Value) -> anyhow::Result<Value> {
        let Value::Object(mut input) = input else { return Ok(Value::Null) };
        input.retain(|_, value| !value.is_null());
        self.call(id, input).await
    }

    /// Ends what was begun.
    pub(super) async fn close(self, app: &App) {
        if let Self::Here { cms, store } = self {
            wire::close(&app.config, &cms, &store).await;
        }
    }
}

/// Does an operation of the system's catalog as the operator.
async fn call(cms: &Cms, id: &str, input: Map<String, Value>) -> anyhow::Result<Value> {
    let invocation = find(&cms.catalog(), id)?.read(input)?;
    let answer = cms.perform(&Actor::System, Door::Local, &Client::default(), invocation, None).await?;
    Ok(serde_json::from_slice(&answer.to_json()?)?)
}

/// What was typed behind a flag: a JSON object, or `-` for the one that comes in.
pub(super) fn object(flag: &str, text: &str) -> anyhow::Result<Map<String, Value>> {
    let text = if text == "-" { io::read_to_string(io::stdin()).context("cannot read the standard input")? } else { text.to_owned() };
    match cms_domain::json::parse(text.as_bytes()) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Usage(format!("`{flag}`: expected a JSON object")).into()),
        Err(error) => Err(Usage(format!("`{flag}`: {error}")).into()),
    }
}

/// An operation of a catalog.
pub(super) fn find(catalog: &Catalog, id: &str) -> Result<Arc<Descriptor>, Usage> {
    catalog.get(id).cloned().ok_or_else(|| {
        let meant = spelling::did_you_mean(id, catalog.iter().map(|operation| operation.id));
        Usage(format!("there is no operation `{id}`{}", if meant.is_empty() { "; `cms call` lists them".to_owned() } else { meant }))
    })
}

#[cfg(test)]
mod tests {
    use cms_core::testing::{SignIn, TestApp, TestStore};
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn what_was_added_to_the_system_can_be_called_until_it_is_taken_away() {
        let store = TestStore::sqlite().await.unwrap();
        let app = TestApp::open(store.store().clone()).await.unwrap();
        let editor = json!({ "role": 40 }).as_object().unwrap().clone();
        let signed_in = call(app.cms(), "test.sign_in", editor.clone()).await.unwrap();
        assert_eq!(signed_in["user"]["email"], "editor@example.com", "{signed_in}");
        let refused = call(app.cms(), "test.sign_in", Map::new()).await.unwrap_err();
        assert!(refused.to_string().contains("VALIDATION_ERROR"), "{refused}");
        let meant = call(app.cms(), "test.sign_inn", Map::new()).await.unwrap_err();
        assert_eq!(meant.to_string(), "there is no operation `test.sign_inn`: did you mean `test.sign_in`?");
        app.cms().remove_operations(&[<SignIn as cms_core::operation::Operation>::ID]);
        let gone = call(app.cms(), "test.sign_in", editor).await.unwrap_err();
        assert_eq!(gone.to_string(), "there is no operation `test.sign_in`; `cms call` lists them");
        store.remove().await.unwrap();
    }
}
