//! `cms config`: the settings in force.

use std::{fmt::Write, process::ExitCode};

use clap::Args;
use serde_json::{Value, json};

use super::App;
use crate::config::{Setting, schema, settings};

#[derive(Debug, Args)]
pub(super) struct ShowConfig {
    /// Print the JSON Schema of the configuration file instead.
    #[arg(long)]
    schema: bool,
    /// Print the table of all settings for the documentation instead.
    #[arg(long, conflicts_with = "schema")]
    markdown: bool,
}

pub(super) fn run(app: &App, command: &ShowConfig) -> anyhow::Result<ExitCode> {
    if command.schema {
        app.out.text(&serde_json::to_string_pretty(&schema())?)?;
    } else if command.markdown {
        app.out.text(&markdown()?)?;
    } else {
        let values = serde_json::to_value(&app.config)?;
        let value = |setting: &Setting| values.pointer(&format!("/{}", setting.key.replace('.', "/"))).cloned().unwrap_or_default();
        let items: Vec<_> = app
            .resolved
            .sources
            .iter()
            .map(|(setting, source)| json!({ "key": setting.key, "value": value(setting), "source": source.to_string() }))
            .collect();
        app.out.answer(&json!({ "items": items }), || {
            let rows: Vec<_> =
                app.resolved.sources.iter().map(|(setting, source)| (format!("{} = {}", setting.key, value(setting)), source)).collect();
            let width = rows.iter().map(|(text, _)| text.chars().count()).max().unwrap_or(0);
            rows.iter().map(|(text, source)| format!("{text:width$}  # {source}")).collect::<Vec<_>>().join("\n")
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every setting as a row: key, variable, default, purpose.
fn markdown() -> anyhow::Result<String> {
    let mut text = "| Setting | Variable | Default | What it is |\n|---|---|---|---|\n".to_owned();
    for setting in settings()? {
        let default = match &setting.default {
            Value::Null => "–".to_owned(),
            value => format!("`{value}`"),
        };
        let about = setting.about.replace('|', "\\|");
        writeln!(text, "| `{}` | `{}` | {default} | {about} |", setting.key, setting.variable())?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_every_setting() {
        let documented = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/configuration.md")).unwrap();
        let table = markdown().unwrap();
        assert!(documented.contains(&table), "put the output of `cms config --markdown` into docs/configuration.md:\n{table}");
    }
}
