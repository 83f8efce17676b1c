//! Tells who runs the server whether it lives and whether it can work.

use axum::{Router, extract::State, response::Response, routing::get};
use cms_frame::{Cms, Error};
use http::{HeaderMap, StatusCode};
use serde_json::json;

use crate::{
    error::{self, Challenge},
    reply,
    request_id::RequestId,
};

/// `/healthz`: the process answers. `/readyz`: the database does too, and its tables are what this version needs, or more.
pub fn health(cms: Cms) -> Router {
    Router::new().route("/healthz", get(lives)).route("/readyz", get(is_ready)).with_state(cms)
}

async fn lives(headers: HeaderMap) -> Response {
    answer(RequestId::of(&headers), Ok(()))
}

async fn is_ready(State(cms): State<Cms>, headers: HeaderMap) -> Response {
    let id = RequestId::of(&headers);
    let ready = cms.must_be_ready().await;
    if let Err(error) = &ready {
        tracing::warn!(request = %id, cause = error.private().map(tracing::field::debug), "not ready: {}", error.message());
    }
    answer(id, ready)
}

fn answer(id: RequestId, good: Result<(), Error>) -> Response {
    let mut response = match good {
        Ok(()) => reply::json(StatusCode::OK, json!({ "success": true, "data": { "status": "ok" } }).to_string().into()),
        Err(error) => error::response(&error, &Challenge::default(), &id),
    };
    reply::finish(&mut response, id);
    response
}
