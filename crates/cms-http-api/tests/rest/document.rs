//! The document says what the router does.

use std::collections::BTreeSet;

use axum::body::Body;
use cms_domain::product::Product;
use cms_frame::operation::{Http, Method, Surface};
use cms_http_api::openapi;
use serde_json::{Value, json};

use crate::site::site;

/// Operations by `METHOD path operationId`.
#[derive(Default)]
struct Routes {
    public: BTreeSet<String>,
    all: Vec<(&'static str, &'static str)>,
}

fn routes() -> Routes {
    let mut routes = Routes::default();
    for Http { method, path, operation_id, surface, .. } in cms_core::built_in().iter().map(|operation| operation.http) {
        let method = match method {
            Method::Get => "get",
            Method::Post => "post",
            Method::Put => "put",
            Method::Patch => "patch",
            Method::Delete => "delete",
        };
        if surface == Surface::Public {
            routes.public.insert(format!("{method} {path} {operation_id}"));
        }
        if surface != Surface::None {
            routes.all.push((method, path));
        }
    }
    routes
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations =
        paths.iter().flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation)));
    operations
        .map(|(path, method, operation)| (format!("{method} {path} {}", operation["operationId"].as_str().unwrap()), operation))
        .collect()
}

#[test]
fn every_operation_says_that_a_token_or_a_session_will_do_and_which_header_goes_with_a_session() {
    let secure = Product { public_origin: "https://cms.example".parse().ok(), ..Product::default() };
    let document = openapi(&cms_core::built_in(), &secure);
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!((&schemes["session"]["in"], &schemes["session"]["name"]), (&"cookie".into(), &"__Host-cms_session".into()));
    assert_eq!((&schemes["csrf"]["in"], &schemes["csrf"]["name"]), (&"header".into(), &"x-cms-request".into()));
    let session = |name: &str| if name.starts_with("get ") { json!({ "session": [] }) } else { json!({ "session": [], "csrf": [] }) };
    for (name, operation) in operations(&document) {
        let ways = operation["security"].as_array().unwrap();
        let is_public = ways.contains(&json!({}));
        assert!(is_public || ways.contains(&session(&name)), "{name}: {ways:?}");
        assert!(is_public || ways.len() == 1 || ways.contains(&json!({ "bearer": [] })), "{name}: {ways:?}");
    }
}

#[test]
fn the_document_has_exactly_the_public_operations() {
    let document = openapi(&cms_core::built_in(), &Product::default());
    let documented: BTreeSet<String> = operations(&document).into_iter().map(|(name, _)| name).collect();
    assert_eq!(documented, routes().public);
}

#[test]
fn no_two_operations_share_an_address() {
    let shape =
        |path: &str| path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment }).collect::<Vec<_>>().join("/");
    let all = routes().all;
    let different: BTreeSet<_> = all.iter().map(|(method, path)| (method, shape(path))).collect();
    assert_eq!(different.len(), all.len());
}

#[test]
fn the_document_is_the_same_each_time() {
    assert_eq!(
        openapi(&cms_core::built_in(), &Product::default()).to_string(),
        openapi(&cms_core::built_in(), &Product::default()).to_string()
    );
}

#[test]
fn every_reference_in_the_document_leads_somewhere() {
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str).map(str::to_owned));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = openapi(&cms_core::built_in(), &Product::default());
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in found {
        assert!(document.pointer(reference.strip_prefix('#').unwrap()).is_some(), "{reference}");
    }
}

#[test]
fn no_two_types_share_a_name() {
    let document = openapi(&cms_core::built_in(), &Product::default());
    let numbered =
        document["components"]["schemas"].as_object().unwrap().keys().filter(|name| name.ends_with(|last: char| last.is_ascii_digit()));
    assert_eq!(numbered.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn every_operation_and_parameter_is_described() {
    let document = openapi(&cms_core::built_in(), &Product::default());
    for (name, operation) in operations(&document) {
        assert!(operation["summary"].as_str().is_some_and(|summary| !summary.is_empty() && !summary.contains('\n')), "{name}");
        for parameter in operation["parameters"].as_array().into_iter().flatten().filter(|parameter| parameter["$ref"].is_null()) {
            assert!(parameter["description"].is_string(), "{name} {parameter}");
        }
    }
}

/// The codes that the document lists for an operation.
fn codes(document: &Value, operation_id: &str) -> BTreeSet<String> {
    let name = format!(" {operation_id}");
    let operations = operations(document);
    let (_, operation) = operations.iter().find(|(known, _)| known.ends_with(&name)).unwrap();
    let mut codes = BTreeSet::new();
    for response in operation["responses"].as_object().unwrap().values() {
        let response = response["$ref"].as_str().map_or(response, |reference| document.pointer(&reference[1..]).unwrap());
        let listed = &response["content"]["application/json"]["schema"]["properties"]["error"]["properties"]["code"]["enum"];
        codes.extend(listed.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    }
    codes
}

#[test]
fn an_operation_lists_its_own_codes_and_no_others() {
    let document = openapi(&cms_core::built_in(), &Product::default());
    let list = codes(&document, "listContent");
    for code in ["COLLECTION_NOT_FOUND", "INVALID_CURSOR", "INDEX_BUILDING", "VALIDATION_ERROR", "NOT_AUTHENTICATED", "INSUFFICIENT_SCOPE"]
    {
        assert!(list.contains(code), "{code}: {list:?}");
    }
    for code in ["PASSKEY_LIMIT", "LAST_ADMIN", "SLUG_CONFLICT", "CSRF_REJECTED", "RATE_LIMITED", "SESSION_REQUIRED"] {
        assert!(!list.contains(code), "{code}: {list:?}");
    }
    let update = codes(&document, "updateContent");
    for code in ["CONFLICT", "ENTRY_LOCKED", "SLUG_CONFLICT", "UNIQUE_CONFLICT", "CSRF_REJECTED", "PAYLOAD_TOO_LARGE"] {
        assert!(update.contains(code), "{code}: {update:?}");
    }
}

#[tokio::test]
async fn every_route_is_served() {
    site(|site| async move {
        for (method, path) in routes().all {
            let path = format!("/_cms/api{}", path.replace(['{', '}'], "x"));
            let answer = site.admin(&method.to_uppercase(), &path, Body::empty()).await;
            let failure = if answer.status.is_success() { String::new() } else { answer.json()["error"]["message"].to_string() };
            assert!(answer.status != 405 && !failure.contains("nothing at this address"), "{method} {path}: {failure}");
        }
    })
    .await;
}

#[tokio::test]
async fn the_page_runs_nothing_but_its_own_scripts() {
    site(|site| async move {
        let page = site.read(None, "/_cms/api/docs", &[]).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
        let policy = page.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
        let html = String::from_utf8_lossy(&page.bytes);
        assert!(html.contains("/_cms/api/openapi.json") && !html.contains("src=\"http"));
    })
    .await;
}
