//! `cms serve`: the server.

use std::{future::Future, process::ExitCode, time::Duration};

use anyhow::bail;
use clap::Args;
use cms_core::{
    Cms, Door,
    accounts::{Services, connections::AdoptConnections, setup::OfferSetup},
    intake::Intake,
    tasks::driver::run_tasks,
};
use cms_domain::access::Actor;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{App, policies};
use crate::{
    config::{Config, ListenAddress},
    listen,
    metrics::Meter,
    wire,
};

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Address and port: the same as `--set server.listen=…`.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<ListenAddress>,
}

pub(super) async fn run(app: &App, command: Serve) -> anyhow::Result<ExitCode> {
    let mut config = app.config.clone();
    config.server.listen = command.listen.unwrap_or(config.server.listen);
    // Whoever cannot listen does not touch the database.
    let listener = listen::bind(config.server.listen.as_str()).await?;
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() && config.server.public_origin.is_none() {
        bail!(
            "the server listens on {address}, which others can reach: say under which address with `server.public_origin`, as in \
             `https://cms.example.org`. Links in mail, passkeys and sign-in at providers depend on it"
        );
    }
    if Intake::for_large(config.server.body_memory.0) < config.server.body_limit.0 {
        bail!(
            "`server.body_memory` ({}) has no room for a body of `server.body_limit` ({}): make it at least four thirds of that",
            config.server.body_memory,
            config.server.body_limit
        );
    }
    config.server.listen = ListenAddress::of(address);
    let meter_listener = match &config.metrics.listen {
        Some(address) => Some(listen::bind(address.as_str()).await?),
        None => None,
    };
    let (cms, store) = wire::cms(&config).await?;
    let meter = meter_listener.is_some().then(Meter::new);
    // Before anybody comes back from a provider, and before the configuration can name another one.
    cms.invoke(&Actor::System, Door::Local, AdoptConnections {}).await?;
    let router = wire::router(&cms, &config, meter.as_ref());

    let stop = CancellationToken::new();
    let tasks = tokio::spawn(run_tasks(cms.clone(), stop.clone().cancelled_owned()));
    if let (Some(meter), Some(listener)) = (meter, meter_listener) {
        let (router, settings, stop) = (meter.router(cms.clone(), store.clone()), config.server.clone(), stop.clone());
        tokio::spawn(async move { listen::serve(listener, router, &settings, stop.cancelled_owned()).await });
    }
    greet(app, &config, &cms, wire::name(store.backend()), &address.to_string()).await?;
    policies::warn(&cms).await?;

    let ended = listen::serve(listener, router, &config.server, asked_to_stop(&cms, config.server.drain.0, &stop)).await;
    if !ended {
        tracing::warn!("requests were cut off: they did not end within `server.shutdown_grace`");
    }
    let steps = tokio::time::timeout(config.server.shutdown_grace.0, tasks).await;
    if steps.is_err() {
        tracing::warn!("a background task was cut off: it did not end within `server.shutdown_grace`");
    }
    let letters = tokio::time::timeout(config.server.shutdown_grace.0, cms.finish_background()).await;
    if letters.is_err() {
        tracing::warn!("letters were cut off: they were not delivered within `server.shutdown_grace`");
    }
    store.close().await;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Ends some time after the process is asked to stop, and has everything else stop too. Asked twice, it stops at once.
fn asked_to_stop(cms: &Cms, drain: Duration, stop: &CancellationToken) -> impl Future<Output = ()> {
    let (cms, stop) = (cms.clone(), stop.clone());
    async move {
        listen::stop_signal().await;
        tracing::info!("stopping");
        tokio::spawn(async {
            listen::stop_signal().await;
            std::process::exit(1);
        });
        cms.leave();
        tokio::time::sleep(drain).await;
        stop.cancel();
    }
}

/// Tells whoever started the server what is left to do before people can work.
fn invitation(setup: &str, is_behind_gateway: bool) -> String {
    if is_behind_gateway {
        format!(
            "This site has no name yet. Whoever opens this address gives it one:\n  {setup}\n\
             Who is the admin does not depend on it: that is the first person to come through the gateway, if there is none yet"
        )
    } else {
        format!(
            "This site has no admin yet. Whoever opens this address becomes the first one:\n  {setup}\n\
             or make one with `cms admin create --email you@example.org`"
        )
    }
}

/// Says where the server is, and how to let the first people in.
async fn greet(app: &App, config: &Config, cms: &Cms, database: &str, address: &str) -> anyhow::Result<()> {
    let product = cms.product();
    let origin = product.public_origin.as_ref().map_or_else(|| format!("http://{address}"), ToString::to_string);
    let api = format!("{origin}{}", product.api());
    // Passkeys belong to the public origin, so that is where the setup has to be.
    let admin = format!("{}{}", product.origin(), product.admin());
    let offer = OfferSetup { token: config.server.setup_token.as_ref().map(|token| token.reveal().to_owned()) };
    let setup = cms.invoke(&Actor::System, Door::Local, offer).await?.token.map(|token| format!("{admin}/setup#token={token}"));
    let (mcp, docs) = (format!("{api}/mcp"), format!("{api}/docs"));
    let greeting = json!({
        "listening": format!("http://{address}"),
        "admin": admin,
        "api": api,
        "mcp": mcp,
        "docs": docs,
        "database": database,
        "setup": setup,
    });
    app.out.answer(&greeting, || {
        let version = env!("CARGO_PKG_VERSION");
        format!("cms {version} on {database}, listening on http://{address}\n  admin {admin}\n  REST  {api}\n  MCP   {mcp}\n  docs  {docs}")
    })?;
    if let Some(setup) = setup {
        app.out.remark(&invitation(&setup, Services::of(cms).gateway.is_some()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_a_gateway_the_address_of_the_setup_makes_nobody_an_admin() {
        let (behind, alone) = (invitation("https://a/setup", true), invitation("https://a/setup", false));
        assert!(behind.contains("https://a/setup") && behind.contains("no name yet") && behind.contains("first person to come through"));
        assert!(!behind.contains("no admin yet") && alone.contains("no admin yet") && alone.contains("cms admin create"));
    }
}
