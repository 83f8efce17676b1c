//! Puts the parts together: store, core, doors.

use std::sync::Arc;

use anyhow::{Context, bail};
use axum::Router;
use cms_admin::AdminOptions;
use cms_core::{Cms, Services, SystemClock, SystemIds, mail::Mail};
use cms_http_api::HttpOptions;
use cms_mcp::McpOptions;
use cms_storage::{Backend, Store};

use crate::{
    config::{Config, Migrate},
    metrics::Meter,
};

/// Opens the database and brings its tables up to date, unless that is left to the operator.
pub(crate) async fn store(config: &Config) -> anyhow::Result<Store> {
    let store = create_store(config).await?;
    if config.database.migrate == Migrate::Auto {
        let applied = store.migrate().await.context("the tables could not be brought up to date")?;
        if !applied.is_empty() {
            tracing::info!(migrations = applied.join(", "), "tables brought up to date");
        }
    } else if store.migrations().await?.iter().any(|migration| !migration.applied) {
        bail!("the tables are not up to date, and `database.migrate` is `manual`: run `cms migrate up`");
    }
    Ok(store)
}

/// Opens the database; makes the folder and the file of a SQLite database that is not there yet.
pub(crate) async fn create_store(config: &Config) -> anyhow::Result<Store> {
    if let Some(folder) = config.database.url.folder() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    }
    Store::open(&config.store()).await.with_context(|| format!("cannot open the database {}", config.database.url))
}

/// Opens a database that must be there.
pub(crate) async fn existing_store(config: &Config) -> anyhow::Result<Store> {
    must_exist(config)?;
    create_store(config).await
}

/// Refuses to make a database for a command that only looks: what it would see is a mistake.
pub(crate) fn must_exist(config: &Config) -> anyhow::Result<()> {
    match config.database.url.file() {
        Some(file) if !file.exists() => bail!("there is no database at `{}`", file.display()),
        _ => Ok(()),
    }
}

/// The system over a database whose tables are up to date.
pub(crate) async fn cms(config: &Config) -> anyhow::Result<Cms> {
    let services = services(config)?;
    Ok(Cms::assemble(store(config).await?, config.options(), services, Arc::new(SystemClock), Arc::new(SystemIds::default())))
}

/// What others do for the system.
fn services(config: &Config) -> anyhow::Result<Services> {
    let mail = config.mail.service(&config.origin())?.map(|smtp| Arc::new(smtp) as Arc<dyn Mail>);
    Ok(Services { mail, providers: config.providers.service()?, gateway: config.gateway.service()? })
}

/// What a person calls the database.
pub(crate) fn name(backend: Backend) -> &'static str {
    match backend {
        Backend::Sqlite => "SQLite",
        Backend::Postgres => "PostgreSQL",
    }
}

/// Both doors, the admin application, and what tells whether the server lives.
pub(crate) fn router(cms: &Cms, config: &Config, meter: Option<&Meter>) -> Router {
    let options = http_options(config);
    let tools = cms_http_api::with_clients(cms_mcp::router(cms.clone(), mcp_options(config)), &options);
    let router = cms_http_api::router(cms.clone(), options)
        .merge(tools)
        .merge(cms_admin::router(&admin_options(config)))
        .merge(cms_http_api::health(cms.clone()))
        .fallback(cms_http_api::not_found);
    match meter {
        Some(meter) => meter.watch(router),
        None => router,
    }
}

/// How the REST door is set up.
pub(crate) fn http_options(config: &Config) -> HttpOptions {
    HttpOptions {
        prefix: config.product.prefix.to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        public_origin: config.server.public_origin.as_ref().map(ToString::to_string),
        csrf_header: config.product.csrf_header.name().clone(),
        session_cookie: config.product.session_cookie.to_string(),
        trusted_hops: config.server.trusted_proxies.into(),
        cors_origins: config.server.cors_origins.iter().map(ToString::to_string).collect(),
        body_limit: config.server.body_limit.0,
        body_timeout: config.server.body_timeout.0,
        request_timeout: config.server.request_timeout.0,
        cache_bytes: config.api.cache.0 as u64,
        ..HttpOptions::default()
    }
}

fn admin_options(config: &Config) -> AdminOptions {
    AdminOptions {
        prefix: config.product.prefix.to_string(),
        csrf_header: config.product.csrf_header.name().to_string(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn mcp_options(config: &Config) -> McpOptions {
    McpOptions {
        prefix: config.product.prefix.to_string(),
        public_origin: config.server.public_origin.as_ref().map(ToString::to_string),
        allowed_origins: config.server.cors_origins.iter().map(ToString::to_string).collect(),
        body_limit: config.server.body_limit.0,
        body_timeout: config.server.body_timeout.0,
        request_timeout: config.server.request_timeout.0,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..McpOptions::default()
    }
}
