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

/// Requests made from the document by schemathesis, good and bad, alone and in sequences: no failure inside, no status or
/// body that the document does not have. They are the same ones in each run, so that a failure is one of the change at hand;
/// with `SCHEMATHESIS_EXAMPLES` they are others each time, and that many for each operation in each phase.
#[tokio::test]
async fn the_server_keeps_to_its_document() {
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

    let examples = variable("SCHEMATHESIS_EXAMPLES");
    let seed: &[_] = if examples.is_some() { &[] } else { &["--seed", "1"] };
    let said = run(Command::new(python("schemathesis"))
        .arg("--config-file")
        .arg(repository().join("tests/schemathesis/schemathesis.toml"))
        .arg("run")
        .args(seed)
        .args([
            "--max-examples",
            examples.as_deref().unwrap_or("10"),
            "--continue-on-failure",
            "--checks",
            "all",
            "--no-color",
            "--warnings",
            "off",
        ])
        .args(["--header", &format!("Authorization: Bearer {token}")])
        .arg(format!("{}/_cms/api/openapi.json", server.address()))
        // It keeps what it found in the folder that it runs in.
        .current_dir(site.folder()));
    eprintln!("{}", said.split("= SUMMARY =").last().unwrap_or(&said));
    drop(server);
    site.must_be_sound();
}
