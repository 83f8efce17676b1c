//! `cms openapi`, `cms tools`, `cms errors` and `cms types`: what is generated from what serves.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Context;
use clap::Subcommand;
use cms_core::{Door, content::schema::export::ExportTypes};
use cms_domain::access::Actor;

use super::App;
use crate::wire;

#[derive(Debug, Subcommand)]
pub(super) enum Types {
    /// Print TypeScript types of the site's collections.
    Typescript {
        /// Write to a file instead.
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

pub(super) fn openapi(app: &App, internal: bool) -> anyhow::Result<ExitCode> {
    let (catalog, product) = (cms_core::built_in(), app.config.product());
    let document = if internal { cms_http_api::internal_openapi(&catalog, &product) } else { cms_http_api::openapi(&catalog, &product) };
    app.out.text(&serde_json::to_string_pretty(&document)?)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn tools(app: &App) -> anyhow::Result<ExitCode> {
    app.out.text(&serde_json::to_string_pretty(&cms_mcp::describe(&cms_core::built_in()))?)?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn errors(app: &App) -> anyhow::Result<ExitCode> {
    app.out.text(cms_http_api::error_reference().trim_end())?;
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn types(app: &App, command: Types) -> anyhow::Result<ExitCode> {
    let Types::Typescript { output } = command;
    let (cms, store) = wire::cms(&app.config).await?;
    let types = cms.invoke(&Actor::System, Door::Local, ExportTypes {}).await?;
    match output {
        Some(path) => std::fs::write(&path, &types.typescript).with_context(|| format!("cannot write `{}`", path.display()))?,
        None => app.out.answer(&types, || types.typescript.clone())?,
    }
    store.close().await;
    Ok(ExitCode::SUCCESS)
}
