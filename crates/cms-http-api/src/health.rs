//! Tells who runs the server whether it lives and whether it can work.

use axum::{Router, extract::State, response::Response, routing::get};
use cms_core::{Cms, Code, Error};
use http::{HeaderMap, StatusCode};
use serde_json::json;

use crate::{
    error::{self, Challenge},
    reply,
    request_id::RequestId,
};

/// `/healthz`: the process answers. `/readyz`: the database does too, and its tables are the ones this version needs.
pub fn health(cms: Cms) -> Router {
    Router::new().route("/healthz", get(lives)).route("/readyz", get(is_ready)).with_state(cms)
}

async fn lives(headers: HeaderMap) -> Response {
    answer(RequestId::of(&headers), true)
}

async fn is_ready(State(cms): State<Cms>, headers: HeaderMap) -> Response {
    let id = RequestId::of(&headers);
    let migrations = cms.store().migrations().await;
    if let Err(error) = &migrations {
        tracing::warn!(request = %id, %error, "the database does not answer");
    }
    answer(id, migrations.is_ok_and(|migrations| migrations.iter().all(|migration| migration.applied)))
}

fn answer(id: RequestId, good: bool) -> Response {
    let mut response = if good {
        reply::json(StatusCode::OK, json!({ "success": true, "data": { "status": "ok" } }).to_string().into())
    } else {
        error::response(
            &Error::with(Code::Busy, "the database does not answer, or its tables are not up to date"),
            &Challenge::default(),
            &id,
        )
    };
    reply::finish(&mut response, id);
    response
}
