//! `cms migrate`: the tables.

use std::process::ExitCode;

use clap::Subcommand;
use serde_json::json;

use super::App;
use crate::wire;

#[derive(Debug, Subcommand)]
pub(super) enum Migrate {
    /// List the migrations, and which were applied.
    Status,
    /// Apply those that were not. Servers and commands that do so at once take turns.
    Up,
}

pub(super) async fn run(app: &App, command: Migrate) -> anyhow::Result<ExitCode> {
    match command {
        Migrate::Status => {
            let store = wire::existing_store(&app.config).await?;
            let migrations = store.migrations().await?;
            let items: Vec<_> =
                migrations.iter().map(|migration| json!({ "name": migration.name, "applied": migration.applied })).collect();
            app.out.answer(&json!({ "items": items }), || {
                let line = |applied, name: &str| format!("{}  {name}\n", if applied { "applied" } else { "pending" });
                migrations.iter().map(|migration| line(migration.applied, &migration.name)).collect()
            })?;
            store.close().await;
        }
        Migrate::Up => {
            let store = wire::create_store(&app.config).await?;
            let applied = store.migrate().await?;
            app.out.answer(&json!({ "applied": applied }), || match applied.len() {
                0 => "the tables are up to date".to_owned(),
                _ => format!("applied  {}", applied.join("\napplied  ")),
            })?;
            store.close().await;
        }
    }
    Ok(ExitCode::SUCCESS)
}
