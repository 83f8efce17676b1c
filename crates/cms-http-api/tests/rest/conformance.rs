//! Holds every answer of these tests against the document: its status is described, and its body fits the schema.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock, Mutex},
};

use cms_domain::product::Product;
use cms_http_api::openapi;
use http::{Method, StatusCode};
use jsonschema::Validator;
use serde_json::{Value, json};

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi(&cms_core::built_in(), &Product::default()));
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Fails unless the document describes the answer. Routes that are not in the document are nobody's business.
pub(crate) fn check(method: &Method, path: &str, status: StatusCode, bytes: &[u8]) {
    let Some(operation) = path.strip_prefix("/_cms/api").and_then(|path| find(method, path)) else { return };
    let name = format!("{} {}", operation["operationId"], status.as_u16());
    let response = &operation["responses"][status.as_str()];
    let response = response["$ref"].as_str().map_or(response, |reference| DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap());
    assert!(response.is_object(), "{name} is not in the document");
    if bytes.is_empty() {
        return;
    }
    let Some(described) = response["content"].get("application/json") else {
        assert!(response["content"].is_object(), "{name} has a body that is not in the document");
        return;
    };
    let body: Value = serde_json::from_slice(bytes).unwrap();
    let validator = validator(&name, &described["schema"]);
    let problems: Vec<_> = validator.iter_errors(&body).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{name} does not fit its schema: {problems:?}");
}

/// The operation at an address. A fixed segment is a better match than a parameter.
fn find(method: &Method, path: &str) -> Option<&'static Value> {
    let method = if method == Method::HEAD { "get".to_owned() } else { method.as_str().to_lowercase() };
    let matching = DOCUMENT["paths"].as_object()?.iter().filter(|(template, _)| matches(template, path));
    let (_, item) = matching.min_by_key(|(template, _)| template.matches('{').count())?;
    item.get(method)
}

fn matches(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(expected), Some(segment)) if expected == segment || expected.starts_with('{') => {}
            _ => return false,
        }
    }
}

fn validator(name: &str, schema: &Value) -> Arc<Validator> {
    let mut known = VALIDATORS.lock().unwrap();
    let compile = || Arc::new(jsonschema::validator_for(&json!({ "allOf": [schema], "components": DOCUMENT["components"] })).unwrap());
    Arc::clone(known.entry(name.to_owned()).or_insert_with(compile))
}
