//! `cms call`: any operation of the catalog, as the operator or at another server.

use std::process::ExitCode;

use clap::Args;
use cms_core::descriptor::Descriptor;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::{
    App,
    place::{self, Place, Remote},
};

#[derive(Debug, Args)]
pub(super) struct Call {
    /// Which operation, as in `content.list`. Without one, all are listed.
    operation: Option<String>,
    /// Its input, a JSON object; `-` reads it from the standard input.
    #[arg(long, default_value = "{}")]
    input: String,
    /// Print what it takes and what it answers, as JSON Schema, and do nothing.
    #[arg(long, requires = "operation", conflicts_with = "remote")]
    schema: bool,
    #[command(flatten)]
    remote: Remote,
}

pub(super) async fn run(app: &App, command: Call) -> anyhow::Result<ExitCode> {
    let catalog = cms_core::built_in();
    let Some(id) = command.operation else {
        let ids: Vec<_> = catalog.iter().map(|operation| operation.id).collect();
        app.out.answer(&json!({ "items": ids }), || ids.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    };
    let operation = place::find(&catalog, &id)?;
    if command.schema {
        app.out.text(&serde_json::to_string_pretty(&schema(&operation))?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let input = place::object("--input", &command.input)?;
    let mut place = Place::open(app, command.remote).await?;
    let answer = place.call(&id, input).await?;
    app.out.answer(&answer, || serde_json::to_string_pretty(&answer).unwrap_or_default())?;
    place.close(app).await;
    Ok(ExitCode::SUCCESS)
}

/// What an operation takes and what it answers.
fn schema(operation: &Descriptor) -> Value {
    json!({
        "input": operation.whole_input(SchemaGenerator::default()),
        "output": operation.whole_output(SchemaGenerator::default()),
    })
}
