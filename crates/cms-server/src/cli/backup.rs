//! `cms backup` and `cms restore`: everything in one file, and back.

use std::{path::PathBuf, process::ExitCode};

use anyhow::bail;
use clap::Args;
use cms_core::{Clock, SystemClock};
use cms_storage::Manifest;
use serde_json::json;

use super::App;
use crate::{backup, wire};

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// The archive to write. It holds hashes of tokens: keep it as you keep the database.
    file: PathBuf,
    /// Replace a file of that name.
    #[arg(long)]
    force: bool,
    /// Where the rows are gathered before they are packed; without it, beside the archive.
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// The archive to read.
    file: PathBuf,
    /// Where the archive is unpacked; without it, where the system keeps temporary files.
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,
}

pub(super) async fn backup(app: &App, command: Backup) -> anyhow::Result<ExitCode> {
    let path = &command.file;
    if path.exists() && !command.force {
        bail!("there is a file `{}` already: name another, or replace it with `--force`", path.display());
    }
    let store = wire::existing_store(&app.config).await?;
    let manifest = backup::save(&store, path, command.temp.as_deref(), command.force, SystemClock.now()).await?;
    store.close().await;
    let rows = rows(&manifest);
    app.out.answer(&json!({ "file": path, "rows": rows, "tables": manifest.tables }), || {
        format!("{rows} rows in {} tables saved to {}", manifest.tables.len(), path.display())
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn restore(app: &App, command: Restore) -> anyhow::Result<ExitCode> {
    let store = wire::create_store(&app.config).await?;
    let (about, manifest) = backup::restore(&store, &command.file, command.temp.as_deref()).await?;
    store.close().await;
    let rows = rows(&manifest);
    app.out.answer(&json!({ "backup": about, "rows": rows, "tables": manifest.tables }), || {
        format!("{rows} rows in {} tables restored, as they were on {}", manifest.tables.len(), about.created_at)
    })?;
    Ok(ExitCode::SUCCESS)
}

fn rows(manifest: &Manifest) -> u64 {
    manifest.tables.iter().map(|table| table.rows).sum()
}
