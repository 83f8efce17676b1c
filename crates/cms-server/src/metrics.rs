//! Measurements for Prometheus, on a listener of their own.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::{Request, State},
    http::header,
    middleware::{Next, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use cms_core::{Cms, tasks::driver::MISSED_AFTER};
use cms_http_api::{AskedFor, Origin};
use cms_storage::{Store, TaskState};
use prometheus_client::{
    encoding::{EncodeLabelSet, text},
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};
use tokio::time::timeout;

/// Bounds of the buckets of answer times, in seconds: from an answer that was kept to one that is about to be given up.
const BUCKETS: [f64; 12] = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

/// What is counted of requests for nothing that a door has: `mcp` stands for tools, whichever they are, and names such as `oauth.token` for
/// routes of standards.
const OTHER: &str = "other";

/// How long the database may take to say how tasks are doing: less than Prometheus waits for all of it.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

/// Counts requests and takes their time.
#[derive(Clone)]
pub(crate) struct Meter(Arc<Inner>);

struct Inner {
    registry: Registry,
    requests: Family<Answered, Counter>,
    seconds: Family<Asked, Histogram>,
    answers: Family<Came, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    operation: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Came {
    origin: &'static str,
}

impl Meter {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Self {
        let requests = Family::<Answered, Counter>::default();
        let seconds = Family::<Asked, Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
        let mut registry = Registry::with_prefix("cms");
        registry.register("http_requests", "Requests by operation and status", requests.clone());
        registry.register("http_request_seconds", "Time until the head of the answer, by operation", seconds.clone());
        let answers = Family::<Came, Counter>::default();
        registry.register("http_published_answers", "Answers to readers of published content, by how they came to be", answers.clone());
        Self(Arc::new(Inner { registry, requests, seconds, answers }))
    }

    /// Measures every request to a router.
    pub(crate) fn watch(&self, router: Router) -> Router {
        router.layer(from_fn_with_state(self.clone(), measure))
    }

    /// Serves what was measured.
    pub(crate) fn router(self, cms: Cms, store: Store) -> Router {
        Router::new().route("/metrics", get(show)).with_state((self, cms, store))
    }
}

async fn measure(State(meter): State<Meter>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let response = next.run(request).await;
    let operation = response.extensions().get::<AskedFor>().map_or(OTHER, |asked| asked.operation);
    let Inner { requests, seconds, answers, .. } = &*meter.0;
    requests.get_or_create(&Answered { operation, status: response.status().as_u16() }).inc();
    seconds.get_or_create(&Asked { operation }).observe(begun.elapsed().as_secs_f64());
    if let Some(origin) = response.extensions().get::<Origin>() {
        answers.get_or_create(&Came { origin: origin.name() }).inc();
    }
    response
}

async fn show(State((meter, cms, store)): State<(Meter, Cms, Store)>) -> Response {
    let mut body = String::new();
    let written = text::encode_registry(&mut body, &meter.0.registry).is_ok()
        && server(&cms, &store, &mut body).is_some()
        && tasks(read_tasks(&store).await.as_deref(), &cms, &mut body).is_some();
    if !written {
        return axum::http::StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    body.push_str("# EOF\n");
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], body).into_response()
}

/// How this server stands to the database and to the other servers.
fn server(cms: &Cms, store: &Store, body: &mut String) -> Option<()> {
    body.push_str("# HELP cms_following_lag_seconds How long ago this server last knew all that others did.\n");
    body.push_str("# TYPE cms_following_lag_seconds gauge\n");
    writeln!(body, "cms_following_lag_seconds {}", cms.lag().unwrap_or_default().as_secs_f64()).ok()?;
    body.push_str("# HELP cms_database_connections Connections to the database, by what they are for.\n");
    body.push_str("# TYPE cms_database_connections gauge\n");
    for (pool, load) in store.load() {
        for (state, n) in [("used", load.used), ("most", load.size), ("waited_for", load.waiting)] {
            writeln!(body, "cms_database_connections{{pool=\"{pool}\",state=\"{state}\"}} {n}").ok()?;
        }
    }
    Some(())
}

/// What the database says of the tasks; none when it does not say it soon. Whoever measures has a moment, and wants the rest all the more then.
async fn read_tasks(store: &Store) -> Option<Vec<TaskState>> {
    let store = store.on_watch();
    match timeout(ANSWERS_WITHIN, store.reader().tasks().all()).await {
        Ok(Ok(states)) => Some(states),
        Ok(Err(error)) => {
            tracing::warn!(%error, "tasks cannot be read");
            None
        }
        Err(_) => {
            tracing::warn!("the database does not say how tasks are doing");
            None
        }
    }
}

/// Whether the database answers, and how the background tasks are doing, from the database: the same on every server. Of servers that are not
/// heard of nothing is said.
fn tasks(states: Option<&[TaskState]>, cms: &Cms, body: &mut String) -> Option<()> {
    body.push_str("# HELP cms_database_up Whether the database answers.\n# TYPE cms_database_up gauge\n");
    writeln!(body, "cms_database_up {}", u8::from(states.is_some())).ok()?;
    let Some(states) = states else { return Some(()) };
    let since = cms.now().before(MISSED_AFTER);
    let mut tasks: BTreeMap<&str, (i64, i32)> = BTreeMap::new();
    for state in states.iter().filter(|state| state.last_started_at.is_some_and(|at| at > since)) {
        let (succeeded, failures) = tasks.entry(&state.name).or_default();
        *succeeded = (*succeeded).max(state.last_succeeded_at.map_or(0, |at| at.milliseconds() / 1000));
        *failures = (*failures).max(state.attempts);
    }
    body.push_str("# HELP cms_task_succeeded_timestamp_seconds When a background task last ended well.\n");
    body.push_str("# TYPE cms_task_succeeded_timestamp_seconds gauge\n");
    for (task, (succeeded, _)) in &tasks {
        writeln!(body, "cms_task_succeeded_timestamp_seconds{{task=\"{task}\"}} {succeeded}").ok()?;
    }
    body.push_str("# HELP cms_task_failures How many times in a row a background task failed.\n# TYPE cms_task_failures gauge\n");
    for (task, (_, failures)) in &tasks {
        writeln!(body, "cms_task_failures{{task=\"{task}\"}} {failures}").ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use cms_core::testing::TestStore;
    use tower::ServiceExt;

    use super::*;
    use crate::{config::Config, testing::site, wire};

    #[tokio::test]
    async fn requests_are_counted_by_operation_and_status() {
        let store = TestStore::sqlite().await.unwrap();
        let app = site(&store).await;
        let meter = Meter::new();
        let router = wire::router(app.cms(), &Config::default(), Some(&meter));
        for (method, path) in [
            ("GET", "/_cms/api/content/posts"),
            ("HEAD", "/_cms/api/content/posts"),
            ("DELETE", "/_cms/api/content/posts"),
            ("POST", "/_cms/api/mcp"),
            ("POST", "/_cms/api/oauth/token"),
            ("GET", "/_cms/api/openapi.json"),
            ("GET", "/x"),
        ] {
            router.clone().oneshot(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await.unwrap();
        }
        let metrics = meter.router(app.cms().clone(), store.store().clone());
        let shown = metrics.clone().oneshot(Request::get("/metrics").body(Body::empty()).unwrap()).await.unwrap();
        let text = String::from_utf8(to_bytes(shown.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap();
        for line in [
            "cms_http_requests_total{operation=\"content.list\",status=\"401\"} 2",
            "cms_http_requests_total{operation=\"content.list\",status=\"405\"} 1",
            "cms_http_requests_total{operation=\"mcp\",status=\"401\"} 1",
            "cms_http_requests_total{operation=\"oauth.token\",status=\"400\"} 1",
            "cms_http_requests_total{operation=\"openapi\",status=\"200\"} 1",
            "cms_http_requests_total{operation=\"other\",status=\"404\"} 1",
            "cms_http_request_seconds_count{operation=\"content.list\"} 3",
            "cms_following_lag_seconds 0",
            "cms_database_up 1",
            "cms_database_connections{pool=\"read\",state=\"most\"} 4",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(text.matches("# EOF").count(), 1);

        store.store().tamper("ALTER TABLE node_tasks RENAME TO away").await.unwrap();
        let shown = metrics.oneshot(Request::get("/metrics").body(Body::empty()).unwrap()).await.unwrap();
        let text = String::from_utf8(to_bytes(shown.into_body(), usize::MAX).await.unwrap().to_vec()).unwrap();
        for line in ["cms_database_up 0", "cms_http_requests_total{operation=\"mcp\",status=\"401\"} 1"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        store.remove().await.unwrap();
    }
}
