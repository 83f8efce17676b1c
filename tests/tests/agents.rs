//! The tool endpoint with the conformance suite of the protocol's makers.

use std::process::Command;

use cms_tests::{Site, clients, repository, run};

#[tokio::test]
async fn the_conformance_scenarios_for_a_stateless_tools_server_pass() {
    if !clients() {
        return;
    }
    let site = Site::sqlite();
    let server = site.serve().await;
    let endpoint = format!("{}/_cms/api/mcp", server.address());
    let folder = repository().join("tests/node");
    let said = run(Command::new("node").args(["conformance.mjs", &endpoint, &site.token()]).current_dir(folder));
    assert_eq!(said.matches("pass ").count(), 5, "{said}");
}
