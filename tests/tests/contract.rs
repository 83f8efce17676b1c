//! The OpenAPI document against a linter, and the server against the document, by tools that others wrote.

use std::process::Command;

use cms_tests::{Site, clients, posts, python, repository, run, variable};
use serde_json::json;

#[tokio::test]
async fn the_document_passes_a_public_linter() {
    if !clients() {
        return;
    }
    let site = Site::sqlite();
    let document = site.folder().join("openapi.json");
    std::fs::write(&document, site.run(&["openapi"])).unwrap();
    let linter = repository().join("tests/node/node_modules/.bin/redocly");
    run(Command::new(linter).arg("lint").arg(&document).env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true"));
}

/// Who sends the requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Caller {
    Admin,
    Author,
    Nobody,
}

/// Requests made from the document by schemathesis, good and bad, alone and in sequences: no failure inside, no status or
/// body that the document does not have. They are the same ones in each run, so that a failure is one of the change at hand;
/// with `SCHEMATHESIS_EXAMPLES` they are others each time, and that many for each operation in each phase.
async fn keeps_to_its_document(caller: Caller, usual: &str) {
    if !clients() {
        return;
    }
    let site = Site::sqlite();
    let server = site.serve().await;
    let token = site.token();
    let client = server.client(&token);
    posts::make(&client).await;
    for number in 0..3 {
        client.post("/content/posts", &posts::new(&format!("post-{number}"), number)).await;
    }
    client.post("/content/posts/post-1/publish", &json!({})).await;
    client.post("/schema/collections", &json!({ "slug": "pages", "label": "Pages" })).await;
    client.post("/content/pages", &json!({ "slug": "page-0", "data": {} })).await;
    let token = match caller {
        Caller::Admin => Some(token),
        Caller::Author => {
            site.run(&["call", "user.create", "--input", r#"{"email":"author@example.com","role":30}"#]);
            let scopes = ["--scope", "content:read", "--scope", "content:write", "--scope", "media:write"];
            Some(site.run(&[["token", "create", "--user", "author@example.com", "--name", "test"].as_slice(), &scopes].concat()))
        }
        Caller::Nobody => None,
    };

    let examples = variable("SCHEMATHESIS_EXAMPLES");
    let seed: &[_] = if examples.is_some() { &[] } else { &["--seed", "1"] };
    let mut schemathesis = Command::new(python("schemathesis"));
    let settings = repository().join("tests/schemathesis");
    schemathesis.env("SCHEMATHESIS_HOOKS", settings.join("files.py"));
    schemathesis.arg("--config-file").arg(settings.join("schemathesis.toml")).arg("run").args(seed).args([
        "--max-examples",
        examples.as_deref().unwrap_or(usual),
        "--continue-on-failure",
        "--checks",
        "all",
        "--no-color",
        "--warnings",
        "off",
    ]);
    if let Some(token) = token {
        schemathesis.args(["--header", &format!("Authorization: Bearer {token}")]);
    }
    // It keeps what it found in the folder that it runs in.
    let said = run(schemathesis.arg(format!("{}/_cms/api/openapi.json", server.address())).current_dir(site.folder()));
    eprintln!("{}", said.split("= SUMMARY =").last().unwrap_or(&said));
    drop(server);
    site.must_be_sound();
}

#[tokio::test]
async fn the_server_keeps_to_its_document_for_an_admin() {
    keeps_to_its_document(Caller::Admin, "10").await;
}

#[tokio::test]
async fn the_server_keeps_to_its_document_for_an_author() {
    keeps_to_its_document(Caller::Author, "4").await;
}

#[tokio::test]
async fn the_server_keeps_to_its_document_for_a_stranger() {
    keeps_to_its_document(Caller::Nobody, "4").await;
}
