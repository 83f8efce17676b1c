//! The authorization server with clients that others wrote, unmodified, and a person who approves them.

use std::process::Command;

use cms_tests::{Site, clients, repository, run};

/// Runs a program of the Node clients with an address of a server and a link that signs an admin in.
async fn journey(program: &str, path: &str) -> String {
    let site = Site::sqlite();
    site.run(&["admin", "create", "--email", "admin@example.com"]);
    let server = site.serve().await;
    let link = site.run(&["admin", "recover", "--email", "admin@example.com"]);
    let address = format!("{}{path}", server.address());
    run(Command::new("node").args([program, &address, &link]).current_dir(repository().join("tests/node")))
}

#[tokio::test]
async fn a_certified_client_library_completes_every_grant() {
    if !clients() {
        return;
    }
    let said = journey("oauth.mjs", "").await;
    assert_eq!(said.matches("pass ").count(), 6, "{said}");
}

#[tokio::test]
async fn the_official_sdk_connects_from_a_bare_address() {
    if !clients() {
        return;
    }
    let said = journey("mcp-oauth.mjs", "/_cms/api/mcp").await;
    assert_eq!(said.matches("pass ").count(), 2, "{said}");
}
