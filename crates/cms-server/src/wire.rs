//! Puts the parts together: store, core, doors.

use std::sync::Arc;

use anyhow::{Context, bail};
use axum::{
    Router,
    http::{HeaderValue, header},
    middleware::map_response,
    response::Response,
};
use cms_core::{
    Cms, Parts,
    accounts::{Services, mail::Mail},
    catalog::Wire,
};
use cms_http_api::{HttpOptions, Raw};
use cms_mcp::McpOptions;
use cms_storage::{Backend, SchemaState, Store};

use crate::{
    config::{Config, ForwardedHeader, Migrate},
    metrics::Meter,
    private,
};

/// Two years, as browsers recommend. The hosts below this one are somebody else's to speak for.
const STAY_SECURE: HeaderValue = HeaderValue::from_static("max-age=63072000");

/// Opens the database and brings its tables up to date, unless that is left to the operator.
pub(crate) async fn store(config: &Config) -> anyhow::Result<Store> {
    let store = create_store(config).await?;
    if config.database.migrate == Migrate::Auto {
        let applied = store.migrate().await.context("the tables could not be brought up to date")?;
        if !applied.is_empty() {
            tracing::info!(migrations = applied.join(", "), "tables brought up to date");
        }
    }
    // Without `auto`, bringing the tables up to date is left to the operator.
    match store.schema_state().await? {
        SchemaState::Ready => Ok(store),
        state => bail!("{state}"),
    }
}

/// Opens the database; makes the folder and the file of a SQLite database that is not there yet.
pub(crate) async fn create_store(config: &Config) -> anyhow::Result<Store> {
    if let Some(file) = config.database.url.file() {
        let tightened = private::database(file).with_context(|| format!("cannot keep `{}` from others", file.display()))?;
        if !tightened.is_empty() {
            let files = tightened.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
            tracing::info!(files, "others could read these until now; from now on only their owner can");
        }
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

/// The system over a database whose tables are up to date, and the database, for what is no operation.
pub(crate) async fn cms(config: &Config) -> anyhow::Result<(Cms, Store)> {
    let (services, library, store) = (services(config)?, config.media.library(&config.database.url)?, store(config).await?);
    Ok((cms_core::assemble(store.clone(), config.options(), Parts { services, library, ..Parts::default() }), store))
}

/// Ends what a command began: letters about it are delivered, as long as that takes no longer than a server may take to stop.
pub(crate) async fn close(config: &Config, cms: &Cms, store: &Store) {
    if tokio::time::timeout(config.server.shutdown_grace.0, cms.finish_background()).await.is_err() {
        tracing::warn!("letters were cut off: they were not delivered within `server.shutdown_grace`");
    }
    store.close().await;
}

/// What others do for the system.
fn services(config: &Config) -> anyhow::Result<Services> {
    let mail = config.mail.service(config.product().origin().as_str())?.map(|smtp| Arc::new(smtp) as Arc<dyn Mail>);
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
    let router = cms_http_api::router_with(cms.clone(), http_options(config), vec![tools(cms, mcp_options(config))])
        .merge(cms_admin::router(cms.product()))
        .merge(cms_admin::entrances(cms.product()))
        .merge(cms_http_api::health(cms.clone()))
        .fallback(cms_http_api::not_found);
    let router = if cms.product().is_secure() { router.layer(map_response(stay_secure)) } else { router };
    match meter {
        Some(meter) => meter.watch(router),
        None => router,
    }
}

/// The endpoint for tools, in the frame of the REST door.
fn tools(cms: &Cms, options: McpOptions) -> Raw {
    let endpoint = cms_mcp::Endpoint::new(cms.clone(), options);
    let refusing = endpoint.clone();
    let route = Raw::new(Wire::TOOLS, move |asked| {
        let endpoint = endpoint.clone();
        Box::pin(async move { endpoint.answer(asked.parts, asked.client, asked.body.read()).await })
    });
    route.refusing(move |parts, error, status| Some(refusing.refused(parts, error, status)))
}

/// Has browsers come encrypted from now on, whatever address they are given (RFC 6797).
async fn stay_secure(mut response: Response) -> Response {
    response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, STAY_SECURE);
    response
}

/// How the REST door is set up.
fn http_options(config: &Config) -> HttpOptions {
    HttpOptions {
        trusted_hops: config.server.trusted_proxies.into(),
        forwarded_header: match config.server.forwarded_header {
            ForwardedHeader::XForwardedFor => cms_http_api::ForwardedHeader::XForwardedFor,
            ForwardedHeader::Forwarded => cms_http_api::ForwardedHeader::Forwarded,
        },
        cors_origins: config.server.cors_origins.iter().map(ToString::to_string).collect(),
        body_limit: config.server.body_limit.0,
        body_timeout: config.server.body_timeout.0,
        request_timeout: config.server.request_timeout.0,
        cache_bytes: config.half_of_cache(),
        ..HttpOptions::default()
    }
}

fn mcp_options(config: &Config) -> McpOptions {
    McpOptions {
        allowed_origins: config.server.cors_origins.iter().map(ToString::to_string).collect(),
        request_timeout: config.server.request_timeout.0,
    }
}

#[cfg(test)]
mod tests {
    use axum::{body::Body, http::Request};
    use cms_core::testing::{TestApp, TestStore};
    use tower::ServiceExt;

    use super::*;

    async fn answers(public_origin: &str, app: &TestApp) -> Vec<Option<HeaderValue>> {
        let app = app.another(|options| options.product.public_origin = Some(public_origin.parse().unwrap()));
        let router = router(app.cms(), &Config::default(), None);
        let mut answers = Vec::new();
        for path in
            ["/_cms/api/auth/mode", "/_cms/api/nowhere", "/_cms/api/mcp", "/_cms/oauth/authorize", "/_cms/admin", "/healthz", "/", "/x"]
        {
            let response = router.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
            answers.push(response.headers().get(header::STRICT_TRANSPORT_SECURITY).cloned());
        }
        answers
    }

    #[tokio::test]
    async fn every_answer_of_an_encrypted_site_keeps_browsers_encrypted() {
        let store = TestStore::sqlite().await.unwrap();
        let app = TestApp::open(store.store().clone()).await.unwrap();
        assert!(answers("https://cms.example", &app).await.iter().all(|answer| *answer == Some(STAY_SECURE)));
        assert!(answers("http://cms.example", &app).await.iter().all(Option::is_none));
        store.remove().await.unwrap();
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn whatever_belongs_to_the_database_is_its_owners_alone() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.database.url = format!("sqlite:{}", home.path().join("data/cms.db").display()).parse().unwrap();
        let store = store(&config).await.unwrap();
        let files: Vec<_> = std::fs::read_dir(home.path().join("data")).unwrap().map(|file| file.unwrap()).collect();
        assert!(files.len() > 1, "the log is there: {files:?}");
        for file in files {
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
        }
        store.close().await;
    }
}
