//! `cms call`: any operation of the catalog, done as the operator.

use std::{future::Future, io::Read, pin::Pin, process::ExitCode};

use clap::Args;
use cms_core::{
    Cms, Door, Error,
    catalog::catalog,
    input,
    operation::{Operation, Visitor},
};
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
    let Some(operation) = command.operation else {
        let mut ids = Ids::default();
        catalog(&mut ids);
        app.out.answer(&json!({ "items": ids.0 }), || ids.0.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    };
    let input = read(&command.input)?;
    let cms = wire::cms(&app.config).await?;
    let mut caller = Caller { cms: cms.clone(), operation: &operation, input: Some(input), found: None };
    catalog(&mut caller);
    let Some(answer) = caller.found else {
        return Err(Usage(format!("there is no operation `{operation}`; `cms call` lists them")).into());
    };
    let answer = answer.await?;
    app.out.answer(&answer, || serde_json::to_string_pretty(&answer).unwrap_or_default())?;
    cms.finish_background().await;
    cms.store().close().await;
    Ok(ExitCode::SUCCESS)
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

#[derive(Default)]
struct Ids(Vec<&'static str>);

impl Visitor for Ids {
    fn visit<O: Operation>(&mut self) {
        self.0.push(O::ID);
    }
}

/// An answer on its way.
type Answer = Pin<Box<dyn Future<Output = Result<Value, Error>>>>;

/// Meets the operation that is asked for, and invokes it.
struct Caller<'a> {
    cms: Cms,
    operation: &'a str,
    input: Option<Map<String, Value>>,
    found: Option<Answer>,
}

impl Visitor for Caller<'_> {
    fn visit<O: Operation>(&mut self) {
        if O::ID != self.operation {
            return;
        }
        let (cms, input) = (self.cms.clone(), self.input.take().unwrap_or_default());
        self.found = Some(Box::pin(async move {
            let output = cms.invoke(&Actor::System, Door::Local, input::read::<O>(input)?).await?;
            Ok(serde_json::to_value(output)?)
        }));
    }
}
