//! `cms doctor`: looks for damage, and mends what is derived.

use std::{fmt::Write, process::ExitCode};

use anyhow::Context;
use clap::Args;
use cms_core::{Clock, SystemClock};
use serde_json::json;

use super::App;
use crate::{
    doctor::{Check, Status, examine, repair},
    wire,
};

#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Compute everything that is derived from entries again before looking.
    #[arg(long)]
    repair: bool,
}

pub(super) async fn run(app: &App, command: Doctor) -> anyhow::Result<ExitCode> {
    let store = wire::existing_store(&app.config).await?;
    if command.repair {
        repair(&store).await.context("what is derived could not be computed again")?;
    }
    let checks = examine(&store, SystemClock.now()).await;
    store.close().await;
    let worst = checks.iter().map(|check| check.status).max().unwrap_or(Status::Pass);
    app.out.answer(&json!({ "status": worst, "checks": checks }), || worded(&checks))?;
    Ok(if worst == Status::Fail { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn worded(checks: &[Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let status = match check.status {
            Status::Pass => "pass",
            Status::Warn => "WARN",
            Status::Fail => "FAIL",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{status}  {:<13} {}", check.name, check.message);
        for finding in &check.findings {
            let _ = writeln!(text, "      {finding}");
        }
    }
    text
}
