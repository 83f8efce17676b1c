//! `cms migrate`: the tables.

use std::process::ExitCode;

use clap::Subcommand;
use cms_storage::{MigrationStatus, SchemaState, Versions};
use serde_json::{Value, json};

use super::App;
use crate::wire;

#[derive(Debug, Subcommand)]
pub(super) enum Migrate {
    /// List the migrations, which were applied, and whether this program can work on the database.
    Status,
    /// Apply those that were not. Servers and commands that do so at once take turns. One that others keep from the tables tries again.
    Up,
}

pub(super) async fn run(app: &App, command: Migrate) -> anyhow::Result<ExitCode> {
    match command {
        Migrate::Status => {
            let store = wire::existing_store(&app.config).await?;
            let versions = store.versions().await?;
            app.out.answer(&told(&versions), || worded(&versions))?;
            store.close().await;
        }
        Migrate::Up => {
            let store = wire::create_store(&app.config).await?;
            let applied = store.migrate().await?;
            let newer = store.versions().await?.unknown();
            app.out.answer(&json!({ "applied": applied, "newer": newer }), || match (applied.as_slice(), newer.as_slice()) {
                ([], []) => "the tables are up to date".to_owned(),
                ([], newer) => format!("the tables are up to date; a newer program added to them: {}", newer.join(", ")),
                (applied, _) => format!("applied  {}", applied.join("\napplied  ")),
            })?;
            store.close().await;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn told(versions: &Versions) -> Value {
    let state = versions.state();
    let name = match state {
        SchemaState::Ready => "ready",
        SchemaState::Pending(_) => "pending",
        SchemaState::Outdated { .. } => "outdated",
        SchemaState::Diverged { .. } => "diverged",
    };
    let item = |migration: &MigrationStatus| json!({ "name": migration.name, "applied": migration.applied, "known": migration.known });
    json!({
        "items": versions.migrations.iter().map(item).collect::<Vec<_>>(),
        "newest": Versions::newest(),
        "minProgram": versions.min_program,
        "state": name,
        "message": state.to_string(),
    })
}

fn worded(versions: &Versions) -> String {
    let line = |migration: &MigrationStatus| {
        let status = match (migration.known, migration.applied) {
            (false, _) => "newer  ",
            (true, true) => "applied",
            (true, false) => "pending",
        };
        format!("{status}  {}\n", migration.name)
    };
    let lines: String = versions.migrations.iter().map(line).collect();
    format!(
        "{lines}\n{}.\nThe database serves programs that know migration {}; this one knows those up to {}.\n",
        versions.state(),
        versions.min_program,
        Versions::newest()
    )
}
