//! `cms call`: any operation of the catalog, done as the operator.

use std::{io::Read, process::ExitCode};

use clap::Args;
use cms_core::{Client, Cms, Door};
use cms_domain::access::Actor;
use serde_json::{Map, Value, json};

use super::{App, Usage};
use crate::wire;

#[derive(Debug, Args)]
pub(super) struct Call {
    /// Which operation, as in `content.list`. Without one, all are listed.
    operation: Option<String>,
    /// Its input, a JSON object; `-` reads it from the standard input.
    #[arg(long, default_value = "{}")]
    input: String,
}

pub(super) async fn run(app: &App, command: Call) -> anyhow::Result<ExitCode> {
    let Some(id) = command.operation else {
        let catalog = cms_core::built_in();
        let ids: Vec<_> = catalog.iter().map(|operation| operation.id).collect();
        app.out.answer(&json!({ "items": ids }), || ids.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    };
    let input = read(&command.input)?;
    let (cms, store) = wire::cms(&app.config).await?;
    let answer = call(&cms, &id, input).await?;
    app.out.answer(&answer, || serde_json::to_string_pretty(&answer).unwrap_or_default())?;
    cms.finish_background().await;
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Does an operation of the system's catalog as the operator.
async fn call(cms: &Cms, id: &str, input: Map<String, Value>) -> anyhow::Result<Value> {
    let Some(operation) = cms.catalog().get(id).cloned() else {
        return Err(Usage(format!("there is no operation `{id}`; `cms call` lists them")).into());
    };
    let invocation = operation.read(input)?;
    let answer = cms.perform(&Actor::System, Door::Local, &Client::default(), invocation, None).await?;
    Ok(serde_json::from_slice(&answer.to_json()?)?)
}

fn read(text: &str) -> anyhow::Result<Map<String, Value>> {
    let mut from_input = String::new();
    let text = if text == "-" {
        std::io::stdin().read_to_string(&mut from_input)?;
        from_input.as_str()
    } else {
        text
    };
    match cms_domain::json::parse(text.as_bytes()) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(Usage("`--input`: expected a JSON object".to_owned()).into()),
        Err(error) => Err(Usage(format!("`--input`: {error}")).into()),
    }
}

#[cfg(test)]
mod tests {
    use cms_core::testing::{SignIn, TestApp, TestStore};

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
        app.cms().remove_operations(&[<SignIn as cms_core::operation::Operation>::ID]);
        let gone = call(app.cms(), "test.sign_in", editor).await.unwrap_err();
        assert_eq!(gone.to_string(), "there is no operation `test.sign_in`; `cms call` lists them");
        store.remove().await.unwrap();
    }
}
